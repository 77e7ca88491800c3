"""Shapes, glyphs and icons as coverage masks, drawn four times too large and averaged down.

Everything is drawn around the middle of a square mask and measured in ``r``, the half height of the sign in pixels.
"""

from collections.abc import Callable, Iterable
from math import cos, pi, sin
from typing import Literal

from PIL import Image, ImageChops, ImageDraw

from map_render.drawing.cache import kept
from map_render.drawing.palette import covered

OVER = 4
CounterShape = Literal[
    "plate", "diamond", "triangle", "pentagon", "cross", "hexagon", "shield", "disc", "clover", "horned"
]
FOE_SHAPES: tuple[CounterShape, ...] = ("diamond", "triangle", "pentagon", "cross", "hexagon", "shield")

# How far a shape's corners move when its edges move by one: keeps every outline equally thick.
_EDGE: dict[CounterShape, float] = {"diamond": 1.42, "triangle": 1.7, "pentagon": 1.24, "cross": 1.0, "hexagon": 1.16}

# Where the middle of the writing on a shape lies, in r below its centre.
MIDDLE: dict[CounterShape, float] = {"triangle": -0.16, "pentagon": 0.06, "shield": -0.12}

Points = list[tuple[float, float]]


class Pen:
    """A mask to draw on in units of ``r`` around its middle."""

    def __init__(self, half: int, r: float) -> None:
        self.half, self.r = half, r
        self.image = Image.new("L", (2 * half * OVER, 2 * half * OVER), 0)
        self._draw = ImageDraw.Draw(self.image)

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return (self.half + x * self.r) * OVER, (self.half + y * self.r) * OVER

    def polygon(self, points: Iterable[tuple[float, float]], fill: int = 255) -> None:
        """A filled polygon."""
        self._draw.polygon([self._at(x, y) for x, y in points], fill)

    def disc(self, x: float, y: float, radius: float, fill: int = 255) -> None:
        """A filled circle."""
        self._draw.ellipse((*self._at(x - radius, y - radius), *self._at(x + radius, y + radius)), fill)

    def ring(self, x: float, y: float, radius: float, thick: float) -> None:
        """A circle's line, ``thick`` inwards."""
        box = (*self._at(x - radius, y - radius), *self._at(x + radius, y + radius))
        self._draw.ellipse(box, outline=255, width=self._thick(thick))

    def arc(self, x: float, y: float, radius: float, degrees: tuple[float, float], thick: float) -> None:
        """Part of a circle's line, clockwise from the right."""
        box = (*self._at(x - radius, y - radius), *self._at(x + radius, y + radius))
        self._draw.arc(box, *degrees, fill=255, width=self._thick(thick))

    def box(self, x: float, y: float, wide: float, high: float, fill: int = 255, *, round_by: float = 0) -> None:
        """A filled box around (x, y) of half extents ``wide`` and ``high``."""
        corners = (*self._at(x - wide, y - high), *self._at(x + wide, y + high))
        self._draw.rounded_rectangle(corners, round_by * self.r * OVER, fill)

    def line(self, points: Iterable[tuple[float, float]], thick: float, fill: int = 255) -> None:
        """A line through points."""
        self._draw.line([self._at(x, y) for x, y in points], fill, self._thick(thick), "curve")

    def _thick(self, thick: float) -> int:
        return max(OVER, round(thick * self.r * OVER))

    def mask(self) -> Image.Image:
        """What was drawn, at its final size."""
        return self.image.reduce(OVER)


def _regular(corners: int, start: float, radius: float) -> Points:
    return [
        (radius * cos(start + 2 * pi * n / corners), radius * sin(start + 2 * pi * n / corners)) for n in range(corners)
    ]


def _star(points: int, outer: float, inner: float) -> Points:
    return [
        (
            (outer if n % 2 == 0 else inner) * sin(pi * n / points),
            -(outer if n % 2 == 0 else inner) * cos(pi * n / points),
        )
        for n in range(2 * points)
    ]


