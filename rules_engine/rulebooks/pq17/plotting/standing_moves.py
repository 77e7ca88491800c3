"""What standing orders decide when moves are plotted and made. PQ-17 5.3."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.standing.answers import Decision, Decisions
from rules_engine.rulebooks.pq17.ch05_movement.movement import (
    destinations,
    has_point,
    may_stay,
    next_step,
    plotted_movers,
    step_made,
)
from rules_engine.rulebooks.pq17.ch06_reconnaissance.standing_searches import contacts_of
from rules_engine.rulebooks.pq17.contacts.detection import watched
from rules_engine.rulebooks.pq17.orders.standing_precedence import move_of, side_orders, whose
from rules_engine.rulebooks.pq17.orders.standing_words import move_clause
from rules_engine.rulebooks.pq17.records.forces import EXIT, LAY, PORT, STAY, IdLevel, TaskForce
from rules_engine.rulebooks.pq17.records.state import State

PlotsByOrders = Mapping[str, Decision]
"""What is told of plots that standing orders made, by task force, once they are carried out."""


@rule("5.3.2")
def plot_decisions(state: State, side: Side) -> dict[str, str | None]:
    """The step each task force in contact plots, by id; None if its owner is to be asked. PQ-17 5.3.2."""
    found: dict[str, str | None] = {}
    for tf in watched(state, side):
        if tf.is_base or not contacts_of(state, tf):
            continue
        match move_of(state, tf):
            case "withdraw":
                found[tf.id] = way_out(state, tf) if not tf.shadowing and has_point(state, tf) else STAY
            case "hold":
                found[tf.id] = STAY
            case "go on":
                found[tf.id] = next_step(state, tf)
            case _:
                found[tf.id] = None
    return found


def said_of_plots(state: State, plots: Mapping[str, str | None]) -> Iterator[tuple[str, tuple[str, Decision]]]:
    """Plots that standing orders made or changed, by task force: the step, and what is told once it is made."""
    for tf_id, step in plots.items():
        tf = state.task_forces[tf_id]
        if step is None or tf.shadowing or not has_point(state, tf) or (move := move_of(state, tf)) is None:
            continue
        port = "leaves port" if tf.in_port else "enters port"
        said = {STAY: "stays", LAY: "lays mines", PORT: port, EXIT: "leaves the map"}
        where = said.get(step, f"goes to {step}")
        yield tf_id, (step, Decision({}, f"{tf.label} {where}.", move_clause(move), whose(state, tf, "move")))


@rule("5.3.2", "5.3.5")
def made_by_orders(state: State, side: Side, staying: Sequence[str], by_orders: PlotsByOrders) -> list[Decision]:
    """The plots by standing orders that ``side`` is about to carry out. A force that something holds back, or that has
    the option to stay, is told of by that alone. PQ-17 5.3.2, 5.3.5; ruling X-03."""
    movers = (tf for tf in plotted_movers(state, side) if tf.id in by_orders)
    return [
        by_orders[tf.id] for tf in movers if step_made(state, tf, staying) == tf.plot and not _had_the_option(state, tf)
    ]


def _had_the_option(state: State, tf: TaskForce) -> bool:
    """Whether its owner, or the owner's orders, has just decided that it goes: in the second half alone."""
    return state.half == "B" and bool(may_stay(state, tf))


def way_out(state: State, tf: TaskForce) -> str:
    """The step away from a contact: to a hex without contacts, nearest to an own base or settled hex."""
    steps = [step for step in destinations(state, tf) if step not in (STAY, LAY, EXIT)]
    if tf.in_port:
        return STAY
    if PORT in steps:
        return PORT
    held = {enemy.hex for enemy in state.all_task_forces(state.enemy_of(tf.side)) if enemy.id_level > IdLevel.N}
    homes = [base.hex for base in state.all_task_forces(tf.side) if base.is_base]
    homes += [settled.hex for settled in state.settled.values() if settled.side == tf.side]
    came_from = tf.flown[-2] if len(tf.flown) > 1 else ""

    def worth(step: HexId) -> tuple[object, ...]:
        home = min((state.grid.distance(step, one) for one in homes), default=None)
        return step in held, home, step != came_from, step

    return min(steps, key=worth) if steps else STAY


@rule("5.3.5")
def stay_decisions(state: State, options: Mapping[str, str]) -> Decisions:
    """Decide whether plotted moves are made despite the option to stay. PQ-17 5.3.5."""
    found: dict[str, Decision | None] = {}
    for tf_id in options:
        tf = state.task_forces[tf_id]
        move = move_of(state, tf)
        if move in (None, "ask"):
            found[tf_id] = None
            continue
        goes = move != "hold"
        said = f"{tf.label} {'makes its plotted move' if goes else f'stays in {tf.hex}'}."
        found[tf_id] = Decision({"move": "go" if goes else "stay"}, said, move_clause(move), whose(state, tf, "move"))
    return found


def wants_plots(
    state: State, side: Side, plots: Mapping[str, str | None], *, short: Iterable[bool], contact: bool
) -> bool:
    """Whether a side is to be asked for its plots of an impulse. Ruling MOV-8.

    A side that wants every step is asked while it holds a contact that its orders leave open, or is short of fuel:
    ``short`` says so of each task force, and is looked at only then.
    """
    if state.doctrine[side].ask_every_impulse or None in plots.values():
        return True
    orders = side_orders(state, side)
    if orders.asks == "contact":
        return False
    return any(short) or (contact and not plots and orders.move == "ask")
