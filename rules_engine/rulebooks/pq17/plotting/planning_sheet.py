"""The planning sheet: organisation, postures, speeds, routes, standing orders and the bid for initiative on one page.

PQ-17 SOP.2.a.i to SOP.2.a.v. Its form is in ``planning_lines``, its effect on task forces in ``planning_drafts``.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Form
from rules_engine.core.knowledge.reports import because
from rules_engine.core.knowledge.views import Course
from rules_engine.core.protocol.asks import Ask, Remembered, Steps
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch01_forces.new_units import couple
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import Reorganisation, announce, number_contacts, reorganise
from rules_engine.rulebooks.pq17.ch05_movement.postures import settle_bases
from rules_engine.rulebooks.pq17.ch05_movement.ship_figures import figure_refusals, is_changed, say_figures
from rules_engine.rulebooks.pq17.ch06_reconnaissance.shadowing import lose_shadowing, remember_links
from rules_engine.rulebooks.pq17.ch10_supply.fuel import cost, hex_cost, points_left
from rules_engine.rulebooks.pq17.nations.initiative import bid_refusals, bid_warnings, say_bid
from rules_engine.rulebooks.pq17.orders.idle_words import idle_words
from rules_engine.rulebooks.pq17.orders.order_sheets import (
    SIDE_LINE,
    PlanLine,
    PlanSheet,
    misplaced,
    posture_text,
    write_tows,
)
from rules_engine.rulebooks.pq17.orders.standing_read_back import say_orders
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders
from rules_engine.rulebooks.pq17.plotting.errands import errand_of, escorts, keep_errands, say_errand
from rules_engine.rulebooks.pq17.plotting.logistics_lines import SIDE_LINE as STORES_LINE
from rules_engine.rulebooks.pq17.plotting.logistics_lines import say_wishes, set_wishes
from rules_engine.rulebooks.pq17.plotting.planning_drafts import (
    NO_LINE,
    ForceDraft,
    ForceDrafts,
    UnitPool,
    base_units,
    drafts_of,
    enter_figures,
    pace_of,
    pools_of,
    remembered_pools,
    speed_defects,
    standing_orders_text,
)
from rules_engine.rulebooks.pq17.plotting.planning_lines import planning_form
from rules_engine.rulebooks.pq17.plotting.routes import course_of, say_route
from rules_engine.rulebooks.pq17.plotting.running_on import chosen_run, read_stops, say_run, set_run, write_stops
from rules_engine.rulebooks.pq17.plotting.unaffordable_orders import plan_refusals
from rules_engine.rulebooks.pq17.records.calendar import turn_label
from rules_engine.rulebooks.pq17.records.forces import Posture, TaskForce
from rules_engine.rulebooks.pq17.records.lots import as_seen, drawing
from rules_engine.rulebooks.pq17.records.standing_orders import NO_ORDERS, Stop
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import IMPULSES, Speed
from rules_engine.rulebooks.pq17.tables.unit_types import sentence

MOST_NAMED = 6
"""The most ships that are read back by name; more are counted by class."""

MOST_RESTING = 4
"""The most task forces at rest that are read back on a line each; more share one line."""

REMEMBERED_POOLS = 32
"""Pools whose drafts are remembered while a sheet is filled in."""

REMEMBERED_PACES = 128
"""How many judgements of a speed for a draft are remembered."""


def plan_steps(turn: TurnContext[State], asked: Sequence[Side]) -> Steps[dict[Side, PlanSheet]]:
    """Every side's plan: its sheet, or the stored plan if it runs on. PQ-17 SOP.2.a.i to SOP.2.a.iii, ruling MOV-8.

    While any side is ``asked``, the sheet of a side that runs on is open too, but nobody waits for it. Where windows
    are fixed there is one in any case, for the other side's running on is its own secret.
    """
    patient = turn.shared.patient
    if not asked and not patient:
        return {side: PlanSheet({}) for side in turn.sides}
    turn.show_maps(*(turn.sides if patient else asked), public=True)
    asks = [planning_ask(turn, side, awaited=side in asked) for side in turn.sides]
    return dict(zip(turn.sides, (yield from turn.ask_all_steps(asks)), strict=True))


@rule("1.6.2", "1.6.5.1", "1.6.9", "4.1.3", "5.1.1", "5.2.1")
def planning_ask(turn: TurnContext[State], side: Side, *, awaited: bool = True) -> Ask[PlanSheet]:
    """The one ask of a planning step. PQ-17 1.6.2, 1.6.5.1, 1.6.9, 4.1.3, 5.1.1, 5.2.1, rulings TF-11, GEN-10."""
    state = turn.state
    form = planning_form(state, side)
    offered = {line.key: frozenset(field.key for field in line.fields) for line in form.lines}
    forces = [line.key for line in form.lines if any(field.key == "speed" for field in line.fields)]
    too_fast: Remembered[tuple[TaskForce, Speed], list[Refusal]] = Remembered(
        speed_defects(state), most=REMEMBERED_PACES, key=lambda of: pace_of(*of)
    )
    default = PlanSheet.model_validate(form.prefilled())
    of_pool = remembered_pools(state, default.root, REMEMBERED_POOLS, too_fast)
    grounds: Remembered[Side, list[UnitPool]] = Remembered(lambda side: pools_of(state, side), key=lambda side: side)
    drafts: Remembered[PlanSheet, ForceDrafts] = Remembered(lambda sheet: drafts_of(grounds(side), sheet, of_pool))
    side_defects: Remembered[PlanLine, list[Refusal]] = Remembered(
        lambda line: _check_side(state, side, line), key=lambda line: (line.doctrine, line.stop, line.bid)
    )
    side_said: Remembered[PlanLine, list[str]] = Remembered(
        lambda line: list(_say_side(state, side, line)),
        key=lambda line: (line.doctrine, line.run, line.stop, line.bid, line.ask),
    )
    rests: Remembered[ForceDraft, bool] = Remembered(lambda of: _rests(state, of), most=REMEMBERED_POOLS)
    said: Remembered[ForceDraft, str] = Remembered(lambda of: _say(state, of), most=REMEMBERED_POOLS)
    weak: Remembered[TaskForce, list[str]] = Remembered(
        lambda force: _weak(state, force), most=REMEMBERED_PACES, key=lambda force: pace_of(force, force.speed)
    )
    warnings: Remembered[ForceDraft, list[str]] = Remembered(
        lambda of: _warnings(of, weak(of.force)), most=REMEMBERED_POOLS
    )
    return Ask(
        kind="planning",
        parties=(side,),
        title=f"Planning, {turn_label(state.turn)}",
        text=(
            "Group your ships into task forces, and give each a posture, a speed and a route. "
            "Routes are hex numbers, one a movement point; stay and port are steps too."
        ),
        model=PlanSheet,
        form=form,
        rule="PQ-17 SOP 2.a",
        default=default,
        default_says="Task forces, postures and standing orders stay as they are, stored routes go on.",
        check=lambda sheet: [
            *check_plan(form, offered, sheet, drafts(sheet)),
            *side_defects(_side_line(sheet)),
            *_check_bases(state, side, sheet),
            *plan_refusals(state, side, [draft.force for draft in drafts(sheet)[0]]),
        ],
        idle=lambda sheet: [
            defect
            for key, line in sheet.root.items()
            for defect in idle_words(line.doctrine or "", f"{key}.doctrine", of_side=key == SIDE_LINE)
        ],
        read_back=lambda sheet: [
            *side_said(_side_line(sheet)),
            *_say_forces(drafts(sheet)[0], rests, said),
            *_say_ship_figures(state, side, sheet),
            *_say_stores(state, side, sheet),
        ],
        warn=lambda sheet: [
            *bid_warnings(state, side, _side_line(sheet).bid or 0),
            *_empty_forces([key for key in forces if sheet.root.get(key) is not default.root[key]], drafts(sheet)),
            *(line for draft in drafts(sheet)[0] for line in warnings(draft)),
        ],
        courses=lambda sheet: [_course(draft.force) for draft in drafts(sheet)[0] if draft.force.route],
        remembered=(too_fast, of_pool, grounds, drafts, side_defects, side_said, rests, said, weak, warnings),
        awaited=awaited,
        lines_stand=True,
    )


# --- judging and reading back -----------------------------------------------------------------------------------------


@rule("1.6.3", "1.6.5", "5.1", "5.2", "5.4", "5.5")
def check_plan(
    form: Form, offered: Mapping[str, frozenset[str]], sheet: PlanSheet, drafts: ForceDrafts
) -> list[Refusal]:
    """Every defect of a planning sheet; ``offered`` are the fields of the form's lines, by line.

    PQ-17 1.6.3, 1.6.5, 5.1, 5.2, 5.4, 5.5.
    """
    if all(key in offered and line.model_fields_set <= offered[key] for key, line in sheet.root.items()):
        return drafts[1]
    wrong = misplaced(form, sheet.root)
    explained = {path for one in drafts[1] for path in (one.path, one.path.rpartition(".")[0])}
    return [*(one for one in wrong if one.path not in explained), *drafts[1]]


def _side_line(sheet: PlanSheet) -> PlanLine:
    return sheet.root.get(SIDE_LINE, NO_LINE)


def _check_side(state: State, side: Side, line: PlanLine) -> list[Refusal]:
    orders = read_orders(line.doctrine or "", f"{SIDE_LINE}.doctrine", of_side=True)[1]
    stops = read_stops(state, side, line.stop or "", f"{SIDE_LINE}.stop")[1]
    return [*bid_refusals(line.bid or 0, f"{SIDE_LINE}.bid"), *orders, *stops]


def _check_bases(state: State, side: Side, sheet: PlanSheet) -> Iterator[Refusal]:
    for _, unit in base_units(state, side):
        line = sheet.root.get(unit.id, NO_LINE)
        if is_changed(state, unit, line):
            yield from figure_refusals(state, unit, line, unit.id)


def _say_ship_figures(state: State, side: Side, sheet: PlanSheet) -> Iterator[str]:
    """The figures that the sheet changes. Rulings SPD-2, PST-5, BAS-6."""
    for tf in state.all_task_forces(side):
        for unit_id in tf.units:
            changed = [*say_figures(state, state.units[unit_id], sheet.root.get(unit_id, NO_LINE))]
            if changed:
                yield f"{state.units[unit_id].name}: {', '.join(changed)}."


def _say_side(state: State, side: Side, line: PlanLine) -> Iterator[str]:
    """The side's bid, its standing orders and running on, as the sheet would set them."""
    doctrine = state.doctrine[side]
    orders = doctrine.orders
    if line.bid:
        yield say_bid(line.bid)
    if line.doctrine is not None:
        orders = read_orders(line.doctrine, "", of_side=True)[0]
    if orders != NO_ORDERS:
        yield f"All task forces: {say_orders(orders, of_side=True)}"
    always = doctrine.ask_every_impulse if line.ask is None else line.ask == "always"
    if always:
        yield "You are asked for plots in every impulse."
    elif doctrine.ask_every_impulse:
        yield "You are asked for plots only when there is a contact."
    run = chosen_run(state, side, line.run, _stops(state, side, line))
    if run.on or doctrine.run.on:
        yield say_run(run)
    if not run.on and run.stops != doctrine.run.stops:
        yield f"If you let turns go by, they stop at: {write_stops(run.stops) or 'the end of a period alone'}."


