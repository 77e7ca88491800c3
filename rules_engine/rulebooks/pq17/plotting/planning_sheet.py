"""The planning sheet: organisation, postures, speeds, routes, standing orders and the bid for initiative on one page.

PQ-17 SOP.2.a.i to SOP.2.a.v. Its lines are in ``planning_lines``, its effect on task forces in ``planning_drafts``.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import sentence
from rules_engine.core.basics.refusals import Refusal
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Form
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch01_forces.new_units import couple
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import Reorganisation, announce, number_contacts, reorganise
from rules_engine.rulebooks.pq17.ch05_movement.postures import settle_bases
from rules_engine.rulebooks.pq17.ch05_movement.ship_figures import figure_refusals, say_figures
from rules_engine.rulebooks.pq17.ch06_reconnaissance.shadowing import lose_shadowing, remember_links
from rules_engine.rulebooks.pq17.ch11_repair.losses import losses
from rules_engine.rulebooks.pq17.nations.initiative import bid_refusals, bid_warnings, say_bid
from rules_engine.rulebooks.pq17.orders.idle_words import idle_words
from rules_engine.rulebooks.pq17.orders.order_sheets import SIDE_LINE, PlanLine, PlanSheet, misplaced
from rules_engine.rulebooks.pq17.orders.standing_read_back import say_orders
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders
from rules_engine.rulebooks.pq17.plotting.errands import escorts, keep_errands
from rules_engine.rulebooks.pq17.plotting.force_drafts import ForceDraft
from rules_engine.rulebooks.pq17.plotting.logistics_lines import SIDE_LINE as STORES_LINE
from rules_engine.rulebooks.pq17.plotting.logistics_lines import say_wishes, set_wishes
from rules_engine.rulebooks.pq17.plotting.planning_drafts import NO_LINE, SideDrafts
from rules_engine.rulebooks.pq17.plotting.planning_lines import PlanValues, planning_form, planning_values
from rules_engine.rulebooks.pq17.plotting.running_on import chosen_run, read_stops, say_run, set_run, write_stops
from rules_engine.rulebooks.pq17.plotting.unaffordable_orders import plan_refusals
from rules_engine.rulebooks.pq17.records.calendar import day_label, turn_label
from rules_engine.rulebooks.pq17.records.lots import as_seen, drawing
from rules_engine.rulebooks.pq17.records.standing_orders import NO_ORDERS, Stop
from rules_engine.rulebooks.pq17.records.state import State

MOST_RESTING = 4
"""The most task forces at rest that are read back on a line each; more share one line."""


def plan_steps(
    turn: TurnContext[State], asked: Sequence[Side]
) -> Steps[tuple[dict[Side, PlanSheet], dict[Side, SideDrafts]]]:
    """Every side's plan, its sheet or the stored plan if it runs on, with the drafts by which sheets are judged. PQ-17
    SOP.2.a.i to SOP.2.a.iii, ruling MOV-8.

    While any side is ``asked``, the sheet of a side that runs on is open too, but nobody waits for it. Where windows
    are fixed there is one in any case, for the other side's running on is its own secret.
    """
    patient = turn.shared.patient
    drafts = {side: SideDrafts(turn.state, side) for side in turn.sides}
    if not asked and not patient:
        return {side: PlanSheet({}) for side in turn.sides}, drafts
    turn.show_maps(*(turn.sides if patient else asked), public=True)
    asks = [planning_ask(turn, side, drafts[side], awaited=side in asked) for side in turn.sides]
    sheets = yield from turn.ask_all_steps(asks)
    return dict(zip(turn.sides, sheets, strict=True)), drafts


@rule("1.6.2", "1.6.5.1", "1.6.9", "4.1.3", "5.1.1", "5.2.1")
def planning_ask(
    turn: TurnContext[State], side: Side, drafts: SideDrafts | None = None, *, awaited: bool = True
) -> Ask[PlanSheet]:
    """The one ask of a planning step. PQ-17 1.6.2, 1.6.5.1, 1.6.9, 4.1.3, 5.1.1, 5.2.1, rulings TF-11, GEN-10."""
    state = turn.state
    drafts = drafts or SideDrafts(state, side)
    values = planning_values(state, side, drafts.pools, {draft.force.id: draft.force for draft in drafts.unsaid})
    said = {key: {one: value for one, value in line.items() if value is not None} for key, line in values.items()}
    default = PlanSheet.model_validate({key: line or NO_LINE for key, line in said.items()})
    drafts.fill_in(default.root)
    make_form = partial(planning_form, state, side, drafts, values)
    return Ask(
        kind="planning",
        parties=(side,),
        title=f"Planning, {turn_label(state.turn)}",
        text=(
            "Group your ships into task forces, and give each a posture, a speed and a route. "
            "Routes are hex numbers, one a movement point; stay and port are steps too."
        ),
        question=Question(
            f"Turn {state.turn}",
            f"{sentence(day_label(state.turn))}.",
            whole=True,
            others="go on as plotted",
            noun="force",
            lines=tuple(draft.force.id for draft in drafts.unsaid),
        ),
        model=PlanSheet,
        form=make_form,
        rule="PQ-17 SOP 2.a",
        default=default,
        default_says="Task forces, postures and standing orders stay as they are, stored routes go on.",
        check=partial(check_plan, drafts, values, make_form),
        idle=lambda sheet: [
            defect
            for key, line in sheet.root.items()
            if line.doctrine
            and line.doctrine != default.root.get(key, NO_LINE).doctrine  # its own words are the engine's
            for defect in idle_words(line.doctrine, f"{key}.doctrine", of_side=key == SIDE_LINE)
        ],
        read_back=lambda sheet: [
            *_say_side(state, side, _side_line(sheet)),
            *_say_forces(drafts.of(sheet.root)[0]),
            *_say_ship_figures(state, drafts.entered(state.all_task_forces(side), sheet.root)),
            *_say_stores(state, side, sheet),
        ],
        warn=lambda sheet: [
            *bid_warnings(state, side, _side_line(sheet).bid or 0),
            *_empty_forces(values, default, sheet, drafts.of(sheet.root)[0]),
            *(line for draft in drafts.of(sheet.root)[0] for line in draft.warnings),
        ],
        courses=lambda sheet: [draft.course for draft in drafts.of(sheet.root)[0] if draft.force.route],
        losses=lambda _: losses(state, side),
        lines_now=lambda sheet: {draft.force.id: draft.now for draft in drafts.of(sheet.root)[0]},
        forgets=(drafts.forget,),
        awaited=awaited,
        lines_stand=True,
    )


# --- judging and reading back -----------------------------------------------------------------------------------------


@rule("1.6.3", "1.6.5", "5.1", "5.2", "5.4", "5.5")
def check_plan(
    drafts: SideDrafts, values: PlanValues, make_form: Callable[[], Form], sheet: PlanSheet
) -> list[Refusal]:
    """Everything illegal about a sheet: lines and fields that are not among the ``values`` filled in, its drafts, and
    what it says of the side and of bases. PQ-17 1.6.3, 1.6.5, 5.1, 5.2, 5.4, 5.5."""
    state, side, lines = drafts.state, drafts.side, sheet.root
    made, refusals = drafts.of(lines)
    sent = drafts.changed(lines)
    strange = {
        key: line for key, line in sent.items() if key not in values or not line.model_fields_set <= values[key].keys()
    }
    explained = {path for one in refusals for path in (one.path, one.path.rpartition(".")[0])}
    nowhere = misplaced(make_form(), strange) if strange else []
    bases = drafts.entered([tf for tf in state.all_task_forces(side) if tf.is_base], lines).items()
    return [
        *(one for one in nowhere if one.path not in explained),
        *refusals,
        *_check_side(state, side, _side_line(sheet)),
        *(one for unit_id, line in bases for one in figure_refusals(state, state.units[unit_id], line, unit_id)),
        *plan_refusals(state, side, [draft.force for draft in made]),
    ]


def _side_line(sheet: PlanSheet) -> PlanLine:
    return sheet.root.get(SIDE_LINE, NO_LINE)


def _check_side(state: State, side: Side, line: PlanLine) -> list[Refusal]:
    orders = read_orders(line.doctrine or "", f"{SIDE_LINE}.doctrine", of_side=True)[1]
    stops = read_stops(state, side, line.stop or "", f"{SIDE_LINE}.stop")[1]
    return [*bid_refusals(line.bid or 0, f"{SIDE_LINE}.bid"), *orders, *stops]


def _say_ship_figures(state: State, entered: Mapping[str, PlanLine]) -> Iterator[str]:
    """The figures that the sheet changes. Rulings SPD-2, PST-5, BAS-6."""
    for unit_id, line in entered.items():
        changed = [*say_figures(state, state.units[unit_id], line)]
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
    if doctrine.ask_every_impulse if line.ask is None else line.ask == "always":
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


def _say_forces(drafts: Sequence[ForceDraft]) -> Iterator[str]:
    """Every task force; if many stay unchanged and in place, they share the last line."""
    if not drafts:
        yield "You have no task force to order."
    resting = [draft.force for draft in drafts if draft.rests]
    folded = {force.id for force in resting} if len(resting) > MOST_RESTING else set[str]()
    yield from (draft.said for draft in drafts if draft.force.id not in folded)
    if folded:
        places = (f"{force.label} in {force.hex}{', in port' if force.in_port else ''}" for force in resting)
        yield f"As they are, keeping station, active: {'; '.join(places)}."


def _empty_forces(
    values: PlanValues, default: PlanSheet, sheet: PlanSheet, drafts: Sequence[ForceDraft]
) -> Iterator[str]:
    """Warnings of task forces with orders but no ships: their lines have no effect."""
    formed = {draft.force.id for draft in drafts}
    for key, line in values.items():
        if "speed" in line and key not in formed and sheet.root.get(key) is not default.root[key]:
            yield f"{key} gets no ships, so what stands in its line does nothing."


# --- carrying out -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Planned:
    """What carrying out plans leaves to later steps: the bids for initiative, and what is to be announced."""

    bids: dict[Side, int]
    reorganised: tuple[Reorganisation, ...]


@rule("1.6.2", "5.2.4", "7.5.2", "7.5.3")
def carry_out_plans(
    turn: TurnContext[State], sheets: Mapping[Side, PlanSheet], judged: Mapping[Side, SideDrafts] | None = None
) -> Planned:
    """Form the task forces, set postures, speeds and routes, as they were drafted when the sheets were ``judged``. What
    the other side must be told of new task forces is left to :func:`announce_plans`. PQ-17 1.6.2, 5.2.4, 7.5.2, 7.5.3.
    """
    state = turn.state
    remember_links(state)
    judged = judged or {side: SideDrafts(state, side) for side in sheets}
    for side, sheet in sheets.items():
        judged[side].enter_figures(sheet.root)
    drafts = {side: judged[side].of(sheet.root)[0] for side, sheet in sheets.items()}
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
    force.name, force.tows = drafted.name, drafted.tows
    if force.posture != drafted.posture:
        force.posture = drafted.posture
    force.plotted = force.speed = drafted.speed
    force.route, force.loop, force.plot, force.next_speed = drafted.route, drafted.loop, "", None
    force.doctrine, force.meeting, force.met = drafted.doctrine, drafted.meeting, drafted.met


@rule("7.5.2")
def _let_go(turn: TurnContext[State], drafts: Sequence[ForceDraft]) -> None:
    """End shadowing that plans end; the shadowed side is told in the order of hexes, else by lot. PQ-17 7.5.2."""
    ended = [turn.state.task_forces[draft.force.id] for draft in drafts if not draft.force.shadowing]
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
