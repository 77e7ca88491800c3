"""The lines of a turn's sheet: one for each stack that a Team's captains command."""

from collections.abc import Iterable

from rules_engine.core.basics.base import Side
from rules_engine.core.forms.forms import Absence, Choice, Field, Form, Line, number_field, text_field
from rules_engine.rulebooks.border_patrol.ch10_movement.phases import phases_of
from rules_engine.rulebooks.border_patrol.plotting.formations import beside, commanded, towing_pairs
from rules_engine.rulebooks.border_patrol.plotting.judging import places_at
from rules_engine.rulebooks.border_patrol.plotting.routes import HOW, within_allowance, write_legs
from rules_engine.rulebooks.border_patrol.records.forces import UnitStack
from rules_engine.rulebooks.border_patrol.records.orders import LONGEST_ROUTE
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.records.units import CARRIED, Unit
from rules_engine.rulebooks.border_patrol.stacks import stack_allowance

LONGEST_LABEL = 80
FIRST = 5
"""How many fields are asked at once."""

REACTIONS = (
    Choice("no", "Does not lie in wait"),
    Choice("must", "To what it must alone"),
    Choice("lone", "To others that come alone"),
    Choice("any", "To all others"),
    Choice("ask", "Ask me each time"),
)
ONWARDS = (
    Choice("go on", "Goes on"),
    Choice("stop", "Stops before them"),
    Choice("turn back", "Turns back"),
    Choice("ask", "Ask me"),
)
HOLDINGS = (
    Choice("stay", "Stays"),
    Choice("withdraw", "Asks to be let go"),
    Choice("break out", "Leaves a rearguard, or by command"),
    Choice("either", "Breaks out, or else asks"),
)
ANSWERS = (Choice("refuse", "Are held"), Choice("let go", "May go"), Choice("ask", "Ask me"))
CLOAKS = (
    Choice("no", "In the open"),
    Choice("all turn", "Under cloak"),
    Choice("until it reacts", "Under cloak until it reacts"),
)


def plot_form(state: BorderState, team: Side) -> Form:
    """A Team's sheet for a turn."""
    stacks = commanded(state, team)
    return Form(
        lines=tuple(_line(state, stack) for stack in stacks),
        why_absent=lambda: [one for stack in stacks for one in _absences(state, stack)],
    )


def _line(state: BorderState, stack: UnitStack) -> Line:
    units = state.members(stack)
    orders, speed = stack.orders, stack_allowance(units)
    names = [unit.name for unit in units]
    label = f"{stack.id} at {stack.hex}: {', '.join(names)}"
    if len(label) > LONGEST_LABEL:
        label = f"{stack.id} at {stack.hex}: {names[0]} and {len(names) - 1} more"
    when = ", ".join(map(str, phases_of(speed)))
    route = write_legs(within_allowance(orders.way, speed))
    fields = [
        text_field("route", "Route", LONGEST_ROUTE, route or None, HOW),
        Field("react", "Reacts", "one", choices=REACTIONS, value="no"),
        Field("emergency", "Emergency Movement", "many", choices=_choices(units), value=[]),
        Field("onward", "Seeing others before it", "one", choices=ONWARDS, value=orders.onward),
        Field("held", "Held by others", "one", choices=HOLDINGS, value=orders.held),
    ]
    if any(unit.cloak_cost for unit in units):
        fields.insert(1, Field("cloak", "Cloak", "one", choices=CLOAKS, value=orders.cloak))
    fields += [
        Field("let_go", "Others that would leave", "one", choices=ANSWERS, value=orders.let_go),
        number_field(
            "within", "Reacts at most so many hexes away", range(state.zones.at_bases + 1), _within(state, stack)
        ),
    ]
    if len(units) > 1:
        fields += [
            Field("rearguard", "Rearguard, if held", "many", choices=_choices(units), value=[]),
            Field("detach", "Stay as a stack of their own", "many", choices=_choices(units), value=[]),
        ]
    if pairs := _pairs(units):
        fields.append(Field("tow", "Tows", "many", choices=pairs, value=[*towing_pairs(units)]))
    if _can_overhaul(state, stack):
        fields.append(Field("overhaul", "Overhaul of engines", "many", choices=_choices(units), value=[]))
    company = beside(stack, commanded(state, stack.team))
    if company:
        ways = tuple(Choice(one.id, one.id) for one in company)
        fields.append(Field("join", "Joins", "one", choices=ways, optional=True))
    note = f"at {stack.hex}, {_speed(speed, when)}"
    return Line(key=stack.id, label=label, fields=tuple(fields), note=note, together=FIRST)


def _speed(speed: int, when: str) -> str:
    return f"allowance {speed}: phases {when}" if speed else "does not move by itself"


def _within(state: BorderState, stack: UnitStack) -> int:
    return min(stack.orders.within, state.zones.at_bases)


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
    """Why fields are not on a stack's line that somebody may look for."""
    units = state.members(stack)

    def absent(field: str, problem: str, rule_id: str) -> Absence:
        return Absence(stack.id, stack.id, problem, rule_id, field)

    if not any(unit.cloak_cost for unit in units):
        yield absent("cloak", f"nobody in {stack.id} has a cloaking device", "V8.51")
    if len(units) == 1:
        yield absent("rearguard", f"{stack.id} is one unit alone", "V8.23")
        yield absent("detach", f"{stack.id} is one unit alone", "BP-N16")
    if not _pairs(units):
        yield absent("tow", f"nobody in {stack.id} has anybody to tow", "V8.31")
    if not _can_overhaul(state, stack):
        yield absent("overhaul", f"nothing of yours in {stack.hex} overhauls engines", "V8.45")
