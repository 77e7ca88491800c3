"""Lettering: one font that comes with Pillow, the same on every machine.

That font draws plain Latin letters only. Names are therefore spelt with the letters it has (accents dropped), and
characters that it cannot draw are left out; the texts that go with an image (`map_render.words`) keep all of them.
"""

import threading
import unicodedata
from itertools import accumulate

from PIL import Image, ImageDraw, ImageFont

from map_render.drawing.cache import kept

# The font library must not draw two texts with one font at the same time.
_LOCK = threading.Lock()

LONGEST = 1000
"""The most characters of a text that are drawn; nothing longer fits on a map or card."""

_SPELT = {
    "ß": "ss", "æ": "ae", "Æ": "AE", "ø": "o", "Ø": "O", "œ": "oe", "Œ": "OE", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D",
    "þ": "th", "Þ": "Th", "ð": "d", "ı": "i", "–": "-", "—": "-", "‑": "-", "−": "-", "×": "x", "→": ">", "←": "<",
    "•": "·", "’": "'", "‘": "'", "″": '"', "′": "'",
}  # fmt: skip
_DRAWN = frozenset(map(chr, range(32, 127))) | {"…", "·", "°"}


def plain(text: str, instead: str = "") -> str:
    """``text`` in the letters the font has, on one line; ``instead`` if nothing of it can be drawn."""
    out: list[str] = []
    for char in text[:LONGEST]:
        spelt = _SPELT.get(char) or unicodedata.normalize("NFKD", char)
        out += [_SPELT.get(part, part) if part not in _DRAWN else part for part in spelt]
        if char.isspace():
            out.append(" ")
    kept = " ".join("".join(part for part in out if all(letter in _DRAWN for letter in part)).split())
    return kept if any(char.isalnum() for char in kept) or (kept and text.isascii()) else instead


@kept(1)
def _face() -> ImageFont.FreeTypeFont:
    loaded = ImageFont.load_default(16)
    if not isinstance(loaded, ImageFont.FreeTypeFont):
        raise RuntimeError("Pillow was built without FreeType, which maps are lettered with")
    return loaded


@kept(64)
def font(size: int) -> ImageFont.FreeTypeFont:
    """The font at a size in pixels, in the basic layout, which does not depend on how Pillow was built."""
    return _face().font_variant(size=size, layout_engine=ImageFont.Layout.BASIC)


@kept(64)
def metrics(size: int) -> tuple[int, int]:
    """(ascent, descent) of the font at a size, in pixels."""
    with _LOCK:
        return font(size).getmetrics()


def weight(size: int, heavy: bool) -> int:
    """Pixels by which heavy letters are thickened, because the font has no bold face."""
    return max(1, round(size / 48)) if heavy else 0


@kept(8192)
def width(text: str, size: int, heavy: bool = False) -> int:
    """Pixels that a text takes, rounded up."""
    with _LOCK:
        face = font(size)
        if not heavy:
            return int(face.getlength(text) + 0.999)
        return int(sum(map(face.getlength, text)) + _apart(size) * len(text) + 0.999)


def _apart(size: int) -> float:
    """Pixels added after each heavy letter, so that thickened letters do not touch."""
    return weight(size, True) * 1.3


def shrunk(text: str, size: int, smallest: int, room: int) -> int:
    """The largest size down to ``smallest`` at which heavy letters fit ``room`` pixels; ``smallest`` if none fits."""
    while size > smallest:
        wide = width(text, size, heavy=True)
        if wide <= room:
            return size
        # Every size that is tried loads a font, so the next size is estimated instead of going down one by one.
        size = max(smallest, min(size - 1, size * room // wide))
    return smallest


def elide(text: str, size: int, room: int) -> str:
    """The text, or as much of its beginning as fits ``room`` pixels, with an ellipsis."""
    text = text[:400]
    if width(text, size) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width(text[:middle].rstrip() + "…", size) <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…" if low else ""


def wrap(text: str, size: int, room: int) -> list[str]:
    """The text in lines that fit ``room`` pixels, broken between words where possible."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        trial = f"{line} {word}" if line else word
        if width(trial, size) <= room:
            line = trial
            continue
        if line:
            lines.append(line)
        while width(word, size) > room:
            fits = next((n for n in range(len(word) - 1, 1, -1) if width(word[:n], size) <= room), 1)
            lines.append(word[:fits])
            word = word[fits:]  # noqa: PLW2901  # the rest of an overlong word goes on
        line = word
    return [*lines, line] if line or not lines else lines


@kept(4096)
def masks(text: str, size: int, heavy: bool = False, casing: int = 0) -> tuple[Image.Image, Image.Image]:
    """(letters, casing): coverage of the letters and of their outline, both of one size.

    Their height depends on ``size`` only, so that texts of one size align. Do not change what is returned.
    """
    thick = weight(size, heavy)
    pad = casing + thick
    wide = width(text, size, heavy)
    ascent, descent = metrics(size)
    with _LOCK:
        face = font(size)
        extent = (wide + 2 * pad + 2, ascent + descent + 2 * pad)
        runs: list[tuple[float, str]] = [(0.0, text)]
        if heavy:
            steps = [0.0, *accumulate(face.getlength(letter) + _apart(size) for letter in text)]
            runs = list(zip(steps, text, strict=False))
        layers: list[Image.Image] = []
        for stroke in (thick, pad) if casing else (thick,):
            layer = Image.new("L", extent, 0)
            draw = ImageDraw.Draw(layer)
            for along, run in runs:
                draw.text((pad + 1 + along, pad + ascent), run, 255, face, "ls", stroke_width=stroke)
            layers.append(layer)
    return layers[0], layers[-1]
