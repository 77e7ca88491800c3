"""Counters: a single one is large; several in a hex overlap, but no label is covered."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from map_render.drawing import text
from map_render.drawing.shapes import GLYPHS
from map_render.drawing.sprites import CounterBody, burst, counter, fits_plate, half_height, label, pile
from map_render.drawing.theme import Theme
from map_render.map.canvas import Canvas
from map_render.map.heaps import Heap
from map_render.map.scene import OwnerLook, age_tag, fade_of
from rules_engine.core.basics.base import HexId
from rules_engine.core.knowledge.views import Counter

_SPREAD = 2.5
"""How wide a label may become if it fits in no other way, in hex sizes: about one and a half hexes."""
_LOWEST_NAME = {True: 0.8, False: 0.92}
"""For flat tops (True) and pointed ones: a hex's name is left out if the words above it end lower than this below the
hex's middle, in hex sizes."""


class CounterSpot(NamedTuple):
    """Where a counter stands in a hex: offset and half height, how many lines fit below its label, and their width. All
    lengths are in hex sizes."""

    x: float
    y: float
    r: float
    lines: int = 0
    room: float = 0.84


class HexLayout(NamedTuple):
    """Where the plates and the other shapes of one hex stand, and where there is room for the hex's own signs and for
    how many more there are."""

    plates: tuple[CounterSpot, ...] = ()
    others: tuple[CounterSpot, ...] = ()
    marks: tuple[tuple[float, float], ...] = ()
    more: tuple[float, float] = (0.66, -0.02)


_HEX_LAYOUTS = {
    (1, 0): HexLayout(
        plates=(CounterSpot(0, -0.06, 0.5, lines=2, room=1.6),),
        marks=((-0.52, -0.56), (0.52, -0.56)),
    ),
    (2, 0): HexLayout(
        plates=(CounterSpot(0, -0.34, 0.39, lines=1, room=1.6), CounterSpot(0, 0.45, 0.39, lines=1, room=1.6)),
        marks=((-0.69, 0.05), (0.69, 0.05)),
    ),
    (3, 0): HexLayout(
        plates=(
            CounterSpot(-0.12, -0.31, 0.4),
            CounterSpot(0, 0.12, 0.4),
            CounterSpot(0.12, 0.55, 0.4),
        ),
        marks=((0.64, -0.3), (-0.6, 0.5)),
    ),
    (4, 0): HexLayout(
        plates=(
            CounterSpot(-0.18, -0.36, 0.33),
            CounterSpot(-0.06, -0.02, 0.33),
            CounterSpot(0.06, 0.32, 0.33),
            CounterSpot(0.18, 0.66, 0.33),
        ),
        marks=((0.6, -0.36), (-0.56, 0.5)),
    ),
    (0, 1): HexLayout(
        others=(CounterSpot(0, -0.06, 0.5, lines=2, room=1.6),),
        marks=((-0.62, 0.58), (0.62, 0.58)),
    ),
    (0, 2): HexLayout(
        others=(CounterSpot(-0.42, -0.18, 0.39, lines=1), CounterSpot(0.42, 0.06, 0.39, lines=1)),
        marks=((-0.62, 0.5), (-0.3, 0.68)),
    ),
    (0, 3): HexLayout(
        others=(
            CounterSpot(-0.44, -0.34, 0.33),
            CounterSpot(0.44, -0.34, 0.33),
            CounterSpot(0, 0.32, 0.33),
        ),
        marks=((-0.6, 0.46),),
        more=(0.62, 0.36),
    ),
    (1, 1): HexLayout(
        plates=(CounterSpot(-0.36, -0.29, 0.42, lines=2, room=1.18),),
        others=(CounterSpot(0.42, 0.02, 0.42, lines=1),),
        marks=((-0.6, 0.44), (-0.3, 0.6)),
    ),
    (2, 1): HexLayout(
        plates=(CounterSpot(-0.4, -0.33, 0.37), CounterSpot(-0.34, 0.13, 0.37)),
        others=(CounterSpot(0.46, -0.04, 0.37),),
        marks=((0.02, 0.6),),
        more=(-0.44, 0.42),
    ),
    (1, 2): HexLayout(
        plates=(CounterSpot(-0.4, -0.32, 0.38),),
        others=(CounterSpot(0.46, -0.32, 0.34), CounterSpot(0.06, 0.34, 0.34)),
        marks=((0.64, 0.44),),
        more=(-0.52, 0.12),
    ),
}
"""Layouts by (plates, other shapes): how many of each are drawn in a hex."""


@dataclass(frozen=True)
class _PlacedCounter:
    """A counter in its place, in pixels; ``outside`` says that its label does not stand on it."""

    piece: Counter
    spot: CounterSpot
    r: int
    x: int
    y: int
    outside: bool


