"""The ground of a map of lanes: whose space is where, the lanes by their classes, and those that are not explored."""

from collections.abc import Iterable
from math import dist, hypot

from PIL import Image, ImageDraw

from map_render.drawing.cache import kept
from map_render.drawing.palette import PAPER, covered, index, mapped, ramp
from map_render.drawing.shapes import cut
from map_render.drawing.sprites import Sprite, arrow
from map_render.lanes.frame import LaneFrame
from map_render.lanes.graph import GraphLine
from rules_engine.core.grids.charts import LaneLine

Point = tuple[int, int]
Segment = tuple[Point, Point]

DISC, STRIP, RIM = 92, 58, 7
"""Half the width of somebody's space around a system and along a lane, and the thickness of its rim, drawn."""
TINT = 3
LANE, GAP = 6.5, 8.0
"""The thickness of a lane, and half the distance between the two lines of a double one, drawn."""
_LONGEST_ROUND = 900
_OVER = 2


def space(picture: Image.Image, frame: LaneFrame, held: Iterable[Point], lanes: Iterable[Segment], ink: str) -> None:
    """Paint somebody's space: a band along the lanes between systems of theirs, closed around these."""
    for points, ways in _realms(tuple(held), tuple(lanes), 2 * frame.px(DISC)):
        _realm(picture, frame, points, ways, ink)


def _realms(
    points: tuple[Point, ...], lanes: tuple[Segment, ...], near: int
) -> Iterable[tuple[tuple[Point, ...], tuple[Segment, ...]]]:
    """What of it hangs together, by lanes or because it lies so near."""
    beside: dict[Point, set[Point]] = {one: {other for other in points if dist(one, other) < near} for one in points}
    for start, end in lanes:
        beside[start].add(end)
        beside[end].add(start)
    left: dict[Point, None] = dict.fromkeys(points)
    while left:
        ahead = [next(iter(left))]
        found: dict[Point, None] = {}
        while ahead:
            here = ahead.pop()
            if here not in found:
                found[here] = None
                ahead += sorted(beside[here])
        left = {one: None for one in left if one not in found}
        yield tuple(found), tuple(one for one in lanes if one[0] in found)


def _realm(
    picture: Image.Image, frame: LaneFrame, points: tuple[Point, ...], ways: tuple[Segment, ...], ink: str
) -> None:
    edge = frame.px(DISC) + 4
    left, top = min(x for x, _ in points) - edge, min(y for _, y in points) - edge
    right, bottom = max(x for x, _ in points) + edge, max(y for _, y in points) + edge
    size = (right - left, bottom - top)
    moved = tuple((x - left, y - top) for x, y in points)
    shifted = tuple(((x - left, y - top), (to_x - left, to_y - top)) for (x, y), (to_x, to_y) in ways)
    closed = _closed(shifted, frame.px(_LONGEST_ROUND))
    whole = _union(size, moved, shifted, closed, (frame.px(DISC), frame.px(STRIP)))
    inner = _union(size, moved, shifted, closed, (frame.px(DISC) - frame.px(RIM), frame.px(STRIP) - frame.px(RIM)))
    picture.paste(index(ink, TINT), (left, top), covered(whole))
    rim = cut(whole, inner)
    picture.paste(mapped(rim, ramp(ink, 15, TINT)), (left, top), covered(rim))


@kept(16)
def _union(
    size: tuple[int, int],
    points: tuple[Point, ...],
    lanes: tuple[Segment, ...],
    closed: tuple[tuple[Point, ...], ...],
    halves: tuple[int, int],
) -> Image.Image:
    """Discs around points, strips along lanes, and what these close in, as one."""
    image = Image.new("L", (size[0] * _OVER, size[1] * _OVER), 0)
    draw = ImageDraw.Draw(image)
    disc, strip = halves[0] * _OVER, halves[1] * _OVER
    for some in closed:
        draw.polygon([(x * _OVER, y * _OVER) for x, y in some], 255)
    for x, y in points:
        draw.ellipse((x * _OVER - disc, y * _OVER - disc, x * _OVER + disc, y * _OVER + disc), 255)
    for (x, y), (to_x, to_y) in lanes:
        far = hypot(to_x - x, to_y - y) or 1.0
        aside = (-(to_y - y) / far * strip, (to_x - x) / far * strip)
        corners = ((x, y, 1), (to_x, to_y, 1), (to_x, to_y, -1), (x, y, -1))
        draw.polygon([(a * _OVER + aside[0] * sign, b * _OVER + aside[1] * sign) for a, b, sign in corners], 255)
    return image.reduce(_OVER)


def _closed(lanes: Iterable[Segment], longest: int) -> tuple[tuple[Point, ...], ...]:
    """Three points that lanes join all round, with so little between them that a hole there would look like a sign."""
    joined: dict[Point, set[Point]] = {}
    for start, end in lanes:
        joined.setdefault(start, set()).add(end)
        joined.setdefault(end, set()).add(start)
    round_them = ((a, b, c) for a, near in joined.items() for b in near for c in near & joined[b] if a < b < c)
    return tuple(sorted(one for one in round_them if dist(one[0], one[1]) + dist(one[1], one[2]) < longest))


