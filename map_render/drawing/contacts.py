"""Contacts: what is somebody else's. Its shape says whose it is, its filling how far it is known.

Everything is drawn around the middle of the shape and measured in ``r``: a diamond is 2.12 r from point to point.
"""

from math import ceil
from typing import NamedTuple

from PIL import Image, ImageChops

from map_render.drawing import shapes, text
from map_render.drawing.cache import kept
from map_render.drawing.palette import FULL, PAPER, PLATE, covered, mapped, ramp
from map_render.drawing.shapes import CounterShape, Pen
from map_render.drawing.sprites import Sprite, SpriteMaker

_SHARE = {0: 0.0, 1: 0.0, 2: 0.36, 3: 0.55}
"""How much of a shape is filled from below, by grade; from grade 4 all of it."""


class ContactLook(NamedTuple):
    """What a contact looks like: shape, ink, size, the letters on it, and the grade to which it is known.

    ``old`` is dashed: it was not seen this turn; ``new`` has an outline in the colour of news; ``glyph`` is a sign in
    place of letters; ``fade`` the strength of its ink.
    """

    shape: CounterShape
    ink: str
    r: int
    writing: str = ""
    grade: int | None = None
    old: bool = False
    new: bool = False
    glyph: str = ""
    fade: int = FULL


def reach_of(look: ContactLook) -> int:
    """Pixels from a contact's middle to its farthest point, casing and outline included."""
    return ceil(look.r * (1.34 if look.new else 1.12)) + 4


@kept(1024)
def contact(look: ContactLook) -> Sprite:
    """A contact, anchored at the middle of its shape."""
    r, shape = look.r, look.shape
    half = ceil(r * (1.75 if look.new else 1.3)) + 4
    line, case = max(2.2, 0.1 * r) / r, max(2.5, 0.09 * r) / r
    maker = SpriteMaker((2 * half, 2 * half))
    if look.new:
        gap, thick = 0.1, max(3.0, 0.1 * r) / r
        maker.case(grown(half, r, shape, gap + thick + case * 0.7))
        maker.lay(shapes.cut(grown(half, r, shape, gap + thick), grown(half, r, shape, gap)), "news", grow=False)
    maker.case(grown(half, r, shape, case))
    whole = grown(half, r, shape)
    rim = shapes.cut(whole, grown(half, r, shape, -line))
    if look.old:
        rim = ImageChops.multiply(rim, shapes.dashes(half))
    share = 1.0 if look.grade is None else _SHARE.get(look.grade, 1.0)
    inside = _lower(whole, share, half, r, shape)
    maker.lay(ImageChops.lighter(inside, rim), look.ink, look.fade, grow=False)
    _write(maker, look, half, full=share >= 1.0)
    return maker.sprite(-half, -half)


def _lower(whole: Image.Image, share: float, half: int, r: int, shape: CounterShape) -> Image.Image:
    """The lower part of a shape, as high as ``share`` of it."""
    if share >= 1.0:
        return whole
    box = whole.getbbox()
    out = Image.new("L", whole.size, 0)
    if share > 0 and box is not None:
        top = round(box[3] - (box[3] - box[1]) * share)
        out.paste(whole.crop((0, top, whole.width, whole.height)), (0, top))
    return out


def _write(maker: SpriteMaker, look: ContactLook, half: int, *, full: bool) -> None:
    """Letters or a sign: dark on what is full, light with a dark edge on what is not."""
    r = look.r
    middle = round(shapes.MIDDLE.get(look.shape, 0.0) * r)
    if look.glyph in shapes.GLYPHS and not look.writing:
        pen = Pen(half, r * 1.05)
        shapes.GLYPHS[look.glyph](pen)
        mask = Image.new("L", maker.image.size, 0)
        mask.paste(pen.mask(), (0, middle))
        letters, outline, at = mask, mask, (0, 0)
    elif look.writing:
        size = text.shrunk(look.writing, round(r * 0.92), round(r * 0.5), round(r * 1.2))
        edge = max(2, round(0.07 * r))
        letters, outline = text.masks(look.writing, size, heavy=True, casing=0 if full else edge)
        drop = 0 if full else edge
        at = (half - letters.width // 2, half + middle - text.capital_middle(size) - drop)
    else:
        return
    if full:
        table = bytes([*reversed(ramp(look.ink, look.fade)[25:]), *([PLATE] * 25)])
        maker.image.paste(mapped(letters, table), at, covered(letters))
        return
    within = maker.mask.crop((*at, at[0] + outline.width, at[1] + outline.height))
    maker.image.paste(PAPER, at, ImageChops.multiply(covered(outline), within))
    maker.image.paste(mapped(letters, ramp("text")), at, covered(letters))


@kept(512)
def grown(half: int, r: int, shape: CounterShape, by: float = 0.0) -> Image.Image:
    """Coverage of a shape that is larger by ``by`` (in r) on every side, around the middle of a square of ``half``."""
    pen = Pen(half, r)
    shapes.draw_shape(pen, shape, by)
    return pen.mask()
