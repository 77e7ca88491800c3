"""Chapter 12.1 to 12.4: what an operational minefield is, where one may be, and what it looks like to searchers.

A minefield is a task force by itself. The chapters on searching and attacking get it as a :class:`FieldForce`, a task
force without units in Minefield posture, made from the record each time; changes are written to the record. Tactical
minefields exist on the tactical map only and are not part of the campaign (12.1.2).
"""

from fractions import Fraction
from typing import TypeGuard

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.ch10_supply.stores import held, take
from rules_engine.rulebooks.pq17.records.forces import IdLevel, Posture, TaskForce, Unit
from rules_engine.rulebooks.pq17.records.minefields import Minefield, Transit, field_key
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass
from rules_engine.rulebooks.pq17.tables.supply import Goods

HEADLINE = "Operational minefield"


class FieldForce(TaskForce):
    """A minefield as a task force. PQ-17 12.3.1 to 12.3.3, 5.2.3.7."""

    known_strength: int | None = None
    seen_laid: bool = False

    @property
    def label(self) -> str:
        """The name by which its owner and searchers know it."""
        return "minefield"


@rule("5.2.3.7", "12.3.3", "12.4.2")
def minefield_posture() -> Posture:
    """Minefield posture: passive, warp off, no cloak, no logistics. PQ-17 5.2.3.7, 12.3.3, 12.4.2; ruling PST-8."""
    return Posture(cloak=False, warp=False, active=False, logistics=False)


@rule("12.3.1", "12.3.2", "12.3.3", "12.3.4", "5.2.3.7")
def as_force(field: Minefield) -> FieldForce:
    """A minefield as a task force: at speed 0, not in port, shadowing nobody. PQ-17 12.3.1 to 12.3.4, 5.2.3.7."""
    return FieldForce(
        id=field_key(field.side, field.hex),
        side=field.side,
        hex=field.hex,
        units=[],
        posture=minefield_posture(),
        id_level=IdLevel(field.level),
        known_strength=field.known_strength,
        seen_laid=field.seen_laid,
    )


def is_minefield(tf: TaskForce) -> TypeGuard[FieldForce]:
    """Whether a task force is a minefield."""
    return isinstance(tf, FieldForce)


# --- which there are --------------------------------------------------------------------------------------------------


@rule("12.1.9")
def field_at(state: State, side: Side, hex_id: HexId) -> Minefield | None:
    """The minefield of ``side`` in a hex. PQ-17 12.1.9."""
    return state.mines.fields.get(field_key(side, hex_id))


def record_of(state: State, force: FieldForce) -> Minefield:
    """The record that a minefield's task force was made from."""
    return state.mines.fields[force.id]


def all_fields(state: State, side: Side | None = None) -> list[Minefield]:
    """All minefields (of ``side``), by side and hex."""
    found = (state.mines.fields[key] for key in sorted(state.mines.fields))
    return [field for field in found if side in (None, field.side)]


@rule("12.7.1")
def hostile_field(state: State, side: Side, hex_id: HexId) -> FieldForce | None:
    """The minefield of ``side``'s enemy in a hex, as a task force. PQ-17 12.7.1."""
    if not state.mines.fields:
        return None
    field = field_at(state, state.enemy_of(side), hex_id)
    return None if field is None else as_force(field)


@rule("6.2.2", "12.4.1")
def is_met(state: State, field: Minefield) -> bool:
    """Whether an enemy force, base or settled hex shares the minefield's hex. PQ-17 6.2.2, 12.4.1."""
    enemy = state.enemy_of(field.side)
    return bool(state.task_forces_in(field.hex, enemy)) or state.settled_by(field.hex, enemy) is not None


@rule("12.3.6")
def is_mined_for(state: State, tf: TaskForce) -> bool:
    """Whether an enemy minefield in a force's hex reveals it to the enemy. PQ-17 12.3.6; ruling MIN-9."""
    return bool(state.mines.fields) and field_at(state, state.enemy_of(tf.side), tf.hex) is not None


