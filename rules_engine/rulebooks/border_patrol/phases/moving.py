"""A stack enters a hex: points, places, and what others see of it."""

from collections.abc import Iterable

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.border_patrol.allowances import cannot_move
from rules_engine.rulebooks.border_patrol.ch10_movement.phases import begin_phase, points_left, take_hexes
from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import hide_again, turned_up
from rules_engine.rulebooks.border_patrol.ch60_reaction.points import reach
from rules_engine.rulebooks.border_patrol.ch60_reaction.waiting import spend
from rules_engine.rulebooks.border_patrol.records.forces import UnitStack
from rules_engine.rulebooks.border_patrol.records.state import BorderState, BorderTurn
from rules_engine.rulebooks.border_patrol.records.units import Unit
from rules_engine.rulebooks.border_patrol.sightings import tell_posts, tidy_sightings
from rules_engine.rulebooks.border_patrol.stacks import (
    goers_of,
    is_seen,
    keeps_together,
    movers,
    place,
    seen_as,
    stack_allowance,
)


@rule("V8.15", "V8.48", "V8.93")
def begin_phase_of_all(state: BorderState) -> None:
    """Work out with what allowance each stack comes to the phase, damage of the phases before counted. V8.15, V8.48,
    V8.93, BP-R08"""
    for _, stack in sorted(state.stacks.items()):
        units, together = state.members(stack), keeps_together(state, stack)
        speed = stack_allowance(units, together=together)
        for unit in units:
            begin_phase(unit, state.now.phase, 0 if cannot_move(unit) else speed)


@rule("V8.94")
def can_enter(state: BorderState, stack: UnitStack) -> bool:
    """Whether a stack has a point left in this phase. V8.94"""
    going = goers_of(state, stack)
    return bool(going) and all(points_left(unit, state.now.phase) > 0 for unit in going)


@rule("V8.63")
def can_react(state: BorderState, stack: UnitStack) -> bool:
    """Whether those of a stack that react to somebody may enter a hex in this phase, by points of the phase or by held
    ones. V8.63"""
    return all(reach(unit, state.now.phase) > 0 for unit in pursuers(state.members(stack)))


@rule("V8.63", "V8.69")
def can_go_on(state: BorderState, stack: UnitStack) -> bool:
    """Whether a stack that caught somebody may enter another hex in this phase, held points included. V8.63, V8.69"""
    going = goers_of(state, stack)
    return bool(going) and all(reach(unit, state.now.phase) > 0 for unit in going)


@rule("V8.62")
def pursuers(units: Iterable[Unit]) -> list[Unit]:
    """Those of a stack's units that react to somebody. V8.62"""
    return [unit for unit in movers(units) if unit.target]


@rule("V8.63", "V8.69")
def uses_held_points(state: BorderState, stack: UnitStack) -> bool:
    """Whether a stack moves by points that it held as well: it lies in wait, and has left its station. V8.63, V8.69"""
    return any(unit.reacting and unit.left_station for unit in goers_of(state, stack))


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
    seen, why = any(is_seen(unit) for unit in units), turned_up(units)
    place(state, stack, goal)
    stack.trail.append(left)
    phase = state.now
    phase.moved[stack.id] = phase.moved.get(stack.id, 0) + 1
    hide_again(units)
    if why == "storm":
        _tell_way(turn, stack, left, goal)
    elif seen and not why:
        phase.seen.append(f"{state.teams[stack.team].name} {left} → {goal}")
        phase.own.setdefault(stack.team, []).append(f"{stack.id} {left} → {goal}")
        state.came[seen_as(state, stack.team, goal)] = state.came.get(seen_as(state, stack.team, left), left)
    else:
        phase.hidden.setdefault(stack.team, []).append(f"{stack.id} {left} → {goal}")
    if why:
        tidy_sightings(turn)
    tell_posts(turn, stack)
    if any(is_seen(unit) for unit in units):  # a battle hex would tell that somebody hidden came
        phase.entered.append(goal)


@rule("V8.73", "T8.730")
def _tell_way(turn: BorderTurn, stack: UnitStack, left: HexId, goal: HexId) -> None:
    """Cloaked units that an ion storm turned up are hidden again when they leave the hex, and the way they go is told.
    V8.73, T8.730"""
    state = turn.state
    way = state.grid.bearing(left, goal)
    text = f"The cloaked units of the {state.teams[stack.team].name} leave {left} to the {way}."
    turn.tell_all(text, kind="contact", why=because("V8.73"))
