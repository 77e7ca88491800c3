"""Chapter V8.10: what movement costs a unit, and the allowance of a unit by itself."""

from fractions import Fraction
from math import floor

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.border_patrol.records.units import Unit
from rules_engine.rulebooks.border_patrol.tables.movement import (
    EMERGENCY,
    LARGEST_ALLOWANCE,
    OUT_OF_SUPPLY,
    STRATEGIC_COST,
)


@rule("V8.13")
def strategic_cost(unit: Unit, *, emergency: bool) -> Fraction:
    """A unit's Strategic Movement Cost, with or without Emergency Movement, which needs supply: 6, 12 or 3.5. V8.13,
    BP-R05"""
    if not unit.in_supply:
        return STRATEGIC_COST + OUT_OF_SUPPLY
    return STRATEGIC_COST + EMERGENCY if emergency else STRATEGIC_COST


@rule("V8.12")
def whole_hexes(boxes: int, tactical_cost: Fraction, strategic: Fraction) -> int:
    """The allowance of so many warp engine boxes at these costs: rounded down once, at the end, 12 at most. V8.12,
    BP-R01, BP-R02"""
    if boxes <= 0 or tactical_cost <= 0:
        return 0
    return min(LARGEST_ALLOWANCE, floor(boxes / tactical_cost / strategic))


@rule("V8.12", "V8.14")
def hull_allowance(unit: Unit, *, emergency: bool = False) -> int:
    """The allowance of a unit's own hull: uncloaked, and with nothing in tow; 0 without working warp engines. V8.12,
    V8.14, BP-R06"""
    if not unit.has_warp:
        return 0
    return whole_hexes(unit.warp_ok, unit.movement_cost, strategic_cost(unit, emergency=emergency))
