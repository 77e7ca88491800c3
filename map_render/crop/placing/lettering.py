"""Lines of text on a crop: how much room they take, where they find it, and how they are drawn."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from PIL import Image

from map_render.crop.box import Box
from map_render.crop.placing.room import CropRoom, around
from map_render.drawing import text
from map_render.drawing.palette import FULL
from map_render.drawing.sprites import label, stamp

CODE, NAME, NOTE, NUMBER = 40, 36, 30, 26
"""Type sizes in pixels: codes beside shapes, names of places, small notes, hex numbers."""

_LEADING = 1.12
_PAD = 3


class TextLine(NamedTuple):
    """A line: its words, type size, whether it is bold, its ink and how strong that is."""

    words: str
    size: int
    heavy: bool = False
    ink: str = "text"
    fade: int = FULL


Lines = tuple[TextLine, ...]
Spot = Callable[[int, int], Box]
"""Where a text of some width and height would stand."""


def extent(lines: Lines) -> tuple[int, int]:
    """(width, height) in pixels of the letters of some lines with their casing."""
    wide = max(text.width(one.words, one.size, one.heavy) for one in lines) + 2 * _PAD
    return wide, sum(round(one.size * _LEADING) for one in lines) - round(lines[-1].size * 0.16) + _PAD


def find(room: CropRoom, variants: Iterable[Lines], spots: Iterable[Spot], gap: int = 2) -> tuple[Lines, Box] | None:
    """The first of some wordings that finds room in one of some spots, with its box; None if none does."""
    places, wordings = list(spots), [lines for lines in variants if lines]
    for strict in (True, False) if room.soft else (False,):
        for lines in wordings:
            wide, high = extent(lines)
            for spot in places:
                box = spot(wide, high)
                if room.is_free(box, gap, strict=strict):
                    return lines, box
    return None


def write(picture: Image.Image, lines: Lines, box: Box, align: str = "middle") -> None:
    """Draw lines in their box: each in the ``middle``, or at the ``left`` or ``right``. Hex numbers have no casing."""
    top = box.top
    for one in lines:
        wide = text.width(one.words, one.size, one.heavy)
        if align == "left":
            x = box.left + _PAD + wide // 2
        elif align == "right":
            x = box.right - _PAD - wide + wide // 2
        else:
            x = (box.left + box.right) // 2
        ascent, _ = text.metrics(one.size)
        y = top + _PAD - (ascent - round(text.CAPITAL * one.size))
        casing = 0 if one.size == NUMBER else 4
        stamp(picture, label(one.words, one.size, one.ink, one.fade, heavy=one.heavy, casing=casing), x, y)
        top += round(one.size * _LEADING)


def shortened(note: str) -> list[str]:
    """A note and its shorter wordings: without what stands after the dot, then without the word "ships"."""
    found = [note]
    head = note.split(" · ", maxsplit=1)[0]
    found.append(head)
    found.append(head.removesuffix(" ships").removesuffix(" ship"))
    return list(dict.fromkeys(part for part in found if part))


def wrapped(note: str) -> list[tuple[str, ...]]:
    """The lines in which a note may stand, the best first: as it is, in two where its dot is, then shorter."""
    whole, *shorter = [(said,) for said in shortened(note)] or [()]
    parts = tuple(note.split(" · "))
    return [whole, *([parts] if len(parts) == 2 else []), *shorter] if whole else []


def beside(box: Box, gap: int = 8) -> list[tuple[Spot, str]]:
    """Spots around a box, the best first, each with how its lines are aligned: right, left, below, above."""
    middle_x, middle_y = (box.left + box.right) // 2, (box.top + box.bottom) // 2

    def right(wide: int, high: int) -> Box:
        return Box(box.right + gap, middle_y - high // 2, box.right + gap + wide, middle_y - high // 2 + high)

    def left(wide: int, high: int) -> Box:
        return Box(box.left - gap - wide, middle_y - high // 2, box.left - gap, middle_y - high // 2 + high)

    def below(wide: int, high: int) -> Box:
        return Box(middle_x - wide // 2, box.bottom + 4, middle_x - wide // 2 + wide, box.bottom + 4 + high)

    def above(wide: int, high: int) -> Box:
        return Box(middle_x - wide // 2, box.top - 4 - high, middle_x - wide // 2 + wide, box.top - 4)

    return [(right, "left"), (left, "right"), (below, "middle"), (above, "middle")]


def centred(x: int, y: int) -> Spot:
    """The spot around a point."""
    return lambda wide, high: around(x, y, wide, high)
