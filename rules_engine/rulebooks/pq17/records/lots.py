"""Orders that nobody chose, made by lot.

What the other side hears of comes in an order that it could have made itself, from its own numbers and from hexes.
Where that does not settle it, a lot does: so the order tells nothing of how the owner numbers its forces. A lot is a
roll of the campaign's dice, named after the owner's id; nobody is shown it before the seed is published.
"""

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any, TypeVar

from rules_engine.core.protocol.turn_context import TurnContext

T = TypeVar("T")

Draw = Callable[[Iterable[str]], list[str]]
"""Puts names into an order; ``list`` leaves them as they are."""

FACES = 10**9
"""So many that two lots are never alike in practice; if they are, the first comes first."""


def by_lot(turn: TurnContext[Any], things: Iterable[T], name: Callable[[T], str]) -> list[T]:
    """The things in an order that only the dice know; one thing needs none. ``name`` gives each its own die."""
    found = list(things)
    if len(found) < 2:
        return found
    return sorted(found, key=lambda one: turn.roll("lot", faces=FACES, key=f"lot/{name(one)}", seen_by=()).total)


def as_seen(turn: TurnContext[Any], things: Iterable[T], seen: Callable[[T], Any], name: Callable[[T], str]) -> list[T]:
    """The things by what their reader knows of them (``seen``), and what is alike to him by lot."""
    found: list[T] = []
    for _, alike in groupby(sorted(things, key=seen), key=seen):
        found += by_lot(turn, alike, name)
    return found


def drawing(turn: TurnContext[Any]) -> Draw:
    """Draws names by lot, for what works without a table."""
    return lambda names: by_lot(turn, names, str)
