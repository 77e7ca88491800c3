"""The campaign's tables of special conditions (D100) and random events (two dice of 0 to 9), as data.

A row is read as printed; where two rows contain a number, the first from the top counts (PQ-17 ruling SPC-2).
"""

from typing import Literal, NamedTuple

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule

ConditionName = Literal[
    "none",
    "mobile reserves",
    "sector reserves",
    "gale force",
    "reinforcements",
    "gearbox",
    "clean sweep",
    "agent cobweb",
    "reforger",
    "coalition convoy",
    "large convoy",
    "wunderland",
    "breakout",
    "sizilien",
    "minelaying",
    "port strike",
    "no restrictions",
    "flotilla 5",
]

EventName = Literal[
    "none",
    "residual minefield",
    "elusive target",
    "straggler",
    "hf-df",
    "high command caution",
    "port reconnaissance",
    "fis-ultra",
    "kis-b",
    "whiskers",
]


_ALLIANCE: Side = "alliance"
"""The heading of the tables' first column, which is also that side's key."""


class Cell(NamedTuple):
    """One side's result in a row. The star belongs to the cell, not to the condition. PQ-17 ruling SPC-5."""

    name: ConditionName
    star: bool = False


class ConditionRow(NamedTuple):
    """A printed row: its numbers, and what each side gets."""

    least: int
    most: int
    alliance: Cell
    coalition: Cell


CONDITION_ROWS: tuple[ConditionRow, ...] = (
    ConditionRow(1, 7, Cell("mobile reserves", star=True), Cell("reforger", star=True)),
    ConditionRow(8, 14, Cell("sector reserves"), Cell("coalition convoy")),
    ConditionRow(15, 21, Cell("gale force", star=True), Cell("coalition convoy")),
    ConditionRow(22, 28, Cell("reinforcements"), Cell("reinforcements")),
    ConditionRow(29, 35, Cell("gearbox", star=True), Cell("wunderland", star=True)),
    ConditionRow(36, 42, Cell("gearbox", star=True), Cell("breakout", star=True)),
    ConditionRow(43, 49, Cell("gearbox"), Cell("coalition convoy", star=True)),
    ConditionRow(50, 56, Cell("clean sweep", star=True), Cell("sizilien", star=True)),
    ConditionRow(57, 63, Cell("agent cobweb"), Cell("minelaying", star=True)),
    ConditionRow(53, 64, Cell("none", star=True), Cell("port strike")),
    ConditionRow(65, 68, Cell("none"), Cell("no restrictions", star=True)),
    ConditionRow(69, 92, Cell("none", star=True), Cell("large convoy")),
    ConditionRow(93, 100, Cell("none"), Cell("flotilla 5", star=True)),
)
"""PQ-17 C.special.table. The tenth row is printed as 53 to 64; only 64 is left to it (ruling SPC-2)."""


@rule("C.special.table")
def condition_for(side: Side, rolled: int) -> Cell:
    """What a D100 gives a side: the first row from the top that contains it. PQ-17 C.special.table, ruling SPC-2.

    Raises:
        StopIteration: never for 1 to 100, as a test checks.
    """
    row = next(row for row in CONDITION_ROWS if row.least <= rolled <= row.most)
    return row.alliance if side == _ALLIANCE else row.coalition


TIMES: dict[ConditionName, int | None] = {
    "none": None,
    "mobile reserves": 1,
    "sector reserves": 1,
    "gale force": None,
    "reinforcements": None,
    "gearbox": 1,
    "clean sweep": 1,
    "agent cobweb": None,
    "reforger": 1,
    "coalition convoy": None,
    "large convoy": None,
    "wunderland": 1,
    "breakout": 1,
    "sizilien": 1,
    "minelaying": None,
    "port strike": 2,
    "no restrictions": None,
    "flotilla 5": 1,
}
"""How often a condition can be rolled before it counts as None; None: no limit is stated. PQ-17 C.special.*, SPC-3,
SPC-20. (GALE FORCE may come up again for its reconnaissance, though its attack is made once.)"""

