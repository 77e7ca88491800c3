"""The map: galaxies, sectors, systems and the places within them, jump lanes, colonies and derelicts.

A place is named by a plain text. Without system maps there is one place for each system, of the system's own id. With
them that place is the system's outskirts, and each planet is a place of its own, ``sol/earth``.
"""

from dataclasses import field
from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import Count, Owner, Side
from rules_engine.core.basics.keys import KeyOf
from rules_engine.core.basics.rational import Rational
from rules_engine.core.basics.record import Record

PlaceId = Annotated[str, KeyOf("systems", "planets")]
"""A system's id, or that of a planet in it after a stroke: ``sol``, ``sol/earth``."""
LaneEnd = Annotated[str, KeyOf("systems", "planets", "galaxies")]
"""A place or, of an intergalactic lane, a galaxy."""
GoalId = Annotated[str, KeyOf("systems", "planets", or_other=True)]
"""Where a route leads: a place, or after a star a sector in which the place is drawn."""
LaneId = str
"""A lane's id, for the engine alone: it would tell how many lanes there are."""
LaneType = Literal["interplanetary", "interstellar", "sector", "intergalactic"]
CHARTED: frozenset[LaneType] = frozenset({"interstellar", "sector"})
"""Lanes of these types that are explored at the beginning are known to all. JL-R42"""
LaneClass = Literal["major", "normal", "minor", "restricted"]
Difficulty = Literal["easy", "moderate", "hard", "extreme"]

WITHIN = "/"


def system_of(place: PlaceId) -> str:
    """The system in which a place is."""
    return place.partition(WITHIN)[0]


def is_planet(place: PlaceId) -> bool:
    """Whether a place is a planet of a system map."""
    return WITHIN in place


class Galaxy(Record):
    """A galaxy; intergalactic lanes join galaxies."""

    id: str
    name: str


class Sector(Record):
    """A sector of a galaxy."""

    id: str
    name: str
    galaxy: str = ""


class LaneSystem(Record):
    """A star system. ``x`` and ``y`` are for drawing; ``planets`` are the places of its system map, if it has one."""

    id: str
    name: str
    x: Rational
    y: Rational
    sector: str = ""
    planets: list[PlaceId] = field(default_factory=list[PlaceId])


class LanePlanet(Record):
    """A planet of a system map; ``x`` and ``y`` are for drawing within it."""

    id: PlaceId
    name: str
    x: Rational
    y: Rational


class JumpLane(Record):
    """A lane. ``a`` and ``b`` are places, of an intergalactic lane galaxies.

    ``lane_class`` is None of a lane that nobody has surveyed, until the table of classes says it. ``mark_a`` and
    ``mark_b`` number the unexplored lanes of each end, so that one can be named by the end that is known.
    ``bonus`` is what each empire has gained for its next exploration checks; ``surveyed_by`` and ``surveyed_in`` who
    completed the survey, and in which turn; both are empty of a lane that was known from the beginning. 13.5.2
    """

    id: LaneId
    a: LaneEnd
    b: LaneEnd
    type: LaneType = "interstellar"
    lane_class: LaneClass | None = None
    explored: bool = True
    difficulty: Difficulty = "easy"
    mark_a: Count = 0
    mark_b: Count = 0
    bonus: dict[Side, int] = field(default_factory=dict[Side, int])
    surveyed_by: Owner = ""
    surveyed_in: Count = 0

    def other(self, end: PlaceId) -> PlaceId:
        """The far end."""
        return self.b if end == self.a else self.a

    def mark(self, end: PlaceId) -> str:
        """What a lane that is not yet explored is called at an end: ``sol?2``."""
        return f"{end}{UNCHARTED}{self.mark_a if end == self.a else self.mark_b}"


UNCHARTED = "?"
"""Between a place and the number of an unexplored lane there."""


class Colony(Record):
    """A colony at a place, and what waits there to be embarked. Units that stand there are found by their own
    ``at``. 13.3.2.1"""

    id: str
    name: str
    at: PlaceId
    owner: Owner = ""
    census: Count = 0
    experience: Annotated[int, Field(ge=0)] = 0
    rebellion: bool = False


class Derelict(Record):
    """A unit that was abandoned while it explored. 13.5.2"""

    id: str
    name: str
    at: PlaceId
    kind: str
    siz: Annotated[int, Field(ge=0)] = 0
