"""The 256 colours of a map: fifteen strengths of each ink over the paper, and a few grounds.

Maps are drawn in numbers of this palette from the start; no colours are reduced afterwards. Number 0 is the paper;
ink *n* has the numbers 1 + 15·n (faintest) to 15 + 15·n (full); the last are grounds and the grid.
"""

from PIL import Image, ImageChops

from map_render.drawing.cache import kept
from map_render.drawing.theme import MOST_SIDES, Rgb, Theme, rgb

STRENGTHS = 15
PAPER = 0
GRID = 249
CALLOUT = 250
RIM = 251
PLATE = 252
MARGIN = 254
BAND = 255
FULL = STRENGTHS

_NAMED = ("text", "quiet", "neutral", "unknown", "news", "gas", "rock", "fire", "world")
SIDE_INKS = tuple(f"side{seat}" for seat in range(MOST_SIDES))
"""The inks of the sides in the order of their seats; an eighth side has the first one's again."""

INKS = (*_NAMED, *SIDE_INKS)
_FIRST = {name: 1 + STRENGTHS * place for place, name in enumerate(INKS)}


def side_ink(seat: int) -> str:
    """The ink of the side of that seat, counted from 0."""
    return SIDE_INKS[seat % MOST_SIDES]


def index(ink: str, strength: int = FULL) -> int:
    """The palette number of an ink at a strength of 0 (paper) to 15 (full)."""
    return _FIRST[ink] + min(strength, FULL) - 1 if strength > 0 else PAPER


@kept(512)
def ramp(ink: str, fade: int = FULL, tint: int = 0) -> bytes:
    """Palette numbers for coverages 0 to 255 of an ink over a ``tint`` of it; its full strength here is ``fade``."""
    numbers = bytes(index(ink, strength) for strength in range(STRENGTHS + 1))
    return _strengths(fade, tint).translate(numbers.ljust(256, numbers[-1:]))


@kept(128)
def _strengths(fade: int, tint: int) -> bytes:
    return bytes(tint + round(coverage * (fade - tint) / 255) for coverage in range(256))


_SMALL = 15_000
"""Up to so many pixels Pillow takes longer to read a table than to apply it."""

FAINTEST = 9
"""The least coverage, of 255, that a mask counts as covered."""


def covered(mask: Image.Image) -> Image.Image:
    """Coverage as a mask of 0 and 255."""
    # Twice the coverage, stretched until the faintest lands above 255 and the one below it under 0.
    return ImageChops.add(mask, mask, 1 / 200, -400 * (FAINTEST - 1))


def mapped(image: Image.Image, table: bytes) -> Image.Image:
    """An image with each of its values replaced by a table of 256; on small images three times as fast as Pillow's."""
    if image.width * image.height > _SMALL:
        return image.point(table)  # pyright: ignore[reportUnknownMemberType]
    return Image.frombytes("L", image.size, image.tobytes().translate(table))


def _mix(under: Rgb, over: Rgb, share: float) -> Rgb:
    red, green, blue = (round(low + (high - low) * share) for low, high in zip(under, over, strict=True))
    return red, green, blue


@kept(16)
def colours(theme: Theme) -> bytes:
    """The palette as 768 bytes, as image files want it."""
    paper = rgb(theme.paper)
    table: list[Rgb] = [paper] * 256
    ink_colours = {name: getattr(theme.inks, name) for name in _NAMED} | dict(
        zip(SIDE_INKS, theme.inks.sides, strict=True)
    )
    for name, colour in ink_colours.items():
        for strength in range(1, FULL + 1):
            table[index(name, strength)] = _mix(paper, rgb(colour), strength / FULL)
    table[GRID] = rgb(theme.grid)
    table[CALLOUT] = rgb(theme.callout)
    table[RIM] = rgb(theme.rim)
    table[PLATE] = rgb(theme.plate)
    table[MARGIN] = rgb(theme.margin)
    table[BAND] = rgb(theme.band)
    return bytes(channel for colour in table for channel in colour)
