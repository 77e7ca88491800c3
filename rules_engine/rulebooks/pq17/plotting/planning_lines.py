"""What a planning sheet offers: a line for the side, its task forces, its ships and the task forces it could form."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Absence, Choice, Field, Form, Line
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import pools, spare_ids
from rules_engine.rulebooks.pq17.ch05_movement.movement import affordable
from rules_engine.rulebooks.pq17.ch05_movement.postures import tow_matters
from rules_engine.rulebooks.pq17.ch05_movement.ship_figures import figure_fields
from rules_engine.rulebooks.pq17.ch10_supply.fuel import hex_cost, points_left
from rules_engine.rulebooks.pq17.nations.initiative import MOST_BID
from rules_engine.rulebooks.pq17.orders.order_sheets import (
    MOST_ROUTE,
    SIDE_LINE,
    PostureWord,
    posture_text,
    posture_words,
    write_tows,
)
from rules_engine.rulebooks.pq17.orders.standing_words import EXAMPLE, MOST_CHARACTERS, write_orders
from rules_engine.rulebooks.pq17.plotting.errands import say_errand
from rules_engine.rulebooks.pq17.plotting.logistics_lines import wishes_line
from rules_engine.rulebooks.pq17.plotting.planning_drafts import (
    base_units,
    drafts_of_pool,
    speed_defects,
    standing_orders_text,
)
from rules_engine.rulebooks.pq17.plotting.routes import write_route
from rules_engine.rulebooks.pq17.plotting.running_on import GO_ON, RUNS, movers, run_value, stop_examples, write_stops
from rules_engine.rulebooks.pq17.plotting.unaffordable_orders import plan_refusals
from rules_engine.rulebooks.pq17.records.forces import Posture, TaskForce, Unit
from rules_engine.rulebooks.pq17.records.state import State, tf_order
from rules_engine.rulebooks.pq17.tables.operations import IMPULSES, Speed

_POSTURE_LABELS: dict[PostureWord, str] = {
    "cloak": "Cloak on (then also passive)",
    "warp off": "Warp off",
    "passive": "Active sensors off (passive)",
    "logistics": "Logistics",
}

_FORCES = "Task forces"
"""The group of the lines that matter in most turns."""


@rule("1.6.4", "1.6.5.1", "1.6.5.2")
def planning_form(state: State, side: Side) -> Form:
    """A line for the side, one for each ship and base, one for each task force and each new
    one that could be formed. PQ-17 1.6.4, 1.6.5.1, 1.6.5.2."""
    spares = spare_ids(state, side)
    defects = speed_defects(state)
    drafted = {
        pool[0].id: drafts_of_pool(state, pool, spares[pool[0].id], {}, defects)[0] for pool in pools(state, side)
    }
    _keep_within_command(state, side, [draft.force for drafts in drafted.values() for draft in drafts])
    forces: list[Line] = []
    ships: list[Line] = []
    fresh_ones: list[Line] = []
    for pool in pools(state, side):
        fresh = spares[pool[0].id]
        towing = tow_matters(state, pool)
        drafts = {draft.force.id: draft for draft in drafted[pool[0].id]}
        forces += [_force_line(state, pool, tf, drafts[tf.id].force, towing=towing) for tf in pool]
        pairs = [(tf, unit) for tf in pool for unit in state.units_of(tf)]
        options = _destinations(pool, fresh) if len(pairs) > 1 else ()
        groups = {unit: draft.force.id for draft in drafts.values() for unit in draft.force.units}
        found = (_unit_line(state, unit, tf, options, groups[unit.id]) for tf, unit in pairs)
        ships += [line for line in found if line.fields]
        if fresh:
            fields = _spare_fields(state, pool, towing=towing)
            fresh_ones += [_spare_line(pool, new, fields) for new in fresh]
    forces.sort(key=lambda line: tf_order(line.key))
    wishes = wishes_line(state, side)
    stores = () if wishes is None else (wishes.model_copy(update={"group": _FORCES}),)
    bases = [_base_line(state, unit, tf) for tf, unit in base_units(state, side) if figure_fields(state, unit)]
    lines = (_side_line(state, side), *forces, *ships, *fresh_ones, *bases, *stores)
    return Form(lines=lines, absent=_absences(state, side, {line.key: line for line in lines}))


@rule("1.6.5.1", "1.6.7.1")
def _absences(state: State, side: Side, there: Mapping[str, Line]) -> tuple[Absence, ...]:
    """Why bases, and ships that have nobody to regroup with, join no task force here, and why a task force can neither
    tow nor go on shadowing. PQ-17 1.6.5.1, 1.6.7.1."""
    found = list(_absent_fields(there.values()))
    for tf in state.all_task_forces(side):
        if tf.is_base:
            problem = f"{tf.label} is a base: it neither moves nor joins a task force"
            found.append(Absence(key=tf.id, label=tf.label, problem=problem, rule="PQ-17 1.6.7.1"))
            continue
        for unit in state.units_of(tf):
            line = there.get(unit.id)
            if line is not None and any(field.key == "task_force" for field in line.fields):
                continue
            problem = f"{unit.name} has nobody with it in {tf.hex} to be regrouped with; give {tf.id} its orders"
            absent = Absence(key=unit.id, label=unit.name, problem=problem, rule="PQ-17 1.6.5.1")
            found.append(absent if line is None else absent.model_copy(update={"field": "task_force"}))
    return tuple(found)


_WHY_NO_FIELD = {
    "tow": ("PQ-17 5.4.1", "no ship here would go faster or farther in tow, or none has a tractor to tow with"),
    "shadow": ("PQ-17 7.2.1", "nobody here shadows; who searches says then whom it begins to shadow"),
}


def _absent_fields(lines: Iterable[Line]) -> Iterator[Absence]:
    """Why there is no field for towing or for shadowing on the line of a task force."""
    for line in lines:
        fields = {field.key for field in line.fields}
        for name, (book_rule, problem) in _WHY_NO_FIELD.items() if "route" in fields else ():
            if name not in fields:
                yield Absence(key=line.key, label=line.label, field=name, problem=problem, rule=book_rule)


@rule("4.2.3")
def _keep_within_command(state: State, side: Side, forces: Sequence[TaskForce]) -> None:
    """Ensure that the values filled in are legal: drafts without enough command points stay in port, and forces that
    must go home do not keep station. PQ-17 4.2.3, rulings CP-4, CP-5."""
    by_id = {force.id: force for force in forces}
    for refusal in plan_refusals(state, side, forces):
        tf_id, _, field = refusal.path.partition(".")
        force = by_id[tf_id]
        moving = [speed for speed in affordable(state, force) if speed is not Speed.STATION]
        easy = [speed for speed in moving if speed.rate <= Speed.EFFICIENT.rate]
        force.speed = Speed.STATION if field == "route" else [*moving[:1], *easy][-1]


def _side_line(state: State, side: Side) -> Line:
    doctrine = state.doctrine[side]
    ask = Field(
        key="ask",
        label="Ask me in the impulses",
        kind="one",
        choices=(
            Choice(value="contact", label="Only when there is a contact", hint="Otherwise stored routes are flown."),
            Choice(value="always", label="In every impulse"),
        ),
        value="always" if doctrine.ask_every_impulse else "contact",
    )
    bid = Field(
        key="bid",
        label="Victory points bid for the initiative",
        kind="number",
        least=0,
        most=MOST_BID,
        value=0,
        help="Each adds 1 to your die and is paid whoever wins.",
    )
    run = Field(
        key="run",
        label="Let turns go by on this plan",
        kind="one",
        choices=tuple(
            Choice(value=value, label=label) for value, label in RUNS.items() if value != GO_ON or doctrine.run.on
        ),
        value=run_value(doctrine.run),
        help="The end of a period always stops it.",
    )
    stop = Field(
        key="stop",
        label="and stop when",
        kind="text",
        most=MOST_CHARACTERS,
        value=write_stops(doctrine.run.stops),
        optional=True,
        help=stop_examples(movers(state, side)),
    )
    orders = _orders_field(write_orders(doctrine.orders))
    return Line(key=SIDE_LINE, label="The whole side", fields=(bid, ask, run, stop, orders), group=_FORCES)


def _orders_field(value: str) -> Field:
    return Field(
        key="doctrine",
        label="Standing orders",
        kind="text",
        most=MOST_CHARACTERS,
        value=value or None,
        optional=True,
        help=f"For example {EXAMPLE}",
    )


def _destinations(pool: Sequence[TaskForce], fresh: Sequence[str]) -> tuple[Choice, ...]:
    """The task forces that a ship of the pool may be put into."""
    standing = tuple(Choice(value=one.id, label=one.label) for one in pool)
    return (*standing, *(Choice(value=new, label=f"{new} (new)") for new in fresh))


def _unit_line(state: State, unit: Unit, tf: TaskForce, options: tuple[Choice, ...], group: str) -> Line:
    field = Field(key="task_force", label="Task force", kind="one", choices=options, value=group)
    label = f"{unit.name} ({state.class_of(unit).label}) in {tf.hex}"
    figures = [] if state.is_load(tf, unit) else figure_fields(state, unit)
    fields = (*([field] if options else []), *figures)
    return Line(key=unit.id, label=label, fields=fields, note=f"Now in {tf.label}", group="Ships")


def _base_line(state: State, unit: Unit, tf: TaskForce) -> Line:
    label = f"{unit.name} ({state.class_of(unit).label}) in {tf.hex}"
    return Line(key=unit.id, label=label, fields=tuple(figure_fields(state, unit)), group="Bases")


def _force_line(state: State, pool: Sequence[TaskForce], tf: TaskForce, force: TaskForce, *, towing: bool) -> Line:
    """The line of ``tf``, filled in from ``force``, its draft without changes."""
    fields = [*_posture_and_speed(state, pool, force), _route_field(write_route(force.route, force.loop))]
    if tf.shadowing:
        fields.append(_shadow_field())
    if towing:
        fields.append(_tow_field(write_tows(force.tows)))
    fields += [_name_field(tf.name), _orders_field(standing_orders_text(tf))]
    place = f"{tf.hex}, in port" if tf.in_port else tf.hex
    fuel = min((unit.fuel for unit in state.separate_units(tf)), default=None)
    note = "" if fuel is None else f"Least fuel of a ship: {show_fraction(fuel)}"
    errand = say_errand(state, force)
    note = "; ".join(one for one in (note, errand) if one)
    return Line(key=tf.id, label=f"{tf.label} in {place}", fields=tuple(fields), note=note, group=_FORCES)


def _spare_fields(state: State, pool: Sequence[TaskForce], *, towing: bool) -> tuple[Field, ...]:
    """The fields of a task force that could be formed: the same for all such lines of a pool."""
    fields = [*_posture_and_speed(state, pool, None), _route_field(None)]
    if any(tf.shadowing for tf in pool):
        fields.append(_shadow_field())
    if towing:
        fields.append(_tow_field(None))
    return (*fields, _name_field(None), _orders_field(""))


def _spare_line(pool: Sequence[TaskForce], new: str, fields: tuple[Field, ...]) -> Line:
    label = f"{new} in {pool[0].hex}, if you form it"
    return Line(key=new, label=label, fields=fields, group="New task forces")


def _posture_and_speed(state: State, pool: Sequence[TaskForce], force: TaskForce | None) -> list[Field]:
    words: list[PostureWord] = ["warp off", "passive", "logistics"]
    if any(state.class_of(unit).cloak for tf in pool for unit in state.units_of(tf)):
        words.insert(0, "cloak")
    posture = Field(
        key="posture",
        label="Posture, where not the usual",
        kind="many",
        choices=tuple(Choice(value=word, label=_POSTURE_LABELS[word]) for word in words),
        value=None if force is None else list(posture_words(force.posture)),
        optional=True,
        none=posture_text(Posture()),
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
    if not points:
        return "No movement, no fuel"
    used = sum((points * hex_cost(state, force, unit, speed) for unit in state.units_of(force)), Fraction(0))
    rate = " every second turn" if speed.is_crawl else ""
    return f"{counted(points, 'movement point')}{rate}, fuel {show_fraction(used)}"


def _route_field(value: str | None) -> Field:
    text = "0406 0407, stay, port, to 0407; loop 0406 0405 flies it again and again; stop takes it away"
    return Field(key="route", label="Route", kind="text", most=MOST_ROUTE, value=value, optional=True, help=text)


@rule("5.2.3.6")
def _shadow_field() -> Field:
    return Field(key="shadow", label="Go on shadowing", kind="flag", value=True)


def _tow_field(value: str | None) -> Field:
    text = "tower>towed+towed; a star after a ship turns its warp engines off, *5 five boxes of them"
    return Field(key="tow", label="Towing", kind="text", most=200, value=value, optional=True, help=text)


def _name_field(value: str | None) -> Field:
    return Field(key="name", label="Name, for you alone", kind="text", most=24, value=value, optional=True)
