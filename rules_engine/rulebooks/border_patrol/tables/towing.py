"""Strategic Towing Factors of tugs (T8.850)."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

from rules_engine.core.basics.rules import rule

RelativeSize = Literal["smaller", "same", "larger"]
"""A towed unit's size beside its tug's: a smaller Size Class is a *higher* number. G-7"""

POD_FACTORS: dict[int, Fraction] = {1: Fraction("0.25"), 2: Fraction("0.33"), 3: Fraction("0.50")}
"""Factors by pod weight, as they are printed. T8.850, BP-R03"""

UNIT_FACTORS: dict[tuple[RelativeSize, ...], Fraction] = {
    ("smaller",): Fraction("0.33"),
    ("smaller", "smaller"): Fraction("0.50"),
    ("same",): Fraction("0.50"),
    ("same", "same"): Fraction("0.67"),
    ("larger",): Fraction("0.75"),
    ("same", "smaller"): Fraction("0.67"),
}
"""Factors by the sizes of what is towed, in alphabetic order, as they are printed; the last is not. T8.850, BP-R26"""


@rule("T8.850")
def pod_factor(weight: int) -> Fraction | None:
    """The factor of pods of this weight together; None where the table has no row. T8.850"""
    return POD_FACTORS.get(weight)


@rule("T8.850")
def unit_factor(sizes: Sequence[RelativeSize]) -> Fraction | None:
    """The factor of units of these sizes, in any order; None where the table has no row. T8.850, BP-R26"""
    return UNIT_FACTORS.get(tuple(sorted(sizes)))


@rule("V8.39")
def relative_size(towing: int, towed: int) -> RelativeSize:
    """How the Size Class ``towed`` compares with the Size Class ``towing``. V8.39, G-7"""
    return "same" if towed == towing else "larger" if towed < towing else "smaller"
