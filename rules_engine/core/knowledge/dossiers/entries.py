"""Entries of a dossier: one thing that a side knows, of whom, from where, since when and how surely."""

from typing import Literal

from pydantic import Field

from rules_engine.core.basics.base import Frozen, HexId, Owner, When

Source = Literal[
    "own eyes",
    "reconnaissance",
    "shadowing",
    "scan",
    "spy mission",
    "intelligence",
    "battle",
    "open map",
    "hearsay",
]
"""How a side came to know something. What is on the ``open map`` everybody sees; of ``hearsay`` its giver did not say
how it came to know."""

Confidence = Literal["certain", "partial", "slight", "unconfirmed"]
"""How surely something is known: all that there is to know; some of it; only that something is there; or only because
another side says so."""

LONGEST_SUBJECT = 120
LONGEST_TEXT = 4_000
MOST_DETAILS = 200

PARTIAL_GRADE, CERTAIN_GRADE = 2, 4
"""From which grades of maps on a contact is known in part and in full."""


class DossierEntry(Frozen):
    """One thing that a side knows.

    ``subject`` is what it is of, in the reader's own words: a contact's number (``is_contact``), a place, a ship;
    ``about`` is whose that is. ``when`` is when it was learnt, ``since`` when the same was first told of several times
    in a row; ``rule`` why it is known. ``ends`` tells that a contact is held no more: ``lost`` from sight, or ``gone``
    for good. ``handed_on_by`` is the side that says so: then it is hearsay, and a contact's number is that side's own.
    """

    about: Owner = ""
    subject: str = Field(min_length=1, max_length=LONGEST_SUBJECT)
    text: str = Field(min_length=1, max_length=LONGEST_TEXT)
    details: tuple[str, ...] = Field(default=(), max_length=MOST_DETAILS)
    source: Source
    confidence: Confidence
    when: When
    since: When | None = None
    hex: HexId = ""
    is_contact: bool = False
    rule: str = ""
    ends: Literal["", "lost", "gone"] = ""
    handed_on_by: Owner = ""

    @property
    def is_hearsay(self) -> bool:
        """Whether it is known only because another side says so."""
        return self.handed_on_by != ""

    def says_the_same(self, other: "DossierEntry") -> bool:
        """Whether the other one says the same, whenever and for whatever reason."""
        own = (self.subject, self.text, self.details, self.source, self.hex, self.ends)
        return own == (other.subject, other.text, other.details, other.source, other.hex, other.ends)


def as_hearsay(entry: DossierEntry, giver: Owner) -> DossierEntry:
    """What ``giver`` hands on of its own dossier, as it stands in that of whoever gets it: with its age, and not
    confirmed. What was hearsay already is hearsay from the last who handed it on."""
    return entry.model_copy(update={"handed_on_by": giver, "confidence": "unconfirmed", "since": None})


def confidence_of(grade: int | None) -> Confidence:
    """How surely a contact is known that maps draw at this grade."""
    known = grade or 0
    return "certain" if known >= CERTAIN_GRADE else "partial" if known >= PARTIAL_GRADE else "slight"
