"""The second picture of a battle: a table of every figure, and what the table must know, with the rules that say so."""

from collections.abc import Sequence
from typing import NamedTuple

from map_render.battle.page import EDGE, NEWS, TALLEST, WIDTH, Page
from map_render.battle.rows import UnitRow, rows_of
from map_render.battle.signs import Look, chip, chip_width, first_look, looks_of
from map_render.battle.words import SECRET
from map_render.drawing import text
from map_render.drawing.palette import BAND, CALLOUT
from rules_engine.core.basics.base import Side
from rules_engine.core.knowledge.battle_scene import BattleNote, BattleScene
from rules_engine.core.knowledge.views import Panel

HEADER = 104
_TITLE, _SUB, _HEAD, _CELL, _NOTE, _RULE = 48, 28, 36, 30, 31, 24
_SMALLEST_CELL = 24
_ROW = 64
_LINE = 27
_CHIP = 42
_SINGLE = 12
_INDENT = 60
_LEAST_NAME = 110
_FOR_LATER = "for the table; the set-up picture is all you need to start"


def draw_details(scene: BattleScene, secret: Sequence[Panel] = ()) -> tuple[Page, int]:
    """The picture on its page, and its height. ``secret`` panels are marked as such."""
    page = Page()
    looks = looks_of(scene)
    page.ground((0, 0, WIDTH, HEADER), BAND)
    title = text.elide(text.plain(f"{scene.title}: details"), _TITLE, WIDTH - 2 * EDGE - 16, heavy=True)
    page.words(title, EDGE + 8, 37, _TITLE, heavy=True)
    page.words(_FOR_LATER, EDGE + 8, 80, _SUB, "quiet")
    y = HEADER + 16
    tables = [rows_of(scene.units_of(force), _SINGLE, 24) for force in scene.forces]
    plan = planned(scene.columns, [row for rows in tables for row in rows])
    for force, rows in zip(scene.forces, tables, strict=True):
        said = text.plain(f"{scene.names_of(force)}: {force.title or force.does}")
        y = heading_of(page, said, y, first_look(looks, force).ink)
        y = table(page, Columns(scene.columns, plan), rows, looks, y) + 8
    for notes in scene.notes:
        if notes.notes:
            y = heading_of(page, text.plain(notes.title), y, "text")
            for note in notes.notes:
                y = _note(page, note, y)
    for panel in secret:
        y = heading_of(page, text.plain(f"{panel.title} · {SECRET}"), y, NEWS)
        for row in panel.rows:
            y = _note(page, BattleNote(says=row), y)
    return page, min(TALLEST, y + 16)


def heading_of(page: Page, said: str, y: int, ink: str) -> int:
    """A title in an ink. Returns where what stands below it begins."""
    page.words(text.elide(said, _HEAD, WIDTH - 2 * EDGE - 16, heavy=True), EDGE + 8, y + 34, _HEAD, ink, heavy=True)
    return y + 62


# --- the table --------------------------------------------------------------------------------------------------------


class ColumnPlan(NamedTuple):
    """How the columns lie: the type size, where names begin, the middles of the columns that have room, and where these
    begin."""

    size: int
    name: float
    middles: tuple[float, ...]
    begin: float


class Columns(NamedTuple):
    """The columns of a table: their names, and how they lie."""

    names: tuple[str, ...]
    plan: ColumnPlan


