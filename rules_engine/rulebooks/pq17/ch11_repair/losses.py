"""What a side will lose of its stores and of work begun, by its own figures: for its economy and before a deadline."""

from collections.abc import Collection, Iterable
from fractions import Fraction

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.ch10_supply.fuel import can_sustain
from rules_engine.rulebooks.pq17.ch10_supply.stores import cargo_room, own_room, put
from rules_engine.rulebooks.pq17.ch11_repair.boxes import box_name
from rules_engine.rulebooks.pq17.records.forces import TaskForce
from rules_engine.rulebooks.pq17.records.logistics import LogisticsPlan
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import FUEL_PER_HEX
from rules_engine.rulebooks.pq17.tables.supply import Goods


def losses(state: State, side: Side, plan: LogisticsPlan | None = None) -> list[str]:
    """All of it, a sentence each with its rule; of repairs by that ``plan`` (None: the one that is in force)."""
    forces = state.all_task_forces(side)
    ordered = {order.unit for order in (plan or state.logistics.get(side, LogisticsPlan())).repairs}
    return [*_without_room(state, forces), *_short_of_fuel(state, forces), *_left_unfinished(state, forces, ordered)]


@rule("10.2.7.2")
def supply_without_room(state: State, base: TaskForce) -> int:
    """How many of the supply points that a base receives in a turn find no room, as its stores are now.
    PQ-17 10.2.7.2."""
    left = Fraction(base.base.supply if base.base is not None else 0)
    twins = [(state.class_of(unit), unit.copied()) for tf in state.port_group(base) for unit in state.units_of(tf)]
    for goods in (Goods.SUPPLY, Goods.REPAIR):
        for kind, twin in twins:
            fits = cargo_room(twin, goods) if goods is Goods.SUPPLY else own_room(kind, twin, goods)
            stored = Fraction(min(left, fits))
            put(kind, twin, goods, stored)
            left -= stored
    return int(left)


@rule("10.2.7.2")
def _without_room(state: State, forces: Iterable[TaskForce]) -> Iterable[str]:
    """Supply points that a base will receive and cannot store. PQ-17 10.2.7.2."""
    for tf in forces:
        if tf.base is not None and tf.base.supply and (lost := supply_without_room(state, tf)):
            yield (
                f"{tf.base.name} receives {tf.base.supply} supply points in a turn, and {lost} find no room and are "
                "lost (PQ-17 10.2.7.2)."
            )


@rule("5.1.4")
def _short_of_fuel(state: State, forces: Iterable[TaskForce]) -> Iterable[str]:
    """Task forces that could not keep their speed for another whole turn. PQ-17 5.1.4."""
    for tf in forces:
        crawled = max((unit.crawl_turns for unit in state.units_of(tf)), default=0)
        if FUEL_PER_HEX[tf.speed] and not can_sustain(state, tf, tf.speed, crawl_turns=crawled + 1):
            yield f"{tf.label} has no fuel for another whole turn at {tf.speed.label} (PQ-17 5.1.4)."


@rule("11.4.9.6")
def _left_unfinished(state: State, forces: Iterable[TaskForce], ordered: Collection[str]) -> Iterable[str]:
    """Points of unfinished boxes of units for which no repair is ordered. PQ-17 11.4.9.6, ruling REP-3."""
    for tf in forces:
        for unit in state.units_of(tf):
            held = unit.repairs.in_hand
            if held is not None and held.points and unit.id not in ordered:
                yield (
                    f"{counted(held.points, 'CDR point')} put into {box_name(held.box)} of {unit.name} are lost unless "
                    "work on it goes on (PQ-17 11.4.9.6)."
                )
