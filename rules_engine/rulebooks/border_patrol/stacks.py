"""Stacks: how far they go together, how they part and join, and what the others see of them."""

from collections.abc import Iterable, Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.border_patrol.allowances import allowance
from rules_engine.rulebooks.border_patrol.ch20_pinning.strength import standing_of
from rules_engine.rulebooks.border_patrol.records.forces import UnitStack
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.records.units import CARRIED, Unit


def movers(units: Iterable[Unit]) -> list[Unit]:
    """Those of a stack's units that go by themselves: neither in tow nor aboard others."""
    return [unit for unit in units if not unit.towed_by and unit.kind not in CARRIED]


@rule("V8.15", "V8.91")
def stack_allowance(units: Sequence[Unit]) -> int:
    """How many hexes a stack may enter in a turn: as many as its slowest unit. V8.15, V8.91, BP-N16"""
    known = {unit.id: unit for unit in units}
    return min(
        (allowance(unit, [known[key] for key in unit.towing if key in known]) for unit in movers(units)), default=0
    )


@rule("V8.18")
def are_aboard_nothing(units: Iterable[Unit]) -> bool:
    """Whether nobody of some units travels: all of them move only aboard others. V8.18, BP-R09"""
    return all(unit.kind in CARRIED for unit in units)


def place(state: BorderState, stack: UnitStack, hex_id: HexId) -> None:
    """Put a stack with all its units into a hex."""
    stack.hex = hex_id
    for unit in state.members(stack):
        unit.hex = hex_id


def new_stack(state: BorderState, like: UnitStack, units: Iterable[str]) -> UnitStack:
    """A stack of its own for some units of another, in the same hex under the same captain. It holds."""
    team = state.teams[like.team]
    team.stacks_made += 1
    keys = [key for key in like.units if key in {*units}]
    like.units = [key for key in like.units if key not in keys]
    made = UnitStack(
        id=f"{team.emblem}{team.stacks_made}", team=like.team, hex=like.hex, captain=like.captain, units=keys
    )
    made.trail, made.upturned = list(like.trail), like.upturned
    made.orders.let_go, made.orders.onward = like.orders.let_go, like.orders.onward
    state.stacks[made.id] = made
    return made


def join(state: BorderState, one: UnitStack, to: UnitStack) -> None:
    """Let a stack's units go over to another in the same hex; if either was turned up, both are."""
    to.upturned = to.upturned or one.upturned
    to.units = [*to.units, *one.units]
    one.units = []
    del state.stacks[one.id]


@rule("V8.18")
def lose(state: BorderState, keys: Iterable[str]) -> list[Unit]:
    """Take units out of play, with what is left aboard nothing, and say which; stacks without units are no more. V8.18,
    BP-N17"""
    gone = [state.units.pop(key) for key in keys]
    for unit in gone:
        stack = state.stack_of(unit.id)
        if stack is not None:
            stack.units.remove(unit.id)
        set_free(state, unit)
        state.habits.pop(unit.id, None)
    for key, stack in sorted(state.stacks.items()):
        left = state.members(stack)
        if left and are_aboard_nothing(left):
            return [*gone, *lose(state, [unit.id for unit in left])]
        if not left:
            del state.stacks[key]
    return gone


def set_free(state: BorderState, unit: Unit) -> None:
    """End the tows of a unit that its Team has no more, as tower and as towed, and the pursuit of it."""
    unit.towing, unit.towed_by = [], ""
    for other in state.units.values():
        if other.towed_by == unit.id:
            other.towed_by = ""
        if unit.id in other.towing:
            other.towing.remove(unit.id)
        if other.target == unit.id:
            other.target = ""


def cut_tows(state: BorderState) -> None:
    """End tows whose ends are not in one stack any more."""
    for unit in state.units.values():
        for towed in state.towed_by(unit):
            if state.stack_of(unit.id) is not state.stack_of(towed.id):
                unit.towing.remove(towed.id)
                towed.towed_by = ""


@rule("V8.56")
def is_seen(state: BorderState, unit: Unit) -> bool:
    """Whether others see a unit on the map: not under cloak, unless its stack was turned up. V8.56, BP-R57"""
    stack = state.stack_of(unit.id)
    return not unit.cloaked or (stack is not None and stack.upturned)


def seen_as(state: BorderState, team: Side, hex_id: HexId) -> str:
    """The counter by which others see that a Team stands in a hex, whatever is in it. BP-R57"""
    return f"{state.teams[team].emblem}-{hex_id}"


def others_seen(state: BorderState, team: Side, hex_id: HexId) -> list[Unit]:
    """Units in a hex that are unfriendly to a Team, as far as it sees them."""
    return [unit for unit in state.units_in(hex_id) if standing_of(unit, team) == "unfriendly" and is_seen(state, unit)]


@rule("V8.21")
def present_to(state: BorderState, team: Side, hex_id: HexId) -> list[Unit]:
    """The units that count when a Team's leave a hex: its own, and those of others that stand open on the map; who is
    hidden holds nobody. V8.21, BP-N18"""
    return [unit for unit in state.units_in(hex_id) if standing_of(unit, team) != "unfriendly" or is_seen(state, unit)]
