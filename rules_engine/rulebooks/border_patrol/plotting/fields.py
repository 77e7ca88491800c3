"""The lines of a turn's sheet: one for each stack that a Team's captains command."""

from collections.abc import Iterable

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.forms.forms import Absence, Choice, Field, Form, Line, text_field
from rules_engine.rulebooks.border_patrol.ch10_movement.phases import phases_of
from rules_engine.rulebooks.border_patrol.ch50_cloaks.cloaks import judge_cloaked_stack
from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import cloak_order
from rules_engine.rulebooks.border_patrol.plotting.formations import beside, commanded, towing_pairs
from rules_engine.rulebooks.border_patrol.plotting.judging import places_at
from rules_engine.rulebooks.border_patrol.plotting.pods import pod_choices, pods_now
from rules_engine.rulebooks.border_patrol.plotting.standing_words import EXAMPLE, write_orders
from rules_engine.rulebooks.border_patrol.records.forces import UnitStack
from rules_engine.rulebooks.border_patrol.records.orders import OF_SHIPS, SHIPS
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.records.units import CARRIED, Unit
from rules_engine.rulebooks.border_patrol.stacks import stack_allowance
from rules_engine.rulebooks.border_patrol.tables.movement import PHASES

LONGEST_LABEL = 80
MOST_ASKED = 100
"""Characters of a text that is asked for in one row: twelve hexes with their phases, or all standing orders."""
GROUP = "Ships"
IN_WORDS = {"onward": "stop", "held": "break out", "let_go": "let go", "within": "within 1"}
"""Standing orders that people may look for as fields, each with an order about it."""

REACTIONS = (
    Choice("no", "Does not lie in wait"),
    Choice("must", "Only to what it must"),
    Choice("lone", "To others that come alone"),
    Choice("any", "To all others"),
    Choice("ask", "Ask me each time"),
)
CLOAKS = (
    Choice("no", "In the open"),
    Choice("all turn", "Under cloak"),
    Choice("until it reacts", "Under cloak until it reacts"),
)


def plot_form(state: BorderState, team: Side) -> Form:
    """A Team's sheet for a turn."""
    stacks = commanded(state, team)
    return Form(
        lines=(*(_line(state, stack) for stack in stacks), *filter(None, (_ships_line(state, one) for one in stacks))),
        why_absent=lambda: [one for stack in stacks for one in _absences(state, stack)],
    )


def _line(state: BorderState, stack: UnitStack) -> Line:
    units = state.members(stack)
    orders = stack.orders
    speed = stack_allowance(units, together=orders.company == "keep together")
    names = [unit.name for unit in units]
    label = f"{stack.id} at {stack.hex}: {', '.join(names)}"
    if len(label) > LONGEST_LABEL:
        label = f"{stack.id} at {stack.hex}: {names[0]} and {len(names) - 1} more"
    when = ", ".join(map(str, phases_of(speed)))
    fields = [
        text_field("route", "Route", MOST_ASKED, None, _how(state, stack, speed)),
        Field("react", "Reacts", "one", choices=REACTIONS, value="no"),
        Field("emergency", "Emergency Movement", "many", choices=_choices(units), value=[]),
        text_field(
            "orders",
            "Standing orders",
            MOST_ASKED,
            write_orders(orders, state.zones.at_bases),
            f"For example {EXAMPLE}; what you leave out stays",
        ),
    ]
    if any(unit.cloak_cost for unit in units):
        cloak = "no" if judge_cloaked_stack(units) else cloak_order(units)
        fields.insert(1, Field("cloak", "Cloak", "one", choices=CLOAKS, value=cloak))
    supply = "" if all(unit.in_supply for unit in units) else ", out of supply"
    note = f"at {stack.hex}, {_speed(speed, when)}{supply}"
    return Line(key=stack.id, label=label, fields=tuple(fields), note=note)


