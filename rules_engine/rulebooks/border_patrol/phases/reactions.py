"""Reactionary Movement: who reacts to whom that came near, and goes after it. V8.60"""

from collections.abc import Sequence

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Steps
from rules_engine.rulebooks.border_patrol.ch60_reaction.points import intercept
from rules_engine.rulebooks.border_patrol.ch60_reaction.reacting import answer_to, closing_hexes
from rules_engine.rulebooks.border_patrol.ch60_reaction.zones import is_in_zone
from rules_engine.rulebooks.border_patrol.phases.decisions import reaction_steps
from rules_engine.rulebooks.border_patrol.phases.leaving import may_react_away
from rules_engine.rulebooks.border_patrol.phases.moving import can_react, enter
from rules_engine.rulebooks.border_patrol.records.forces import UnitStack
from rules_engine.rulebooks.border_patrol.records.state import BorderState, BorderTurn
from rules_engine.rulebooks.border_patrol.records.units import Unit
from rules_engine.rulebooks.border_patrol.sightings import tidy_sightings
from rules_engine.rulebooks.border_patrol.stacks import movers, others_seen


@rule("V8.61", "V8.62")
def reactions_steps(turn: BorderTurn, intruders: Sequence[Unit], left: HexId) -> Steps[None]:
    """Let stacks that lie in wait react to units that came into a hex from ``left``, the other Team's, or both Teams'
    if these are monsters or alien ships. V8.61, V8.62"""
    state = turn.state
    own = intruders[0].team
    for team in (key for key in state.teams if key != own):
        for stack in state.stacks_of(team):  # one that another reaction met may be elsewhere by now, none is gone
            yield from _react_steps(turn, stack, intruders, left)


def _react_steps(turn: BorderTurn, stack: UnitStack, intruders: Sequence[Unit], left: HexId) -> Steps[None]:
    state = turn.state
    found = _answer(state, stack, intruders, left)
    if found is None:
        return
    answer, target = found
    goals = closing_hexes(state.grid, stack.hex, target.hex)
    first = ""
    if answer == "may":
        chosen = yield from _chosen_steps(turn, stack, intruders, target.hex, goals)
        if chosen is None:
            return
        first = chosen
    for unit in movers(state.members(stack)):
        unit.target = target.id
    stack.orders.way, stack.moves_on = [], False  # its way back is over as well
    how = "must react" if answer == "must" else "reacts"
    text = f"{stack.id} at {stack.hex} {how} to others in {target.hex}."
    turn.tell([stack.team], text, kind="reaction", why=because("V8.61, V8.62"))
    yield from pursue_steps(turn, stack, first)


@rule("V8.26", "V8.54", "V8.62")
def _answer(state: BorderState, stack: UnitStack, intruders: Sequence[Unit], left: HexId) -> tuple[str, Unit] | None:
    """Whether a stack must or may react to any of these units, and to which; None if to none. V8.26, V8.54, V8.62"""
    members = state.members(stack)
    waiting = [unit for unit in movers(members) if unit.reacting]
    here = state.units_in(stack.hex)
    answers = [
        (answer_to(unit, one, in_zone=in_zone, left_hex=left, stack=members), one)
        for unit in waiting
        for one in intruders
        for in_zone in (is_in_zone(state.grid, unit, one.hex, here, state.zones),)
    ]
    must = next((one for said, one in answers if said == "must"), None)
    if must is not None:
        return "must", must
    may = next((one for said, one in answers if said == "may"), None)
    return None if may is None else ("may", may)


@rule("V8.61")
def _chosen_steps(
    turn: BorderTurn, stack: UnitStack, intruders: Sequence[Unit], where: HexId, goals: Sequence[HexId]
) -> Steps[str | None]:
    """Whether a stack reacts that may, by its standing order or its captain: the hex to go to first, empty for any;
    None if it does not. V8.61"""
    state, orders = turn.state, stack.orders
    if state.grid.distance(stack.hex, where) > orders.within:
        return None
    if orders.react == "ask":
        choice = yield from reaction_steps(turn, stack, where, goals)
        return (choice.way or "") if choice.answer == "react" else None
    if orders.react == "lone":
        company = {unit.id for unit in intruders}
        near = [one for hex_id in state.grid.within(where, 1) for one in others_seen(state, stack.team, hex_id)]
        return "" if all(one.id in company for one in near) else None
    return "" if orders.react == "any" else None


@rule("V8.62", "V8.63", "V8.68", "V8.69")
def pursue_steps(turn: BorderTurn, stack: UnitStack, first: str = "") -> Steps[None]:
    """Go a hex nearer to what a stack reacts to, as far as it has points and nobody pins it, and catch it if it is
    there. V8.62, V8.63, V8.68, V8.69"""
    state = turn.state
    units = movers(state.members(stack))
    target = state.units[units[0].target]
    if target.hex == stack.hex:
        _catch(turn, stack, target)
        return
    if not can_react(state, stack):
        return
    if not may_react_away(state, stack):
        state.now.done.append(stack.id)
        text = f"{stack.id} cannot react: it is held in {stack.hex}."
        turn.tell([stack.team], text, kind="reaction", why=because("V8.68"))
        return
    if stack.orders.cloak == "until it reacts":
        for unit in state.members(stack):
            unit.cloaked = False
        tidy_sightings(turn)
    left = stack.hex
    goals = closing_hexes(state.grid, left, target.hex)
    goal = first or min(goals, key=lambda one: (len(others_seen(state, stack.team, one)) and one != target.hex, one))
    enter(turn, stack, goal, reacting=True)
    if stack.hex == target.hex:
        _catch(turn, stack, target)
    yield from reactions_steps(turn, state.members(stack), left)


@rule("V8.62", "V8.69")
def _catch(turn: BorderTurn, stack: UnitStack, target: Unit) -> None:
    """Note that a stack caught what it reacted to: an engagement with a Team is forced, and who was under cloak is
    turned up. V8.62, V8.69"""
    state = turn.state
    for unit in movers(state.members(stack)):
        intercept(unit, target)
    stack.moves_on = stack.orders.after != "stay"
    caught = state.stack_of(target.id)
    for one in (stack, caught):
        if one is not None and any(unit.cloaked for unit in state.members(one)):
            one.upturned = True
    if target.team and stack.hex not in state.now.entered:
        state.now.entered.append(stack.hex)
    turn.tell([stack.team], f"{stack.id} intercepts others in {stack.hex}.", kind="reaction", why=because("V8.62"))
