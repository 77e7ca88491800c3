"""The signs of a map of lanes: systems, and groups that are under way."""

from math import cos, pi, sin

from PIL import Image

from map_render.drawing import shapes, text
from map_render.drawing.cache import kept
from map_render.drawing.contacts import ContactLook, contact, grown
from map_render.drawing.palette import FULL, PLATE, covered, mapped, ramp
from map_render.drawing.shapes import Pen
from map_render.drawing.sprites import Sprite, SpriteMaker, icon
from map_render.lanes.pieces import LaneSite

OWN, CAPITAL, FREE, THEIRS, THEIR_CAPITAL = 31, 46, 20, 36, 52
"""Half the height of a sign, drawn: an own system, an own capital, a system of nobody, theirs, their capital."""
_BADGE = 17


def reach_of(site: LaneSite) -> int:
    """Half the height of a system's sign, drawn, all its outlines included."""
    if site.look is None:
        return FREE + 4
    if site.look.shape == "plate":
        return (CAPITAL + 14 if site.is_capital else OWN) + 4
    return (THEIR_CAPITAL + 12 if site.is_capital else THEIRS) + 6


def site_sprite(site: LaneSite, unit: float) -> Sprite:
    """The sign of a system, anchored at its middle."""

    def px(drawn: float) -> int:
        return max(1, round(drawn * unit))

    if site.look is None:
        return _unexplored(px(FREE + 8)) if site.is_unexplored else _free(px(FREE))
    if site.look.shape == "plate":
        return _own(site.figure, site.look.ink, px(CAPITAL if site.is_capital else OWN), site.is_capital)
    half = px(THEIR_CAPITAL if site.is_capital else THEIRS)
    look = ContactLook(site.look.shape, site.look.ink, half, site.look.emblem, 4)
    return _their_capital(look) if site.is_capital else contact(look)


def badges_of(site: LaneSite, unit: float) -> list[tuple[Sprite, int, int]]:
    """(sprite, x, y) of the small signs beside that of a system."""
    ink = site.look.ink if site.look else "text"
    r = max(3, round(_BADGE * unit))
    out = round((reach_of(site) + _BADGE * 0.5) * unit)
    return [
        (icon(name, ink, r), round(out * cos(turn)), round(out * sin(turn)))
        for name, turn in zip(site.badges, (0.25 * pi, 0.75 * pi), strict=False)
    ]


@kept(128)
def _own(figure: str, ink: str, half: int, capital: bool) -> Sprite:
    """A square with the census in it, a capital's with a second line around."""
    case = max(2, round(0.12 * half))
    line = max(2, round(0.13 * half))
    out = half + (case + line if capital else 0)
    edge = out + case + 1
    size = _type_size(figure, half)
    letters, _ = text.masks(figure, size, heavy=True)
    maker = SpriteMaker((2 * edge, 2 * edge))
    under, square = Pen(edge, 1.0), Pen(edge, 1.0)
    under.box(0, 0, out + case, out + case, round_by=0.34 * half + case)
    square.box(0, 0, half, half, round_by=0.26 * half)
    maker.case(under.mask())
    if capital:
        outer, inner = Pen(edge, 1.0), Pen(edge, 1.0)
        outer.box(0, 0, out, out, round_by=0.34 * half)
        inner.box(0, 0, out - line, out - line, round_by=0.3 * half)
        maker.lay(shapes.cut(outer.mask(), inner.mask()), ink, grow=False)
    maker.lay(square.mask(), ink, grow=False)
    at = (edge - letters.width // 2, edge - text.capital_middle(size))
    table = bytes([*reversed(ramp(ink)[25:]), *([PLATE] * 25)])
    maker.image.paste(mapped(letters, table), at, covered(letters))
    return maker.sprite(-edge, -edge)


def _type_size(figure: str, half: int) -> int:
    return text.shrunk(figure, round(1.32 * half), round(0.6 * half), round(1.7 * half)) if figure else half


@kept(32)
def _their_capital(look: ContactLook) -> Sprite:
    """A capital of somebody else: its shape with a second line around."""
    r = look.r
    half = round(1.6 * r) + 4
    maker = SpriteMaker((2 * half, 2 * half))
    maker.case(grown(half, r, look.shape, 0.32))
    maker.lay(shapes.cut(grown(half, r, look.shape, 0.24), grown(half, r, look.shape, 0.14)), look.ink, grow=False)
    sign = contact(look)
    maker.image.paste(sign.image, (half + sign.dx, half + sign.dy), sign.mask)
    return maker.sprite(-half, -half)


@kept(16)
def _free(r: int) -> Sprite:
    """A system of nobody: a small ring."""
    half = r + 5
    under, ring = Pen(half, r), Pen(half, r)
    under.disc(0, 0, 1 + 3 / r)
    ring.ring(0, 0, 1.0, 0.27)
    maker = SpriteMaker((2 * half, 2 * half))
    maker.case(under.mask())
    maker.lay(ring.mask(), "text", 13, grow=False)
    return maker.sprite(-half, -half)


@kept(16)
def _unexplored(r: int) -> Sprite:
    """What is not explored: a ring of dashes with a question in it."""
    half = r + 5
    under, ring = Pen(half, r), Pen(half, r)
    under.disc(0, 0, 1 + 3 / r)
    for n in range(10):
        ring.arc(0, 0, 1.0, (36 * n, 36 * n + 22), 0.16)
    maker = SpriteMaker((2 * half, 2 * half))
    maker.case(under.mask())
    maker.lay(ring.mask(), "quiet", grow=False)
    size = round(1.25 * r)
    letters, _ = text.masks("?", size, heavy=True)
    mask = Image.new("L", (2 * half, 2 * half), 0)
    mask.paste(letters, (half - letters.width // 2, half - text.capital_middle(size)))
    maker.lay(mask, "quiet", grow=False)
    return maker.sprite(-half, -half)


@kept(64)
def under_way_ring(r: int, ink: str) -> Sprite:
    """Where in its lane a group is."""
    half = r + 5
    under, ring = Pen(half, r), Pen(half, r)
    under.disc(0, 0, 1 + 4 / r)
    ring.ring(0, 0, 1.0, 0.34)
    maker = SpriteMaker((2 * half, 2 * half))
    maker.case(under.mask())
    maker.lay(ring.mask(), ink, FULL, grow=False)
    return maker.sprite(-half, -half)


@kept(64)
def news_ring(r: int, thick: int) -> Sprite:
    """The ring around a system in which several owners are, or where a battle is open."""
    half = r + thick + 5
    outer, inner = Pen(half, r), Pen(half, r)
    outer.disc(0, 0, 1 + thick / 2 / r)
    inner.disc(0, 0, 1 - thick / 2 / r)
    maker = SpriteMaker((2 * half, 2 * half))
    band = shapes.cut(outer.mask(), inner.mask())
    maker.case(shapes.widened(band, 3))
    maker.lay(band, "news", grow=False)
    return maker.sprite(-half, -half)
