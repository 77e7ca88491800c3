"""The ground of a crop: space, terrain, territories with their borders, the grid, places as outlined hexes.

It changes seldom from turn to turn, so it is drawn once for each frame and kept.
"""

from math import cos, hypot, pi, sin
from typing import NamedTuple
from zlib import crc32

from PIL import Image, ImageChops, ImageDraw

from map_render.crop.frame import CropFrame, make_frame, whole_frame
from map_render.drawing import shapes
from map_render.drawing.cache import kept
from map_render.drawing.palette import FULL, MARGIN, PAPER, covered, index, mapped, ramp
from map_render.drawing.scene import Scene
from map_render.drawing.shapes import Pen
from map_render.drawing.sprites import Sprite, SpriteMaker, stamp
from map_render.drawing.terrain import terrain
from map_render.drawing.theme import Theme
from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.hexes import Grid

_OVER = 2
_LARGEST = 1280  # pixels: no ground is wider or higher
_TINT, _GRAIN, _PLACE = 2, 5, 4  # strengths of an owner's ink on his space: all of it, its dots or hatching, places
_ANGLES = (45, 135, 20, 160, 70, 110, 0)
"""By seat, in degrees: how each side's space is hatched on others' maps."""

Point = tuple[float, float]


class OwnedSpace(NamedTuple):
    """Whose space some hexes are: the ink of his side, whether he is the reader, his seat, the hexes, and those of them
    that are places."""

    ink: str
    own: bool
    seat: int
    hexes: tuple[HexId, ...]
    places: tuple[HexId, ...]


class CropGround(NamedTuple):
    """All that a ground shows besides the grid: terrain by hex, and the spaces."""

    terrain: tuple[tuple[HexId, str], ...]
    spaces: tuple[OwnedSpace, ...]


def ground_of(scene: Scene, places: dict[HexId, str]) -> CropGround:
    """What the ground of a scene shows. ``places`` has the owners of places that are outlined."""
    notes = [note for note in scene.board.hexes if note.hex in scene.board.grid]
    held = {note.hex: note.territory for note in notes if note.territory}
    owners = sorted({*held.values(), *(owner for owner in places.values() if owner)}, key=scene.seat_order)
    spaces: list[OwnedSpace] = []
    for owner in owners:
        look = scene.look_of(owner)
        seat = [*scene.side_looks, owner].index(owner)
        here = tuple(sorted(name for name, holder in held.items() if holder == owner))
        settled = tuple(sorted(name for name, holder in places.items() if holder == owner))
        spaces.append(OwnedSpace(look.ink, look.shape == "plate", seat, here, settled))
    words = tuple((note.hex, note.terrain) for note in notes if note.terrain != "space")
    return CropGround(words, tuple(spaces))


@kept(12)
def crop_ground(
    grid: Grid, ground: CropGround, focus: tuple[HexId, ...], extent: tuple[int, int, int], theme: Theme
) -> Image.Image:
    """The ground of a crop of that width and height and with that much beside the sheet, in palette numbers. Do not
    change it."""
    return _drawn(make_frame(grid, focus, *extent), ground, theme)


@kept(6)
def whole_ground(grid: Grid, ground: CropGround, width: int, rim: int, theme: Theme) -> Image.Image:
    """The ground of the whole map at that width, in palette numbers. Do not change it."""
    return _drawn(whole_frame(grid, width, rim), ground, theme)


def _drawn(frame: CropFrame, ground: CropGround, theme: Theme) -> Image.Image:
    picture = Image.new("L", (frame.bounds.right, frame.bounds.bottom), MARGIN)
    draw = ImageDraw.Draw(picture)
    for name in frame.shown:
        draw.polygon(_hexagon(frame, name), PAPER)
    for space in ground.spaces:
        _fill(picture, draw, frame, space)
    for name, word in ground.terrain:
        look = theme.terrain_look(word)
        if look is not None and name in frame.shown:
            stamp(picture, terrain(look, frame.corners, frame.size, crc32(name.encode()) % 3), *frame.centres[name])
    _grid(picture, frame, ground)
    for space in ground.spaces:
        _borders(picture, frame, space)
    return picture


def _hexagon(frame: CropFrame, name: HexId, shrink: float = 1.0) -> list[Point]:
    x, y = frame.centres[name]
    return [(x + dx * shrink, y + dy * shrink) for dx, dy in frame.corners]


