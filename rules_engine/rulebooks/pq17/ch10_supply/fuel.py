"""Chapter 9: fuel. Every unit pays its own share in exact fractions; nothing is pooled or rounded."""

from collections.abc import Iterable
from fractions import Fraction

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.ch10_supply.stores import fill as fill_stores
from rules_engine.rulebooks.pq17.records.forces import TaskForce, TowGroup, Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import (
    FUEL_PER_HEX,
    FUEL_PER_USE,
    IMPULSES,
    FuelUse,
    Speed,
    moving_impulses,
)
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass

NOTHING = Fraction(0)
BASE_COMBAT_MOVE_COST = Fraction(1, 4)
"""The movement cost by which a base pays for combat while it uses AWR power. PQ-17 1.8.3."""


@rule("10.3.7.2.2")
def carried_pods(state: State, unit: Unit) -> list[Unit]:
    """The pods that a tug carries with it. PQ-17 10.3.7.2.2."""
    if not state.class_of(unit).pod_slots:
        return []
    tf = state.tf_of(unit.id)
    return [] if tf is None else [one for one in state.units_of(tf) if one.carried_by == unit.id and is_pod(state, one)]


def is_pod(state: State, unit: Unit) -> bool:
    """Whether it is a tug's pod."""
    return state.class_of(unit).unit_kind == "pod"


def moving_cost(state: State, unit: Unit) -> Fraction:
    """A unit's movement cost with its pods; nothing for a load. PQ-17 ruling FUE-5."""
    unit_class = state.classes[unit.class_id]
    if _moves_alone(unit, unit_class):
        return unit_class.move_cost
    tf = state.tf_of(unit.id)
    if tf is not None and state.is_load(tf, unit):
        return NOTHING
    return sum((state.class_of(one).move_cost for one in (unit, *carried_pods(state, unit))), NOTHING)


def _moves_alone(unit: Unit, unit_class: ShipClass) -> bool:
    """Whether nothing carries it and it can carry no pods, so that it pays the cost of its class: most units do."""
    return not unit.carried_by and not unit_class.pod_slots


@rule("T1", "1.8.3", "1.8.4", "6.3.2.2", "8.3.4.2")
def cost(state: State, unit: Unit, kind: FuelUse) -> Fraction:
    """Fuel points that one unit pays for ``kind``, whether or not it has them. Bases search free, and fight at a
    movement cost of 1/4 if they have AWR boxes. PQ-17 T1, 1.8.3, 1.8.4, 6.3.2.2, 8.3.4.2, rulings BAS-8, PST-3."""
    unit_class = state.classes[unit.class_id]
    if unit_class.is_base:
        return FUEL_PER_USE[kind] * BASE_COMBAT_MOVE_COST if kind == "combat" and unit.awr else NOTHING
    if _moves_alone(unit, unit_class):
        return unit_class.fuel_per_use[kind]
    return FUEL_PER_USE[kind] * moving_cost(state, unit)


@rule("8.3.4.3")
def due(state: State, unit: Unit, kind: FuelUse) -> Fraction:
    """What the unit still has to pay: combat is paid once an impulse. PQ-17 8.3.4.3."""
    return NOTHING if kind == "combat" and unit.marks.paid_combat else cost(state, unit, kind)


@rule("9.6")
def short_of(state: State, tf: TaskForce, kind: FuelUse) -> list[Unit]:
    """The units of a task force that cannot pay for ``kind``. PQ-17 9.6, rulings REC-3, CMB-2."""
    return [unit for unit in state.units_of(tf) if not has_fuel(unit, due(state, unit, kind))]


def has_fuel(unit: Unit, price: Fraction, times: int = 1) -> bool:
    """Whether a unit can pay a price so often; in whole numbers, as it is asked of every ship in every half impulse."""
    (fuel, parts), (points, pieces) = unit.fuel.as_integer_ratio(), price.as_integer_ratio()
    return fuel * pieces >= times * points * parts


@rule("6.3.2.1", "8.3.4.1", "9.6")
def can_pay(state: State, tf: TaskForce, kind: FuelUse) -> bool:
    """Whether every unit of the task force has its own share. PQ-17 6.3.2.1, 8.3.4.1, 9.6."""
    return all(has_fuel(unit, due(state, unit, kind)) for unit in map(state.units.__getitem__, tf.units))


@rule("6.3.2.2", "8.3.4.2", "9.3")
def pay(state: State, tf: TaskForce, kind: FuelUse) -> None:
    """Expend fuel of every unit for ``kind``. Combat is marked as paid for this impulse.

    Raises:
        ValueError: when a unit cannot pay; nothing is then expended. PQ-17 6.3.2.2, 8.3.4.2, 9.3.
    """
    short = short_of(state, tf, kind)
    if short:
        raise ValueError(f"{', '.join(unit.id for unit in short)} cannot pay for {kind}")
    for unit in state.units_of(tf):
        unit.fuel -= due(state, unit, kind)
        if kind == "combat":
            unit.marks = unit.marks.marked("paid_combat")


# --- an Original Defender's reduced payment -------------------------------------------------------------------------


@rule("8.3.5.3.3", "9.7")
def reduced_combat_cost(state: State, unit: Unit, boxes_off: int) -> Fraction:
    """The fuel cost of combat with ``boxes_off`` warp and AWR boxes turned off. PQ-17 8.3.5.3.3, 9.7, ruling CMB-9."""
    full = cost(state, unit, "combat")
    if unit.power_boxes == 0:
        return full
    return full * Fraction(unit.power_boxes - boxes_off, unit.power_boxes)


@rule("8.3.5.3.6")
def cost_of_one_box(state: State, unit: Unit) -> Fraction:
    """The fuel points that one warp or AWR box costs that goes on again during the battle, for a unit that has any.

    PQ-17 8.3.5.3.6."""
    return cost(state, unit, "combat") / unit.power_boxes


