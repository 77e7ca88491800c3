"""The ground of a tactical picture: the sheet's hexes and their numbers at the rim, terrain, and the compass."""

from collections.abc import Sequence
from itertools import pairwise
from math import cos, pi, sin

from PIL import Image, ImageChops, ImageDraw

from map_render.drawing import text
from map_render.drawing.cache import kept
from map_render.drawing.palette import FULL, PAPER, covered, index, mapped, ramp
from map_render.drawing.shapes import OVER, Pen, cut
from map_render.drawing.sprites import Sprite, SpriteMaker, label, stamp
from map_render.drawing.terrain import terrain
from map_render.drawing.theme import TerrainLook, Theme
from map_render.tactical.plan import BUOY
from map_render.tactical.sheet import Point, TacticalSheet, planet_disc
from map_render.theatre.placing.room import EVERYTHING, NAME, Rect, Room
from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.space import WAYS, Lattice, column_row, hexes_between, lattice_of
from rules_engine.core.knowledge.tactical_scene import TacticalTerrainSign

LINE_THICK, _BEADS = 14, 24
"""The thickness of a line to cross, and pixels between its beads at least."""
_NUMBER = 25
_DENSE = 12
"""Below so many pixels from hex to hex their lines would be nothing but a grey."""
_WEB = TerrainLook(label="web", ink="unknown", tint=1, texture="hatch")


def paint_ground(sheet: TacticalSheet, extent: tuple[int, int]) -> Image.Image:
    """A picture of that extent with nothing on it but the sheet's hexes, where they are large enough to be seen."""
    picture = Image.new("L", extent, PAPER)
    left, top, right, bottom = sheet.field
    if sheet.row < _DENSE:
        return picture
    x, y = (left - sheet.origin[0]) % (2 * sheet.col), (top - sheet.origin[1]) % sheet.row
    picture.paste(_grid((right - left, bottom - top), sheet.col, sheet.row, (x, y)), (left, top))
    return picture


@kept(4)
def _grid(extent: tuple[int, int], col: int, row: int, start: Point) -> Image.Image:
    """The hexes' outlines. Do not change what is returned."""
    tile, (wide, high) = _tile(col, row), extent
    strip = Image.new("L", (wide + 2 * col, row), PAPER)
    for x in range(0, strip.width, 2 * col):
        strip.paste(tile, (x, 0))
    whole = Image.new("L", (strip.width, high + row), PAPER)
    for y in range(0, whole.height, row):
        whole.paste(strip, (0, y))
    return whole.crop((start[0], start[1], start[0] + wide, start[1] + high))


def _tile(col: int, row: int) -> Image.Image:
    """What repeats: two columns wide and a row high, with the middle of a hex of an even column at its corner."""
    image = Image.new("L", (2 * col * OVER, row * OVER), 0)
    draw = ImageDraw.Draw(image)
    side = col * 2 / 3
    corners = ((-side / 2, -row / 2), (side / 2, -row / 2), (side, 0), (side / 2, row / 2), (-side / 2, row / 2),
               (-side, 0))  # fmt: skip
    for c in (-1, 0, 1, 2, 3):
        for d in (-1, 0, 1, 2):
            x, y = c * col, d * row + (row / 2 if c % 2 else 0)
            ends = [((x + dx) * OVER, (y + dy) * OVER) for dx, dy in corners]
            draw.line([*ends, ends[0]], 255, round(1.7 * OVER))
    fade = 4 if row >= 30 else 3 if row >= 18 else 2
    return mapped(image.reduce(OVER), ramp("quiet", fade))


# --- terrain ----------------------------------------------------------------------------------------------------------


def draw_terrain(picture: Image.Image, theme: Theme, sheet: TacticalSheet, sign: TacticalTerrainSign) -> None:
    """One piece of terrain, as far as it lies in the field."""
    inside = [name for name in sheet.hexes_of(sign) if sheet.has(name, -sheet.row)]
    match sign.kind:
        case "planet":
            if inside:
                middle, r = planet_disc(sheet, sign)
                stamp(picture, _planet(min(r, 900)), *middle)
        case "buoy":
            for name in inside:
                stamp(picture, buoy_sprite(sign.number, max(BUOY, round(sheet.row * 0.4))), *sheet.at(name))
        case "line":
            _draw_line(picture, sheet, sheet.hexes_of(sign))
        case _:
            look = _WEB if sign.kind == "web" else _stronger(theme.terrain_look(sign.kind))
            size = max(4, round(sheet.col * 2 / 3))
            for name in inside if look else ():
                variant = (lattice_of(name).c * 7 + lattice_of(name).d * 3) % 4
                stamp(picture, terrain(look, sheet.corners, size, variant), *sheet.at(name))  # type: ignore[arg-type]


@kept(16)
def _stronger(look: TerrainLook | None) -> TerrainLook | None:
    """Terrain that stands out from the hexes' lines, which are all over this sheet."""
    return look.model_copy(update={"tint": look.tint + 3}) if look else None


@kept(16)
def _planet(r: int) -> Sprite:
    half = r + 4
    disc, inner, shade = Pen(half, r), Pen(half, r), Pen(half, r)
    disc.disc(0, 0, 1.0)
    inner.disc(0, 0, 1.0 - max(3.0, 0.06 * r) / r)
    shade.disc(-0.34, -0.34, 1.0)
    maker = SpriteMaker((2 * half, 2 * half))
    maker.case(disc.mask())
    maker.image.paste(index("world", 4), mask=covered(disc.mask()))
    night = ImageChops.multiply(disc.mask(), ImageChops.invert(shade.mask()))
    maker.image.paste(index("world", 2), mask=covered(night))
    maker.lay(cut(disc.mask(), inner.mask()), "world", FULL, grow=False)
    return maker.sprite(-half, -half)


