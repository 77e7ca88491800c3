"""Counters: a single one is large; of several in a hex each side's show, and no label lies on another counter."""

from dataclasses import dataclass

from map_render.drawing import text
from map_render.drawing.shapes import GLYPHS, HORN, PLATE, CounterShape
from map_render.drawing.sprites import RINGED, CounterBody, burst, counter, fits_plate, half_height, label, pile
from map_render.drawing.theme import Theme
from map_render.map.canvas import Canvas
from map_render.map.heaps import SMALL_HEX, Heap, signs_of
from map_render.map.scene import OwnerLook, age_tag, fade_of
from map_render.map.spots import MOST_IN_A_HEX, CounterSpot, spots_of
from map_render.map.taken import Body, Box, Taken
from rules_engine.core.basics.base import HexId
from rules_engine.core.knowledge.views import Counter

_SPREAD = 2.5
"""How wide a label may become if it fits in no other way, in hex sizes: about one and a half hexes."""
_LOWEST_NAME = {True: 0.8, False: 0.92}
"""For flat tops (True) and pointed ones: a hex's name is left out if the words above it end lower than this below the
hex's middle, in hex sizes."""
_HEAP_ROOM = 0.9
"""How wide the labels of a heap are at their usual size, in hex sizes: they leave the hex's own signs free."""
_ASIDE = (0.0, 0.1, -0.1, 0.2, -0.2, 0.3, -0.3, 0.42, -0.42)
"""How far lines may stand beside their usual place, in hex sizes, in the order in which it is tried."""
SMALLEST_COUNT = 20
"""Pixels of the type in which a heap's count is written, at the least."""


@dataclass(frozen=True)
class PlacedCounter:
    """A counter in its place, in pixels; ``outside`` says that its label does not stand on it."""

    piece: Counter
    spot: CounterSpot
    r: int
    x: int
    y: int
    shape: CounterShape
    outside: bool

    @property
    def body(self) -> Body:
        """The place that it takes, with its ring."""
        return Body(self.x, self.y, round(self.r * (RINGED if self.piece.changed else 1.0)), self.shape)


def draw_counters(canvas: Canvas) -> None:
    """Draw all bodies, then all labels, which go round the bodies."""
    placed = {name: placed_in(canvas, name) for name in sorted(canvas.stacks)}
    names = {note.hex: canvas.place_words(note)[0] for note in canvas.scene.board.hexes if note.hex in placed}
    taken = Taken((one.body for counters_here in placed.values() for one in counters_here), canvas.layout.size)
    feet = {name: _draw_bodies(canvas, taken, counters_here) for name, counters_here in placed.items()}
    for name, counters_here in placed.items():
        _draw_labels(canvas, taken, counters_here, feet[name], names.get(name, ""))


def placed_in(canvas: Canvas, name: HexId) -> list[PlacedCounter]:
    """The counters drawn in a hex, each in its place; of plates, bases come last, where their names find room below.

    Where there is no room for names, the sides stand in the order of their seats, and outsiders behind them.
    """
    layout, (x, y) = canvas.layout, canvas.layout.centres[name]
    pieces = canvas.stacks[name]
    plates = sorted(filter(canvas.is_plate, pieces), key=lambda one: canvas.theme.form_look(one.form).glyph in GLYPHS)
    others = [piece for piece in pieces if not canvas.is_plate(piece)]
    if others and len(pieces) > MOST_IN_A_HEX:
        others.sort(key=lambda one: (canvas.is_battle(one), canvas.scene.seat_order(one.owner)))
    counters_here: list[PlacedCounter] = []
    for piece, spot in spots_of(plates, others):
        r = max(4, layout.px(_radius(canvas, piece, spot)))
        shape: CounterShape = "disc" if canvas.is_battle(piece) else canvas.scene.look_of(piece.owner).shape
        outside = shape != "plate" or _needs_room(canvas, piece, r, alone=len(pieces) == 1)
        at_x, at_y = x + layout.px(spot.x), y + layout.px(spot.y)
        counters_here.append(PlacedCounter(piece, spot, r, at_x, at_y, shape, outside))
    return counters_here


def _radius(canvas: Canvas, piece: Counter, spot: CounterSpot) -> float:
    """Half the height in hex sizes. Counters with a ring are a little smaller, so that the hex's number stays free, and
    where counters stand close the ring lies within the spot."""
    if piece.changed and spot.close:
        return spot.r * 0.76
    return spot.r * (0.84 if piece.changed and not canvas.is_plate(piece) else 0.94 if spot.r < 0.5 else 1.0)


