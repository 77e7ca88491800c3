"""A stack enters a hex: points, places, and what others see of it."""

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.border_patrol.ch10_movement.phases import begin_phase, points_left, take_hexes
from rules_engine.rulebooks.border_patrol.ch60_reaction.points import reach, spend
from rules_engine.rulebooks.border_patrol.records.forces import UnitStack
from rules_engine.rulebooks.border_patrol.records.state import BorderState, BorderTurn
from rules_engine.rulebooks.border_patrol.sightings import tidy_sightings
from rules_engine.rulebooks.border_patrol.stacks import is_seen, movers, place, seen_as, stack_allowance


@rule("V8.15", "V8.48", "V8.93")
def begin_phase_of_all(state: BorderState) -> None:
    """Work out with what allowance each stack comes to the phase, damage of the phases before counted. V8.15, V8.48,
    V8.93, BP-R08"""
    for _, stack in sorted(state.stacks.items()):
        units = state.members(stack)
        speed = stack_allowance(units)
        for unit in units:
            begin_phase(unit, state.now.phase, speed)


@rule("V8.94")
def can_enter(state: BorderState, stack: UnitStack) -> bool:
    """Whether a stack has a point left in this phase. V8.94"""
    return all(points_left(unit, state.now.phase) > 0 for unit in movers(state.members(stack)))


@rule("V8.63")
def can_react(state: BorderState, stack: UnitStack) -> bool:
    """Whether a stack may enter a hex in reaction in this phase, by points of the phase or by held ones. V8.63"""
    return all(reach(unit, state.now.phase) > 0 for unit in movers(state.members(stack)))


@rule("V8.63", "V8.69")
def uses_held_points(state: BorderState, stack: UnitStack) -> bool:
    """Whether a stack moves by points that it held as well: it lies in wait, and has left its station. V8.63, V8.69"""
    return any(unit.reacting and unit.left_station for unit in movers(state.members(stack)))


@rule("V8.34", "V8.63", "V8.94")
def enter(turn: BorderTurn, stack: UnitStack, goal: HexId, *, reacting: bool = False) -> None:
    """Move a stack, what it tows with it, into a hex beside it. V8.34, V8.63, V8.94"""
    state, left = turn.state, stack.hex
    units = state.members(stack)
    for unit in movers(units):
        if reacting:
            spend(unit, state.now.phase, 1)
        else:
            take_hexes(unit, state.now.phase, 1)
    seen = any(is_seen(state, unit) for unit in units)
    place(state, stack, goal)
    stack.trail.append(left)
    phase = state.now
    phase.moved[stack.id] = phase.moved.get(stack.id, 0) + 1
    if stack.upturned:
        _turn_down(turn, stack, left, goal)
    elif seen:
        phase.seen.append(f"{state.teams[stack.team].name} {left} → {goal}")
        state.came[seen_as(state, stack.team, goal)] = state.came.get(seen_as(state, stack.team, left), left)
    else:
        phase.hidden.setdefault(stack.team, []).append(f"{stack.id} {left} → {goal}")
    if any(is_seen(state, unit) for unit in units):  # a battle hex would tell that somebody hidden came
        phase.entered.append(goal)


@rule("V8.73", "T8.730")
def _turn_down(turn: BorderTurn, stack: UnitStack, left: HexId, goal: HexId) -> None:
    """Cloaked units that were turned up are hidden again when they leave the hex, the way they go is told. V8.73,
    T8.730"""
    state = turn.state
    stack.upturned = False
    way = state.grid.bearing(left, goal)
    text = f"The cloaked units of the {state.teams[stack.team].name} leave {left} to the {way}."
    turn.tell_all(text, kind="contact", why=because("V8.73"))
    tidy_sightings(turn)
