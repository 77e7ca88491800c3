"""Stacks: how far they go together, how they part and join, and what the others see of them."""

from collections.abc import Iterable, Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.border_patrol.allowances import allowance, cannot_move
from rules_engine.rulebooks.border_patrol.ch20_pinning.strength import standing_of
from rules_engine.rulebooks.border_patrol.ch30_towing.tows import NEVER_TOW, end_tow
from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import turn_up, turned_up
from rules_engine.rulebooks.border_patrol.ch60_reaction.waiting import end_reaction, give_up
from rules_engine.rulebooks.border_patrol.records.forces import UnitStack
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.records.units import CARRIED, Unit


def movers(units: Iterable[Unit]) -> list[Unit]:
    """Those of a stack's units that go by themselves: neither in tow nor aboard others."""
    return [unit for unit in units if not unit.towed_by and unit.kind not in CARRIED]


@rule("V8.15")
def goers(units: Iterable[Unit], *, together: bool = False) -> list[Unit]:
    """Those of a stack's units that go by themselves when it goes: all that can move. Who cannot stays behind, unless
    the stack keeps ``together``: then nobody goes. V8.15, BP-R59"""
    able = movers(units)
    stuck = [unit for unit in able if cannot_move(unit)]
    return [] if stuck and together else [unit for unit in able if unit not in stuck]


@rule("V8.15", "V8.91")
def stack_allowance(units: Sequence[Unit], *, together: bool = False) -> int:
    """How many hexes a stack may enter in a turn: as many as the slowest of those that can move. V8.15, V8.91, BP-N16,
    BP-R59"""
    known = {unit.id: unit for unit in units}
    return min(
        (
            allowance(unit, [known[key] for key in unit.towing if key in known])
            for unit in goers(units, together=together)
        ),
        default=0,
    )


def keeps_together(state: BorderState, stack: UnitStack) -> bool:
    """Whether a stack stays with those of it that cannot move: by its orders, or as a convoy none of whose cargo could
    go. BP-R59, BP-N33"""
    if stack.orders.company == "keep together":
        return True
    if state.convoy_of(stack.id) is None:
        return False
    units = state.members(stack)
    return not any(unit.kind in NEVER_TOW for unit in goers(units))


def goers_of(state: BorderState, stack: UnitStack) -> list[Unit]:
    """Those of a stack that go by themselves when it goes. BP-R59"""
    return goers(state.members(stack), together=keeps_together(state, stack))


def with_what_they_take(stack: Iterable[Unit], going: Sequence[Unit]) -> list[Unit]:
    """Some units of a stack with what they have in tow, and with what is aboard it."""
    keys = {unit.id for unit in going}
    return [unit for unit in stack if unit.id in keys or unit.towed_by in keys or unit.kind in CARRIED]


def target_of(units: Iterable[Unit]) -> str:
    """The unit that a stack is after in reaction; empty if it is after none."""
    return next((unit.target for unit in movers(units) if unit.target), "")


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
    """A stack of its own for some units of another, in the same hex under the same captain. It holds; reactions,
    cloaks and standing words stay as they were, and so do tows that are not torn. BP-R60, BP-R61"""
    team = state.teams[like.team]
    team.stacks_made += 1
    keys = [key for key in like.units if key in {*units}]
    like.units = [key for key in like.units if key not in keys]
    made = UnitStack(
        id=f"{team.emblem}{team.stacks_made}", team=like.team, hex=like.hex, captain=like.captain, units=keys
    )
    made.trail, made.refused_in, made.told_held = list(like.trail), like.refused_in, like.told_held
    made.orders = like.orders.changed(way=[], turned=False, rearguard=[])
    state.stacks[made.id] = made
    cut_tows(state)
    return made


def join(state: BorderState, one: UnitStack, to: UnitStack) -> None:
    """Let a stack's units go over to another in the same hex; if either was turned up, both are."""
    to.units = [*to.units, *one.units]
    one.units = []
    del state.stacks[one.id]
    if why := turned_up(state.members(to)):
        turn_up(state.members(to), why)


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
    for other in state.units.values():
        end_tow(unit, other)
        end_tow(other, unit)
        if other.target == unit.id:
            give_up(other)


@rule("V8.61", "V8.64")
def stop_reacting(state: BorderState, unit: Unit) -> None:
    """End a unit's reaction before the turn ends; with the last of its stack's ends its word about whom it reacts to.
    V8.61, V8.64, BP-R60"""
    end_reaction(unit)
    tidy_words(state, unit)


def tidy_words(state: BorderState, unit: Unit) -> None:
    """End the word of a unit's stack about whom it reacts to, if nobody in it reacts any more. BP-R60"""
    stack = state.stack_of(unit.id)
    if stack is not None and not any(one.reacting for one in state.members(stack)):
        stack.orders.react = "no"


def cut_tows(state: BorderState) -> None:
    """End tows whose ends are not in one stack any more."""
    for unit in state.units.values():
        for towed in state.towed_by(unit):
            if state.stack_of(unit.id) is not state.stack_of(towed.id):
                end_tow(unit, towed)


@rule("V8.56")
def is_seen(unit: Unit) -> bool:
    """Whether others see a unit on the map: not under cloak, unless it was turned up. V8.56, BP-R57"""
    return not unit.cloaked or bool(unit.turned_up)


def seen_as(state: BorderState, team: Side, hex_id: HexId) -> str:
    """The counter by which others see that a Team stands in a hex, whatever is in it. BP-R57"""
    return f"{state.teams[team].emblem}-{hex_id}"


def others_seen(state: BorderState, team: Side, hex_id: HexId) -> list[Unit]:
    """Units in a hex that are unfriendly to a Team, as far as it sees them."""
    return [unit for unit in state.units_in(hex_id) if standing_of(unit, team) == "unfriendly" and is_seen(unit)]


@rule("V8.21")
def present_to(state: BorderState, team: Side, hex_id: HexId) -> list[Unit]:
    """The units that count when a Team's leave a hex: its own, and those of others that stand open on the map; who is
    hidden holds nobody. V8.21, BP-N18"""
    return [unit for unit in state.units_in(hex_id) if standing_of(unit, team) != "unfriendly" or is_seen(unit)]


def whose(state: BorderState, team: Side, hex_id: HexId) -> str:
    """Whose the units are that a Team sees of others in a hex, as its map names them: Teams, and monsters by name."""
    named = dict.fromkeys(name_of_owner(state, unit) for unit in others_seen(state, team, hex_id))
    return " and ".join(named) or "others"


def name_of_owner(state: BorderState, unit: Unit) -> str:
    """Whose a unit is, as others' maps name it: its Team's, or a monster's or an alien ship's own name."""
    return f"the {state.teams[unit.team].name if unit.team else unit.name}"
