"""The bands of a crop: above, its number, name and where it is on the map; below, what happened and what one may do."""

from typing import NamedTuple

from PIL import Image, ImageDraw

from map_render.crop.box import Box
from map_render.crop.frame import WIDTH, CropFrame
from map_render.crop.signs import NEWS
from map_render.drawing import text
from map_render.drawing.palette import BAND, PAPER, RIM, index
from map_render.drawing.plates import pin
from map_render.drawing.scene import Scene
from map_render.drawing.sprites import label, stamp
from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.views import Counter

HEADER = 112
"""Pixels that the band above is high."""

FACT = 38
"""The type size of a fact, in pixels."""

_TITLE, _SMALLEST_TITLE, _SUBTITLE, _REST = 50, 40, 33, 30
_MOST_REST = 3  # lines about what found no place
_PITCH, _MARGIN, _INDENT = 56, 20, 68
_INSET = Box(646, 12, 774, 100)


class Facts(NamedTuple):
    """The band below: each fact in lines, and what found no place on the picture."""

    facts: tuple[tuple[str, ...], ...]
    rest: tuple[str, ...] = ()

    @property
    def height(self) -> int:
        """Pixels that it is high; 0 if there is nothing to say."""
        lines = sum(map(len, self.facts))
        return (lines * _PITCH + 22 if lines else 12 if self.rest else 0) + len(self.rest) * 42


def facts_of(said: tuple[str, ...], rest: tuple[str, ...] = ()) -> Facts:
    """Sentences, each in as many lines as it takes, and lines about what found no place."""
    room = WIDTH - _INDENT - _MARGIN
    wrapped = [_wrapped(text.plain(one), FACT, room) for one in said if one]
    lines = [line for one in rest if one for line in text.wrap(text.plain(one), _REST, WIDTH - 2 * _MARGIN)]
    if len(lines) > _MOST_REST:
        last = text.elide(" ".join(lines[_MOST_REST - 1 :]), _REST, WIDTH - 2 * _MARGIN)
        lines = [*lines[: _MOST_REST - 1], last]
    return Facts(tuple(wrapped), tuple(lines))


def _wrapped(words: str, size: int, room: int) -> tuple[str, ...]:
    """Bold lines of a text."""
    lines = [""]
    for word in words.split(" "):
        trial = f"{lines[-1]} {word}".strip()
        if text.width(trial, size, heavy=True) <= room or not lines[-1]:
            lines[-1] = trial
        else:
            lines.append(word)
    return tuple(text.elide(line, size, room, heavy=True) for line in lines)


def draw_facts(picture: Image.Image, top: int, high: int, facts: Facts) -> None:
    """Draw the band below, from a height downwards."""
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, top, WIDTH, top + high), BAND)
    y = top + 12
    for lines in facts.facts:
        middle = y + _PITCH // 2
        draw.ellipse((_MARGIN + 16, middle - 8, _MARGIN + 32, middle + 8), index(NEWS))
        for line in lines:
            _write(picture, line, FACT, _INDENT, y + _PITCH // 2, heavy=True)
            y += _PITCH
    for line in facts.rest:
        _write(picture, line, _REST, _MARGIN + 4, y + 20, ink="quiet")
        y += 42


def draw_header(picture: Image.Image, number: int, title: str, subtitle: str) -> None:
    """Draw the band above, without the small map in it."""
    ImageDraw.Draw(picture).rectangle((0, 0, WIDTH, HEADER - 1), BAND)
    left = _MARGIN + 4
    if number:
        stamp(picture, pin(number, 40), 64, HEADER // 2)
        left = 122
    room = _INSET.left - 16 - left
    words = text.plain(title)
    size = text.shrunk(words, _TITLE, _SMALLEST_TITLE, room)
    if text.width(words, size, heavy=True) > room:
        # The hex number after a name is dropped before the name is cut.
        head, _, tail = words.rpartition(" ")
        words = head if head and tail.isdigit() else words
    _write(picture, text.elide(words, size, room, heavy=True), size, left, 41, heavy=True)
    _write(picture, text.elide(text.plain(subtitle), _SUBTITLE, room), _SUBTITLE, left, 87, ink="quiet")


def _write(
    picture: Image.Image, words: str, size: int, left: int, middle: int, *, heavy: bool = False, ink: str = "text"
) -> None:
    sprite = label(words, size, ink, heavy=heavy, casing=0)
    stamp(picture, sprite, left + text.width(words, size, heavy) // 2, middle - text.capital_middle(size))


def draw_inset(picture: Image.Image, scene: Scene, frame: CropFrame) -> None:
    """Draw the small map: our forces and places as squares, others as diamonds, and a frame where the crop is."""
    grid, draw = scene.board.grid, ImageDraw.Draw(picture)
    draw.rounded_rectangle(_INSET, 6, PAPER, RIM, 3)
    scale, off_x, off_y = _scaled(grid)

    def at(name: HexId) -> tuple[int, int]:
        x, y = grid.center(name)
        return round(off_x + x * scale), round(off_y + y * scale)

    owners: dict[HexId, str] = {
        note.hex: note.owner for note in scene.board.hexes if note.marks and note.owner and note.hex in grid
    }
    others: list[Counter] = []
    for piece in scene.board.counters:
        if piece.hex not in grid:
            continue
        if scene.look_of(piece.owner).shape == "plate":
            owners[piece.hex] = piece.owner
        elif piece.live and piece.form == "force":
            others.append(piece)
    for name, owner in sorted(owners.items()):
        x, y = at(name)
        draw.rectangle((x - 3, y - 3, x + 3, y + 3), index(scene.look_of(owner).ink))
    for piece in others:
        x, y = at(piece.hex)
        draw.polygon([(x - 5, y), (x, y - 5), (x + 5, y), (x, y + 5)], index(scene.look_of(piece.owner).ink))
    name = frame.focus[0]
    (x, y), (here_x, here_y) = at(name), frame.centres[name]
    share = scale / frame.size
    left, top = x - here_x * share, y - here_y * share
    corners = (left, top, left + frame.bounds.right * share, top + frame.bounds.bottom * share)
    low = (_INSET.left + 3, _INSET.top + 3, _INSET.left + 15, _INSET.top + 15)
    high = (_INSET.right - 15, _INSET.bottom - 15, _INSET.right - 3, _INSET.bottom - 3)
    held = [round(min(max(part, least), most)) for part, least, most in zip(corners, low, high, strict=True)]
    draw.rectangle(held, outline=index(NEWS), width=4)


def _scaled(grid: Grid) -> tuple[float, float, float]:
    """(scale, left, top) of the sheet in the small map."""
    wide, high = grid.extent
    scale = min((_INSET.right - _INSET.left - 12) / wide, (_INSET.bottom - _INSET.top - 12) / high)
    left = (_INSET.left + _INSET.right - wide * scale) / 2
    return scale, left, (_INSET.top + _INSET.bottom - high * scale) / 2
