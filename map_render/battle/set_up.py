"""The first picture of a battle: all that one needs to start it. Made to be read 400 pixels wide.

Who defends and who attacks, one drawing of where they start, the numbered steps, and a row for each unit.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from map_render.battle.field import draw_field
from map_render.battle.page import EDGE, TALLEST, WIDTH, Page
from map_render.battle.rows import SINGLE, UnitRow, rows_of
from map_render.battle.signs import (
    Look,
    bar,
    battle_burst,
    chip,
    chip_width,
    emblem,
    first_look,
    looks_of,
    pin,
)
from map_render.drawing import text
from map_render.drawing.palette import BAND, CALLOUT
from rules_engine.core.basics.base import Side
from rules_engine.core.knowledge.battle_scene import BattleForce, BattleScene, BattleStep

HEADER = 132
_TITLE, _SUB, _FORCE, _STEP, _NOTE = 62, 34, 44, 37, 30
_SMALLEST_FORCE = 36
_GAP = 24
MOST_EMBLEMS = 3
_COLUMN = (WIDTH - 2 * EDGE - _GAP) // 2


def draw_set_up(scene: BattleScene) -> tuple[Page, int]:
    """The picture on its page, and its height."""
    page = Page()
    looks = looks_of(scene)
    head(page, scene.title, scene.when)
    y = _forces(page, scene, looks, HEADER + 18)
    if scene.start is not None:
        inks = (first_look(looks, scene.forces[0]).ink, first_look(looks, scene.forces[1]).ink)
        y = draw_field(page, scene.start, looks, inks, y + 4) + 16
    y = _draw_order(page, scene, y)
    return page, min(TALLEST, _units(page, scene, looks, y + 10))


def head(page: Page, title: str, said: str) -> None:
    """The band with the burst, where it is, and when."""
    page.ground((0, 0, WIDTH, HEADER), BAND)
    battle_burst(page, 74, HEADER // 2)
    room = WIDTH - 148 - EDGE
    words = text.plain(title)
    size = text.shrunk(words, _TITLE, 44, room)
    page.words(text.elide(words, size, room, heavy=True), 148, 44, size, heavy=True)
    page.words(_without_tail(said, _SUB, room), 148, 100, _SUB, "quiet")


def _without_tail(said: str, size: int, room: int) -> str:
    """A line of parts with dots between them: parts are left out from its end until it fits."""
    parts = [part for part in map(str.strip, text.plain(said).split("·")) if part]
    while len(parts) > 1 and text.width(" · ".join(parts), size) > room:
        parts.pop()
    return text.elide(" · ".join(parts), size, room)


# --- who defends, who attacks -----------------------------------------------------------------------------------------


def _forces(page: Page, scene: BattleScene, looks: dict[Side, Look], top: int) -> int:
    """A line for both forces, or one for each where their names are long. Returns where it ends."""
    room = WIDTH - 2 * EDGE - _GAP - sum(map(_emblems, scene.forces))
    size, said = _FORCE, [_named(scene, force) for force in scene.forces]
    while size > _SMALLEST_FORCE and sum(_width(one, size) for one in said) > room:
        size -= 2
    apart = sum(_width(one, size) for one in said) > room
    y = top + 40
    for number, force in enumerate(scene.forces):
        _force(page, force, said[number], looks, (_FORCE if apart else size, y), right=number == 1)
        y += 78 if apart and number == 0 else 0
    return y + 38


Said = list[tuple[str, Side]]
"""Words of a line, each with the side in whose colour they are."""


def _named(scene: BattleScene, force: BattleForce) -> Said:
    """The words of a force's line: ``Hydran``, ``+ Lyran``, ``defend``."""
    found = [(text.plain(scene.party(side).label.name, side)[:60], side) for side in force.sides]
    found = [(f"+ {name}" if number else name, side) for number, (name, side) in enumerate(found)]
    return [*found, (text.plain(force.does)[:40], force.sides[-1])]


def _width(said: Said, size: int) -> int:
    return sum(text.width(words, size, heavy=True) for words, _ in said) + round(size * 0.28) * (len(said) - 1)


def _emblems(force: BattleForce) -> int:
    """The room of a force's emblems, at most three."""
    return 76 * min(MOST_EMBLEMS, len(force.sides)) + 12


def _force(
    page: Page, force: BattleForce, said: Said, looks: dict[Side, Look], at: tuple[int, float], *, right: bool
) -> None:
    """A force's line, ``at`` a size and a height: never below the smallest size; what is too long then loses the ends
    of its names."""
    size, y = at
    room = WIDTH - 2 * EDGE - _emblems(force)
    while size > _SMALLEST_FORCE and _width(said, size) > room:
        size -= 2
    longest = max(text.width(words, size, heavy=True) for words, _ in said[:-1])
    while _width(said, size) > room and longest > size:
        longest -= 8
        said = [*((text.elide(words, size, longest, heavy=True), side) for words, side in said[:-1]), said[-1]]
    shown = force.sides[:MOST_EMBLEMS]
    for number, side in enumerate(shown):
        x = WIDTH - EDGE - 36 - 76 * (len(shown) - 1 - number) if right else EDGE + 28 + 76 * number
        emblem(page, looks[side], x, y)
    left = WIDTH - EDGE - _emblems(force) - _width(said, size) if right else EDGE + 76 * len(shown)
    for words, side in said:
        left += page.words(words, left, y, size, looks[side].ink, heavy=True) + round(size * 0.28)


# --- steps ------------------------------------------------------------------------------------------------------------