def hex_layout(canvas: Canvas, name: HexId) -> HexLayout:
    """How the counters drawn in a hex are laid out."""
    pieces = canvas.shown(name)
    plates = sum(map(canvas.is_plate, pieces))
    return _HEX_LAYOUTS[plates, len(pieces) - plates]


def draw_counters(canvas: Canvas) -> None:
    """Draw all bodies, then all labels: a label may lie on a neighbour, never under it."""
    placed = {name: _placed_in(canvas, name) for name in sorted(canvas.stacks)}
    feet = {name: [_draw_body(canvas, one) for one in counters_here] for name, counters_here in placed.items()}
    names = {note.hex: canvas.place_words(note)[0] for note in canvas.scene.board.hexes if note.hex in placed}
    for name, counters_here in placed.items():
        _draw_labels(canvas, name, counters_here, feet[name], names.get(name, ""))


def _placed_in(canvas: Canvas, name: HexId) -> list[_PlacedCounter]:
    """The counters drawn in a hex, each in its place; of plates, bases come last, where their names find room below."""
    layout, spots, (x, y) = canvas.layout, hex_layout(canvas, name), canvas.layout.centres[name]
    pieces = canvas.shown(name)
    plates = sorted(filter(canvas.is_plate, pieces), key=lambda one: canvas.theme.form_look(one.form).glyph in GLYPHS)
    others = [piece for piece in pieces if not canvas.is_plate(piece)]
    counters_here: list[_PlacedCounter] = []
    for piece, spot in (*zip(plates, spots.plates, strict=True), *zip(others, spots.others, strict=True)):
        r = max(4, layout.px(_radius(canvas, piece, spot)))
        outside = not canvas.is_plate(piece) or _needs_room(canvas, piece, r, alone=len(pieces) == 1)
        counters_here.append(_PlacedCounter(piece, spot, r, x + layout.px(spot.x), y + layout.px(spot.y), outside))
    return counters_here


def _radius(canvas: Canvas, piece: Counter, spot: CounterSpot) -> float:
    """Half the height in hex sizes. Counters with a ring are a little smaller, so that the hex's number stays free."""
    return spot.r * (0.84 if piece.changed and not canvas.is_plate(piece) else 0.94 if spot.r < 0.5 else 1.0)


def _needs_room(canvas: Canvas, piece: Counter, r: int, *, alone: bool) -> bool:
    """Whether a plate's label stands below it: that of a base alone in its hex, and any label that is too long."""
    glyph = canvas.theme.form_look(piece.form).glyph
    return (alone and glyph in GLYPHS) or not fits_plate(_words_on(piece), glyph, r)


def _words_on(piece: Counter) -> str:
    return text.plain(piece.label[:80], text.plain(piece.id[:80], "?"))


def body_of(piece: Counter, look: OwnerLook, theme: Theme, r: int, *, outside: bool) -> CounterBody:
    """How a counter's body looks; ``outside`` if its label stands elsewhere."""
    glyph = theme.form_look(piece.form).glyph
    grade = piece.grade
    writing = ""
    if isinstance(piece, Heap):
        writing = piece.count
    elif look.shape == "plate" and not outside:
        writing = _words_on(piece)
    elif grade == 0 and glyph != "mines":  # a minefield that is found is known to be one
        writing, glyph = "?", "none"
    elif glyph == "initial":
        writing = text.plain(piece.form, "?")[:1].upper()
    elif glyph == "none":
        writing = look.emblem
    return CounterBody(look.shape, look.ink, r, writing, glyph, grade, fade_of(piece), not piece.live, piece.changed)


def _draw_body(canvas: Canvas, one: _PlacedCounter) -> int:
    """Stamp a body; returns the y of its first label."""
    if canvas.is_battle(one.piece):
        canvas.stamp(burst(one.r, one.piece.changed), one.x, one.y)
        return one.y + round(one.r * 1.2)
    look = canvas.scene.look_of(one.piece.owner)
    body = body_of(one.piece, look, canvas.theme, one.r, outside=one.outside)
    if isinstance(one.piece, Heap):
        canvas.stamp(pile(look.ink, one.r), one.x, one.y)
    canvas.stamp(counter(body), one.x, one.y)
    return one.y + half_height(body) + round(one.r * (0.32 if one.piece.changed else 0.06))


# --- words around counters --------------------------------------------------------------------------------------------

LabelLine = tuple[str, int, bool]
"""(words, type size, heavy)."""


