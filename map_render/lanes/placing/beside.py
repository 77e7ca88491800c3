"""Where something may stand beside a sign: the nearest place that lies on nothing, and on as few lanes as can be."""

from collections.abc import Iterable, Iterator
from math import atan2, cos, hypot, pi, sin
from typing import NamedTuple

from map_render.drawing.cache import kept
from map_render.lanes.frame import LaneFrame
from map_render.theatre.placing.room import EVERYTHING, LINE, Rect, Room

Point = tuple[int, int]
UP = -pi / 2
_SIXTEEN = tuple((n * pi / 8, cos(n * pi / 8), sin(n * pi / 8)) for n in range(16))
"""Directions, each as an angle and as a step."""
_EIGHT = _SIXTEEN[::2]


class FreeSpot(NamedTuple):
    """Where something is put: the middle of it, its box there, and how far out that is (0: right beside)."""

    middle: Point
    box: Rect
    out: int


def places_beside(at: Point, reach: int, box: Rect, step: int, outs: Iterable[int]) -> Iterator[tuple[FreeSpot, float]]:
    """Where a box may stand around a sign that reaches so far, with the direction of each as an angle."""
    half_x, half_y = (box.right - box.left) / 2, (box.bottom - box.top) / 2
    off_x, off_y = box.middle
    for out in outs:
        far = reach + step * out
        for turn, x, y in _EIGHT if out == 0 else _SIXTEEN:
            to_x = round(at[0] + x * (far + half_x)) - off_x
            to_y = round(at[1] + y * (far + half_y)) - off_y
            yield FreeSpot((to_x, to_y), box.moved(to_x, to_y), out), turn


def best_beside(
    frame: LaneFrame,
    room: Room,
    at: Point,
    reach: int,
    box: Rect,
    *,
    towards: float = UP,
    outs: Iterable[int] = range(7),
) -> FreeSpot | None:
    """The best place for a box beside a sign: near, ``towards`` a direction, over few lanes; None if all is full."""
    found: list[tuple[float, FreeSpot]] = []
    best = 99.0
    for spot, turn in places_beside(at, reach, box, frame.px(44), outs):
        cost = 2.2 * spot.out + _between(turn, towards)
        if 2.2 * spot.out >= best:
            break
        if cost >= best or not spot.box.within(frame.field):
            continue
        if not room.is_free(spot.box, EVERYTHING & ~LINE):
            continue
        lines = len({one.of for one in room.at(spot.box, LINE)})
        cost += 0.8 * min(lines, 3)
        best = min(best, cost)
        found.append((cost, spot))
    return min(found, key=lambda one: one[0])[1] if found else None


def anywhere(frame: LaneFrame, room: Room, at: Point, reach: int, box: Rect, *, kinds: int) -> FreeSpot | None:
    """The nearest place that lies on nothing of these kinds, however far out."""
    for spot, _ in places_beside(at, reach, box, frame.px(44), range(24)):
        if spot.box.within(frame.field) and room.is_free(spot.box, kinds):
            return spot
    return None


def _between(one: float, other: float) -> float:
    """The angle between two directions, 0 to pi."""
    apart = abs(one - other) % (2 * pi)
    return min(apart, 2 * pi - apart)


@kept(512)
def widest_gap(taken: tuple[float, ...]) -> list[float]:
    """Sixteen directions, those first that are farthest from all of these. Do not change what is returned."""
    gaps = {one: round(min((_between(one, other) for other in taken), default=pi), 3) for one, _, _ in _SIXTEEN}
    return sorted(gaps, key=lambda one: (-gaps[one], one))


def turns_at(ends: Iterable[tuple[Point, Point]]) -> list[float]:
    """The directions in which lines leave."""
    return [atan2(b[1] - a[1], b[0] - a[0]) for a, b in ends if hypot(b[0] - a[0], b[1] - a[1]) > 0]


def edge_of(box: Rect, to: Point) -> Point:
    """The point of a box that is nearest to another."""
    return min(max(to[0], box.left), box.right), min(max(to[1], box.top), box.bottom)
