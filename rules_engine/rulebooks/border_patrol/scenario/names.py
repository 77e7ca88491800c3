"""Defects that many parts of a scenario have in common: unknown names, doubled ones, hexes that are not there."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.refusals import Refusal, malformed, nearest
from rules_engine.core.grids.hexes import Grid

NAMED = 6
"""How many names a refusal lists."""


def unknown(key: str | None, known: Iterable[str], what: str, path: str) -> Iterable[Refusal]:
    """That a key names nothing, with those that may have been meant; None names nothing and need not."""
    keys = list(known)
    if key is not None and key not in keys:
        some = sorted(keys)[:NAMED]
        legal = f"{', '.join(some)}{' and others' if len(keys) > NAMED else ''}" or f"there is no {what} yet"
        yield malformed(f"{key} is no {what}", path, legal=legal, nearest=nearest(key, keys))


def doubled(keys: Iterable[str], path: str) -> Iterable[Refusal]:
    """That a key is given more than once."""
    for key, count in Counter(keys).items():
        if count > 1:
            yield malformed(f"{key} is given {count} times", path, legal="each once")


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
