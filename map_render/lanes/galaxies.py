"""Galaxies on one map: a line around the systems of each, its name on it, and the lanes that lead from one to another.

A lane between galaxies begins at any system of one, so it is drawn from line to line.
"""

from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from PIL import Image, ImageDraw

from map_render.drawing.cache import kept
from map_render.drawing.palette import index
from map_render.lanes.frame import LaneFrame
from map_render.lanes.graph import GraphLine, LaneGraph
from map_render.theatre.placing.room import Rect, Room
from rules_engine.core.basics.base import HexId

MARGIN, INSET, BETWEEN = (180, 118), 12, 76
"""How far the line lies beside and above the outermost systems, whose names stand within it; how far within the field
at least; and how far two are apart, drawn."""
LINE, CORNER, INK = 5, 34, 5


Stretch = tuple[int, int]
"""From where to where something reaches in one direction."""


class GalaxyFrame(NamedTuple):
    """The line around a galaxy."""

    name: str
    box: Rect


class Galaxies(NamedTuple):
    """A map with the lanes between its galaxies as lines, each from one frame to the other; ``frames`` are drawn."""

    graph: LaneGraph
    frame: LaneFrame
    frames: tuple[GalaxyFrame, ...]


@kept(32)
def with_galaxies(graph: LaneGraph, frame: LaneFrame) -> Galaxies:
    """The map with what there is of galaxies; as it is where it has but one. Those whose systems lie among each other
    have no lines around them."""
    if len(graph.galaxies) < 2:
        return Galaxies(graph, frame, ())
    around = {one.name: _around(frame, one.systems) for one in graph.galaxies}
    boxes = _apart({name: _wider(frame, box) for name, box in around.items()}, around, frame.px(BETWEEN))
    spots, lines = dict(frame.spots), list(graph.lines)
    for span in graph.spans:
        start, end = _joined(boxes[span.a], boxes[span.b])
        a, b = end_of(span.id, span.a), end_of(span.id, span.b)
        spots |= {a: start, b: end}
        lines.append(GraphLine(span.id, a, b, span.line, "galaxy"))
    frames = tuple(GalaxyFrame(name, box) for name, box in boxes.items()) if _is_parted(boxes) else ()
    return Galaxies(graph._replace(lines=tuple(lines)), replace(frame, spots=spots), frames)


def end_of(lane: HexId, galaxy: str) -> HexId:
    """What stands for a galaxy at the end of a lane that leads to it: a dot without a sign."""
    return f"{lane} {galaxy}"


def draw_frames(picture: Image.Image, frame: LaneFrame, frames: tuple[GalaxyFrame, ...]) -> None:
    """Draw the lines around galaxies."""
    draw = ImageDraw.Draw(picture)
    for one in frames:
        draw.rounded_rectangle(one.box, frame.px(CORNER), outline=index("quiet", INK), width=frame.px(LINE))


def take_frames(frames: tuple[GalaxyFrame, ...], frame: LaneFrame, room: Room) -> None:
    """Note where the lines around galaxies run."""
    for one in frames:
        (left, top, right, bottom), name = one.box, f"around {one.name}"
        corners = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
        for start, end in pairwise(corners):
            room.take_line(start, end, frame.px(LINE), name)


def _around(frame: LaneFrame, systems: tuple[HexId, ...]) -> Rect:
    xs, ys = zip(*(frame.spots[one] for one in systems), strict=True)
    return Rect(min(xs), min(ys), max(xs), max(ys))


def _wider(frame: LaneFrame, box: Rect) -> Rect:
    """A box with its margin, within the field."""
    side, roof, inset = frame.px(MARGIN[0]), frame.px(MARGIN[1]), frame.px(INSET)
    left, top, right, bottom = frame.field
    return Rect(
        max(box.left - side, left + inset),
        max(box.top - roof, top + inset),
        min(box.right + side, right - inset),
        min(box.bottom + roof, bottom - inset),
    )


def _apart(boxes: dict[str, Rect], inner: dict[str, Rect], gap: int) -> dict[str, Rect]:
    """The boxes, each made smaller where another comes too near, but never so that one of its systems is outside."""
    found = dict(boxes)
    names = list(found)
    for number, name in enumerate(names):
        for other in names[number + 1 :]:
            if found[name].grown(gap // 2).meets(found[other].grown(gap // 2)):
                found[name], found[other] = _cut(found[name], found[other], inner[name], inner[other], gap)
    return found


def _cut(one: Rect, two: Rect, inner: Rect, other: Rect, gap: int) -> tuple[Rect, Rect]:
    """Two boxes cut between their systems, where most room is; as they are where these lie among each other."""
    across = _parted(
        (one.left, one.right), (two.left, two.right), (inner.left, inner.right), (other.left, other.right), gap
    )
    down = _parted(
        (one.top, one.bottom), (two.top, two.bottom), (inner.top, inner.bottom), (other.top, other.bottom), gap
    )
    if down is not None and (across is None or down.room >= across.room):
        return (
            one._replace(top=down.one[0], bottom=down.one[1]),
            two._replace(top=down.two[0], bottom=down.two[1]),
        )
    if across is not None:
        return (
            one._replace(left=across.one[0], right=across.one[1]),
            two._replace(left=across.two[0], right=across.two[1]),
        )
    return one, two


class _Parted(NamedTuple):
    """Two stretches that were cut, and how much lies between their systems."""

    one: Stretch
    two: Stretch
    room: int


def _parted(one: Stretch, two: Stretch, inner: Stretch, other: Stretch, gap: int) -> _Parted | None:
    """Two stretches of one direction, cut so that there is a gap between them; None where their systems overlap."""
    if inner[0] >= other[1]:
        turned = _parted(two, one, other, inner, gap)
        return turned and _Parted(turned.two, turned.one, turned.room)
    room = other[0] - inner[1]
    if room < 0:
        return None
    middle, half = (inner[1] + other[0]) // 2, min(gap, room) // 2
    return _Parted((one[0], min(one[1], middle - half)), (max(two[0], middle + half), two[1]), room)


def _is_parted(boxes: dict[str, Rect]) -> bool:
    every = list(boxes.values())
    return not any(one.meets(two) for number, one in enumerate(every) for two in every[number + 1 :])


def _joined(one: Rect, two: Rect) -> tuple[tuple[int, int], tuple[int, int]]:
    """From the edge of one box to that of another, straight where they lie side by side; else between their middles."""
    if one.meets(two):
        return one.middle, two.middle
    x, to_x = _nearest((one.left, one.right), (two.left, two.right))
    y, to_y = _nearest((one.top, one.bottom), (two.top, two.bottom))
    return (x, y), (to_x, to_y)


def _nearest(one: Stretch, two: Stretch) -> Stretch:
    """Where two stretches are nearest to each other: the middle of what they share."""
    if one[1] < two[0]:
        return one[1], two[0]
    if two[1] < one[0]:
        return one[0], two[1]
    middle = (max(one[0], two[0]) + min(one[1], two[1])) // 2
    return middle, middle
