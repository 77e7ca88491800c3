"""Sprites: small pictures in palette numbers with a hard mask, made once and stamped often.

A sprite has its own paper-coloured casing. Its soft edges fade into that casing, so that stamping it is a copy and
needs no blending. All functions that make sprites are cached; what they return must not be changed.
"""

from math import ceil, cos, hypot, pi, sin
from typing import NamedTuple

from PIL import Image, ImageChops, ImageDraw

from map_render.drawing import shapes, text
from map_render.drawing.cache import kept
from map_render.drawing.palette import FULL, PAPER, covered, mapped, ramp
from map_render.drawing.shapes import OVER, Pen


class Sprite(NamedTuple):
    """Palette numbers, a mask of 0 and 255, and the offset of the top left corner from the anchor."""

    image: Image.Image
    mask: Image.Image
    dx: int
    dy: int


def stamp(picture: Image.Image, sprite: Sprite, x: int, y: int) -> None:
    """Put a sprite on a picture; what falls outside is cut off."""
    # A map has thousands of stamps. Of `Image.paste` all but this line, with which it ends, finds out what is known
    # here: that nothing waits to be read from a file, and that all are pictures of palette numbers. That takes longer
    # than to paste a small sprite.
    left, top, (wide, high) = x + sprite.dx, y + sprite.dy, sprite.image.size
    picture.im.paste(sprite.image.im, (left, top, left + wide, top + high), sprite.mask.im)


def for_many(sprite: Sprite) -> Sprite:
    """The same sprite with a mask of one bit, which is stamped in half the time, but takes some to be made."""
    return sprite._replace(mask=sprite.mask.convert("1", dither=Image.Dither.NONE))


class SpriteMaker:
    """Makes a sprite by laying inks over each other."""

    def __init__(self, extent: tuple[int, int]) -> None:
        self.image = Image.new("L", extent, PAPER)
        self.mask = Image.new("L", extent, 0)

    def case(self, mask: Image.Image) -> None:
        """Paper wherever the mask covers anything."""
        hard = covered(mask)
        self.image.paste(PAPER, mask=hard)
        self.mask = ImageChops.lighter(self.mask, hard)

    def lay(self, mask: Image.Image, ink: str, fade: int = FULL, *, grow: bool = True) -> None:
        """An ink as strongly as the mask covers. Without ``grow`` the sprite gets no larger by it."""
        hard = covered(mask)
        self.image.paste(mapped(mask, ramp(ink, fade)), mask=hard)
        if grow:
            self.mask = ImageChops.lighter(self.mask, hard)

    def sprite(self, dx: int, dy: int) -> Sprite:
        """The finished sprite."""
        return Sprite(self.image, self.mask, dx, dy)


def cased(mask: Image.Image, dx: int, dy: int) -> Sprite:
    """A sprite of nothing but paper where the mask covers anything."""
    return Sprite(Image.new("L", mask.size, PAPER), covered(mask), dx, dy)


def inked(mask: Image.Image, ink: str, fade: int, dx: int, dy: int) -> Sprite:
    """A sprite of nothing but an ink, as strongly as the mask covers; what is too faint for its mask is paper."""
    return Sprite(mapped(mask, ramp(ink, fade)), covered(mask), dx, dy)


