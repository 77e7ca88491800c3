"""Chapter 10.2.7.2: implicit supply, which a base simply receives every turn if the scenario says so."""

from fractions import Fraction

from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch10_supply.stores import cargo_room, own_room, put
from rules_engine.rulebooks.pq17.records.forces import TaskForce
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.supply import Goods


@rule("10.2.7.2", "10.2.7")
def deliver_implicit_supply(turn: TurnContext[State]) -> None:
    """Every base that a scenario supplies gets its points. PQ-17 10.2.7, 10.2.7.2, ruling SUP-8."""
    state = turn.state
    for tf in state.all_task_forces():
        if tf.base is not None and tf.base.supply:
            lost = receive(state, tf, tf.base.supply)
            over = f"; {lost} found no room and were lost" if lost else ""
            text = f"{tf.base.name} received {tf.base.supply} supply points{over}."
            turn.tell([tf.side], text, kind="supply", why=because("PQ-17 10.2.7.2"))


@rule("10.2.7.2")
def receive(state: State, base: TaskForce, points: int) -> int:
    """Store supply points in empty cargo boxes, then as repair points in repair boxes and DAMCON tracks: of the base
    first, then of units in port with it. Returns the points lost. PQ-17 10.2.7.2."""
    left = Fraction(points)
    for goods in (Goods.SUPPLY, Goods.REPAIR):
        for tf in state.port_group(base):
            for unit in state.units_of(tf):
                kind = state.class_of(unit)
                fits = cargo_room(unit, goods) if goods is Goods.SUPPLY else own_room(kind, unit, goods)
                stored = Fraction(min(left, fits))
                put(kind, unit, goods, stored)
                left -= stored
    return int(left)
