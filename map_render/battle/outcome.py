"""What became of a battle's units, as one account has it: a strip for a card, legible 307 pixels wide.

Two columns of rows with a chip and a few words; a chip of what is no more is struck out. Of more units than find room
those of which the same is said share a row.
"""

from collections.abc import Sequence
from typing import NamedTuple

from map_render.battle.page import TALLEST, Page
from map_render.battle.signs import Look, chip, chip_width, looks_among
from map_render.drawing import text
from map_render.drawing.image import ALT_LIMIT, MapImage
from map_render.drawing.palette import CALLOUT
from map_render.drawing.theme import DEFAULT, Theme
from map_render.glance_words import words_of
from map_render.sections import Section, fitted
from rules_engine.core.basics.base import Side
from rules_engine.core.knowledge.battle_outcome import BattleOutcome, UnitOutcome

STRIP = 600
"""How wide the strip is; a card on a phone shows it about half as wide."""
MOST_SINGLE = 5
"""Units of a force that have a row each; of more, those share one of which the same is said."""
MOST_GROUPS = 6

_EDGE, _GAP = 12, 12
_COLUMN = (STRIP - 2 * _EDGE - _GAP) // 2
_HEAD, _ROW, _PITCH, _CHIP = 56, 74, 82, 44
_NAME, _SMALLEST_NAME, _SAID, _SMALLEST_SAID, _TWO_LINES, _CODES = 34, 24, 30, 24, 24, 24


class OutcomeRow(NamedTuple):
    """A row: the units that it stands for, and what is said of them."""

    units: tuple[UnitOutcome, ...]
    says: str


def render_outcome(outcome: BattleOutcome, *, theme: Theme = DEFAULT) -> MapImage:
    """The strip: what became of each side's units."""
    page = Page(STRIP)
    looks = looks_among(outcome.parties, outcome.forces)
    ends = [_EDGE // 2, _EDGE // 2]
    for number, force in enumerate(outcome.forces):
        column = number if number < 2 else ends.index(min(ends))  # more forces stand below the first two
        ends[column] = _force(page, outcome, force, looks, (_EDGE + column * (_COLUMN + _GAP), ends[column]))
    high = min(TALLEST, max(ends) + _EDGE - (_PITCH - _ROW))
    return page.image(high, theme, outcome_alt(outcome), "account.png")


def outcome_rows(units: Sequence[UnitOutcome]) -> list[OutcomeRow]:
    """The rows of a force: one for each unit, or of many one for all of which the same is said, in the order in which
    it is said first. What is beyond the last row is counted in it."""
    if len(units) <= MOST_SINGLE:
        return [OutcomeRow((unit,), unit.says) for unit in units]
    groups: dict[str, list[UnitOutcome]] = {}
    for unit in units:
        groups.setdefault(unit.says, []).append(unit)
    rows = [OutcomeRow(tuple(alike), f"{len(alike)} {said}") for said, alike in groups.items()]
    if len(rows) <= MOST_GROUPS:
        return rows
    rest = tuple(unit for row in rows[MOST_GROUPS - 1 :] for unit in row.units)
    return [*rows[: MOST_GROUPS - 1], OutcomeRow(rest, f"{len(rest)} more")]


def outcome_alt(outcome: BattleOutcome) -> str:
    """The strip in words, at most 1,024 characters: what became of each unit."""
    sections = [
        Section(
            words_of(outcome.names_of(force), 80),
            tuple(f"{words_of(unit.code, 20)} {words_of(unit.says, 60)}" for unit in outcome.units_of(force))
            or ("no units",),
        )
        for force in outcome.forces
    ]
    return fitted("What became of the units.", sections, ALT_LIMIT)


def _force(
    page: Page, outcome: BattleOutcome, force: tuple[Side, ...], looks: dict[Side, Look], at: tuple[int, int]
) -> int:
    """A force's names and rows, from ``at`` downwards. Returns where they end."""
    x, y = at
    name = text.plain(outcome.names_of(force), force[0])
    size = text.shrunk(name, _NAME, _SMALLEST_NAME, _COLUMN - 8)
    name = text.elide(name, size, _COLUMN - 8, heavy=True)
    page.words(name, x + 4, y + _HEAD // 2, size, looks[force[0]].ink, heavy=True)
    y += _HEAD
    for row in outcome_rows(outcome.units_of(force)):
        page.ground((x, y, x + _COLUMN, y + _ROW), CALLOUT, 12)
        if len(row.units) == 1:
            _single(page, row.units[0], looks, (x, y))
        else:
            _several(page, row, looks[row.units[0].side], (x, y))
        y += _PITCH
    return y


def _single(page: Page, unit: UnitOutcome, looks: dict[Side, Look], at: tuple[int, int]) -> None:
    """One unit: its chip, and what became of it in one line or two."""
    (x, y), look = at, looks[unit.side]
    code = text.plain(unit.code)[:6]
    middle, wide = y + _ROW / 2, chip_width(code, _CHIP)
    chip(page, code, look, (x + 8, middle), _CHIP)
    if unit.ending == "lost":
        _strike(page, (x + 4, middle), wide + 8)
        box = (x, y, x + _COLUMN, y + _ROW)
        page.lay(box, lambda brush: brush.frame(box, 12, 3), "text", 10)
    start = x + 8 + wide + 10
    room, said = x + _COLUMN - 8 - start, text.plain(unit.says)
    ink = "quiet" if unit.ending == "left" else "text"
    size = text.shrunk(said, _SAID, _SMALLEST_SAID, room)
    if text.width(said, size, heavy=True) <= room:
        page.words(said, start, middle, size, ink, heavy=True)
        return
    lines = text.wrap(said, _TWO_LINES, room, heavy=True)
    lines = lines if len(lines) <= 2 else [lines[0], " ".join(lines[1:])]
    for number, line in enumerate(lines):
        words = text.elide(line, _TWO_LINES, room, heavy=True)
        page.words(words, start, middle + (number - (len(lines) - 1) / 2) * 32, _TWO_LINES, ink, heavy=True)


def _strike(page: Page, at: tuple[float, float], wide: int) -> None:
    """A line through a chip, thin enough for its code to be read."""
    (x, y), thick = at, 4
    rim, line = ((x, y - half, x + wide, y + half) for half in (thick / 2 + 1, thick / 2))
    page.clear(rim, lambda brush: brush.box(rim), CALLOUT)
    page.lay(line, lambda brush: brush.box(line), "text")


def _several(page: Page, row: OutcomeRow, look: Look, at: tuple[int, int]) -> None:
    """Units of which the same is said: how many in the first line, their codes below."""
    (x, y), room = at, _COLUMN - 24
    said = text.plain(row.says)
    size = text.shrunk(said, _SAID, _SMALLEST_SAID, room)
    page.words(text.elide(said, size, room, heavy=True), x + 12, y + 24, size, "text", heavy=True)
    codes = " ".join(text.plain(unit.code)[:6] for unit in row.units)
    page.words(text.elide(codes, _CODES, room, heavy=True), x + 12, y + 54, _CODES, look.ink, heavy=True)