@rule("12.1.3", "12.1.9", "12.5.1")
def may_hold_field(state: State, side: Side, hex_id: HexId) -> bool:
    """Whether ``side`` may lay mines in a hex, judged by what it knows: the hex has a base, a planet or a settlement of
    either side, or the scenario names it. PQ-17 12.1.3, 12.1.9, 12.5.1; rulings MIN-14, FOG-4."""
    if hex_id in state.settled or state.terrain(hex_id) == "planet" or hex_id in state.settings.minefield_hexes:
        return True
    book = state.tracks.get(side)
    return any(
        base.side == side
        or (base.base is not None and base.base.known)
        or (book is not None and book.track_of(base.id) is not None)
        for base in state.bases_in(hex_id)
    )


# --- passing through --------------------------------------------------------------------------------------------------


@rule("12.7.3")
def note_transit(state: State, tf_id: str, start: HexId, end: HexId) -> None:
    """Note that a force expended a movement point, was placed on the map (no ``start``) or left it (no ``end``).

    PQ-17 12.7.3; rulings MIN-2, MIN-17, MOV-6, MOV-7."""
    if state.mines.fields:
        state.mines.transits.append(Transit(task_force=tf_id, start=start, end=end))


# --- minelayers and minesweepers --------------------------------------------------------------------------------------


@rule("12.5.2")
def is_minelayer(kind: ShipClass) -> bool:
    """Whether ships of the class can deploy large mines. PQ-17 12.5.2."""
    return kind.is_minelayer or kind.mine_deploy_large > 0


@rule("12.7.8")
def is_minesweeper(kind: ShipClass) -> bool:
    """Whether ships of the class are minesweepers. PQ-17 12.7.8."""
    return kind.is_minesweeper or kind.special_kind == "minesweeper"


@rule("12.6.3.3", "12.7.8")
def minesweepers(state: State, tf: TaskForce) -> list[Unit]:
    """A force's minesweepers, crippled ones too, by id. PQ-17 12.6.3.3, 12.7.8."""
    return [unit for unit in state.separate_units(tf) if is_minesweeper(state.class_of(unit))]


@rule("12.1.5")
def mines_aboard(unit: Unit) -> int:
    """Large mines that a unit carries, in its own racks and in cargo. PQ-17 12.1.5; ruling MIN-15."""
    return int(held(unit, Goods.LARGE_MINES))


@rule("12.5.3.4")
def mines_to_lay(state: State, tf: TaskForce) -> int:
    """Large mines aboard the force's minelayers; what other ships carry cannot be laid. PQ-17 12.5.3.4."""
    return sum(mines_aboard(unit) for unit in state.units_of(tf) if is_minelayer(state.class_of(unit)))


@rule("12.5.3.4")
def use_mines(state: State, tf: TaskForce, count: int) -> None:
    """Take ``count`` large mines from the force's minelayers, by id, from the cargo of each first. PQ-17 12.5.3.4."""
    wanted = count
    for unit in state.units_of(tf):
        if is_minelayer(state.class_of(unit)):
            taken = min(wanted, mines_aboard(unit))
            take(unit, Goods.LARGE_MINES, Fraction(taken))
            wanted -= taken


# --- what is told of one ----------------------------------------------------------------------------------------------


@rule("6.2.2", "6.2.3", "12.4.4")
def field_details(force: FieldForce, level: IdLevel) -> tuple[str, ...]:
    """What the enemy is told besides that it is a minefield: from ID0 on the strength at its last search, or as it was
    laid if nobody has searched it since.

    PQ-17 6.2.2, 6.2.3, 12.4.4; rulings IDL-3, IDL-4."""
    if level < IdLevel.ID0 or force.known_strength is None:
        return ()
    return (f"Strength {force.known_strength} when {'laid' if force.seen_laid else 'last searched'}",)
