"""Rows for units: one each, and where they are many one for several that are alike and follow each other."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from map_render.drawing import text
from rules_engine.core.basics.base import Side
from rules_engine.core.knowledge.battle_scene import BattleFigure, BattleUnit

SINGLE = 7
"""Up to so many units of a force have a row each."""

MOST_ROWS = 18
"""The most rows of a force; what comes behind them is counted in the last."""


class UnitRow(NamedTuple):
    """A row: codes of units and what they have in common, in letters that can be drawn."""

    code: str
    side: Side
    name: str
    aside: str
    under: str
    left: int | None
    whole: int | None
    cells: tuple[BattleFigure, ...]


def rows_of(units: Sequence[BattleUnit], single: int = SINGLE, most: int = MOST_ROWS) -> list[UnitRow]:
    """The rows of a force's units, in their order."""
    rows = [_row([unit]) for unit in units]
    if len(units) > single:
        rows = [_row([unit for _, unit in group]) for _, group in groupby(enumerate(units), key=_run)]
    if len(rows) <= most:
        return rows
    rest = len(rows) - most + 1
    last = rows[most - 1]._replace(code="", name=f"and {rest} more rows", aside="", under="", left=None, whole=None)
    return [*rows[: most - 1], last._replace(cells=())]


def _run(placed: tuple[int, BattleUnit]) -> tuple[BattleUnit, str, int]:
    """A key that is equal for units at consecutive places that are alike and have consecutive codes."""
    at, unit = placed
    letters = unit.code.rstrip("0123456789")
    number = unit.code[len(letters) :]
    return unit.model_copy(update={"code": "", "under": ""}), letters, int(number[:9] or 0) - at


def _row(units: Sequence[BattleUnit]) -> UnitRow:
    first, last = units[0], units[-1]
    codes = [text.plain(unit.code)[:8] for unit in (first, last)]
    code = codes[0] if len(units) == 1 else f"{codes[0]}–{codes[1]}"
    return UnitRow(
        code,
        first.side,
        text.plain(first.kind)[:60],
        text.plain(first.aside)[:24],
        text.plain(first.under)[:60] if len(units) == 1 else "",
        first.left,
        first.whole,
        first.cells,
    )
