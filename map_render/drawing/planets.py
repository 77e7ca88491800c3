"""Planets: a disc with the letter of its owner."""

from math import ceil

from PIL import Image, ImageDraw

from map_render.drawing import shapes, text
from map_render.drawing.cache import kept
from map_render.drawing.palette import HARD, PLATE, mapped, ramp
from map_render.drawing.shapes import Pen
from map_render.drawing.sprites import Sprite, SpriteMaker


@kept(128)
def planet(size: str, ink: str, emblem: str, r: int) -> Sprite:
    """A planet, anchored at its middle; ``r`` is its disc's radius. What is not ``minor`` has a ring, a ``capital``
    also a circle."""
    half = ceil(2.1 * r) + 6
    maker = SpriteMaker((2 * half, 2 * half))
    line = max(2.5, 0.1 * r) / r
    if size != "minor":
        ring = _tilted(half, r, 1.75, 0.55, line)
        maker.case(_tilted(half, r, 1.75, 0.55, line + 4 / r))
        maker.lay(ring, ink)
    if size == "capital":
        case, circle = Pen(half, r), Pen(half, r)
        case.ring(0, 0, 1.6 + 3 / r, line + 6 / r)
        circle.ring(0, 0, 1.6, line)
        maker.case(case.mask())
        maker.lay(circle.mask(), ink)
    case, disc = Pen(half, r), Pen(half, r)
    case.disc(0, 0, 1 + 4 / r)
    disc.disc(0, 0, 1)
    maker.case(case.mask())
    maker.lay(disc.mask(), ink, grow=False)
    if emblem:
        letters, _ = text.masks(
            emblem, text.shrunk(emblem, round(1.25 * r), round(0.7 * r), round(1.6 * r)), heavy=True
        )
        type_size = text.shrunk(emblem, round(1.25 * r), round(0.7 * r), round(1.6 * r))
        table = bytes([*reversed(ramp(ink)[25:]), *([PLATE] * 25)])
        at = (half - letters.width // 2, half - text.capital_middle(type_size))
        maker.image.paste(mapped(letters, table), at, mapped(letters, HARD))
    return maker.sprite(-half, -half)


def _tilted(half: int, r: float, wide: float, high: float, thick: float) -> Image.Image:
    """A planet's ring: an ellipse that rises to the right."""
    pen = Pen(half, r)
    outer = (pen.half * shapes.OVER - wide * r * shapes.OVER, pen.half * shapes.OVER - high * r * shapes.OVER)
    flat = Image.new("L", pen.image.size, 0)
    box = (*outer, pen.image.width - outer[0], pen.image.height - outer[1])
    ImageDraw.Draw(flat).ellipse(box, outline=255, width=max(shapes.OVER, round(thick * r * shapes.OVER)))
    return flat.rotate(18, Image.Resampling.BILINEAR).reduce(shapes.OVER)
