"""Strands: parts of play that go on side by side, each with its own parties, and close by themselves.

What a strand tells its parties is told at once. What it tells or shows anybody else waits until all strands of that
parting have ended, and is told then, strand by strand in the order of their keys, so that nothing depends on which of
them came first.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules_engine.core.basics.base import Json, Side
from rules_engine.core.knowledge.reports import Report

HELD = 0
"""The number of a report that is not told yet."""


@dataclass
class Strand:
    """One part of play. ``key`` is its place in the sequence; ``parties`` are the sides that it may ask and tell.

    ``seal`` keys its dice. ``said`` holds all that it has told, in order, with what is held back.
    """

    key: str
    parties: frozenset[Side]
    seal: str
    outer: "Strand | None" = None
    said: list[Report] = field(default_factory=list[Report])
    maps_for: set[Side] = field(default_factory=set[Side])
    public_due: bool = False

    def may_hear(self, to: tuple[str, ...]) -> bool:
        """Whether that audience may be told now."""
        return self.parties.issuperset(to)

    def document(self) -> dict[str, Json]:
        """What is held of it outside the state, for the journal to keep the digest of."""
        return {
            "seal": self.seal,
            "held": [one.model_dump(mode="json") for one in self.said if one.number == HELD],
            "maps": [*sorted(self.maps_for)],
            "public": self.public_due,
        }


def documents_of(strands: Mapping[str, Strand]) -> dict[str, Json]:
    """What is held of all open strands outside the state, by key."""
    return {key: strands[key].document() for key in sorted(strands)}