def draw_shape(pen: Pen, shape: CounterShape, grow: float = 0.0, fill: int = 255) -> None:
    """Fill a shape that is larger than usual by ``grow`` (in r) on every side."""
    size = 1 + grow * _EDGE.get(shape, 1.0)
    match shape:
        case "plate":
            pen.box(0, 0, PLATE + grow, 0.74 + grow, fill, round_by=max(0.0, 0.22 + grow))
        case "diamond":
            pen.polygon([(0, -1.06 * size), (1.06 * size, 0), (0, 1.06 * size), (-1.06 * size, 0)], fill)
        case "triangle":
            pen.polygon([(x, y - 0.2) for x, y in _regular(3, pi / 2, 1.22 * size)], fill)
        case "pentagon":
            pen.polygon([(x, y + 0.04) for x, y in _regular(5, -pi / 2, 1.05 * size)], fill)
        case "cross":
            arm, out = 0.5 + grow, 0.98 + grow
            pen.box(0, 0, arm, out, fill)
            pen.box(0, 0, out, arm, fill)
        case "hexagon":
            pen.polygon(_regular(6, 0, 1.04 * size), fill)
        case "shield":
            side, top, low = 0.86 + grow, -0.9 - grow, 1.05 + 1.3 * grow
            pen.polygon([(-side, top), (side, top), (side, 0.15), (0, low), (-side, 0.15)], fill)
        case "disc":
            pen.disc(0, 0, 0.92 * size, fill)
        case "horned":
            pen.polygon(_horned(grow), fill)
        case "clover":
            for x, y in ((0, -0.45), (0.45, 0), (0, 0.45), (-0.45, 0)):
                pen.disc(x, y, 0.56 + grow, fill)


PLATE = 1.24
"""Half the width of a plate, in r."""

HORN = 0.9
"""How far the corners of a horned shape reach to each side, in r."""

WAIST = 0.6
"""How far the middles of its sides do."""


def _horned(grow: float) -> Points:
    """A square whose sides bend inwards, so that its corners stand out like horns."""
    corner, steps = HORN + grow, [-1 + n / 4 for n in range(8)]
    side = [(corner * along, -corner + (HORN - WAIST) * (1 - along * along)) for along in steps]
    turned = [side, [(-y, x) for x, y in side], [(-x, -y) for x, y in side], [(y, -x) for x, y in side]]
    return [point for edge in turned for point in edge]


@kept(64)
def dashes(half: int) -> Image.Image:
    """A mask of wedges around the middle that cuts an outline into dashes. Do not change what is returned."""
    pen = Pen(half, half)
    for spoke in range(14):
        turn = 2 * pi * (spoke + 0.5) / 14
        pen.polygon([(0, 0), *((2 * cos(turn + side), 2 * sin(turn + side)) for side in (-0.13, 0.13))])
    return pen.mask()


# --- glyphs: what stands on a counter besides letters ---------------------------------------------------------------


def _base(pen: Pen) -> None:
    pen.box(0, 0.26, 0.5, 0.12)
    pen.polygon([(-0.26, 0.18), (0.26, 0.18), (0.12, -0.34), (-0.12, -0.34)])
    pen.box(0, -0.38, 0.34, 0.09)


def _mines(pen: Pen) -> None:
    for x, y in ((-0.3, 0.2), (0.3, 0.2), (0, -0.28)):
        pen.disc(x, y, 0.15)
        for turn in range(4):
            dx, dy = 0.27 * cos(pi * turn / 4), 0.27 * sin(pi * turn / 4)
            pen.line([(x - dx, y - dy), (x + dx, y + dy)], 0.07)


def _convoy(pen: Pen) -> None:
    for x in (-0.38, 0, 0.38):
        pen.box(x, 0.02, 0.15, 0.22)
    pen.line([(-0.5, 0.36), (0.5, 0.36)], 0.08)


def _battle(pen: Pen) -> None:
    for side in (-1, 1):
        pen.line([(-0.42 * side, -0.42), (0.4 * side, 0.4)], 0.15)
        pen.line([(0.16 * side, 0.42), (0.44 * side, 0.14)], 0.1)


def _ship(pen: Pen) -> None:
    pen.polygon([(0, -0.5), (0.2, 0.08), (0.46, 0.4), (0, 0.24), (-0.46, 0.4), (-0.2, 0.08)])


def _dot(pen: Pen) -> None:
    pen.disc(0, 0, 0.26)


