"""Exploration: how a check comes out, the class of a surveyed lane, and the Exploration Peril Table (13.5.2)."""

from collections.abc import Mapping
from typing import Literal

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.jump_lanes.records.places import LaneClass
from rules_engine.rulebooks.jump_lanes.records.settings import LaneClassTable

Outcome = Literal["major success", "minor success", "minor failure", "major failure"]
Peril = Literal["out of supply", "sacrifice", "systems failure", "unit abandoned", "accidental jump", "force lost"]

MINOR_SUCCESS_BONUS = 10
"""What each minor success adds to its empire's later checks of the lane. 13.5.2"""
SACRIFICE_BONUS = 1
"""What each unit that was sacrificed adds. 13.5.2-peril"""

CHECK_FACES = 100
LEAST_CHANCE, GREATEST_CHANCE = 1, 99
"""Between which chances are held. JL-R43"""
MAJOR_FAILURE_FROM = 91
"""The lowest d100 that is a major failure, if it fails. JL-R36"""

CLASS_FACES = 10
PERIL_FACES = 10
PERILS: Mapping[Peril, tuple[int, ...]] = {
    "out of supply": (1, 2, 3, 4, 5),
    "sacrifice": (6,),
    "systems failure": (7,),
    "unit abandoned": (8,),
    "accidental jump": (9,),
    "force lost": (10,),
}
"""By result the D10 that bring it. 13.5.2-peril"""


@rule("13.5.2")
def success_chance(base: int, science: int, bonus: int) -> int:
    """The chance of a check in percent: of the difficulty, with the force's Science rating and its empire's bonus for
    the lane, held between 1 and 99. 13.5.2, JL-R43"""
    return max(LEAST_CHANCE, min(GREATEST_CHANCE, base + science + bonus))


@rule("13.5.2")
def check_outcome(chance: int, rolled: int) -> Outcome:
    """How a check with a d100 comes out: a success up to the chance, a major one up to half of it; a failure above 90
    is a major one. 13.5.2, JL-R36"""
    if rolled <= chance:
        return "major success" if rolled <= chance // 2 else "minor success"
    return "major failure" if rolled >= MAJOR_FAILURE_FROM else "minor failure"


@rule("13.5.2")
def surveyed_class(rolled: int, table: LaneClassTable) -> LaneClass:
    """The class that a D10 gives to a lane whose survey is complete. 13.5.2"""
    if rolled <= table.major:
        return "major"
    if rolled <= table.normal:
        return "normal"
    return "minor" if rolled <= table.minor else "restricted"


@rule("13.5.2-peril")
def peril(rolled: int) -> Peril:
    """What a D10 brings upon a force in peril. 13.5.2-peril

    Raises:
        ValueError: for what a D10 cannot show.
    """
    for result, numbers in PERILS.items():
        if rolled in numbers:
            return result
    raise ValueError(f"the table goes from 1 to {PERIL_FACES}, and has no {rolled}")
