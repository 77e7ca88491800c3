"""The ground of a theatre: paper, terrain, whose space it is, the grid, and row and column numbers.

It seldom changes, so that it is drawn once and kept.
"""

from collections.abc import Iterable
from itertools import pairwise
from math import cos, hypot, radians, sin
from typing import NamedTuple

from PIL import Image, ImageChops, ImageDraw

from map_render.drawing.cache import kept
from map_render.drawing.palette import GRID, PAPER, covered, index, mapped, ramp
from map_render.drawing.shapes import Pen
from map_render.drawing.sprites import Sprite, SpriteMaker, Stroke, for_many, stamp, strokes
from map_render.drawing.terrain import invented_rim, terrain
from map_render.drawing.theme import Theme
from map_render.theatre.frame import Frame, Point
from map_render.theatre.numbers import draw_numbers
from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.hexes import Grid

TINT = 2
"""The strength of a side's ink in its space."""


class OwnedHex(NamedTuple):
    """A hex that is somebody's space: its ink, whether it is the reader's own, and which of seven looks it has."""

    hex: HexId
    ink: str
    own: bool
    look: int


class GroundLook(NamedTuple):
    """What the ground shows: (hex, word) of the terrain, whose space hexes are, and which are made up."""

    terrain: tuple[tuple[HexId, str], ...]
    space: tuple[OwnedHex, ...]
    invented: tuple[HexId, ...] = ()


@kept(16)
def ground(grid: Grid, frame: Frame, of: GroundLook, theme: Theme) -> Image.Image:
    """The ground in palette numbers, as large as the whole picture. Do not change it."""
    picture = Image.new("L", (frame.width, frame.height), PAPER)  # header, facts and legend are laid over it
    tints = {spot[1:]: _tint(frame.corners, spot._replace(hex=""), frame.px(7)) for spot in _each_look(of.space)}
    for spot in of.space:
        if spot.hex in frame.centres:
            stamp(picture, tints[spot[1:]], *frame.centres[spot.hex])
    for name, word in of.terrain:
        look = theme.terrain_look(word)
        if look is not None and name in frame.centres:
            stamp(picture, terrain(look, frame.corners, frame.size, 0), *frame.centres[name])
    _grid(picture, frame)
    for name in of.invented:
        if name in frame.centres:
            stamp(picture, invented_rim(frame.corners), *frame.centres[name])
    _borders(picture, frame, of.space)
    draw_numbers(picture, grid, frame)
    return picture


def _grid(picture: Image.Image, frame: Frame) -> None:
    """The edges of all hexes, each once though two may share it."""
    first = frame.corners.index(min(frame.corners))
    around = (*frame.corners[first:], *frame.corners[:first])
    far = around.index(max(around))
    # A hex is two chains of edges from its first corner to its last. The upper ones leave only edges of the rim out.
    chains = around[: far + 1], (around[0], *around[: far - 1 : -1])
    draw, thick = ImageDraw.Draw(picture), frame.px(3)
    drawn: set[tuple[Point, Point]] = set()
    for corners in chains:
        for x, y in frame.centres.values():
            chain = [(x + dx, y + dy) for dx, dy in corners]
            edges = set(pairwise(chain))
            if not edges <= drawn:
                drawn |= edges
                draw.line(chain, GRID, thick)


# --- whose space ------------------------------------------------------------------------------------------------------

_ANGLES = (20, 45, 135, 90, 0, 70, 160)
"""The angle of the hatching of the seven sides, in degrees, between the right and the way across the lines."""
_DASHES: tuple[tuple[float, tuple[tuple[float, float], ...]], ...] = (
    (10.0, ((0.14, 0.6),)),
    (9.0, ((0.18, 0.56),)),
    (12.0, ((0.1, 0.42), (0.76, 0.06))),
    (4.0, ((0.4, 0.1),)),
    (18.0, ((0.1, 0.78),)),
    (14.0, ((0.08, 0.34), (0.6, 0.05), (0.82, 0.05))),
    (6.0, ((0.3, 0.36),)),
)
"""The dashes of the seven sides: the length after which they repeat, in the thickness of the line, and where dashes
begin and how long they are, in that length."""


