"""The frame of a crop: which part of the map it shows, and where each hex lies on it, in pixels."""

from typing import NamedTuple

from map_render.crop.box import Box
from map_render.drawing.cache import kept
from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.hexes import Grid

WIDTH = 800
"""Pixels that a crop is wide."""

LARGEST_HEX = 156
"""Pixels from a hex's centre to its corner where a crop shows one place: about three hexes side by side."""

SMALLEST_HEX = 48
"""The same below which counters of the least size cover too many hexes; a larger area is drawn as a part of the map."""

_ROOT_3_HALF = 3**0.5 / 2
_WIDE_RIM = 1.67  # hex sizes left and right of the place, where labels and neighbours find room
_NARROW_RIM = 0.5  # the same if the place itself is wide
BEYOND = 30
"""Pixels beyond the sheet that a crop at the map's rim shows."""

FOR_CODES = 134
"""The same beside the sheet where codes stand outside the ring of a hex at the map's rim."""


class CropFrame(NamedTuple):
    """The part of the map that a crop shows. ``bounds`` is the whole picture; ``centres`` holds the centre of every hex
    of the sheet, most of them beyond the bounds; ``shown`` are those of which any part is inside. ``beside`` is how
    many pixels beside the sheet it may show."""

    bounds: Box
    size: int
    flat: bool
    corners: tuple[tuple[int, int], ...]
    centres: dict[HexId, tuple[int, int]]
    shown: tuple[HexId, ...]
    focus: tuple[HexId, ...]
    beside: int

    def px(self, share: float) -> int:
        """A length given in hex sizes (centre to corner)."""
        return round(self.size * share)

    def holds(self, name: HexId, margin: int = 0) -> bool:
        """Whether a hex's centre lies within the bounds, and ``margin`` pixels from their edge."""
        x, y = self.centres[name]
        left, top, right, bottom = self.bounds
        return left + margin <= x <= right - margin and top + margin <= y <= bottom - margin

    def has_inside(self, name: HexId, box: Box) -> bool:
        """Whether all of a box lies in a hex."""
        x, y = self.centres[name]
        sides = zip(self.corners, (*self.corners[1:], self.corners[0]), strict=True)
        return all(
            (to_x - from_x) * (at_y - y - from_y) >= (to_y - from_y) * (at_x - x - from_x)
            for (from_x, from_y), (to_x, to_y) in sides
            for at_x in (box.left, box.right)
            for at_y in (box.top, box.bottom)
        )


def hex_size(grid: Grid, focus: tuple[HexId, ...], width: int, height: int) -> int:
    """The hex size, centre to corner in pixels, at which a crop of that extent shows all of ``focus``. It may be less
    than `SMALLEST_HEX`."""
    half_x, half_y = (1.0, _ROOT_3_HALF) if grid.orientation == "flat" else (_ROOT_3_HALF, 1.0)
    xs, ys = zip(*(grid.center(name) for name in focus), strict=True)
    wide, high = max(xs) - min(xs) + 2 * half_x, max(ys) - min(ys) + 2 * half_y

    def size(rim: float) -> int:
        return int(min(width / (wide + 2 * rim), height / (high + 2 * min(rim, 1.2)), LARGEST_HEX))

    return max(size(_WIDE_RIM), min(100, size(_NARROW_RIM)))


@kept(64)
def make_frame(grid: Grid, focus: tuple[HexId, ...], width: int, height: int, beside: int = BEYOND) -> CropFrame:
    """The frame of a crop around some hexes, at least one: they are in its middle, unless the map ends near by. Then it
    shows that many pixels ``beside`` the sheet, and fewer above and below.

    Raises:
        UnknownHex: for a hex that is not on the map.
    """
    return _framed(
        grid, focus, (width, height), max(SMALLEST_HEX, hex_size(grid, focus, width, height)), (beside, BEYOND)
    )


@kept(16)
def whole_frame(grid: Grid, width: int, rim: int) -> CropFrame:
    """The frame of the whole map at that width, with at least ``rim`` pixels around it; it is at most four fifths as
    high."""
    across, down = grid.extent
    size = max(6, int(min((width - 2 * rim) / across, (0.8 * width - 2 * rim) / down)))
    return _framed(grid, grid.hexes(), (width, round(down * size) + 2 * rim), size, (rim, rim))


def _framed(
    grid: Grid, focus: tuple[HexId, ...], extent: tuple[int, int], size: int, beyond: tuple[int, int]
) -> CropFrame:
    flat = grid.orientation == "flat"
    unit_x, unit_y = _unit(grid)
    step_x, step_y = round(size * unit_x), round(size * unit_y)
    # Whole steps instead of centres, so that all hexes are equal to the pixel.
    places = {name: (x * step_x, y * step_y) for name, x, y in _lattice(grid)}
    reach_x, reach_y = (2 * step_x, step_y) if flat else (step_x, 2 * step_y)
    off: list[int] = []
    for axis, (room, reach) in enumerate(zip(extent, (reach_x, reach_y), strict=True)):
        every = [place[axis] for place in places.values()]
        here = [places[name][axis] for name in focus]
        off.append(_offset(min(every) - reach, max(every) + reach, (min(here) + max(here)) // 2, room, beyond[axis]))
    centres = {name: (x + off[0], y + off[1]) for name, (x, y) in places.items()}
    around = ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0)) if flat else (
        (0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))  # fmt: skip
    corners = tuple((x * step_x, y * step_y) for x, y in around)
    width, height = extent
    shown = tuple(
        name for name, (x, y) in centres.items() if -reach_x < x < width + reach_x and -reach_y < y < height + reach_y
    )
    return CropFrame(Box(0, 0, width, height), size, flat, corners, centres, shown, focus, beyond[0])


def _unit(grid: Grid) -> tuple[float, float]:
    """Half a hex across and half a side, in hex sizes: every centre lies on whole multiples of these."""
    return (0.5, _ROOT_3_HALF) if grid.orientation == "flat" else (_ROOT_3_HALF, 0.5)


@kept(16)
def _lattice(grid: Grid) -> tuple[tuple[HexId, int, int], ...]:
    """Every hex with its centre in whole multiples of `_unit`."""
    unit_x, unit_y = _unit(grid)
    points = ((name, *grid.center(name)) for name in grid.hexes())
    return tuple((name, round(x / unit_x), round(y / unit_y)) for name, x, y in points)


def _offset(first: int, last: int, middle: int, room: int, beyond: int) -> int:
    """By how much everything moves along an axis: the middle of what matters into the middle of the picture, but no
    more of what lies beyond the sheet (from ``first`` to ``last``) than need be."""
    if last - first + 2 * beyond <= room:
        return (room - first - last) // 2
    offset = room // 2 - middle
    return max(room - beyond - last, min(beyond - first, offset))
