"""Units that match each other: near, and with nearly the same vector. VM-N20"""

from collections.abc import Sequence

from rules_engine.core.grids.space import hexes_between
from rules_engine.rulebooks.vector.records.aims import DuelRules
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.vectors import Vector


def relative_speed(one: Vector, other: Vector) -> int:
    """How fast one moves as the other sees it, in hexes a turn: the length of what parts their vectors."""
    return one.lattice.plus(other.lattice, -1).length


def are_matched(one: VectorShip, other: VectorShip, rules: DuelRules) -> bool:
    """Whether two units are near each other and keep near each other. VM-N20"""
    near = hexes_between(one.at, other.at) <= rules.match_range
    return near and relative_speed(one.vector, other.vector) <= rules.match_speed


def gathered_about(ships: Sequence[VectorShip], rules: DuelRules) -> Sequence[VectorShip]:
    """The ships of a squadron that all others of it match; one alone is no squadron. VM-N24"""
    if len(ships) < 2:
        return []
    return [centre for centre in ships if all(other is centre or are_matched(centre, other, rules) for other in ships)]
