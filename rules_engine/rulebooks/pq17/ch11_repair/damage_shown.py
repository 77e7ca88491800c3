"""What the owner sees of damage and repair, and the invariants of repair records."""

from collections.abc import Iterable

from rules_engine.core.basics.base import Side
from rules_engine.core.knowledge.views import Panel
from rules_engine.rulebooks.pq17.ch11_repair.boxes import COUNTED, TRACKS, full_boxes, track_of
from rules_engine.rulebooks.pq17.ch11_repair.plan import damage_text
from rules_engine.rulebooks.pq17.ch11_repair.refits import is_inactive
from rules_engine.rulebooks.pq17.ch11_repair.routine import needs_work
from rules_engine.rulebooks.pq17.ch11_repair.self_repair import most_self_repairs
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.state import State


def repair_panel(state: State, side: Side) -> Iterable[Panel]:
    """A side's own damaged, worn-out or inactive units, and where the costs come from; nothing if there are none."""
    rows: list[str] = []
    for tf in state.all_task_forces(side):
        for unit in state.units_of(tf):
            if needs_work(state, unit) or is_inactive(unit) or unit.repairs.in_hand is not None:
                idle = ", inactive" if unit.repairs.inactive else ""
                rows.append(f"{unit.name} in {tf.label}{idle}: {damage_text(state, unit)}")
    if rows:
        rows.append(f"Cost of Repair: {state.settings.repair_source}")
        yield Panel(title="Damage and repair", rows=tuple(rows))


def repair_defects(state: State, unit: Unit) -> Iterable[str]:
    """Defects: boxes beyond the record's number, more destroyed than exist, more self-repairs than DAMCON allows."""
    for box in COUNTED:
        full = full_boxes(state, unit, box) or 0
        if int(getattr(unit, box)) > full:
            yield f"{unit.id} has {getattr(unit, box)} {box} boxes of {full}"
    for box in TRACKS:
        if len(track_of(unit, box)) > (full_boxes(state, unit, box) or 0):
            yield f"{unit.id} has more {box} boxes than its record"
    for box, count in sorted(unit.repairs.damage.items()):
        full = full_boxes(state, unit, box)
        if full is not None and count > full:
            yield f"{unit.id} has lost {count} {box} boxes of {full}"
    if unit.self_repairs_left > most_self_repairs(unit):
        yield f"{unit.id} has {unit.self_repairs_left} self-repairs of {most_self_repairs(unit)}"
