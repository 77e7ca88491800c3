"""The ground of a crop: space, terrain, territories with their borders, the grid, places as outlined hexes.

It changes seldom from turn to turn, so it is drawn once for each frame and kept.
"""

from math import cos, hypot, pi, sin
from typing import NamedTuple
from zlib import crc32

from PIL import Image, ImageChops, ImageDraw

from map_render.crop.frame import Frame, make_frame, whole_frame
from map_render.drawing import shapes
from map_render.drawing.cache import kept
from map_render.drawing.palette import HARD, MARGIN, PAPER, index, mapped, ramp
from map_render.drawing.shapes import Pen
from map_render.drawing.sprites import Sprite, SpriteMaker, stamp
from map_render.drawing.theme import Theme
from map_render.map.chart import terrain
from map_render.map.scene import Scene
from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.hexes import Grid

_OVER = 2
_TINT, _GRAIN, _PLACE = 2, 5, 4  # strengths of an owner's ink on his space: all of it, its dots or hatching, places
_ANGLES = (45, 135, 20, 160, 70, 110, 0)
"""By seat, in degrees: how each side's space is hatched on others' maps."""

Point = tuple[float, float]


class Space(NamedTuple):
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
    spaces: tuple[Space, ...]


def ground_of(scene: Scene, places: dict[HexId, str]) -> CropGround:
    """What the ground of a scene shows. ``places`` has the owner of every place."""
    notes = [note for note in scene.board.hexes if note.hex in scene.board.grid]
    held = {note.hex: note.territory for note in notes if note.territory}
    owners = sorted({*held.values(), *(owner for owner in places.values() if owner)}, key=scene.seat_order)
    spaces: list[Space] = []
    for owner in owners:
        look = scene.look_of(owner)
        seat = [*scene.side_looks, owner].index(owner)
        here = tuple(sorted(name for name, holder in held.items() if holder == owner))
        settled = tuple(sorted(name for name, holder in places.items() if holder == owner))
        spaces.append(Space(look.ink, look.shape == "plate", seat, here, settled))
    free = tuple(sorted(name for name, owner in places.items() if not owner))
    if free:
        spaces.append(Space("quiet", False, 0, (), free))
    words = tuple((note.hex, note.terrain) for note in notes if note.terrain != "space")
    return CropGround(words, tuple(spaces))


@kept(12)
def crop_ground(
    grid: Grid, ground: CropGround, focus: tuple[HexId, ...], extent: tuple[int, int], theme: Theme
) -> Image.Image:
    """The ground of a crop, in palette numbers. Do not change it."""
    return _drawn(make_frame(grid, focus, *extent), ground, theme)


@kept(6)
def whole_ground(grid: Grid, ground: CropGround, width: int, rim: int, theme: Theme) -> Image.Image:
    """The ground of the whole map at that width, in palette numbers. Do not change it."""
    return _drawn(whole_frame(grid, width, rim), ground, theme)


def _drawn(frame: Frame, ground: CropGround, theme: Theme) -> Image.Image:
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


def _hexagon(frame: Frame, name: HexId, shrink: float = 1.0) -> list[Point]:
    x, y = frame.centres[name]
    return [(x + dx * shrink, y + dy * shrink) for dx, dy in frame.corners]


def _fill(picture: Image.Image, draw: ImageDraw.ImageDraw, frame: Frame, space: Space) -> None:
    """Tint a space and its places, with the dots of our own space or the hatching of others'."""
    area = Image.new("L", picture.size, 0)
    on_area = ImageDraw.Draw(area)
    here = [name for name in space.hexes if name in frame.shown]
    for name in here:
        draw.polygon(_hexagon(frame, name), index(space.ink, _TINT))
        on_area.polygon(_hexagon(frame, name), 255)
    if here:
        step = max(10, round(frame.size * 0.115))
        grain = _dots(picture.size, step) if space.own else _hatching(picture.size, step, _ANGLES[space.seat % 7])
        span = _GRAIN - _TINT
        table = bytes(index(space.ink, _TINT + round(span * cover / 255)) for cover in range(256))
        picture.paste(mapped(grain, table), mask=ImageChops.multiply(mapped(grain, HARD), area))
    for name in space.places:
        if name in frame.shown:
            draw.polygon(_hexagon(frame, name), index(space.ink, _PLACE))


