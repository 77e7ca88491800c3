"""Whose standing orders a task force obeys."""

from collections.abc import Sequence
from typing import NamedTuple

from rules_engine.core.basics.base import Side
from rules_engine.rulebooks.pq17.records.forces import TaskForce
from rules_engine.rulebooks.pq17.records.standing_orders import (
    NO_ORDERS,
    AttackOrder,
    SearchOrder,
    ShadowOrder,
    StandingClauses,
    resolved,
)
from rules_engine.rulebooks.pq17.records.state import State

CONVOY = StandingClauses(
    search=SearchOrder(what="never"),
    shadow=ShadowOrder(what="never"),
    attack=AttackOrder(what="never"),
    raid="never",
    sweep="never",
    move="go on",
)
"""What convoys, and freighters and tugs without a warship, do about contacts unless they have orders of their own: a
search would burn the fuel of every ship, and their errand cannot wait. Own ruling PQ-149."""
CONVOYS = "the usual orders of convoys"


class Layer(NamedTuple):
    """Orders, and what their owner calls them."""

    name: str
    orders: StandingClauses


def side_orders(state: State, side: Side) -> StandingClauses:
    """What holds for a side as a whole: every clause."""
    return resolved(state.doctrine[side].orders if side in state.doctrine else NO_ORDERS)


def orders_of(state: State, tf: TaskForce) -> StandingClauses:
    """What a task force obeys now: every clause."""
    return resolved(*(layer.orders for layer in layers_of(state, tf)))


def layers_of(state: State, tf: TaskForce) -> Sequence[Layer]:
    """The orders that a task force has, nearest first."""
    of_side = state.doctrine[tf.side].orders if tf.side in state.doctrine else None
    convoy = CONVOY if keeps_out(state, tf) and resolved(tf.meeting, tf.doctrine, of_side).asks == "contact" else None
    found = [
        (f"{tf.id}'s orders for this contact", tf.meeting),
        (f"{tf.id}'s standing orders", tf.doctrine),
        (CONVOYS, convoy),
        ("your side's standing orders", of_side),
    ]
    return [Layer(name, orders) for name, orders in found if orders is not None]


def keeps_out(state: State, tf: TaskForce) -> bool:
    """Whether it is a convoy on its errand, or freighters and tugs without a warship."""
    if tf.is_base or not tf.units:
        return False
    if any(unit in state.progress.errands and state.progress.errands[unit].unload for unit in tf.units):
        return True
    kinds = [state.class_of(unit) for unit in state.units_of(tf)]
    return not any(kind.unit_kind == "ship" and kind.is_warship for kind in kinds)


def whose(state: State, tf: TaskForce, clause: str) -> str:
    """Who gave a clause: the nearest that has it; the usual where nobody did."""
    given = (layer.name for layer in layers_of(state, tf) if getattr(layer.orders, clause) is not None)
    return next(given, "the usual orders")
