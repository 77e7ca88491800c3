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


def without_start(route: Sequence[HexId], start: HexId | None) -> list[HexId]:
    """The hexes that a written route enters: all of it, without the hex in which it begins if it names that. BP-R64"""
    return list(route[1:]) if route and route[0] == start else list(route)


def broken_way(route: Sequence[HexId], start: HexId | None, grid: Grid, path: str) -> Iterable[Refusal]:
    """That a route leads nowhere from ``start``, begins away from it or leaps over hexes. It may begin by naming
    ``start``, or with the hex beside it that is entered first. BP-R64"""
    yield from off_map(route, grid, path)
    ahead = without_start(route, start)
    if (
        start is not None
        and start in grid
        and ahead
        and ahead == list(route)
        and ahead[0] in grid
        and grid.distance(start, ahead[0]) != 1
    ):
        yield malformed(f"begins in {route[0]}", path, legal=f"a way from {start}")
    if route and not ahead:
        yield malformed(f"leads nowhere from {start}", path, legal=f"a way from {start}")
    for here, there in pairwise(route):
        if here in grid and there in grid and grid.distance(here, there) != 1:
            yield malformed(f"{here} and {there} are not next to each other", path, legal="one hex after another")
