"""Invariants: what must never be true of a campaign's state."""

from collections import Counter
from collections.abc import Iterable, Sequence

from rules_engine.core.basics.base import Side
from rules_engine.rulebooks.pq17.ch10_supply import stores
from rules_engine.rulebooks.pq17.ch11_repair.damage_shown import repair_defects
from rules_engine.rulebooks.pq17.records.forces import IdLevel, TaskForce, Unit
from rules_engine.rulebooks.pq17.records.state import State, VpLine
from rules_engine.rulebooks.pq17.scenario.minefields import mine_defects


def defects(state: State) -> Sequence[str]:
    """Everything that is impossible in this state. PQ-17 1.6.1, 1.6.3, 1.6.7.1, 1.8.10.1, 5.2.3.4, 5.2.3.5, 5.5.8,
    5.4.4, 6.2, 7.3.1, 9.1, 9.2, 10.2.2, 10.3.3, 10.3.7.2.2, T5.note1, rulings SHD-6, TF-4, FOG-1."""
    return [
        *_places(state),
        *(defect for key in sorted(state.units) for defect in _unit_defects(state, key, state.units[key])),
        *(defect for tf in state.all_task_forces() for defect in _force_defects(state, tf)),
        *mine_defects(state),
        *(defect for tf in state.all_task_forces() if tf.shadowing for defect in _shadow_defects(state, tf)),
        *(defect for viewer in sorted(state.tracks) for defect in _track_defects(state, viewer)),
        *(defect for number, line in enumerate(state.ledger) for defect in _ledger_defects(state, number, line)),
    ]


def _places(state: State) -> Iterable[str]:
    """Every unit in play is in one place: a task force, or off the map."""
    count = Counter(unit for tf in state.task_forces.values() for unit in tf.units)
    for unit_id in sorted({*count, *state.units}):
        unit = state.units.get(unit_id)
        is_elsewhere = unit is None or unit.fate in ("destroyed", "built in") or unit_id in state.progress.away
        wanted = 0 if is_elsewhere else 1
        if count[unit_id] != wanted:
            yield f"{unit_id} is in {count[unit_id]} task forces instead of {wanted}"
    waiting = Counter(unit for arrival in state.progress.arrivals for unit in arrival.units)
    for unit_id in sorted(waiting):
        away = state.progress.away.get(unit_id)
        if waiting[unit_id] > 1:
            yield f"{unit_id} waits in {waiting[unit_id]} places off the map"
        if unit_id not in state.units or away is None or away.state != "waiting":
            yield f"{unit_id} is to arrive and does not wait off the map"


def _unit_defects(state: State, key: str, unit: Unit) -> Iterable[str]:
    if unit.id != key:
        yield f"{key} is filed as {unit.id}"
    if unit.class_id not in state.classes:
        yield f"{key} is of no known class"
        return
    if unit.fuel > unit.power_boxes:
        yield f"{key} has {unit.fuel} fuel in {unit.power_boxes} boxes"
    yield from stores.defects(state.class_of(unit), unit)
    yield from repair_defects(state, unit)
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
        if unit.carried_by and unit.carried_by not in tf.units:
            yield f"{unit_id} in {tf.id} is carried by {unit.carried_by}, which is elsewhere"
    if any(not {tow.tower, *tow.towed} <= set(tf.units) for tow in tf.tows):
        yield f"{tf.id} tows ships that it does not have"
    if tf.in_port:
        port = state.task_forces.get(tf.in_port)
        if port is None or not port.is_base or (port.side, port.hex) != (tf.side, tf.hex):
            yield f"{tf.id} is in a port that is not there"
    if tf.base is not None and tf.base.known and tf.id_level < IdLevel.ID3:
        yield f"{tf.id} is a known base and known at {tf.id_level.label} only"


def _shadow_defects(state: State, tf: TaskForce) -> Iterable[str]:
    """A shadower's target is a held enemy; the shadower is no base, not in port, and does not follow itself."""
    target = state.task_forces.get(tf.shadowing)
    if target is None or target.side == tf.side:
        yield f"{tf.id} shadows what is no enemy task force"
        return
    if tf.is_base or tf.in_port:
        yield f"{tf.id} shadows though it is a base or in port"
    if target.id_level is IdLevel.N:
        yield f"{tf.id} shadows what its side does not hold"
    seen = [tf.id]
    # Two reorganisations may close a circle; it is opened when shadowing is continued, before operations (SHD-6).
    while target is not None and target.shadowing and state.impulse:
        if target.id in seen:
            yield f"{tf.id} shadows in a circle"
            return
        seen.append(target.id)
        target = state.task_forces.get(target.shadowing)


def _track_defects(state: State, viewer: Side) -> Iterable[str]:
    """Each number was issued and stands for one held enemy; every held enemy has a number."""
    book = state.tracks[viewer]
    for track, count in sorted(Counter(book.current.values()).items()):
        if count > 1:
            yield f"{viewer} holds {count} enemies as {track}"
        number = track.removeprefix(book.prefix)
        if track != number and number.isdigit() and int(number) > book.issued:
            yield f"{viewer} holds {track} and has given out {book.issued} numbers"
    for subject in sorted(book.current):
        tf, field = state.task_forces.get(subject), state.mines.fields.get(subject)
        owner = tf.side if tf is not None else field.side if field is not None else ""
        if owner == viewer:
            yield f"{viewer} holds its own {subject} as an enemy"
        elif tf is None and field is None and " " not in subject:  # a minefield that is gone stays until it is missed
            yield f"{viewer} holds {subject}, which is no more"
        elif tf is not None and tf.id_level is IdLevel.N:
            yield f"{viewer} holds {subject}, which is Unidentified"
    for tf in state.all_task_forces(state.enemy_of(viewer)):
        is_named = tf.base is not None and tf.base.known
        if tf.id_level > IdLevel.N and not is_named and tf.id not in book.current:
            yield f"{viewer} has no number for {tf.id}, which is at {tf.id_level.label}"


def _ledger_defects(state: State, number: int, line: VpLine) -> Iterable[str]:
    """Lines are of half points, never zero, and in the order of turns; secret lines belong to a side."""
    if line.amount == 0 or (line.amount * 2).denominator != 1:
        yield f"line {number + 1} of the ledger is {line.amount} points"
    if line.turn > state.turn or (number and line.turn < state.ledger[number - 1].turn):
        yield f"line {number + 1} of the ledger is of turn {line.turn}"
    if not line.public and not line.seen_by:
        yield f"line {number + 1} of the ledger is seen by nobody"
