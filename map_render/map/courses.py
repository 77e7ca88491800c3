"""Courses: the paths that counters are to take, have taken, or were seen to take."""

from math import hypot
from typing import NamedTuple

from map_render.drawing.palette import FULL
from map_render.drawing.sprites import Stroke, label, stroke
from map_render.map.canvas import Canvas
from map_render.map.chart import number_at, number_size
from map_render.map.layout import Layout
from rules_engine.core.basics.base import HexId
from rules_engine.core.knowledge.views import Course

COURSE_KINDS = ("seen", "moved", "route", "plotted")
"""In the order of drawing: plotted courses lie on top."""


_NEIGHBOURS = 1.9
"""In hex sizes: only the centres of neighbouring hexes are nearer to each other than this."""


class CourseLook(NamedTuple):
    """How a kind of course is drawn; ``dots`` mark the hexes on its way."""

    thick: float
    dashed: bool
    head: bool
    fade: int
    dots: bool = False


def course_look(kind: str, size: int) -> CourseLook:
    """The look of a kind of course on hexes of ``size`` pixels."""
    match kind:
        case "plotted":
            return CourseLook(max(3.0, size * 0.085), dashed=False, head=True, fade=FULL)
        case "moved":
            return CourseLook(max(2.0, size * 0.05), dashed=True, head=False, fade=11, dots=True)
        case "seen":
            return CourseLook(max(2.0, size * 0.034), dashed=True, head=False, fade=9, dots=True)
        case _:
            return CourseLook(max(2.0, size * 0.045), dashed=True, head=True, fade=FULL)


def shown_legs(course: Course, layout: Layout) -> list[tuple[HexId, HexId]]:
    """The legs (from hex to hex) of a course of which at least one end is shown."""
    return [
        (start, end)
        for start, end in zip(course.hexes, course.hexes[1:], strict=False)
        if start != end
        and (start in layout.centres or end in layout.centres)
        and _known(layout, start)
        and _known(layout, end)
    ]


def _known(layout: Layout, name: HexId) -> bool:
    return name in layout.centres or name in layout.beyond


def _centre(layout: Layout, name: HexId) -> tuple[int, int]:
    return layout.centres[name] if name in layout.centres else layout.beyond[name]


def draw_courses(canvas: Canvas) -> None:
    """Draw every course, and again the numbers of the hexes that they cross."""
    scene = canvas.scene
    owners = {piece.id: piece.owner for piece in scene.board.counters}
    rank = {kind: place for place, kind in enumerate(COURSE_KINDS)}
    taken: dict[frozenset[HexId], int] = {}
    for course in sorted(scene.board.courses, key=lambda one: (rank.get(one.kind, 0), one.counter, one.hexes)):
        owner = owners.get(course.counter, scene.own)
        _draw_course(canvas, course, scene.look_of(owner).ink if owner else "text", taken)
    _renumber(canvas)


def _draw_course(canvas: Canvas, course: Course, ink: str, taken: dict[frozenset[HexId], int]) -> None:
    layout = canvas.layout
    look = course_look(course.kind, layout.size)
    legs = shown_legs(course, layout)
    if not legs:
        return
    # Courses that share a leg run side by side.
    aside = max(taken.get(frozenset(leg), 0) for leg in legs)
    for leg in legs:
        taken[frozenset(leg)] = aside + 1
    shift = round((-1) ** aside * ((aside + 1) // 2) * (look.thick + 5))
    sprites: list[tuple[int, int, Stroke]] = []
    for start, end in legs:
        (x, y), (to_x, to_y) = _centre(layout, start), _centre(layout, end)
        ends = look.head and end == course.hexes[-1] and (start, end) == legs[-1] and end in layout.centres
        # A leg ends short of a counter that its arrow points at, and of a hex that is not shown.
        reach = 0.62 if (ends and end in canvas.stacks) or end not in layout.centres else 1.0
        skip = 0.38 if start not in layout.centres else 0.0
        dx, dy = to_x - x, to_y - y
        x, y = x + round(dx * skip) + shift, y + round(dy * skip) + shift
        share = reach - skip
        sprites.append((x, y, Stroke(round(dx * share), round(dy * share), look.thick, look.dashed, ends)))
        if look.dots and start in layout.centres:
            sprites.append((x, y, Stroke(0, 0, look.thick * 2.6)))
    for part in (0, 1):
        for x, y, line in sprites:
            canvas.stamp(stroke(line, ink, look.fade)[part], x, y)


def _renumber(canvas: Canvas) -> None:
    """Print the numbers over the courses that run through them."""
    layout, size = canvas.layout, number_size(canvas.layout)
    if not size:
        return
    for name in sorted(_crossed(canvas, size)):
        x, y = number_at(layout, name)
        canvas.stamp(label(name, size, "quiet", 12), x, y)


def _crossed(canvas: Canvas, size: int) -> set[HexId]:
    """The hexes whose number is crossed by a leg."""
    layout = canvas.layout
    crossed: set[HexId] = set()
    for course in canvas.scene.board.courses:
        for start, end in shown_legs(course, layout):
            (x, y), (to_x, to_y) = _centre(layout, start), _centre(layout, end)
            half_high = round(size * 0.6)
            # The line's casing and the lines that run parallel to it count as well.
            reach = round(course_look(course.kind, layout.size).thick) + 10
            near = hypot(to_x - x, to_y - y) < layout.size * _NEIGHBOURS
            passed = (start, end) if near else canvas.scene.board.grid.line(start, end)
            for name in layout.centres.keys() & set(passed) - crossed:
                at_x, at_y = number_at(layout, name)
                at_y += half_high
                if _meets(
                    (x - at_x, y - at_y), (to_x - at_x, to_y - at_y), round(size * 1.2) + reach, half_high + reach
                ):
                    crossed.add(name)
    return crossed


def _meets(start: tuple[int, int], end: tuple[int, int], half_wide: int, half_high: int) -> bool:
    """Whether a straight line meets the box of those half extents around the origin."""
    first, last = 0.0, 1.0
    for at, to, half in ((start[0], end[0], half_wide), (start[1], end[1], half_high)):
        step = to - at
        if step == 0:
            if abs(at) > half:
                return False
            continue
        one, other = sorted(((-half - at) / step, (half - at) / step))
        first, last = max(first, one), min(last, other)
    return first <= last
