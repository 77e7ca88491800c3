"""Figures of units of other rulebooks, and the usual ones for what their records lack. VM-N60"""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from rules_engine.core.tactics.battles import FlightRecord
from rules_engine.rulebooks.vector.records.ships import FlightFigures, TurnMode

INVENTED = "invented"
"""The source of a record whose figures are the rulebook's own inventions."""


class UsualFigures(NamedTuple):
    """Invented figures of a size class: cost of movement, turn mode, power of warp and impulse engines, and of all."""

    move_cost: Fraction
    turn_mode: TurnMode
    warp: int
    impulse: int
    total_power: int


USUAL: Mapping[int, UsualFigures] = {
    1: UsualFigures(Fraction(2), "F", 60, 8, 80),
    2: UsualFigures(Fraction(3, 2), "E", 45, 6, 60),
    3: UsualFigures(Fraction(1), "D", 30, 4, 38),
    4: UsualFigures(Fraction(1, 2), "B", 15, 3, 20),
    5: UsualFigures(Fraction(1, 5), "A", 5, 1, 6),
    6: UsualFigures(Fraction(1, 6), "AA", 2, 0, 2),
    7: UsualFigures(Fraction(1, 10), "AA", 1, 0, 1),
}
"""What stands where a record lacks a figure, by size class; all invented. VM-N60"""

NAMES: Mapping[str, str] = {
    "move_cost": "movement cost",
    "turn_mode": "turn mode",
    "warp": "warp power",
    "impulse": "impulse power",
    "total_power": "total power",
}
"""What is invented where a record lacks it, in words."""


def figures_of(record: FlightRecord) -> FlightFigures:
    """The figures of a unit by its record, with usual ones where that has none. VM-N60"""
    usual = USUAL[record.size_class]
    return FlightFigures(
        size_class=record.size_class,
        form=record.form,
        nimble=record.nimble,
        move_cost=record.move_cost or usual.move_cost,
        turn_mode=record.turn_mode or usual.turn_mode,
        warp=usual.warp if record.warp is None else record.warp,
        impulse=usual.impulse if record.impulse is None else record.impulse,
        total_power=usual.total_power if record.total_power is None else record.total_power,
        reserve=record.reserve or 0,
    )


def invented_in(record: FlightRecord) -> list[str]:
    """The names of figures that are invented, by the tracker or by the unit's own book; none of what cannot move."""
    if record.stays:
        return []
    return [name for key, name in NAMES.items() if record.source == INVENTED or getattr(record, key) is None]
