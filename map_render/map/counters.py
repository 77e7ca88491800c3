"""Counters: one alone is large, several in a hex fan out and overlap, each with its label free."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from map_render.drawing import text
from map_render.drawing.shapes import GLYPHS
from map_render.drawing.sprites import Body, burst, counter, fits_plate, half_height, label, pile
from map_render.drawing.theme import Theme
from map_render.map.canvas import Desk
from map_render.map.heaps import Heap
from map_render.map.scene import Figure, age_tag, fade_of, step_of
from rules_engine.core.base import HexId
from rules_engine.core.views import Counter

_SPREAD = 2.5
"""How wide a label may spread that fits no other way, in hex sizes: about one and a half hexes."""
_LOWEST_NAME = {True: 0.8, False: 0.92}
"""By whether hexes have flat tops: a hex's name is left out where the words above it end lower than this below the
middle, in hex sizes."""


class Place(NamedTuple):
    """A place in a hex: offset and half height in hex sizes, and the room for lines below the label."""

    x: float
    y: float
    r: float
    lines: int = 0
    room: float = 0.84


class Layout(NamedTuple):
    """Where the plates and the other shapes of one hex stand, and where there is room for the hex's own signs and for
    how many more there are."""

    plates: tuple[Place, ...] = ()
    others: tuple[Place, ...] = ()
    marks: tuple[tuple[float, float], ...] = ()
    more: tuple[float, float] = (0.66, -0.02)


_LAYOUTS = {
    (1, 0): Layout((Place(0, -0.06, 0.5, 2, 1.6),), (), ((-0.52, -0.56), (0.52, -0.56))),
    (2, 0): Layout((Place(0, -0.34, 0.39, 1, 1.6), Place(0, 0.45, 0.39, 1, 1.6)), (), ((-0.69, 0.05), (0.69, 0.05))),
    (3, 0): Layout(
        (Place(-0.12, -0.31, 0.4), Place(0, 0.12, 0.4), Place(0.12, 0.55, 0.4)), (), ((0.64, -0.3), (-0.6, 0.5))
    ),
    (4, 0): Layout(
        (Place(-0.18, -0.36, 0.33), Place(-0.06, -0.02, 0.33), Place(0.06, 0.32, 0.33), Place(0.18, 0.66, 0.33)),
        (),
        ((0.6, -0.36), (-0.56, 0.5)),
    ),
    (0, 1): Layout((), (Place(0, -0.06, 0.5, 2, 1.6),), ((-0.62, 0.58), (0.62, 0.58))),
    (0, 2): Layout(
        (), (Place(-0.42, -0.18, 0.39, 1), Place(0.42, 0.06, 0.39, 1)), ((-0.62, 0.5), (-0.3, 0.68))
    ),
    (0, 3): Layout(
        (), (Place(-0.44, -0.34, 0.33), Place(0.44, -0.34, 0.33), Place(0, 0.32, 0.33)), ((-0.6, 0.46),), (0.62, 0.36)
    ),
    (1, 1): Layout((Place(-0.36, -0.29, 0.42, 2, 1.18),), (Place(0.42, 0.02, 0.42, 1),), ((-0.6, 0.44), (-0.3, 0.6))),
    (2, 1): Layout(
        (Place(-0.4, -0.33, 0.37), Place(-0.34, 0.13, 0.37)), (Place(0.46, -0.04, 0.37),), ((0.02, 0.6),), (-0.44, 0.42)
    ),
    (1, 2): Layout(
        (Place(-0.4, -0.32, 0.38),), (Place(0.46, -0.32, 0.34), Place(0.06, 0.34, 0.34)), ((0.64, 0.44),), (-0.52, 0.12)
    ),
}  # fmt: skip


@dataclass(frozen=True)
class _Standing:
    """A counter in its place, in pixels; ``outside`` says that its label does not stand on it."""

    piece: Counter
    place: Place
    r: int
    x: int
    y: int
    outside: bool


def layout_of(desk: Desk, name: HexId) -> Layout:
    """How the counters drawn in a hex are laid out."""
    pieces = desk.shown(name)
    plates = sum(map(desk.is_plate, pieces))
    return _LAYOUTS[plates, len(pieces) - plates]


def draw_counters(desk: Desk) -> None:
    """Draw all bodies, then all labels: a label may lie on a neighbour, never under it."""
    stands = {name: _stand(desk, name) for name in sorted(desk.stacks)}
    feet = {name: [_draw_body(desk, one) for one in standing] for name, standing in stands.items()}
    names = {note.hex: desk.place_words(note)[0] for note in desk.scene.board.hexes if note.hex in stands}
    for name, standing in stands.items():
        _draw_labels(desk, name, standing, feet[name], names.get(name, ""))


def _stand(desk: Desk, name: HexId) -> list[_Standing]:
    """Everybody in a hex in his place; on plates bases come last, where their names find room below."""
    plan, layout, (x, y) = desk.plan, layout_of(desk, name), desk.plan.spots[name]
    pieces = desk.shown(name)
    plates = sorted(filter(desk.is_plate, pieces), key=lambda one: desk.theme.form_look(one.form).glyph in GLYPHS)
    others = [piece for piece in pieces if not desk.is_plate(piece)]
    standing: list[_Standing] = []
    for piece, place in (*zip(plates, layout.plates, strict=True), *zip(others, layout.others, strict=True)):
        r = max(4, plan.px(_radius(desk, piece, place)))
        outside = not desk.is_plate(piece) or _needs_room(desk, piece, r, alone=len(pieces) == 1)
        standing.append(_Standing(piece, place, r, x + plan.px(place.x), y + plan.px(place.y), outside))
    return standing


def _radius(desk: Desk, piece: Counter, place: Place) -> float:
    """Rings take room, too: what is ringed is drawn a little smaller, so that the hex's number stays free."""
    return place.r * (0.84 if piece.changed and not desk.is_plate(piece) else 0.94 if place.r < 0.5 else 1.0)


