"""Room on a crop: which boxes are taken, and where something else can still stand."""

from collections.abc import Iterable, Iterator

from map_render.crop.box import Box


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


class Boxes:
    """Boxes, found by where they are."""

    def __init__(self) -> None:
        self._all: list[Box] = []
        self._near: dict[tuple[int, int], list[Box]] = {}

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Box]:
        return iter(self._all)

    def __contains__(self, box: object) -> bool:
        return box in self._all

    def add(self, *boxes: Box) -> None:
        """Add boxes."""
        for box in boxes:
            self._all.append(box)
            for cell in _cells(box):
                self._near.setdefault(cell, []).append(box)

    def remove(self, box: Box) -> None:
        """Take away the last of several that are equal."""
        del self._all[len(self._all) - 1 - self._all[::-1].index(box)]
        for cell in _cells(box):
            self._near[cell].remove(box)

    def keep(self, count: int) -> None:
        """Take away all but the first so many."""
        for box in self._all[count:]:
            self.remove(box)

    def meet(self, box: Box) -> bool:
        """Whether any of them has a pixel in common with a box."""
        return any(meet(box, one) for cell in _cells(box) for one in self._near.get(cell, ()))


_BUCKET = 96


def _cells(box: Box) -> list[tuple[int, int]]:
    columns = range(box.left // _BUCKET, box.right // _BUCKET + 1)
    return [(column, row) for column in columns for row in range(box.top // _BUCKET, box.bottom // _BUCKET + 1)]


class CropRoom:
    """What is ``taken`` within some bounds, and what is ``soft``: it may be covered, but had better not be."""

    def __init__(self, bounds: Box) -> None:
        self.bounds = bounds
        self.taken, self.soft = Boxes(), Boxes()

    def within(self, bounds: Box) -> "CropRoom":
        """The same room within other bounds; what is taken in one is taken in both."""
        other = CropRoom(bounds)
        other.taken, other.soft = self.taken, self.soft
        return other

    def is_free(self, box: Box, gap: int = 0, *, strict: bool = False) -> bool:
        """Whether a box lies within the bounds, and meets nothing that is taken with a ``gap`` around it; if
        ``strict``, nor anything soft."""
        if not within(box, self.bounds) or self.taken.meet(grown(box, gap)):
            return False
        return not (strict and self.soft.meet(box))

    def are_free(self, boxes: Iterable[Box], gap: int = 0) -> bool:
        """Whether all boxes are free."""
        return all(self.is_free(box, gap) for box in boxes)

    def take(self, *boxes: Box) -> None:
        """Note that something stands there."""
        self.taken.add(*boxes)


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