def table(page: Page, columns: Columns, rows: Sequence[UnitRow], looks: dict[Side, Look], y: int) -> int:
    """The rows of a force from ``y`` downwards. Returns where they end."""
    plan = columns.plan
    if not rows:
        return y
    name_x = plan.name
    if plan.middles:
        page.words("ship", EDGE + 8, y + 20, plan.size - 4, "quiet")
        for column, x in zip(columns.names, plan.middles, strict=False):
            page.words(text.plain(column), x, y + 20, plan.size - 4, "quiet", align="middle")
        y += 42
    for number, row in enumerate(rows):
        if number % 2 == 0:
            page.ground((EDGE, y, WIDTH - EDGE, y + _ROW), CALLOUT, 12)
        middle = y + _ROW / 2
        if row.code:
            chip(page, row.code, looks[row.side], (EDGE + 10, middle), _CHIP)
        room = round(plan.begin - name_x - 8)
        name = row.name if text.width(row.name, plan.size, heavy=True) <= room else row.name.partition(" (")[0]
        taken = _name(page, name, (name_x, middle), plan.size, room) + 14
        if row.under and room - taken > 90:
            page.words(text.elide(row.under, _SUB, room - taken), name_x + taken, middle, _SUB, "quiet")
        for cell, x in zip(row.cells, plan.middles, strict=False):
            said = _drawn(cell.says)
            if cell.differs:
                half = text.width(said, plan.size, heavy=True) / 2 + 10
                box = (x - half, middle - 24, x + half, middle + 24)
                page.lay(box, lambda brush, box=box: brush.frame(box, 10, 3), NEWS)
            page.words(said, x, middle, plan.size, heavy=cell.differs, align="middle")
        y += _ROW
    return y


def _name(page: Page, name: str, at: tuple[float, float], size: int, room: int) -> int:
    """A name from a left end and a middle on, on two lines if it takes them. Returns how wide it is."""
    lines = text.wrap(name, size, room, heavy=True)
    if len(lines) > 2 or " ".join(lines) != name:
        lines = [text.elide(name, size, room, heavy=True)]
    first = at[1] - _LINE / 2 * (len(lines) - 1)
    return max(page.words(line, at[0], first + _LINE * place, size, heavy=True) for place, line in enumerate(lines))


def planned(columns: Sequence[str], rows: Sequence[UnitRow]) -> ColumnPlan:
    """As many columns from the left as leave the names some room, in the largest type in which all do."""
    if not rows:
        return ColumnPlan(_CELL, EDGE, (), WIDTH - EDGE)
    name_x = EDGE + 10 + max(chip_width(row.code, _CHIP) for row in rows) + 12
    names = max(text.width(row.name.partition(" (")[0], _CELL, heavy=True) for row in rows)
    room = WIDTH - EDGE - 8 - name_x - 8
    size, wide = _CELL, _widths(columns, rows, _CELL)
    while size > _SMALLEST_CELL and min(names, 200) + sum(wide) > room:
        size -= 2
        wide = _widths(columns, rows, size)
    while wide and min(names, _LEAST_NAME) + sum(wide) > room:
        wide.pop()
    x = begin = WIDTH - EDGE - 8.0 - sum(wide)
    middles: list[float] = []
    for one in wide:
        middles.append(x + one / 2)
        x += one
    return ColumnPlan(size, name_x, tuple(middles), begin)


def _drawn(figure: str) -> str:
    """A figure in letters that can be drawn; a dash if it has none."""
    return text.plain(figure)[:16] or "–"


def _widths(columns: Sequence[str], rows: Sequence[UnitRow], size: int) -> list[int]:
    """The width of each column with its gap."""
    return [
        max(
            text.width(text.plain(column), size - 4),
            *(text.width(_drawn(row.cells[place].says), size, heavy=True) for row in rows if place < len(row.cells)),
            0,
        )
        + size
        - 10
        for place, column in enumerate(columns)
    ]


# --- notes ------------------------------------------------------------------------------------------------------------


def _note(page: Page, note: BattleNote, y: int) -> int:
    """A sentence with a dot before it and its rule at the right edge, on as many lines as it takes."""
    said = text.plain(note.rule)[:24]
    taken = text.width(said, _RULE)
    lines = text.wrap(text.plain(note.says)[:400], _NOTE, WIDTH - _INDENT - EDGE - 24 - taken)
    middle = y + 24
    page.lay((30, middle - 8, 54, middle + 8), lambda brush: brush.disc(42, middle, 5.5), "quiet")
    for place, line in enumerate(lines):
        page.words(line, _INDENT, middle + 40 * place, _NOTE)
    if said:
        page.words(said, WIDTH - EDGE - 8, middle, _RULE, "quiet", align="right")
    return y + 48 + 40 * (len(lines) - 1)
