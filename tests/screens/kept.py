"""The pictures that are kept, and how far one that is taken now may differ from its own."""

import io
from pathlib import Path

from PIL import Image, ImageChops

HERE = Path(__file__).resolve().parent
PICTURES = HERE / "pictures"
BROWSER = HERE / "chromium.txt"
"""The major version of the Chromium that took them: another one letters otherwise."""

NOTICED = 45
"""By how much of 255, in red, green or blue, a pixel must differ to count; what is kept has but 256 colours."""
AT_MOST = 1 / 40_000
"""The share of pixels that may differ: less than one digit of a card's small print."""


def major(version: str) -> str:
    """The major version of a browser: ``156`` of ``156.0.8078.108``."""
    return version.split(".", maxsplit=1)[0]


def browser_kept() -> str:
    """The major version of the browser that took what is kept; empty before anything is."""
    return BROWSER.read_text(encoding="utf-8").strip() if BROWSER.exists() else ""


def opened(png: bytes) -> Image.Image:
    """A picture in red, green and blue."""
    with Image.open(io.BytesIO(png)) as picture:
        return picture.convert("RGB")


def packed(png: bytes) -> bytes:
    """A picture as it is kept."""
    out = io.BytesIO()
    few = opened(png).quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(out, "PNG", optimize=True)
    return out.getvalue()


def before(name: str) -> bytes | None:
    """A picture as it is kept; None if it is not."""
    file = PICTURES / f"{name}.png"
    return file.read_bytes() if file.exists() else None


def noticed(old: Image.Image, new: Image.Image) -> Image.Image:
    """A mask of the size of the larger of both: white where they differ so that it is noticed."""
    size = (max(old.width, new.width), max(old.height, new.height))
    red, green, blue = ImageChops.difference(_on(old, size), _on(new, size)).split()
    mask = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    mask = mask.point([0] * (NOTICED + 1) + [255] * (255 - NOTICED))
    if old.size != new.size:
        beyond = Image.new("L", size, 255)
        beyond.paste(0, (0, 0, min(old.width, new.width), min(old.height, new.height)))
        mask = ImageChops.lighter(mask, beyond)
    return mask


def share(old: Image.Image, new: Image.Image) -> float:
    """The share of pixels that differ so that it is noticed, from 0 to 1."""
    mask = noticed(old, new)
    return mask.histogram()[255] / (mask.width * mask.height)


def _on(picture: Image.Image, size: tuple[int, int]) -> Image.Image:
    ground = Image.new("RGB", size)
    ground.paste(picture, (0, 0))
    return ground
