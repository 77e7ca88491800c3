"""Invariants: what must never be true of a battle, and of a duel's state."""

from collections.abc import Iterable, Sequence

from rules_engine.core.grids.space import hex_at, lattice_of
from rules_engine.rulebooks.vector.campaign.deeds import course_of
from rules_engine.rulebooks.vector.records.plots import IMPULSES
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.state import VectorCaptain, VectorState
from rules_engine.rulebooks.vector.records.tactical import Tactical
from rules_engine.rulebooks.vector.records.vectors import Vector
from rules_engine.rulebooks.vector.tables.figures import MOST_IMPULSE, MOST_WARP


def defects(state: VectorState) -> Sequence[str]:
    """Everything that is impossible in this state, in words."""
    return [
        *_duel(state),
        *battle_defects(state.battle),
        *(found for key in state.captains for found in _captain(state, key, state.captains[key])),
    ]


def _duel(state: VectorState) -> Iterable[str]:
    battle = state.battle
    if battle.sides != list(state.captains):
        yield "the battle's sides are not the captains"
    if battle.turn > state.turns:
        yield f"turn {battle.turn} of {state.turns}"
    if battle.turn and not state.revealed:
        yield "it is flown, and the set-up is not revealed"


def battle_defects(battle: Tactical) -> Sequence[str]:
    """Everything that is impossible in a battle, whoever it belongs to."""
    return [
        *_battle(battle),
        *(found for key in sorted(battle.units) for found in _unit(battle, key, battle.units[key])),
    ]


def _battle(battle: Tactical) -> Iterable[str]:
    if battle.impulse and battle.impulse not in battle.options.ends:
        yield f"time stands at impulse {battle.impulse}, within a piece"
    held = [key for link in battle.tractors for key in (link.one, link.other)]
    if len(held) != len(set(held)):
        yield "a unit is in two tractors"
    for key in held:
        if key not in battle.units or battle.units[key].out:
            yield f"{key} is in a tractor and not in play"
    for tow in battle.tows:
        there = [battle.units[key] for key in tow.followers if key in battle.units and not battle.units[key].out]
        lead = battle.units.get(tow.lead)
        if battle.turn and lead is not None and any(one.vector != lead.vector for one in there):
            yield f"{tow.lead} has in tow what flies otherwise"
    for key in battle.fixed:
        if key not in battle.units or battle.units[key].vector.speed:
            yield f"{key} does not move, and is not there or moves"


def _unit(battle: Tactical, key: str, unit: VectorShip) -> Iterable[str]:
    if unit.id != key:
        yield f"{key} is filed as {unit.id}"
    if unit.side not in battle.sides:
        yield f"{key} is of no captain"
    if hex_at(lattice_of(unit.at)) != unit.at:
        yield f"{key} is in {unit.at}, which is written otherwise"
    if unit.trail and unit.trail[-1] != unit.at and not unit.aboard:
        yield f"{key} is in {unit.at} and its trail ends in {unit.trail[-1]}"
    if Vector(says=unit.vector.says).says != unit.vector.says:
        yield f"{key} has the vector {unit.vector.says}, which is not reduced"
    if unit.warp_used > MOST_WARP:
        yield f"{key} has used {unit.warp_used} points of warp in a turn"
    if unit.impulse_used > MOST_IMPULSE:
        yield f"{key} has used {unit.impulse_used} points of impulse power in a turn"
    if unit.reserve_left > unit.figures.reserve:
        yield f"{key} has more reserve than it can have"
    for what, clock in (("accelerated", unit.accelerated_on), ("turned", unit.turned_on)):
        if clock > battle.clock:
            yield f"{key} has {what} on an impulse to come"
    if unit.count_from > IMPULSES or any(hexes < 0 for hexes in unit.moved.values()):
        yield f"{key} has an impossible count"
    if unit.aboard and (unit.aboard not in battle.units or battle.units[unit.aboard].side != unit.side):
        yield f"{key} is aboard {unit.aboard}, which is no unit of its captain"


def _captain(state: VectorState, key: str, captain: VectorCaptain) -> Iterable[str]:
    units = state.battle.units
    if captain.id != key:
        yield f"{key} is filed as {captain.id}"
    for one in captain.caught:
        if one not in units or units[one].out != "caught":
            yield f"{key} has caught {one}, which is not caught"
    for one in captain.away:
        if one not in units or units[one].out != "left the map":
            yield f"{key} counts {one} as away, which is not"
    if any(not 0 <= count <= len(course_of(state)) for count in captain.passed.values()):
        yield f"{key} has passed more buoys than there are"
    if captain.done_on > state.battle.clock:
        yield f"{key} has reached its aim on an impulse to come"
    if captain.out and state.flying(key):
        yield f"{key} is out of play and has ships in play"