def _draw_labels(
    canvas: Canvas, name: HexId, counters_here: list[_PlacedCounter], feet: list[int], place_name: str
) -> None:
    layout, alone = canvas.layout, len(counters_here) == 1
    plates = [n for n, one in enumerate(counters_here) if canvas.is_plate(one.piece)]
    for n, one in enumerate(counters_here):
        # Labels that do not fit on their plate stand under the lowest plate of the stack.
        foot = feet[plates[-1]] if n in plates and one.outside else feet[n]
        foot = _write_lines(canvas, one.x, foot, _lines_of(canvas, one, alone=alone))
        if alone and place_name and foot <= layout.centres[name][1] + layout.px(_LOWEST_NAME[layout.flat]):
            _write_lines(canvas, one.x, foot, [(text.plain(place_name), layout.px(0.17), False)], quiet=True)
    hidden = len(canvas.stacks[name]) - len(counters_here)
    if hidden > 0:
        x, y = layout.centres[name]
        across, down = hex_layout(canvas, name).more
        sign = label(f"+{hidden}", max(12, layout.px(0.32)), heavy=True, casing=5)
        canvas.stamp(sign, x + layout.px(across), y + layout.px(down))


def _write_lines(canvas: Canvas, x: int, foot: int, lines: Iterable[LabelLine], *, quiet: bool = False) -> int:
    for words, size, heavy in lines:
        if words and size >= 9:  # smaller letters cannot be read
            wide = canvas.layout.px(_SPREAD)
            canvas.stamp(label(text.elide(words, size, wide), size, "text", 12 if quiet else 15, heavy=heavy), x, foot)
            foot += round(size * 1.06)
    return foot


def _lines_of(canvas: Canvas, one: _PlacedCounter, *, alone: bool) -> list[LabelLine]:
    """The lines under a counter: its label, its age, its other words."""
    piece, layout = one.piece, canvas.layout
    room = layout.px(one.spot.room)
    spread = layout.px(_SPREAD) if alone else layout.px(1.6) if canvas.is_plate(piece) else room
    lines: list[LabelLine] = []
    if one.outside:
        size = max(11, round(one.r * (0.56 if canvas.is_battle(piece) else 0.76)))
        words = text.plain(piece.label[:80], text.plain(piece.id[:80]))
        lines += [(line, fit, True) for line, fit in fitted(words, size, room, spread)]
    lines.append((age_tag(piece), max(11, round(one.r * 0.52)), False))
    room_for = 1 if isinstance(piece, Heap) else one.spot.lines
    if piece.sub and one.spot.lines:
        size = max(11, round(one.r * 0.46))
        lines += [(line, fit, False) for line, fit in _sub_lines(piece.sub, size, room, room_for)]
    return [line for line in lines if line[0]]


def fitted(words: str, size: int, room: int, spread: int) -> list[tuple[str, int]]:
    """(line, type size) of a heavy label: shrunk by up to a third, broken in two, spread wider, and only then cut."""
    small = max(11, round(size * 0.68))
    best = text.shrunk(words, size, small, room)
    if best > small or text.width(words, small, heavy=True) <= room:
        return [(words, best)]
    for wide in (room, spread):
        lines = text.wrap(words, small, round(wide * 0.92))
        # There is room for two lines; a word that would have to be broken is cut instead.
        if len(lines) <= 2 and " ".join(lines) == words:
            return [(line, small) for line in lines]
    return [(text.elide(words, small, round(spread * 0.92)), small)]


def _packed(parts: list[str], size: int, room: int) -> list[str]:
    """Lines broken only between the parts of a list; empty if some part is too long for a line."""
    lines = [parts[0]]
    for part in parts[1:]:
        longer = f"{lines[-1]}, {part}"
        lines = [*lines[:-1], longer] if text.width(longer, size) <= room else [*lines[:-1], f"{lines[-1]},", part]
    return lines if all(text.width(line, size) <= room for line in lines) else []


def _sub_lines(words: str, size: int, room: int, most: int) -> list[tuple[str, int]]:
    """Words in ``most`` lines or fewer, in smaller type if that helps; the last parts are left off if need be."""
    words = text.plain(words)[:80]
    small = max(11, round(size * 0.84))
    parts = words.split(", ")
    for trial in (size, small):
        for wrapped in (_packed(parts, trial, room), text.wrap(words, trial, room)):
            if wrapped and len(wrapped) <= most:
                return [(line, trial) for line in wrapped]
    for count in range(len(parts) - 1, 0, -1):
        wrapped = text.wrap(", ".join(parts[:count]) + "…", small, room)
        if len(wrapped) <= most:
            return [(line, small) for line in wrapped]
    wrapped = text.wrap(words, small, room)
    return [(line, small) for line in (*wrapped[: most - 1], text.elide(" ".join(wrapped[most - 1 :]), small, room))]
