"""Costs of movement (V8.13) and the table of proportional movement (T8.93)."""

from fractions import Fraction

from rules_engine.core.basics.rules import rule

STRATEGIC_COST = Fraction(6)
"""The normal Strategic Movement Cost. V8.13"""
OUT_OF_SUPPLY = Fraction(6)
"""What is added to it out of supply. V8.13"""
EMERGENCY = Fraction(-5, 2)
"""What is added to it by Emergency Movement. V8.13"""

PHASES = (1, 2, 3, 4, 5, 6, 7, 8)
"""The movement phases of a strategic turn. T8.93"""
LARGEST_ALLOWANCE = 12
"""The table's last column; no allowance is larger. T8.93, BP-R02"""

_PRINTED = """
12:  1,2 3   4,5 6   7,8 9   10,11 12
11:  1   2   3,4 5   6,7 8   9,10  11
10:  1   2   3   4   5,6 7   8,9   10
9:   1   2   3   4   5   6   7,8   9
8:   1   2   3   4   5   6   7     8
7:   -   1   2   3   4   5   6     7
6:   -   1   2   -   3   4   5     6
5:   -   1   -   2   3   -   4     5
4:   -   -   1   -   2   -   3     4
3:   -   -   -   1   -   2   -     3
2:   -   -   -   1   -   -   -     2
1:   -   -   -   -   -   -   -     1
"""
"""An allowance's column as a line: which of its points are spent in each of the eight phases."""


def _columns(printed: str) -> dict[int, tuple[tuple[int, ...], ...]]:
    columns: dict[int, tuple[tuple[int, ...], ...]] = {}
    for line in printed.strip().splitlines():
        allowance, cells = line.split(":")
        points = tuple(() if cell == "-" else tuple(map(int, cell.split(","))) for cell in cells.split())
        columns[int(allowance)] = points
    return columns


COLUMNS = _columns(_PRINTED)
"""By allowance, the points of each of the eight phases, by their numbers. T8.93"""


@rule("T8.93", "V8.93")
def points_in(allowance: int, phase: int) -> tuple[int, ...]:
    """The numbers of the points that an allowance spends in a phase; none where it does not move. T8.93, V8.93

    Raises:
        ValueError: for a phase that no turn has, or an allowance that no column has.
    """
    if phase not in PHASES:
        raise ValueError(f"a turn has the movement phases 1 to {PHASES[-1]}, and no phase {phase}")
    if allowance == 0:
        return ()
    if allowance not in COLUMNS:
        raise ValueError(f"an allowance is 0 to {LARGEST_ALLOWANCE}, and not {allowance}")
    return COLUMNS[allowance][phase - 1]
