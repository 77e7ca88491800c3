"""Where callouts stand: the nearest place where they and their leaders lie on nothing."""

from bisect import bisect_left
from collections.abc import Iterable
from math import cos, hypot, pi, sin
from typing import NamedTuple

from PIL import Image

from map_render.drawing.sprites import Sprite
from map_render.theatre.boxes import boxed
from map_render.theatre.callouts import Callout
from map_render.theatre.frame import Frame, Point
from map_render.theatre.placing.room import CALLOUT, COUNTER, NAME, PLACE, Bits, Rect, Room

_MOST_LEADERS = 24
"""At how many free places for one box a leader is looked for: where these are all cut off, others are too."""
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


def place_callout(
    callout: Callout, image: Image.Image, frame: Frame, room: Room, *, cells: Bits, bodies: tuple[Rect, ...], parts: int
) -> PlacedCallout | None:
    """The nearest free place for a callout within eight hexes, right, left, above or below; None if there is none.

    It slides along its hex in so many ``parts`` of its own length. Its leader ends at the ring of the hex, or at one of
    its counters (``bodies``), and crosses no counter, no name and no other callout.
    """
    ends = _ends(frame, frame.centres[callout.hex], bodies, room)
    if not ends:
        return None
    (x, y), (wide, high) = frame.centres[callout.hex], image.size
    gap = frame.px(5)
    tried = 0
    first_x, first_y, last_x, last_y = frame.field
    last_x, last_y = last_x - wide - gap - x, last_y - high - gap - y
    first_x, first_y = first_x + gap - x, first_y + gap - y
    for left, top in _tries(frame.size, image.size, parts):
        if not (first_x <= left <= last_x and first_y <= top <= last_y):
            continue
        if not cells.is_free(x + left - gap, y + top - gap, x + left + wide + gap, y + top + high + gap):
            continue
        box = Rect(x + left, y + top, x + left + wide, y + top + high)
        leader = _leader(frame, room, ends, box)
        if leader is not None:
            room.take(box, CALLOUT, f"callout {callout.hex}")
            room.take_line(*leader, frame.px(9), f"callout {callout.hex}", CALLOUT)
            cells.take(box)
            for n in range(21):
                at = [round(a + (b - a) * n / 20) for a, b in zip(*leader, strict=True)]
                cells.take(Rect(at[0] - 8, at[1] - 8, at[0] + 8, at[1] + 8))
            return PlacedCallout(callout, boxed(image, frame), box, *leader)
        tried += 1
        if tried == _MOST_LEADERS:
            break
    return None


def _tries(size: int, extent: tuple[int, int], parts: int) -> Iterable[tuple[int, int]]:
    """(left, top), from a hex of that size, of places for a box, the best first; it slides in so many parts of its own
    length."""
    wide, high = extent
    step = size / 4
    slides: list[tuple[int, int, float, float]] = []
    # Steps to each side in pixels, and how far they are from the nearest point of the box.
    for part in range(-parts * 5 // 4, parts * 5 // 4 + 1):
        slide, aside = part / parts, max(0.0, abs(part) / parts - 0.4)
        slides.append((round(slide * wide), round(slide * high), aside * wide / step, aside * high / step))
    left_over: list[tuple[float, int, int]] = []
    for n in range(3, round(FARTHEST * 4 * 1.73)):
        # Of one distance after the other: what costs less than the next distance at least does is all there is.
        away, tries = round(n * step), left_over
        for across, down, far_x, far_y in slides:
            beside, over = hypot(n, far_y), hypot(n, far_x)
            tries += (
                (beside, away, down - high // 2),
                (beside + 0.1, -away - wide, down - high // 2),
                (over + 0.2, across - wide // 2, -away - high),
                (over + 0.3, across - wide // 2, away),
            )
        tries.sort()
        ready = bisect_left(tries, (float(n + 1),))
        yield from ((left, top) for _, left, top in tries[:ready])
        left_over = tries[ready:]
    yield from ((left, top) for _, left, top in left_over)


def _ends(frame: Frame, at: Point, bodies: tuple[Rect, ...], room: Room) -> list[tuple[float, Point]]:
    """(cost, end) of where a leader to a hex may end: round the hex, then round the counters that stand in it."""
    x, y = at
    half = frame.px(13)
    kinds = COUNTER | NAME | CALLOUT
    found: list[tuple[float, Point]] = []
    tries = [(reach * frame.size, reach * frame.size, x, y, 30 * reach) for reach in (0.95, 1.2)]
    for box in bodies:
        wide, high = (box.right - box.left) / 2 + 1.3 * half, (box.bottom - box.top) / 2 + 1.3 * half
        tries.append((wide, high, *box.middle, 60.0))
    for across, down, middle_x, middle_y, cost in tries:
        for n in range(24):
            end = (round(middle_x + across * cos(pi * n / 12)), round(middle_y + down * sin(pi * n / 12)))
            dot = Rect(end[0] - half, end[1] - half, end[0] + half, end[1] + half)
            if dot.within(frame.field) and room.is_free(dot, kinds):
                at_place = not room.is_free(dot.grown(frame.px(40)), PLACE)
                found.append((cost + 60 * at_place, end))
    return found


def _leader(frame: Frame, room: Room, ends: list[tuple[float, Point]], box: Rect) -> tuple[Point, Point] | None:
    """(start, end) of the shortest leader from a box that crosses nothing but, if need be, the sign of a place; None if
    all cross something else."""
    inset = frame.px(24)
    tries: list[tuple[float, Point, Point]] = []
    left, top, right, bottom = box.grown(-inset)
    outer_left, outer_top, outer_right, outer_bottom = box.grown(inset // 2 + 2)
    for cost, (x, y) in ends:
        if not (outer_left < x < outer_right and outer_top < y < outer_bottom):
            start = (min(max(x, left), right), min(max(y, top), bottom))
            tries.append((hypot(x - start[0], y - start[1]) + cost, start, (x, y)))
    kinds = COUNTER | NAME | CALLOUT
    found: tuple[Point, Point] | None = None
    for _, start, end in sorted(tries)[:20]:
        if room.is_clear(start, end, frame.px(8), kinds, but=frozenset()):
            if room.is_clear(start, end, frame.px(8), PLACE, but=frozenset()):
                return start, end
            found = found or (start, end)
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