def _say_stores(state: State, side: Side, sheet: PlanSheet) -> Iterator[str]:
    line = sheet.root.get(STORES_LINE, NO_LINE)
    yield from say_wishes(state, side, line.sheet, line.refuel)


def _say_forces(
    drafts: Sequence[ForceDraft], rests: Callable[[ForceDraft], bool], said: Callable[[ForceDraft], str]
) -> Iterator[str]:
    """Every task force; if many stay unchanged and in place, they share the last line."""
    resting = [draft.force for draft in drafts if rests(draft)]
    folded = {force.id for force in resting} if len(resting) > MOST_RESTING else set[str]()
    yield from (said(draft) for draft in drafts if draft.force.id not in folded)
    if folded:
        places = (f"{force.label} in {force.hex}{', in port' if force.in_port else ''}" for force in resting)
        yield f"As they are, keeping station, active: {'; '.join(places)}."


def _rests(state: State, draft: ForceDraft) -> bool:
    """Whether a task force keeps its ships, and neither moves nor has orders of its own."""
    force = draft.force
    before = state.task_forces.get(force.id)
    same = before is not None and set(before.units) == set(force.units)
    busy = force.route or force.tows or draft.goes_on_shadowing or draft.errand or errand_of(state, force) is not None
    stands = force.speed is Speed.STATION and posture_text(force.posture) == posture_text(Posture())
    return same and stands and not busy and not standing_orders_text(force)