@rule("8.3.5.2.1")
def least_boxes_off(state: State, unit: Unit) -> int:
    """How many boxes must be turned off so that the unit can pay with the fuel it has.

    PQ-17 8.3.5.2.1, ruling CMB-9."""
    full = cost(state, unit, "combat")
    if unit.marks.paid_combat or full <= unit.fuel:
        return 0
    return unit.power_boxes - int(unit.power_boxes * unit.fuel / full)


# --- movement -------------------------------------------------------------------------------------------------------


@rule("T1", "5.1.3", "5.4.7.1", "5.4.7.2", "5.4.7.3.2")
def hex_cost(state: State, tf: TaskForce, unit: Unit, speed: Speed) -> Fraction:
    """Fuel points that one movement point costs one unit at ``speed``. A towed group's total is shared by active warp
    boxes; ships with all of them off pay nothing. A ship that warp-crawls in a task force on impulse power alone pays
    nothing either. PQ-17 T1, 5.1.3, 5.4.7.1, 5.4.7.2, 5.4.7.3.2, ruling TOW-3."""
    group = group_of(tf, unit) if tf.tows else None
    if group is not None:
        return _towed_hex_cost(state, group, unit, speed)
    return hex_cost_alone(state, unit, speed) if unit.warp else NOTHING


@rule("T1")
def hex_cost_alone(state: State, unit: Unit, speed: Speed) -> Fraction:
    """Fuel points that one movement point under warp costs a unit that nobody tows. PQ-17 T1."""
    unit_class = state.classes[unit.class_id]
    if _moves_alone(unit, unit_class):
        return unit_class.fuel_per_hex[speed]
    return FUEL_PER_HEX[speed] * moving_cost(state, unit)


@rule("5.4.7.1", "5.4.7.2", "5.4.7.3.2")
def _towed_hex_cost(state: State, group: TowGroup, unit: Unit, speed: Speed) -> Fraction:
    """One unit's share of what a towed group pays for one movement point. PQ-17 5.4.7.1, 5.4.7.2, 5.4.7.3.2."""
    members = [state.units[unit_id] for unit_id in (group.tower, *group.towed)]
    boxes = sum(group.active_warp(one) for one in members)
    total = FUEL_PER_HEX[speed] * sum((moving_cost(state, one) for one in members), NOTHING)
    return total * Fraction(group.active_warp(unit), boxes) if boxes else NOTHING


@rule("5.4.4")
def group_of(tf: TaskForce, unit: Unit) -> TowGroup | None:
    """The towing arrangement a unit is part of. PQ-17 5.4.4."""
    for tow in tf.tows:
        if unit.id == tow.tower or unit.id in tow.towed:
            return tow
    return None


@rule("5.1.2", "5.1.4", "9.5")
def can_move(state: State, tf: TaskForce, speed: Speed, points: int = 1) -> bool:
    """Whether every unit has fuel for that many movement points at ``speed``. PQ-17 5.1.2, 5.1.4, 9.5."""
    if not points or not FUEL_PER_HEX[speed]:
        return True
    costs = [(unit, hex_cost(state, tf, unit, speed)) for unit in map(state.units.__getitem__, tf.units)]
    return all(has_fuel(unit, cost, points) for unit, cost in costs)


@rule("T2")
def points_left(speed: Speed, impulses: Iterable[int], crawl_turns: int) -> int:
    """Movement points that the impulse chart grants over ``impulses``. PQ-17 T2, ruling SPD-5."""
    moving = moving_impulses(speed, crawl_turns)
    return len([impulse for impulse in impulses if impulse in moving])


@rule("5.1.4", "7.4.3.3", "7.4.4.2")
def can_sustain(state: State, tf: TaskForce, speed: Speed, *, crawl_turns: int, from_impulse: int = 1) -> bool:
    """Whether every unit has fuel for ``speed`` to the end of the turn. ``crawl_turns`` counts this turn.

    PQ-17 5.1.4, 7.4.3.3, 7.4.4.2, ruling SPD-5."""
    left = [impulse for impulse in IMPULSES if impulse >= from_impulse]
    return can_move(state, tf, speed, points_left(speed, left, crawl_turns))


@rule("5.3.4", "SOP.2.b.i.7", "9.3")
def pay_move(state: State, tf: TaskForce, speed: Speed) -> None:
    """Expend one movement point's fuel of every unit. PQ-17 5.3.4, 9.3, SOP.2.b.i.7, ruling MOV-1.

    Raises:
        ValueError: when a unit cannot pay; nothing is then expended.
    """
    costs = [(unit, hex_cost(state, tf, unit, speed)) for unit in state.units_of(tf)]
    if not all(has_fuel(unit, amount) for unit, amount in costs):
        raise ValueError(f"{tf.id} cannot pay for a hex at {speed}")
    for unit, amount in costs:
        if amount:
            unit.fuel -= amount


@rule("8.5.6.4.1")
def acceleration_cost(state: State, tf: TaskForce, unit: Unit, before: Speed, after: Speed) -> Fraction:
    """The penalty for raising speed after a battle: the difference in the cost of one hex.

    PQ-17 8.5.6.4.1, ruling WPR-6."""
    if after.level <= before.level:
        return NOTHING
    return max(NOTHING, hex_cost(state, tf, unit, after) - hex_cost(state, tf, unit, before))


# --- capacity -------------------------------------------------------------------------------------------------------


@rule("9.4")
def fill(state: State, unit: Unit) -> None:
    """Fill a new unit: engines, cargo and all stores. PQ-17 9.4, ruling FUE-4."""
    fill_stores(state.class_of(unit), unit)
