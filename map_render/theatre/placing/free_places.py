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
        self._across, self._deep, self._end = across + 1, (deep, deeper), len(deeper)
        self._spread: tuple[dict[int, tuple[int, int]], ...] = ({}, {})
        self._lefts = [(cost, left, *self._begins(left, self._over_across)) for cost, left in lefts]
        self._tried = [0, 0]
        for _, _, column, late in self._lefts:
            self._tried[late] |= 1 << column
        beside = [(cost, top, self._taken(*self._begins(top, self._over_down))) for cost, top in tops]
        self._tops = tuple([(cost, top, both[wide]) for cost, top, both in beside] for wide in (False, True))
        self._full = tuple(_common(bits for _, _, bits in some) for some in self._tops)

    def in_row(self, top: int) -> list[tuple[float, int]]:
        """What each free place costs whose top is there, and its left."""
        both = self._taken(*self._begins(top, self._over_down))
        if not any(tried & ~bits for tried, bits in zip(self._tried, both, strict=True)):
            return []
        return [(cost, left) for cost, left, column, late in self._lefts if not both[late] >> column & 1]

    def in_column(self, left: int) -> list[tuple[float, int]]:
        """What each free place costs whose left is there, and its top."""
        column, wide = self._begins(left, self._over_across)
        if self._full[wide] >> column & 1:
            return []
        return [(cost, top) for cost, top, bits in self._tops[wide] if not bits >> column & 1]

    def _taken(self, row: int, late: bool) -> tuple[int, int]:
        """At which cells of a row a box that begins there touches what is taken, and at which if it begins late."""
        found = self._spread[late].get(row)
        if found is None:
            bits = self._deep[late][row] if row < self._end else 0
            found = self._spread[late][row] = _spread_across(bits, self._across)
        return found

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


def _spread_across(row: int, count: int) -> tuple[int, int]:
    """What is taken in each cell and in those to its right, so many together and one more."""
    bits, reach = row, 1
    while 2 * reach <= count:
        bits |= bits >> reach
        reach *= 2
    return bits | bits >> (count - reach), bits | bits >> (count - reach) | row >> count


def _common(rows: Iterable[int]) -> int:
    """What is taken in all of these rows."""
    common = -1
    for row in rows:
        common &= row
    return common


def _both(rows: list[int], others: list[int]) -> list[int]:
    """What is taken in either, row by row as far as both have rows."""
    return [row | other for row, other in zip(rows, others, strict=False)]