GLYPHS: dict[str, Callable[[Pen], None]] = {
    "base": _base,
    "mines": _mines,
    "convoy": _convoy,
    "battle": _battle,
    "ship": _ship,
    "dot": _dot,
}


# --- icons: what stands in a hex --------------------------------------------------------------------------------------


def _house(pen: Pen) -> None:
    pen.polygon([(-0.9, 0.06), (0, -0.8), (0.9, 0.06)])
    pen.box(0, 0.38, 0.62, 0.42)
    pen.box(0, 0.5, 0.17, 0.3, 0)


def _big_base(pen: Pen) -> None:
    pen.box(0, 0.66, 0.9, 0.16)
    pen.polygon([(-0.5, 0.5), (0.5, 0.5), (0.22, -0.5), (-0.22, -0.5)])
    pen.box(0, -0.62, 0.62, 0.16)


def _planet(pen: Pen) -> None:
    pen.disc(0, 0, 0.66)
    band = Pen(pen.half, pen.r)
    band.line([(-1.05, 0.36), (1.05, -0.36)], 0.36)
    pen.image.paste(0, mask=band.image)
    pen.line([(-1.0, 0.34), (1.0, -0.34)], 0.13)


def _big_star(pen: Pen) -> None:
    pen.polygon([(x, y + 0.06) for x, y in _star(5, 1.0, 0.42)])


def _gate(pen: Pen) -> None:
    pen.ring(0, 0, 0.9, 0.2)
    pen.disc(0, 0, 0.3)


def _anchor(pen: Pen) -> None:
    pen.line([(0, -0.5), (0, 0.75)], 0.2)
    pen.ring(0, -0.66, 0.26, 0.14)
    pen.arc(0, 0.0, 0.85, (20, 160), 0.2)
    pen.line([(-0.4, -0.18), (0.4, -0.18)], 0.16)


def _station(pen: Pen) -> None:
    pen.ring(0, 0, 0.85, 0.2)
    pen.line([(-0.75, 0), (0.75, 0)], 0.16)
    pen.line([(0, -0.75), (0, 0.75)], 0.16)


def _gear(pen: Pen) -> None:
    for n in range(4):
        dx, dy = 0.9 * cos(pi * n / 4), 0.9 * sin(pi * n / 4)
        pen.line([(-dx, -dy), (dx, dy)], 0.26)
    pen.disc(0, 0, 0.62)
    pen.disc(0, 0, 0.26, 0)


def _flag(pen: Pen) -> None:
    pen.line([(-0.5, -0.85), (-0.5, 0.85)], 0.18)
    pen.polygon([(-0.5, -0.82), (0.75, -0.4), (-0.5, 0.02)])


def _square(pen: Pen) -> None:
    pen.box(0, 0, 0.7, 0.7)
    pen.box(0, 0, 0.42, 0.42, 0)


ICONS: dict[str, Callable[[Pen], None]] = {
    "house": _house,
    "base": _big_base,
    "planet": _planet,
    "star": _big_star,
    "gate": _gate,
    "anchor": _anchor,
    "ring": _station,
    "gear": _gear,
    "flag": _flag,
    "square": _square,
}


def cut(one: Image.Image, other: Image.Image) -> Image.Image:
    """What is in one mask and not in the other."""
    return ImageChops.multiply(one, ImageChops.invert(other))


def widened(mask: Image.Image, by: int) -> Image.Image:
    """Where a mask covers anything or would if it grew by ``by`` pixels on all sides, round at the corners: 255 there
    and 0 elsewhere. The mask must be empty so near its edges."""
    hard = covered(mask)
    if by <= 0:
        return hard
    # All pixels are one number, a bit each: to move them all by some rows and columns is to shift it.
    bits = int.from_bytes(hard.convert("1", dither=Image.Dither.NONE).tobytes())
    row = -(-hard.width // 8) * 8
    while by > 0:
        # Steps no longer than that leave no gap beside a thin line.
        step = min(by, _LONGEST_STEP)
        slant = round(step * 0.7)
        wide, by = bits, by - step
        for shift in (step, step * row, slant * (row + 1), slant * (row - 1)):
            wide |= bits << shift | bits >> shift
        bits = wide
    grown = Image.frombytes("1", hard.size, bits.to_bytes(row * hard.height // 8))
    return grown.convert("L")


_LONGEST_STEP = 4