def _draw_order(page: Page, scene: BattleScene, y: int) -> int:
    """The numbered steps, each of one line or two. Returns where they end."""
    for number, step in enumerate(scene.steps, start=1):
        lines = text.wrap(_said(scene, step), _STEP, WIDTH - 98 - EDGE, heavy=True)[:3]
        pin(page, number, EDGE + 32, y + 29)
        for place, line in enumerate(lines):
            page.words(line, 98, y + 29 + 46 * place, _STEP, heavy=True)
        y += 58 + 46 * (len(lines) - 1)
    return y


def _said(scene: BattleScene, step: BattleStep) -> str:
    name = scene.party(step.side).label.name if step.side else ""
    return text.plain(f"{name}: {step.says}" if name else step.says)


# --- a row for each unit ----------------------------------------------------------------------------------------------


class Measure(NamedTuple):
    """The measures of rows: how high, from one to the next, and the sizes of what is in them."""

    high: int
    pitch: int
    chip: int
    name: int
    bar: int


ROOMY, CLOSE, BARE = Measure(92, 102, 46, 36, 16), Measure(74, 82, 40, 34, 10), Measure(58, 66, 40, 34, 0)
"""Up to as many rows a side as units have single ones they are roomy; above that close, and bare without bars."""


def _units(page: Page, scene: BattleScene, looks: dict[Side, Look], top: int) -> int:
    """Two columns of rows, and the remark where there is room for it. Returns where they end."""
    columns = [rows_of(scene.units_of(force)) for force in scene.forces]
    measure = ROOMY
    if max(len(column) for column in columns) > SINGLE:
        measure = CLOSE if any(row.whole is not None for column in columns for row in column) else BARE
    return _remark(page, scene.remark, draw_rows(page, columns, looks, top, measure), measure) + 8


def draw_rows(
    page: Page, columns: Sequence[Sequence[UnitRow]], looks: dict[Side, Look], top: int, measure: Measure
) -> list[int]:
    """Rows in two columns from ``top`` downwards. Returns where each column ends."""
    ends: list[int] = []
    for number, column in enumerate(columns):
        x, y = EDGE + number * (_COLUMN + _GAP), top
        for row in column:
            _row(page, row, looks[row.side], (x, y), measure)
            y += measure.pitch
        ends.append(y)
    return ends


def _row(page: Page, row: UnitRow, look: Look, at: tuple[int, int], measure: Measure) -> None:
    """A row: the code and the name; below them the bar, or words where there is none and room for them."""
    x, y = at
    page.ground((x, y, x + _COLUMN, y + measure.high), CALLOUT, 12)
    has_bar = row.whole is not None and row.left is not None
    has_words = not has_bar and measure is ROOMY and bool(row.under or row.aside)
    line = y + (measure.high * 0.35 if has_bar or has_words else measure.high * 0.5)
    wide = chip_width(row.code, measure.chip) if row.code else 0
    if row.code:
        chip(page, row.code, look, (x + 12, line), measure.chip)
    right, name_x = x + _COLUMN - 16, x + 12 + wide + 12
    room = right - name_x
    beside = "" if has_words else row.aside
    aside = text.width(beside, _NOTE) + 16 if beside else 0
    if text.width(_short(row.name), measure.name, heavy=True) > room - aside:
        beside, aside = "", 0  # the name comes before the figure beside it
    name = row.name if text.width(row.name, measure.name, heavy=True) <= room - aside else _short(row.name)
    page.words(text.elide(name, measure.name, room - aside, heavy=True), name_x, line, measure.name, heavy=True)
    page.words(beside, right, line, _NOTE, "quiet", align="right")
    low = y + measure.high * 0.79
    if has_words:
        page.words(row.aside, right, low - 4, _NOTE, "quiet", align="right")
        left_of = _COLUMN - 32 - (text.width(row.aside, _NOTE) + 16 if row.aside else 0)
        page.words(text.elide(row.under, _NOTE, left_of), x + 16, low - 4, _NOTE, "quiet")
    if row.whole is not None and row.left is not None:
        said = f"{row.left}/{row.whole}"
        taken = text.width(said, _NOTE, heavy=True)
        page.words(said, right, low, _NOTE, heavy=True, align="right")
        end = right - max(taken, 76) - 14
        bar(page, (x + 16, low - measure.bar / 2, end, low + measure.bar / 2), row.left / row.whole, look.ink)


def _short(name: str) -> str:
    """A name without what stands in brackets behind it."""
    return name.partition(" (")[0]


def _remark(page: Page, said: str, ends: list[int], measure: Measure) -> int:
    """The remark below the shorter column if it fits there, else below both."""
    low = max(ends)
    if not said:
        return low
    short = 0 if ends[0] < ends[1] else 1
    for x, y, wide in _rooms(ends, short):
        lines = text.wrap(text.plain(said)[:300], _NOTE, wide - 40)
        high = 36 * len(lines) + 20 if wide > _COLUMN else max(measure.high, 36 * len(lines) + 20)
        if wide == WIDTH - 2 * EDGE or y + high <= low:
            box = (x, y, x + wide, y + high)
            page.lay(box, lambda brush, box=box: brush.frame(box, 12, 3), "quiet", 9)
            middle = y + high / 2 - 18 * (len(lines) - 1)
            for place, line in enumerate(lines):
                page.words(line, x + 20, middle + 36 * place, _NOTE, "quiet")
            return max(low, y + high + 10)
    return low


def _rooms(ends: list[int], short: int) -> Iterator[tuple[int, int, int]]:
    """Where the remark may stand: its left, its top, its width."""
    yield EDGE + short * (_COLUMN + _GAP), ends[short], _COLUMN
    yield EDGE, max(ends), WIDTH - 2 * EDGE