def _fill(picture: Image.Image, draw: ImageDraw.ImageDraw, frame: CropFrame, space: OwnedSpace) -> None:
    """Tint a space and its places, with the dots of our own space or the hatching of others'."""
    area = Image.new("L", picture.size, 0)
    on_area = ImageDraw.Draw(area)
    here = [name for name in space.hexes if name in frame.shown]
    for name in here:
        draw.polygon(_hexagon(frame, name), index(space.ink, _TINT))
        on_area.polygon(_hexagon(frame, name), 255)
    if here:
        step = max(10, round(frame.size * 0.115))
        grain, hard = _grain(space.ink, step, None if space.own else _ANGLES[space.seat % 7])
        box = (0, 0, *picture.size)
        picture.paste(grain.crop(box), mask=ImageChops.multiply(hard.crop(box), area))
    for name in space.places:
        if name in frame.shown:
            draw.polygon(_hexagon(frame, name), index(space.ink, _PLACE))


@kept(24)
def _grain(ink: str, step: int, angle: int | None) -> tuple[Image.Image, Image.Image]:
    """The dots (None) or the hatching of a space in palette numbers on its tint, and where they are; larger than any
    picture. Do not change them."""
    extent = (_LARGEST, _LARGEST)
    cover = _dots(extent, step) if angle is None else _hatching(extent, step, angle)
    return mapped(cover, ramp(ink, _GRAIN, _TINT)), covered(cover)


def _dots(extent: tuple[int, int], step: int) -> Image.Image:
    """A mask of dots in rows, each row shifted by half a step."""
    radius = max(1.0, step * 0.11)
    tile = Image.new("L", (step * 4, step * 8), 0)
    draw = ImageDraw.Draw(tile)
    for x, y in ((step * 2, step * 2), (0, step * 6), (step * 4, step * 6)):
        draw.ellipse((x - 4 * radius, y - 4 * radius, x + 4 * radius, y + 4 * radius), 255)
    small = tile.reduce(4)
    mask = Image.new("L", extent, 0)
    for x in range(0, extent[0], step):
        for y in range(0, extent[1], 2 * step):
            mask.paste(small, (x, y))
    return mask


def _hatching(extent: tuple[int, int], step: int, angle: int) -> Image.Image:
    """A mask of parallel lines at an angle in degrees."""
    mask = Image.new("L", (extent[0] * _OVER, extent[1] * _OVER), 0)
    draw = ImageDraw.Draw(mask)
    ux, uy = cos(angle * pi / 180), sin(angle * pi / 180)
    far = hypot(*mask.size)
    for n in range(-int(far / step / _OVER) - 1, int(far / step / _OVER) + 2):
        x, y = -uy * n * step * _OVER, ux * n * step * _OVER
        draw.line((x - far * ux, y - far * uy, x + far * ux, y + far * uy), 255, _OVER)
    return mask.reduce(_OVER)


def _grid(picture: Image.Image, frame: CropFrame, ground: CropGround) -> None:
    """The lines between hexes: quiet in the open, in an owner's ink in his space."""
    inks: dict[HexId, str] = {name: space.ink for space in ground.spaces for name in space.hexes}
    thick = max(1.5, frame.size / 56)
    for name in sorted(frame.shown, key=lambda one: one in inks):
        ink = inks.get(name, "quiet")
        rim = _sides(frame.corners, (0, 1, 2, 3, 4, 5), LineLook(ink, 4 if ink == "quiet" else 7, thick))
        stamp(picture, rim, *frame.centres[name])


def _borders(picture: Image.Image, frame: CropFrame, space: OwnedSpace) -> None:
    """The border of a space, drawn on its own side, and the outlines of its places."""
    held = frozenset(space.hexes)
    thick = max(4.0, frame.size / 20)
    border = LineLook(space.ink, FULL, thick, 1 - thick / 2 / frame.size, dashed=not space.own)
    for name in space.hexes:
        outer = _outer_sides(frame, name, held) if name in frame.shown else ()
        if outer:
            stamp(picture, _sides(frame.corners, outer, border), *frame.centres[name])
    outline = border._replace(shrink=min(0.95, border.shrink))
    for name in space.places:
        if name in frame.shown:
            stamp(picture, _sides(frame.corners, (0, 1, 2, 3, 4, 5), outline), *frame.centres[name])


