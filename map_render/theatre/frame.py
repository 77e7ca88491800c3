"""The frame of a theatre: where header, hexes, facts and legend lie, in pixels, and how large everything is drawn."""

from dataclasses import dataclass
from typing import NamedTuple

from map_render.drawing.cache import kept
from map_render.drawing.theme import Theme
from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.hexes import Grid

DRAWN = 2400
"""The width in pixels for which all sizes are given; a narrower theatre is the same at 400 pixels."""
TALLEST = 1.0
"""How high a theatre may be, in its greatest width."""
NARROWEST = 0.67
"""How narrow it may become to stay that low, in its greatest width."""
_ROOT_3_HALF = 3**0.5 / 2
_HEADER, _FACTS, _FACT, _LEGEND = 198, 44, 93, 86
_SIDE, _ROOF = 96, 62
_RIM = 1.8
"""How much more than an area is shown on every side, in hex sizes: a whole hex."""

Point = tuple[int, int]


@dataclass(frozen=True, eq=False, slots=True)
class Frame:
    """The frame of one theatre, the same object for the same map.

    ``field`` is (left, top, right, bottom) of the part that shows the map, ``sheet`` that of all its hexes together.
    ``size`` is a hex from its middle to a corner, ``corners`` lie around a middle, ``centres`` holds every hex that is
    shown, and ``everywhere`` where all hexes of the map are or would be.
    """

    unit: float
    width: int
    field: tuple[int, int, int, int]
    legend: int
    height: int
    size: int
    corners: tuple[Point, ...]
    centres: dict[HexId, Point]
    everywhere: dict[HexId, Point]
    sheet: tuple[int, int, int, int]
    flat: bool

    def px(self, drawn: float) -> int:
        """Pixels for a length of the theatre that is 2,400 wide."""
        return max(1, round(drawn * self.unit))

    def holds(self, hex_id: HexId, at: Point) -> bool:
        """Whether a point lies in a hex, its edge included."""
        x, y = at[0] - self.centres[hex_id][0], at[1] - self.centres[hex_id][1]
        dx, dy = self.corners[-1]
        for to_x, to_y in self.corners:
            if (to_x - dx) * (y - dy) < (to_y - dy) * (x - dx):
                return False
            dx, dy = to_x, to_y
        return True

    @property
    def plate(self) -> int:
        """The height of own counters."""
        return max(self.px(84), min(round(0.9 * self.size), self.px(124)))

    @property
    def contact(self) -> int:
        """Half the height of contacts, from the middle to a point."""
        return max(self.px(48), min(round(0.52 * self.size), self.px(72)))


class _Sheet(NamedTuple):
    shown: tuple[HexId, ...]
    places: dict[HexId, Point]
    left: int
    right: int
    top: int
    bottom: int
    unit_x: float
    unit_y: float


def shown_hexes(grid: Grid, area: tuple[HexId, ...]) -> tuple[HexId, ...]:
    """The hexes of a part of the map: those of the rectangle around an area, and a row more on every side. All of them
    without an area.

    Raises:
        UnknownHex: for a hex that is not on the map.
    """
    if not area:
        return grid.hexes()
    points = [grid.center(name) for name in area]
    left, right = min(x for x, _ in points) - _RIM, max(x for x, _ in points) + _RIM
    top, bottom = min(y for _, y in points) - _RIM, max(y for _, y in points) + _RIM
    centres = ((name, *grid.center(name)) for name in grid.hexes())
    return tuple(name for name, x, y in centres if left <= x <= right and top <= y <= bottom)


@kept(32)
def make_frame(grid: Grid, theme: Theme, facts: int, legend: int, area: tuple[HexId, ...] = ()) -> Frame:
    """The frame of a map, or of the part around an area, with that many facts below it and rows of legend: as wide as
    the theme allows, unless it would become too high to be seen whole on a phone."""
    sheet = _sheet(grid, area)
    most = theme.sizes.longest
    for width in range(most, round(most * NARROWEST), -8):
        size = _size(sheet, width)
        if _height(sheet, width, size, facts, legend) <= TALLEST * most:
            break
    else:
        width, size = round(most * NARROWEST), _size(sheet, round(most * NARROWEST))
        while size > 4 and _height(sheet, width, size, facts, legend) > TALLEST * most:
            size -= 1
    unit = width / DRAWN
    size = min(size, round(theme.sizes.largest_hex * unit))
    step_x, step_y = max(1, round(size * sheet.unit_x)), max(1, round(size * sheet.unit_y))
    map_width, map_height = (sheet.right - sheet.left) * step_x, (sheet.bottom - sheet.top) * step_y
    head, roof = round(_HEADER * unit), round(_ROOF * unit)
    off_x, off_y = (width - map_width) // 2 - sheet.left * step_x, head + roof - sheet.top * step_y
    everywhere = {name: (off_x + x * step_x, off_y + y * step_y) for name, (x, y) in sheet.places.items()}
    centres = {name: everywhere[name] for name in sheet.shown}
    left, top = off_x + sheet.left * step_x, off_y + sheet.top * step_y
    bottom = head + 2 * roof + map_height
    band = round((_FACTS + facts * _FACT) * unit) if facts else 0
    flat = grid.orientation == "flat"
    around = ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0)) if flat else (
        (0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))  # fmt: skip
    corners = tuple((x * step_x, y * step_y) for x, y in around)
    height = bottom + band + round(legend * _LEGEND * unit)
    return Frame(
        unit, width, (0, head, width, bottom), bottom + band, height, size, corners,
        centres, everywhere, (left, top, left + map_width, top + map_height), flat,
    )  # fmt: skip


@kept(32)
def _sheet(grid: Grid, area: tuple[HexId, ...]) -> _Sheet:
    """Every hex on a lattice of whole numbers, so that all hexes are equal to the pixel."""
    flat = grid.orientation == "flat"
    unit_x, unit_y = (0.5, _ROOT_3_HALF) if flat else (_ROOT_3_HALF, 0.5)
    places: dict[HexId, Point] = {}
    for name in grid.hexes():
        x, y = grid.center(name)
        places[name] = round(x / unit_x), round(y / unit_y)
    shown = shown_hexes(grid, area)
    xs, ys = [places[name][0] for name in shown], [places[name][1] for name in shown]
    across, down = (2, 1) if flat else (1, 2)
    return _Sheet(shown, places, min(xs) - across, max(xs) + across, min(ys) - down, max(ys) + down, unit_x, unit_y)


def _size(sheet: _Sheet, width: int) -> int:
    """The largest hex with which the map fits that width beside its row numbers."""
    room, columns = width - 2 * round(_SIDE * width / DRAWN), sheet.right - sheet.left
    size = max(4, int(room / (columns * sheet.unit_x)) + 2)
    while size > 4 and columns * max(1, round(size * sheet.unit_x)) > room:
        size -= 1
    return size


def _height(sheet: _Sheet, width: int, size: int, facts: int, legend: int) -> float:
    unit = width / DRAWN
    size = min(size, round(190 * unit))
    rest = _HEADER + 2 * _ROOF + (_FACTS + facts * _FACT if facts else 0) + legend * _LEGEND
    return (sheet.bottom - sheet.top) * max(1, round(size * sheet.unit_y)) + rest * unit + 8
