"""Courses: this turn solid, later dashed, a tick where each turn ends, and a hollow counter where the course ends."""

from collections.abc import Iterable
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from map_render.drawing import text
from map_render.drawing.plates import PlateLook, plate, plate_width
from map_render.drawing.scene import Scene
from map_render.drawing.sprites import Sprite, Stroke, label, stroke
from map_render.theatre.frame import Frame
from map_render.theatre.placing.room import COUNTER, LINE, NAME, PLACE, Rect, Room, span_in
from rules_engine.core.basics.base import HexId
from rules_engine.core.knowledge.views import Counter, Course

APART = 10
"""Drawn pixels between the edges of courses that run side by side."""
NOW, LATER, TRAIL = 12, 7, 6
"""How thick courses are drawn: of this turn, of later turns, and where something came from."""

Spot = tuple[float, float]


class CourseLine(NamedTuple):
    """A course as it is drawn: its hexes, and its corners in pixels, some of which may lie beyond what is shown."""

    course: Course
    owner: str
    ink: str
    hexes: tuple[HexId, ...]
    corners: tuple[Spot, ...]
    later_from: float
    """How many legs are of this turn."""
    trail: bool


class TurnEnd(NamedTuple):
    """Where a turn ends on a course: the number of the corner, the place, the unit vector across, and words."""

    after: int
    at: Spot
    across: Spot
    said: str


class Drawn(NamedTuple):
    """Something to stamp: a sprite and where."""

    sprite: Sprite
    x: int
    y: int


def lines_of(scene: Scene, frame: Frame) -> list[CourseLine]:
    """All courses with lanes of their own: where several share a leg they run side by side."""
    order = {"seen": 0, "moved": 1, "route": 2, "plotted": 3}
    taken: dict[frozenset[HexId], set[int]] = {}
    lines: list[CourseLine] = []
    for course in sorted(scene.board.courses, key=lambda one: (-order.get(one.kind, 3), one.counter, one.hexes)):
        hexes = [
            name
            for place, name in enumerate(course.hexes)
            if name in frame.everywhere and (place == 0 or name != course.hexes[place - 1])
        ]
        if len(hexes) < 2 or frame.centres.keys().isdisjoint(hexes):
            continue
        legs = list(pairwise(hexes))
        lane = _lane(legs, taken)
        owner = scene.owners.get(course.counter, scene.own)
        ink = scene.look_of(owner).ink if owner else "text"
        step = frame.px(APART + NOW)
        corners = tuple(_offset([frame.everywhere[name] for name in hexes], lane * step))
        later, trail = _later_from(course, len(legs)), course.kind in ("moved", "seen")
        lines.append(CourseLine(course, owner, ink, tuple(hexes), corners, later, trail))
    return lines


def _lane(legs: list[tuple[HexId, HexId]], taken: dict[frozenset[HexId], set[int]]) -> int:
    """The first lane that no leg has taken: 0 is the middle, 1 right of it, -1 left. Ways back have them mirrored."""
    for lane in (0, 1, -1, 2, -2, 3, -3):
        mine = [(frozenset(leg), lane if leg[0] < leg[1] else -lane) for leg in legs]
        if all(side not in taken.get(leg, set()) for leg, side in mine):
            break
    for leg, side in mine:  # pyright: ignore[reportPossiblyUnboundVariable]
        taken.setdefault(leg, set()).add(side)
    return lane  # pyright: ignore[reportPossiblyUnboundVariable]


def _later_from(course: Course, legs: int) -> float:
    return course.stages[0].after if course.stages else 0 if course.kind == "route" else legs


def _offset(points: list[tuple[int, int]], aside: float) -> Iterable[Spot]:
    """A way moved to its right by some pixels, its corners mitred."""
    if not aside:
        yield from points
        return
    normals: list[Spot] = []
    for (x, y), (to_x, to_y) in pairwise(points):
        far = hypot(to_x - x, to_y - y) or 1.0
        normals.append((-(to_y - y) / far, (to_x - x) / far))
    for place, (x, y) in enumerate(points):
        before, after = normals[max(0, place - 1)], normals[min(place, len(normals) - 1)]
        dot = 1 + before[0] * after[0] + before[1] * after[1]
        scale = aside / dot if dot > 0.4 else aside
        both = (before[0] + after[0], before[1] + after[1]) if dot > 0.4 else after
        yield x + both[0] * scale, y + both[1] * scale


def legs_of(line: CourseLine, corners: Iterable[Spot], frame: Frame) -> Iterable[tuple[int, Spot, Spot]]:
    """(number, start, end) of each leg of a course through some corners, cut off where the hexes that are shown end."""
    whole, edge = frame.centres.keys() >= set(line.hexes), Rect(*frame.sheet)
    for number, (start, end) in enumerate(pairwise(corners)):
        span = (0.0, 1.0) if whole else span_in(start, end, edge)
        if span is not None:
            across, down = end[0] - start[0], end[1] - start[1]
            first, last = ((start[0] + across * part, start[1] + down * part) for part in span)
            yield number, first if span[0] > 0 else start, last if span[1] < 1 else end


