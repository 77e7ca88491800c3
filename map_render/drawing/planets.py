"""Planets: a disc with the letter of its owner."""

from math import ceil, cos, pi, radians, sin

from PIL import Image

from map_render.drawing import text
from map_render.drawing.cache import kept
from map_render.drawing.palette import PLATE, covered, mapped, ramp
from map_render.drawing.shapes import Pen
from map_render.drawing.sprites import Sprite, SpriteMaker

_RISE = cos(radians(18)), sin(radians(18))
"""(cosine, sine) of how far a planet's ring rises to the right."""


@kept(128)
def planet(size: str, ink: str, emblem: str, r: int) -> Sprite:
    """A planet, anchored at its middle; ``r`` is its disc's radius. What is not ``minor`` has a ring, a ``capital``
    also a circle."""
    layers = _layers(size, r)
    maker = SpriteMaker(layers[0][0].size)
    half = maker.image.width // 2
    for casing, cover in layers:
        maker.case(casing)
        maker.lay(cover, ink, grow=False)
    if emblem:
        letters, _ = text.masks(
            emblem, text.shrunk(emblem, round(1.25 * r), round(0.7 * r), round(1.6 * r)), heavy=True
        )
        type_size = text.shrunk(emblem, round(1.25 * r), round(0.7 * r), round(1.6 * r))
        table = bytes([*reversed(ramp(ink)[25:]), *([PLATE] * 25)])
        at = (half - letters.width // 2, half - text.capital_middle(type_size))
        maker.image.paste(mapped(letters, table), at, covered(letters))
    return maker.sprite(-half, -half)


@kept(16)
def _layers(size: str, r: int) -> tuple[tuple[Image.Image, Image.Image], ...]:
    """(casing, coverage) of a planet's ring, circle and disc: the same in every ink."""
    half, line = ceil((1.0 if size == "minor" else 2.1) * r) + 6, max(2.5, 0.1 * r) / r
    layers: list[tuple[Image.Image, Image.Image]] = []
    if size != "minor":
        layers.append((_tilted(half, r, 1.75, 0.55, line + 4 / r), _tilted(half, r, 1.75, 0.55, line)))
    if size == "capital":
        case, circle = Pen(half, r), Pen(half, r)
        case.ring(0, 0, 1.6 + 3 / r, line + 6 / r)
        circle.ring(0, 0, 1.6, line)
        layers.append((case.mask(), circle.mask()))
    case, disc = Pen(half, r), Pen(half, r)
    case.disc(0, 0, 1 + 4 / r)
    disc.disc(0, 0, 1)
    return (*layers, (case.mask(), disc.mask()))


def _tilted(half: int, r: float, wide: float, high: float, thick: float) -> Image.Image:
    """A planet's ring: an ellipse that rises to the right."""
    pen = Pen(half, r)
    for out, fill in ((0.0, 255), (thick, 0)):
        turns = [(2 * pi * n / 96) for n in range(96)]
        flat = [((wide - out) * cos(turn), (high - out) * sin(turn)) for turn in turns]
        pen.polygon([(x * _RISE[0] + y * _RISE[1], y * _RISE[0] - x * _RISE[1]) for x, y in flat], fill)
    return pen.mask()