def _say(state: State, draft: ForceDraft) -> str:
    force = draft.force
    ships = _say_ships(state, force)
    route = f", route {say_route(force.route, force.loop, in_port=bool(force.in_port))}" if force.route else ""
    port = ", in port" if force.in_port else ""
    shadows = ", goes on shadowing" if draft.goes_on_shadowing else ""
    towing = f", towing {write_tows(force.tows)}" if force.tows else ""
    words = posture_text(force.posture)
    text = f"{force.label} ({ships}) in {force.hex}{port}: {force.speed.label}, {words}{shadows}{towing}{route}."
    if draft.errand:
        text = f"{text} {sentence(say_errand(state, force))}."
    elif errand_of(state, force) is not None:
        text = f"{text} Its errand ends with this."
    own = read_orders(standing_orders_text(force), "")[0]
    return text if own == NO_ORDERS else f"{text} {say_orders(own)}"


def _say_ships(state: State, force: TaskForce) -> str:
    """A few ships by name with what they carry, more of them counted by class, the heaviest first."""
    units = state.separate_units(force)
    if len(units) <= MOST_NAMED:
        return ", ".join(unit.name for unit in state.units_of(force))
    kinds = sorted(units, key=lambda unit: (-state.class_of(unit).move_cost, state.class_of(unit).label))
    counted = Counter(state.class_of(unit).label for unit in kinds)
    return f"{len(units)} ships: {', '.join(f'{count} {label}' for label, count in counted.items())}"


