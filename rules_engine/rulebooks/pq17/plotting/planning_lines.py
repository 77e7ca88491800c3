"""What a planning sheet offers: a line for the side, its task forces, its ships and the task forces it could form.

What is filled in (``planning_values``) is the side's answer if it says nothing. How it looks (``planning_form``)
matters only to whoever reads it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache

from rules_engine.core.basics.base import Json, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Absence, Choice, Field, Form, Line, number_field, text_field
from rules_engine.core.forms.routes import write_route
from rules_engine.rulebooks.pq17.ch05_movement.postures import tow_matters
from rules_engine.rulebooks.pq17.ch05_movement.ship_figures import figure_fields, figure_values
from rules_engine.rulebooks.pq17.ch05_movement.speeds import affordable
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
from rules_engine.rulebooks.pq17.plotting.force_drafts import ForceDraft, standing_orders_text
from rules_engine.rulebooks.pq17.plotting.logistics_lines import wishes_line
from rules_engine.rulebooks.pq17.plotting.planning_drafts import SideDrafts, UnitPool, base_units
from rules_engine.rulebooks.pq17.plotting.running_on import GO_ON, RUNS, movers, run_value, stop_examples, write_stops
from rules_engine.rulebooks.pq17.plotting.unaffordable_orders import plan_refusals
from rules_engine.rulebooks.pq17.records.forces import Posture, TaskForce, Unit
from rules_engine.rulebooks.pq17.records.standing_orders import StandingOrders
from rules_engine.rulebooks.pq17.records.state import State, tf_order
from rules_engine.rulebooks.pq17.tables.operations import FUEL_PER_HEX, IMPULSES, Speed

_POSTURE_LABELS: dict[PostureWord, str] = {
    "cloak": "Cloak on (then also passive)",
    "warp off": "Warp off",
    "passive": "Active sensors off (passive)",
    "logistics": "Logistics",
}

PlanValues = dict[str, dict[str, Json]]
"""All lines of a planning sheet with all their fields; None where a field is left open."""
SpeedChoices = Callable[[Fraction], tuple[Choice, ...]]

_FORCES = "Task forces"
"""The group of the lines that matter in most turns."""


# --- what is filled in ------------------------------------------------------------------------------------------------


@rule("1.6.4", "1.6.5.1", "1.6.5.2")
def planning_values(state: State, side: Side, pools: Sequence[UnitPool], made: Mapping[str, TaskForce]) -> PlanValues:
    """What a planning sheet asks, and what is filled in: a line for the side, each task force, each ship, each new task
    force that could be formed, and each base. ``made`` are the task forces as they are without changes.
    PQ-17 1.6.4, 1.6.5.1, 1.6.5.2."""
    forces: PlanValues = {}
    ships: PlanValues = {}
    fresh: PlanValues = {}
    group_of = {unit_id: force.id for force in made.values() for unit_id in force.units}
    slower = _slower_speeds(state, side, list(made.values()))
    for pool in pools:
        towing = tow_matters(state, pool.forces)
        several = sum(len(tf.units) for tf in pool.forces) > 1
        for tf in pool.forces:
            force = made[tf.id]
            forces[tf.id] = _force_values(tf, force, slower.get(tf.id, force.speed), towing=towing)
            for unit in state.units_of(tf):
                group: dict[str, Json] = {"task_force": group_of[unit.id]} if several else {}
                figures = {} if unit.carried_by and state.is_load(tf, unit) else figure_values(state, unit)
                ships[unit.id] = group | figures
        new = _values_of_new(shadowing=any(tf.shadowing for tf in pool.forces), towing=towing)
        fresh |= dict.fromkeys(pool.fresh, new)
    bases = {unit.id: figure_values(state, unit) for _, unit in base_units(state, side)}
    wishes = wishes_line(state, side)
    return {
        SIDE_LINE: _side_values(state.doctrine[side]),
        **{tf_id: forces[tf_id] for tf_id in sorted(forces, key=tf_order)},
        **{unit_id: values for unit_id, values in ships.items() if values},
        **fresh,
        **{unit_id: values for unit_id, values in bases.items() if values},
        **({} if wishes is None else {wishes.key: wishes.filled_in()}),
    }


@rule("4.2.3")
def _slower_speeds(state: State, side: Side, forces: Sequence[TaskForce]) -> dict[str, Speed]:
    """The speeds of drafts that are not legal as they are: those without enough command points stay in port, and those
    that must go home do not keep station. PQ-17 4.2.3, rulings CP-4, CP-5."""
    by_id = {force.id: force for force in forces}
    found: dict[str, Speed] = {}
    for refusal in plan_refusals(state, side, forces):
        tf_id, _, field = refusal.path.partition(".")
        moving = [speed for speed in affordable(state, by_id[tf_id]) if speed is not Speed.STATION]
        easy = [speed for speed in moving if speed.rate <= Speed.EFFICIENT.rate]
        found[tf_id] = Speed.STATION if field == "route" else [*moving[:1], *easy][-1]
    return found


def _side_values(doctrine: StandingOrders) -> dict[str, Json]:
    return {
        "bid": 0,
        "ask": "always" if doctrine.ask_every_impulse else "contact",
        "run": run_value(doctrine.run),
        "stop": write_stops(doctrine.run.stops),
        "doctrine": write_orders(doctrine.orders) or None,
    }


def _force_values(tf: TaskForce, force: TaskForce, speed: Speed, *, towing: bool) -> dict[str, Json]:
    """The values of ``tf``, from ``force``, its draft without changes."""
    return {
        "posture": list(posture_words(force.posture)),
        "speed": speed.value,
        "route": write_route(force.route, force.loop),
        **({"shadow": True} if tf.shadowing else {}),
        **({"tow": write_tows(force.tows)} if towing else {}),
        "name": tf.name,
        "doctrine": standing_orders_text(tf) or None,
    }


def _values_of_new(*, shadowing: bool, towing: bool) -> dict[str, Json]:
    """The fields of a task force that could be formed: the same for all of a pool, and mostly left open."""
    shadow: dict[str, Json] = {"shadow": True} if shadowing else {}
    tow: dict[str, Json] = {"tow": None} if towing else {}
    return {"posture": None, "speed": None, "route": None, **shadow, **tow, "name": None, "doctrine": None}


# --- how it looks -----------------------------------------------------------------------------------------------------


def planning_form(state: State, side: Side, drafts: SideDrafts, values: PlanValues) -> Form:
    """The planning sheet, filled in with ``values``."""
    made = {SIDE_LINE: _side_line(state, side, values[SIDE_LINE])}
    forces = {draft.force.id: draft for draft in drafts.unsaid}
    speeds = cache(_speed_choices)  # many have ships of the same classes
    for pool in drafts.pools:
        made |= {line.key: line for line in _pool_lines(state, pool, forces, values, speeds)}
    made |= {unit.id: _base_line(state, unit, tf, values.get(unit.id, {})) for tf, unit in base_units(state, side)}
    wishes = wishes_line(state, side)
    if wishes is not None:
        made[wishes.key] = wishes._replace(group=_FORCES)
    lines = tuple(made[key] for key in values if key in made)
    return Form(lines=lines, why_absent=lambda: _absences(state, side, lines, values))


def _pool_lines(
    state: State, pool: UnitPool, drafted: Mapping[str, ForceDraft], values: PlanValues, speeds: SpeedChoices
) -> Iterator[Line]:
    """The lines of a pool's task forces, of its ships, and of the task forces that it could form. ``drafted`` are the
    task forces as they are without changes."""
    units = [(tf, unit) for tf in pool.forces for unit in state.units_of(tf)]
    postures = _POSTURES if any(state.class_of(unit).cloak for _, unit in units) else _UNCLOAKED
    for tf in pool.forces:
        force = drafted[tf.id].force
        fuel = sum((hex_cost(state, force, unit, Speed.CRUISE) for unit in state.units_of(force)), Fraction(0))
        offered = speeds(fuel)
        fields = [_force_field(name, one, postures, offered) for name, one in values.get(tf.id, {}).items()]
        yield _force_line(state, tf, drafted[tf.id], tuple(fields))
    destinations = _destinations(pool)
    yield from (_unit_line(state, unit, tf, destinations, values.get(unit.id, {})) for tf, unit in units)
    fresh = [new for new in pool.fresh if new in values]
    if fresh:
        fields = [_force_field(name, one, postures, _SPEEDS) for name, one in values[fresh[0]].items()]
        yield from (_new_line(pool, new, tuple(fields)) for new in fresh)


@rule("1.6.5.1", "1.6.7.1")
def _absences(state: State, side: Side, lines: Iterable[Line], values: PlanValues) -> Iterator[Absence]:
    """Why bases, and ships that have nobody to regroup with, join no task force here, and why a task force can neither
    tow nor go on shadowing. PQ-17 1.6.5.1, 1.6.7.1."""
    yield from _absent_fields(lines, values)
    for tf in state.all_task_forces(side):
        if tf.is_base:
            problem = f"{tf.label} is a base: it neither moves nor joins a task force"
            yield Absence(key=tf.id, label=tf.label, problem=problem, rule="PQ-17 1.6.7.1")
            continue
        for unit in state.units_of(tf):
            if "task_force" in values.get(unit.id, ()):
                continue
            problem = f"{unit.name} has nobody with it in {tf.hex} to be regrouped with; give {tf.id} its orders"
            absent = Absence(key=unit.id, label=unit.name, problem=problem, rule="PQ-17 1.6.5.1")
            yield absent._replace(field="task_force") if unit.id in values else absent


_WHY_NO_FIELD = {
    "tow": ("PQ-17 5.4.1", "no ship here would go faster or farther in tow, or none has a tractor to tow with"),
    "shadow": ("PQ-17 7.2.1", "nobody here shadows; who searches says then whom it begins to shadow"),
}


def _absent_fields(lines: Iterable[Line], values: PlanValues) -> Iterator[Absence]:
    """Why there is no field for towing or for shadowing on the line of a task force."""
    for line in lines:
        for name, (book_rule, problem) in _WHY_NO_FIELD.items() if "route" in values[line.key] else ():
            if name not in values[line.key]:
                yield Absence(key=line.key, label=line.label, field=name, problem=problem, rule=book_rule)


def _side_line(state: State, side: Side, values: Mapping[str, Json]) -> Line:
    contact = Choice("contact", "Only when there is a contact", "Otherwise stored routes are flown.")
    when = (contact, Choice("always", "In every impulse"))
    ask = Field("ask", "Ask me in the impulses", "one", when, value=values["ask"])
    bid_help = "Each adds 1 to your die and is paid whoever wins."
    bid = number_field("bid", "Victory points bid for the initiative", range(MOST_BID + 1), values["bid"], bid_help)
    runs = tuple(Choice(one, label) for one, label in RUNS.items() if one != GO_ON or values["run"] == GO_ON)
    always = "The end of a period always stops it."
    run = Field("run", "Let turns go by on this plan", "one", runs, value=values["run"], help=always)
    examples = stop_examples(movers(state, side))
    stop = text_field("stop", "and stop when", MOST_CHARACTERS, values["stop"], examples)
    orders = _orders_field(values["doctrine"])
    return Line(key=SIDE_LINE, label="The whole side", fields=(bid, ask, run, stop, orders), group=_FORCES)


def _orders_field(value: Json) -> Field:
    return text_field("doctrine", "Standing orders", MOST_CHARACTERS, value, f"For example {EXAMPLE}")


def _destinations(pool: UnitPool) -> tuple[Choice, ...]:
    """The task forces that a ship of the pool may be put into."""
    standing = tuple(Choice(value=one.id, label=one.label) for one in pool.forces)
    return (*standing, *(Choice(value=new, label=f"{new} (new)") for new in pool.fresh))


def _unit_line(
    state: State, unit: Unit, tf: TaskForce, destinations: tuple[Choice, ...], values: Mapping[str, Json]
) -> Line:
    group = values.get("task_force")
    field = Field("task_force", "Task force", "one", destinations, value=group)
    fields = (*([] if group is None else [field]), *figure_fields(state, unit, values))
    return Line(unit.id, _unit_label(state, unit, tf), fields, f"Now in {tf.label}", "Ships")


def _base_line(state: State, unit: Unit, tf: TaskForce, values: Mapping[str, Json]) -> Line:
    fields = tuple(figure_fields(state, unit, values))
    return Line(key=unit.id, label=_unit_label(state, unit, tf), fields=fields, group="Bases")


def _unit_label(state: State, unit: Unit, tf: TaskForce) -> str:
    return f"{unit.name} ({state.class_of(unit).label}) in {tf.hex}"


def _force_line(state: State, tf: TaskForce, draft: ForceDraft, fields: tuple[Field, ...]) -> Line:
    place = f"{tf.hex}, in port" if tf.in_port else tf.hex
    fuel = min((unit.fuel for unit in state.separate_units(tf)), default=None)
    least = "" if fuel is None else f"Least fuel of a ship: {show_fraction(fuel)}"
    note = "; ".join(filter(None, (least, say_errand(state, draft.force, draft.errand))))
    return Line(key=tf.id, label=f"{tf.label} in {place}", fields=fields, note=note, group=_FORCES)


def _new_line(pool: UnitPool, new: str, fields: tuple[Field, ...]) -> Line:
    label = f"{new} in {pool.forces[0].hex}, if you form it"
    return Line(key=new, label=label, fields=fields, group="New task forces")


@rule("5.2.3.6")
def _force_field(name: str, value: Json, postures: tuple[Choice, ...], speeds: tuple[Choice, ...]) -> Field:
    """A field of a task force; a new one's may be left open."""
    match name:
        case "posture":
            label, none = "Posture, where not the usual", posture_text(Posture())
            return Field(name, label, "many", choices=postures, value=value, optional=True, none=none)
        case "speed":
            return Field(name, "Speed", "one", choices=speeds, value=value, optional=value is None)
        case "route":
            text = "0406 0407, stay, port, to 0407; loop 0406 0405 flies it again and again; stop takes it away"
            return text_field(name, "Route", MOST_ROUTE, value, text)
        case "shadow":
            return Field(name, "Go on shadowing", "flag", value=value)
        case "tow":
            text = "tower>towed+towed; a star after a ship turns its warp engines off, *5 five boxes of them"
            return text_field(name, "Towing", 200, value, text)
        case "name":
            return text_field(name, "Name, for you alone", 24, value)
        case _:
            return _orders_field(value)


