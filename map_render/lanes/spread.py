"""Where dots lie on a picture: as the chart has them, as large as there is room, and none upon another or its lane."""

from collections.abc import Iterable, Iterator
from math import hypot

from map_render.drawing.cache import kept
from map_render.lanes.graph import LaneGraph
from map_render.theatre.placing.room import Rect
from rules_engine.core.basics.base import HexId

Spots = dict[HexId, tuple[int, int]]

_ROUNDS = 24
_CLEAR, _SPARE = 0.42, 0.6
"""How far a dot stays from lanes of others, and how much farther away those are looked for that may come so near, in
shares of the distance of dots."""
_STRETCH = 1.6
"""How much more a map may be stretched one way than the other."""


class _At:
    """A dot while it is moved."""

    __slots__ = ("move_x", "move_y", "x", "y")

    def __init__(self, x: float, y: float) -> None:
        self.x, self.y = x, y
        self.move_x = self.move_y = 0.0


def height_for(graph: LaneGraph, wide: int, least: int, most: int) -> int:
    """How high a field of that width is to be, between the least and the most, so that the map is stretched little."""
    across, down = _extent(graph)
    if not across or not down:
        return least
    return round(min(max(wide * down / across, least), most))


@kept(32)
def spread(graph: LaneGraph, box: Rect, apart: int, farthest: int) -> Spots:
    """Every dot in a box: at least ``apart`` pixels from another where there is room, and so near that the lanes of a
    small map are not much longer than ``farthest``. It follows from the dots that are given alone."""
    if not graph.dots:
        return {}
    xs, ys = [one.x for one in graph.dots], [one.y for one in graph.dots]
    across, down = _extent(graph)
    wide, high = box.right - box.left, box.bottom - box.top
    fits = [room / span for room, span in ((wide, across), (high, down)) if span > 0]
    scale = min(fits, default=1.0)
    scale = min(scale, _longest_scale(graph, farthest) or scale)
    scale_x = min(wide / across, _STRETCH * scale) if across else scale
    scale_y = min(high / down, _STRETCH * scale) if down else scale
    mid_x, mid_y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    to_x, to_y = box.middle
    at = {one.id: _At(to_x + (one.x - mid_x) * scale_x, to_y + (one.y - mid_y) * scale_y) for one in graph.dots}
    near = _Near(graph, at, apart)
    for lanes_too in (True, False):  # at last the dots alone, which matter more
        for _ in range(_ROUNDS):
            if not _pushed(near, box, lanes_too=lanes_too):
                break
    return {name: (round(one.x), round(one.y)) for name, one in at.items()}


def _extent(graph: LaneGraph) -> tuple[float, float]:
    xs, ys = [one.x for one in graph.dots], [one.y for one in graph.dots]
    return (max(xs) - min(xs), max(ys) - min(ys)) if xs else (0.0, 0.0)


