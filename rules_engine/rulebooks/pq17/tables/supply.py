"""Goods, what a supply point is worth in each of them, and Table 4. PQ-17 10.2.3, T4, ruling SUP-13."""

from enum import StrEnum
from fractions import Fraction

from rules_engine.core.basics.rules import rule


class Goods(StrEnum):
    """Everything that units carry and pass on. Drones count by spaces. PQ-17 10.1.1, 10.2.3."""

    SUPPLY = "supply"
    FUEL = "fuel"
    REPAIR = "repair points"
    DRONES = "drones"
    LIMITED_DRONES = "limited drones"
    RESTRICTED_DRONES = "restricted drones"
    CREW = "crew units"
    BOARDERS = "boarding parties"
    DECK_CREWS = "deck crews"
    PPTS = "PPTs"
    SHUTTLES = "shuttles"
    DOUBLE_SHUTTLES = "double shuttles"
    PROBES = "probes"
    LARGE_MINES = "large mines"
    SMALL_MINES = "small mines"
    T_BOMBS = "transporter bombs"
    UIMS = "UIMs"
    DROGUES = "drogues"
    FIGHTER_PODS = "fighter pods"
    WARP_BOOSTERS = "warp boosters"

    __hash__ = str.__hash__  # an Enum's own is many times slower, and all stores are kept by goods

    @property
    @rule("10.1.1")
    def is_specific(self) -> bool:
        """Whether it is a specific consumable: neither supply, nor fuel, nor a repair point. PQ-17 10.1.1."""
        return self not in (Goods.SUPPLY, Goods.FUEL, Goods.REPAIR)


DRONE_KINDS = (Goods.DRONES, Goods.LIMITED_DRONES, Goods.RESTRICTED_DRONES)
"""Drone spaces by availability: general, limited, restricted. PQ-17 10.2.6."""

PER_POINT: dict[Goods, Fraction] = {
    Goods.SUPPLY: Fraction(1),
    Goods.FUEL: Fraction(1),
    Goods.REPAIR: Fraction(1),
    Goods.DRONES: Fraction(8),
    Goods.LIMITED_DRONES: Fraction(8),
    Goods.RESTRICTED_DRONES: Fraction(8),
    Goods.CREW: Fraction(1),
    Goods.BOARDERS: Fraction(2),
    Goods.DECK_CREWS: Fraction(2),
    Goods.PPTS: Fraction(1),
    Goods.SHUTTLES: Fraction(1),
    Goods.DOUBLE_SHUTTLES: Fraction(1, 2),
    Goods.PROBES: Fraction(5),
    Goods.LARGE_MINES: Fraction(4),
    Goods.SMALL_MINES: Fraction(8),
    Goods.T_BOMBS: Fraction(8),
    Goods.UIMS: Fraction(1),
    Goods.DROGUES: Fraction(1),
    Goods.FIGHTER_PODS: Fraction(12),
    Goods.WARP_BOOSTERS: Fraction(2),
}
"""How much of each one supply point becomes, and how much of it one cargo box holds. PQ-17 10.2.3.1 to 10.2.3.12,
10.3.3.4, ruling SUP-13."""

POINTS_EACH: dict[Goods, Fraction] = {goods: 1 / amount for goods, amount in PER_POINT.items()}
"""What one of each is worth in supply points."""

PAIR_LIMIT = Fraction(60)
"""The most supply points, or their worth in goods, that a pair of docked ships moves in a turn, both ways together.
There is no limit between a base and its ships, or in port. PQ-17 T4, 10.3.8.2, 10.3.9.2, rulings SUP-1, SUP-14b.
"""

INTERRUPTED: dict[int, Fraction] = {1: Fraction(0), 2: Fraction(1, 4), 3: Fraction(1, 2)}
"""The part of each plotted line that was moved, by the impulse of the interruption. PQ-17 T4, ruling SUP-2."""


@rule("10.3.7.3", "T4", "10.2.1")
def worth(goods: Goods, amount: Fraction | int) -> Fraction:
    """The worth of ``amount`` of ``goods``, in supply points. PQ-17 10.2.1, 10.3.7.3, T4, ruling SUP-1."""
    return POINTS_EACH[goods] * amount


@rule(
    "10.2.3",
    "10.2.3.1",
    "10.2.3.2",
    "10.2.3.3",
    "10.2.3.4",
    "10.2.3.5",
    "10.2.3.6",
    "10.2.3.7",
    "10.2.3.8",
    "10.2.3.9",
    "10.2.3.10",
    "10.2.3.11",
    "10.2.3.12",
)
def becomes(goods: Goods, points: Fraction | int) -> Fraction:
    """How much of ``goods`` that many supply points become. PQ-17 10.2.3, 10.2.3.1 to 10.2.3.12, ruling SUP-13."""
    return points * PER_POINT[goods]


@rule("9.2", "10.2.2", "10.3.3.4")
def boxes_for(goods: Goods, amount: Fraction | int) -> int:
    """The cargo boxes that ``amount`` takes up: whole boxes, one kind to a box. PQ-17 9.2, 10.2.2, 10.3.3.4."""
    points = worth(goods, amount)
    return -(-points.numerator // points.denominator)


@rule("T4", "10.3.8.3", "10.3.9.3")
def moved(amount: Fraction, impulse: int) -> Fraction:
    """The part of a plotted amount that is moved; after an interruption (``impulse`` 1 to 3) rounded down to whole
    units.

    PQ-17 T4, 10.3.8.3, 10.3.9.3, rulings SUP-2, GEN-7."""
    return Fraction(int(amount * INTERRUPTED[impulse])) if impulse else amount
