"""Whose space is drawn on a map. The book prints no borders: they are drawn around places that a reader knows."""

from collections.abc import Iterable, Mapping

from rules_engine.core.basics.base import HexId, Owner
from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.territory import Held, territory_around
from rules_engine.rulebooks.pq17.records.forces import TaskForce
from rules_engine.rulebooks.pq17.records.state import State

AROUND_BASE, AROUND_SETTLED = 2, 1
"""Hexes around a base and around a settled hex that are drawn as its owner's space."""


@rule("1.7.1", "1.8.10.1")
def map_territory(state: State, bases: Iterable[TaskForce]) -> Mapping[HexId, Owner]:
    """Whose space the hexes are for a reader who knows of these bases; settled hexes are public. PQ-17 1.7.1,
    1.8.10.1."""
    held = {Held(settled.hex, settled.side, AROUND_SETTLED) for settled in state.settled.values()}
    held |= {Held(base.hex, base.side, AROUND_BASE) for base in bases}
    return territory_around(state.grid, sorted(held))
