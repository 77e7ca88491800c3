"""What propulsion a lane asks for, and how fast units are that move together. 13.1.1 to 13.1.5"""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.jump_lanes.records.places import LaneType
from rules_engine.rulebooks.jump_lanes.records.units import Unit

Equipment = Literal["engines", "ftl", "intergalactic"]

SAID: dict[Equipment, str] = {"engines": "Engines", "ftl": "FTL", "intergalactic": "Intergalactic"}
RULES: dict[LaneType, str] = {
    "interplanetary": "13.1.1",
    "interstellar": "13.1.2",
    "sector": "13.1.3",
    "intergalactic": "13.1.4",
}
"""The rule that says what each type of lane asks for."""


class Speeds(NamedTuple):
    """The ratings of the slowest of those that move together; 0 where one of them has none."""

    engines: int = 0
    ftl: int = 0
    intergalactic: int = 0

    def of(self, equipment: Equipment) -> int:
        """The rating of one kind of propulsion."""
        return {"engines": self.engines, "ftl": self.ftl, "intergalactic": self.intergalactic}[equipment]


@rule("13.1", "13.1.1", "13.1.2", "13.1.3", "13.1.4")
def equipment_for(lane_type: LaneType) -> Equipment:
    """The propulsion that a lane of a type asks for. 13.1, 13.1.1, 13.1.2, 13.1.3, 13.1.4, JL-R05"""
    needed: dict[LaneType, Equipment] = {
        "interplanetary": "engines",
        "interstellar": "ftl",
        "sector": "ftl",
        "intergalactic": "intergalactic",
    }
    return needed[lane_type]


@rule("13.4.1")
def strained(rating: int) -> int:
    """A propulsion rating of a tug that tows: half, a fraction rounded up. 13.4.1, JL-R30"""
    return (rating + 1) // 2


def rating_of(unit: Unit, equipment: Equipment) -> int:
    """The rating of one kind of propulsion that a unit moves by now. 13.4.1, JL-R31"""
    own = {"engines": unit.engines, "ftl": unit.ftl, "intergalactic": unit.intergalactic}[equipment]
    return strained(own) if unit.tows else own


def propelled(units: Iterable[Unit]) -> list[Unit]:
    """Those of a group that must move by themselves: neither in tow nor based on another. JL-R09"""
    return [unit for unit in units if not (unit.towed or unit.based_on)]


@rule("13.1.5")
def slowest(units: Iterable[Unit]) -> Speeds:
    """How fast units move together: as the slowest of them does. 13.1.5, JL-R09"""
    own = propelled(units)
    if not own:
        return Speeds()
    engines, ftl, intergalactic = (
        min(rating_of(unit, kind) for unit in own) for kind in ("engines", "ftl", "intergalactic")
    )
    return Speeds(engines, ftl, intergalactic)


@rule("13.1.5")
def lacking(units: Iterable[Unit], lane_type: LaneType) -> list[Unit]:
    """Those who cannot use lanes of a type by themselves, not even in an extended jump. 13.1.5, JL-R05, JL-R09"""
    kind = equipment_for(lane_type)
    return [unit for unit in propelled(units) if rating_of(unit, kind) == 0]