def draw_lines(picture: Image.Image, frame: LaneFrame, lines: Iterable[GraphLine]) -> None:
    """Draw the lanes between dots."""
    for one in lines:
        start, end = frame.spots[one.a], frame.spots[one.b]
        _lay(picture, lane_sprite(end[0] - start[0], end[1] - start[1], frame.unit, one.line), *start)
        if one.crosses or one.noted:
            _lay(picture, _crossing(end[0] - start[0], end[1] - start[1], frame.unit, one.crosses), *start)


def draw_leaving(picture: Image.Image, frame: LaneFrame, lines: Iterable[tuple[Point, Point, LaneLine]]) -> None:
    """Draw the beginnings of lanes that lead to systems beyond a part of the map, each with an arrow at its end."""
    for (x, y), (to_x, to_y), line in lines:
        _lay(picture, lane_sprite(to_x - x, to_y - y, frame.unit, line), x, y)
        _lay(picture, arrow(to_x - x, to_y - y, frame.px(17), "quiet"), to_x, to_y)


def draw_loose(picture: Image.Image, frame: LaneFrame, ends: Iterable[Segment]) -> None:
    """Draw lanes that are not explored: long dashes, as far as anything is known of them."""
    for (x, y), (to_x, to_y) in ends:
        _lay(picture, loose_sprite(to_x - x, to_y - y, frame.unit), x, y)


def _lay(picture: Image.Image, sprite: Sprite, x: int, y: int) -> None:
    picture.paste(sprite.image, (x + sprite.dx, y + sprite.dy), sprite.mask)


@kept(1024)
def lane_sprite(dx: int, dy: int, unit: float, line: LaneLine) -> Sprite:
    """A lane from its anchor by (dx, dy): its class by its line."""
    thick = max(1.5, LANE * unit)
    far = hypot(dx, dy) or 1.0
    match line:
        case "double":
            gap = max(2.0, GAP * unit)
            return _strokes(dx, dy, [(0.0, far, -gap), (0.0, far, gap)], 0.8 * thick)
        case "single":
            return _strokes(dx, dy, [(0.0, far, 0.0)], thick)
        case "dashed":
            return _strokes(dx, dy, _pieces(far, max(8.0, 26 * unit), 0.58), thick)
        case "dotted":
            return _strokes(dx, dy, _pieces(far, max(6.0, 17 * unit), 0.05), 1.15 * thick)


@kept(1024)
def loose_sprite(dx: int, dy: int, unit: float) -> Sprite:
    """A lane that is not explored: long dashes, and paler than those that are."""
    thick = max(1.3, 0.8 * LANE * unit)
    return _strokes(dx, dy, _pieces(hypot(dx, dy) or 1.0, max(12.0, 46 * unit), 0.56), thick, fade=9)


@kept(256)
def _crossing(dx: int, dy: int, unit: float, crosses: str) -> Sprite:
    """A mark in the middle of a lane: that it leads into another sector (two bars) or galaxy (three), or that
    something is noted of it (one)."""
    far = hypot(dx, dy) or 1.0
    ux, uy = dx / far, dy / far
    half, step = 15 * unit, 13 * unit
    count = {"sector": 2, "galaxy": 3}.get(crosses, 1)
    across = [far / 2 + step * (n - (count - 1) / 2) for n in range(count)]
    bars = [(ux * at - uy * half, uy * at + ux * half, ux * at + uy * half, uy * at - ux * half) for at in across]
    return _inked(bars, max(1.5, LANE * unit), 15)


def _pieces(far: float, pitch: float, share: float) -> list[tuple[float, float, float]]:
    """A line in equal pieces, so that each end has half a gap."""
    count = max(1, round(far / pitch))
    step = far / count
    return [(step * (n + 0.5 - share / 2), step * (n + 0.5 + share / 2), 0.0) for n in range(count)]


def _strokes(dx: int, dy: int, pieces: list[tuple[float, float, float]], thick: float, fade: int = 13) -> Sprite:
    """Pieces of a line, each from and to so far along it and so far aside."""
    far = hypot(dx, dy) or 1.0
    ux, uy = dx / far, dy / far
    ends = [
        (ux * begin - uy * aside, uy * begin + ux * aside, ux * end - uy * aside, uy * end + ux * aside)
        for begin, end, aside in pieces
    ]
    return _inked(ends, thick, fade)


def _inked(ends: list[tuple[float, float, float, float]], thick: float, fade: int) -> Sprite:
    edge = round(thick) + 3
    left, top = min(min(x, a) for x, _, a, _ in ends) - edge, min(min(y, b) for _, y, _, b in ends) - edge
    right, bottom = max(max(x, a) for x, _, a, _ in ends) + edge, max(max(y, b) for _, y, _, b in ends) + edge
    off_x, off_y = round(left), round(top)
    image = Image.new("L", ((round(right) - off_x) * _OVER, (round(bottom) - off_y) * _OVER), PAPER)
    draw = ImageDraw.Draw(image)
    half = thick * _OVER / 2
    for x, y, to_x, to_y in ends:
        start = ((x - off_x) * _OVER, (y - off_y) * _OVER)
        end = ((to_x - off_x) * _OVER, (to_y - off_y) * _OVER)
        draw.line((*start, *end), 255, max(1, round(2 * half)))
        for at_x, at_y in (start, end):
            draw.ellipse((at_x - half, at_y - half, at_x + half, at_y + half), 255)
    mask = image.reduce(_OVER)
    return Sprite(mapped(mask, ramp("quiet", fade)), covered(mask), off_x, off_y)