def _needs_room(desk: Desk, piece: Counter, r: int, *, alone: bool) -> bool:
    """Whether a plate's label stands below it: a base's that is alone, and whatever the plate has no room for."""
    glyph = desk.theme.form_look(piece.form).glyph
    return (alone and glyph in GLYPHS) or not fits_plate(_words_on(piece), glyph, r)


def _words_on(piece: Counter) -> str:
    return text.plain(piece.label[:80], text.plain(piece.id[:80], "?"))


def body_of(piece: Counter, figure: Figure, theme: Theme, r: int, *, outside: bool) -> Body:
    """How a counter's body looks; ``outside`` if its label stands elsewhere."""
    glyph = theme.form_look(piece.form).glyph
    step = None if figure.shape == "plate" and piece.level is None else step_of(piece.level, piece.level_name)
    writing = ""
    if isinstance(piece, Heap):
        writing = piece.count
    elif figure.shape == "plate" and not outside:
        writing = _words_on(piece)
    elif step == 0 and glyph != "mines":  # whoever finds a minefield knows it for one
        writing, glyph = "?", "none"
    elif glyph == "initial":
        writing = text.plain(piece.form, "?")[:1].upper()
    elif glyph == "none":
        writing = figure.emblem
    return Body(figure.shape, figure.ink, r, writing, glyph, step, fade_of(piece), not piece.live, piece.changed)


def _draw_body(desk: Desk, one: _Standing) -> int:
    """Stamp a body; returns where its labels begin."""
    if desk.is_battle(one.piece):
        desk.stamp(burst(one.r, one.piece.changed), one.x, one.y)
        return one.y + round(one.r * 1.2)
    figure = desk.scene.figure(one.piece.owner)
    body = body_of(one.piece, figure, desk.theme, one.r, outside=one.outside)
    if isinstance(one.piece, Heap):
        desk.stamp(pile(figure.ink, one.r), one.x, one.y)
    desk.stamp(counter(body), one.x, one.y)
    return one.y + half_height(body) + round(one.r * (0.32 if one.piece.changed else 0.06))


# --- words around counters --------------------------------------------------------------------------------------------

