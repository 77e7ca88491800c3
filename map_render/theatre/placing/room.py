"""Room: what is taken on a theatre, so that nothing is laid over it."""

from collections.abc import Iterable
from math import hypot
from typing import NamedTuple

COUNTER, NAME, LINE, PLACE, CALLOUT = 1, 2, 4, 8, 16
"""The kinds of things that take room, as bits."""
EVERYTHING = COUNTER | NAME | LINE | PLACE | CALLOUT
_CELL = 160


class Rect(NamedTuple):
    """A box in pixels."""

    left: int
    top: int
    right: int
    bottom: int

    def meets(self, other: "Rect") -> bool:
        """Whether the two have any pixel in common."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def moved(self, x: int, y: int) -> "Rect":
        """The box so much farther right and down."""
        return Rect(self.left + x, self.top + y, self.right + x, self.bottom + y)

    def grown(self, by: int) -> "Rect":
        """The box with so much more on every side."""
        return Rect(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def within(self, outer: "Rect | tuple[int, int, int, int]") -> bool:
        """Whether all of it lies inside another box."""
        return self.left >= outer[0] and self.top >= outer[1] and self.right <= outer[2] and self.bottom <= outer[3]

    @property
    def middle(self) -> tuple[int, int]:
        """Its middle."""
        return (self.left + self.right) // 2, (self.top + self.bottom) // 2


class TakenRect(NamedTuple):
    """Something that takes room: where, of what kind, and whose (a counter's id, a hex; "" for nobody's)."""

    box: Rect
    kind: int
    of: str


class Bits:
    """What is taken, in cells of a few pixels: tells how much of a box is not free, and has rows of cells for larger
    questions."""

    def __init__(self, cell: int) -> None:
        self.cell = cell
        self._rows: dict[int, int] = {}

    def take(self, box: Rect) -> None:
        """Note that a box is taken."""
        bits, rows = self._bits(box), self._rows
        for row in self._span(box):
            rows[row] = rows.get(row, 0) | bits

    def rows(self, beyond: int) -> list[int]:
        """The taken cells of each row as bits, from the top on, and so many empty rows after the last."""
        return [self._rows.get(row, 0) for row in range(max(self._rows, default=0) + 1 + beyond)]

    def count(self, box: Rect, but: "Bits | None" = None) -> int:
        """How many cells that a box touches are taken, but for those that are in ``but``."""
        bits, rows = self._bits(box), self._rows
        if but is None:
            return sum([(rows[row] & bits).bit_count() for row in self._span(box) if row in rows])
        return sum((rows.get(row, 0) & bits & ~but._rows.get(row, 0)).bit_count() for row in self._span(box))

    def _bits(self, box: Rect) -> int:
        left, right = max(0, box.left // self.cell), max(0, box.right // self.cell)
        return ((1 << (right - left + 1)) - 1) << left

    def _span(self, box: Rect) -> range:
        return range(max(0, box.top // self.cell), max(0, box.bottom // self.cell) + 1)


class Room:
    """What is taken, found by where it is."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[TakenRect]] = {}
        self._line_cells: dict[tuple[int, int], list[TakenRect]] = {}
        self.all: list[TakenRect] = []
        self._crossed: tuple[TakenRect, ...] = ()

    def copied(self) -> "Room":
        """A room in which the same is taken."""
        other = Room()
        other._cells = {cell: [*taken] for cell, taken in self._cells.items()}
        other._line_cells = {cell: [*taken] for cell, taken in self._line_cells.items()}
        other.all = [*self.all]
        return other

    def take(self, box: Rect, kind: int, of: str = "") -> None:
        """Note that something stands there."""
        taken = TakenRect(box, kind, of)
        self.all.append(taken)
        cells = self._line_cells if kind == LINE else self._cells
        for cell in _cells(box):
            cells.setdefault(cell, []).append(taken)

    def take_line(
        self, start: tuple[float, float], end: tuple[float, float], half: int, of: str = "", kind: int = LINE
    ) -> None:
        """Note that a line runs there, ``half`` half its thickness: a row of boxes along it."""
        far = hypot(end[0] - start[0], end[1] - start[1])
        count = max(1, round(far / max(8, 2.6 * half)))
        for n in range(count + 1):
            x = round(start[0] + (end[0] - start[0]) * n / count)
            y = round(start[1] + (end[1] - start[1]) * n / count)
            self.take(Rect(x - half, y - half, x + half, y + half), kind, of)

    def at(self, box: Rect, kinds: int = EVERYTHING) -> list[TakenRect]:
        """What of these kinds a box would lie on; what lies in several cells may come several times."""
        left, top, right, bottom = box
        both = (self._cells, self._line_cells) if kinds & LINE else (self._cells,)
        found: list[TakenRect] = []
        for cell in _cells(box):
            for cells in both:
                for taken in cells.get(cell, ()):
                    (low, high, far, deep), kind, _ = taken
                    if kind & kinds and low < right and left < far and high < bottom and top < deep:
                        found.append(taken)
        return found

    def is_free(self, box: Rect, kinds: int = EVERYTHING, *, but: frozenset[str] = frozenset()) -> bool:
        """Whether nothing of these kinds is there, but for what belongs to ``but``."""
        left, top, right, bottom = box
        both = (self._cells, self._line_cells) if kinds & LINE else (self._cells,)
        for cell in _cells(box):
            for cells in both:
                for (low, high, far, deep), kind, of in cells.get(cell, ()):
                    if kind & kinds and low < right and left < far and high < bottom and top < deep and of not in but:
                        return False
        return True

    def is_clear(
        self, start: tuple[float, float], end: tuple[float, float], half: int, kinds: int, *, but: frozenset[str]
    ) -> bool:
        """Whether a line crosses nothing of these kinds, but for what belongs to ``but``."""
        (x, y), (to_x, to_y) = start, end
        dx, dy = to_x - x, to_y - y
        left, right = round(min(x, to_x)) - half, round(max(x, to_x)) + half
        top, bottom = round(min(y, to_y)) - half, round(max(y, to_y)) + half
        across, down = abs(dx), abs(dy)

        def first(some: Iterable[TakenRect]) -> TakenRect | None:
            for taken in some:
                (low, high, far, deep), kind, of = taken
                if kind & kinds and low < right and left < far and high < bottom and top < deep and of not in but:
                    # It is near enough both ways; but all of it may lie on one side of the line.
                    aside = abs(dx * (high + deep - 2 * y) - dy * (low + far - 2 * x))
                    if aside <= across * (deep - high + 2 * half) + down * (far - low + 2 * half):
                        return taken
            return None

        # Lines are tried beside each other, and what one has crossed the next often does.
        if first(self._crossed):
            return False
        both = (self._cells, self._line_cells) if kinds & LINE else (self._cells,)
        for cell in _cells(Rect(left, top, right, bottom)):
            for cells in both:
                found = first(cells.get(cell, ()))
                if found:
                    self._crossed = (found, *self._crossed[:2])
                    return False
        return True


def _cells(box: Rect) -> list[tuple[int, int]]:
    left, top, right, bottom = box.left // _CELL, box.top // _CELL, box.right // _CELL, box.bottom // _CELL
    if left == right and top == bottom:
        return [(left, top)]
    return [(column, row) for column in range(left, right + 1) for row in range(top, bottom + 1)]


def crosses(start: tuple[float, float], end: tuple[float, float], box: Rect) -> bool:
    """Whether a straight line meets a box."""
    return span_in(start, end, box) is not None


def span_in(start: tuple[float, float], end: tuple[float, float], box: Rect) -> tuple[float, float] | None:
    """The part of a straight line that lies in a box, in shares of its length; None if none does."""
    first, last = 0.0, 1.0
    for at, to, low, high in ((start[0], end[0], box.left, box.right), (start[1], end[1], box.top, box.bottom)):
        step = to - at
        if step == 0:
            if not low <= at <= high:
                return None
            continue
        one, other = sorted(((low - at) / step, (high - at) / step))
        first, last = max(first, one), min(last, other)
    return (first, last) if first <= last else None