PLOTTED: dict[ConditionName, int] = {
    "gale force": 1,
    "clean sweep": 1,
    "reforger": 1,
    "breakout": 1,
    "sizilien": 1,
    "port strike": 2,
}
"""Conditions carried out in a period of their owner's choice, plotted in its Preparatory Step, and how often at most.
PQ-17 C.special.*, rulings SPC-9, SPC-20."""

TITLES: dict[ConditionName, str] = {
    "none": "None",
    "mobile reserves": "Sector Mobile Reserve",
    "sector reserves": "Sector Reserve",
    "gale force": "Operation GALE FORCE",
    "reinforcements": "Reinforcements",
    "gearbox": "Operation GEARBOX",
    "clean sweep": "Operation CLEAN SWEEP",
    "agent cobweb": "Agent Cobweb",
    "reforger": "Operation REFORGER",
    "coalition convoy": "Coalition Convoy",
    "large convoy": "Coalition Convoy (large)",
    "wunderland": "Operation WUNDERLAND",
    "breakout": "Coalition Breakout",
    "sizilien": "Operation SIZILIEN",
    "minelaying": "Minelaying",
    "port strike": "Port Strike",
    "no restrictions": "No Restrictions",
    "flotilla 5": "Flotilla 5",
}

RULES: dict[ConditionName, str] = {
    "none": "C.special.table",
    "mobile reserves": "C.special.sector-mobile-reserves",
    "sector reserves": "C.special.sector-reserves",
    "gale force": "C.special.gale-force",
    "reinforcements": "C.special.reinforcements",
    "gearbox": "C.special.gearbox",
    "clean sweep": "C.special.clean-sweep",
    "agent cobweb": "C.special.agent-cobweb",
    "reforger": "C.special.reforger",
    "coalition convoy": "C.special.coalition-convoy",
    "large convoy": "C.special.coalition-convoy-large",
    "wunderland": "C.special.wunderland",
    "breakout": "C.special.breakout",
    "sizilien": "C.special.sizilien",
    "minelaying": "C.special.minelaying",
    "port strike": "C.special.port-strike",
    "no restrictions": "C.special.no-restrictions",
    "flotilla 5": "C.special.flotilla-5",
}

# --- random events ----------------------------------------------------------------------------------------------------


class EventRow(NamedTuple):
    """A printed row: the sums it is for, and what each side gets."""

    sums: tuple[int, ...]
    alliance: EventName
    coalition: EventName


EVENT_ROWS: tuple[EventRow, ...] = (
    EventRow((0, 18), "residual minefield", "residual minefield"),
    EventRow((1, 17), "elusive target", "straggler"),
    EventRow((2, 16), "hf-df", "high command caution"),
    EventRow((3, 4, 14, 15), "port reconnaissance", "port reconnaissance"),
    EventRow((5, 13), "fis-ultra", "port reconnaissance"),
    EventRow((6,), "whiskers", "kis-b"),
    EventRow((7, 8, 9, 10, 11), "none", "none"),
    EventRow((12,), "fis-ultra", "kis-b"),
)
"""PQ-17 C.random.table, rulings RND-1 to RND-9."""

EVENT_TITLES: dict[EventName, str] = {
    "none": "None",
    "residual minefield": "Unexpected Residual Minefield",
    "elusive target": "Elusive Target",
    "straggler": "Straggler",
    "hf-df": "HF/DF",
    "high command caution": "High Command Caution",
    "port reconnaissance": "Port Reconnaissance",
    "fis-ultra": "FIS-ULTRA Collection",
    "kis-b": "KIS-B Collection",
    "whiskers": "WHISKERS Collection",
}


@rule("C.random.table", "1.5.2")
def event_for(side: Side, total: int) -> EventName:
    """What the sum of two dice of 0 to 9 gives a side. PQ-17 C.random.table, 1.5.2, ruling GEN-5.

    Raises:
        StopIteration: never for 0 to 18, as a test checks.
    """
    row = next(row for row in EVENT_ROWS if total in row.sums)
    return row.alliance if side == _ALLIANCE else row.coalition
