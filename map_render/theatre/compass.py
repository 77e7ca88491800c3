"""The compass and the scale of a theatre, small and in a corner that is free."""

from PIL import Image

from map_render.drawing.cache import kept
from map_render.drawing.palette import PAPER, covered
from map_render.drawing.shapes import Pen
from map_render.drawing.sprites import Sprite, SpriteMaker, label, stamp
from map_render.drawing.text import capital_middle
from map_render.theatre.frame import Frame, Point
from map_render.theatre.placing.room import COUNTER, Rect, Room

_SIZE = 38


@kept(16)
def _compass(r: int) -> Sprite:
    """A ring with a needle that points north, anchored at its middle."""
    half = round(r * 1.7)
    pen, needle, hole = Pen(half, r), Pen(half, r), Pen(half, r)
    pen.ring(0, 0, 1.0, 0.09)
    needle.polygon([(0, -0.78), (0.26, 0), (0, 0.78), (-0.26, 0)])
    hole.polygon([(0, 0.62), (0.14, 0.1), (-0.14, 0.1)])
    maker = SpriteMaker((2 * half, 2 * half))
    maker.lay(pen.mask(), "quiet")
    maker.lay(needle.mask(), "text")
    maker.image.paste(PAPER, mask=covered(hole.mask()))
    return maker.sprite(-half, -half)


@kept(16)
def _scale(step: int, high: int) -> Sprite:
    maker = SpriteMaker((5 * step + 8, high + 8))
    maker.mask.paste(255, (0, 0, *maker.mask.size))
    bar = Image.new("L", maker.image.size, 0)
    bar.paste(255, (4, 4, 4 + 5 * step, 4 + high))
    for n in (1, 3):
        bar.paste(0, (4 + n * step + 1, 7, 4 + (n + 1) * step - 1, 1 + high))
    maker.lay(bar, "text")
    return maker.sprite(-maker.image.width // 2, -maker.image.height // 2)


def _step(frame: Frame) -> int:
    """Pixels across between hexes in a row, or between columns; the scale is five of it."""
    return frame.corners[1][0] * (3 if frame.flat else 2)


def compass_at(frame: Frame, room: Room) -> Point | None:
    """The middle of the compass, in a free corner of the sheet."""
    left, top, right, bottom = frame.sheet
    r = frame.px(42)
    for y in (top + 3 * r, bottom - 2 * r):
        for x in (left + 2 * r, right - 2 * r):
            box = Rect(x - r - 6, y - 2 * r - 6, x + r + 6, y + r + 6)
            if room.is_free(box):
                room.take(box, COUNTER, "compass")
                return x, y
    return None


def scale_at(frame: Frame, room: Room) -> Point | None:
    """The middle of the scale, where the upper or lower edge is free."""
    left, top, right, bottom = frame.sheet
    wide, middle = 5 * _step(frame), (left + right) // 2
    for y in (top + frame.px(86), bottom - frame.px(40)):
        for x in (middle, left + wide, right - wide, middle - wide, middle + wide):
            box = Rect(x - wide // 2 - 8, y - frame.px(56), x + wide // 2 + 8, y + frame.px(16))
            if box.left >= left and box.right <= right and room.is_free(box):
                room.take(box, COUNTER, "scale")
                return x, y
    return None


def draw_compass(picture: Image.Image, frame: Frame, at: Point) -> None:
    """The compass around a point, with its letter above."""
    (x, y), r, size = at, frame.px(42), frame.px(_SIZE)
    stamp(picture, _compass(r), x, y)
    stamp(picture, label("N", size, heavy=True), x, y - round(1.6 * r) - capital_middle(size))


def draw_scale(picture: Image.Image, frame: Frame, at: Point) -> None:
    """The scale around a point, with its words above."""
    (x, y), size = at, frame.px(_SIZE)
    stamp(picture, _scale(_step(frame), frame.px(16)), x, y)
    stamp(picture, label("5 hexes", size, heavy=True), x, y - frame.px(34) - capital_middle(size))