def _needs_room(canvas: Canvas, piece: Counter, r: int, *, alone: bool) -> bool:
    """Whether a plate's label stands below it: that of a base alone in its hex, and any label that is too long."""
    glyph = canvas.theme.form_look(piece.form).glyph
    return (alone and glyph in GLYPHS) or not fits_plate(_words_on(piece), glyph, r)


def _words_on(piece: Counter) -> str:
    return text.plain(piece.label[:80], text.plain(piece.id[:80], "?"))


def body_of(
    piece: Counter, look: OwnerLook, theme: Theme, r: int, *, outside: bool, counted: bool = False
) -> CounterBody:
    """How a counter's body looks; ``outside`` if its label stands elsewhere, ``counted`` if a heap's count is on it."""
    glyph = theme.form_look(piece.form).glyph
    grade = piece.grade
    writing = ""
    if isinstance(piece, Heap) and (counted or look.shape == "plate"):
        writing = piece.count if look.shape == "plate" else _short_count(piece)
        glyph = glyph if look.shape == "plate" else "none"
    elif look.shape == "plate" and not outside:
        writing = _words_on(piece)
    elif look.is_lettered:
        writing, glyph = look.emblem, "none"
    elif grade == 0 and glyph != "mines":  # a minefield that is found is known to be one
        writing, glyph = "?", "none"
    elif glyph == "initial":
        writing = text.plain(piece.form, "?")[:1].upper()
    elif glyph == "none":
        writing = look.emblem
    return CounterBody(look.shape, look.ink, r, writing, glyph, grade, fade_of(piece), not piece.live, piece.changed)


def _short_count(heap: Heap) -> str:
    """A heap's count on a shape, where there is little room: a plus is enough to tell a count."""
    return heap.count.removeprefix("x") if "+" in heap.count else heap.count


