"""How units of a battle are drawn: a hull for each side and form, in a ring of six shields; ghosts; chips with codes.

Six sides are told apart without colour by hull and chip. Everything is drawn around the middle of a hull that points
right, measured in half its length, and turned to where it faces.
"""

from math import ceil, cos, pi, sin
from typing import NamedTuple

from map_render.drawing import text
from map_render.drawing.cache import kept
from map_render.drawing.palette import FULL, PLATE, covered, mapped, ramp, side_ink
from map_render.drawing.shapes import Pen, cut
from map_render.drawing.sprites import Sprite, SpriteMaker
from rules_engine.core.basics.base import Side
from rules_engine.core.grids.space import WAYS, Way
from rules_engine.core.knowledge.tactical_scene import TacticalForm, TacticalScene

Points = tuple[tuple[float, float], ...]


class Hull(NamedTuple):
    """The outlines of a hull, and a hole in it."""

    outlines: tuple[Points, ...]
    hole: Points = ()


HULLS: tuple[Hull, ...] = (
    Hull((((1.0, 0.0), (-0.75, -0.72), (-0.3, 0.0), (-0.75, 0.72)),)),
    Hull(
        (((1.05, 0.0), (-0.8, -0.74), (-0.45, 0.0), (-0.8, 0.74)),),
        ((0.36, 0.0), (0.0, -0.27), (-0.28, 0.0), (0.0, 0.27)),
    ),
    Hull((((1.05, 0.0), (-0.3, -0.85), (-0.85, -0.85), (0.32, 0.0), (-0.85, 0.85), (-0.3, 0.85)),)),
    Hull(
        (
            ((1.08, 0.0), (0.16, -0.66), (0.16, -0.2), (-0.6, -0.2), (-0.6, 0.2), (0.16, 0.2), (0.16, 0.66)),
            ((-0.6, -0.62), (-0.95, -0.62), (-0.95, 0.62), (-0.6, 0.62)),
        )
    ),
    Hull((((1.0, -0.12), (-0.8, -0.8), (-0.8, -0.12)), ((1.0, 0.12), (-0.8, 0.8), (-0.8, 0.12)))),
    Hull((((1.08, 0.0), (0.14, -0.62), (0.14, 0.62)), ((0.1, 0.0), (-0.85, -0.72), (-0.85, 0.72)))),
)
"""By the order of the sides: dart, kite with a hole, chevron, arrow with a tail, two halves, two arrowheads."""

_PLASMA = Hull((((1.0, 0.0), (0.6, -0.5), (-0.1, -0.5), (-1.0, 0.0), (-0.1, 0.5), (0.6, 0.5)),))
_NARROW = 0.5
_HULL = 0.64
"""Half a hull's length, in radii of its ring."""
SMALL = 0.62
"""How large what is launched is drawn, in sizes of ships."""
WEAK = 67
"""A shield with less left than so many percent is thin."""


class TacticalLook(NamedTuple):
    """How a side is drawn: its ink, and its place in the order of sides, by which its hull and chip are."""

    ink: str
    place: int


def tactical_looks(scene: TacticalScene) -> dict[Side, TacticalLook]:
    """How the parties are drawn, in the campaign's order of sides, whoever looks."""
    ordered = sorted(scene.parties, key=lambda party: party.seat)
    return {
        party.label.key: TacticalLook(side_ink(party.seat), place % len(HULLS)) for place, party in enumerate(ordered)
    }


def degrees_of(way: Way) -> float:
    """Where a direction points, clockwise from the right."""
    return -90 + 60 * WAYS.index(way)


def hull_of(look: TacticalLook, form: TacticalForm) -> Hull:
    """A side's hull for a form of unit; what is launched from tubes and racks is narrower or round."""
    hull = HULLS[look.place]
    if form == "plasma":
        return _PLASMA
    if form == "drone":
        return Hull(tuple(_narrowed(points) for points in hull.outlines), _narrowed(hull.hole))
    return hull


def _narrowed(points: Points) -> Points:
    return tuple((x, y * _NARROW) for x, y in points)


def _turned(points: Points, degrees: float, size: float) -> list[tuple[float, float]]:
    c, s = cos(degrees * pi / 180), sin(degrees * pi / 180)
    return [((x * c - y * s) * size, (x * s + y * c) * size) for x, y in points]


def _draw_hull(pen: Pen, hull: Hull, degrees: float, size: float) -> None:
    for points in hull.outlines:
        pen.polygon(_turned(points, degrees, size))
    if hull.hole:
        pen.polygon(_turned(hull.hole, degrees, size), 0)


class UnitLook(NamedTuple):
    """A unit as it is drawn: side, form, facing, radius of the ring in pixels, and its shields (none: not known)."""

    look: TacticalLook
    form: TacticalForm
    facing: Way
    r: int
    shields: tuple[int, ...] = ()

    @property
    def is_ringed(self) -> bool:
        """Whether a ring of shields is around it."""
        return self.form == "ship"


@kept(512)
def unit_sprite(unit: UnitLook) -> Sprite:
    """A unit, anchored at its middle: a ship in its ring, the first shield at the bow; all else without one."""
    r, half, degrees = unit.r, unit.r + 6, degrees_of(unit.facing)
    maker, under, sign = SpriteMaker((2 * half, 2 * half)), Pen(half, r), Pen(half, r)
    hull = hull_of(unit.look, unit.form)
    if unit.is_ringed:
        under.disc(0, 0, 1 + 4 / r)
        maker.case(under.mask())
        _draw_ring(sign, unit.shields, degrees)
        _draw_hull(sign, hull, degrees, _HULL)
    else:
        under.disc(0, 0, SMALL + 4 / r)
        maker.case(under.mask())
        _draw_hull(sign, hull, degrees, SMALL)
    mask = sign.mask()
    maker.lay(mask, unit.look.ink, grow=False)
    return maker.sprite(-half, -half)


