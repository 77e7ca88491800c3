"""Chapter 7: what an owner reads of maintenance on its board, its sheet, and before a battle."""

from collections.abc import Mapping

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.views import Panel
from rules_engine.rulebooks.cutler.ch07_maintenance.deadlines import deadlines, due_turn, pressing
from rules_engine.rulebooks.cutler.records.accessories.holds import lacks_shuttle
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit

TITLE = "Maintenance"


@rule("7.1", "7.2")
def maintenance_panel(state: CutlerState, race: Side) -> Panel:
    """By which turn each of its ships must be in port; for its owner alone. 7.1, 7.2"""
    rows: list[str] = []
    for turn, units in deadlines(state, race).items():
        late = [unit for unit in units if unit.missed]
        waiting = [unit for unit in units if not unit.missed]
        if late:
            said = "; ".join(f"{unit.name} ({unit.condition})" for unit in late)
            rows.append(f"Overdue since turn {turn}: {said}")
        if waiting:
            rows.append(f"Due by turn {turn}: {', '.join(unit.name for unit in waiting)}")
    rows += ["Free, at the start of a turn in a hex with a base of yours (7.2)."] if rows else []
    return Panel(title=TITLE, rows=tuple(rows))


@rule("7.1", "7.3", "4.2.4.2.1")
def maintenance_warnings(state: CutlerState, race: Side) -> list[str]:
    """What a race would lose if it forgot. 7.1, 7.3, 4.2.4.2.1"""
    late, due = pressing(state, race)
    said: list[str] = []
    if due:
        names = ", ".join(unit.name for unit in due)
        said.append(f"Due in turn {state.turn + 1}, so must end this turn with a base: {names} (7.1, 7.3).")
    if late:
        said.append(f"Overdue and not with a base: {', '.join(unit.name for unit in late)} (7.3).")
    if without := [unit.name for unit in state.alive(race) if lacks_shuttle(unit) and due_turn(unit) is not None]:
        said.append(f"Without a shuttle, so not maintained until they get one: {', '.join(without)} (4.2.4.2.1).")
    return said


@rule("7.3")
def crew_panels(own: Mapping[str, Unit]) -> list[Panel]:
    """What a battle's players must know of their own crews; nothing if all are as usual. 7.3"""
    rows = tuple(f"{key} {unit.name}: {unit.condition}" for key, unit in own.items() if unit.condition)
    return [Panel(title="Your crews", rows=rows)] if rows else []
