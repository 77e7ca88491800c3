"""Where the labels of units stand: chip and vector beside or above each other, or the chip alone; never on another."""

from collections.abc import Iterator
from math import cos, hypot, pi, sin
from typing import NamedTuple

from map_render.drawing import text
from map_render.drawing.cache import kept
from map_render.tactical.looks import chip_wide
from map_render.tactical.sheet import Point
from map_render.tactical.spots import NoRoom, outwards
from map_render.theatre.placing.room import CALLOUT, COUNTER, LINE, NAME, PLACE, Rect, Room

_GAP = 10
_TURNS = 24
_FARTHER = (0, 18, 40, 70, 105)
_STEP = 22
_DEAR = {LINE: 34, PLACE: 22, CALLOUT: 160}
NOT_ON = COUNTER | NAME
"""What no label stands on. Lines and ghosts it avoids where it can."""
GROUND = CALLOUT
"""Terrain takes room as callouts do on other maps: a label stands on it only where there is nothing else near."""


class TacticalLabel(NamedTuple):
    """The label of a unit: the boxes of its chip and of its vector (None: not written), and where a line to the unit
    begins and ends (None: it stands so near that it needs none)."""

    code: str
    chip: Rect
    vector: Rect | None
    leader: tuple[Point, Point] | None = None

    @property
    def box(self) -> Rect:
        """All of it."""
        boxes = [self.chip, *([self.vector] if self.vector else [])]
        return Rect(
            min(one.left for one in boxes), min(one.top for one in boxes),
            max(one.right for one in boxes), max(one.bottom for one in boxes),
        )  # fmt: skip


class _Shape(NamedTuple):
    """A way to write a label: its extent, and the offsets of chip and vector from its left top corner."""

    wide: int
    high: int
    chip: Rect
    vector: Rect | None


class Wanted(NamedTuple):
    """What is to be labelled: a code and a vector in letters of that size, beside a disc around a point."""

    code: str
    vector: str
    at: Point
    r: int
    high: int
    size: int


@kept(1024)
def _shapes(code: str, vector: str, high: int, size: int) -> tuple[_Shape, ...]:
    chip, said = chip_wide(code, high), text.width(vector, size, heavy=True) + 4
    alone = _Shape(chip, high, Rect(0, 0, chip, high), None)
    if not vector:
        return (alone,)
    side = _Shape(chip + _GAP + said, high, Rect(0, 0, chip, high), Rect(chip + _GAP, 0, chip + _GAP + said, high))
    wide, line = max(chip, said), round(size * 1.15)
    left, low = (wide - chip) // 2, (wide - said) // 2
    stacked = _Shape(
        wide, high + line, Rect(left, 0, left + chip, high), Rect(low, high, low + said, high + line)
    )  # fmt: skip
    return side, stacked, alone


def placed_label(wanted: Wanted, field: Rect, room: Room) -> TacticalLabel:
    """The best free place for a label: near, across no line and no ghost; the vector is left out before the chip goes
    far. It is taken in the room.

    Raises:
        NoRoom: where there is none at all.
    """
    shapes = _shapes(wanted.code, wanted.vector, wanted.high, wanted.size)
    best: tuple[float, _Shape, Rect] | None = None
    for cost, shape, offset in _beside(shapes, wanted.r):
        if best is not None and cost >= best[0]:
            break
        box = offset.moved(*wanted.at)
        if box.within(field) and room.is_free(box, NOT_ON):
            whole = cost + _crossed(room, box, wanted.code) + _led_over(room, wanted, shape, box)
            if best is None or whole < best[0]:
                best = (whole, shape, box)
    shape, box = best[1:] if best else _anywhere(wanted, shapes[-1], field, room)
    label = _label(wanted, shape, box)
    room.take(label.chip, NAME, wanted.code)
    if label.vector:
        room.take(label.vector, NAME, wanted.code)
    return label


@kept(256)
def _beside(shapes: tuple[_Shape, ...], r: int) -> tuple[tuple[float, _Shape, Rect], ...]:
    """Places all round a disc for each way to write a label, as from the disc's middle, each with what it costs to
    stand there, the cheapest first: far is dear, and so is aslant."""
    found: list[tuple[float, int, _Shape, Rect]] = []
    for order, shape in enumerate(shapes):
        for farther in _FARTHER:
            for n in range(_TURNS):
                ux, uy = cos(2 * pi * n / _TURNS), sin(2 * pi * n / _TURNS)
                # So far that the box, which lies in that direction, just clears the disc.
                reach = r + 6 + farther
                left = round(ux * (reach + shape.wide / 2) - shape.wide / 2)
                top = round(uy * (reach + shape.high / 2) - shape.high / 2)
                cost = 26 * order * order + farther * 1.2 + 14 * min(abs(ux), abs(uy)) + (3 if uy > 0 else 0)
                found.append((cost, len(found), shape, Rect(left, top, left + shape.wide, top + shape.high)))
    return tuple((cost, shape, box) for cost, _, shape, box in sorted(found))


def _crossed(room: Room, box: Rect, code: str) -> float:
    """What it costs to stand on lines and ghosts, others' more than one's own."""
    there = {(one.of, one.kind) for one in room.at(box, LINE | PLACE | GROUND)}
    return sum(_DEAR[kind] * (0.9 if of == code else 1) for of, kind in there)


def _led_over(room: Room, wanted: Wanted, shape: _Shape, box: Rect) -> float:
    """What it costs if the line from there to the unit would run over something."""
    leader = _label(wanted, shape, box).leader
    if leader is None or room.is_clear(*leader, 2, NOT_ON, but=frozenset((wanted.code,))):
        return 0
    return 70


def _anywhere(wanted: Wanted, shape: _Shape, field: Rect, room: Room) -> tuple[_Shape, Rect]:
    """The nearest free place, however far."""
    for x, y in outwards(wanted.at, _STEP):
        box = Rect(x - shape.wide // 2, y - shape.high // 2, x + shape.wide - shape.wide // 2, y + shape.high // 2)
        if box.within(field) and room.is_free(box, NOT_ON):
            return shape, box
    raise NoRoom


def _label(wanted: Wanted, shape: _Shape, box: Rect) -> TacticalLabel:
    chip = shape.chip.moved(box.left, box.top)
    vector = shape.vector.moved(box.left, box.top) if shape.vector else None
    x, y = wanted.at
    whole = TacticalLabel(wanted.code, chip, vector).box
    near_x, near_y = min(max(x, whole.left), whole.right), min(max(y, whole.top), whole.bottom)
    far = hypot(near_x - x, near_y - y)
    if far <= wanted.r + 34:
        return TacticalLabel(wanted.code, chip, vector)
    start = (round(x + (near_x - x) * wanted.r / far), round(y + (near_y - y) * wanted.r / far))
    return TacticalLabel(wanted.code, chip, vector, (start, (near_x, near_y)))


def first_free(boxes: Iterator[Rect], field: Rect, room: Room, kinds: int, of: str) -> Rect | None:
    """The first of some boxes that is in the field and free of these kinds, which is taken as a name; None: none is."""
    for box in boxes:
        if box.within(field) and room.is_free(box, kinds, but=frozenset((of,)) if of else frozenset()):
            room.take(box, NAME, of)
            return box
    return None
