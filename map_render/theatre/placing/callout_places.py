"""Where callouts stand: the nearest place where they and their leaders lie on nothing."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from math import cos, hypot, pi, sin
from typing import NamedTuple

from map_render.drawing.sprites import Sprite
from map_render.theatre.callouts import Callout, CalloutLook
from map_render.theatre.frame import Frame, Point
from map_render.theatre.placing.free_places import FreePlaces
from map_render.theatre.placing.room import CALLOUT, COUNTER, NAME, PLACE, Bits, Rect, Room
from rules_engine.core.basics.base import HexId

_MOST_LEADERS = 24
"""At how many free places for one box a leader is looked for: where these are all cut off, others are too."""
_DOT = 13
"""Half the room that the dot at the end of a leader needs, drawn."""
_NAMES = 240
"""Room for a name, drawn."""
_NEAR_PIN = 5.0
"""How many hex sizes from its hex a pin lies on no place's sign."""
FARTHEST = 8
"""How many hexes a callout may be from its hex."""


class PlacedCallout(NamedTuple):
    """A callout in its place: its picture, its box, and its leader from the box to a dot."""

    callout: Callout
    image: Sprite
    box: Rect
    start: Point
    end: Point


class CalloutPlace(NamedTuple):
    """Where a callout stands, how it is laid out there, and its leader."""

    look: CalloutLook
    box: Rect
    start: Point
    end: Point


def place_callout(
    callout: Callout,
    looks: Iterable[tuple[CalloutLook, int]],
    frame: Frame,
    room: Room,
    *,
    cells: Bits,
    bodies: Mapping[HexId, Sequence[Rect]],
) -> CalloutPlace | None:
    """The nearest free place for a callout within eight hexes, right, left, above or below; None if there is none.

    It is laid out in the first of its ``looks`` for which there is a place; each comes with the number of parts of its
    own length in which it slides along its hex. Its leader ends at the ring of the hex, or at one of the counters
    there (``bodies`` by hex), and crosses no counter, no name and no other callout; and no sign of a place, if among
    the nearest places there is one for which that is so. Else it ends at a counter in another hex of which the callout
    tells, and where that is cut off, too, it crosses a sign.
    """
    at = frame.centres[callout.hex]
    ends = _ends(frame, at, bodies.get(callout.hex, ()), room)
    beside = _ends_beside(frame, at, [one for name in bodies if name != callout.hex for one in bodies[name]], room)
    best: tuple[int, CalloutPlace] | None = None
    for look, parts in looks if ends or beside else ():
        for box in islice(_free_boxes(frame, at, look.extent, parts, cells), _MOST_LEADERS):
            leader = _leader(frame, room, ends, box)
            if (leader is None or leader.rank) and beside:
                other = _leader(frame, room, beside, box)
                if other is not None and not other.rank:
                    leader = other._replace(rank=_ELSEWHERE)
            if leader is not None and (best is None or leader.rank < best[0]):
                best = leader.rank, CalloutPlace(look, box, leader.start, leader.end)
            if best is not None and not best[0]:
                break
        if best is not None:
            _take(best[1], callout, frame, room, cells)
            return best[1]
    return None


def _take(place: CalloutPlace, callout: Callout, frame: Frame, room: Room, cells: Bits) -> None:
    """Note that a callout and its leader stand there."""
    _, box, start, end = place
    room.take(box, CALLOUT, f"callout {callout.hex}")
    room.take_line(start, end, frame.px(9), f"callout {callout.hex}", CALLOUT)
    cells.take(box)
    for n in range(21):
        at = [round(a + (b - a) * n / 20) for a, b in zip(start, end, strict=True)]
        cells.take(Rect(at[0] - 8, at[1] - 8, at[0] + 8, at[1] + 8))


