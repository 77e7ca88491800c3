"""Where a large box is free: for all places at once, so that what is taken is not looked at place by place."""

from collections.abc import Iterable

from map_render.theatre.placing.room import Bits

Slides = Iterable[tuple[float, int]]
"""What each place along a line costs, and where the box begins there, in pixels."""


class FreePlaces:
    """The places where a box of one extent touches no taken cell. It slides along rows, from one of ``lefts`` to the
    next, and along columns, from one of ``tops`` to the next."""

    def __init__(self, bits: Bits, extent: tuple[int, int], lefts: Slides, tops: Slides) -> None:
        self._cell = cell = bits.cell
        (across, self._over_across), (down, self._over_down) = (divmod(length, cell) for length in extent)
        # A box touches so many cells and one more, and still one more where it begins late in its first cell.
        rows = bits.rows(beyond=down + 2)
        deep = _spread_down(rows, down + 1)
        deeper = _both(deep, rows[down + 1 :])
        self._rows = tuple(_spread_across(some, across + 1) for some in (deep[: len(deeper)], deeper))
        self._lefts = [(cost, left, *self._begins(left, self._over_across)) for cost, left in lefts]
        self._tops = [(cost, top, *self._begins(top, self._over_down)) for cost, top in tops]
        self._tried = [0, 0]
        for _, _, column, late in self._lefts:
            self._tried[late] |= 1 << column

    def in_row(self, top: int) -> list[tuple[float, int]]:
        """What each free place costs whose top is there, and its left."""
        row, late = self._begins(top, self._over_down)
        taken = self._rows[late]
        if row >= len(taken[0]):
            return [slide[:2] for slide in self._lefts]
        both = taken[0][row], taken[1][row]
        if not any(tried & ~bits for tried, bits in zip(self._tried, both, strict=True)):
            return []
        return [(cost, left) for cost, left, column, late in self._lefts if not both[late] >> column & 1]

    def in_column(self, left: int) -> list[tuple[float, int]]:
        """What each free place costs whose left is there, and its top."""
        column, late = self._begins(left, self._over_across)
        rows, bit = (self._rows[0][late], self._rows[1][late]), 1 << column
        end = len(rows[0])
        return [(cost, top) for cost, top, row, late in self._tops if row >= end or not rows[late][row] & bit]

    def _begins(self, at: int, over: int) -> tuple[int, bool]:
        """The cell in which a box begins, and whether it begins so late in it that it touches one more."""
        first, within = divmod(at, self._cell)
        return first, within + over >= self._cell


def _spread_down(rows: list[int], count: int) -> list[int]:
    """What is taken in each row and in those below it, so many together."""
    reach = 1
    while 2 * reach <= count:
        rows = _both(rows, rows[reach:])
        reach *= 2
    return _both(rows, rows[count - reach :])


def _spread_across(rows: list[int], count: int) -> tuple[list[int], list[int]]:
    """What is taken in each cell and in those to its right, so many together and one more."""
    fewer: list[int] = []
    more: list[int] = []
    for row in rows:
        bits, reach = row, 1
        while 2 * reach <= count:
            bits |= bits >> reach
            reach *= 2
        bits |= bits >> (count - reach)
        fewer.append(bits)
        more.append(bits | row >> count)
    return fewer, more


def _both(rows: list[int], others: list[int]) -> list[int]:
    """What is taken in either, row by row as far as both have rows."""
    return [row | other for row, other in zip(rows, others, strict=False)]
