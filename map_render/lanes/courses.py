"""Ways of groups on a map of lanes, beside the lanes that they follow: this turn's thick, later ones dashed."""

from collections.abc import Iterable
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from PIL import Image

from map_render.drawing import text
from map_render.drawing.scene import Scene
from map_render.drawing.sprites import Sprite, Stroke, arrow, label, stamp, stroke
from map_render.lanes.frame import LaneFrame
from map_render.lanes.graph import LaneGraph
from map_render.theatre.placing.room import LINE, NAME, Rect, Room

ASIDE, APART = 17, 13
"""How far beside its lane a way runs, and a second one beside the first, drawn."""
_NOW, _LATER, _PAST = 11, 7, 6
_TICK = 34

Point = tuple[int, int]


class WayLeg(NamedTuple):
    """A way along one lane: from where, how, and in which ink."""

    x: int
    y: int
    line: Stroke
    ink: str


class LaneWay(NamedTuple):
    """A way as it is drawn: its legs, where it ends and in which direction, and where its turns end."""

    legs: tuple[WayLeg, ...]
    end: tuple[Point, Point, str] | None
    ticks: tuple[tuple[Point, str], ...] = ()


def ways_of(scene: Scene, graph: LaneGraph, frame: LaneFrame, signs: dict[str, int]) -> list[LaneWay]:
    """The ways of all courses on that map; ``signs`` is how far the sign of each dot reaches."""
    dot_of = dict(graph.dot_of)
    used: dict[tuple[str, str], int] = {}
    found: list[LaneWay] = []
    for course in scene.board.courses:
        stops = [dot_of[one] for one in course.hexes if one in dot_of]
        ink = scene.look_of(scene.owners.get(course.counter, "")).ink
        legs: list[WayLeg] = []
        now = course.stages[0].after if course.stages else len(stops) if course.kind != "route" else 0
        for number, (here, there) in enumerate(pairwise(stops)):
            if here == there:
                continue
            beside = used.get((here, there), 0)
            used[here, there] = beside + 1
            start, end = _beside(frame.spots[here], frame.spots[there], frame.px(ASIDE + beside * APART))
            line = _stroke(course.kind, frame, now=number < now)
            legs.append(_leg((start, end), (signs.get(here, 0), signs.get(there, 0)), line, ink))
        if not legs:
            continue
        last = legs[-1]
        ends = (last.x + last.line.dx, last.y + last.line.dy), (last.line.dx, last.line.dy), ink
        ticks = tuple(
            (frame.spots[stops[min(one.after, len(stops) - 1)]], text.plain(one.said[:8]))
            for one in course.stages
            if one.after and course.kind in ("plotted", "route")
        )
        found.append(LaneWay(tuple(legs), ends if course.kind in ("plotted", "route") else None, ticks))
    return found


def _stroke(kind: str, frame: LaneFrame, *, now: bool) -> Stroke:
    if kind in ("moved", "seen"):
        return Stroke(0, 0, frame.px(_PAST), dotted=True)
    return Stroke(0, 0, frame.px(_NOW if now else _LATER), dashed=not now)


def _beside(start: Point, end: Point, aside: int) -> tuple[Point, Point]:
    """A line to the right of another, as one looks along it: so the way back runs on the other side."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    far = hypot(dx, dy) or 1.0
    x, y = round(-dy / far * aside), round(dx / far * aside)
    return (start[0] + x, start[1] + y), (end[0] + x, end[1] + y)


def _leg(ends: tuple[Point, Point], signs: tuple[int, int], line: Stroke, ink: str) -> WayLeg:
    """From the edge of one sign to that of the next."""
    start, end = ends
    dx, dy = end[0] - start[0], end[1] - start[1]
    far = hypot(dx, dy) or 1.0
    before, after = min(signs[0], round(0.3 * far)), min(signs[1] + round(line.thick * 2), round(0.4 * far))
    x, y = round(start[0] + dx / far * before), round(start[1] + dy / far * before)
    to_x, to_y = round(end[0] - dx / far * after), round(end[1] - dy / far * after)
    return WayLeg(x, y, line._replace(dx=to_x - x, dy=to_y - y), ink)


def take_room(ways: Iterable[LaneWay], room: Room) -> None:
    """Note where ways run."""
    for way in ways:
        for one in way.legs:
            room.take_line((one.x, one.y), (one.x + one.line.dx, one.y + one.line.dy), round(one.line.thick), kind=LINE)


def draw_ways(picture: Image.Image, ways: Iterable[LaneWay], frame: LaneFrame) -> None:
    """Draw all ways, casings first."""
    drawn = tuple(ways)
    for part in (0, 1):
        for way in drawn:
            for one in way.legs:
                stamp(picture, stroke(one.line, one.ink)[part], one.x, one.y)
    for way in drawn:
        if way.end is not None:
            (x, y), (dx, dy), ink = way.end
            stamp(picture, arrow(dx, dy, frame.px(22), ink), x, y)


def tick_words(ways: Iterable[LaneWay], frame: LaneFrame, room: Room) -> list[tuple[Sprite, int, int]]:
    """Where turns end on ways: the turn beside the system, where there is room."""
    found: list[tuple[Sprite, int, int]] = []
    size = frame.px(_TICK)
    for (x, y), words in dict.fromkeys(tick for way in ways for tick in way.ticks if tick[1]):
        half, high = text.width(words, size, True) // 2 + 3, round(0.4 * size) + 3
        for far in (frame.px(52), frame.px(78)):
            tries = ((far, -far), (far, far), (-far, -far), (-far, far), (0, -far), (0, far))
            boxes = [Rect(x + a - half, y + b - high, x + a + half, y + b + high) for a, b in tries]
            free = next((box for box in boxes if box.within(frame.field) and room.is_free(box)), None)
            if free:
                room.take(free, NAME)
                sprite = label(words, size, heavy=True, casing=frame.px(6))
                found.append((sprite, free.middle[0], free.middle[1] - text.capital_middle(size)))
                break
    return found
