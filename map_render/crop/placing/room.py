"""Room on a crop: which boxes are taken, and where something else can still stand."""

from collections.abc import Iterable

from map_render.map.taken import Box


def around(x: int, y: int, wide: int, high: int) -> Box:
    """The box of that extent whose middle is (x, y)."""
    return Box(x - wide // 2, y - high // 2, x - wide // 2 + wide, y - high // 2 + high)


def moved(box: Box, dx: int, dy: int) -> Box:
    """The box, moved."""
    return Box(box.left + dx, box.top + dy, box.right + dx, box.bottom + dy)


def grown(box: Box, by: int) -> Box:
    """The box, larger by some pixels on each side."""
    return Box(box.left - by, box.top - by, box.right + by, box.bottom + by)


def meet(one: Box, other: Box) -> bool:
    """Whether two boxes have any pixel in common."""
    across = one.left < other.right and other.left < one.right
    return across and one.top < other.bottom and other.top < one.bottom


def within(box: Box, bounds: Box) -> bool:
    """Whether a box lies in another."""
    across = bounds.left <= box.left and box.right <= bounds.right
    return across and bounds.top <= box.top and box.bottom <= bounds.bottom


def brought_in(box: Box, bounds: Box) -> tuple[int, int]:
    """By how much (dx, dy) a box must move to lie within the bounds, at the least."""
    dx = max(bounds.left - box.left, 0) or min(bounds.right - box.right, 0)
    dy = max(bounds.top - box.top, 0) or min(bounds.bottom - box.bottom, 0)
    return dx, dy


def hull(boxes: Iterable[Box]) -> Box:
    """The smallest box that holds all, at least one, of some."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


class Room:
    """The boxes that are taken within some bounds."""

    def __init__(self, bounds: Box) -> None:
        self.bounds = bounds
        self.taken: list[Box] = []
        self.soft: list[Box] = []

    def is_free(self, box: Box, gap: int = 0, *, strict: bool = False) -> bool:
        """Whether a box lies within the bounds, and meets nothing that is taken with a ``gap`` around it; if
        ``strict``, nor what may be covered but had better not be."""
        wide = grown(box, gap)
        if not within(box, self.bounds) or any(meet(wide, one) for one in self.taken):
            return False
        return not (strict and any(meet(box, one) for one in self.soft))

    def are_free(self, boxes: Iterable[Box], gap: int = 0) -> bool:
        """Whether all boxes are free."""
        return all(self.is_free(box, gap) for box in boxes)

    def take(self, *boxes: Box) -> None:
        """Note that something stands there."""
        self.taken.extend(boxes)

    def crosses(self, start: tuple[int, int], end: tuple[int, int]) -> bool:
        """Whether a straight line between two points runs through anything that is taken."""
        return any(span_in(start, end, box) is not None for box in self.taken)


def span_in(start: tuple[int, int], end: tuple[int, int], box: Box) -> tuple[float, float] | None:
    """Between which shares of its length, 0 to 1, a straight line is in a box; None if it never is."""
    first, last = 0.0, 1.0
    for at, to, low, high in (
        (start[0], end[0], box.left, box.right),
        (start[1], end[1], box.top, box.bottom),
    ):
        step = to - at
        if step == 0:
            if not low < at < high:
                return None
            continue
        one, other = sorted(((low - at) / step, (high - at) / step))
        first, last = max(first, one), min(last, other)
    return (first, last) if first < last else None
