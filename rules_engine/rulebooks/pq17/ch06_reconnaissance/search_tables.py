"""Tables 6a, 6b and their supplement as data, and how they are read.

The tables are written as they are printed, one line for each row and a column for each local condition from 1 (good) to
4 (terrible); a dash is an empty range. ``100`` is printed as ``00`` on some dice.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.tables.operations import Speed

Searcher = Literal["FORCE", "SCOUT"]
Band = Literal["U", "0", "1", "2", "3", "S", "FAIL"]
Span = tuple[int, int] | None
"""The dice results of one cell, both ends included; None is a dash."""

WORST_CONDITION = 4
CONDITION_NAMES = {1: "Good", 2: "Moderate", 3: "Poor", 4: "Terrible"}

_TABLE_6A = """
FORCE  U     01-38  01-25  01-20  01-15
FORCE  0     39-43  26-30  21-25  16-20
FORCE  1     44-45  31-35  26-30  21-25
FORCE  2     46-50  36-40  31-35  26-30
FORCE  3     51-60  41-50  36-43  31-38
FORCE  S     61-80  51-65  44-56  39-51
FORCE  FAIL  81-100 66-100 57-100 52-100
SCOUT  U     01-65  01-43  01-35  01-30
SCOUT  0     66-73  44-50  36-43  31-35
SCOUT  1     74-75  51-53  44-45  36-38
SCOUT  2     -      54-58  46-50  39-43
SCOUT  3     76-83  59-65  51-58  44-50
SCOUT  S     84-96  66-86  59-68  51-60
SCOUT  FAIL  97-100 87-100 69-100 61-100
ID     +1    01-44  01-55  01-100 01-100
ID     +2    45-84  56-88  -      -
ID     +3    85-100 89-100 -      -
"""

_TABLE_6B = """
FORCE  U     01-33  01-20  01-15  01-10
FORCE  0     34-38  21-25  16-20  11-15
FORCE  1     39-43  26-30  21-25  16-20
FORCE  2     44-48  31-35  26-30  21-25
FORCE  3     49-58  36-45  31-38  26-33
FORCE  S     59-63  46-63  39-50  34-45
FORCE  FAIL  64-100 64-100 51-100 46-100
SCOUT  U     01-60  01-30  01-30  01-25
SCOUT  0     61-68  31-38  31-38  26-30
SCOUT  1     69-70  39-40  39-40  31-33
SCOUT  2     71-73  41-45  41-45  34-38
SCOUT  3     74-80  46-53  46-53  39-45
SCOUT  S     81-95  54-75  54-63  46-50
SCOUT  FAIL  96-100 76-100 64-100 51-100
ID     +0    01-03  01-03  -      -
ID     +1    04-40  04-63  01-100 01-100
ID     +2    41-83  64-90  -      -
ID     +3    84-100 91-100 -      -
"""


class SearchTable(Frozen):
    """One side's Table 6: its name, and the cells by section, row and column."""

    name: str
    cells: Mapping[str, Mapping[str, Sequence[Span]]]

    @rule("6.3.4", "T6a", "T6b", "6.3.4.1", "6.3.4.2")
    def band(self, searcher: Searcher, column: int, roll: int) -> str:
        """The row that ``roll`` (1-100) falls in for that kind of searcher. PQ-17 6.3.4, T6a, T6b."""
        return self._row(searcher, column, roll)

    @rule("6.3.4.11")
    def increase(self, column: int, total: int) -> int:
        """Levels gained for an ID roll of ``total``; more than 100 (probes) reads as 100. PQ-17 6.3.4.11, REC-18."""
        return int(self._row("ID", column, min(100, total)))

    def _row(self, section: str, column: int, roll: int) -> str:
        for row, spans in self.cells[section].items():
            span = spans[column - 1]
            if span is not None and span[0] <= roll <= span[1]:
                return row
        raise ValueError(f"table {self.name}, {section}, column {column} has no row for {roll}")


def _read(name: str, printed: str) -> SearchTable:
    cells: dict[str, dict[str, tuple[Span, ...]]] = {}
    for line in printed.strip().splitlines():
        section, row, *spans = line.split()
        cells.setdefault(section, {})[row] = tuple(_span(text) for text in spans)
    return SearchTable(name=name, cells=cells)


def _span(text: str) -> Span:
    if text == "-":
        return None
    low, high = text.split("-")
    return int(low), int(high)


TABLE_6A = _read("6a", _TABLE_6A)
TABLE_6B = _read("6b", _TABLE_6B)

TABLES = {"6a": TABLE_6A, "6b": TABLE_6B}

FLAG_FAILS_UP_TO = 15
CLOAK_FAILS_UP_TO = 20
"""A flag roll of 01-15 and a cloak roll of 01-20 fail the search, the same in all columns (6.3.4.9-.10, REC-25)."""


class SearchColumn(Frozen):
    """The column a search is read in, the flag rolls for shifts beyond column 4, and how these were derived."""

    column: int
    flags: int
    parts: tuple[tuple[str, int], ...]

    def text(self) -> str:
        """The arithmetic, e.g. ``local conditions 2 + maximum speed 1 = column 3``."""
        summed = " + ".join(f"{name} {value}" for name, value in self.parts if value)
        beyond = f", {self.flags} beyond: as many flag rolls" if self.flags else ""
        return f"{summed} = column {self.column}{beyond}"


@rule("T6.supplement", "6.3.4.3", "6.3.4.4", "6.3.4.5", "6.3.4.6")
def column_for(
    condition: int, *, max_speed: Speed, searcher_passive: bool, target_passive: bool, target_warp_off: bool
) -> SearchColumn:
    """The column after all shifts to the right; each shift beyond column 4 becomes a flag roll.

    PQ-17 6.3.4.3-.6, T6.supplement; rulings PST-4, REC-6."""
    parts = (
        ("local conditions", condition),
        (f"searcher's maximum speed {max_speed.rate}:", max_speed.shortfall),
        ("target passive", int(target_passive)),
        ("target warp off", int(target_warp_off)),
        ("searcher passive", int(searcher_passive)),
    )
    raw = sum(value for _, value in parts)
    return SearchColumn(column=min(WORST_CONDITION, raw), flags=max(0, raw - WORST_CONDITION), parts=parts)


@rule("6.3.4.8")
def band_succeeds(band: str, level: int, *, s_counts: bool, cumulative: bool = False) -> bool:
    """Whether that row is a success against a target at ``level`` (U is -1).

    U always succeeds, a number succeeds against a target at that level or better, S where it counts; each row is tested
    alone, unless the players agreed to read S as "everything up to S". PQ-17 6.3.4.8; rulings REC-10, REC-11.
    """
    if s_counts and cumulative:
        return band != "FAIL"
    match band:
        case "U":
            return True
        case "S":
            return s_counts
        case "FAIL":
            return False
        case _:
            return level >= int(band)


@rule("6.3.4.8", "6.3.4.11", "6.3.4.13")
def raised(level: int, increase: int, cap: int = 3) -> int:
    """The level after a success: the start value plus the increase, at least ID0, at most ``cap``, never lower.

    From U the first step leads to ID0. PQ-17 6.3.4.8, 6.3.4.11, 6.3.4.13; rulings REC-17, REC-20, BAS-7.
    """
    return max(level, min(cap, max(0, level + increase)))
