"""Terrain features of a hex, and who is where while its battles are fought. 3.5"""

from collections.abc import Iterable
from dataclasses import field
from typing import Literal, NamedTuple

from rules_engine.core.basics.base import Frozen, Side
from rules_engine.core.basics.record import Record

APPROACH = "approach"
"""Where those are who are at no feature: they fight the approach battle. 3.5.4.2"""
PLANET, GIANT, SUN, ASTEROIDS = "planet", "giant", "sun", "asteroids"
APART = "apart"
"""The orbit of a base that orbits nothing: it is a feature by itself. CU-R64"""
BASE = "base"
"""What stands before a number in the key of such a feature."""


def moon_key(number: int) -> str:
    """The key of a planet's moon of that number, from 1 on."""
    return f"moon{number}"


def giant_moon_key(number: int) -> str:
    """The key of a gas giant's moon of that number, from 1 on."""
    return f"giantmoon{number}"


class TerrainFeature(Frozen):
    """A terrain point, which takes up to 1000 hexes of a tactical map, or a location, which takes more. 3.5.2

    ``key`` is neutral: it tells nothing that only one side knows. ``says`` is what else the sheet of a battle there
    says.
    """

    key: str
    name: str
    kind: Literal["point", "location"]
    says: str = ""


class HexTerrain(Record):
    """What goes on at the features of a hex in its fights.

    ``bases`` are the features of bases. ``places`` are the features at which units are in this encounter, or
    ``approach``; ``fought_at`` where units have fought in this impulse, by the base for one that is a feature by itself
    (features are numbered anew). ``carriers`` are those of fighters that are apart from them.
    """

    features: list[TerrainFeature] = field(default_factory=list[TerrainFeature])
    bases: dict[str, str] = field(default_factory=dict[str, str])
    places: dict[str, str] = field(default_factory=dict[str, str])
    fought_at: dict[str, str] = field(default_factory=dict[str, str])
    carriers: dict[str, str] = field(default_factory=dict[str, str])

    def named(self, key: str) -> TerrainFeature:
        """The feature of that key."""
        return next(one for one in self.features if one.key == key)

    def note_fought(self, units: Iterable[str], key: str) -> None:
        """Note that these units have fought at a feature. 3.5.6"""
        alone = [base for base, place in self.bases.items() if place == key and place.startswith(BASE)]
        self.fought_at |= dict.fromkeys(units, alone[0] if alone else key)

    def where_fought(self, unit: str) -> str:
        """The feature at which a unit has fought in this impulse, "" if at none. 3.5.6"""
        place = self.fought_at.get(unit, "")
        return self.bases.get(place, place)

    def of(self, key: str) -> list[str]:
        """The units at a place, by id."""
        return sorted(unit for unit, place in self.places.items() if place == key)


class WaysOut(NamedTuple):
    """Who may escape, and where to. ``goals`` are the features to which ``attacker`` may; other waves go away only, by
    ``why_not``. ``at`` is the feature from which they break away, "" in open space."""

    runners: tuple[Side, ...]
    attacker: Side = ""
    goals: tuple[TerrainFeature, ...] = ()
    at: str = ""
    why_not: str = "3.3.2"

    def goals_of(self, race: Side) -> tuple[TerrainFeature, ...]:
        """The features to which a race's waves may escape."""
        return self.goals if race == self.attacker else ()
