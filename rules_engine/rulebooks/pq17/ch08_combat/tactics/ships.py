"""The units of a battle as the tactical tracker needs them: movement figures by their records, damage included."""

from collections.abc import Iterator

from rules_engine.core.basics.rules import rule
from rules_engine.core.tactics.battles import FlightRecord, Form, TacticalShip, turn_mode_of
from rules_engine.rulebooks.pq17.ch08_combat.battle_setup import battle_speed
from rules_engine.rulebooks.pq17.ch08_combat.battle_tables import speed_cap
from rules_engine.rulebooks.pq17.ch08_combat.pictures.rows import size_of
from rules_engine.rulebooks.pq17.ch10_supply.fuel import moving_cost
from rules_engine.rulebooks.pq17.ch11_repair.refits import is_inactive
from rules_engine.rulebooks.pq17.contacts.identification import is_warp_on
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass

FASTEST_BY_WARP = 30
"""What warp power alone gives at most; impulse power adds one hex."""


def ships_of(state: State, battle: Battle) -> Iterator[TacticalShip]:
    """All units that stand on the map by themselves, in the order of the sheet; loads go where their ships go."""
    for key in battle.all_forces():
        force = state.task_forces[key]
        for unit in state.separate_units(force):
            yield _ship(state, battle, unit, force)


@rule("8.5.3.2", "8.5.3.3", "8.5.5.2")
def _ship(state: State, battle: Battle, unit: Unit, force: TaskForce) -> TacticalShip:
    """A unit under its neutral name. An Original Defender that is surprised has weapon status 1, all others 3.

    PQ-17 8.5.3.2, 8.5.3.3, 8.5.5.2."""
    kind = state.class_of(unit)
    box, whole = size_of(state, unit)
    surprised = battle.surprised and force.id in battle.original
    return TacticalShip(
        code=battle.name_of(unit.id),
        side=force.side,
        name=kind.name,
        kind=kind.label,
        flight=flight_of(state, unit),
        left=100 * min(getattr(unit, box), whole) // whole if whole else None,
        most_speed=most_speed(state, battle, unit, force),
        weapon_status=1 if surprised else 3,
    )


def flight_of(state: State, unit: Unit) -> FlightRecord:
    """A unit's movement figures: a tug's movement cost is that with its pods. Bases and pods that drift stay."""
    kind = state.class_of(unit)
    return FlightRecord(
        size_class=kind.size_class,
        form=_form(kind),
        move_cost=moving_cost(state, unit) or None,
        turn_mode=turn_mode_of(kind.turn_mode),
        warp=unit.warp,
        impulse=unit.impulse,
        total_power=unit.power_boxes + unit.impulse,
        reserve=unit.battery,
        stays=_stays(kind),
        source=kind.source,
    )


def _form(kind: ShipClass) -> Form:
    if kind.unit_kind == "shuttle":
        return "shuttle"
    return "PF" if kind.unit_kind == "ship" and kind.category == "PF" else "ship"


def _stays(kind: ShipClass) -> bool:
    return kind.is_base or kind.unit_kind in ("pod", "module")


@rule("8.5.5.3.2", "8.5.5.3.9", "T3b", "T3c", "8.3.5.3.2")
def most_speed(state: State, battle: Battle, unit: Unit, force: TaskForce) -> int:
    """The fastest that a unit may have gone on turn zero: Table 3b, or what its boxes give at most if that is less. Of
    boxes that are off AWR counts first; what else turn zero costs (fire control, shields, weapons) is its captain's to
    count. PQ-17 8.5.5.3.2, 8.5.5.3.9, T3b, T3c, 8.3.5.3.2; ruling DEP-4."""
    kind = state.class_of(unit)
    if _stays(kind) or is_inactive(unit):
        return 0
    cap = speed_cap(battle_speed(state, battle, force), original_defender=force.id in battle.original)
    limits = [] if cap is None else [cap]
    if (cost := moving_cost(state, unit)) and _form(kind) != "shuttle":
        warp = max(0, unit.warp - max(0, unit.boxes_off - unit.awr)) if is_warp_on(state, force) else 0
        limits.append(min(FASTEST_BY_WARP, int(warp / cost)) + min(unit.impulse, 1))
    return min([FASTEST_BY_WARP + 1, *limits])
