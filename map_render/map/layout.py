"""The layout of a map: where hexes, margins, heading and legend lie on the image, in pixels."""

from typing import NamedTuple

from map_render.drawing.cache import kept
from map_render.drawing.theme import Theme
from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.hexes import Grid

_ROOT_3_HALF = 3**0.5 / 2
_LEGEND_ROOM = 2.6  # rows of legend for which the usual scale leaves room
_LARGE_LEGEND_ROOM = 4.4  # the same at the largest scale, where nothing may be longer
NARROWEST = 1000  # pixels that heading and legend need to be read


class Layout(NamedTuple):
    """The layout of one map, in pixels. ``centres`` holds the centre of every hex shown, ``beyond`` those that
    the map's other hexes would have."""

    width: int
    top: int
    bottom: int
    size: int
    corners: tuple[tuple[int, int], ...]
    centres: dict[HexId, tuple[int, int]]
    beyond: dict[HexId, tuple[int, int]]
    flat: bool
    scale: float

    def px(self, share: float) -> int:
        """A length given in hex sizes (centre to corner)."""
        return round(self.size * share)

    def type_size(self, pixels: int) -> int:
        """A type size of the theme, fitted to this image's width."""
        return max(14, round(pixels * self.scale))


def band_height(theme: Theme, scale: float) -> int:
    """Pixels of the heading band."""
    return round(theme.sizes.heading * scale * 1.9)


def shown_hexes(grid: Grid, crop: tuple[HexId, ...] | None) -> tuple[HexId, ...]:
    """The hexes within the rectangle around ``crop``, or all of them.

    Raises:
        ValueError: for an empty crop, and (UnknownHex) for a hex that is not on the map.
    """
    if crop is None:
        return grid.hexes()
    if not crop:
        raise ValueError("a crop needs at least one hex")
    points = [grid.center(name) for name in crop]
    # The rectangle is a little larger, because centres are floats.
    left, right = min(x for x, _ in points) - 0.01, max(x for x, _ in points) + 0.01
    top, bottom = min(y for _, y in points) - 0.01, max(y for _, y in points) + 0.01
    inside: list[HexId] = []
    for name in grid.hexes():
        x, y = grid.center(name)
        if left <= x <= right and top <= y <= bottom:
            inside.append(name)
    return tuple(inside)


@kept(64)
def make_layout(grid: Grid, crop: tuple[HexId, ...] | None, theme: Theme) -> Layout:
    """Choose the scale and place every hex on whole pixels."""
    flat = grid.orientation == "flat"
    unit_x, unit_y = (0.5, _ROOT_3_HALF) if flat else (_ROOT_3_HALF, 0.5)
    names = shown_hexes(grid, crop)
    # Whole numbers instead of centres, so that all hexes are equal to the pixel.
    everywhere = {name: _lattice(grid.center(name), unit_x, unit_y) for name in grid.hexes()}
    lattice = {name: everywhere[name] for name in names}
    reach = (2, 1) if flat else (1, 2)
    left = min(x for x, _ in lattice.values()) - reach[0]
    right = max(x for x, _ in lattice.values()) + reach[0]
    top = min(y for _, y in lattice.values()) - reach[1]
    bottom = max(y for _, y in lattice.values()) + reach[1]
    wide, high = (right - left) * unit_x, (bottom - top) * unit_y

    sizes = theme.sizes
    size = _hex_size(theme, wide, high, sizes.usual, _LEGEND_ROOM)
    if size < sizes.roomy_hex:
        size = min(sizes.roomy_hex, _hex_size(theme, wide, high, sizes.longest, _LARGE_LEGEND_ROOM))
    size = max(3, min(size, sizes.largest_hex))
    # Steps are whole pixels; rounding them up must not push the image over its longest side.
    while size > 3 and (right - left) * round(size * unit_x) > sizes.longest - 4 * sizes.edge:
        size -= 1
    step_x, step_y = max(1, round(size * unit_x)), max(1, round(size * unit_y))
    margin = round(sizes.edge * 1.75)
    map_width, map_height = (right - left) * step_x, (bottom - top) * step_y
    width = max(NARROWEST, map_width + 2 * margin)
    if max(width, map_height + 2 * margin + 2 * band_height(theme, 1.0)) < sizes.shortest:
        width = sizes.shortest
    scale = max(0.72, min(1.2, width / 2000))
    band = band_height(theme, scale)
    off_x, off_y = (width - map_width) // 2 - left * step_x, band + margin - top * step_y
    places = {name: (off_x + x * step_x, off_y + y * step_y) for name, (x, y) in everywhere.items()}
    centres = {name: places[name] for name in names}
    beyond = {name: place for name, place in places.items() if name not in centres}
    around = ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0)) if flat else (
        (0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))  # fmt: skip
    corners = tuple((x * step_x, y * step_y) for x, y in around)
    return Layout(width, band, band + map_height + 2 * margin, size, corners, centres, beyond, flat, scale)


def _lattice(point: tuple[float, float], unit_x: float, unit_y: float) -> tuple[int, int]:
    return round(point[0] / unit_x), round(point[1] / unit_y)


def _hex_size(theme: Theme, wide: float, high: float, long_side: int, rows: float) -> int:
    """The hex size (centre to corner) at which the image's long side is about ``long_side``."""
    margin = round(theme.sizes.edge * 1.75) * 2
    legend = round(theme.sizes.legend * 1.75 * 1.12 * rows)
    return int(min((long_side - margin) / wide, (long_side - margin - band_height(theme, 1.0) - legend) / high))
