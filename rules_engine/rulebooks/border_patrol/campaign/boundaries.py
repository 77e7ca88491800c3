"""Steps 1 and 5: what begins and ends with a turn: counters, overhauls, storms."""

from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.border_patrol.ch10_movement.phases import begin_turn
from rules_engine.rulebooks.border_patrol.ch40_emergency.emergency import end_emergency
from rules_engine.rulebooks.border_patrol.ch40_emergency.overhauls import finish_overhaul
from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import forget_ended_cloak
from rules_engine.rulebooks.border_patrol.ch60_reaction.waiting import end_of_turn
from rules_engine.rulebooks.border_patrol.records.forces import MovementPhase
from rules_engine.rulebooks.border_patrol.records.places import IonStorm
from rules_engine.rulebooks.border_patrol.records.state import BorderState, BorderTurn

EACH_PHASE = 10
"""Steps of campaign time in a phase."""


def open_turn(turn: BorderTurn) -> None:
    """Count the turn up, forget what counted for the last one, and show everybody the map."""
    state = turn.state
    turn.moment_ends()
    state.turn += 1
    state.phase = None
    for unit in state.units.values():
        begin_turn(unit)
    for stack in state.stacks.values():
        stack.trail, stack.refused_in, stack.told_held, stack.moves_on, stack.goes_on = [], "", "", False, ""
    turn.set_time(state.turn, 0, f"Turn {state.turn}")
    turn.tell_all(f"Turn {state.turn} of {state.turns} begins.", kind="turn")
    turn.show_maps()


def open_phase(turn: BorderTurn, phase: int) -> None:
    """Move time to a phase, and forget what was done in the last one."""
    turn.moment_ends()
    turn.state.phase = MovementPhase(turn=turn.state.turn, phase=phase)
    turn.set_time(turn.state.turn, EACH_PHASE * phase, f"Turn {turn.state.turn}, phase {phase}")


@rule("V8.45")
def finish_overhauls(turn: BorderTurn) -> None:
    """End the turn's overhauls: done, unless the place was attacked. V8.45, BP-R37, BP-R62"""
    state = turn.state
    for _, unit in sorted(state.units.items()):
        if not unit.overhaul_at:
            continue
        done = finish_overhaul(unit)
        text = f"The engines of {unit.name} are overhauled." if done else f"The overhaul of {unit.name} is broken off."
        turn.tell([unit.team], text, kind="engines", why=because("V8.45, BP-R37"))


def close_turn(turn: BorderTurn) -> None:
    """End Emergency Movement, reactions and ways, note which star systems were held, and let storms drift. BP-N21,
    BP-R60"""
    state = turn.state
    turn.moment_ends()
    state.phase = None
    turn.set_time(state.turn, EACH_PHASE * 9, f"Turn {state.turn}, end")
    for unit in state.units.values():
        end_emergency(unit)
        end_of_turn(unit)
        forget_ended_cloak(unit)
    for stack in state.stacks.values():
        stack.orders.way, stack.orders.react = [], "no"  # what was not gone of it is for no other turn
    for system in state.systems.values():
        there = {unit.team for unit in state.units_in(system.hex) if unit.team and not unit.cloaked}
        system.held = not there or system.owner in there
    for _, storm in sorted(state.storms.items()):
        _drift(state, storm)


def _drift(state: BorderState, storm: IonStorm) -> None:
    """Move a storm so far as it drifts; at the map's edge it stays."""
    for _ in range(storm.drift):
        storm.hex = state.grid.neighbour(storm.hex, storm.heading) or storm.hex
