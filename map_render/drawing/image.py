"""The finished image: PNG bytes without metadata, a neutral file name, and words for readers who do not see it."""

import io
from dataclasses import dataclass

from PIL import Image

from map_render.drawing.palette import colours
from map_render.drawing.theme import Theme

PNG_LEVEL = 6
"""zlib's usual level. On maps a fifth smaller than fast levels; higher ones gain 1 % and take three times as long."""

ALT_LIMIT = 1024
"""The most characters that Discord takes as an attachment's description."""


@dataclass(frozen=True, slots=True)
class MapImage:
    """An image ready to be sent. ``filename`` says nothing of what is shown."""

    png: bytes
    width: int
    height: int
    alt: str
    filename: str = "map.png"


def encode(picture: Image.Image) -> bytes:
    """A palette image as PNG bytes, no metadata."""
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", compress_level=PNG_LEVEL)
    return buffer.getvalue()


def coloured(picture: Image.Image, theme: Theme) -> Image.Image:
    """Give a picture of palette numbers its colours, in place."""
    picture.putpalette(colours(theme))
    return picture
