"""Steps 4A1 to 4A3: initiative, and moves of one hex each in turn. BP-R58, BP-N22"""

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.dice import Roll
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Steps
from rules_engine.rulebooks.border_patrol.campaign.scoring import tally
from rules_engine.rulebooks.border_patrol.phases.decisions import onward_steps
from rules_engine.rulebooks.border_patrol.phases.leaving import leave_steps
from rules_engine.rulebooks.border_patrol.phases.moving import can_enter, can_go_on, can_react, enter, uses_held_points
from rules_engine.rulebooks.border_patrol.phases.reactions import pursue_steps, reactions_steps
from rules_engine.rulebooks.border_patrol.records.forces import UnitStack
from rules_engine.rulebooks.border_patrol.records.orders import RouteLeg
from rules_engine.rulebooks.border_patrol.records.others import BorderConvoy
from rules_engine.rulebooks.border_patrol.records.state import BorderState, BorderTurn, number_of
from rules_engine.rulebooks.border_patrol.stacks import is_seen, others_seen, stop_reacting, target_of, whose


@rule("V8.16")
def roll_initiative(turn: BorderTurn) -> tuple[list[Side], list[Roll]]:
    """Roll 2d6 for each Team, again while they are alike: the order in which they move, low first, and all rolls.
    V8.16, G-2"""
    state, rolls = turn.state, list[Roll]()
    again = 0
    while True:
        again += 1
        made = {team: _roll(turn, team, again) for team in state.teams}
        rolls += made.values()
        totals = {team: roll.total for team, roll in made.items()}
        if len({*totals.values()}) == len(totals):
            state.now.initiative = totals
            return sorted(totals, key=lambda team: totals[team]), rolls


def _roll(turn: BorderTurn, team: Side, again: int) -> Roll:
    name = turn.state.teams[team].name
    return turn.roll(f"initiative of the {name}", faces=6, count=2, key=f"initiative/{team}/{again}")


@rule("V8.15", "V8.94")
def movement_steps(turn: BorderTurn, order: list[Side]) -> Steps[None]:
    """Let the Teams move in turn, one stack by one hex each time, until nobody moves any more. Nobody must. V8.15,
    V8.94, BP-N22"""
    state = turn.state
    while any(next_mover(state, team) is not None for team in order):
        for team in order:
            stack = next_mover(state, team)
            if stack is not None:
                yield from _move_steps(turn, stack)


def next_mover(state: BorderState, team: Side) -> UnitStack | None:
    """The stack of a Team that moves next: of those that still would and may, one in the open before any under cloak,
    whose moves would else be told by the order of the others; of these the one that moved least in the phase."""
    able = [stack for stack in state.stacks_of(team) if stack.id not in state.now.done and _would_move(state, stack)]
    return min(able, key=lambda one: _place_in_order(state, one), default=None)


def _place_in_order(state: BorderState, stack: UnitStack) -> tuple[object, ...]:
    hidden = not any(is_seen(unit) for unit in state.members(stack))
    return hidden, state.now.moved.get(stack.id, 0), number_of(stack.id)


def _would_move(state: BorderState, stack: UnitStack) -> bool:
    if target_of(state.members(stack)):
        return can_react(state, stack)
    convoy = state.convoy_of(stack.id)
    goal = _next_of_convoy(state, convoy) if convoy is not None else _next_leg(state, stack)
    able = can_go_on if uses_held_points(state, stack) else can_enter
    return goal is not None and able(state, stack)


def _next_leg(state: BorderState, stack: UnitStack) -> HexId | None:
    way = stack.orders.way
    return way[0].hex if way and way[0].phase <= state.now.phase else None


def _next_of_convoy(state: BorderState, convoy: BorderConvoy) -> HexId | None:
    return convoy.route[convoy.gone + 1] if state.turn >= convoy.sets_out else None


def _move_steps(turn: BorderTurn, stack: UnitStack) -> Steps[None]:
    """Let a stack go on by one hex, if nothing keeps it; else it moves no more in this phase."""
    state = turn.state
    if target_of(state.members(stack)):
        yield from _hunt_steps(turn, stack)
        return
    convoy = state.convoy_of(stack.id)
    goal = _next_of_convoy(state, convoy) if convoy is not None else _next_leg(state, stack)
    if convoy is None and goal is not None:
        goal = yield from _onward_steps(turn, stack, goal)
    if goal is None:
        return
    left = stack.hex
    may = yield from leave_steps(turn, stack)
    if not may:
        return
    held = uses_held_points(state, stack)
    for unit in state.members(stack):
        if unit.reacting and not held:  # who has not left its station leaves it by orders
            stop_reacting(state, unit)
    enter(turn, stack, goal, reacting=held)
    if convoy is not None:
        _sail(turn, convoy)
    else:
        stack.orders.way.pop(0)
    yield from reactions_steps(turn, state.members(stack), left)


def _hunt_steps(turn: BorderTurn, stack: UnitStack) -> Steps[None]:
    """Go on after what it reacts to; who gets no nearer moves no more in this phase."""
    before = stack.hex
    yield from pursue_steps(turn, stack)
    if stack.hex == before and stack.id not in turn.state.now.done:
        turn.state.now.done.append(stack.id)


def _onward_steps(turn: BorderTurn, stack: UnitStack, goal: HexId) -> Steps[HexId | None]:
    """The hex that a stack goes to that may see others in ``goal``; None if its way ends here. Bases, which were there
    before, stop nobody. BP-N23"""
    state, orders = turn.state, stack.orders
    seen = [unit for unit in others_seen(state, stack.team, goal) if unit.kind != "base"]
    if not seen:
        return goal
    does, who = orders.onward, whose(state, stack.team, goal)
    before = f"{who} in {goal}, from {stack.hex}"
    if does == "ask" and stack.goes_on == before:  # it was held, and is not asked anew before the same ones
        does = "go on"
    elif does == "ask":
        does = yield from onward_steps(turn, stack, goal)
    if does == "go on":
        stack.goes_on = before
        return goal
    why = because("BP-R58", {"seen in": goal})
    if does == "turn back" and stack.trail and not orders.turned:
        orders.turned = True
        orders.way = [RouteLeg(hex=hex_id) for hex_id in reversed(stack.trail)]
        turn.tell([stack.team], f"{stack.id} sees {who} in {goal} and turns back.", kind="onward", why=why)
        return None
    orders.way = []
    turn.tell([stack.team], f"{stack.id} sees {who} in {goal} and stops at {stack.hex}.", kind="onward", why=why)
    return None


def _sail(turn: BorderTurn, convoy: BorderConvoy) -> None:
    """Count a convoy's hex; at the end of its way it is in, and its ships are commanded as others are."""
    state = turn.state
    convoy.gone += 1
    convoy.fate = "under way"
    if convoy.gone + 1 == len(convoy.route):
        convoy.fate = "in"
        tally(state, convoy.team, state.scoring.convoy_in, "a convoy")
        text = f"The convoy {convoy.stack} has come in to {convoy.route[-1]}."
        turn.tell([convoy.team], text, kind="convoy", why=because("BP-N19"))
