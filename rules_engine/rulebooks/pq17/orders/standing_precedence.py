"""Which standing orders a task force obeys: its own, its side's, or a preset."""

from collections.abc import Iterator

from rules_engine.core.basics.base import Side
from rules_engine.core.standing.precedence import Layer, giver_of
from rules_engine.rulebooks.pq17.records.forces import TaskForce
from rules_engine.rulebooks.pq17.records.standing_orders import (
    NO_ORDERS,
    AttackOrder,
    Move,
    SearchOrder,
    ShadowOrder,
    StandingClauses,
    asks_of,
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
"""The preset of convoys, and of freighters and tugs without a warship, for contacts: a search would cost every ship
fuel, and their errand cannot wait. Own ruling PQ-149."""
CONVOYS = "the usual orders of convoys"


def side_orders(state: State, side: Side) -> StandingClauses:
    """The orders of a side as a whole, with every clause filled in."""
    return resolved(state.doctrine[side].orders if side in state.doctrine else NO_ORDERS)


def orders_of(state: State, tf: TaskForce) -> StandingClauses:
    """The orders that a task force obeys now, with every clause filled in."""
    return resolved(*_all_orders(state, tf))


def move_of(state: State, tf: TaskForce) -> Move | None:
    """How a task force plots while it is in contact, by its orders."""
    for orders in _all_orders(state, tf):
        if orders is not None and orders.move is not None:
            return orders.move
    return orders_of(state, tf).move


def layers_of(state: State, tf: TaskForce) -> Iterator[Layer[StandingClauses]]:
    """The orders that a task force has, the most specific first."""
    own = f"{tf.id}'s orders for this contact", f"{tf.id}'s standing orders"
    every = zip((*own, CONVOYS, "your side's standing orders"), _all_orders(state, tf), strict=True)
    return (Layer(name, orders) for name, orders in every if orders is not None)


def _all_orders(state: State, tf: TaskForce) -> Iterator[StandingClauses | None]:
    """A task force's orders for the present contact, its own, the preset if it keeps out of contacts, its side's."""
    of_side = state.doctrine[tf.side].orders if tf.side in state.doctrine else None
    yield tf.meeting
    yield tf.doctrine
    yield CONVOY if asks_of(tf.meeting, tf.doctrine, of_side) == "contact" and keeps_out(state, tf) else None
    yield of_side


def keeps_out(state: State, tf: TaskForce) -> bool:
    """Whether a task force avoids contacts: a convoy on its errand, or freighters and tugs without a warship."""
    if tf.is_base or not tf.units:
        return False
    if any(unit in state.progress.errands and state.progress.errands[unit].unload for unit in tf.units):
        return True
    kinds = (state.class_of(state.units[unit_id]) for unit_id in tf.units)
    return not any(kind.unit_kind == "ship" and kind.is_warship for kind in kinds)


def whose(state: State, tf: TaskForce, clause: str) -> str:
    """The name of the layer that a clause comes from: the most specific that has it, or the preset."""
    layer = giver_of(layers_of(state, tf), clause)
    return layer.name if layer is not None else "the usual orders"