def _empty_forces(forces: Sequence[str], drafts: ForceDrafts) -> Iterator[str]:
    """Warnings of task forces with orders but no ships: their lines have no effect."""
    formed = {draft.force.id for draft in drafts[0]}
    for key in forces:
        if key not in formed:
            yield f"{key} gets no ships, so what stands in its line does nothing."


def _warnings(draft: ForceDraft, weak: Sequence[str]) -> list[str]:
    force = draft.force
    said: list[str] = []
    if _points(force) and not force.route and not draft.goes_on_shadowing:
        said.append(f"{force.label} has no route: it will spend its movement points in {force.hex}.")
    if force.speed is Speed.STATION and force.route:
        said.append(f"{force.label} has a route but keeps station.")
    if weak:
        said.append(f"{force.label}: after this turn's moves {', '.join(weak)} could not pay for combat.")
    return said


def _points(force: TaskForce) -> int:
    """The movement points that its speed grants in a turn."""
    return points_left(force.speed, IMPULSES, 2)


def _weak(state: State, force: TaskForce) -> list[str]:
    """The ships that could not pay for combat after this turn's moves."""
    points = _points(force)
    return [
        unit.name
        for unit in state.units_of(force)
        if unit.fuel - points * hex_cost(state, force, unit, force.speed) < cost(state, unit, "combat")
    ]


def _course(force: TaskForce) -> Course:
    return Course(counter=force.id, kind="plotted", hexes=course_of(force.hex, force.route))


# --- carrying out -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Planned:
    """What carrying out plans leaves to later steps: the bids for initiative, and what is to be announced."""

    bids: dict[Side, int]
    reorganised: tuple[Reorganisation, ...]