@kept(4096)
def label(
    words: str, size: int, ink: str = "text", fade: int = FULL, *, heavy: bool = False, casing: int = 3
) -> Sprite:
    """A line of text, anchored at the middle of its top."""
    letters, outline = text.masks(words, size, heavy, casing)
    return Sprite(mapped(letters, ramp(ink, fade)), outline, -letters.width // 2, -casing)


@kept(512)
def icon(name: str, ink: str, r: int, fade: int = FULL) -> Sprite:
    """A sign that stands in a hex, anchored at its middle."""
    half = ceil(r * 1.15) + 4
    pen = Pen(half, r)
    shapes.ICONS[name](pen)
    mask = pen.mask()
    maker = SpriteMaker(mask.size)
    maker.case(shapes.widened(mask, 3))
    maker.lay(mask, ink, fade)
    return maker.sprite(-half, -half)


@kept(256)
def arrow(dx: int, dy: int, r: int, ink: str) -> Sprite:
    """A small arrow that points where (dx, dy) points, anchored at its middle."""
    half = r + 3
    length = max(1.0, float(dx * dx + dy * dy) ** 0.5)
    ux, uy = dx / length, dy / length
    tips = ((1.0, 0.0), (-0.8, 0.8), (-0.8, -0.8))
    mask = Image.new("L", (2 * half * OVER, 2 * half * OVER), 0)
    points = [
        ((half + r * (ux * along - uy * aside)) * OVER, (half + r * (uy * along + ux * aside)) * OVER)
        for along, aside in tips
    ]
    ImageDraw.Draw(mask).polygon(points, 255)
    maker = SpriteMaker((2 * half, 2 * half))
    maker.lay(mask.reduce(OVER), ink, FULL)
    return maker.sprite(-half, -half)


@kept(256)
def burst(r: int, ringed: bool) -> Sprite:
    """The sign of a battle that is to be fought: a star of ten points with crossed blades."""
    half = ceil(r * 1.4) + 4
    outer, inner, blades = Pen(half, r), Pen(half, r), Pen(half, r * 1.25)
    spikes = [
        ((1.22 if n % 2 == 0 else 0.86) * sin(pi * n / 10), -(1.22 if n % 2 == 0 else 0.86) * cos(pi * n / 10))
        for n in range(20)
    ]
    outer.polygon(spikes)
    inner.polygon([(x * 0.87, y * 0.87) for x, y in spikes])
    shapes.GLYPHS["battle"](blades)
    maker = SpriteMaker((2 * half, 2 * half))
    maker.case(shapes.widened(outer.mask(), 3))
    ink = "news" if ringed else "text"
    maker.lay(shapes.cut(outer.mask(), inner.mask()), ink)
    maker.lay(blades.mask(), "text", grow=False)
    return maker.sprite(-half, -half)


# --- courses ----------------------------------------------------------------------------------------------------------


class Stroke(NamedTuple):
    """A straight part of a course: from the anchor by (dx, dy) pixels."""

    dx: int
    dy: int
    thick: float
    dashed: bool = False
    head: bool = False
    dotted: bool = False


@kept(1024)
def stroke(line: Stroke, ink: str, fade: int = FULL) -> tuple[Sprite, Sprite]:
    """(casing, core) of a part of a course. All casings are stamped before all cores, so that no seams show."""
    return strokes(((0, 0, line),), ink, fade)


def strokes(lines: tuple[tuple[int, int, Stroke], ...], ink: str, fade: int = FULL) -> tuple[Sprite, Sprite]:
    """(casing, core) of several parts, (x, y, stroke) each, as one."""
    edge = max(ceil(line.thick * (3.2 if line.head else 1)) for _, _, line in lines) + 6
    across = [end for x, _, line in lines for end in (x, x + line.dx)]
    down = [end for _, y, line in lines for end in (y, y + line.dy)]
    left, top, right, bottom = min(across) - edge, min(down) - edge, max(across) + edge, max(down) + edge
    core = Image.new("L", ((right - left) * 2, (bottom - top) * 2), 0)
    wide = core.copy()
    for image, more in ((wide, 3.0), (core, 0.0)):
        draw = ImageDraw.Draw(image)
        for x, y, line in lines:
            _draw_stroke(draw, line, (x - left, y - top), more)
    return cased(wide.reduce(2), left, top), inked(core.reduce(2), ink, fade, left, top)


def _draw_stroke(draw: ImageDraw.ImageDraw, line: Stroke, start: tuple[int, int], more: float) -> None:
    length = hypot(line.dx, line.dy) or 1.0
    ux, uy = line.dx / length, line.dy / length
    thick = line.thick / 2 + more

    def at(along: float, aside: float = 0.0) -> tuple[float, float]:
        return 2 * (start[0] + ux * along - uy * aside), 2 * (start[1] + uy * along + ux * aside)

    def piece(begin: float, end: float) -> None:
        draw.polygon([at(begin, thick), at(end, thick), at(end, -thick), at(begin, -thick)], 255)
        for along in (begin, end):
            x, y = at(along)
            draw.ellipse((x - 2 * thick, y - 2 * thick, x + 2 * thick, y + 2 * thick), 255)

    tip = line.thick * 3.4 if line.head else 0.0
    reach = max(0.0, length - tip * 0.8)
    if line.dotted:
        count = max(1, round(length / (line.thick * 3)))
        for dot in range(count):
            piece(length * (dot + 0.5) / count, length * (dot + 0.5) / count)
    elif line.dashed:
        count = max(1, round(length / (line.thick * 5)))
        for dash in range(count):
            begin = length * (dash + 0.25) / count
            if begin < reach:
                piece(begin, min(reach, length * (dash + 0.75) / count))
    else:
        piece(0.0, reach)
    if line.head:
        wing = line.thick * 1.75
        draw.polygon([at(length + more * 2), at(length - tip - more, wing + more * 1.7), at(length - tip * 0.72, 0.0),
                      at(length - tip - more, -wing - more * 1.7)], 255)  # fmt: skip