def draw_range(picture: Image.Image, frame: CropFrame, hexes: frozenset[HexId], ink: str) -> None:
    """What something of the reader's own reaches: a dotted outline, and the faintest tint where there is only space."""
    area = Image.new("L", picture.size, 0)
    draw = ImageDraw.Draw(area)
    here = [name for name in frame.shown if name in hexes]
    for name in here:
        draw.polygon(_hexagon(frame, name), 255)
    space = mapped(picture, bytes([255 if number == PAPER else 0 for number in range(256)]))
    picture.paste(index(ink, 1), mask=ImageChops.multiply(area, space))
    thick = max(3.0, frame.size / 26)
    outline = LineLook(ink, FULL, thick, 1 - thick / frame.size, dotted=True)
    for name in here:
        outer = _outer_sides(frame, name, hexes)
        if outer:
            stamp(picture, _sides(frame.corners, outer, outline), *frame.centres[name])


def _outer_sides(frame: CropFrame, name: HexId, held: frozenset[HexId]) -> tuple[int, ...]:
    """The sides of a hex beyond which lies none of some hexes."""
    (x, y), corners = frame.centres[name], frame.corners
    around = {frame.centres[one] for one in held if one in frame.centres}
    ends = enumerate(zip(corners, (*corners[1:], corners[0]), strict=True))
    return tuple(n for n, ((ax, ay), (bx, by)) in ends if (x + ax + bx, y + ay + by) not in around)


class LineLook(NamedTuple):
    """How a line along a hex's sides looks: ink, strength, width in pixels, and how far it is drawn inwards."""

    ink: str
    fade: int
    thick: float
    shrink: float = 1.0
    dashed: bool = False
    dotted: bool = False


@kept(512)
def _sides(corners: tuple[tuple[int, int], ...], sides: tuple[int, ...], look: LineLook) -> Sprite:
    """Some sides of a hex, anchored at its middle; side n runs from corner n to the next. Dashes leave the corners
    closed."""
    half = max(max(abs(x), abs(y)) for x, y in corners) + round(look.thick) + 3
    mask = Image.new("L", (2 * half * _OVER, 2 * half * _OVER), 0)
    draw, wide = ImageDraw.Draw(mask), max(1, round(look.thick * _OVER))

    def line(start: Point, end: Point) -> None:
        draw.line([((x + half) * _OVER, (y + half) * _OVER) for x, y in (start, end)], 255, wide)
        for x, y in (start, end):
            at_x, at_y, r = (x + half) * _OVER, (y + half) * _OVER, look.thick * _OVER / 2 - 0.5
            draw.ellipse((at_x - r, at_y - r, at_x + r, at_y + r), 255)

    for side in sides:
        (ax, ay), (bx, by) = (tuple(part * look.shrink for part in corners[at % 6]) for at in (side, side + 1))
        count = max(2, round(hypot(bx - ax, by - ay) / (look.thick * (2.6 if look.dotted else 4.4))))
        half_dash = 0.0 if look.dotted else 0.3
        dashes = [(max(0.0, (n - half_dash) / count), min(1.0, (n + half_dash) / count)) for n in range(count + 1)]
        for first, last in dashes if look.dashed or look.dotted else [(0.0, 1.0)]:
            line((ax + (bx - ax) * first, ay + (by - ay) * first), (ax + (bx - ax) * last, ay + (by - ay) * last))
    small = mask.reduce(_OVER)
    return Sprite(mapped(small, ramp(look.ink, look.fade)), mapped(small, _FIRM), -half, -half)


_FIRM = bytes([0] * 60 + [255] * 196)
"""As `covered`, but without the faintest edge, which would be paper on a tint."""


@kept(16)
def ring(corners: tuple[tuple[int, int], ...], thick: int, ink: str) -> Sprite:
    """The ring around a hex in which something happened, anchored at its middle."""
    half = max(max(abs(x), abs(y)) for x, y in corners) + thick + 8
    size = max(hypot(x, y) for x, y in corners)

    def hexagon(more: float) -> Image.Image:
        pen = Pen(half, 1.0)
        share = 1 + more / size
        pen.polygon([(x * share, y * share) for x, y in corners])
        return pen.mask()

    maker = SpriteMaker((2 * half, 2 * half))
    maker.case(shapes.cut(hexagon(thick + 4), hexagon(-4)))
    maker.lay(shapes.cut(hexagon(thick), hexagon(0)), ink)
    return maker.sprite(-half, -half)
