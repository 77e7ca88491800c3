"""An unbounded sheet of hexes with flat tops, as tactical battles are fought on: its numbers, directions and distances.

A hex is written as on a printed sheet, column and row of two digits each (``0412``; even columns stand half a hex
lower); one beyond these with a point between both numbers (``-3.12``, ``104.7``). Directions are ``A`` to ``F``,
clockwise from the top of the sheet.
"""

import re
from typing import Literal, NamedTuple, TypeAlias, get_args

from rules_engine.core.basics.base import HexId

Way: TypeAlias = Literal["A", "B", "C", "D", "E", "F"]
WAYS: tuple[Way, ...] = get_args(Way)
"""The six directions, clockwise from the top."""

_TWO_DIGITS = range(100)
_WRITTEN = re.compile(r"(?P<column>\d{2})(?P<row>\d{2})|(?P<far_column>-?\d{1,7})\.(?P<far_row>-?\d{1,7})")


class Lattice(NamedTuple):
    """A hex, or the way from one to another, in two axes 60 degrees apart: ``c`` hexes towards C and ``d`` towards
    D."""

    c: int
    d: int

    def plus(self, other: "Lattice", times: int = 1) -> "Lattice":
        """This and ``times`` the other."""
        return Lattice(self.c + times * other.c, self.d + times * other.d)

    @property
    def length(self) -> int:
        """How many hexes it is long."""
        return max(abs(self.c), abs(self.d), abs(self.c + self.d))


STEPS: dict[Way, Lattice] = {
    "A": Lattice(0, -1),
    "B": Lattice(1, -1),
    "C": Lattice(1, 0),
    "D": Lattice(0, 1),
    "E": Lattice(-1, 1),
    "F": Lattice(-1, 0),
}
"""One hex in each direction."""


class NoHex(ValueError):
    """A text that is no hex of an unbounded sheet."""


def lattice_of(name: HexId) -> Lattice:
    """Where a hex lies.

    Raises:
        NoHex: for a text that is none.
    """
    found = _WRITTEN.fullmatch(name)
    if found is None:
        raise NoHex(f"{name!r} is no hex: column and row, as in 0412 or -3.12")
    column = int(found["column"] or found["far_column"])
    row = int(found["row"] or found["far_row"])
    return Lattice(column, row - (column + 1) // 2)


def column_row(spot: Lattice) -> tuple[int, int]:
    """The column and row of a place."""
    return spot.c, spot.d + (spot.c + 1) // 2


def hex_at(spot: Lattice) -> HexId:
    """The number of a hex."""
    column, row = column_row(spot)
    if column in _TWO_DIGITS and row in _TWO_DIGITS:
        return f"{column:02}{row:02}"
    return f"{column}.{row}"


def stepped(name: HexId, way: Way, hexes: int = 1) -> HexId:
    """The hex so many hexes away in a direction."""
    return hex_at(lattice_of(name).plus(STEPS[way], hexes))


def hexes_between(one: HexId, other: HexId) -> int:
    """How many hexes it is from one to another."""
    return lattice_of(other).plus(lattice_of(one), -1).length


def turned(way: Way, sixths: int) -> Way:
    """The direction so many sixths of a turn clockwise of another; anticlockwise where negative."""
    return WAYS[(WAYS.index(way) + sixths) % len(WAYS)]


def opposite(way: Way) -> Way:
    """The direction that points the other way."""
    return turned(way, 3)


def ways_towards(one: HexId, other: HexId) -> tuple[Way, ...]:
    """The directions in which a hex lies from another: none for itself, one along a row of hexes, else the two next to
    it, first the one that more of the way goes in."""
    gap = lattice_of(other).plus(lattice_of(one), -1)
    return tuple(way for way, _ in elements_of(gap))


def ways_nearest(one: HexId, other: HexId) -> tuple[Way, ...]:
    """The direction in whose 60 degrees a hex lies from another, half of them to each side; both where it lies half-way
    between two, and none for itself."""
    elements = elements_of(lattice_of(other).plus(lattice_of(one), -1))
    return tuple(way for way, hexes in elements if hexes == elements[0][1])


def elements_of(gap: Lattice) -> tuple[tuple[Way, int], ...]:
    """A way as hexes in one direction or in two that are neighbours, the longer first, and of equal ones the first
    clockwise; none for no way at all."""
    if gap == Lattice(0, 0):
        return ()
    for number, way in enumerate(WAYS):
        after = WAYS[(number + 1) % len(WAYS)]
        first, second = _shares(gap, way, after)
        if first > 0 and second >= 0:
            both: tuple[tuple[Way, int], ...] = ((way, first), (after, second))
            return tuple(one for one in sorted(both, key=lambda one: -one[1]) if one[1])
    raise AssertionError(gap)


def _shares(gap: Lattice, way: Way, after: Way) -> tuple[int, int]:
    """How often two neighbouring directions make up a way."""
    one, two = STEPS[way], STEPS[after]
    # two neighbouring directions span the lattice: their determinant is 1
    return gap.c * two.d - gap.d * two.c, one.c * gap.d - one.d * gap.c