def dashes_of(look: int, length: float, thick: float) -> list[tuple[float, float]]:
    """(start, length) of the dashes along an edge, in shares of it."""
    repeat, dashes = _DASHES[look % len(_DASHES)]
    count = max(1, round(length / (repeat * thick)))
    return [((n + start) / count, part / count) for n in range(count) for start, part in dashes]


@kept(64)
def _tint(corners: tuple[Point, ...], spot: OwnedHex, thick: int) -> Sprite:
    """A hex of somebody's space. Its lines go on in the next hex, since they repeat with the hexes."""
    half = max(max(abs(x), abs(y)) for x, y in corners) + 2
    area = Pen(half, 1.0)
    area.polygon(corners)
    maker = SpriteMaker((2 * half, 2 * half))
    maker.case(area.mask())
    ink = index(spot.ink, TINT)
    maker.image.paste(ink, mask=maker.mask)
    lines = Pen(half, 1.0)
    wide, high = _steps(corners)
    if spot.own:
        for x, y in _lattice(
            half, wide / max(1, round(wide / (3.6 * thick))), high / (2 * round(high / (5 * thick)) or 2)
        ):
            lines.disc(x, y, max(1.0, thick * 0.34))
        strength = 6
    else:
        turn = radians(_ANGLES[spot.look % len(_ANGLES)])
        across, down = round(cos(turn) * wide / (3.6 * thick)), round(sin(turn) * high / (3.6 * thick))
        _hatch(lines, (across / wide, down / high) if across or down else (1 / wide, 0), half, max(1.2, thick * 0.3))
        strength = 4
    grain = ImageChops.multiply(lines.mask(), area.mask())
    maker.image.paste(mapped(grain, ramp(spot.ink, strength, TINT)), mask=covered(grain))
    return for_many(maker.sprite(-half, -half))


def _each_look(space: tuple[OwnedHex, ...]) -> Iterable[OwnedHex]:
    """One hex of each look that there is."""
    return {spot[1:]: spot for spot in space}.values()


def _steps(corners: tuple[Point, ...]) -> tuple[int, int]:
    """(across, down) of the lattice on which all hexes lie: a hex is a whole number of each from the next."""
    xs, ys = [abs(x) for x, _ in corners], [abs(y) for _, y in corners]
    flat = max(xs) > 2 * min(xs) - 1 and min(xs) > 0
    return (3 * min(xs), max(ys)) if flat else (max(xs), 3 * min(y for y in ys if y))


def _lattice(half: int, wide: float, high: float) -> list[tuple[float, float]]:
    """Dots that repeat every ``wide`` and ``high``, each second row between the first."""
    found: list[tuple[float, float]] = []
    for row in range(-int(half / high) - 1, int(half / high) + 2):
        aside = wide / 2 if row % 2 else 0.0
        found += [(n * wide + aside, row * high) for n in range(-int(half / wide) - 1, int(half / wide) + 2)]
    return found


def _hatch(pen: Pen, wave: tuple[float, float], half: int, thick: float) -> None:
    """Straight lines across which the phase ``wave`` · (x, y) is whole."""
    far = hypot(*wave)
    ux, uy = wave[0] / far, wave[1] / far
    count = int(half * 1.5 * far) + 1
    for n in range(-count, count + 1):
        x, y, reach = ux * n / far, uy * n / far, 1.5 * half
        pen.line([(x - uy * reach, y + ux * reach), (x + uy * reach, y - ux * reach)], thick)


