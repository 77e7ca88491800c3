"""A message made of blocks, ready to be sent."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

import discord

LAYOUT_FLAG = 1 << 15
"""Discord's flag of a message that is made of blocks."""

_TEXT = 10

Piece = Mapping[str, Any]
"""A component as Discord has it."""


def pieces_of(components: Iterable[Piece]) -> Iterator[Piece]:
    """Every component, outer ones first, from above to below."""
    for one in components:
        yield one
        yield from pieces_of(one.get("components") or ())
        if one.get("accessory"):
            yield from pieces_of([one["accessory"]])


def words_of(pieces: Iterable[Piece]) -> str:
    """What they say."""
    return "\n".join(one["content"] for one in pieces if one["type"] == _TEXT)


def ids_of(pieces: Iterable[Piece]) -> frozenset[str]:
    """The custom ids among them."""
    return frozenset(one["custom_id"] for one in pieces if one.get("custom_id"))


class MadeLayout(discord.ui.LayoutView):
    """Blocks as Discord takes them; shared, so nobody changes them. ``names`` are the files of the message they show.

    discord.py asks no more of it than what is sent: it keeps no state, and presses are routed by custom id elsewhere.
    """

    def __init__(self, sent: list[dict[str, Any]], names: tuple[str, ...] = ()) -> None:
        super().__init__(timeout=None)
        self.stop()
        self._sent = sent
        self.names = names

    def headed(self, words: str) -> "MadeLayout":
        """The same below a line of words."""
        return MadeLayout([{"type": _TEXT, "content": words}, *self._sent], self.names)

    def to_components(self) -> list[dict[str, Any]]:
        """As Discord takes them."""
        return self._sent

    def has_components_v2(self) -> bool:
        """Always: also words alone are sent as a block of text."""
        return True

    @cached_property
    def words(self) -> str:
        """What it says."""
        return words_of(pieces_of(self._sent))
