"""What is counted of a tracked battle for its book's account. VM-N65, VM-N66"""

from itertools import product

from rules_engine.core.grids.space import hexes_between
from rules_engine.core.tactics.tallies import Fate, RangeTally, ShipTally, TacticalTally
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.state import by_code
from rules_engine.rulebooks.vector.tracked.state import MOST_ENDS, RangeCount, TrackedState


def count_turn(state: TrackedState) -> None:
    """Count a turn that is flown to its end: ranges, and whether any has shrunk since its beginning. VM-N65"""
    state.turns_flown += 1
    there = state.battle.present()
    for count in state.ranges:
        pairs = [*product(_of_force(state, count.one, there), _of_force(state, count.other, there))]
        if not pairs:
            continue
        count.ranges = [*count.ranges, min(hexes_between(one.at, other.at) for one, other in pairs)][-MOST_ENDS:]
        count.quiet_turns = 0 if any(_has_shrunk(one, other) for one, other in pairs) else count.quiet_turns + 1
    for ship in there:
        enemies = [one for one in there if not state.battle.friends(one.side, ship.side)]
        if enemies:
            count = state.counts[ship.id]
            nearest = min(hexes_between(ship.at, one.at) for one in enemies)
            count.closest = [*count.closest, nearest][-MOST_ENDS:]


def _of_force(state: TrackedState, first: str, units: list[VectorShip]) -> list[VectorShip]:
    force = state.forces[state.force_of(first)]
    return [one for one in units if one.side in force]


def _has_shrunk(one: VectorShip, other: VectorShip) -> bool:
    """Whether two units are nearer than at the turn's beginning, where their trails of the turn begin."""
    return hexes_between(one.at, other.at) < hexes_between(one.trail[0], other.trail[0])


def count_leavers(state: TrackedState, turn: int) -> None:
    """Note the turn of whoever is out of the battle since it was last looked at. VM-N66"""
    for code, count in state.counts.items():
        if state.battle.units[code].out in _FATES and not count.left_on:
            count.left_on = turn


def turn_reported(state: TrackedState) -> int:
    """The turn of what is reported now: with a turn's first piece, that which was flown to its end. VM-N66"""
    battle = state.battle
    return max(1, battle.turn - (battle.impulse == 0))


def tally(state: TrackedState) -> TacticalTally:
    """What was counted, for all parties: of units that have been seen alone."""
    units = sorted(state.battle.units.values(), key=lambda one: (state.battle.sides.index(one.side), by_code(one.id)))
    return TacticalTally(
        turns=state.turns_flown,
        ships=tuple(_ship(state, one) for one in units if one.id in state.counts),
        ranges=tuple(_range(one) for one in state.ranges if one.ranges or one.quiet_turns),
    )


def _ship(state: TrackedState, unit: VectorShip) -> ShipTally:
    count = state.counts[unit.id]
    return ShipTally(
        code=unit.id,
        side=unit.side,
        fate=_FATES.get(unit.out, ""),
        turn=count.left_on,
        speed=unit.vector.speed,
        closest=tuple(count.closest),
        in_tow=_tug_of(state, unit),
    )


def _tug_of(state: TrackedState, unit: VectorShip) -> str:
    """The tug that has a unit in tow, or with which it left the battle; empty for none. VM-N68"""
    if unit.out:
        return state.battle.left_in_tow.get(unit.id, "")
    tow = state.battle.tow_of(unit.id)
    return tow.lead if tow is not None and unit.id in tow.towed else ""


_FATES: dict[str, Fate] = {
    "destroyed": "destroyed",
    "disengaged": "disengaged",
    "left the map": "left the map",
}
"""What became of units that are out; one that has landed is still there, aboard another."""


def _range(count: RangeCount) -> RangeTally:
    return RangeTally(one=count.one, other=count.other, ranges=tuple(count.ranges), quiet_turns=count.quiet_turns)