def _draw_ring(pen: Pen, shields: tuple[int, ...], degrees: float) -> None:
    """Thick is whole, thin is weak, a gap is down; a fine line all round where nothing is known of them."""
    if len(shields) != len(WAYS):
        pen.ring(0, 0, 1.0, 0.07)
        return
    for side, left in enumerate(shields):
        middle = degrees + 60 * side
        if left > 0:
            pen.arc(0, 0, 1.0, (middle - 25, middle + 25), 0.16 if left >= WEAK else 0.06)


@kept(512)
def ghost_sprite(look: TacticalLook, form: TacticalForm, facing: Way, r: int) -> Sprite:
    """Where a unit will be: its hull, hollow, anchored at its middle."""
    half, degrees = ceil(r * 1.2) + 5, degrees_of(facing)
    hull = hull_of(look, form)
    outer, inner, under = Pen(half, r), Pen(half, r), Pen(half, r)
    thick = 3.4 / r
    for points in hull.outlines:
        ends = _turned(points, degrees, 0.9)
        outer.polygon(ends)
        outer.line([*ends, ends[0], ends[1]], thick)
        inner.polygon(ends)
        under.polygon(_turned(points, degrees, 1.2))
    hollow = inner.mask()
    rim = Pen(half, r)
    for points in hull.outlines:
        ends = _turned(points, degrees, 0.9)
        rim.line([*ends, ends[0], ends[1]], thick)
    maker = SpriteMaker((2 * half, 2 * half))
    maker.case(under.mask())
    maker.case(hollow)
    maker.lay(rim.mask(), look.ink, 12)
    return maker.sprite(-half, -half)


@kept(256)
def icon_sprite(look: TacticalLook, form: TacticalForm, facing: Way, r: int) -> Sprite:
    """A hull alone on a dark disc, as it stands in a row, anchored at its middle."""
    half = r + 3
    disc, sign = Pen(half, r), Pen(half, r)
    disc.disc(0, 0, 1.0)
    _draw_hull(sign, hull_of(look, form), degrees_of(facing), 0.7)
    maker = SpriteMaker((2 * half, 2 * half))
    maker.case(disc.mask())
    maker.lay(sign.mask(), look.ink, grow=False)
    return maker.sprite(-half, -half)


# --- chips ------------------------------------------------------------------------------------------------------------

LETTERS = 0.64
"""The type size of a chip's code, in its height."""


def chip_wide(code: str, high: int) -> int:
    """How wide a chip with a code is, whoever's it is."""
    return max(round(high * 1.5), text.width(code, round(high * LETTERS), heavy=True) + round(high * 0.84))


@kept(256)
def chip_sprite(code: str, look: TacticalLook, high: int) -> Sprite:
    """A code in the chip of its side, anchored at its middle: the first side's is full, the others' outlines differ."""
    wide, size = chip_wide(code, high), round(high * LETTERS)
    half = max(wide, high) // 2 + 6
    maker, under, shape = SpriteMaker((2 * half, 2 * half)), Pen(half, 1.0), Pen(half, 1.0)
    _draw_chip(under, look.place, wide / 2 + 3, high / 2 + 3)
    maker.case(under.mask())
    _draw_chip(shape, look.place, wide / 2, high / 2)
    outline = shape.mask()
    letters, _ = text.masks(code, size, heavy=True)
    at = (half - letters.width // 2, half - text.capital_middle(size))
    if look.place == 0:
        maker.lay(outline, look.ink, grow=False)
        table = bytes([*reversed(ramp(look.ink)[25:]), *([PLATE] * 25)])
        maker.image.paste(mapped(letters, table), at, covered(letters))
    else:
        inner, thick = Pen(half, 1.0), max(3.0, high * 0.08)
        _draw_chip(inner, look.place, wide / 2 - thick * 1.15, high / 2 - thick)
        rim = cut(outline, inner.mask())
        maker.lay(rim, look.ink, FULL, grow=False)
        maker.image.paste(mapped(letters, ramp(look.ink)), at, covered(letters))
    return _trimmed(maker.sprite(-half, -half), wide + 10, high + 10)


def _draw_chip(pen: Pen, place: int, out: float, tall: float) -> None:
    """The outline of a side's chip, of these half extents in pixels."""
    tip = tall * 0.72
    match place:
        case 0:
            pen.box(0, 0, out, tall, round_by=tall * 0.26)
        case 1:
            pen.polygon([(-out, 0), (-out + tip, -tall), (out - tip, -tall), (out, 0), (out - tip, tall),
                         (-out + tip, tall)])  # fmt: skip
        case 2:
            pen.box(0, 0, out, tall, round_by=tall)
        case 3:
            pen.polygon([(-out + tip, -tall), (out, -tall), (out - tip, tall), (-out, tall)])
        case 4:
            pen.polygon([(-out, -tall), (out, -tall), (out - tip * 0.7, 0), (out, tall), (-out, tall),
                         (-out + tip * 0.7, 0)])  # fmt: skip
        case _:
            pen.polygon([(-out, -tall), (out - tip, -tall), (out, 0), (out - tip, tall), (-out, tall)])


def _trimmed(sprite: Sprite, wide: int, high: int) -> Sprite:
    """The middle of a sprite."""
    image, mask, dx, dy = sprite
    left, top = max(0, -dx - wide // 2), max(0, -dy - high // 2)
    box = (left, top, min(image.width, left + wide), min(image.height, top + high))
    return Sprite(image.crop(box), mask.crop(box), dx + left, dy + top)
