"""The chart under the counters: hexes, terrain, numbers and edge coordinates. Made once for each map and cached."""

from collections.abc import Callable
from math import ceil, cos, pi, sin
from zlib import crc32

from PIL import Image, ImageChops

from map_render.drawing import shapes, text
from map_render.drawing.cache import kept
from map_render.drawing.palette import FULL, MARGIN, covered, index, mapped, ramp
from map_render.drawing.shapes import Pen
from map_render.drawing.sprites import Sprite, SpriteMaker, label, stamp
from map_render.drawing.theme import TerrainLook, Texture, Theme
from map_render.map.layout import Layout, make_layout
from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.views import HexNote

_VARIANTS = 3
SMALLEST_NUMBER = 9  # pixels below which hex numbers are left out

Corners = tuple[tuple[int, int], ...]
ChartGround = tuple[tuple[HexId, str, bool], ...]


def ground_of(notes: tuple[HexNote, ...]) -> ChartGround:
    """What the chart shows of the hexes: (hex, terrain, invented), without hexes of plain space."""
    return tuple((note.hex, note.terrain, note.invented) for note in notes if note.terrain != "space" or note.invented)


@kept(24)
def chart(grid: Grid, ground: ChartGround, crop: tuple[HexId, ...] | None, theme: Theme) -> Image.Image:
    """The chart in palette numbers, from the heading band (left empty) to the lower margin. Do not change it."""
    layout = make_layout(grid, crop, theme)
    picture = Image.new("L", (layout.width, layout.bottom), MARGIN)
    floor, rim = _floor(layout.corners), _rim(layout.corners)
    for x, y in layout.centres.values():
        stamp(picture, floor, x, y)
    for name, word, invented in ground:
        if name not in layout.centres:
            continue
        look = theme.terrain_look(word)
        if look is not None:
            stamp(picture, terrain(look, layout.corners, layout.size, _chance(name) % _VARIANTS), *layout.centres[name])
        if invented:
            stamp(picture, invented_rim(layout.corners), *layout.centres[name])
    for x, y in layout.centres.values():
        stamp(picture, rim, x, y)
    _number(picture, layout)
    _edges(picture, grid, layout, theme)
    return picture


def _chance(seed: str) -> int:
    return crc32(seed.encode())


def _hexagon(corners: Corners, shrink: float) -> Image.Image:
    """Coverage of a hex shrunk to ``shrink`` of its size."""
    half = _half(corners)
    pen = Pen(half, 1.0)
    pen.polygon([(x * shrink, y * shrink) for x, y in corners])
    return pen.mask()


def _half(corners: Corners) -> int:
    return max(max(abs(x), abs(y)) for x, y in corners) + 3


@kept(32)
def _floor(corners: Corners) -> Sprite:
    half = _half(corners)
    maker = SpriteMaker((2 * half, 2 * half))
    maker.case(_hexagon(corners, 1.01))
    return maker.sprite(-half, -half)


@kept(32)
def _rim(corners: Corners) -> Sprite:
    half = _half(corners)
    thick = max(0.8, half / 90)
    inner, outer = 1 - thick / half, 1 + thick / half
    maker = SpriteMaker((2 * half, 2 * half))
    maker.lay(shapes.cut(_hexagon(corners, outer), _hexagon(corners, inner)), "quiet", 6)
    return maker.sprite(-half, -half)


@kept(32)
def invented_rim(corners: Corners) -> Sprite:
    """The dashed inner rim of a hex that is not in the book but made up."""
    half = _half(corners)
    thick = max(1.2, half / 60)
    line = shapes.cut(_hexagon(corners, 0.9), _hexagon(corners, 0.9 - 2 * thick / half))
    maker = SpriteMaker((2 * half, 2 * half))
    maker.lay(ImageChops.multiply(line, shapes.dashes(half)), "quiet", 7)
    return maker.sprite(-half, -half)


@kept(256)
def terrain(look: TerrainLook, corners: Corners, size: int, variant: int) -> Sprite:
    """A hex of terrain: a tint with a texture."""
    half = _half(corners)
    area = _hexagon(corners, 1.0)
    maker = SpriteMaker((2 * half, 2 * half))
    maker.case(area)
    hard = maker.mask
    maker.image.paste(index(look.ink, look.tint), mask=hard)
    pen = Pen(half, size)
    strength = TEXTURES[look.texture](pen, variant)
    grain = ImageChops.multiply(pen.mask(), area)
    # Texture lies on the tint: its coverage starts at the tint's strength instead of at the paper.
    maker.image.paste(mapped(grain, ramp(look.ink, strength, look.tint)), mask=covered(grain))
    return maker.sprite(-half, -half)


def _spread(texture: str, variant: int, count: int) -> list[tuple[float, float, float]]:
    """Evenly scattered places in a hex: x, y, and a number of 0 to 1 that looks random. The same at every run."""
    places: list[tuple[float, float, float]] = []
    for n in range(count):
        turn = n * 2.39996 + variant * 1.7
        out = 0.92 * ((n + 0.5) / count) ** 0.5
        wobble = (_chance(f"{texture}{variant}{n}") % 1000) / 1000
        places.append((out * cos(turn + 0.3 * wobble), out * sin(turn + 0.3 * wobble), wobble))
    return places


def _plain(_pen: Pen, _variant: int) -> int:
    return FULL