_POSTURES = tuple(Choice(value=word, label=label) for word, label in _POSTURE_LABELS.items())
_UNCLOAKED = tuple(choice for choice in _POSTURES if choice.value != "cloak")
_SPEEDS = tuple(Choice(value=speed.value, label=speed.label) for speed in Speed)
_NO_MOVE = _SPEEDS[0]._replace(hint="No movement, no fuel")


def _pace(speed: Speed) -> tuple[str, Fraction]:
    """The movement points of a turn at a speed, and for how many hexes at Military Cruise their fuel would last."""
    points = points_left(speed, IMPULSES, 2)
    rate = " every second turn" if speed.is_crawl else ""
    return f"{counted(points, 'movement point')}{rate}", points * FUEL_PER_HEX[speed] / FUEL_PER_HEX[Speed.CRUISE]


_PACES = [_pace(speed) for speed in list(Speed)[1:]]


def _speed_choices(at_cruise: Fraction) -> tuple[Choice, ...]:
    """Speeds with the fuel that ships would use over a turn that pay so much for a hex at Military Cruise."""
    moving = zip(_SPEEDS[1:], _PACES, strict=True)
    hinted = ((speed, f"{points}, fuel {show_fraction(hexes * at_cruise)}") for speed, (points, hexes) in moving)
    return (_NO_MOVE, *(Choice(speed.value, speed.label, hint) for speed, hint in hinted))
