"""What a side sees of its own stores: fuel and supply by unit, drones by nation, and the plan of this turn."""

from collections.abc import Iterable

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.views import Panel
from rules_engine.rulebooks.pq17.ch10_supply.drones import Inventory, inventories
from rules_engine.rulebooks.pq17.plotting import read_back, stores_text
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.supply import DRONE_KINDS


@rule("10.1.1")
def stores_panels(state: State, side: Side, title: str = "Stores") -> tuple[Panel, ...]:
    """A side's own stores; none where it has none. For its owner alone. PQ-17 10.1.1."""
    rows = (*_unit_rows(state, side), *_drone_rows(state, side), *_plan_rows(state, side))
    return (Panel(title=title, rows=rows),) if rows else ()


def _unit_rows(state: State, side: Side) -> Iterable[str]:
    for tf in state.all_task_forces(side):
        units = [(unit.name, stores_text(unit)) for unit in state.units_of(tf)]
        if any(text for _, text in units):
            yield f"{tf.label} in {tf.hex}"
            yield from (f"  {name}: {text}" for name, text in units if text)


def _drone_rows(state: State, side: Side) -> Iterable[str]:
    for one in inventories(state, side).values():
        if one.total:
            yield f"Drones of {one.nation}: {', '.join(_level(one))}"


def _level(one: Inventory) -> Iterable[str]:
    for goods in DRONE_KINDS:
        most = (
            ""
            if goods is DRONE_KINDS[0] or not one.storage
            else f" (at most {show_fraction(one.shares[goods])} of all)"
        )
        yield f"{one.drones[goods]} {goods.value}{most}"


def _plan_rows(state: State, side: Side) -> Iterable[str]:
    plan = state.logistics.get(side)
    if plan is not None and (plan.groups or plan.transfers) and not plan.done:
        yield "This turn:"
        yield from (f"  {text}" for text in read_back(state, plan))