def _draw_bodies(canvas: Canvas, taken: Taken, counters_here: list[PlacedCounter]) -> list[int]:
    """Stamp the bodies of a hex, and on heaps what they say of their counters; returns the y of each one's first label.

    What shows behind heaps comes first and the counts last, so that none covers a body and no body covers a count.
    """
    heaps = [(place, one, one.piece) for place, one in enumerate(counters_here) if isinstance(one.piece, Heap)]
    for _, one, _ in heaps:
        if not one.spot.close and not canvas.is_battle(one.piece):
            canvas.stamp(pile(one.shape, canvas.scene.look_of(one.piece.owner).ink, one.r), one.x, one.y)
    feet = [_draw_body(canvas, one) for one in counters_here]
    for one in counters_here:
        _draw_signs(canvas, one)
    for place, one, heap in heaps:
        if one.shape != "plate" and (not one.spot.close or canvas.is_battle(heap)):
            size, top = max(SMALLEST_COUNT, round(one.r * 0.9)), one.y + round(0.1 * one.r)
            count = _short_count(heap)
            # Its left half stays free, as wide as the count may be.
            x = one.x + max(round(0.72 * one.r), text.width(count, size, heavy=True) // 2)
            canvas.stamp(label(count, size, heavy=True, casing=4), x, top)
            (box,) = _boxes_of([(count, size, True)], x, top)
            taken.add(box)
            feet[place] = max(feet[place], box.bottom + 3)
    return feet


def _draw_body(canvas: Canvas, one: PlacedCounter) -> int:
    """Stamp a body; returns the y of its first label."""
    if canvas.is_battle(one.piece):
        canvas.stamp(burst(one.r, one.piece.changed), one.x, one.y)
        return one.y + round(one.r * 1.2)
    look = canvas.scene.look_of(one.piece.owner)
    body = body_of(one.piece, look, canvas.theme, one.r, outside=one.outside, counted=one.spot.close)
    canvas.stamp(counter(body), one.x, one.y)
    return one.y + half_height(body) + round(one.r * (0.32 if one.piece.changed else 0.06))


def _draw_signs(canvas: Canvas, one: PlacedCounter) -> None:
    """At a counter's upper corners the signs of what its body does not show: a base, mines, a convoy."""
    corners = {"plate": (-PLATE, PLATE), "horned": (HORN, -HORN)}  # beside letters, on the side away from plates
    down = {"plate": -0.74, "horned": -HORN}.get(one.shape, -0.66)
    look = canvas.scene.look_of(one.piece.owner)
    hidden = look.is_lettered or (isinstance(one.piece, Heap) and one.spot.close and one.shape != "plate")
    signs = signs_of(one.piece, canvas.theme, hidden=hidden)
    for glyph, across in zip(signs, corners.get(one.shape, (-0.7, 0.7)), strict=False):
        sign = counter(CounterBody("disc", look.ink, max(6, round(one.r * 0.4)), "", glyph))
        canvas.stamp(sign, one.x + round(across * one.r), one.y + round(down * one.r))


# --- words around counters --------------------------------------------------------------------------------------------

LabelLine = tuple[str, int, bool]
"""(words, type size, heavy)."""


def _draw_labels(
    canvas: Canvas, taken: Taken, counters_here: list[PlacedCounter], feet: list[int], place_name: str
) -> None:
    layout, alone = canvas.layout, len(counters_here) == 1
    plates = [n for n, one in enumerate(counters_here) if one.shape == "plate"]
    for n, one in enumerate(counters_here):
        if not one.spot.named or (one.spot.close and layout.size < SMALL_HEX):
            continue
        # Labels that do not fit on their plate stand under the lowest plate of the stack.
        foot = feet[plates[-1]] if n in plates and one.outside else feet[n]
        foot = _write_lines(canvas, taken, one.x, foot, _lines_of(canvas, one, alone=alone), alone=alone)
        lowest = layout.centres[one.piece.hex][1] + layout.px(_LOWEST_NAME[layout.flat])
        if alone and place_name and foot <= lowest:
            lines = [(text.plain(place_name), layout.px(0.17), False)]
            _write_lines(canvas, taken, one.x, foot, lines, alone=True, quiet=True)


def _write_lines(
    canvas: Canvas, taken: Taken, x: int, foot: int, lines: list[LabelLine], *, alone: bool, quiet: bool = False
) -> int:
    """Write lines one below the other, beside what they would cover; returns where they end.

    What finds no room is left out, the small lines first; the label of a counter that is alone in its hex is not, but
    cut to its first line.
    """
    wide = canvas.layout.px(_SPREAD)
    said = [(text.elide(words, size, wide), size, heavy) for words, size, heavy in lines if words and size >= 9]
    while said:
        boxes = _boxes_of(said, x, foot)
        aside = next((shift for shift in map(canvas.layout.px, _ASIDE) if taken.are_free(boxes, shift)), None)
        if aside is not None:
            break
        all_heavy = said[-1][2]
        if alone and all_heavy:
            if len(said) == 1:
                break
            said = [_cut(said)]
        else:
            said = [] if all_heavy else said[:-1]
    else:
        return foot
    for (words, size, heavy), box in zip(said, boxes, strict=True):
        canvas.stamp(label(words, size, "text", 12 if quiet else 15, heavy=heavy), x + (aside or 0), foot)
        taken.add(box, aside or 0)
        foot += round(size * 1.06)
    return foot


def _cut(lines: list[LabelLine]) -> LabelLine:
    """The first of several lines, with the sign that more would follow."""
    words, size, heavy = lines[0]
    return text.elide(f"{words} {lines[1][0]}", size, text.width(words, size, heavy)), size, heavy


def _boxes_of(lines: list[LabelLine], x: int, foot: int) -> list[Box]:
    """Where the letters of lines lie with their casing, from the top of capitals to the line that they stand on."""
    boxes: list[Box] = []
    for words, size, heavy in lines:
        half = text.width(words, size, heavy) // 2 + 3
        boxes.append(Box(x - half, foot + round(0.2 * size), x + half, foot + round(0.95 * size)))
        foot += round(size * 1.06)
    return boxes


def _lines_of(canvas: Canvas, one: PlacedCounter, *, alone: bool) -> list[LabelLine]:
    """The lines under a counter: its label, its age, its other words."""
    piece, layout = one.piece, canvas.layout
    several = isinstance(piece, Heap)
    room = layout.px(min(one.spot.room, _HEAP_ROOM) if several and one.outside else one.spot.room)
    spread = layout.px(_SPREAD) if alone else layout.px(1.6) if canvas.is_plate(piece) else room
    lines: list[LabelLine] = []
    if one.outside:
        size = max(11, round(one.r * (0.56 if several or canvas.is_battle(piece) else 0.76)))
        words = text.plain(piece.label[:80], text.plain(piece.id[:80]))
        written = fitted(words, size, room, max(spread, layout.px(1.25)) if several else spread)
        # Of a heap's labels none is cut: its count says how many they are.
        lines += [(line, fit, True) for line, fit in written if not (several and line.endswith("…"))]
    lines.append((age_tag(piece, piece.oldest if isinstance(piece, Heap) else 0), max(11, round(one.r * 0.52)), False))
    room_for = 1 if several else one.spot.lines
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
