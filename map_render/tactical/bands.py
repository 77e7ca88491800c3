"""What stands around a tactical picture: the battle and its impulse above; below, what matters most, a row for each
unit, and what signs mean."""

from collections.abc import Sequence
from typing import NamedTuple

from map_render.battle.page import Brush, Page
from map_render.battle.signs import pin
from map_render.drawing import text
from map_render.drawing.palette import BAND, MARGIN
from map_render.drawing.sprites import Stroke, burst, stamp, strokes
from map_render.tactical.looks import TacticalLook, chip_sprite, ghost_sprite, icon_sprite
from map_render.theatre.placing.room import Rect
from rules_engine.core.basics.base import Side
from rules_engine.core.knowledge.tactical_scene import TacticalScene, TacticalUnit

WIDTH = 1600
HEADER, FACT, LEGEND = 176, 92, 66
EDGE = 36
IMPULSES = 32
SINGLE, PAIRED = 8, 12
"""Up to so many units have a row each over the whole width, or two side by side; of more, three stand there."""
_TITLE, _UNDER, _SMALLEST_UNDER, _FACT, _LEGEND = 60, 36, 29, 50, 34
_SMALLEST_NAME = 34


class RowLook(NamedTuple):
    """How many rows stand side by side, how large they are, and where in each its parts begin: the name (0: none), the
    facing, the vector, and the rest."""

    beside: int
    high: int
    chip: int
    size: int
    icon: int
    name: int
    facing: int
    vector: int
    rest: int


_WIDE = RowLook(1, 84, 56, 46, 33, 190, 520, 800, 1066)
_PAIRED = RowLook(2, 66, 50, 36, 26, 0, 118, 232, 444)
_NARROW = RowLook(3, 62, 48, 33, 24, 0, 106, 202, 384)


def _row_look(scene: TacticalScene) -> RowLook:
    count = len(scene.units)
    return _WIDE if count <= SINGLE else _PAIRED if count <= PAIRED else _NARROW