def take_lines(lines: list[CourseLine], frame: Frame, room: Room) -> None:
    """Note where courses run. Trails take no room."""
    for line in lines:
        if not line.trail:
            for _, start, end in legs_of(line, line.corners, frame):
                room.take_line(start, end, frame.px(NOW) // 2 + 2, line.course.counter)


def strokes_of(line: CourseLine, frame: Frame, start: Spot | None) -> list[tuple[Sprite, Sprite, int, int]]:
    """(casing, core, x, y) of each leg. ``start`` is where the counter stands, if it is not in the middle."""
    corners = list(line.corners)
    if start is not None:
        at = len(corners) - 1 if line.trail else 0
        corners[at] = start
    found: list[tuple[Sprite, Sprite, int, int]] = []
    for place, (x, y), (to_x, to_y) in legs_of(line, corners, frame):
        later = place >= line.later_from
        if line.trail:
            look = Stroke(round(to_x - x), round(to_y - y), frame.px(TRAIL), dotted=True)
        else:
            look = Stroke(round(to_x - x), round(to_y - y), frame.px(LATER if later else NOW), dashed=later)
        casing, core = stroke(look, line.ink, 11 if line.trail else 15)
        found.append((casing, core, round(x), round(y)))
    return found


def ticks_of(line: CourseLine, frame: Frame) -> list[TurnEnd]:
    """The ends of turns on a course, as far as it is shown."""
    found: list[TurnEnd] = []
    if line.trail:
        return found
    for stage in line.course.stages:
        if not 0 < stage.after < len(line.corners) or line.hexes[stage.after] not in frame.centres:
            continue
        x, y = line.corners[stage.after]
        from_x, from_y = line.corners[stage.after - 1]
        far = hypot(x - from_x, y - from_y) or 1.0
        across = (-(y - from_y) / far, (x - from_x) / far)
        found.append(TurnEnd(stage.after, (x, y), across, text.plain(stage.said[:8])))
    return found


def draw_tick(tick: TurnEnd, ink: str, frame: Frame) -> tuple[Sprite, Sprite, int, int]:
    """(casing, core, x, y) of a tick."""
    (x, y), (across, down) = tick.at, tick.across
    half = frame.px(21)
    look = Stroke(round(2 * half * across), round(2 * half * down), frame.px(NOW))
    casing, core = stroke(look, ink)
    return casing, core, round(x - half * across), round(y - half * down)


def place_words(words: str, around: Spot, frame: Frame, room: Room, size: int, *, far: int) -> Drawn | None:
    """Small words near a spot, where they lie on nothing; None if there is no such place."""
    if not words:
        return None
    wide, high = text.width(words, size, heavy=True), round(0.74 * size)
    x, y = round(around[0]), round(around[1])
    for dx, dy in (
        (far + wide // 2, 0), (-far - wide // 2, 0), (0, far + high // 2), (0, -far - high // 2),
        (far // 2 + wide // 2, far), (-far // 2 - wide // 2, far),
        (far // 2 + wide // 2, -far), (-far // 2 - wide // 2, -far),
    ):  # fmt: skip
        box = Rect(x + dx - wide // 2 - 3, y + dy - high // 2 - 3, x + dx + wide // 2 + 3, y + dy + high // 2 + 3)
        if box.within(frame.field) and room.is_free(box):
            room.take(box, NAME)
            return Drawn(label(words, size, heavy=True, casing=frame.px(6)), x + dx, y + dy - text.capital_middle(size))
    return None


def place_ghost(line: CourseLine, counter: Counter, frame: Frame, room: Room) -> tuple[Drawn, Rect] | None:
    """The hollow counter at the end of a course, in its hex beside what stands there already; None if there is no room,
    for in the next hex it would tell of another end."""
    code = text.plain(counter.label[:12], "?")
    look = PlateLook(code, "", line.ink, frame.px(66), hollow=True)
    sprite, wide, high = plate(look), plate_width(look), look.high
    x, y = (round(part) for part in line.corners[-1])
    (back_x, back_y) = line.corners[-2]
    far = hypot(x - back_x, y - back_y) or 1.0
    ux, uy = (x - back_x) / far, (y - back_y) / far
    tries = [(0, 0)]
    for reach in (0.45, 0.7):
        out = reach * frame.size
        for along, across in ((1.0, 0.0), (0.0, 1.0), (0.0, -1.0), (0.7, 0.7), (0.7, -0.7), (-0.7, 0.7), (-0.7, -0.7)):
            tries.append((round((along * ux - across * uy) * out), round((along * uy + across * ux) * out)))
    for dx, dy in tries:
        box = Rect(x + dx - wide // 2 - 4, y + dy - high // 2 - 4, x + dx + wide // 2 + 4, y + dy + high // 2 + 4)
        own = frozenset({counter.id})
        if (
            box.within(frame.field)
            and room.is_free(box, COUNTER | NAME | PLACE, but=own)
            and room.is_free(box, LINE, but=own)
        ):
            room.take(box, COUNTER, f"ghost {counter.id}")
            return Drawn(sprite, x + dx, y + dy), box
    return None
