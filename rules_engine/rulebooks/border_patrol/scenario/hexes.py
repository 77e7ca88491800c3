"""Defects that many parts of a scenario have in common: hexes that are not there, ways that are none."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.refusals import Refusal, malformed
from rules_engine.core.grids.hexes import Grid


def off_map(hexes: Iterable[HexId], grid: Grid, path: str) -> Iterable[Refusal]:
    """That hexes are not on the map."""
    for hex_id in hexes:
        if hex_id not in grid:
            yield malformed(f"{hex_id} is not on the map", path, legal=f"{grid.hexes()[0]} to {grid.hexes()[-1]}")


def broken_way(route: Sequence[HexId], start: HexId | None, grid: Grid, path: str) -> Iterable[Refusal]:
    """That a route does not begin at ``start`` or leaps over hexes."""
    yield from off_map(route, grid, path)
    if start is not None and route and route[0] != start:
        yield malformed(f"begins in {route[0]}", path, legal=f"a way from {start}")
    for here, there in pairwise(route):
        if here in grid and there in grid and grid.distance(here, there) != 1:
            yield malformed(f"{here} and {there} are not next to each other", path, legal="one hex after another")