Line = tuple[str, int, bool]
"""(words, type size, heavy)."""


def _draw_labels(desk: Desk, name: HexId, standing: list[_Standing], feet: list[int], place_name: str) -> None:
    plan, alone = desk.plan, len(standing) == 1
    plates = [n for n, one in enumerate(standing) if desk.is_plate(one.piece)]
    for n, one in enumerate(standing):
        # Labels that fit no plate of a stack stand under its lowest.
        foot = feet[plates[-1]] if n in plates and one.outside else feet[n]
        foot = _write_lines(desk, one.x, foot, _lines_of(desk, one, alone=alone))
        if alone and place_name and foot <= plan.spots[name][1] + plan.px(_LOWEST_NAME[plan.flat]):
            _write_lines(desk, one.x, foot, [(text.plain(place_name), plan.px(0.17), False)], quiet=True)
    hidden = len(desk.stacks[name]) - len(standing)
    if hidden > 0:
        x, y = plan.spots[name]
        across, down = layout_of(desk, name).more
        sign = label(f"+{hidden}", max(12, plan.px(0.32)), heavy=True, casing=5)
        desk.stamp(sign, x + plan.px(across), y + plan.px(down))


def _write_lines(desk: Desk, x: int, foot: int, lines: Iterable[Line], *, quiet: bool = False) -> int:
    for words, size, heavy in lines:
        if words and size >= 9:  # smaller letters are specks
            wide = desk.plan.px(_SPREAD)
            desk.stamp(label(text.elide(words, size, wide), size, "text", 12 if quiet else 15, heavy=heavy), x, foot)
            foot += round(size * 1.06)
    return foot


def _lines_of(desk: Desk, one: _Standing, *, alone: bool) -> list[Line]:
    """The lines under a counter: its label, its age, its other words."""
    piece, plan = one.piece, desk.plan
    room = plan.px(one.place.room)
    spread = plan.px(_SPREAD) if alone else plan.px(1.6) if desk.is_plate(piece) else room
    lines: list[Line] = []
    if one.outside:
        size = max(11, round(one.r * (0.56 if desk.is_battle(piece) else 0.76)))
        words = text.plain(piece.label[:80], text.plain(piece.id[:80]))
        lines += [(line, fit, True) for line, fit in fitted(words, size, room, spread)]
    lines.append((age_tag(piece), max(11, round(one.r * 0.52)), False))
    room_for = 1 if isinstance(piece, Heap) else one.place.lines
    if piece.sub and one.place.lines:
        size = max(11, round(one.r * 0.46))
        lines += [(line, fit, False) for line, fit in _sub_lines(piece.sub, size, room, room_for)]
    return [line for line in lines if line[0]]


def fitted(words: str, size: int, room: int, spread: int) -> list[tuple[str, int]]:
    """(line, type size) of a heavy label: shrunk by up to a third, broken in two, spread, and only then cut."""
    small = max(11, round(size * 0.68))
    best = text.shrunk(words, size, small, room)
    if best > small or text.width(words, small, heavy=True) <= room:
        return [(words, best)]
    for wide in (room, spread):
        lines = text.wrap(words, small, round(wide * 0.92))
        # Two lines are the most that find room; a word that had to be broken itself is better cut.
        if len(lines) <= 2 and " ".join(lines) == words:
            return [(line, small) for line in lines]
    return [(text.elide(words, small, round(spread * 0.92)), small)]


def _packed(parts: list[str], size: int, room: int) -> list[str]:
    """Lines broken only between the parts of a list; none if some part is too long for a line."""
    lines = [parts[0]]
    for part in parts[1:]:
        longer = f"{lines[-1]}, {part}"
        lines = [*lines[:-1], longer] if text.width(longer, size) <= room else [*lines[:-1], f"{lines[-1]},", part]
    return lines if all(text.width(line, size) <= room for line in lines) else []


def _sub_lines(words: str, size: int, room: int, most: int) -> list[tuple[str, int]]:
    """Words in at most ``most`` lines, in smaller type if that helps; what is too much is left off, part by part."""
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
