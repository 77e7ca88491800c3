"""Drawing lots: in which order things come where neither a rule nor a player says so.

Where the other side is told several things, their order follows what it knows itself: its own numbers, and hexes.
Where that does not settle the order, a lot does, so that it tells nothing of how the owner numbers its forces. A lot is
a roll of the campaign's dice, named after the owner's id; nobody is shown it before the seed is published.
"""

from collections.abc import Callable, Iterable
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeVar

from rules_engine.core.protocol.turn_context import TurnContext

T = TypeVar("T")

Draw = Callable[[Iterable[str]], list[str]]
"""A function that puts names into an order; ``list`` keeps the order."""

FACES = 10**9
"""Faces of a lot: so many that ties hardly ever happen; on a tie the earlier thing comes first."""


def by_lot(turn: TurnContext[Any], things: Iterable[T], name: Callable[[T], str]) -> list[T]:
    """The things in an order drawn by dice; a single thing needs no roll. ``name`` labels each thing's die."""
    found = list(things)
    if len(found) < 2:
        return found
    return sorted(found, key=lambda one: turn.roll("lot", faces=FACES, key=f"lot/{name(one)}", seen_by=()).total)


def as_seen(turn: TurnContext[Any], things: Iterable[T], seen: Callable[[T], Any], name: Callable[[T], str]) -> list[T]:
    """The things sorted by what their reader knows of them (``seen``), and by lot where that is the same."""
    given = list(things)
    known = sorted((seen(one), place) for place, one in enumerate(given))
    groups = ([given[place] for _, place in alike] for _, alike in groupby(known, key=itemgetter(0)))
    return [one for alike in groups for one in by_lot(turn, alike, name)]


def drawing(turn: TurnContext[Any]) -> Draw:
    """A function that draws names by lot, for code that is given no turn context."""
    return lambda names: by_lot(turn, names, str)
