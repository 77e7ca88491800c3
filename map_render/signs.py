"""Signs: the counters' own forms as small square pictures that stand in a line of text.

A sign stands on grounds that nobody here chooses, dark or light: its dark casing parts it from the one, its ink from
the other.
"""

import io
from dataclasses import dataclass
from inspect import unwrap
from typing import Literal

from PIL import Image

from map_render.drawing import shapes, sprites
from map_render.drawing.contacts import ContactLook, contact
from map_render.drawing.image import coloured
from map_render.drawing.palette import side_ink
from map_render.drawing.plates import PlateLook, pin, plate
from map_render.drawing.shapes import CounterShape, Pen
from map_render.drawing.sprites import Sprite, SpriteMaker
from map_render.drawing.theme import DEFAULT

SIDE = 128
"""Pixels of a sign, each way."""

_SCALE = 2
"""Signs are drawn so many times larger, and averaged down."""

SignForm = Literal["pin", "plate", "contact", "battle", "warning", "anchor", "ready"]


@dataclass(frozen=True, slots=True)
class SignLook:
    """What a sign shows: a ``form``, of the side of that ``seat`` (None: of nobody's colour).

    A pin has a ``number``. A contact has a ``shape``, and is filled to its ``grade``: None or 4 all of it; 1 not at
    all, with a question mark.
    """

    form: SignForm
    seat: int | None = None
    number: int = 0
    shape: CounterShape = "disc"
    grade: int | None = None


def render_sign(look: SignLook) -> bytes:
    """A sign as a PNG of 128 by 128 pixels, clear around it. About 3 kB, without metadata."""
    sprite = _sprite(look)
    picture = coloured(sprite.image.copy(), DEFAULT).convert("RGB")
    picture.putalpha(sprite.mask)
    box = sprite.mask.getbbox()
    assert box is not None, "a sign shows something"
    picture = picture.crop(box)
    side = max(picture.size)
    square = Image.new("RGBA", (side, side), (0, 0, 0, 0))
    square.paste(picture, ((side - picture.width) // 2, (side - picture.height) // 2))
    # Averaged with its colours weighed by how much covers, so that no clear pixel darkens an edge.
    weighed = square.convert("RGBa")
    small = weighed.resize((SIDE, SIDE), Image.Resampling.BOX).convert("RGBA")  # pyright: ignore[reportUnknownMemberType]
    buffer = io.BytesIO()
    small.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _sprite(look: SignLook) -> Sprite:
    """Drawn anew, past the caches: each is needed once."""
    half = SIDE * _SCALE // 2
    ink = "unknown" if look.seat is None else side_ink(look.seat)
    match look.form:
        case "pin":
            return unwrap(pin)(look.number, round(half * 0.86))
        case "plate":
            return unwrap(plate)(PlateLook(_BLANK_CODE, _BLANK_NUMBER, ink, round(half * 1.16)))
        case "contact":
            ink = "neutral" if look.shape == "horned" else ink
            writing = "?" if look.grade == 1 else ""
            return unwrap(contact)(ContactLook(look.shape, ink, round(half * 0.86), writing, look.grade))
        case "battle":
            return unwrap(sprites.burst)(round(half * 0.8), True)
        case _:
            return _badge(look.form, round(half * 0.94))


_BLANK_CODE, _BLANK_NUMBER = "    ", " "
"""Room on a plate in which nothing stands: what it is called stands beside it, in words."""


def _badge(form: SignForm, r: int) -> Sprite:
    """A sign on a dark disc with a ring, as the anchor on a plate."""
    half = r + 2
    disc, ring, sign = Pen(half, r), Pen(half, r), Pen(half, r)
    disc.disc(0, 0, 1.0)
    ring.ring(0, 0, 0.95, 0.13)
    maker = SpriteMaker((2 * half, 2 * half))
    maker.case(disc.mask())
    maker.lay(ring.mask(), "text", grow=False)
    match form:
        case "ready":
            sign.line([(-0.44, 0.04), (-0.12, 0.38), (0.46, -0.34)], 0.24)
        case "anchor":
            sign = Pen(half, r * 0.62)
            shapes.ICONS["anchor"](sign)
        case _:
            sign.polygon([(-0.17, -0.6), (0.17, -0.6), (0.1, 0.18), (-0.1, 0.18)])
            sign.disc(0, 0.46, 0.17)
    maker.lay(sign.mask(), "text", grow=False)
    return maker.sprite(-half, -half)
