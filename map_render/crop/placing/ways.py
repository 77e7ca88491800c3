"""Ways on a crop: courses to be flown, where forces came from, how contacts moved; side by side, never under a sign."""

from collections.abc import Iterable
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from map_render.crop.box import Box
from map_render.crop.frame import CropFrame
from map_render.crop.placing.room import grown, span_in
from map_render.drawing.palette import FULL
from map_render.drawing.scene import Scene
from map_render.drawing.sprites import Stroke
from rules_engine.core.basics.base import HexId
from rules_engine.core.knowledge.views import Course

_APART = 16
_SHORTEST = 10
_THICK = {"now": 13.0, "later": 8.0, "moved": 6.0, "seen": 6.0}

Point = tuple[float, float]


class Leg(NamedTuple):
    """A straight part of a way as it is drawn, from a point; and its ink and strength."""

    x: int
    y: int
    stroke: Stroke
    ink: str
    fade: int


class Tick(NamedTuple):
    """The end of a turn on a course: where, along which direction it runs, its words and ink."""

    x: int
    y: int
    dx: float
    dy: float
    said: str
    ink: str


class Way(NamedTuple):
    """A course before anything is cut from it: the points that it runs through, and the number of the first point of
    later turns."""

    course: Course
    ink: str
    points: tuple[Point, ...]
    later: int


def ways_of(scene: Scene, frame: CropFrame, starts: dict[str, tuple[int, int]], *, scale: float = 1.0) -> list[Way]:
    """The ways that come near the crop. ``starts`` has the middle of each counter that is drawn, by its id."""
    owners = {piece.id: piece.owner for piece in scene.board.counters}
    rank = {"seen": 0, "moved": 1, "route": 2, "plotted": 3}
    beside: dict[frozenset[HexId], int] = {}
    ways: list[Way] = []
    for course in sorted(scene.board.courses, key=lambda one: (rank.get(one.kind, 0), one.counter, one.hexes)):
        hexes = [name for name in course.hexes if name in frame.centres]
        legs = [leg for leg in pairwise(hexes) if leg[0] != leg[1]]
        if not legs or not any(name in frame.shown for name in hexes):
            continue
        aside = max(beside.get(frozenset(leg), 0) for leg in legs)
        for leg in legs:
            beside[frozenset(leg)] = aside + 1
        off = (-1) ** aside * ((aside + 1) // 2) * round(_APART * scale)
        points = [(float(x), float(y)) for x, y in (frame.centres[name] for name in hexes)]
        points = _shifted(points, off)
        if course.counter in starts:
            x, y = starts[course.counter]
            points[0 if course.kind in ("plotted", "route") else -1] = (float(x), float(y))
        owner = owners.get(course.counter, scene.own)
        later = course.stages[0].after if course.stages else len(points) if course.kind == "plotted" else 0
        ways.append(Way(course, scene.look_of(owner).ink if owner else "text", tuple(points), later))
    return ways


def _shifted(points: list[Point], off: int) -> list[Point]:
    """A line beside a line; whichever way it runs, it is on the same side."""
    if not off:
        return list(points)
    out: list[Point] = []
    for n, (x, y) in enumerate(points):
        (ax, ay), (bx, by) = points[max(0, n - 1)], points[min(len(points) - 1, n + 1)]
        dx, dy = bx - ax, by - ay
        if (dx, dy) < (0, 0):
            dx, dy = -dx, -dy
        length = hypot(dx, dy) or 1.0
        out.append((x - dy / length * off, y + dx / length * off))
    return out


def legs_of(way: Way, obstacles: Iterable[Box], bounds: Box, *, scale: float = 1.0) -> list[Leg]:
    """The parts of a way that lie on no sign and within the bounds; an arrow ends a course that is to be flown."""
    boxes = [grown(one, 5) for one in obstacles]
    kind = way.course.kind
    aimed = kind in ("plotted", "route")
    found: list[tuple[Point, Point, str]] = []
    for n, (start, end) in enumerate(pairwise(way.points)):
        style = ("now" if n < way.later else "later") if aimed else kind if kind in _THICK else "later"
        found += [(one, other, style) for one, other in _visible(start, end, boxes, bounds)]
    legs: list[Leg] = []
    for n, (start, end, style) in enumerate(found):
        thick, fade = _THICK[style] * scale, FULL if aimed else 11
        x, y = round(start[0]), round(start[1])
        dx, dy = round(end[0]) - x, round(end[1]) - y
        head = aimed and n == len(found) - 1 and hypot(dx, dy) > 2.5 * thick
        legs.append(Leg(x, y, Stroke(dx, dy, thick, style != "now", head), way.ink, fade))
    if kind == "moved" and found and found[0][0] == way.points[0]:
        x, y = (round(part) for part in way.points[0])
        legs.append(Leg(x, y, Stroke(0, 0, _THICK["moved"] * 2.6), way.ink, 11))
    return legs


def _visible(start: Point, end: Point, boxes: list[Box], bounds: Box) -> list[tuple[Point, Point]]:
    """The parts of a straight line that lie in no box, but within the bounds."""
    one, other = (round(start[0]), round(start[1])), (round(end[0]), round(end[1]))
    inside = span_in(one, other, grown(bounds, 1))
    if inside is None:
        return []
    free = [inside]
    left, right = sorted((one[0], other[0]))
    top, bottom = sorted((one[1], other[1]))
    for box in boxes:
        if box.right < left or box.left > right or box.bottom < top or box.top > bottom:
            continue
        span = span_in(one, other, box)
        if span is not None:
            free = [
                part
                for first, last in free
                for part in ((first, min(last, span[0])), (max(first, span[1]), last))
                if part[0] < part[1]
            ]
    length = hypot(other[0] - one[0], other[1] - one[1])

    def at(share: float) -> Point:
        return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share

    return [(at(first), at(last)) for first, last in free if (last - first) * length >= _SHORTEST]


def ticks_of(way: Way) -> list[Tick]:
    """The ends of turns on a course."""
    ticks: list[Tick] = []
    for stage in way.course.stages:
        if 0 < stage.after < len(way.points):
            (ax, ay), (x, y) = way.points[stage.after - 1], way.points[stage.after]
            length = hypot(x - ax, y - ay) or 1.0
            ticks.append(Tick(round(x), round(y), (x - ax) / length, (y - ay) / length, stage.said, way.ink))
    return ticks


def soft_boxes(legs: Iterable[Leg]) -> list[Box]:
    """Small boxes along some legs, which texts avoid where they can."""
    boxes: list[Box] = []
    for leg in legs:
        length = hypot(leg.stroke.dx, leg.stroke.dy)
        count = max(1, round(length / 24))
        for n in range(count + 1):
            x, y = leg.x + leg.stroke.dx * n // count, leg.y + leg.stroke.dy * n // count
            boxes.append(Box(x - 8, y - 8, x + 8, y + 8))
    return boxes
