"""Boxes with round corners and a rim: of callouts, and of counters that stand beside their hex."""

from PIL import Image, ImageDraw

from map_render.drawing import text
from map_render.drawing.cache import kept
from map_render.drawing.palette import CALLOUT, RIM, covered, mapped
from map_render.drawing.shapes import OVER
from map_render.drawing.sprites import Sprite, label, stamp
from map_render.theatre.frame import Frame

TITLE = 46
"""The type size of the title of a box of counters, drawn."""


@kept(64)
def _mask(extent: tuple[int, int], round_by: int) -> tuple[Image.Image, Image.Image]:
    """(area, rim) of a box with round corners."""
    wide, high = extent
    area = Image.new("L", (wide * OVER, high * OVER), 0)
    rim = area.copy()
    box = (0, 0, wide * OVER - 1, high * OVER - 1)
    ImageDraw.Draw(area).rounded_rectangle(box, round_by * OVER, 255)
    ImageDraw.Draw(rim).rounded_rectangle(box, round_by * OVER, 0, 255, max(2, round_by // 5) * OVER)
    return covered(area.reduce(OVER)), mapped(rim.reduce(OVER), bytes([0] * 100 + [255] * 156))


def boxed(image: Image.Image, frame: Frame) -> Sprite:
    """A callout's picture with round corners and a rim, anchored at its top left corner."""
    area, rim = _mask(image.size, frame.px(24))
    out = image.copy()
    out.paste(RIM, mask=rim)
    return Sprite(out, area, 0, 0)


@kept(32)
def box_of_counters(title: str, extent: tuple[int, int], frame: Frame) -> Sprite:
    """An empty box of that width and height with a title above what will stand in it, anchored at its middle."""
    wide, high = extent
    image = Image.new("L", extent, CALLOUT)
    size = frame.px(TITLE)
    sprite = label(title, size, heavy=True, casing=0)
    stamp(image, sprite, wide // 2, title_height(frame) // 2 - text.capital_middle(size))
    return boxed(image, frame)._replace(dx=-(wide // 2), dy=-(high // 2))


def title_height(frame: Frame) -> int:
    """Pixels that the title of a box of counters takes."""
    return frame.px(TITLE + 14)
