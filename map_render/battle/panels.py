"""The panels of a battle sheet as a card, for battles of which no more is known than their words."""

from typing import NamedTuple

from PIL import Image

from map_render.battle.words import SECRET, panels_for, sheet_alt
from map_render.drawing import text
from map_render.drawing.image import MapImage, coloured, encode
from map_render.drawing.palette import BAND, MARGIN, PAPER, index
from map_render.drawing.sprites import label, stamp
from map_render.drawing.theme import DEFAULT, Theme
from rules_engine.core.basics.base import Side
from rules_engine.core.knowledge.views import Panel
from rules_engine.core.protocol.asks import BattleSetup

WIDTH = 1200
TALLEST = 4000
_SIZES = range(42, 25, -4)


class _Line(NamedTuple):
    """A line of the card: words, type size, ink, whether heavy, pixels from the left, pixels to the next line."""

    words: str
    size: int
    ink: str
    heavy: bool
    left: int
    down: int


class _Block(NamedTuple):
    lines: tuple[_Line, ...]
    secret: bool
    high: int


def render_panels(sheet: BattleSetup, *, theme: Theme = DEFAULT, side: Side | None = None) -> MapImage:
    """A sheet as a card. ``side`` adds that side's own secret panels; without it there are none.

    Rows are wrapped. What would make the card taller than 4,000 pixels at the smallest type is counted instead.
    """
    panels = panels_for(sheet, side)
    size = next((size for size in _SIZES if _height(sheet, panels, size) <= TALLEST), _SIZES[-1])
    head, blocks = _set_out(sheet, panels, size)
    picture = Image.new("L", (WIDTH, min(TALLEST, _height(sheet, panels, size))), MARGIN)
    picture.paste(BAND, (0, 0, WIDTH, head.high))
    _write(picture, head.lines, round(size * 0.45))
    y, gap = head.high + size // 2, size // 2
    for place, block in enumerate(blocks):
        rest = len(blocks) - place
        if y + block.high > TALLEST - (2 * size if rest > 1 else 0):
            _write(picture, _room_for(block, TALLEST - y - 2 * size), y + size // 3)
            more = f"… the rest of {rest} panel{'s' if rest > 1 else ''} is in the text version"
            _write(picture, (_Line(more, size, "news", False, gap, 0),), TALLEST - round(1.6 * size))
            break
        picture.paste(PAPER, (gap, y, WIDTH - gap, y + block.high))
        if block.secret:
            picture.paste(_bar(block.high, size), (gap, y))
        _write(picture, block.lines, y + size // 3)
        y += block.high + gap
    return MapImage(
        png=encode(coloured(picture, theme)),
        width=picture.width,
        height=picture.height,
        alt=sheet_alt(sheet, side),
        filename="sheet.png",
    )


def _set_out(sheet: BattleSetup, panels: tuple[tuple[Panel, bool], ...], size: int) -> tuple[_Block, list[_Block]]:
    edge = size
    room = WIDTH - 2 * edge
    large, middle = round(size * 1.4), round(size * 1.05)
    head: list[_Line] = []
    for words, type_size, heavy in ((sheet.title, large, True), (sheet.where, middle, False)):
        wrapped = text.wrap(text.plain(words)[:300], type_size, round(room * (0.92 if heavy else 1)))
        head += [_Line(line, type_size, "text", heavy, edge, round(type_size * 1.3)) for line in wrapped]
    top = _Block(tuple(head), False, sum(line.down for line in head) + size)
    return top, [_block(panel, secret, size, room) for panel, secret in panels]


def _block(panel: Panel, secret: bool, size: int, room: int) -> _Block:
    edge, indent = size, round(size * 0.9)
    title = text.elide(text.plain(panel.title) + (f" · {SECRET}" if secret else ""), size, round(room * 0.9))
    lines = [_Line(title, size, "news" if secret else "text", True, edge + size // 3, round(size * 1.5))]
    for row in panel.rows:
        wrapped = text.wrap(text.plain(row)[:1000], size, room - indent - size // 2)
        for place, part in enumerate(wrapped):
            last = place == len(wrapped) - 1
            left = edge + size // 3 + (indent if place else 0)
            lines.append(_Line(part, size, "text", False, left, round(size * (1.4 if last else 1.2))))
    return _Block(tuple(lines), secret, sum(line.down for line in lines) + round(size * 0.7))


def _height(sheet: BattleSetup, panels: tuple[tuple[Panel, bool], ...], size: int) -> int:
    head, blocks = _set_out(sheet, panels, size)
    return head.high + size // 2 + sum(block.high + size // 2 for block in blocks)


def _room_for(block: _Block, room: int) -> tuple[_Line, ...]:
    """As many of a block's lines as fit."""
    kept: list[_Line] = []
    for line in block.lines:
        room -= line.down
        if room < 0:
            break
        kept.append(line)
    return tuple(kept)


def _bar(high: int, size: int) -> Image.Image:
    """The coloured bar to the left of what only one side may see."""
    return Image.new("L", (max(6, size // 5), high), index("news"))


def _write(picture: Image.Image, lines: tuple[_Line, ...], y: int) -> None:
    for line in lines:
        if line.words:
            sprite = label(line.words, line.size, line.ink, heavy=line.heavy, casing=0)
            stamp(picture, sprite, line.left - sprite.dx, y)
        y += line.down
