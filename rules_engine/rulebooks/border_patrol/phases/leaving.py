"""Leaving a hex in which others are: freely, by what stays, by Command Rating, or because they let it go."""

from collections.abc import Sequence

from rules_engine.core.basics.counted import verb
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Steps
from rules_engine.rulebooks.border_patrol.ch20_pinning.departures import (
    Leave,
    judge_departure,
    may_be_let_go,
    way_to_leave,
)
from rules_engine.rulebooks.border_patrol.phases.decisions import withdrawal_steps
from rules_engine.rulebooks.border_patrol.phases.moving import can_enter
from rules_engine.rulebooks.border_patrol.records.forces import UnitStack
from rules_engine.rulebooks.border_patrol.records.state import BorderState, BorderTurn
from rules_engine.rulebooks.border_patrol.records.units import Unit
from rules_engine.rulebooks.border_patrol.stacks import (
    are_aboard_nothing,
    goers_of,
    new_stack,
    present_to,
    stop_reacting,
    with_what_they_take,
)

_HOW = {"left behind": "enough stays behind", "command": "by its Command Rating", "consent": "the others let it go"}


@rule("V8.21", "V8.23", "V8.24", "V8.25", "V8.52")
def leave_steps(turn: BorderTurn, stack: UnitStack) -> Steps[bool]:
    """Let a stack leave its hex if it may, by its orders for being held, and say whether it does; what it leaves behind
    is a stack of its own then. One that may not stays for the phase, and its Team is told why. V8.21, V8.23, V8.24,
    V8.25, V8.52"""
    state, orders, hex_id = turn.state, stack.orders, stack.hex
    units = with_what_they_take(state.members(stack), goers_of(state, stack))
    breaks_out = orders.held in ("break out", "either")
    how = _way(state, stack, units, by_command=breaks_out)
    if how is None and breaks_out:
        rear = [unit for unit in units if unit.id in orders.rearguard]
        ahead = [unit for unit in units if unit not in rear]
        if not (are_aboard_nothing(rear) or are_aboard_nothing(ahead)):  # who is left of them, after losses
            how = _way(state, stack, ahead, by_command=True)
            if how is not None:
                _part(turn, stack, rear, "V8.23")
                units = ahead
    if how is None and orders.held in ("withdraw", "either"):
        how = yield from _ask_steps(turn, stack)
    if how is None:
        state.now.done.append(stack.id)
        _tell_held(turn, stack)
        return False
    if how == "consent":
        for unit in units:
            stop_reacting(state, unit)
    stay_behind(turn, stack, units, "BP-R59")
    if how != "free":
        turn.tell([stack.team], f"{stack.id} leaves {hex_id}: {_HOW[how]}.", kind="held", why=because("V8.23 to V8.25"))
    if how == "command":
        state.now.use_command(stack.team, hex_id)
    return True


@rule("V8.15", "V8.26")
def stay_behind(turn: BorderTurn, stack: UnitStack, going: Sequence[Unit], rule_id: str) -> None:
    """Let those of a stack that do not go stay as a stack of their own. V8.15, V8.26, BP-R59, BP-R60"""
    keys = {unit.id for unit in going}
    staying = [unit for unit in turn.state.members(stack) if unit.id not in keys]
    if staying:
        _part(turn, stack, staying, rule_id)


def _part(turn: BorderTurn, stack: UnitStack, staying: Sequence[Unit], rule_id: str) -> None:
    made = new_stack(turn.state, stack, [unit.id for unit in staying])
    names = ", ".join(unit.name for unit in staying)
    text = f"{names} {verb(len(staying), 'stays', 'stay')} in {stack.hex} as {made.id}."
    turn.tell([stack.team], text, kind="held", why=because(rule_id))


def _tell_held(turn: BorderTurn, stack: UnitStack) -> None:
    """Tell a Team why a stack of it does not leave; once a turn in a hex, however often it would."""
    if stack.told_held == stack.hex:
        return
    stack.told_held = stack.hex
    state = turn.state
    used = _no_command(state, stack, by_command=stack.orders.held in ("break out", "either"))
    here = present_to(state, stack.team, stack.hex)
    equal = "equal_may_use_command" in state.options
    going = with_what_they_take(state.members(stack), goers_of(state, stack))
    *_, refused = judge_departure(stack.team, here, going, command_used=used, equal_may=equal)
    text = f"{stack.id} is held in {stack.hex}: {refused.problem}. Legal: {refused.legal}."
    turn.tell([stack.team], text, kind="held", why=because(refused.rule))


@rule("V8.68")
def may_react_away(state: BorderState, stack: UnitStack, going: Sequence[Unit]) -> bool:
    """Whether those of a stack that would react may leave its hex: nobody pins them. V8.68"""
    return _way(state, stack, going, by_command=False) is not None


def _way(state: BorderState, stack: UnitStack, leaving: Sequence[Unit], *, by_command: bool) -> Leave | None:
    used = _no_command(state, stack, by_command=by_command)
    here, equal = present_to(state, stack.team, stack.hex), "equal_may_use_command" in state.options
    return way_to_leave(stack.team, here, leaving, command_used=used, equal_may=equal)


@rule("V8.24")
def _no_command(state: BorderState, stack: UnitStack, *, by_command: bool) -> bool:
    """Whether a stack does not go by its Command Rating: its orders do not say so, or another did in this phase.
    V8.24, BP-R14"""
    return not by_command or state.now.has_used_command(stack.team, stack.hex)


@rule("V8.25")
def _ask_steps(turn: BorderTurn, stack: UnitStack) -> Steps[Leave | None]:
    """Ask the others in a hex to let a Team's units go, once a turn for all that are there: what their orders say, or
    their captains; what they allow holds for the phase. Who would go by points of a reaction alone does not ask: it
    would lose them by leaving. V8.25, BP-R16, BP-R60"""
    state, hex_id = turn.state, stack.hex
    here = present_to(state, stack.team, hex_id)
    if state.now.may_withdraw(stack.team, hex_id) and may_be_let_go(stack.team, here) and can_enter(state, stack):
        return "consent"
    if stack.refused_in == hex_id or not may_be_let_go(stack.team, here) or not can_enter(state, stack):
        return None
    other = state.other(stack.team)
    theirs = [one for one in state.stacks_of(other) if one.hex == hex_id and any(u in here for u in state.members(one))]
    granted = not any(one.orders.let_go == "refuse" for one in theirs)
    undecided = [one for one in theirs if one.orders.let_go == "ask"]
    if granted and undecided:
        granted = yield from withdrawal_steps(turn, other, hex_id, undecided)
    if granted:
        state.now.let_withdraw(stack.team, hex_id)
    else:
        for one in state.stacks_of(stack.team):
            one.refused_in = hex_id if one.hex == hex_id else one.refused_in
    says = "may leave before combat" if granted else "may not leave before combat"
    text = f"The {state.teams[stack.team].name} asked to leave {hex_id}: it {says}."
    turn.tell([stack.team, other], text, kind="held", why=because("V8.25"))
    return "consent" if granted else None
