"""Which part of an unbounded sheet a picture shows, how large, and where its hexes lie in pixels."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from typing import NamedTuple

from map_render.theatre.placing.room import Rect
from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.space import Lattice, column_row, hex_at, hexes_between, lattice_of
from rules_engine.core.knowledge.tactical_scene import TacticalScene, TacticalTerrainSign

Point = tuple[int, int]

LARGEST, SMALLEST = 96, 8
"""Pixels from a hex to the one below it, at most and at least."""
_ACROSS = 3**0.5 / 2
NEAR = 12
"""Terrain so near to a unit is shown wherever there is room for it."""
_CUT = 14
"""The same where units are too far apart for one picture."""
_LABEL, _GHOST, _SPECK = 70, 34, 12
"""Pixels that a unit wants around its ring, and what else is shown around its middle."""
_PAIR, _FEW = 2, 2
"""No more than two units, or half of them, may be pushed out of their hexes for the sake of what lies far away."""


class Shown(NamedTuple):
    """A hex that is to be in the picture, with so many pixels around it."""

    hex: HexId
    rim: int


@dataclass(frozen=True, slots=True)
class TacticalSheet:
    """A part of the sheet in a ``field`` of the picture. Columns are ``col`` pixels apart, rows ``row``, which is even;
    ``origin`` is where the hex 0 columns towards C and 0 rows towards D would be."""

    field: Rect
    col: int
    row: int
    origin: Point

    def spot(self, place: Lattice) -> Point:
        """The middle of a hex by its place."""
        return self.origin[0] + self.col * place.c, self.origin[1] + self.row * place.d + self.row * place.c // 2

    def at(self, name: HexId) -> Point:
        """The middle of a hex, in the field or beyond."""
        return self.spot(lattice_of(name))

    def has(self, name: HexId, rim: int = 0) -> bool:
        """Whether the middle of a hex is in the field, so many pixels from its rim."""
        x, y = self.at(name)
        left, top, right, bottom = self.field
        return left + rim <= x < right - rim and top + rim <= y < bottom - rim

    @property
    def corners(self) -> tuple[Point, ...]:
        """A hex's corners around its middle, clockwise from the upper left."""
        side, half = round(self.col * 2 / 3), self.row // 2
        slant = self.col - side
        return ((-side + slant, -half), (side - slant, -half), (side, 0), (side - slant, half), (-side + slant, half),
                (-side, 0))  # fmt: skip

    def hexes_of(self, sign: TacticalTerrainSign) -> tuple[HexId, ...]:
        """The hexes of terrain, of a line without an end those that come into the field or touch it."""
        if sign.column is None:
            return sign.hexes
        _, top, _, bottom = self.field
        first, last = (
            (y - self.origin[1] - self.row * sign.column // 2) // self.row for y in (top - self.row, bottom + self.row)
        )
        return tuple(hex_at(Lattice(sign.column, down)) for down in range(first, last + 2))

    def middle(self) -> HexId:
        """The hex in the middle of the field."""
        return self.hex_of(self.field.middle)

    def hex_of(self, at: Point) -> HexId:
        """A hex whose middle is nearest to a point, or next to that."""
        c = round((at[0] - self.origin[0]) / self.col)
        return hex_at(Lattice(c, round((at[1] - self.origin[1] - self.row * c / 2) / self.row)))


def sheet_for(scene: TacticalScene, field: Rect, r: int) -> TacticalSheet:
    """The part that shows what matters: all units, where they coast to and come from, and the terrain; less of the last
    where it would get too small, or where most units would stand upon each other. Where even the units do not fit, as
    many of them as can be seen together. ``r`` is the radius of a ship."""
    rim = r + _LABEL
    units = [Shown(one.hex, rim) for one in scene.units] or [Shown("0000", rim)]
    plots = [Shown(name, _GHOST) for plot in scene.plots for name in plot.hexes]
    ghosts = [Shown(drift.hex, _GHOST) for one in scene.units for drift in one.drifts]
    first = [Shown(one.drifts[0].hex, _GHOST) for one in scene.units if one.drifts]
    trails = [Shown(name, _SPECK) for one in scene.units for name in one.trail]
    ground = [Shown(name, rim) for sign in scene.terrain for name in sign.hexes]
    near = [Shown(name, rim) for sign in scene.terrain if _is_near(sign, scene) for name in sign.hexes]
    tiers = (
        (units + plots + ghosts + trails + ground, 26),
        (units + plots + ghosts + near, 20),
        (units + plots + first, 14),
        (units, SMALLEST),
    )
    best: tuple[int, TacticalSheet] | None = None
    for shown, least in tiers:
        found = fitted_sheet(shown, field)
        if found is not None and found.row >= least:
            crowd = _crowd(scene, found, 2 * r + 10)
            if crowd <= max(_PAIR, len(scene.units) // _FEW):
                return found
            if best is None or crowd < best[0]:
                best = (crowd, found)
    return best[1] if best else _cut_out(units, field)


def _crowd(scene: TacticalScene, sheet: TacticalSheet, apart: int) -> int:
    """How many units could not be drawn in their hexes because of one in another hex."""
    spots = sorted({sheet.at(one.hex) for one in scene.units})
    close = {
        spot
        for spot in spots
        if any(other != spot and max(abs(other[0] - spot[0]), abs(other[1] - spot[1])) < apart for other in spots)
    }
    return sum(sheet.at(one.hex) in close for one in scene.units)


def fitted_sheet(shown: Sequence[Shown], field: Rect, largest: int = LARGEST) -> TacticalSheet | None:
    """The largest part that has all of this in the field; None where it would be too small."""
    spots = [(lattice_of(one.hex), one.rim) for one in {*shown}]
    wide, high = field.right - field.left, field.bottom - field.top

    def extent(row: int) -> Rect:
        col = round(row * _ACROSS)
        xs = [(col * at.c, rim) for at, rim in spots]
        ys = [(row * at.d + row * at.c // 2, rim) for at, rim in spots]
        return Rect(
            min([x - rim for x, rim in xs]), min([y - rim for y, rim in ys]),
            max([x + rim for x, rim in xs]), max([y + rim for y, rim in ys]),
        )  # fmt: skip

    def fits(box: Rect) -> bool:
        return box.right - box.left <= wide and box.bottom - box.top <= high

    # What fits large fits smaller, too: the largest is found by halves.
    rows = range(SMALLEST, largest + 1, 2)
    low, beyond = 0, len(rows)
    while low < beyond:
        middle = (low + beyond) // 2
        if fits(extent(rows[middle])):
            low = middle + 1
        else:
            beyond = middle
    if not low:
        return None
    row = rows[low - 1]
    box, (x, y) = extent(row), field.middle
    origin = (x - (box.left + box.right) // 2, y - (box.top + box.bottom) // 2)
    return TacticalSheet(field, round(row * _ACROSS), row, origin)


def _cut_out(units: Sequence[Shown], field: Rect) -> TacticalSheet:
    """Around the unit that has the most others near it, with all of these."""
    far = min(field.right - field.left, field.bottom - field.top) // (2 * _CUT) - 6
    crowds = [[other for other in units if hexes_between(one.hex, other.hex) <= far] for one in units]
    crowd = max(crowds, key=len)
    found = fitted_sheet(crowd, field)
    assert found is not None, "units so near each other fit"
    return found


def nearest_of(sign: TacticalTerrainSign, start: HexId) -> HexId:
    """The hex of terrain that is nearest to another; of equally near ones of a line without an end that in the same
    row."""
    if sign.column is None:
        return min(sign.hexes, key=lambda name: (hexes_between(start, name), name))
    _, row = column_row(lattice_of(start))
    return hex_at(lattice_of(f"{sign.column}.{row}"))


def _is_near(sign: TacticalTerrainSign, scene: TacticalScene) -> bool:
    return any(hexes_between(name, one.hex) <= NEAR for name in sign.hexes for one in scene.units)


def planet_disc(sheet: TacticalSheet, sign: TacticalTerrainSign) -> tuple[Point, int]:
    """The middle and the radius of a planet that covers these hexes."""
    spots = [sheet.at(name) for name in sign.hexes]
    x, y = round(sum(x for x, _ in spots) / len(spots)), round(sum(y for _, y in spots) / len(spots))
    far = max(hypot(at[0] - x, at[1] - y) for at in spots)
    return (x, y), max(16, round(far + sheet.row * 0.47))
