"""Warp friction, at the end of a turn, where a table wants it. CJD1.61, CJD1.611"""

from typing import NamedTuple

from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.space import WAYS, Way, opposite
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.vectors import Vector
from rules_engine.rulebooks.vector.tables.figures import FAST, FASTER_STEP


class Loss(NamedTuple):
    """What friction takes: hexes of speed, and damage to a shield (1 to 6, clockwise from the bow; 0: to none)."""

    hexes: int
    damage: int
    shield: int
    way: Way


@rule("CJD1.6", "CJD1.61", "CJD1.611")
def loss_at(speed: int) -> tuple[int, int]:
    """Hexes of speed, and points of damage, that friction takes at a speed: none up to 1, 1 hex up to 32; above it 2
    and 1, and one more of each for every 8 hexes above. CJD1.61, CJD1.611, VM-R32, VM-R33"""
    if speed <= 1:
        return 0, 0
    if speed <= FAST:
        return 1, 0
    more = (speed - FAST) // FASTER_STEP
    return 2 + more, 1 + more


@rule("CJD1.61", "CJD1.611")
def slow_down(ship: VectorShip, chosen_by: VectorShip) -> Loss | None:
    """Slow a unit down, hex by hex in the element that is the greatest then, and damage the shield on the side of the
    first. Of equal elements that which ``chosen_by`` chooses: itself, or who controls it in a tractor. None if it is
    too slow. CJD1.61, CJD1.611, VM-R33"""
    hexes, damage = loss_at(ship.vector.speed)
    if not hexes:
        return None
    first = _greatest(ship.vector, chosen_by)
    for _ in range(hexes):
        ship.vector = ship.vector.plus(opposite(_greatest(ship.vector, chosen_by)), 1)
    shield = (WAYS.index(first) - WAYS.index(ship.facing)) % len(WAYS) + 1
    if damage:
        shields = [max(0, left - damage * (number == shield)) for number, left in enumerate(ship.figures.shields, 1)]
        ship.figures = ship.figures.with_values(shields=tuple(shields))
    return Loss(hexes, damage, shield if damage else 0, first)


@rule("CJD1.61")
def _greatest(vector: Vector, chosen_by: VectorShip) -> Way:
    """The greatest element; of two equal ones that which its captain named, else the one further from the facing.
    CJD1.61, VM-N08"""

    def rank(way: Way) -> tuple[int, bool, int]:
        apart = (WAYS.index(way) - WAYS.index(chosen_by.facing)) % len(WAYS)
        return vector.elements[way], way == chosen_by.friction_from, min(apart, len(WAYS) - apart)

    return max(vector.elements, key=rank)