@kept(32)
def buoy_sprite(number: int, r: int) -> Sprite:
    """A buoy: a square on its point with its place in the course, anchored at its middle."""
    half = round(r * 1.2) + 4
    under, outer, inner = Pen(half, r), Pen(half, r), Pen(half, r)
    for pen, size in ((under, 1.14), (outer, 1.0), (inner, 0.84)):
        pen.polygon([(0, -size), (size, 0), (0, size), (-size, 0)])
    maker = SpriteMaker((2 * half, 2 * half))
    maker.case(under.mask())
    maker.lay(cut(outer.mask(), inner.mask()), "text", FULL, grow=False)
    if number:
        size = round(r * (1.0 if number < 10 else 0.8))
        letters, _ = text.masks(str(number), size, heavy=True)
        at = (half - letters.width // 2, half - text.capital_middle(size))
        maker.image.paste(mapped(letters, ramp("text")), at, covered(letters))
    return maker.sprite(-half, -half)


def _draw_line(picture: Image.Image, sheet: TacticalSheet, hexes: Sequence[HexId]) -> None:
    """A line to cross, in beads from hex to hex; those that follow each other with a gap are not joined."""
    bead = dot_sprite(LINE_THICK // 2 + 1, "text", 11)
    for place, (one, other) in enumerate(pairwise(hexes)):
        if hexes_between(one, other) == 1 and any(sheet.has(name, -sheet.row) for name in (one, other)):
            # Where hexes are small one bead stands for several of them.
            every = max(1, -(-_BEADS // sheet.row))
            if place % every == 0:
                stamp(picture, bead, *sheet.at(one))
                if sheet.row >= 2 * _BEADS:
                    stamp(picture, bead, *_halfway(sheet.at(one), sheet.at(other)))
    if hexes and sheet.has(hexes[-1], -sheet.row):
        stamp(picture, bead, *sheet.at(hexes[-1]))


def _halfway(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) // 2, (one[1] + other[1]) // 2


@kept(64)
def dot_sprite(r: int, ink: str, fade: int) -> Sprite:
    """A dot, anchored at its middle."""
    half = r + 3
    pen = Pen(half, r)
    pen.disc(0, 0, 1.0)
    maker = SpriteMaker((2 * half, 2 * half))
    maker.lay(pen.mask(), ink, fade)
    return maker.sprite(-half, -half)


# --- the rim ----------------------------------------------------------------------------------------------------------


def rim_numbers(sheet: TacticalSheet, room: Room) -> list[tuple[str, Point]]:
    """Numbers of columns above and below and of rows at both sides, where they are free; they say where on the
    unbounded sheet the picture lies."""
    left, top, right, bottom = sheet.field
    every = next(step for step in (5, 10, 20, 50) if step * min(sheet.col, sheet.row) >= 100)
    found: list[tuple[str, Point]] = []

    def write(said: str, x: int, y: int) -> None:
        half = text.width(said, _NUMBER) // 2 + 3
        box = Rect(x - half, y - 14, x + half, y + 14)
        if box.within(sheet.field) and room.is_free(box, EVERYTHING):
            room.take(box, NAME)
            found.append((said, (x, y)))

    columns = range(-((sheet.origin[0] - left) // sheet.col), (right - sheet.origin[0]) // sheet.col + 1)
    for column in columns:
        if column % every == 0:
            for y in (top + 20, bottom - 20):
                write(f"{column:02}", sheet.origin[0] + sheet.col * column, y)
    # Numbers of rows are those of the outermost odd columns.
    for column, x in ((columns[0] | 1, left + 26), ((columns[-1] - 1) | 1, right - 26)):
        first = column_row(lattice_of(sheet.hex_of((sheet.spot(Lattice(column, 0))[0], top))))[1]
        for row in range(first - 1, first + (bottom - top) // sheet.row + 2):
            if row % every == 0:
                write(f"{row:02}", x, sheet.spot(Lattice(column, row - (column + 1) // 2))[1])
    return found


def draw_numbers(picture: Image.Image, numbers: list[tuple[str, Point]]) -> None:
    """These numbers, quietly."""
    for said, (x, y) in numbers:
        stamp(picture, label(said, _NUMBER, "quiet", 10, casing=3), x, y - text.capital_middle(_NUMBER))


@kept(2)
def compass_sprite(r: int) -> Sprite:
    """The six directions around a needle, anchored at its middle."""
    half = r + 4
    disc, ring, needle = Pen(half, r), Pen(half, r), Pen(half, r)
    disc.disc(0, 0, 1.0)
    ring.ring(0, 0, 1.0, 0.03)
    needle.polygon([(0, -0.2), (0.13, 0.2), (-0.13, 0.2)])
    maker = SpriteMaker((2 * half, 2 * half))
    maker.case(disc.mask())
    maker.lay(ring.mask(), "quiet", 9, grow=False)
    maker.lay(needle.mask(), "text", grow=False)
    size = round(r * 0.46)
    for number, way in enumerate(WAYS):
        turn = -pi / 2 + number * pi / 3
        letters, _ = text.masks(way, size, heavy=True)
        x = half + round(0.68 * r * cos(turn)) - letters.width // 2
        y = half + round(0.68 * r * sin(turn)) - text.capital_middle(size)
        maker.image.paste(mapped(letters, ramp("text")), (x, y), covered(letters))
    return maker.sprite(-half, -half)