def _ships_line(state: BorderState, stack: UnitStack) -> Line | None:
    """A stack's second line; None where its units have nothing to part, join, tow or have overhauled."""
    units = state.members(stack)
    fields: list[Field] = []
    if len(units) > 1:
        fields += [
            Field("rearguard", "Rearguard, if held", "many", choices=_choices(units), value=[]),
            Field("detach", "Part as a stack of their own", "many", choices=_choices(units), value=[]),
            text_field("part_route", "Route of those that part", MOST_ASKED, None, "Blank: they hold"),
        ]
    if pairs := _pairs(units):
        fields.append(Field("tow", "Tows", "many", choices=pairs, value=[*towing_pairs(units)]))
    if pods := pod_choices(state, stack):
        fields.append(Field("pods", "Pods", "many", choices=pods, value=[*pods_now(state, stack)]))
    if _can_overhaul(state, stack):
        fields.append(Field("overhaul", "Overhaul of engines", "many", choices=_choices(units), value=[]))
    company = beside(stack, commanded(state, stack.team))
    if company:
        ways = tuple(Choice(one.id, one.id) for one in company)
        fields.append(Field("join", "Joins", "one", choices=ways, optional=True))
    if not fields:
        return None
    label = f"{stack.id}: parting, joining, tows, pods, overhauls"
    return Line(key=f"{stack.id}{SHIPS}", label=label, fields=tuple(fields), note=f"at {stack.hex}", group=GROUP)


def _how(state: BorderState, stack: UnitStack, speed: int) -> str:
    """How far a stack goes and when, and how a route is written."""
    if not speed:
        return "It does not move by itself; blank holds"
    phases = phases_of(speed)
    when = "in every phase" if len(phases) == len(PHASES) else f"in phases {' '.join(map(str, phases))}"
    beside = state.grid.neighbours(stack.hex)[0]
    waits = f"P{phases[-1]} {beside} waits for phase {phases[-1]}"
    return f"{counted(speed, 'hex')}, {when}, e.g. {beside}; {waits}; blank holds"


def _speed(speed: int, when: str) -> str:
    return f"allowance {speed}: phases {when}" if speed else "does not move by itself"


def _choices(units: Iterable[Unit]) -> tuple[Choice, ...]:
    return tuple(Choice(unit.id, unit.name) for unit in units if unit.kind not in CARRIED)


def _pairs(units: list[Unit]) -> tuple[Choice, ...]:
    """All that might tow all that might be in tow: what is wrong with one is said when it is chosen."""
    return tuple(
        Choice(f"{tower.id}>{towed.id}", f"{tower.name} tows {towed.name}")
        for tower in units
        for towed in units
        if tower is not towed and tower.has_warp and towed.movement_cost
    )


def _can_overhaul(state: BorderState, stack: UnitStack) -> bool:
    here = places_at(state, stack.team, stack.hex)
    return any(one.team == stack.team and one.kind != "other" for one in here)


def _absences(state: BorderState, stack: UnitStack) -> Iterable[Absence]:
    """Why fields are not on a stack's lines that somebody may look for, and a second line is not on the sheet."""
    units = state.members(stack)
    ships = _ships_line(state, stack)
    key = f"{stack.id}{SHIPS}"
    there = [] if ships is None else [field.key for field in ships.fields]

    def absent(field: str, problem: str, rule_id: str) -> Iterable[Absence]:
        for line in (stack.id, key):
            yield Absence(line, line, problem, rule_id, field)

    if not any(unit.cloak_cost for unit in units):
        yield Absence(stack.id, stack.id, f"nobody in {stack.id} has a cloaking device", "V8.51", "cloak")
    for field, example in IN_WORDS.items():
        yield Absence(stack.id, stack.id, f"it is said in words: orders {example}", "BP-R58", field)
    if ships is None:
        yield Absence(key, key, f"{stack.id} has nobody to part, tow, load or overhaul", "V8.31")
    why = {
        "rearguard": (f"{stack.id} is one unit alone", "V8.23"),
        "detach": (f"{stack.id} is one unit alone", "BP-N16"),
        "part_route": (f"{stack.id} is one unit alone", "BP-R59"),
        "tow": (f"nobody in {stack.id} has anybody to tow", "V8.31"),
        "pods": (f"{stack.id} has no tug, or no pod is in {stack.hex}", "V8.83"),
        "overhaul": (f"nothing of yours in {stack.hex} overhauls engines", "V8.45"),
        "join": (f"no other stack of its captain is in {stack.hex}", "BP-N16"),
    }
    for field in OF_SHIPS:
        if field in there:
            yield Absence(stack.id, stack.id, f"it stands in the line {key}", "BP-R58", field)
        else:
            yield from absent(field, *why[field])
