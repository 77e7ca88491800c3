"""Chapter 11's routine: which repairs are needed, which ships dock for them, and what is repaired without an order.

An order stands until it is done: as long as its ship stays docked, the rest of it is filled in again next turn, and
its owner is not asked about it again. PQ-17 SOP.2.a.iv.3, 11.4.9, ruling SOP-5.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.ch10_supply.docking import Yard, can_join, join, yards
from rules_engine.rulebooks.pq17.ch11_repair.berths import (
    Workshop,
    has_repair_boxes,
    is_tender,
    may_work_on,
    position,
    workshop,
)
from rules_engine.rulebooks.pq17.ch11_repair.boxes import SELF_REPAIR, all_destroyed, blocked_by, restore
from rules_engine.rulebooks.pq17.ch11_repair.operational import wanted_points
from rules_engine.rulebooks.pq17.ch11_repair.refits import can_refit, refits_open
from rules_engine.rulebooks.pq17.ch11_repair.self_repair import most_self_repairs
from rules_engine.rulebooks.pq17.records.damage import RepairOrder
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.logistics import DockedGroup, LogisticsPlan
from rules_engine.rulebooks.pq17.records.state import State

KEPT = 10_000
"""What a docking position is worth to a ship that is being worked on: more than anything that ships could lack."""

# --- what there is to do ----------------------------------------------------------------------------------------------


@rule("11.3.4", "11.3.6")
def self_repairs_lost(unit: Unit) -> int:
    """Self-repairs that could be restored to a unit now. PQ-17 11.3.4, 11.3.6."""
    return max(0, most_self_repairs(unit) - unit.self_repairs_left)


def routine_boxes(state: State, unit: Unit) -> list[str]:
    """All repairs a unit needs: unfinished ones first, then by importance; self-repairs come last."""
    boxes = [box for box, count in all_destroyed(state, unit).items() for _ in range(count)]
    boxes += [SELF_REPAIR] * self_repairs_lost(unit)
    return _begun_first(state, unit, boxes)


@rule("11.4.9.5", "11.4.9.6")
def _begun_first(state: State, unit: Unit, boxes: list[str]) -> list[str]:
    """The same boxes, but unfinished work goes on first: its points would be lost otherwise. 11.4.9.5, 11.4.9.6."""
    held = unit.repairs.in_hand
    if held is None or held.turn < state.turn - 1 or held.box not in boxes:
        return boxes
    first = boxes.index(held.box)
    return [held.box, *boxes[:first], *boxes[first + 1 :]]


def needs_work(state: State, unit: Unit) -> bool:
    """Whether repair boxes could do something for a unit, unfinished refits included."""
    return bool(unit.repairs.refit or self_repairs_lost(unit) or all_destroyed(state, unit))


@rule("11.4.9.2.7")
def repair_needs(state: State, side: Side) -> dict[str, int]:
    """How much there is to repair of each ship in a port with repair boxes, so that it gets a docking position before
    ships that only lack supply; one that the base works on already keeps its position until that is done.

    PQ-17 11.4.9.2.7."""
    before = {one.unit: one.by for one in state.logistics.get(side, LogisticsPlan()).repairs}
    found: dict[str, int] = {}
    for yard in yards(state, side):
        units = [state.units[one] for one in yard.units]
        bases = [one.id for one in units if state.class_of(one).is_base and has_repair_boxes(state, one)]
        for unit in units if bases else ():
            if needs_work(state, unit):
                kept = KEPT if before.get(unit.id) in bases else 0
                found[unit.id] = kept + len(routine_boxes(state, unit))
    return found


@rule("11.4.9.2")
def repairers(state: State, yard: Yard) -> list[Unit]:
    """The units of a yard with repair boxes; those of what a ship carries count as its own. PQ-17 11.4.9.2."""
    hosts = (state.units[one] for one in yard.units)
    return [host for host in hosts if not host.carried_by and has_repair_boxes(state, host)]


@rule("11.4.9.9")
def serves(state: State, host: Unit, unit: Unit) -> bool:
    """Whether repair boxes could ever work on a unit: a tender's only on its own fast patrol ships. 11.4.9.9."""
    return not is_tender(state, host) or (unit.carried_by == host.id and unit.id != host.id)


# --- the routine ------------------------------------------------------------------------------------------------------


@rule("SOP.2.a.iv.3", "11.4.9")
def add_repairs(state: State, side: Side, plan: LogisticsPlan) -> None:
    """Dock damaged ships to free repair ships, and order what the repair boxes can do: what is left of last turn's
    orders, then the routine. PQ-17 SOP.2.a.iv.3, 11.4.9, ruling SOP-5."""
    before = {order.unit: order for order in state.logistics.get(side, LogisticsPlan()).repairs}
    groups = list(plan.groups)
    shops: dict[str, Workshop] = {}
    for yard in yards(state, side):
        hosts_here = repairers(state, yard)
        damaged = [state.units[one] for one in yard.units if needs_work(state, state.units[one])] if hosts_here else []
        damaged.sort(key=lambda one: (one.id not in before, -len(routine_boxes(state, one)), one.id))
        for unit in sorted(damaged, key=lambda one: _works_on_others(state, one)):
            hosts = [host for host in hosts_here if serves(state, host, unit)]
            old = before.get(unit.id)
            hosts.sort(key=lambda host: (old is None or old.by != host.id, host.id == unit.id))
            for host in hosts:
                if not _dock(state, groups, host, unit):
                    continue
                order = _routine_order(state, unit, host, old)
                if _reserve(state, shops, host, order, groups):
                    plan.repairs.append(order)
                    break
        plan.groups = groups
    plan.repairs = _with_points(state, in_turn(plan.repairs), groups)


