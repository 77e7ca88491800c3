"""Tables 1, 2, 5 and 8: movement costs, impulse chart, standard victory points, unit categories."""

from enum import StrEnum
from fractions import Fraction
from typing import Literal, Self

from rules_engine.core.basics.rules import rule

WarshipCategory = Literal["BB", "DN", "CA", "CL", "DD", "FF", "PF"]
FuelUse = Literal["reconnaissance", "combat", "minelaying", "minesweeping"]

IMPULSES = (1, 2, 3)
"""The impulses of an operational turn. PQ-17 1.2.4."""

TURNS_A_PERIOD = 30
"""Operational turns of an operational period: fifteen days of an AM and a PM turn. PQ-17 1.2.2, 1.2.3."""


class Speed(StrEnum):
    """An operational speed. Compare by :attr:`level`: both crawls are the same speed. PQ-17 T1, 5.1.1, ruling SPD-8."""

    label: str
    """Its printed name and number."""
    level: int
    """Its place among the five speeds: 0 is Station Keeping, 1 either crawl, 4 speed 3."""
    rate: Fraction
    """Hexes an operational turn: 0, 1/2, 1, 2 or 3."""
    is_crawl: bool
    """Whether it is either crawl."""

    STATION = "0", "Station Keeping (0)", 0, Fraction(0)
    IMPULSE_CRAWL = "impulse crawl", "Impulse Crawl (1/2)", 1, Fraction(1, 2)
    WARP_CRAWL = "warp crawl", "Warp Crawl (1/2)", 1, Fraction(1, 2)
    EFFICIENT = "1", "Efficient Cruise (1)", 2, Fraction(1)
    CRUISE = "2", "Military Cruise (2)", 3, Fraction(2)
    SPRINT = "3", "Military Sprint (3)", 4, Fraction(3)

    def __new__(cls, word: str, label: str, level: int, rate: Fraction) -> Self:
        """A speed as it is written, with what belongs to it."""
        speed = str.__new__(cls, word)
        speed._value_ = word
        speed.label, speed.level, speed.rate, speed.is_crawl = label, level, rate, level == 1
        return speed

    __hash__ = str.__hash__  # an Enum's own is many times slower, and every cost is looked up by speed

    @property
    @rule("8.5.6.8.2.2")
    def whole(self) -> int:
        """The rate with both crawls counted as 0. PQ-17 8.5.6.8.2.2."""
        return int(self.rate)

    @property
    @rule("T6.supplement")
    def shortfall(self) -> int:
        """How many levels it is short of speed 3, as the search column counts them: 0 to 4. PQ-17 T6.supplement."""
        return Speed.SPRINT.level - self.level


# --- Table 1 ----------------------------------------------------------------------------------------------------------

FUEL_PER_HEX: dict[Speed, Fraction] = {
    Speed.STATION: Fraction(0),
    Speed.IMPULSE_CRAWL: Fraction(0),
    Speed.WARP_CRAWL: Fraction(1, 16),
    Speed.EFFICIENT: Fraction(1, 4),
    Speed.CRUISE: Fraction(1),
    Speed.SPRINT: Fraction(2),
}
"""Fuel points a hex, as multiples of a ship's movement cost."""

FUEL_PER_USE: dict[FuelUse, Fraction] = {
    "reconnaissance": Fraction(2),
    "combat": Fraction(4),
    "minelaying": Fraction(2),
    "minesweeping": Fraction(2),
}
"""Fuel points a use, as multiples of a ship's movement cost."""

PRACTICAL_SPEEDS: tuple[tuple[int, Speed], ...] = (
    (27, Speed.SPRINT),
    (18, Speed.CRUISE),
    (9, Speed.EFFICIENT),
    (1, Speed.WARP_CRAWL),
    (0, Speed.STATION),
)
"""The warp practical speed from which on each operational speed is the highest. PQ-17 ruling SPD-1."""


@rule("T1", "5.1.5")
def fastest_under_warp(practical_speed: int) -> Speed:
    """The highest speed that this warp practical speed allows. PQ-17 T1, 5.1.5."""
    for least, speed in PRACTICAL_SPEEDS:
        if practical_speed >= least:
            return speed
    raise ValueError(f"no practical speed is {practical_speed}")