def rows_high(scene: TacticalScene) -> int:
    """The height of the rows of units, with room above and below."""
    look = _row_look(scene)
    rows = -(-len(scene.units) // look.beside)
    return rows * look.high + 20 if rows else 0


def facts_high(scene: TacticalScene) -> int:
    """The height of the numbered sentences."""
    return len(scene.news) * FACT + (14 if scene.news else 0)


# --- above ------------------------------------------------------------------------------------------------------------


def draw_header(page: Page, scene: TacticalScene) -> None:
    """The battle's name and what it is about; the impulse, and where it lies in its turn."""
    page.picture.paste(BAND, (0, 0, page.picture.width, HEADER))
    stamp(page.picture, burst(44, ringed=True), 76, 70)
    said = f"Impulse {scene.impulse}" if scene.impulse else f"Turn {scene.turn}" if scene.turn else "Set-up"
    right, low = WIDTH - EDGE, "of 32" if scene.impulse else "begins" if scene.turn else ""
    taken = page.words(said, right, 46, 74, heavy=True, align="right")
    page.words(low, right, 104, _UNDER, "quiet", align="right")
    room = right - taken - 40 - 146
    words = text.plain(scene.title)
    size = text.shrunk(words, _TITLE, 40, room)
    page.words(text.elide(words, size, room, heavy=True), 146, 46, size, heavy=True)
    turn = f"turn {scene.turn}{f' of {scene.turns}' if scene.turns else ''}" if scene.impulse else ""
    under = ", ".join(filter(None, (text.plain(scene.under), turn)))
    room = WIDTH - 146 - 200
    size = text.shrunk(under, _UNDER, _SMALLEST_UNDER, room)
    page.words(text.elide(under, size, room), 146, 104, size, "quiet")
    _ruler(page, scene.impulse)


def _ruler(page: Page, impulse: int) -> None:
    """Thirty-two impulses, filled as far as the turn is flown."""
    left, right, y = EDGE + 4, WIDTH - EDGE - 4, 150
    at = left + (right - left) * impulse / IMPULSES
    box = (left - 20, y - 24, right + 20, y + 22)
    for fade, ink, whole in ((11, "quiet", False), (15, "text", True)):

        def ticks(brush: Brush, whole: bool = whole) -> None:
            for one in range(IMPULSES + 1):
                if (one <= impulse) == whole:
                    tall, x = (16 if one % 8 == 0 else 8), left + (right - left) * one / IMPULSES
                    brush.box((x - 2, y - tall, x + 2, y + tall))

        page.lay(box, ticks, ink, fade)
    if impulse:
        page.lay(box, lambda brush: brush.box((left, y - 5, at, y + 5)), "news")
        page.lay(box, lambda brush: brush.polygon([(at - 17, y - 22), (at + 17, y - 22), (at, y + 2)]), "news")


# --- below ------------------------------------------------------------------------------------------------------------


def draw_facts(page: Page, scene: TacticalScene, top: int) -> None:
    """The numbered sentences."""
    for number, news in enumerate(scene.news, 1):
        y = top + 14 + (number - 1) * FACT + FACT // 2
        pin(page, number, EDGE + 34, y, 34)
        room = WIDTH - 126 - EDGE
        words = text.plain(news.says)
        size = text.shrunk(words, _FACT, 42, room)
        page.words(text.elide(words, size, room, heavy=True), 126, y, size, heavy=True)


def draw_rows(page: Page, scene: TacticalScene, looks: dict[Side, TacticalLook], top: int) -> None:
    """A row for each unit, column by column."""
    row = _row_look(scene)
    rows, wide = -(-len(scene.units) // row.beside), (WIDTH - 2 * EDGE + 24) // row.beside
    for number, unit in enumerate(scene.units):
        x, y = EDGE + number // rows * wide, top + 10 + number % rows * row.high + row.high // 2
        _row(page, unit, looks[unit.side], (x, y), row)


def _row(page: Page, unit: TacticalUnit, look: TacticalLook, at: tuple[int, int], row: RowLook) -> None:
    """Chip, name, facing, vector, and what is left of the unit or where it coasts to."""
    x, y = at
    chip = chip_sprite(text.plain(unit.code)[:8], look, row.chip)
    stamp(page.picture, chip, x - chip.dx - 5, y)
    if row.name:
        said, room = ", ".join(map(text.plain, (unit.name, *unit.remarks[:1]))), row.facing - row.name - 20
        size = text.shrunk(said, row.size, _SMALLEST_NAME, room)
        page.words(text.elide(said, size, room, heavy=True), x + row.name, y, size, heavy=True)
    icon = icon_sprite(look, unit.form, unit.facing, row.icon)
    stamp(page.picture, icon, x + row.facing + row.icon, y)
    letter = f"faces {unit.facing}" if row.name else unit.facing
    page.words(letter, x + row.facing + 2 * row.icon + 10, y, row.size)
    page.words(unit.vector if unit.speed else "at rest", x + row.vector, y, row.size, heavy=True)
    if row.name and unit.whole is not None:
        _bar(page, (x + row.rest, y), unit.whole, look.ink)
        return
    last = unit.drifts[-1].hex if unit.drifts else unit.hex
    said = f"to {last}" if unit.speed else f"in {last}"
    if row.beside < _NARROW.beside and unit.speed:
        said = f"speed {unit.speed}, {said}"
    room = (WIDTH - 2 * EDGE + 24) // row.beside - row.rest - 14
    said = said if text.width(said, row.size) <= room else last
    page.words(text.elide(said, row.size, room), x + row.rest, y, row.size)


def _bar(page: Page, at: tuple[int, int], whole: int, ink: str) -> None:
    """What damage has left of a unit."""
    (x, y), right = at, WIDTH - EDGE
    said = f"{whole}%"
    page.words(said, right, y, 42, align="right")
    end = right - 120
    box = (x, y - 12, end, y + 12)
    page.lay(box, lambda brush: brush.box(box, 6), "quiet", 4)
    if whole:
        filled = (x, y - 12, x + (end - x) * whole / 100, y + 12)
        page.lay(box, lambda brush: brush.box(filled, 6), ink)


def draw_legend(
    page: Page, scene: TacticalScene, looks: dict[Side, TacticalLook], top: int, ghosts: Sequence[int]
) -> None:
    """What nobody could guess of the signs that are there; what does not fit is left out. ``ghosts`` are the impulses
    for which ghosts are shown."""
    page.picture.paste(MARGIN, (0, top, WIDTH, top + LEGEND))
    look = next(iter(looks.values()), TacticalLook("text", 0))
    x, y = EDGE, top + LEGEND // 2
    drifting = [one for one in scene.units if one.speed and one.drifts]
    for kind, said in _entries(scene, drifting, ghosts):
        slot = {"line": 92, "ghost": 74, "": 0, "plot": 92}[kind]
        wide = slot + text.width(said, _LEGEND)
        if x + wide > WIDTH - EDGE:
            continue
        if kind == "line":
            _stroke(page, x, y, Stroke(74, 0, 13), look.ink)
        elif kind == "plot":
            _stroke(page, x, y, Stroke(74, 0, 13), look.ink)
            _stroke(page, x, y, Stroke(74, 0, 5), "text", cased=False)
        elif kind == "ghost":
            stamp(page.picture, ghost_sprite(look, "ship", "B", 26), x + 28, y)
        page.words(said, x + slot, y, _LEGEND, "quiet")
        x += wide + 44


def _entries(scene: TacticalScene, drifting: Sequence[TacticalUnit], ghosts: Sequence[int]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    if scene.plots:
        found.append(("plot", "your plot"))
    if drifting:
        found.append(("line", "next 8 impulses"))
    if ghosts:
        found.append(("ghost", f"coasting to {' and '.join(map(str, ghosts))}"))
    if any(one.shields for one in scene.units):
        found.append(("", "ring: shields, thin is weak, gap is down"))
    return found


def _stroke(page: Page, x: int, y: int, look: Stroke, ink: str, *, cased: bool = True) -> None:
    for sprite in strokes(((0, 0, look),), ink)[0 if cased else 1 :]:
        stamp(page.picture, sprite, x, y)


def field_rect(top: int, high: int) -> Rect:
    """The part of the picture that shows the sheet."""
    return Rect(0, top, WIDTH, top + high)
