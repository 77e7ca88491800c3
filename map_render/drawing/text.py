"""Lettering: Open Sans, regular and bold, which come with the package and are the same on every machine.

The fonts are cut down to Latin letters with their accents and common signs. Other letters are spelt with those
where that is possible, and characters that they cannot draw are left out; the texts that go with an image
(`map_render.words`) keep all of them.
"""

import io
import threading
import unicodedata
from importlib.resources import files

from PIL import Image, ImageFont

from map_render.drawing.cache import kept
from map_render.drawing.shapes import widened
from rules_engine.core.basics.plain_text import DRAWN, SPELT

# The font library must not draw two texts with one font at the same time.
_LOCK = threading.Lock()

LONGEST = 1000
"""The most characters of a text that are drawn; nothing longer fits on a map or card."""

CAPITAL = 0.714
"""The height of capitals and digits, in type sizes."""


def plain(text: str, instead: str = "") -> str:
    """``text`` in the letters the fonts have, on one line; ``instead`` if nothing of it can be drawn."""
    if text.isascii() and text.isprintable():
        return " ".join(text[:LONGEST].split()) or instead
    out: list[str] = []
    for char in unicodedata.normalize("NFC", text[:LONGEST]):
        if char.isspace():
            out.append(" ")
        elif char in DRAWN:
            out.append(char)
        else:
            out += SPELT.get(char) or unicodedata.normalize("NFKD", char)
    kept = " ".join("".join(part for part in out if part in DRAWN).split())
    return kept if any(char.isalnum() for char in kept) or (kept and text.isascii()) else instead


@kept(1)
def _faces() -> tuple[bytes, bytes]:
    folder = files("map_render.drawing") / "fonts"
    return (folder / "OpenSans-Regular.ttf").read_bytes(), (folder / "OpenSans-Bold.ttf").read_bytes()


@kept(96)
def font(size: int, heavy: bool = False) -> ImageFont.FreeTypeFont:
    """The font at a size in pixels, in the basic layout, which does not depend on how Pillow was built."""
    return ImageFont.truetype(io.BytesIO(_faces()[heavy]), size, layout_engine=ImageFont.Layout.BASIC)


def metrics(size: int) -> tuple[int, int]:
    """(ascent, descent) of a line at a size, in pixels: room for capitals with accents, and for what hangs below."""
    return size + 3 + size // 64, 1 - (-size // 4)


def capital_middle(size: int) -> int:
    """Pixels from the top of a line to the middle of its capitals."""
    return metrics(size)[0] - round(size * CAPITAL / 2)


@kept(8192)
def width(text: str, size: int, heavy: bool = False) -> int:
    """Pixels that a text takes, rounded up: those of its letters, since the fonts move none closer to another."""
    return int(sum([_advance(char, size, heavy) for char in text]) + 0.999)


@kept(4096)
def _advance(char: str, size: int, heavy: bool) -> float:
    with _LOCK:
        return font(size, heavy).getlength(char)


def shrunk(text: str, size: int, smallest: int, room: int) -> int:
    """The largest size down to ``smallest`` at which heavy letters fit ``room`` pixels; ``smallest`` if none fits."""
    while size > smallest:
        wide = width(text, size, heavy=True)
        if wide <= room:
            return size
        # Every size that is tried loads a font, so the next size is estimated instead of going down one by one.
        size = max(smallest, min(size - 1, size * room // wide))
    return smallest


def elide(text: str, size: int, room: int, heavy: bool = False) -> str:
    """The text, or as much of its beginning as fits ``room`` pixels, with an ellipsis."""
    text = text[:400]
    if width(text, size, heavy) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width(text[:middle].rstrip() + "…", size, heavy) <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…" if low else ""


def wrap(text: str, size: int, room: int, heavy: bool = False) -> list[str]:
    """The text in lines that fit ``room`` pixels, broken between words where possible."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        trial = f"{line} {word}" if line else word
        if width(trial, size, heavy) <= room:
            line = trial
            continue
        if line:
            lines.append(line)
        while width(word, size, heavy) > room:
            fits = next((n for n in range(len(word) - 1, 1, -1) if width(word[:n], size, heavy) <= room), 1)
            lines.append(word[:fits])
            word = word[fits:]  # noqa: PLW2901  # the rest of an overlong word goes on
        line = word
    return [*lines, line] if line or not lines else lines


@kept(4096)
def masks(text: str, size: int, heavy: bool = False, casing: int = 0) -> tuple[Image.Image, Image.Image]:
    """(letters, casing): coverage of the letters, and 255 wherever their outline covers anything; both of one size.

    Their height depends on ``size`` only, so that texts of one size align. Do not change what is returned.
    """
    wide = width(text, size, heavy)
    ascent, descent = metrics(size)
    letters = Image.new("L", (wide + 2 * casing + 2, ascent + descent + 2 * casing), 0)
    with _LOCK:
        cover, (left, up) = font(size, heavy).getmask2(text, "L", anchor="ls")
    # The letters' own coverage, put where `ImageDraw.text` would draw it, which takes half as long again.
    x, y = casing + 1 + left, casing + ascent + up
    letters.im.paste(cover, (x, y, x + cover.size[0], y + cover.size[1]))
    # The font library could draw the outline, in many times the time.
    return letters, widened(letters, casing)
