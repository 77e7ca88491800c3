"""The tables that a side can look up: its victory points by period and line, and what each of its units carries."""

from collections.abc import Sequence
from fractions import Fraction

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.side_tables import SideTable
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.pq17.ch10_supply.stores import cargo_boxes, cargo_used, held, holdings, say_goods
from rules_engine.rulebooks.pq17.nations.victory_points import lines_for, signed
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import TURNS_A_PERIOD
from rules_engine.rulebooks.pq17.tables.supply import Goods


def side_tables(state: State, side: Side, knowledge: Knowledge) -> Sequence[SideTable]:
    """All tables of a side. Of the other side only the lines of victory points that this side was told are read."""
    del knowledge
    return (_points(state, side), _periods(state, side), _stores(state, side))


@rule("1.2.2")
def period_of(turn: int) -> int:
    """The operational period of a turn. PQ-17 1.2.2."""
    return (max(1, turn) - 1) // TURNS_A_PERIOD + 1


@rule("2.1", "T5.note2")
def _points(state: State, side: Side) -> SideTable:
    """Every line, with the running total. PQ-17 2.1, T5.note2."""
    total = Fraction(0)
    rows: list[tuple[str, ...]] = []
    for line in lines_for(state, side):
        total += line.amount
        when = f"{line.turn}.{line.impulse}" if line.impulse else str(line.turn)
        rows.append((str(period_of(line.turn)), when, line.line, signed(line.amount), signed(total), line.text))
    return SideTable(
        key="points",
        title="Victory points, line by line",
        columns=("Period", "Turn", "Line", "Points", "Total", "For what"),
        rows=tuple(rows),
        note="Alliance points count up, Coalition points down. What your side may not know yet is not in the total.",
    )


@rule("SOP.3.b")
def _periods(state: State, side: Side) -> SideTable:
    """The sum of each line in each period. PQ-17 SOP.3.b."""
    sums: dict[tuple[int, str], Fraction] = {}
    for line in lines_for(state, side):
        key = (period_of(line.turn), line.line)
        sums[key] = sums.get(key, Fraction(0)) + line.amount
    rows = [(str(period), line, signed(sums[period, line])) for period, line in sorted(sums)]
    return SideTable(
        key="periods", title="Victory points by period and line", columns=("Period", "Line", "Points"), rows=tuple(rows)
    )


@rule("9.1", "10.2.2")
def _stores(state: State, side: Side) -> SideTable:
    """Fuel and everything aboard, unit by unit. PQ-17 9.1, 10.2.2."""
    rows = [_store_row(state, tf, unit) for tf in state.all_task_forces(side) for unit in state.units_of(tf)]
    return SideTable(
        key="stores",
        title="Fuel and stores by unit",
        columns=("Unit", "Class", "Task force", "Hex", "Fuel", "Cargo boxes", "Aboard"),
        rows=tuple(rows),
    )


def _store_row(state: State, tf: TaskForce, unit: Unit) -> tuple[str, ...]:
    carried = [(goods, held(unit, goods)) for goods in (Goods.SUPPLY, Goods.REPAIR)]
    aboard = [(Goods.FUEL, unit.fuel_cargo), *carried, *holdings(unit)]
    return (
        unit.name,
        f"{unit.class_id}{', invented' if state.class_of(unit).invented else ''}",
        tf.id,
        tf.hex,
        f"{show_fraction(unit.fuel)} of {unit.power_boxes}",
        f"{cargo_used(unit)} of {cargo_boxes(unit)}",
        say_goods(aboard),
    )
