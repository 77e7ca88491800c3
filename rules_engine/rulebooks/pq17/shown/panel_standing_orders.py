"""The panel of a side's standing orders, for itself only."""

from collections.abc import Iterator

from rules_engine.core.basics.base import Side
from rules_engine.core.knowledge.views import STANDING_ORDERS, Panel
from rules_engine.rulebooks.pq17.orders.standing_precedence import CONVOY, keeps_out, side_orders
from rules_engine.rulebooks.pq17.orders.standing_read_back import say_orders
from rules_engine.rulebooks.pq17.plotting import say_run
from rules_engine.rulebooks.pq17.records.state import State


def standing_orders_panel(state: State, side: Side) -> Panel:
    """Orders for all task forces, orders of single ones, and how long turns run on."""
    return Panel(title=STANDING_ORDERS, rows=tuple(_rows(state, side)))


def _rows(state: State, side: Side) -> Iterator[str]:
    own = side_orders(state, side)
    forces = state.all_task_forces(side)
    yield f"All task forces: {say_orders(own, of_side=True)}"
    if own.asks == "contact" and any(keeps_out(state, tf) for tf in forces):
        yield (
            "Convoys, and freighters and tugs without a warship, unless they have orders of their own: "
            f"{say_orders(CONVOY)}"
        )
    for tf in forces:
        if tf.doctrine is not None:
            yield f"{tf.label}: {say_orders(tf.doctrine)}"
        if tf.meeting is not None:
            yield f"{tf.label}, while it is in contact: {say_orders(tf.meeting)}"
    yield say_run(state.doctrine[side].run)
