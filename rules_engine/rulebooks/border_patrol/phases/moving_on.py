"""Stacks that caught whom they reacted to: they may go on by the points that they have left. V8.69"""

from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Steps
from rules_engine.rulebooks.border_patrol.ch60_reaction.points import points_to_come
from rules_engine.rulebooks.border_patrol.phases.decisions import moving_on_way_steps
from rules_engine.rulebooks.border_patrol.phases.moving import uses_held_points
from rules_engine.rulebooks.border_patrol.plotting.routes import write_legs
from rules_engine.rulebooks.border_patrol.records.forces import UnitStack
from rules_engine.rulebooks.border_patrol.records.orders import RouteLeg
from rules_engine.rulebooks.border_patrol.records.state import BorderState, BorderTurn
from rules_engine.rulebooks.border_patrol.stacks import goers_of


@rule("V8.64", "V8.69")
def moving_on_steps(turn: BorderTurn) -> Steps[None]:
    """Give a way to each stack that reacts no longer to anybody and has points left, as its standing order says, or its
    captain. V8.64, V8.69"""
    state = turn.state
    for team in state.teams:
        for stack in state.stacks_of(team):
            if not stack.moves_on:
                continue
            stack.moves_on = False
            most = _most_hexes(state, stack)
            if not most:
                continue
            home = state.grid.line(stack.hex, _station(stack))[1 : most + 1]
            way = [RouteLeg(hex=hex_id) for hex_id in home]
            if stack.orders.after == "ask":
                way = yield from moving_on_way_steps(turn, stack, way, most)
            if way:
                stack.orders.way, stack.orders.turned = way, True
                text = f"{stack.id} goes on from {stack.hex}: {write_legs(way)}."
                turn.tell([stack.team], text, kind="reaction", why=because("V8.69"))


def _most_hexes(state: BorderState, stack: UnitStack) -> int:
    units, held = goers_of(state, stack), uses_held_points(state, stack)
    hexes = (points_to_come(unit, state.now.phase) - (0 if held else unit.accrued) for unit in units)
    return min(hexes, default=0)


def _station(stack: UnitStack) -> str:
    """Where it lay in wait."""
    return stack.trail[0] if stack.trail else stack.hex
