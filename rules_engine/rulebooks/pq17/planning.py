"""The planning sheet: organisation, postures, speeds, routes and the bid for initiative, all on one page.

A draft is a task force as the sheet would make it; legality, the reading back, the map and the carrying out all look
at the same drafts, so that they cannot differ. PQ-17 SOP.2.a.i to SOP.2.a.v.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rules_engine.core.asks import Ask, Remembered
from rules_engine.core.base import Side
from rules_engine.core.forms import Choice, Field, Form, Line
from rules_engine.core.rational import show_fraction
from rules_engine.core.refusals import Refusal, illegal, nearest
from rules_engine.core.reports import because
from rules_engine.core.table import Table
from rules_engine.core.views import Course
from rules_engine.rulebooks.pq17.calendar import turn_label
from rules_engine.rulebooks.pq17.ch01_forces import Reorganisation, announce, pools, reorganise, spare_ids, successor
from rules_engine.rulebooks.pq17.ch05_postures import (
    force_posture,
    posture_refusals,
    settle_speed,
    speed_refusals,
    tow_matters,
    tow_refusals,
)
from rules_engine.rulebooks.pq17.ch07_shadowing import lose_shadowing, remember_links
from rules_engine.rulebooks.pq17.ch09_fuel import cost, hex_cost, points_left
from rules_engine.rulebooks.pq17.orders import (
    SIDE_LINE,
    PlanLine,
    PlanSheet,
    PostureWord,
    misplaced,
    read_tows,
    write_tows,
)
from rules_engine.rulebooks.pq17.routes import course_of, read_route, say_route
from rules_engine.rulebooks.pq17.state import Posture, State, TaskForce, Unit, tf_order
from rules_engine.rulebooks.pq17.tables import IMPULSES, Speed

NO_LINE = PlanLine()

_POSTURE_LABELS: dict[PostureWord, str] = {
    "cloak": "Cloak on (then also passive)",
    "warp off": "Warp off",
    "passive": "Active sensors off (passive)",
    "logistics": "Logistics",
}


@dataclass(frozen=True)
class Draft:
    """A task force as a sheet would make it. ``force`` is not part of the state."""

    force: TaskForce
    goes_on_shadowing: bool


Drafts = tuple[list[Draft], list[Refusal]]
PoolDrafts = Remembered[tuple[tuple[TaskForce, ...], tuple[str, ...], dict[str, PlanLine]], Drafts]

REMEMBERED_POOLS = 32
"""Pools whose drafts are remembered while a sheet is filled in, so that changing a line works out only its own pool."""


def planning_ask(table: Table[State], side: Side) -> Ask[PlanSheet]:
    """The one question of a planning step. PQ-17 1.6.2, 1.6.5.1, 1.6.9, 4.1.3, 5.1.1, 5.2.1, rulings TF-11, GEN-10."""
    state = table.state
    form = planning_form(state, side)
    of_pool: PoolDrafts = Remembered(
        lambda of: _drafts_of_pool(state, *of),
        most=REMEMBERED_POOLS,
        key=lambda of: (of[0][0].id, of[1], tuple(of[2].items())),
    )
    drafts: Remembered[PlanSheet, Drafts] = Remembered(lambda sheet: _drafts(state, side, sheet, of_pool))
    said: Remembered[Draft, str] = Remembered(lambda of: _say(state, of), most=REMEMBERED_POOLS)
    warnings: Remembered[Draft, list[str]] = Remembered(lambda of: _warnings(state, of), most=REMEMBERED_POOLS)
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
        default=PlanSheet.model_validate(form.prefilled()),
        default_says="Task forces and postures stay as they are, stored routes go on, the others keep station.",
        check=lambda sheet: check_plan(form, sheet, drafts(sheet)),
        read_back=lambda sheet: [said(draft) for draft in drafts(sheet)[0]],
        warn=lambda sheet: [line for draft in drafts(sheet)[0] for line in warnings(draft)],
        courses=lambda sheet: [_course(draft.force) for draft in drafts(sheet)[0] if draft.force.route],
        remembered=(of_pool, drafts, said, warnings),
    )


# --- the form ---------------------------------------------------------------------------------------------------------


def planning_form(state: State, side: Side) -> Form:
    """A line for the side, one for each ship that could change its task force, one for each task force and each new
    one that could be formed. PQ-17 1.6.4, 1.6.5.1, 1.6.5.2."""
    spares = spare_ids(state, side)
    forces: list[Line] = []
    ships: list[Line] = []
    fresh_ones: list[Line] = []
    for pool in pools(state, side):
        fresh = spares[pool[0].id]
        forces += [_force_line(state, pool, tf) for tf in pool]
        pairs = [(tf, unit) for tf in pool for unit in state.units_of(tf)]
        if len(pairs) > 1:
            ships += [_unit_line(state, unit, tf, pool, fresh) for tf, unit in pairs]
        fresh_ones += [_spare_line(state, pool, new) for new in fresh]
    forces.sort(key=lambda line: tf_order(line.key))
    return Form(lines=(_side_line(state, side), *forces, *ships, *fresh_ones))


def _side_line(state: State, side: Side) -> Line:
    always = state.doctrine[side].ask_every_impulse
    ask = Field(
        key="ask",
        label="Ask me in the impulses",
        kind="one",
        choices=(
            Choice(value="contact", label="Only when there is a contact", hint="Otherwise stored routes are flown."),
            Choice(value="always", label="In every impulse"),
        ),
        value="always" if always else "contact",
    )
    bid = Field(
        key="bid",
        label="Victory points bid for the initiative",
        kind="number",
        least=0,
        value=0,
        help="Each adds 1 to your die and is paid whoever wins.",
    )
    return Line(key=SIDE_LINE, label="The whole side", fields=(bid, ask))


def _unit_line(state: State, unit: Unit, tf: TaskForce, pool: Sequence[TaskForce], fresh: Sequence[str]) -> Line:
    options = tuple(Choice(value=one.id, label=one.label) for one in pool)
    options += tuple(Choice(value=new, label=f"{new} (new)") for new in fresh)
    field = Field(key="task_force", label="Task force", kind="one", choices=options, value=tf.id)
    return Line(key=unit.id, label=f"{unit.name} ({state.class_of(unit).label}) in {tf.hex}", fields=(field,))


def _force_line(state: State, pool: Sequence[TaskForce], tf: TaskForce) -> Line:
    (draft,), _ = _drafts_of_pool(state, [tf], (), {})
    force = draft.force
    route = " ".join(force.route)
    fields = [*_posture_and_speed(state, pool, force), _route_field(route)]
    if tf.shadowing:
        fields.append(_shadow_field())
    if tow_matters(state, pool):
        fields.append(_tow_field(write_tows(force.tows)))
    fields.append(_name_field(tf.name))
    place = f"{tf.hex}, in port" if tf.in_port else tf.hex
    fuel = min((unit.fuel for unit in state.units_of(tf)), default=None)
    note = "" if fuel is None else f"Least fuel of a ship: {show_fraction(fuel)}"
    return Line(key=tf.id, label=f"{tf.label} in {place}", fields=tuple(fields), note=note)


def _spare_line(state: State, pool: Sequence[TaskForce], new: str) -> Line:
    fields = [*_posture_and_speed(state, pool, None), _route_field(None)]
    if any(tf.shadowing for tf in pool):
        fields.append(_shadow_field())
    if tow_matters(state, pool):
        fields.append(_tow_field(None))
    fields.append(_name_field(None))
    label = f"{new} in {pool[0].hex}, if you form it"
    return Line(key=new, label=label, fields=tuple(fields))


def _posture_and_speed(state: State, pool: Sequence[TaskForce], force: TaskForce | None) -> list[Field]:
    words: list[PostureWord] = ["warp off", "passive", "logistics"]
    if any(state.class_of(unit).cloak for tf in pool for unit in state.units_of(tf)):
        words.insert(0, "cloak")
    posture = Field(
        key="posture",
        label="Posture, where not the usual",
        kind="many",
        choices=tuple(Choice(value=word, label=_POSTURE_LABELS[word]) for word in words),
        value=None if force is None else list(_words(force.posture)),
        optional=True,
    )
    speed = Field(
        key="speed",
        label="Speed",
        kind="one",
        choices=tuple(Choice(value=one.value, label=one.label, hint=_fuel_hint(state, force, one)) for one in Speed),
        value=None if force is None else force.speed.value,
        optional=force is None,
    )
    return [posture, speed]


def _fuel_hint(state: State, force: TaskForce | None, speed: Speed) -> str:
    """The fuel that the present ships would use over a turn."""
    if force is None:
        return ""
    points = points_left(speed, IMPULSES, 2)
    used = sum((points * hex_cost(state, force, unit, speed) for unit in state.units_of(force)), Fraction(0))
    return f"{points} movement points, fuel {show_fraction(used)}" if points else "No movement, no fuel"


def _route_field(value: str | None) -> Field:
    text = "For example 0406 0407 or stay 0406 or port"
    return Field(key="route", label="Route", kind="text", most=200, value=value, optional=True, help=text)


def _shadow_field() -> Field:
    return Field(key="shadow", label="Go on shadowing", kind="flag", value=True)


def _tow_field(value: str | None) -> Field:
    text = "tower>towed+towed; a star after a towed ship turns its engines off"
    return Field(key="tow", label="Towing", kind="text", most=200, value=value, optional=True, help=text)


def _name_field(value: str | None) -> Field:
    return Field(key="name", label="Name, for you alone", kind="text", most=24, value=value, optional=True)


# --- drafts -----------------------------------------------------------------------------------------------------------


def _drafts(state: State, side: Side, sheet: PlanSheet, of_pool: PoolDrafts | None = None) -> Drafts:
    """What the sheet would make of all task forces, and whatever forbids it. ``of_pool`` may remember pools."""
    spares = spare_ids(state, side)
    drafts: list[Draft] = []
    refusals: list[Refusal] = []
    for pool in pools(state, side):
        fresh = spares[pool[0].id]
        mine = (*(unit for tf in pool for unit in tf.units), *(tf.id for tf in pool), *fresh)
        lines = {key: sheet.root[key] for key in mine if key in sheet.root}
        of = (tuple(pool), fresh, lines)
        found, wrong = of_pool(of) if of_pool else _drafts_of_pool(state, *of)
        drafts += found
        refusals += wrong
    return drafts, refusals


def _drafts_of_pool(
    state: State, pool: Sequence[TaskForce], fresh: Sequence[str], lines: Mapping[str, PlanLine]
) -> Drafts:
    old = {tf.id: tf for tf in pool}
    allowed = (*old, *fresh)
    groups: dict[str, list[str]] = {}
    refusals: list[Refusal] = []
    for tf in pool:
        for unit_id in tf.units:
            wanted = lines.get(unit_id, NO_LINE).task_force or tf.id
            if wanted not in allowed:
                problem = f"{wanted} is not formed in {tf.hex} where this ship is"
                path = f"{unit_id}.task_force"
                near = nearest(wanted, allowed)
                refusals.append(illegal(problem, "PQ-17 1.6.5.1", path, legal=", ".join(allowed), nearest=near))
                wanted = tf.id
            groups.setdefault(wanted, []).append(unit_id)
    drafts: list[Draft] = []
    for new in sorted(groups, key=allowed.index):
        sources = [tf.id for tf in pool if set(tf.units) & set(groups[new])]
        force = successor(new, sorted(groups[new]), old, sources)
        goes_on, wrong = _shape(state, force, lines.get(new, NO_LINE))
        drafts.append(Draft(force, goes_on))
        refusals += wrong
    return drafts, refusals


def _shape(state: State, force: TaskForce, line: PlanLine) -> tuple[bool, list[Refusal]]:
    """Give a draft its towing, posture, speed and route, in that order (1.6.9, ruling TF-11), and judge them."""
    path = force.id
    refusals: list[Refusal] = []
    if line.name is not None:
        force.name = line.name.strip()
    if line.tow is not None:
        force.tows, refusals = read_tows(line.tow, f"{path}.tow")
        refusals += tow_refusals(state, force, f"{path}.tow")
        if refusals:
            force.tows = []
    if line.shadow is False:
        force.shadowing = ""
    if line.posture is None:
        force_posture(state, force)
    else:
        force.posture = _posture(line.posture)
        refusals += posture_refusals(state, force, f"{path}.posture")
    if line.speed is None:
        speed = settle_speed(state, force, force.plotted if force.route or force.shadowing else Speed.STATION)
    else:
        speed = line.speed
        refusals += speed_refusals(state, force, speed, f"{path}.speed")
    force.plotted = force.speed = speed
    if line.route is not None:
        force.route, wrong = read_route(state, force, line.route, speed, f"{path}.route")
        refusals += wrong
    else:  # of a stored route, what still leads on from here
        force.route = read_route(state, force, " ".join(force.route), speed, path)[0]
    return bool(force.shadowing), refusals


def _posture(words: Sequence[PostureWord]) -> Posture:
    """Cloaking implies passive sensors, so nobody need say both. PQ-17 5.2.2, 5.2.3.1."""
    return Posture(
        cloak="cloak" in words,
        warp="warp off" not in words,
        active="passive" not in words and "cloak" not in words,
        logistics="logistics" in words,
    )


def _words(posture: Posture) -> tuple[PostureWord, ...]:
    shown: dict[PostureWord, bool] = {
        "cloak": posture.cloak,
        "warp off": not posture.warp,
        "passive": not posture.active and not posture.cloak,
        "logistics": posture.logistics,
    }
    return tuple(word for word, is_so in shown.items() if is_so)


def posture_text(posture: Posture) -> str:
    """A posture in words; ``active`` when all is as usual."""
    return ", ".join(_words(posture)) or "active"


# --- judging and reading back -----------------------------------------------------------------------------------------


def check_plan(form: Form, sheet: PlanSheet, drafts: Drafts) -> list[Refusal]:
    """Every defect of a planning sheet. PQ-17 1.6.3, 1.6.5, 5.1, 5.2, 5.4, 5.5."""
    return [*misplaced(form, sheet.root), *drafts[1]]


def _say(state: State, draft: Draft) -> str:
    force = draft.force
    ships = ", ".join(unit.name for unit in state.units_of(force))
    route = f", route {say_route(force.route)}" if force.route else ""
    port = ", in port" if force.in_port else ""
    shadows = ", goes on shadowing" if draft.goes_on_shadowing else ""
    towing = f", towing {write_tows(force.tows)}" if force.tows else ""
    words = posture_text(force.posture)
    return f"{force.label} ({ships}) in {force.hex}{port}: {force.speed.label}, {words}{shadows}{towing}{route}."


def _warnings(state: State, draft: Draft) -> list[str]:
    force = draft.force
    said: list[str] = []
    points = points_left(force.speed, IMPULSES, 2)
    if points and not force.route and not draft.goes_on_shadowing:
        said.append(f"{force.label} has no route: it will spend its fuel in {force.hex}.")
    if force.speed is Speed.STATION and force.route:
        said.append(f"{force.label} has a route but keeps station.")
    weak = [
        unit.name
        for unit in state.units_of(force)
        if unit.fuel - points * hex_cost(state, force, unit, force.speed) < cost(state, unit, "combat")
    ]
    if weak:
        said.append(f"{force.label}: after this turn's moves {', '.join(weak)} could not pay for combat.")
    return said


def _course(force: TaskForce) -> Course:
    return Course(counter=force.id, kind="plotted", hexes=course_of(force.hex, force.route))


# --- carrying out -----------------------------------------------------------------------------------------------------


def carry_out_plans(table: Table[State], sheets: Mapping[Side, PlanSheet]) -> dict[Side, int]:
    """Form the task forces, set postures, speeds and routes, and announce what the other side must know of it;
    returns the bids for initiative. PQ-17 SOP.2.a.i to SOP.2.a.v, 1.6.2, 1.6.8, 5.2.4, 7.5.2, 7.5.3."""
    state = table.state
    remember_links(state)
    drafts = {side: _drafts(state, side, sheet)[0] for side, sheet in sheets.items()}
    done = [_regroup(state, side, drafts[side]) for side in sheets]
    for side, sheet in sheets.items():
        ask = sheet.root.get(SIDE_LINE, NO_LINE).ask
        if ask is not None:
            state.doctrine[side].ask_every_impulse = ask == "always"
        for draft in drafts[side]:
            _set(table, draft)
    for one in done:
        announce(table, one, rule="PQ-17 1.6.5.7")
    return {side: sheet.root.get(SIDE_LINE, NO_LINE).bid or 0 for side, sheet in sheets.items()}


def _regroup(state: State, side: Side, drafts: Sequence[Draft]) -> Reorganisation:
    """All pools at once; a pool that stays as it is comes out as it was."""
    return reorganise(state, side, {draft.force.id: list(draft.force.units) for draft in drafts})


def _set(table: Table[State], draft: Draft) -> None:
    force = table.state.task_forces[draft.force.id]
    drafted = draft.force
    force.name, force.posture, force.tows = drafted.name, drafted.posture, drafted.tows
    force.plotted = force.speed = drafted.speed
    force.route, force.plot, force.next_speed = drafted.route, "", None
    if force.shadowing and not draft.goes_on_shadowing:
        lose_shadowing(table, force, because("PQ-17 7.5.2", {"in planning": "not continued"}))