def _swirl(pen: Pen, variant: int) -> int:
    for x, y, chance in _spread("swirl", variant, 7):
        start = 360 * chance
        pen.arc(x, y, 0.16 + 0.14 * chance, (start, start + 200), 0.035)
    return 7


def _pebbles(pen: Pen, variant: int) -> int:
    for x, y, chance in _spread("pebbles", variant, 13):
        size = 0.06 + 0.075 * chance
        turns = [2 * pi * n / 6 + chance for n in range(6)]
        rough = [size * (0.75 + 0.5 * ((_chance(f"{variant}{x:.3f}{n}") % 100) / 100)) for n in range(6)]
        pen.polygon([(x + far * cos(turn), y + far * sin(turn)) for far, turn in zip(rough, turns, strict=True)])
    return 7


def _dots(pen: Pen, variant: int) -> int:
    for x, y, chance in _spread("dots", variant, 44):
        pen.disc(x, y, 0.018 + 0.018 * chance)
    return 8


def _rays(pen: Pen, _variant: int) -> int:
    pen.disc(0, 0, 0.34)
    for n in range(12):
        turn = 2 * pi * n / 12
        far = 0.6 if n % 2 else 0.53
        pen.line([(0.42 * cos(turn), 0.42 * sin(turn)), (far * cos(turn), far * sin(turn))], 0.05)
    return 11


def _rings(pen: Pen, _variant: int) -> int:
    for radius in (0.24, 0.42, 0.6, 0.78):
        pen.ring(0, 0, radius, 0.03)
    pen.disc(0, 0, 0.12)
    return 7


def _hatch(pen: Pen, _variant: int) -> int:
    for n in range(-8, 9):
        pen.line([(n * 0.26 - 1.1, 1.1), (n * 0.26 + 1.1, -1.1)], 0.02)
    return 6


def _waves(pen: Pen, variant: int) -> int:
    for row in range(-4, 5):
        line = [(x / 20, row * 0.24 + 0.05 * sin(x / 20 * 9 + variant + row)) for x in range(-21, 22)]
        pen.line(line, 0.025)
    return 6


def _cross(pen: Pen, variant: int) -> int:
    for x, y, _ in _spread("cross", variant, 15):
        pen.line([(x - 0.05, y - 0.05), (x + 0.05, y + 0.05)], 0.025)
        pen.line([(x - 0.05, y + 0.05), (x + 0.05, y - 0.05)], 0.025)
    return 8


TEXTURES: dict[Texture, Callable[[Pen, int], int]] = {
    "plain": _plain,
    "swirl": _swirl,
    "pebbles": _pebbles,
    "dots": _dots,
    "rays": _rays,
    "rings": _rings,
    "hatch": _hatch,
    "waves": _waves,
    "cross": _cross,
}


def number_size(layout: Layout) -> int:
    """The type size of hex numbers; 0 where they would be too small to read."""
    size = max(round(layout.size * 0.205), min(14, round(layout.size * 0.3)))
    return size if size >= SMALLEST_NUMBER else 0


def number_at(layout: Layout, name: HexId) -> tuple[int, int]:
    """The middle of the top of a hex's number."""
    x, y = layout.centres[name]
    return x, y - layout.px(0.83 if layout.flat else 0.84)


def _number(picture: Image.Image, layout: Layout) -> None:
    """Print each hex's number at its top, small and quiet."""
    size = number_size(layout)
    if not size:
        return
    table = ramp("quiet", 11)
    digits: dict[str, tuple[Image.Image, Image.Image, int]] = {}
    for digit in "0123456789":
        letters, _ = text.masks(digit, size)
        digits[digit] = (mapped(letters, table), covered(letters), text.width(digit, size))
    for name in layout.centres:
        x, y = number_at(layout, name)
        across = x - sum(digits[digit][2] for digit in name) // 2
        for digit in name:
            image, mask, step = digits[digit]
            picture.paste(image, (across, y), mask)
            across += step


def _edges(picture: Image.Image, grid: Grid, layout: Layout, theme: Theme) -> None:
    """Column numbers above and below the hexes, row numbers left and right of them."""
    columns: dict[int, list[tuple[int, int]]] = {}
    rows: dict[int, list[tuple[int, int]]] = {}
    for name, centre in layout.centres.items():
        column, row = grid.column_row(name)
        columns.setdefault(column, []).append(centre)
        rows.setdefault(row, []).append(centre)
    size = theme.sizes.edge
    reach_x, reach_y = max(x for x, _ in layout.corners), max(y for _, y in layout.corners)
    xs = [x for x, _ in layout.centres.values()]
    ys = [y for _, y in layout.centres.values()]
    left, right, top, bottom = min(xs) - reach_x, max(xs) + reach_x, min(ys) - reach_y, max(ys) + reach_y
    high = sum(text.metrics(size))
    across = ceil(text.width("0", size) * grid.digits / 2) + 12
    for column, centres in sorted(columns.items()):
        sign = label(str(column).zfill(grid.digits), size, "quiet", FULL, casing=0)
        stamp(picture, sign, min(centres, key=lambda centre: centre[1])[0], top - high - 6)
        stamp(picture, sign, max(centres, key=lambda centre: centre[1])[0], bottom + 6)
    for row, centres in sorted(rows.items()):
        sign = label(str(row).zfill(grid.digits), size, "quiet", FULL, casing=0)
        near, far = min(centres), max(centres)
        stamp(picture, sign, left - across, near[1] - high // 2)
        stamp(picture, sign, right + across, far[1] - high // 2)
