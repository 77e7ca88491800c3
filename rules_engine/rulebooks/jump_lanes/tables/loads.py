"""What cargo and tows weigh, by kind and SIZ (13.3.2, 13.4.1)."""

from collections.abc import Mapping
from fractions import Fraction

from rules_engine.core.basics.rules import rule

SPACE_CARGO: Mapping[str, int] = {"flight": 1, "satellite": 1, "starship": 10, "starbase": 15}
"""Cargo requirement of space combat units, a point of SIZ. 13.3.2.2"""
GROUND_CARGO: Mapping[str, int] = {"troop": 1, "aircraft": 1, "seacraft": 5, "installation": 10}
"""Cargo requirement of ground combat units, a point of SIZ. 13.3.2.3-ground"""
CENSUS_CARGO = Fraction(10)
"""Cargo requirement of a census point. 13.3.2.1"""
OFFICER_CARGO = Fraction(1)
"""Cargo requirement of an elite officer. 13.3.2.3-officers"""
XP_CARGO = Fraction(1, 10)
"""Cargo requirement of an experience point. 13.3.2.3-officers"""

TOWING: Mapping[str, int] = {"flight": 1, "satellite": 1, "starship": 2, "starbase": 4}
"""Towing rating that a unit takes, a point of SIZ; what is not named cannot be towed. 13.4.1, JL-R32"""


@rule("13.3.1", "13.3.2", "13.3.2.2", "13.3.2.3-ground", "13.3.2.3-officers")
def unit_requirement(kind: str, siz: int) -> Fraction | None:
    """The Cargo rating that a unit takes aboard others; None of what cannot be carried. 13.3.1, 13.3.2, 13.3.2.2,
    13.3.2.3-ground, 13.3.2.3-officers"""
    if kind == "officer":
        return OFFICER_CARGO
    factor = SPACE_CARGO.get(kind, GROUND_CARGO.get(kind))
    return None if factor is None else Fraction(factor * siz)


@rule("13.3.2.1", "13.3.2.3-officers")
def points_requirement(census: int, xp: int) -> Fraction:
    """The Cargo rating that census and experience points take, in exact tenths. 13.3.2.1,
    13.3.2.3-officers, JL-R23"""
    return census * CENSUS_CARGO + xp * XP_CARGO


@rule("13.4.1")
def towing_cost(kind: str, siz: int) -> int | None:
    """The Towing rating that a unit takes in tow; None of what cannot be towed. 13.4.1, JL-R32"""
    factor = TOWING.get(kind)
    return None if factor is None else factor * siz