@rule("1.6.2", "5.2.4", "7.5.2", "7.5.3")
def carry_out_plans(turn: TurnContext[State], sheets: Mapping[Side, PlanSheet]) -> Planned:
    """Form the task forces, set postures, speeds and routes. What the other side must be told of new task forces is
    left to :func:`announce_plans`. PQ-17 1.6.2, 5.2.4, 7.5.2, 7.5.3."""
    state = turn.state
    remember_links(state)
    for side, sheet in sheets.items():
        enter_figures(state, side, sheet)
    of_pool = remembered_pools(state, {}, 1, speed_defects(state))
    drafts = {side: drafts_of(pools_of(state, side), sheet, of_pool)[0] for side, sheet in sheets.items()}
    behind = {side: escorts(state, side) for side in sheets}
    done = [_regroup(turn, side, drafts[side]) for side in sheets]
    for one in done:
        number_contacts(turn, one)  # every held contact needs a number at once, even before it is told
    settle_bases(state)
    for side, sheet in sheets.items():
        for draft in drafts[side]:
            _set(state, draft)
            couple(state, state.task_forces[draft.force.id])
        keep_errands(turn, side, [(draft.force.id, draft.errand) for draft in drafts[side]], behind[side])
        _set_side(state, side, _side_line(sheet))
        stores = sheet.root.get(STORES_LINE, NO_LINE)
        set_wishes(state, side, stores.sheet, stores.refuel)
        _let_go(turn, drafts[side])
    return Planned({side: _side_line(sheet).bid or 0 for side, sheet in sheets.items()}, tuple(done))


@rule("SOP.2.a.v", "1.6.5.7", "1.6.8")
def announce_plans(turn: TurnContext[State], planned: Planned) -> None:
    """Tell each side what became of the contacts that it holds. PQ-17 SOP.2.a.v, 1.6.5.7, 1.6.8."""
    for one in planned.reorganised:
        announce(turn, one, rule="PQ-17 1.6.5.7")


@rule("SOP.2.a.i.1")
def _regroup(turn: TurnContext[State], side: Side, drafts: Sequence[ForceDraft]) -> Reorganisation:
    """Regroup all pools at once; an unchanged pool stays the same."""
    groups = {draft.force.id: list(draft.force.units) for draft in drafts}
    return reorganise(turn.state, side, groups, drawing(turn.at("regrouping")))


@rule("SOP.2.a.ii", "SOP.2.a.iii")
def _set(state: State, draft: ForceDraft) -> None:
    force = state.task_forces[draft.force.id]
    drafted = draft.force
    force.name, force.posture, force.tows = drafted.name, drafted.posture, drafted.tows
    force.plotted = force.speed = drafted.speed
    force.route, force.loop, force.plot, force.next_speed = drafted.route, drafted.loop, "", None
    force.doctrine, force.meeting, force.met = drafted.doctrine, drafted.meeting, drafted.met


@rule("7.5.2")
def _let_go(turn: TurnContext[State], drafts: Sequence[ForceDraft]) -> None:
    """End shadowing that plans end; the shadowed side is told in the order of hexes, else by lot. PQ-17 7.5.2."""
    ended = [turn.state.task_forces[draft.force.id] for draft in drafts if not draft.goes_on_shadowing]
    shadowing = [force for force in ended if force.shadowing]
    for force in as_seen(turn.at("let go"), shadowing, lambda one: one.hex, lambda one: one.id):
        lose_shadowing(turn, force, because("PQ-17 7.5.2", {"in planning": "not continued"}), at_plot=True)


def _set_side(state: State, side: Side, line: PlanLine) -> None:
    doctrine = state.doctrine[side]
    if line.ask is not None:
        doctrine.ask_every_impulse = line.ask == "always"
    if line.doctrine is not None:
        doctrine.orders = read_orders(line.doctrine, SIDE_LINE, of_side=True)[0]
    doctrine.said = []
    set_run(state, side, line.run, _stops(state, side, line))


def _stops(state: State, side: Side, line: PlanLine) -> tuple[Stop, ...] | None:
    return None if line.stop is None else read_stops(state, side, line.stop, SIDE_LINE)[0]
