"""What can never be true of a campaign, whatever happened in it."""

from collections import Counter
from collections.abc import Iterable, Sequence

from rules_engine.rulebooks.pq17 import stores
from rules_engine.rulebooks.pq17.state import State, TaskForce, Unit


def defects(state: State) -> Sequence[str]:
    """Everything that is impossible in this state. PQ-17 1.6.1, 1.6.3, 1.6.7.1, 5.2.3.5, 9.1, 9.2, 10.2.2, 10.3.3."""
    return [
        *_places(state),
        *(defect for key in sorted(state.units) for defect in _unit_defects(state, key, state.units[key])),
        *(defect for tf in state.all_task_forces() for defect in _force_defects(state, tf)),
    ]


def _places(state: State) -> Iterable[str]:
    count = Counter(unit for tf in state.task_forces.values() for unit in tf.units)
    for unit_id in sorted({*count, *state.units}):
        unit = state.units.get(unit_id)
        wanted = 0 if unit is None or unit.fate == "destroyed" else 1
        if count[unit_id] != wanted:
            yield f"{unit_id} is in {count[unit_id]} task forces instead of {wanted}"


def _unit_defects(state: State, key: str, unit: Unit) -> Iterable[str]:
    if unit.id != key:
        yield f"{key} is filed as {unit.id}"
    if unit.class_id not in state.classes:
        yield f"{key} is of no known class"
        return
    if unit.fuel > unit.power_boxes:
        yield f"{key} has {unit.fuel} fuel in {unit.power_boxes} boxes"
    yield from stores.defects(state.class_of(unit), unit)
    if unit.boxes_off > unit.power_boxes:
        yield f"{key} has more boxes off than it has"


def _force_defects(state: State, tf: TaskForce) -> Iterable[str]:
    if state.task_forces.get(tf.id) is not tf:
        yield f"{tf.id} is filed under another id"
    if not tf.units:
        yield f"{tf.id} has no units"
    if tf.hex not in state.grid:
        yield f"{tf.id} is off the map"
    for unit_id in tf.units:
        unit = state.units.get(unit_id)
        if unit is None or unit.class_id not in state.classes:
            continue
        if unit.side != tf.side:
            yield f"{unit_id} is in a task force of the other side"
        if state.class_of(unit).is_base != tf.is_base:
            yield f"{tf.id} mixes ships and bases"
    if tf.in_port:
        port = state.task_forces.get(tf.in_port)
        if port is None or not port.is_base or (port.side, port.hex) != (tf.side, tf.hex):
            yield f"{tf.id} is in a port that is not there"
    if tf.shadowing:
        target = state.task_forces.get(tf.shadowing)
        if target is None or target.side == tf.side:
            yield f"{tf.id} shadows what is no enemy task force"
