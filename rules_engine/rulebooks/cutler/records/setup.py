"""What a campaign is set up from, and how far its set-up has come. Chapter 1."""

from collections.abc import Iterable
from dataclasses import field
from typing import Annotated

from pydantic import Field

from rules_engine.core.basics.base import Frozen, HexId, Side
from rules_engine.core.basics.record import Record
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.tables import BodyKind, HullFamily, PlanetKind

GasGiantSizes = tuple[Annotated[int, Field(ge=1)], Annotated[int, Field(ge=1)]]
GAS_GIANT_SIZES: tuple[int, int] = (2, 5)
"""The least and the greatest size of a gas giant, where a scenario names no others: invented. 1.1.2.4.1"""


class RaceOffer(Frozen):
    """A race that may be chosen. 1.1.1.1, 1.1.1.2"""

    name: str = Field(min_length=1, max_length=40)
    emblem: str = Field(min_length=1, max_length=2)
    recommended: bool = True


class Limit(Frozen):
    """How many ships of some kinds a starting force may have at most: of these hulls, of these classes, with special
    sensors (``scouts``) or with fighters (``carriers``). CU-R11"""

    says: str = Field(min_length=1, max_length=60)
    most: Annotated[int, Field(ge=0)]
    hull_types: tuple[HullFamily, ...] = ()
    classes: tuple[str, ...] = ()
    scouts: bool = False
    carriers: bool = False

    def counts(self, kind: UnitClass) -> bool:
        """Whether a ship of this class counts against it."""
        return (
            kind.hull_type in self.hull_types
            or kind.class_id in self.classes
            or (self.scouts and kind.is_scout)
            or (self.carriers and kind.fighters > 0)
        )


class Bases(Frozen):
    """Classes of the bases and the police ship that each planet has for nothing; blank for none. CU-R13"""

    capital: str = ""
    major: str = ""
    minor: str = ""
    police: str = ""

    def at(self, kind: BodyKind) -> list[str]:
        """What a planet of this kind has."""
        return [name for name in (getattr(self, kind, ""), self.police) if name]


class SetupRules(Frozen):
    """The part ``[setup]`` of a scenario. ``gas_giants`` are the least and the greatest size of a gas giant."""

    points: Annotated[int, Field(ge=0, le=100_000)] = 2000
    races: tuple[RaceOffer, ...]
    each_class: Annotated[int, Field(ge=1)] = 3
    freighter_share: Annotated[int, Field(ge=0, le=100)] = 25
    limits: tuple[Limit, ...] = ()
    bases: Bases = Bases()
    garrisons: dict[PlanetKind, Annotated[int, Field(ge=0)]] = Field(default_factory=dict[PlanetKind, int])
    """The boarding parties that each planet begins with. The book gives none; at most as many as 4.2.4.8 allows."""
    ready_made: dict[str, Annotated[int, Field(ge=1, le=99)]] = Field(default_factory=dict[str, int])
    gas_giants: GasGiantSizes = GAS_GIANT_SIZES
    empires: tuple[tuple[HexId, ...], ...] = ()
    """Each empire's hexes, if the scenario brings its map; all other hexes are the core."""


class StarSystem(Frozen):
    """What else is in a planet's hex: distances are in hexes of a tactical map, from the body that a moon orbits.

    ``gas_giant`` is its size, 0 where there is none. Every system has a sun (3.5). 1.1.2.4
    """

    moons: tuple[int, ...] = ()
    gas_giant: int = 0
    giant_moons: tuple[int, ...] = ()
    rings: bool = False
    asteroid_field: bool = False


class Setup(Record):
    """A set-up under way. ``order`` are the sides as they choose; ``chosen`` the empire of each, by its place."""

    rules: SetupRules
    classes: dict[str, UnitClass]
    empires: list[tuple[HexId, ...]] = field(default_factory=list[tuple[HexId, ...]])
    order: list[Side] = field(default_factory=list[Side])
    chosen: dict[Side, int] = field(default_factory=dict[Side, int])

    @property
    def free(self) -> list[int]:
        """The places of the empires that nobody has yet."""
        return [place for place in range(len(self.empires)) if place not in self.chosen.values()]

    def of(self, side: Side) -> tuple[HexId, ...]:
        """A side's empire."""
        return self.empires[self.chosen[side]]

    def middle_of(self, place: int) -> HexId:
        """The hex that stands for an empire on maps and in words: the one in the middle of its numbers."""
        hexes = self.empires[place]
        return hexes[len(hexes) // 2]

    def labels(self) -> dict[HexId, str]:
        """What the map calls empires that nobody has yet, by the hex in which it stands."""
        return {self.middle_of(place): f"Empire {place + 1}" for place in self.free}

    def buyable(self, race: str) -> Iterable[UnitClass]:
        """The classes that a race may buy: its own and those that everybody has, but neither bases nor police
        ships."""
        return (
            kind
            for kind in self.classes.values()
            if kind.empire in ("any", race) and kind.kind not in ("base", "ground_base", "police") and not kind.hybrid
        )
