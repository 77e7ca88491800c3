"""Plates: own counters in two cells, the code on the side's colour and the number of ships on dark; and pins.

Lengths are given by one height, in pixels, from which all others follow; a plate of 84 pixels is one of the theatre.
"""

from typing import NamedTuple

from PIL import Image, ImageChops, ImageDraw

from map_render.drawing import shapes, text
from map_render.drawing.cache import kept
from map_render.drawing.palette import FULL, PAPER, PLATE, covered, mapped, ramp
from map_render.drawing.shapes import OVER, Pen
from map_render.drawing.sprites import Sprite, SpriteMaker

CODE = 0.68
"""The type size of a plate's code, in its height."""


class PlateLook(NamedTuple):
    """What a plate looks like: its code, what stands in its second cell ("" for none), its side's ink, its height.

    ``whole`` is the percent that damage has left (None: no bar), ``docked`` puts an anchor at its corner, ``hollow``
    draws only a dashed outline: where a force will be. ``glyph`` is a sign before the code, ``fade`` the strength.
    """

    code: str
    ships: str
    ink: str
    high: int
    whole: int | None = None
    docked: bool = False
    hollow: bool = False
    glyph: str = ""
    fade: int = FULL


class _Cells(NamedTuple):
    """Lengths of a plate in pixels: its width, its code's left edge, the left edge of its second cell, and its rim."""

    wide: int
    code_at: int
    cell_at: int
    rim: int


def _cells(look: PlateLook) -> _Cells:
    high, size = look.high, _type_size(look)
    pad, rim = round(0.13 * high), max(2, round(0.085 * high))
    sign = round(0.62 * high) if look.glyph in shapes.GLYPHS else 0
    code = text.width(look.code, size, heavy=True)
    if not look.ships:
        return _Cells(2 * pad + sign + code, pad + sign, 2 * pad + sign + code, rim)
    number = text.width(look.ships, size, heavy=True)
    cell = max(round(0.5 * high), number + round(0.2 * high))
    start = pad + sign + code + round(0.11 * high)
    return _Cells(start + cell + rim, pad + sign, start, rim)


def _type_size(look: PlateLook) -> int:
    return round(look.high * (CODE if not look.hollow else 0.62))


@kept(2048)
def plate_width(look: PlateLook) -> int:
    """The width of a plate's body in pixels, its casing not counted."""
    return _cells(look).wide


def casing_of(high: int) -> int:
    """Pixels of paper around a plate of that height."""
    return max(2, round(0.065 * high))


def bar_height(high: int) -> int:
    """Pixels that the bar of what is left takes below a plate of that height, its gap included."""
    return round(0.17 * high)


