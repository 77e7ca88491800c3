"""A side's stores and work at a glance, base by base and force by force: supply, fuel, repair points, repairs, refits
and bases under way (chapters 9, 10, 11 and 1.8.12). For its owner alone."""

from collections.abc import Iterable
from fractions import Fraction

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.economy.holdings import Economy, EconomyFigure, EconomyPlace, QueuedWork
from rules_engine.rulebooks.pq17.ch10_supply.routine import routine_of
from rules_engine.rulebooks.pq17.ch10_supply.standing_lines import standing_said
from rules_engine.rulebooks.pq17.ch10_supply.stores import cargo_boxes, cargo_used
from rules_engine.rulebooks.pq17.ch11_repair.losses import losses
from rules_engine.rulebooks.pq17.ch11_repair.plan import damage_text
from rules_engine.rulebooks.pq17.ch11_repair.refits import refit_left
from rules_engine.rulebooks.pq17.ch11_repair.routine import needs_work
from rules_engine.rulebooks.pq17.records.construction import BuildOrder
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit
from rules_engine.rulebooks.pq17.records.logistics import LogisticsPlan
from rules_engine.rulebooks.pq17.records.state import State

BUILDS = {"build": "Builds", "extend": "Extends", "activate": "Puts to work:"}


@rule("9.1", "10.1.1", "10.2.7.2", "11.2.3")
def economy(state: State, side: Side) -> Economy:
    """All stores of a side, and what is under way. PQ-17 9.1, 10.1.1, 10.2.7.2, 11.2.3."""
    forces = state.all_task_forces(side)
    units = [unit for tf in forces for unit in state.units_of(tf)]
    received = sum(tf.base.supply for tf in forces if tf.base is not None)
    figures = [EconomyFigure(name="Supply received a turn", value=str(received))] if received else []
    stands = routine_of(state, side).lines
    standing = [EconomyFigure(name="Each turn by your orders", value=standing_said(state, stands))] if stands else []
    return Economy(
        figures=(*figures, *_figures(units), *standing) if forces else (),
        places=tuple(_place(state, side, tf) for tf in sorted(forces, key=lambda tf: (tf.hex, not tf.is_base))),
        losses=tuple(losses(state, side)) if forces else (),
    )


def _figures(units: Iterable[Unit]) -> list[EconomyFigure]:
    """Fuel, supply, repair points and cargo boxes of these together."""
    held = list(units)
    fuel = sum((unit.fuel for unit in held), Fraction(0))
    told = [("Fuel", f"{show_fraction(fuel)} of {sum(unit.power_boxes for unit in held)}")]
    if carried := sum((unit.fuel_cargo for unit in held), Fraction(0)):
        told.append(("Fuel in cargo", show_fraction(carried)))
    if boxes := sum(cargo_boxes(unit) for unit in held):
        told += [("Supply", str(sum(unit.supply for unit in held)))]
        told += [("Cargo boxes in use", f"{sum(cargo_used(unit) for unit in held)} of {boxes}")]
    if points := sum(unit.repair_points for unit in held):
        told.append(("Repair points", str(points)))
    return [EconomyFigure(name=name, value=value) for name, value in told]


def _place(state: State, side: Side, tf: TaskForce) -> EconomyPlace:
    units = state.units_of(tf)
    plan = state.logistics.get(side, LogisticsPlan())
    figures = _figures(units)
    if tf.base is not None and tf.base.supply:
        figures.insert(0, EconomyFigure(name="Receives a turn", value=f"{tf.base.supply} supply"))
    queue = [work for unit in units for work in _work_on(state, plan, unit)]
    queue += [_building(state, order) for order in plan.builds if order.task_force == tf.id]
    name = f"{tf.base.name} ({tf.label})" if tf.base is not None and tf.base.name != tf.label else tf.label
    return EconomyPlace(hex=tf.hex, name=name, figures=tuple(figures), queue=tuple(queue))


@rule("11.4.9.5", "11.5.4")
def _work_on(state: State, plan: LogisticsPlan, unit: Unit) -> Iterable[QueuedWork]:
    """A unit's damage and who works on it this turn, and its refit. PQ-17 11.4.9.5, 11.5.4."""
    order = next((one for one in plan.repairs if one.unit == unit.id), None)
    refit = unit.repairs.refit.name if unit.repairs.refit is not None else order.refit if order is not None else ""
    by = "" if order is None else "itself" if order.by == unit.id else state.units[order.by].name
    if refit:
        done = f"{refit_left(state, unit, refit)} CDR points to go" + (f", by {by}" if by else ", nobody works on it")
        yield QueuedWork(what=f"{unit.name}: refit {refit}", done=done)
    elif needs_work(state, unit) or unit.repairs.in_hand is not None:
        done = f"repaired by {by} this turn" if by else "nobody is to repair it"
        yield QueuedWork(what=f"{unit.name}, {damage_text(state, unit)}", done=done)


@rule("1.8.12.7")
def _building(state: State, order: BuildOrder) -> QueuedWork:
    """A base that a task force builds, extends or puts to work this turn. PQ-17 1.8.12.7."""
    subject = state.classes[order.subject].name if order.what == "build" else state.units[order.subject].name
    return QueuedWork(what=f"{BUILDS[order.what]} {subject}", done="interrupted" if order.disturbed else "this turn")