def _longest_scale(graph: LaneGraph, farthest: int) -> float | None:
    """The scale at which the middle one of all lanes, by length, is so long."""
    places = {one.id: one for one in graph.dots}
    lengths = sorted(hypot(places[a].x - places[b].x, places[a].y - places[b].y) for _, a, b, *_ in graph.lines)
    middle = lengths[len(lengths) // 2] if lengths else 0.0
    return farthest / middle if middle else None


class _Near:
    """The dots that may be too near each other, and those that may be too near a lane of others. They are found with so
    much to spare that they hold until some dot has moved by half of it."""

    def __init__(self, graph: LaneGraph, at: dict[HexId, _At], apart: int) -> None:
        self.at, self.apart, self.clear = at, apart, _CLEAR * apart
        self._lines = [(line.a, line.b) for line in graph.lines]
        self._spare = _SPARE * apart
        self._find()

    def hold(self) -> None:
        """Find them anew, if they may be others by now."""
        most = self._spare / 2
        moved = zip(self.at.values(), self._found_at, strict=True)
        if any(abs(one.x - x) + abs(one.y - y) > most for one, (x, y) in moved):
            self._find()

    def _find(self) -> None:
        at, size = self.at, self.apart + self._spare
        self._found_at = [(one.x, one.y) for one in at.values()]
        cells: dict[tuple[int, int], list[tuple[HexId, _At]]] = {}
        for name, one in at.items():
            cells.setdefault((int(one.x // size), int(one.y // size)), []).append((name, one))
        self.pairs = [
            (one, other)
            for (column, row), here in cells.items()
            for name, one in here
            for x in (-1, 0, 1)
            for y in (-1, 0, 1)
            for other_name, other in cells.get((column + x, row + y), ())
            if name < other_name
        ]
        reach = self.clear + self._spare
        self.lanes = [(at[a], at[b], self._beside(cells, (a, b), size, reach)) for a, b in self._lines]

    def _beside(
        self,
        cells: dict[tuple[int, int], list[tuple[HexId, _At]]],
        ends: tuple[HexId, HexId],
        size: float,
        reach: float,
    ) -> list[_At]:
        """The dots within that reach of a lane, but for its ends."""
        start, end = self.at[ends[0]], self.at[ends[1]]
        dx, dy = end.x - start.x, end.y - start.y
        length = hypot(dx, dy) or 1.0
        return [
            one
            for cell in _cells_along(start, end, size, reach)
            for name, one in cells.get(cell, ())
            if name not in ends and abs((one.y - start.y) * dx - (one.x - start.x) * dy) < reach * length
        ]


def _pushed(near: _Near, box: Rect, *, lanes_too: bool) -> bool:
    """Move dots apart that are too near each other or (``lanes_too``) to a lane of others; whether any was."""
    near.hold()
    for one in near.at.values():
        one.move_x = one.move_y = 0.0
    moved = False
    for one, other in near.pairs:
        moved |= _part(one, other, near.apart)
    for start, end, beside in near.lanes if lanes_too else ():
        moved |= _cleared(start, end, beside, near.clear)
    for one in near.at.values():
        one.x = min(max(one.x + one.move_x, box.left), box.right)
        one.y = min(max(one.y + one.move_y, box.top), box.bottom)
    return moved


def _part(one: _At, other: _At, apart: float) -> bool:
    dx, dy = other.x - one.x, other.y - one.y
    far = hypot(dx, dy)
    if far >= apart:
        return False
    if far < 1:
        dx, dy, far = 0.8, 0.6, 1.0
    by = 0.3 * (apart - far) / far
    one.move_x -= dx * by
    one.move_y -= dy * by
    other.move_x += dx * by
    other.move_y += dy * by
    return True


def _cells_along(start: _At, end: _At, size: float, clear: float) -> Iterator[tuple[int, int]]:
    """The cells around a lane."""
    left, right = min(start.x, end.x) - clear, max(start.x, end.x) + clear
    top, bottom = min(start.y, end.y) - clear, max(start.y, end.y) + clear
    for column in range(int(left // size), int(right // size) + 1):
        for row in range(int(top // size), int(bottom // size) + 1):
            yield column, row


def _cleared(start: _At, end: _At, near: Iterable[_At], clear: float) -> bool:
    """Move dots off a lane that leads past them."""
    dx, dy = end.x - start.x, end.y - start.y
    length = hypot(dx, dy)
    if length < 1:
        return False
    ux, uy = dx / length, dy / length
    moved = False
    for one in near:
        along = (one.x - start.x) * ux + (one.y - start.y) * uy
        aside = (one.y - start.y) * ux - (one.x - start.x) * uy
        if 0 < along < length and abs(aside) < clear:
            by = 0.5 * (clear - abs(aside)) * (1 if aside >= 0 else -1)
            one.move_x -= uy * by
            one.move_y += ux * by
            moved = True
    return moved
