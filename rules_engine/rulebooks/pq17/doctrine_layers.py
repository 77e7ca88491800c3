"""Whose standing orders a task force obeys."""

from collections.abc import Sequence
from typing import NamedTuple

from rules_engine.core.base import Side
from rules_engine.rulebooks.pq17.doctrine import NO_ORDERS, Orders, resolved
from rules_engine.rulebooks.pq17.state import State, TaskForce


class Layer(NamedTuple):
    """Orders, and what their owner calls them."""

    name: str
    orders: Orders


def side_orders(state: State, side: Side) -> Orders:
    """What holds for a side as a whole: every clause."""
    return resolved(state.doctrine[side].orders if side in state.doctrine else NO_ORDERS)


def orders_of(state: State, tf: TaskForce) -> Orders:
    """What a task force obeys now: every clause."""
    return resolved(*(layer.orders for layer in layers_of(state, tf)))


def layers_of(state: State, tf: TaskForce) -> Sequence[Layer]:
    """The orders that a task force has, nearest first."""
    found = [
        (f"{tf.id}'s orders for this contact", tf.meeting),
        (f"{tf.id}'s standing orders", tf.doctrine),
        ("your side's standing orders", state.doctrine[tf.side].orders if tf.side in state.doctrine else None),
    ]
    return [Layer(name, orders) for name, orders in found if orders is not None]


def whose(state: State, tf: TaskForce, clause: str) -> str:
    """Who gave a clause: the nearest that has it; the usual where nobody did."""
    given = (layer.name for layer in layers_of(state, tf) if getattr(layer.orders, clause) is not None)
    return next(given, "the usual orders")
