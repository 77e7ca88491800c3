"""Bulletins: what one post told a place at a glance, and which reports lie behind it.

The buttons of a bulletin name it by its ``token``, which says nothing. What they show is read anew at each press.
"""

from dataclasses import dataclass
from typing import Any

ALL = 2**31 - 1
"""A number that no report reaches."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A numbered place as a bulletin told it: its sentence, a word about it, and the hexes that it is about. Its number
    is its rank."""

    hexes: tuple[str, ...]
    text: str
    aside: str = ""

    def document(self) -> dict[str, Any]:
        """As the database keeps it."""
        return {"hexes": [*self.hexes], "text": self.text, "aside": self.aside}

    @classmethod
    def of(cls, kept: dict[str, Any]) -> "Fact":
        """From what the database kept."""
        return cls(tuple(kept["hexes"]), kept["text"], kept["aside"])


@dataclass(frozen=True, slots=True)
class Bulletin:
    """One bulletin to a ``side``; "" for what everybody was told.

    It was posted at the entry ``seq``. Behind it lie the reports of the journal's entries after ``since`` up to
    ``until`` (after going back these are earlier ones) whose numbers are ``first`` to ``last``. ``said`` are the
    sentences that it told beside its ``facts``, and ``score`` how the reader stood, in two lines. ``is_undone`` once
    the referee went back to before it.
    """

    token: str
    campaign_id: str
    side: str
    since: int
    until: int
    seq: int
    first: int = 0
    last: int = ALL
    facts: tuple[Fact, ...] = ()
    said: tuple[str, ...] = ()
    score: str = ""
    is_undone: bool = False
