"""Reactionary Movement: who reacts to whom that came near, and goes after it. V8.60"""

from collections.abc import Sequence

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Steps
from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import cloak_order, end_cloak, turn_up
from rules_engine.rulebooks.border_patrol.ch60_reaction.reacting import answer_to, closing_hexes, sees_through_cloaks
from rules_engine.rulebooks.border_patrol.ch60_reaction.waiting import aim_at, came_by_reaction, give_up, intercept
from rules_engine.rulebooks.border_patrol.ch60_reaction.zones import is_in_zone
from rules_engine.rulebooks.border_patrol.phases.decisions import reaction_steps
from rules_engine.rulebooks.border_patrol.phases.leaving import may_react_away, stay_behind
from rules_engine.rulebooks.border_patrol.phases.moving import can_react, enter, pursuers
from rules_engine.rulebooks.border_patrol.records.forces import UnitStack
from rules_engine.rulebooks.border_patrol.records.state import BorderState, BorderTurn
from rules_engine.rulebooks.border_patrol.records.units import Unit
from rules_engine.rulebooks.border_patrol.sightings import tidy_sightings
from rules_engine.rulebooks.border_patrol.stacks import (
    is_seen,
    movers,
    name_of_owner,
    others_seen,
    target_of,
    with_what_they_take,
)


@rule("V8.61", "V8.62")
def reactions_steps(turn: BorderTurn, intruders: Sequence[Unit], left: HexId) -> Steps[None]:
    """Let stacks that lie in wait react to units that came into a hex from ``left``, the other Team's, or both Teams'
    if these are monsters or alien ships. V8.61, V8.62"""
    state = turn.state
    own = intruders[0].team
    for team in (key for key in state.teams if key != own):
        for stack in state.stacks_of(team):  # one that another reaction met may be elsewhere by now, none is gone
            yield from _react_steps(turn, stack, intruders, left)


@rule("V8.61", "V8.63")
def _react_steps(turn: BorderTurn, stack: UnitStack, intruders: Sequence[Unit], left: HexId) -> Steps[None]:
    """Let a stack begin to react, if it must or its captain will: its way is over, and so is a cloak that is worn until
    then, whether or not it gets away from where it stands. V8.61, V8.63, BP-R61"""
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
        aim_at(unit, target.id)
    stack.orders.way, stack.moves_on = [], False  # its way back is over as well
    if cloak_order(state.members(stack)) == "until it reacts":
        for unit in state.members(stack):
            end_cloak(unit)
        tidy_sightings(turn)
    how = "must react" if answer == "must" else "reacts"
    text = f"{stack.id} at {stack.hex} {how} to {name_of_owner(state, target)} in {target.hex}."
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
    """Let those of a stack that react go a hex nearer to whom they react to, as far as they have points and nobody pins
    them, and catch it if it is there. Who does not react stays as a stack of its own. V8.62, V8.63, V8.68, V8.69,
    BP-R60"""
    state = turn.state
    target = state.units[target_of(state.members(stack))]
    if target.hex == stack.hex:
        _catch(turn, stack, target)
        return
    if _lost_from_sight(state, stack, target):
        for unit in state.members(stack):
            give_up(unit)
        return
    if not can_react(state, stack):
        return
    going = with_what_they_take(state.members(stack), pursuers(state.members(stack)))
    if not may_react_away(state, stack, going):
        state.now.done.append(stack.id)
        if stack.told_held != stack.hex:
            stack.told_held = stack.hex
            text = f"{stack.id} cannot react: it is held in {stack.hex}."
            turn.tell([stack.team], text, kind="reaction", why=because("V8.68"))
        return
    stay_behind(turn, stack, going, "BP-R60")
    left = stack.hex
    goals = closing_hexes(state.grid, left, target.hex)
    goal = first or min(goals, key=lambda one: (len(others_seen(state, stack.team, one)) and one != target.hex, one))
    enter(turn, stack, goal, reacting=True)
    for unit in pursuers(state.members(stack)):
        came_by_reaction(unit, goal)
    if stack.hex == target.hex:
        _catch(turn, stack, target)
    yield from reactions_steps(turn, state.members(stack), left)


@rule("V8.54")
def _lost_from_sight(state: BorderState, stack: UnitStack, target: Unit) -> bool:
    """Whether whom a stack reacts to is under cloak, and nobody in it senses that any more. V8.54"""
    return not is_seen(target) and not any(sees_through_cloaks(unit) for unit in state.members(stack))


@rule("V8.62", "V8.69")
def _catch(turn: BorderTurn, stack: UnitStack, target: Unit) -> None:
    """Note that a stack caught what it reacted to: an engagement with a Team is forced, and who was under cloak is
    turned up. V8.62, V8.69"""
    state = turn.state
    for unit in movers(state.members(stack)):
        intercept(unit, target)
    stack.moves_on = stack.orders.after != "stay"
    caught = state.stack_of(target.id)
    for one in filter(None, (stack, caught)):
        turn_up(state.members(one), "caught")
    if target.team and stack.hex not in state.now.entered:
        state.now.entered.append(stack.hex)
    text = f"{stack.id} intercepts {name_of_owner(state, target)} in {stack.hex}."
    turn.tell([stack.team], text, kind="reaction", why=because("V8.62"))