@kept(8)
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


@kept(16)
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


def _grid(picture: Image.Image, frame: Frame, ground: CropGround) -> None:
    """The lines between hexes: quiet in the open, in an owner's ink in his space."""
    inks: dict[HexId, str] = {name: space.ink for space in ground.spaces for name in space.hexes}
    parts: dict[str, list[HexId]] = {}
    for name in frame.shown:
        parts.setdefault(inks.get(name, "quiet"), []).append(name)
    thick = max(1.0, frame.size / 70)
    for ink, names in sorted(parts.items(), key=lambda part: part[0] != "quiet"):
        lines = _Lines(picture.size)
        for name in names:
            corners = _hexagon(frame, name)
            lines.through([*corners, corners[0]], thick)
        lines.lay(picture, ink, 4 if ink == "quiet" else 6)


def _borders(picture: Image.Image, frame: Frame, space: Space) -> None:
    """The border of a space, drawn on its own side, and the outlines of its places."""
    lines = _Lines(picture.size)
    held = set(space.hexes)
    by_place = {place: name for name, place in frame.centres.items()}
    thick = max(2.0, frame.size / 26)
    for name in space.hexes:
        if name not in frame.shown:
            continue
        corners, (x, y) = _hexagon(frame, name), frame.centres[name]
        inner = _hexagon(frame, name, 1 - thick / 2 / frame.size)
        for n in range(6):
            (ax, ay), (bx, by) = corners[n], corners[(n + 1) % 6]
            beyond = by_place.get((round(ax + bx - x), round(ay + by - y)))
            if beyond not in held:
                lines.edge(inner[n], inner[(n + 1) % 6], thick, dashed=not space.own)
    for name in space.places:
        if name in frame.shown:
            corners = _hexagon(frame, name, 0.95)
            for n in range(6):
                lines.edge(corners[n], corners[(n + 1) % 6], thick, dashed=not space.own)
    lines.lay(picture, space.ink, 15)


class _Lines:
    """Lines on a mask of twice the size, which is laid on a picture."""

    def __init__(self, extent: tuple[int, int]) -> None:
        self._mask = Image.new("L", (extent[0] * _OVER, extent[1] * _OVER), 0)
        self._draw = ImageDraw.Draw(self._mask)
        self._empty = True

    def through(self, points: list[Point], thick: float) -> None:
        """A line through points."""
        self._empty = False
        self._draw.line([(x * _OVER, y * _OVER) for x, y in points], 255, max(1, round(thick * _OVER)), "curve")

    def edge(self, start: Point, end: Point, thick: float, *, dashed: bool) -> None:
        """A straight line between two corners; dashes leave the corners closed."""
        if not dashed:
            self.through([start, end], thick)
            radius = thick / 2
            for x, y in (start, end):
                self._draw.ellipse([(part * _OVER) for part in (x - radius, y - radius, x + radius, y + radius)], 255)
            return
        count = max(2, round(hypot(end[0] - start[0], end[1] - start[1]) / (thick * 4.4)))
        for n in range(count + 1):
            first, last = max(0.0, (n - 0.3) / count), min(1.0, (n + 0.3) / count)
            ends = [(start[0] + (end[0] - start[0]) * at, start[1] + (end[1] - start[1]) * at) for at in (first, last)]
            self.through(ends, thick)

    def lay(self, picture: Image.Image, ink: str, fade: int) -> None:
        """Put the lines on a picture."""
        if self._empty:
            return
        mask = self._mask.reduce(_OVER)
        picture.paste(mapped(mask, ramp(ink, fade)), mask=mapped(mask, _FIRM))


_FIRM = bytes([0] * 60 + [255] * 196)
"""As `HARD`, but without the faintest edge, which would be paper on a tint."""


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
