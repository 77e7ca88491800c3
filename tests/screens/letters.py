"""The letters of kept screens come with the project, so that a screen looks the same whatever fonts a machine has.

Texts are in the letters of the maps. Signs that those lack are in `fonts/`, and emojis, which each machine takes from a
font of its own, are one mark. A screen with any other character is not photographed. The browser finds no font of the
machine, nor its settings of how fonts are drawn: `fonts/fonts.conf` stands for them.
"""

import base64
import os
import re
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from playwright.async_api import Locator

from tests.checkout import ROOT

SIGNS = "①②③④⑤⑥⑦⑧⑨⑩❶❷❸❹❺❻❼❽❾❿←↑→↓↔ˋ‐‑‒‛⁄⅓⅔∗✓"
"""What the fonts beside this file draw. To add a sign, cut both down again, with fontTools, from the same DejaVu Sans:

pyftsubset DejaVuSans.ttf --text=… --notdef-outline --no-hinting --layout-features='' --no-glyph-names
    --drop-tables+=FFTM,GDEF,GPOS,GSUB,MATH,gasp --output-file=DejaVuSans-Regular.ttf
"""

FONTCONFIG = Path(__file__).resolve().parent / "fonts" / "fonts.conf"
_MAPS = ROOT / "map_render" / "drawing" / "fonts" / "OpenSans-{}.ttf"
_SIGNS = FONTCONFIG.with_name("DejaVuSans-{}.ttf")
FAMILIES = {"Shipped": _MAPS, "ShippedSigns": _SIGNS}
"""Where the letters of a family are, in the order in which the page tries them."""
FAMILY = ", ".join(FAMILIES)
"""What the style of an element says that is set in them."""
WEIGHTS = {400: "Regular", 700: "Bold"}

MARK = "¤"
_RANGES = "\u2190-\u21ff\u2300-\u23ff\u25a0-\u25ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"
EMOJI = f"[{_RANGES}]\ufe0f|(?![{SIGNS}])[{_RANGES}]"
"""A pattern, in Python and in JavaScript, of what the mark stands for: signs that ask to be drawn as emojis, and those
that the fonts lack."""


class LettersError(AssertionError):
    """A screen that only a font of this machine could letter, so that other machines would letter it otherwise."""


def browser_environment() -> dict[str, str | float | bool]:
    """The variables with which a browser finds the project's fonts and none of the machine, which may have none: then
    it could not show a page at all."""
    return {**os.environ, "FONTCONFIG_FILE": str(FONTCONFIG)}


def style() -> str:
    """The families as a style sheet, which holds their fonts."""
    faces: list[str] = []
    for family, pattern in FAMILIES.items():
        for weight in WEIGHTS:
            data = base64.b64encode(_path(pattern, weight).read_bytes()).decode()
            source = f"url(data:font/ttf;base64,{data})"
            faces.append(f"@font-face {{ font-family: {family}; font-weight: {weight}; src: {source}; }}")
    return "\n".join(faces)


def unlettered(text: str) -> list[str]:
    """The characters of a text that no font of ours draws, each once."""
    return sorted({char for char in text if not (char.isspace() or _is_drawn(char))})


def marked(text: str) -> str:
    """A text with the mark where emojis were."""
    return re.sub(EMOJI, MARK, text)


_SHOWN = """
(node) => {
  const texts = [node.innerText];
  const families = {};
  for (const inner of [node, ...node.querySelectorAll("*")]) {
    for (const pseudo of [null, "::before", "::after"]) {
      const { content, fontFamily } = getComputedStyle(inner, pseudo);
      families[fontFamily] ??= inner.localName;
      if (pseudo && content.startsWith('"')) texts.push(content);
    }
  }
  return [texts.join("\\n"), families];
}
"""


async def check_letters(screen: Locator) -> None:
    """Check that a screen is lettered in our own fonts.

    Raises:
        LettersError: when it has a character that they do not draw, or anything is set in another font.
    """
    shown, families = await screen.evaluate(_SHOWN)
    if missing := unlettered(shown):
        lines = [line for line in shown.split("\n") if set(line) & set(missing)]
        which = ", ".join(f"{char} (U+{ord(char):04X})" for char in missing)
        raise LettersError(f"no font of tests/screens/letters.py draws {which} in {lines}")
    if other := [f"{name}: {family}" for family, name in families.items() if not family.startswith(FAMILY)]:
        raise LettersError(f"these are set in a font of the machine: {other}")


def _path(pattern: Path, weight: int) -> Path:
    return pattern.with_name(pattern.name.format(WEIGHTS[weight]))


@cache
def _is_drawn(char: str) -> bool:
    """Whether a family has the character in every weight."""
    return any(all(_draws(_path(pattern, weight), char) for weight in WEIGHTS) for pattern in FAMILIES.values())


def _draws(path: Path, char: str) -> bool:
    """Whether a font draws a character otherwise than one that no font has."""
    return _picture(path, char) != _picture(path, "\uffff")


def _picture(path: Path, char: str) -> bytes:
    picture = Image.new("L", (96, 96))
    ImageDraw.Draw(picture).text((32, 32), char, 255, _font(path))
    return picture.tobytes()


@cache
def _font(path: Path) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, 32, layout_engine=ImageFont.Layout.BASIC)