@rule("11.4.9")
def in_turn(orders: Iterable[RepairOrder]) -> list[RepairOrder]:
    """Orders as repair boxes serve them: who takes no more than some points takes them first, and what repairs itself
    does so with what its work on others leaves. PQ-17 11.4.9, ruling PQ-195."""
    return sorted(orders, key=lambda one: (one.by == one.unit, one.most is None))


def _with_points(state: State, orders: Sequence[RepairOrder], groups: Sequence[DockedGroup]) -> list[RepairOrder]:
    """Those among the orders that get points when they are served one after the other."""
    shops: dict[str, Workshop] = {}
    return [one for one in orders if _reserve(state, shops, state.units[one.by], one, groups)]


def _works_on_others(state: State, unit: Unit) -> int:
    """What serves others is repaired after them, by boxes that are left over; a base, which serves most, comes last."""
    return has_repair_boxes(state, unit) + state.class_of(unit).is_base


@rule("10.3.7.2", "11.4.9.2.7")
def _dock(state: State, groups: list[DockedGroup], host: Unit, unit: Unit) -> bool:
    """Whether the two are docked, or now could be. PQ-17 10.3.7.2, 11.4.9.2.7."""
    for first, second in ((host.id, unit.id), (unit.id, host.id)):
        if not may_work_on(state, host, unit, groups) and can_join(state, groups, first, second):
            join(groups, first, second)
    return may_work_on(state, host, unit, groups)


def _routine_order(state: State, unit: Unit, host: Unit, old: RepairOrder | None) -> RepairOrder:
    if unit.repairs.refit is not None and can_refit(state, host):
        return RepairOrder(unit=unit.id, by=host.id, refit=unit.repairs.refit.name)
    order = RepairOrder(unit=unit.id, by=host.id, boxes=routine_boxes(state, unit))
    left = _left_of(state, unit, old.boxes) if old is not None and old.by == host.id and not old.refit else []
    if old is not None and left:
        order.boxes, order.most, order.uncripple = left, old.most, old.uncripple
    return order


@rule("11.2.6", "11.4.9.3.3", "11.4.9.3.4")
def _left_of(state: State, unit: Unit, boxes: Iterable[str]) -> list[str]:
    """What is left to do of an order: not what has been repaired otherwise since (in a battle, say), nor what has to
    wait now for other boxes that were destroyed since. PQ-17 11.2.6, 11.4.9.3.3, 11.4.9.3.4, ruling SOP-5."""
    twin = unit.copied()
    needed = Counter(routine_boxes(state, unit))
    left: list[str] = []
    for box in boxes:
        if not needed[box] or blocked_by(state, twin, box):
            continue
        needed[box] -= 1
        left.append(box)
        restore(state, twin, box)
    return _begun_first(state, unit, left)


def _reserve(
    state: State, shops: dict[str, Workshop], host: Unit, order: RepairOrder, groups: Sequence[DockedGroup]
) -> bool:
    """Take an order's points from its workshop; False where there are none."""
    shop = shops.setdefault(host.id, workshop(state, host))
    unit = state.units[order.unit]
    return shop.give(unit.id, position(state, groups, unit), wanted_points(state, unit, order)) > 0


@rule("11.4.9.9")
def add_base_repairs(state: State, side: Side, plan: LogisticsPlan) -> None:
    """Plan that bases with repair boxes to spare repair themselves, without an order. PQ-17 11.4.9.9, ruling PQ-111."""
    served = {order.unit for order in plan.repairs} | set(plan.units)
    for tf in state.all_task_forces(side):
        for unit in state.units_of(tf) if tf.is_base else ():
            if unit.id not in served and has_repair_boxes(state, unit) and needs_work(state, unit):
                plan.in_port = {**plan.in_port, unit.id: tf.id}
                plan.repairs.append(RepairOrder(unit=unit.id, by=unit.id, boxes=routine_boxes(state, unit)))


def new_repairs(state: State, side: Side, proposal: LogisticsPlan) -> bool:
    """Whether the routine would repair a unit that last turn's plan did not, or one with other repair boxes."""
    before = {(one.unit, one.by) for one in state.logistics.get(side, LogisticsPlan()).repairs}
    return any((one.unit, one.by) not in before for one in proposal.repairs)


@rule("11.5.2", "11.5.3")
def new_refits(state: State, proposal: LogisticsPlan) -> list[str]:
    """Units of the plan that could be given a refit where they are. PQ-17 11.5.2, 11.5.3."""
    units = [state.units[one] for one in proposal.units]
    if not any(can_refit(state, one) and has_repair_boxes(state, one) for one in units):
        return []
    return [one.id for one in units if refits_open(state, one)]