@kept(1024)
def plate(look: PlateLook) -> Sprite:
    """A plate, anchored at the middle of its body."""
    cells, high, case = _cells(look), look.high, casing_of(look.high)
    bar = bar_height(high) if look.whole is not None and look.whole < 100 else 0
    badge = round(0.27 * high) if look.docked else 0
    left, top = case + badge, case + round(1.1 * badge)
    maker = SpriteMaker((left + cells.wide + case, top + high + case + bar))
    body = (left, top, left + cells.wide, top + high)
    round_by = round(0.12 * high)
    maker.case(_box(maker, body, case, round_by + case))
    if look.hollow:
        maker.lay(_dashed_box(maker, body, round_by, max(2.0, 0.055 * high)), look.ink, look.fade, grow=False)
    else:
        _fill(maker, look, cells, body, round_by)
    _write(maker, look, cells, (left, top))
    if bar:
        _bar(maker, look, body, bar, case)
    if badge:
        _anchor(maker, look.ink, badge, (left, top + round(0.05 * high)))
    return maker.sprite(-left - cells.wide // 2, -top - high // 2)


def _fill(maker: SpriteMaker, look: PlateLook, cells: _Cells, body: tuple[int, int, int, int], round_by: int) -> None:
    left, top, right, bottom = body
    maker.lay(_box(maker, body, 0, round_by), look.ink, look.fade, grow=False)
    if look.ships:
        rim = cells.rim
        cell = (left + cells.cell_at, top + rim, right - rim, bottom - rim)
        maker.image.paste(PLATE, mask=covered(_box(maker, cell, 0, max(1, round_by - rim // 2))))


def _write(maker: SpriteMaker, look: PlateLook, cells: _Cells, at: tuple[int, int]) -> None:
    size = _type_size(look)
    top = at[1] + look.high // 2 - text.capital_middle(size)
    letters, _ = text.masks(look.code, size, heavy=True)
    code = (at[0] + cells.code_at - 1, top)
    if look.glyph in shapes.GLYPHS:
        sign = Pen(round(0.5 * look.high), 0.62 * look.high)
        shapes.GLYPHS[look.glyph](sign)
        mask = sign.mask()
        middle = (at[0] + round(0.42 * look.high), at[1] + look.high // 2)
        _ink(maker, mask, look, (middle[0] - mask.width // 2, middle[1] - mask.height // 2))
    _ink(maker, letters, look, code)
    if look.ships:
        number, _ = text.masks(look.ships, size, heavy=True)
        room = cells.wide - cells.cell_at - cells.rim
        x = at[0] + cells.cell_at + (room - number.width) // 2
        box = (x, top)
        maker.image.paste(mapped(number, ramp("text")), box, covered(number))


def _ink(maker: SpriteMaker, mask: Image.Image, look: PlateLook, at: tuple[int, int]) -> None:
    """Letters on a plate: of the plate's dark on its colour, of its colour where it is hollow."""
    if look.hollow:
        maker.image.paste(mapped(mask, ramp(look.ink, look.fade)), at, covered(mask))
        return
    table = bytes([*reversed(ramp(look.ink, look.fade)[25:]), *([PLATE] * 25)])
    maker.image.paste(mapped(mask, table), at, covered(mask))


def _bar(maker: SpriteMaker, look: PlateLook, body: tuple[int, int, int, int], bar: int, case: int) -> None:
    left, _, right, bottom = body
    gap = max(1, bar // 4)
    whole = (left, bottom + gap, right, bottom + bar)
    maker.case(_box(maker, whole, case - 1, case))
    maker.image.paste(PLATE, whole)
    filled = round((right - left) * (look.whole or 0) / 100)
    if filled:
        maker.lay(_box(maker, (left, whole[1], left + filled, whole[3]), 0, 0), look.ink, grow=False)


def _anchor(maker: SpriteMaker, ink: str, r: int, at: tuple[int, int]) -> None:
    half = round(r * 1.25)
    disc, ring, sign = Pen(half, r), Pen(half, r), Pen(half, r * 0.62)
    disc.disc(0, 0, 1.15)
    ring.ring(0, 0, 1.0, 0.17)
    shapes.ICONS["anchor"](sign)
    origin = (max(0, at[0] - half), max(0, at[1] - half))
    layers: list[Image.Image] = []
    for pen in (disc, ring, sign):
        layer = Image.new("L", maker.image.size, 0)
        layer.paste(pen.mask(), origin)
        layers.append(layer)
    maker.case(layers[0])
    maker.lay(ImageChops.lighter(layers[1], layers[2]), ink, grow=False)


def _box(maker: SpriteMaker, box: tuple[int, int, int, int], grow: int, round_by: int) -> Image.Image:
    """Coverage of a box with rounded corners: only these need more than whole pixels."""
    left, top, right, bottom = box[0] - grow, box[1] - grow, box[2] + grow, box[3] + grow
    image = Image.new("L", maker.image.size, 0)
    image.paste(255, (left, top, right, bottom))
    if min(right - left, bottom - top) < 2 * round_by + 2:
        image.paste(_rounded((right - left, bottom - top), round_by), (left, top))
    elif round_by:
        corners, side = _rounded((2 * round_by + 2, 2 * round_by + 2), round_by), round_by + 1
        for x, from_x in ((left, 0), (right - side, side)):
            for y, from_y in ((top, 0), (bottom - side, side)):
                image.paste(corners.crop((from_x, from_y, from_x + side, from_y + side)), (x, y))
    return image


@kept(64)
def _rounded(extent: tuple[int, int], round_by: int) -> Image.Image:
    """Coverage of a box of that size with rounded corners."""
    image = Image.new("L", (extent[0] * OVER, extent[1] * OVER), 0)
    ImageDraw.Draw(image).rounded_rectangle((0, 0, image.width - 1, image.height - 1), round_by * OVER, 255)
    return image.reduce(OVER)


def _dashed_box(maker: SpriteMaker, box: tuple[int, int, int, int], round_by: int, thick: float) -> Image.Image:
    """The dashed outline of a box."""
    wide, high = maker.image.size
    image = Image.new("L", (wide * OVER, high * OVER), 0)
    draw = ImageDraw.Draw(image)
    left, top, right, bottom = (side * OVER for side in box)
    draw.rounded_rectangle((left, top, right - 1, bottom - 1), round_by * OVER, 0, 255, round(thick * OVER))
    for start, end, horizontal in ((left, right, True), (top, bottom, False)):
        corner = round_by * OVER * 1.3
        room = end - start - 2 * corner
        count = max(2, round(room / (thick * OVER * 4.2)))
        for gap in range(count):
            at = start + corner + room * (gap + 0.5) / count
            half = room / count * 0.19
            for edge in (top, bottom) if horizontal else (left, right):
                reach = thick * OVER * 1.5
                cut = (at - half, edge - reach, at + half, edge + reach)
                draw.rectangle(cut if horizontal else (cut[1], cut[0], cut[3], cut[2]), 0)
    return image.reduce(OVER)


@kept(64)
def pin(number: int, r: int) -> Sprite:
    """The round pin of a numbered place, anchored at its middle. ``r`` is the radius of its colour."""
    case = max(2, round(0.14 * r))
    half = r + case + 1
    under, disc = Pen(half, r), Pen(half, r)
    under.disc(0, 0, 1 + case / r)
    disc.disc(0, 0, 1)
    maker = SpriteMaker((2 * half, 2 * half))
    maker.case(under.mask())
    maker.image.paste(PLATE if case > 1 else PAPER, mask=maker.mask)
    maker.lay(disc.mask(), "news", grow=False)
    size = round(1.32 * r)
    letters, _ = text.masks(str(number), size, heavy=True)
    at = (half - letters.width // 2, half - text.capital_middle(size))
    table = bytes([*reversed(ramp("news")[25:]), *([PLATE] * 25)])
    maker.image.paste(mapped(letters, table), at, covered(letters))
    return maker.sprite(-half, -half)
