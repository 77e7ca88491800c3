"""Places that are taken on a map: what a text would cover, so that it can stand elsewhere."""

from collections.abc import Iterable
from typing import NamedTuple

from map_render.drawing.shapes import HORN, PLATE, CounterShape


class Box(NamedTuple):
    """A box in pixels, such as the letters of a line fill."""

    left: int
    top: int
    right: int
    bottom: int


class Body(NamedTuple):
    """The body of a counter: its middle and half height in pixels, and its shape."""

    x: int
    y: int
    r: int
    shape: CounterShape

    def meets(self, box: Box) -> bool:
        """Whether any of a box lies on the body."""
        across = max(box.left - self.x, self.x - box.right, 0)
        down = max(box.top - self.y, self.y - box.bottom, 0)
        if self.shape == "plate":
            return across < PLATE * self.r and down < 0.74 * self.r
        if self.shape == "horned":
            return max(across, down) < HORN * self.r
        if self.shape == "diamond":
            return across + down < self.r
        return across * across + down * down < (0.94 * self.r) ** 2


class Taken:
    """The bodies of all counters, and the texts written so far, found by where they are."""

    def __init__(self, bodies: Iterable[Body], cell: int) -> None:
        """``cell`` is about the size of a hex: no body is larger."""
        self._cell = 2 * cell
        self._bodies: dict[tuple[int, int], list[Body]] = {}
        self._texts: dict[tuple[int, int], list[Box]] = {}
        for body in bodies:
            self._bodies.setdefault((body.x // self._cell, body.y // self._cell), []).append(body)

    def are_free(self, boxes: list[Box], aside: int) -> bool:
        """Whether boxes cover no counter and no text when all are moved ``aside`` to the right."""
        return not any(self._is_taken(_moved(box, aside)) for box in boxes)

    def _is_taken(self, box: Box) -> bool:
        first, last = box.left // self._cell - 1, box.right // self._cell + 1
        for column in range(first, last + 1):
            for row in range(box.top // self._cell - 1, box.bottom // self._cell + 2):
                if any(body.meets(box) for body in self._bodies.get((column, row), ())):
                    return True
                if any(_meet(one, box) for one in self._texts.get((column, row), ())):
                    return True
        return False

    def add(self, box: Box, aside: int = 0) -> None:
        """Note that a text is written there."""
        moved = _moved(box, aside)
        middle = (moved.left + moved.right) // 2
        self._texts.setdefault((middle // self._cell, moved.top // self._cell), []).append(moved)


def _moved(box: Box, aside: int) -> Box:
    return Box(box.left + aside, box.top, box.right + aside, box.bottom)


def _meet(one: Box, other: Box) -> bool:
    across = one.left < other.right and other.left < one.right
    return across and one.top < other.bottom and other.top < one.bottom
