"""Command points and orders: plans and plots beyond the points left, and how stored routes are cut back.

PQ-17 4.2.3, C.cp.*, rulings CP-4, CP-5.
"""

from collections.abc import Callable, Iterator, Sequence

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.campaign.command_points import (
    NO_MOVES,
    Moves,
    Need,
    account_of,
    add_step,
    budget,
    commands,
    cost_of,
    left,
    must_go_home,
    need,
    newly_out,
    price,
    too_few_points,
    ways_home,
)
from rules_engine.rulebooks.pq17.ch05_movement.movement import destinations
from rules_engine.rulebooks.pq17.ch05_movement.speeds import affordable
from rules_engine.rulebooks.pq17.records.forces import PORT, STAY, TaskForce
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed
from rules_engine.rulebooks.pq17.tables.order_of_battle import Nation

Forces = Sequence[TaskForce]


@rule("4.2.3")
def plan_refusals(state: State, side: Side, forces: Forces) -> list[Refusal]:
    """Refusals of a planning sheet, seen as the task forces it would make, for want of command points: leaving
    port this turn, or not going home. PQ-17 4.2.3, rulings CP-4, CP-5."""
    if not commands(state, side):
        return []
    moves = {tf.id: PORT for tf in forces if tf.in_port and tf.route[:1] == [PORT] and tf.speed is not Speed.STATION}
    refusals = over_budget(state, side, forces, moves, lambda tf_id: f"{tf_id}.route")
    for tf in forces:
        if tf.speed is Speed.STATION and must_go_home(state, tf) and len(affordable(state, tf)) > 1:
            problem = f"no command points are left for all of {tf.label}: it must go to port by the shortest way"
            refusals.append(illegal(problem, "PQ-17 4.2.3", f"{tf.id}.speed", legal="any speed but 0"))
    return refusals


@rule("4.2.3")
def plot_refusals(state: State, side: Side, moves: Moves) -> list[Refusal]:
    """Refusals of an impulse's plots for want of command points. Moves from :func:`within_command` are
    never refused, so that something is always legal. PQ-17 4.2.3, C.cp.*, rulings CP-4, CP-5."""
    if not commands(state, side):
        return []
    forces = state.all_task_forces(side)
    refusals = over_budget(
        state, side, forces, moves, lambda tf_id: f"{tf_id}.move", allowed=lambda: within_command(state, side, moves)
    )
    for tf in forces:
        ways = open_ways_home(state, tf) if moves.get(tf.id) else []
        if ways and moves[tf.id] not in ways:
            problem = f"no command points are left for all of {tf.label}: it must go to port by the shortest way"
            legal = ", ".join(ways)
            refusals.append(illegal(problem, "PQ-17 4.2.3", f"{tf.id}.move", legal=legal, nearest=ways[:1]))
    return refusals


@rule("4.2.3")
def over_budget(
    state: State,
    side: Side,
    forces: Forces,
    moves: Moves,
    path: Callable[[str], str],
    *,
    allowed: Callable[[], Moves] = lambda: NO_MOVES,
) -> list[Refusal]:
    """A refusal for each task force whose move adds to a cost that its nation cannot pay, unless the moves ``allowed``
    cost as much. PQ-17 4.2.3, ruling CP-4."""
    refusals: list[Refusal] = []
    for nation in commands(state, side) if moves else ():
        wanted = need(state, nation.key, forces, moves)
        short = -left(state, nation.key, wanted)
        if short <= 0:
            continue
        if cost_of(state, nation.key, wanted) <= price(state, nation, forces, allowed()):
            continue
        anyway = need(state, nation.key, forces, NO_MOVES)
        refusals += [
            too_few_points(state, nation, short, path(tf_id))
            for tf_id in wanted.causes
            if tf_id not in anyway.causes or moves.get(tf_id) not in (None, STAY)
        ]
    return refusals


def open_ways_home(state: State, tf: TaskForce) -> list[str]:
    """The steps among which a task force must choose because no points are left for it; empty if it is not bound so, or
    can make none of them. PQ-17 ruling CP-5."""
    if not must_go_home(state, tf):
        return []
    legal = destinations(state, tf)
    return [way for way in ways_home(state, tf) if way in legal]


# --- cutting plots back -----------------------------------------------------------------------------------------------


@rule("4.2.3")
def within_command(state: State, side: Side, moves: Moves) -> dict[str, str]:
    """The moves cut to the command points: forces that must go home do so; a move that cannot be paid for is replaced
    by staying, or by the cheapest move. Moves that can be paid for are kept. PQ-17 4.2.3, rulings CP-4, CP-5."""
    kept = {tf_id: step for tf_id, step in moves.items() if step}
    forces = state.all_task_forces(side)
    for tf in forces:
        ways = open_ways_home(state, tf) if tf.id in kept else []
        if ways and kept[tf.id] not in ways:
            kept[tf.id] = ways[0]
    for nation in commands(state, side) if kept else ():
        if left(state, nation.key, need(state, nation.key, forces, kept)) < 0:
            kept = _cut_back(state, nation, forces, kept)
    return kept


def _cut_back(state: State, nation: Nation, forces: Forces, moves: Moves) -> dict[str, str]:
    """Keep each force's move, in the order of ids, while it can still be paid for; else the first of its steps that can
    or that costs no more than the moves before it, or the cheapest of all."""
    kept: dict[str, str] = {}
    out_before = account_of(state, nation.key).out
    wanted = need(state, nation.key, forces)
    for tf in forces:
        if tf.id not in moves:
            continue
        most = max(cost_of(state, nation.key, wanted), budget(state, nation.key))
        others = wanted.out - newly_out(state, nation.key, tf, "", out_before)
        tried: list[tuple[int, str, Need]] = []
        for step in _plotted_first(state, tf, moves[tf.id]):
            after = Need(set(others), wanted.entries)
            add_step(state, nation.key, after, tf, step)
            tried.append((cost_of(state, nation.key, after), step, after))
            if tried[-1][0] <= most:
                break
        _, kept[tf.id], wanted = min(tried, key=lambda one: one[0])
    return kept


def _plotted_first(state: State, tf: TaskForce, plotted: str) -> Iterator[str]:
    """The steps that a force may make, each worked out only once those before it are too dear."""
    yield plotted
    yield from open_ways_home(state, tf) or [STAY, *destinations(state, tf)]


@rule("4.2.3")
def keep_within_command(turn: TurnContext[State], side: Side) -> None:
    """Cut plots that nobody was asked about to what command points allow. PQ-17 4.2.3, rulings CP-4, CP-5."""
    state = turn.state
    if not commands(state, side):
        return
    forces = [tf for tf in state.all_task_forces(side) if not tf.is_base]
    kept = within_command(state, side, {tf.id: tf.plot for tf in forces if tf.plot})
    for tf in forces:
        if tf.plot and tf.plot != kept[tf.id]:
            _replot(turn, tf, kept[tf.id])


def _replot(turn: TurnContext[State], tf: TaskForce, step: str) -> None:
    where = {STAY: f"stays in {tf.hex}", PORT: "enters port"}.get(step, f"goes to {step}")
    inputs = {"plotted": tf.plot}
    tf.plot = step
    text = f"{tf.label} {where}: no command points are left for its plot."
    turn.tell([tf.side], text, kind="command", why=because("PQ-17 4.2.3", inputs))
