"""Which units somebody may see, and units in words."""

from collections.abc import Iterable

from rules_engine.core.basics.base import Side
from rules_engine.core.knowledge.rosters import OwnShip
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.state import VectorState, by_code


def seen_units(state: VectorState, side: Side | None) -> list[VectorShip]:
    """The units that a captain sees, in the order of seats and numbers: its own, also those that arrive later, and all
    that are there once the set-up is revealed. What arrives later is nobody else's business; None sees what all see.
    VM-R38"""
    there = state.battle.present() if state.revealed else []
    own = [] if side is None else [one for one in _in_the_game(state) if one.side == side]
    return _in_order(state, {one.id: one for one in (*there, *own)}.values())


def all_units(state: VectorState) -> list[VectorShip]:
    """All units that are in play or yet to come."""
    return _in_order(state, _in_the_game(state))


def _in_the_game(state: VectorState) -> list[VectorShip]:
    return [one for one in state.battle.units.values() if not one.out and not one.aboard]


def _in_order(state: VectorState, units: Iterable[VectorShip]) -> list[VectorShip]:
    return sorted(units, key=lambda one: (state.battle.sides.index(one.side), by_code(one.id)))


def say_motion(ship: VectorShip) -> str:
    """How a unit lies and moves: ``0412, faces A, 6A+6B, speed 12``."""
    motion = f"{ship.vector.says}, speed {ship.vector.speed}" if ship.vector.speed else "at rest"
    return f"{ship.at}, faces {ship.facing}, {motion}"


def say_unit(ship: VectorShip) -> str:
    """A unit with its name: ``H2 Vigilant at 0412, faces A, at rest``."""
    return f"{ship.id} {ship.name} at {say_motion(ship)}"


def say_energy(ship: VectorShip) -> str:
    """What a unit has left for movement; for its owner alone. VM-R38"""
    points = [
        f"{ship.warp_left} warp" if ship.warp_left else "",
        f"{ship.impulse_left} impulse" if ship.impulse_left else "",
        f"{ship.reserve_left} reserve" if ship.reserve_left else "",
    ]
    return " + ".join(filter(None, points)) or "none"


def roster(state: VectorState, side: Side) -> list[OwnShip]:
    """A captain's ships that are in play or yet to come, as its sheets name them."""
    return [OwnShip(one.id, one.name) for one in state.fleet(side) if not one.out]