# --- Table 2 ----------------------------------------------------------------------------------------------------------

_CHART: dict[Speed, tuple[int, ...]] = {
    Speed.STATION: (),
    Speed.IMPULSE_CRAWL: (2,),
    Speed.WARP_CRAWL: (2,),
    Speed.EFFICIENT: (2,),
    Speed.CRUISE: (1, 3),
    Speed.SPRINT: (1, 2, 3),
}


@rule("T2", "5.3.3")
def moving_impulses(speed: Speed, crawl_turns: int = 0) -> tuple[int, ...]:
    """The impulses in which the impulse chart gives a movement point.

    ``crawl_turns`` counts the consecutive turns of crawling, this one included; a crawl moves on every second.
    PQ-17 T2, 5.3.3, ruling SPD-7.
    """
    if speed.is_crawl and (not crawl_turns or crawl_turns % 2):
        return ()
    return _CHART[speed]


@rule("T2", "5.3.3")
def moves_on(speed: Speed, impulse: int, crawl_turns: int = 0) -> bool:
    """Whether the impulse chart gives a movement point in an impulse. PQ-17 T2, 5.3.3."""
    return impulse in moving_impulses(speed, crawl_turns)


# --- Table 5 ----------------------------------------------------------------------------------------------------------

CampaignLine = Literal[
    "C.vp.1", "C.vp.2", "C.vp.3", "C.vp.4", "C.vp.5", "C.vp.6", "C.vp.7", "C.vp.8",
    "C.vp.9", "C.vp.10", "C.vp.11", "C.vp.12", "C.vp.13", "C.vp.14", "C.vp.15", "C.vp.16",
]  # fmt: skip
"""The campaign's own lines of victory points, which replace the standard ones. PQ-17 2.2, ruling TAB-1."""

StandardLine = Literal["T5.1", "T5.2", "T5.3", "T5.4", "T5.5", "T5.6", "4.1.2", "C.special", "C.random"]
"""The standard lines of victory points, points spent on initiative, and points of special conditions and events."""

VpLineName = StandardLine | CampaignLine
"""The name of a line of victory points."""

BPV_PER_POINT = 60
"""Economic value that one victory point stands for. PQ-17 T5.1."""

PER_SHIP: dict[Literal["destroyed", "destroyed crippled", "crippled", "captured"], Fraction] = {
    "destroyed": Fraction(1),
    "destroyed crippled": Fraction(1, 2),
    "crippled": Fraction(1, 2),
    "captured": Fraction(2),
}
"""Multiples of a ship's value for its destruction. PQ-17 T5.1, T5.2, T5.3, T5.6."""

PER_RAID = Fraction(-1)
"""What a successful raid on an Alliance settled hex adds to the running total. PQ-17 T5.4, T5.note5."""

# --- Table 8 ----------------------------------------------------------------------------------------------------------


@rule("T8")
def warship_category(move_cost: Fraction) -> WarshipCategory:
    """The category that a movement cost puts a unit in. PQ-17 T8, ruling TAB-2."""
    if move_cost >= 2:
        return "BB"
    if move_cost > 1:
        return "DN"
    if move_cost == 1:
        return "CA"
    if move_cost > Fraction(1, 2):
        return "CL"
    if move_cost > Fraction(1, 3):
        return "DD"
    if move_cost > Fraction(1, 5):
        return "FF"
    return "PF"


DOCKING_POSITIONS: dict[str, int] = {"SB": 6, "BATS": 3, "BS": 3, "MB": 2, "SAMS": 2, "FRD": 2, "platform": 2}
"""Ships that may dock to each type of base a turn. PQ-17 T8, 10.3.7.2.3, 10.3.7.2.4, rulings BAS-19, SUP-4."""
OTHER_BASES = 2
"""Ships that may dock to a base of another type. PQ-17 10.3.7.2.4."""


def docking_positions(base_type: str | None) -> int:
    """How many ships may dock to a base of that type in a turn."""
    return DOCKING_POSITIONS.get(base_type or "", OTHER_BASES)