def _borders(picture: Image.Image, frame: Frame, space: tuple[OwnedHex, ...]) -> None:
    """The edges at which a space ends, a little inside it, so that two borders lie beside each other."""
    inks = {frame.everywhere[spot.hex]: spot.ink for spot in space if spot.hex in frame.everywhere}
    edges = list(zip(frame.corners, (*frame.corners[1:], frame.corners[0]), strict=True))
    thick, sprites = frame.px(7), list[tuple[Sprite, Sprite, int, int]]()
    borders = {
        spot[1:]: [_border(start, end, spot._replace(hex=""), thick) for start, end in edges]
        for spot in _each_look(space)
    }
    across = [(start[0] + end[0], start[1] + end[1]) for start, end in edges]
    for spot in space:
        if spot.hex not in frame.centres:
            continue
        x, y = frame.centres[spot.hex]
        for (dx, dy), border in zip(across, borders[spot[1:]], strict=True):
            if inks.get((x + dx, y + dy)) != spot.ink:
                sprites.append((*border, x, y))
    for casing, _, x, y in sprites:
        stamp(picture, casing, x, y)
    for _, core, x, y in sprites:
        stamp(picture, core, x, y)


@kept(64)
def _border(start: Point, end: Point, spot: OwnedHex, thick: int) -> tuple[Sprite, Sprite]:
    """(casing, core) of one edge of a space, all its dashes together, anchored at the middle of the hex."""
    casing, core = strokes(tuple(_edge(start, end, spot.own, spot.look, thick)), spot.ink)
    return for_many(casing), for_many(core)


def _edge(start: Point, end: Point, own: bool, look: int, thick: int) -> list[tuple[int, int, Stroke]]:
    """The strokes of one edge, moved inwards by its own thickness: (x, y, stroke)."""
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    far = hypot(*middle)
    inward = 0.55 * thick / far
    dx, dy = -middle[0] * inward, -middle[1] * inward
    x, y = start[0] + dx, start[1] + dy
    along = (end[0] - start[0], end[1] - start[1])
    if own:
        return [(round(x), round(y), Stroke(round(along[0]), round(along[1]), thick))]
    pieces: list[tuple[int, int, Stroke]] = []
    for begin, length in dashes_of(look, hypot(*along), thick):
        pieces.append(
            (
                round(x + along[0] * begin),
                round(y + along[1] * begin),
                Stroke(round(along[0] * length), round(along[1] * length), thick * 0.92),
            )
        )
    return pieces


@kept(64)
def swatch(spot: OwnedHex, extent: tuple[int, int], thick: int) -> Sprite:
    """A box of somebody's space for the legend, anchored at the middle of its left edge."""
    wide, high = extent
    half = max(wide, high) // 2 + 2
    box = ((-wide // 2, -high // 2), (wide // 2, -high // 2), (wide // 2, high // 2), (-wide // 2, high // 2))
    area, lines, rim = Pen(half, 1.0), Pen(half, 1.0), Pen(half, 1.0)
    area.polygon(box)
    if spot.own:
        for x, y in _lattice(half, 4 * thick, 3 * thick):
            lines.disc(x, y, max(1.0, thick * 0.4))
    else:
        turn = radians(_ANGLES[spot.look % len(_ANGLES)])
        _hatch(lines, (cos(turn) / (3.4 * thick), sin(turn) / (3.4 * thick)), half, max(1.2, thick * 0.34))
    for start, end in zip(box, (*box[1:], box[0]), strict=True):
        dx, dy = end[0] - start[0], end[1] - start[1]
        dashes = [(0.0, 1.0)] if spot.own else dashes_of(spot.look, hypot(dx, dy), 0.6 * thick)
        for low, share in dashes:
            rim.line([(start[0] + dx * at, start[1] + dy * at) for at in (low, low + share)], thick * 0.7)
    maker = SpriteMaker((2 * half, 2 * half))
    maker.case(area.mask())
    maker.image.paste(index(spot.ink, TINT), mask=maker.mask)
    grain = ImageChops.multiply(lines.mask(), area.mask())
    maker.image.paste(mapped(grain, ramp(spot.ink, TINT + 5, TINT)), mask=covered(grain))
    maker.lay(rim.mask(), spot.ink)
    return maker.sprite(-half + wide // 2, -half)
