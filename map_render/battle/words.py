"""Battles in words: a short text that goes with each picture, and the whole sheet for readers who do not see it."""

from collections.abc import Iterable

from map_render.drawing.image import ALT_LIMIT
from map_render.glance_words import words_of
from map_render.sections import Section, fitted
from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.knowledge.battle_scene import BattleForce, BattleScene, BattleUnit, OwnUnits
from rules_engine.core.knowledge.views import Panel
from rules_engine.core.protocol.asks import BattleSetup

SECRET = "only for you"


def panels_for(sheet: BattleSetup, side: Side | None) -> tuple[tuple[Panel, bool], ...]:
    """(panel, whether it is secret) of what one side, or with None anybody at the battle, may see."""
    secret = sheet.secret.get(side, ()) if side is not None else ()
    return (*((panel, False) for panel in sheet.panels), *((panel, True) for panel in secret))


def sheet_alt(sheet: BattleSetup, side: Side | None = None) -> str:
    """The sheet in at most 1,024 characters; rows that do not fit are counted."""
    sections = [
        Section(_titled(panel, secret), tuple(words_of(row, 160) for row in panel.rows) or ("nothing",))
        for panel, secret in panels_for(sheet, side)
    ]
    return fitted(f"{words_of(sheet.title, 160)}, {words_of(sheet.where, 160)}.", sections, ALT_LIMIT)


def describe_battle(sheet: BattleSetup, side: Side | None = None) -> str:
    """The whole sheet in words, of any length."""
    lines = [words_of(sheet.title), words_of(sheet.where)]
    for panel, secret in panels_for(sheet, side):
        lines += ["", _titled(panel, secret), *(f"- {words_of(row)}" for row in panel.rows)]
    return "\n".join(lines)


def _titled(panel: Panel, secret: bool) -> str:
    return words_of(panel.title, 80) + (f" ({SECRET})" if secret else "")


# --- the pictures -----------------------------------------------------------------------------------------------------


def set_up_alt(scene: BattleScene) -> str:
    """The first picture in at most 1,024 characters: who fights and how strong, how far apart, the steps, the units."""
    opening = f"{words_of(scene.title, 80)}, {words_of(scene.when, 160)}. {_against(scene)}."
    start = scene.start
    if start is not None and start.distance:
        opening += f" They start {words_of(start.distance, 40)} {words_of(start.unit, 40)} apart."
    steps = tuple(f"{number}. {_step(scene, number)}" for number in range(1, len(scene.steps) + 1))
    sections = [Section("Steps", steps)] if steps else []
    sections += [
        Section(_name(scene, force), tuple(_unit_line(unit) for unit in scene.units_of(force)) or ("no units",))
        for force in scene.forces
    ]
    if scene.remark:
        sections.append(Section("Note", (words_of(scene.remark, 300),)))
    return fitted(opening, sections, ALT_LIMIT)


def details_alt(scene: BattleScene, panels: Iterable[Panel] = ()) -> str:
    """The second picture in at most 1,024 characters: figures of units, and the notes."""
    sections = [
        Section(_name(scene, force), tuple(_figures_line(scene, unit) for unit in scene.units_of(force)) or ("none",))
        for force in scene.forces
    ]
    for notes in scene.notes:
        lines = tuple(words_of(f"{note.says} ({note.rule})" if note.rule else note.says, 160) for note in notes.notes)
        sections.append(Section(words_of(notes.title, 80), lines))
    sections += [
        Section(_titled(panel, True), tuple(words_of(row, 160) for row in panel.rows) or ("nothing",))
        for panel in panels
    ]
    return fitted(f"{words_of(scene.title, 80)}: details.", sections, ALT_LIMIT)


def own_alt(scene: BattleScene, own: OwnUnits) -> str:
    """A side's own units in at most 1,024 characters."""
    items = tuple(f"{_unit_line(unit)} ({_figures(own.columns, unit)})" for unit in own.units)
    return fitted(f"{words_of(scene.title, 80)}, {SECRET}.", [Section("Your units", items)], ALT_LIMIT)


def _name(scene: BattleScene, force: BattleForce) -> str:
    return words_of(scene.names_of(force), 80)


def _against(scene: BattleScene) -> str:
    said: list[str] = []
    for force in scene.forces:
        count = len(scene.units_of(force))
        said.append(f"{_name(scene, force)} {words_of(force.does, 40)} with {counted(count, 'unit')}")
    return ", ".join(said)


def _step(scene: BattleScene, number: int) -> str:
    step = scene.steps[number - 1]
    name = f"{words_of(scene.party(step.side).label.name, 60)}: " if step.side else ""
    return f"{name}{words_of(step.says, 160)}"


def _unit_line(unit: BattleUnit) -> str:
    left = f"{words_of(unit.of, 20)} {unit.left}/{unit.whole}".strip() if unit.whole is not None else ""
    said = [left, words_of(unit.under, 60), words_of(unit.aside, 40)]
    return f"{words_of(unit.code, 20)} {words_of(unit.kind, 60)}, " + ", ".join(part for part in said if part)


def _figures_line(scene: BattleScene, unit: BattleUnit) -> str:
    return f"{words_of(unit.code, 20)} {words_of(unit.kind, 60)}: {_figures(scene.columns, unit)}"


def _figures(columns: Iterable[str], unit: BattleUnit) -> str:
    pairs = zip(columns, unit.cells, strict=False)
    return ", ".join(f"{words_of(column, 20)} {words_of(cell.says, 30)}" for column, cell in pairs)