def _free_boxes(frame: Frame, at: Point, extent: tuple[int, int], parts: int, cells: Bits) -> Iterable[Rect]:
    """Where a box lies on nothing, the best place near a hex first; it slides in so many parts of its own length."""
    (x, y), (wide, high), gap, step = at, extent, frame.px(5), frame.size / 4
    first_x, first_y, last_x, last_y = Rect(*frame.field).grown(-gap)
    last_x, last_y = last_x - wide, last_y - high
    lefts: list[tuple[float, int]] = []
    tops: list[tuple[float, int]] = []
    # Steps to each side in pixels, and how far they are from the nearest point of the box.
    for part in range(-parts * 5 // 4, parts * 5 // 4 + 1):
        slide, aside = part / parts, max(0.0, abs(part) / parts - 0.4)
        left, top = x + round(slide * wide) - wide // 2, y + round(slide * high) - high // 2
        lefts += [(aside * wide / step, left - gap)] if first_x <= left <= last_x else []
        tops += [(aside * high / step, top - gap)] if first_y <= top <= last_y else []
    free = FreePlaces(cells, (wide + 2 * gap, high + 2 * gap), lefts, tops)
    left_over: list[tuple[float, int, int]] = []
    for n in range(3, round(FARTHEST * 4 * 1.73)):
        # Of one distance after the other: what costs less than the next distance at least does is all there is.
        away, found = round(n * step), left_over
        for cost, left in ((0.0, x + away), (0.1, x - away - wide)):
            if first_x <= left <= last_x:
                found += [(hypot(n, far) + cost, left, top + gap) for far, top in free.in_column(left - gap)]
        for cost, top in ((0.2, y - away - high), (0.3, y + away)):
            if first_y <= top <= last_y:
                found += [(hypot(n, far) + cost, left + gap, top) for far, left in free.in_row(top - gap)]
        found.sort()
        ready = bisect_left(found, (float(n + 1),))
        yield from (Rect(left, top, left + wide, top + high) for _, left, top in found[:ready])
        left_over = found[ready:]
    yield from (Rect(left, top, left + wide, top + high) for _, left, top in left_over)


def _ends(frame: Frame, at: Point, bodies: Sequence[Rect], room: Room) -> list[tuple[float, Point]]:
    """(cost, end) of where a leader to a hex may end: round the hex, then round the counters that stand in it."""
    found: list[tuple[float, Point]] = []
    for reach in (0.95, 1.2):
        found += _round(frame, at, (reach * frame.size, reach * frame.size), 30 * reach, room)
    for box in bodies:
        found += _round_counter(frame, box, 60.0, room)
    return found


def _ends_beside(frame: Frame, at: Point, bodies: Sequence[Rect], room: Room) -> list[tuple[float, Point]]:
    """(cost, end) of where a leader may end round counters in other hexes: the nearer to the hex, the better, but with
    room between it and the signs of places, where their names will come."""
    wide = frame.px(_NAMES)
    found: list[tuple[float, Point]] = []
    for cost, (x, y) in (end for box in bodies for end in _round_counter(frame, box, 60.0, room)):
        signs = [taken.box for taken in room.at(Rect(x, y, x, y).grown(wide), PLACE)]
        gaps = [hypot(max(left - x, x - right, 0), max(top - y, y - low, 0)) for left, top, right, low in signs]
        found.append((cost + 0.5 * hypot(x - at[0], y - at[1]) + max(0, wide - min(gaps, default=wide)), (x, y)))
    return found


def _round_counter(frame: Frame, box: Rect, cost: float, room: Room) -> list[tuple[float, Point]]:
    air = 1.3 * frame.px(_DOT)
    radii = (box.right - box.left) / 2 + air, (box.bottom - box.top) / 2 + air
    return _round(frame, box.middle, radii, cost, room)


def _round(
    frame: Frame, middle: Point, radii: tuple[float, float], cost: float, room: Room
) -> list[tuple[float, Point]]:
    """(cost, end) of the points of an ellipse where a dot lies on nothing; near the sign of a place it costs more."""
    (x, y), (across, down), half, near = middle, radii, frame.px(_DOT), frame.px(40)
    found: list[tuple[float, Point]] = []
    for n in range(24):
        end = (round(x + across * cos(pi * n / 12)), round(y + down * sin(pi * n / 12)))
        dot = Rect(end[0] - half, end[1] - half, end[0] + half, end[1] + half)
        if dot.within(frame.field) and room.is_free(dot, COUNTER | NAME | CALLOUT):
            found.append((cost + 60 * (not room.is_free(dot.grown(near), PLACE)), end))
    return found


class _Leader(NamedTuple):
    """A leader from a box to a dot. ``rank``: 0 if it crosses nothing, else how good it is."""

    start: Point
    end: Point
    rank: int


_ELSEWHERE, _CROSSING = 1, 2
"""The ranks of a leader to another hex of which the callout tells, and of one that crosses the sign of a place."""


def _leader(frame: Frame, room: Room, ends: list[tuple[float, Point]], box: Rect) -> _Leader | None:
    """The shortest leader from a box that crosses nothing but, if need be, the sign of a place; None if all cross
    something else."""
    inset = frame.px(24)
    tries: list[tuple[float, Point, Point]] = []
    left, top, right, bottom = box.grown(-inset)
    outer_left, outer_top, outer_right, outer_bottom = box.grown(inset // 2 + 2)
    for cost, (x, y) in ends:
        if not (outer_left < x < outer_right and outer_top < y < outer_bottom):
            start = (min(max(x, left), right), min(max(y, top), bottom))
            tries.append((hypot(x - start[0], y - start[1]) + cost, start, (x, y)))
    kinds = COUNTER | NAME | CALLOUT
    found: _Leader | None = None
    for _, start, end in sorted(tries)[:20]:
        if room.is_clear(start, end, frame.px(8), kinds, but=frozenset()):
            if room.is_clear(start, end, frame.px(8), PLACE, but=frozenset()):
                return _Leader(start, end, 0)
            found = found or _Leader(start, end, _CROSSING)
    return found


def place_pin(at: Point, r: int, frame: Frame, room: Room) -> Point | None:
    """Where a pin stands that has no callout: near its hex, on no counter, no name and, within three hexes, no place's
    sign; None if all is full there."""
    x, y = at
    for reach in (1.0, 1.2, 1.5, 1.9, 2.4, 3.0, 3.6, 4.2, 5.0, 6.0, 7.0, 8.0, 10.0, 12.0, 15.0, 20.0):
        kinds = COUNTER | NAME | CALLOUT | (PLACE if reach <= _NEAR_PIN else 0)
        for n in (7, 11, 5, 1, 8, 10, 4, 2, 6, 0, 9, 3):
            to_x = round(x + reach * frame.size * cos(pi * n / 6))
            to_y = round(y + reach * frame.size * sin(pi * n / 6))
            box = Rect(to_x - r, to_y - r, to_x + r, to_y + r)
            if box.within(frame.field) and room.is_free(box.grown(-2), kinds):
                room.take(box, COUNTER, "pin")
                return to_x, to_y
    return None
