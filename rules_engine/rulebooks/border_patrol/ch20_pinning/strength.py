"""Chapter V8.20: who is whose friend, and how strong each side of a hex counts."""

from collections.abc import Iterable
from fractions import Fraction
from math import floor
from typing import Literal

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.border_patrol.ch10_movement.figures import hull_allowance
from rules_engine.rulebooks.border_patrol.records.units import NEUTRALS, Unit

Standing = Literal["friendly", "unfriendly", "neither"]


@rule("V8.22")
def standing_of(unit: Unit, team: Side) -> Standing:
    """What a unit is to a Team. Monsters, aliens and others' units are unfriendly; a leased Orion is its lessee's; one
    that operates for itself is neither. V8.22, BP-R11, BP-N01"""
    if unit.orion in ("normal", "independent"):
        return "neither"
    return "friendly" if unit.kind not in NEUTRALS and unit.team == team else "unfriendly"


@rule("V8.23")
def travels_by_itself(unit: Unit) -> bool:
    """Whether a unit counts: it moves on the strategic map by its own hull, untowed. Monsters and alien ships do.
    V8.23, BP-R12"""
    return unit.kind in NEUTRALS or (not unit.towed_by and hull_allowance(unit) >= 1)


@rule("V8.23", "V8.26")
def strength(units: Iterable[Unit]) -> int:
    """The number that units count for: crippled ones half, the sum rounded down. Those that came by Reactionary
    Movement count as all others. V8.23, V8.26, BP-R12, BP-R17"""
    halves = sum(
        (Fraction(1, 2) if unit.crippled else Fraction(1) for unit in units if travels_by_itself(unit)), Fraction()
    )
    return floor(halves)


@rule("V8.21")
def holds_others(unit: Unit, team: Side) -> bool:
    """Whether a unit keeps a Team's from leaving its hex freely: it is unfriendly, no sublight unit or base, and no
    leased Orion. V8.21, BP-R10"""
    return standing_of(unit, team) == "unfriendly" and unit.orion == "none" and travels_by_itself(unit)
