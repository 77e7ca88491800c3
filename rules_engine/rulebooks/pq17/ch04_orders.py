"""Command points and orders: which plans and plots they do not suffice for, and what becomes of stored routes then.

PQ-17 4.2.3, C.cp.*, rulings CP-4, CP-5.
"""

from collections.abc import Callable, Sequence

from rules_engine.core.base import Side
from rules_engine.core.refusals import Refusal, illegal
from rules_engine.core.reports import because
from rules_engine.core.table import Table
from rules_engine.rulebooks.pq17.campaign import Nation
from rules_engine.rulebooks.pq17.cc_places import KZINTI
from rules_engine.rulebooks.pq17.ch04_command import (
    NO_MOVES,
    Moves,
    account_of,
    commands,
    cost,
    left,
    must_go_home,
    need,
    ways_home,
)
from rules_engine.rulebooks.pq17.ch05_movement import affordable, destinations
from rules_engine.rulebooks.pq17.state import PORT, STAY, State, TaskForce
from rules_engine.rulebooks.pq17.tables import Speed

Forces = Sequence[TaskForce]


def rule_of(nation: Nation) -> str:
    """The rule that makes a nation's ships cost points."""
    return "PQ-17 C.cp.kzinti" if nation.key == KZINTI else "PQ-17 C.cp.cruisers-and-dreadnoughts"


def plan_refusals(state: State, side: Side, forces: Forces) -> list[Refusal]:
    """What of a planning sheet, as it would make the side's task forces, command points do not suffice for: leaving
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


def plot_refusals(state: State, side: Side, moves: Moves) -> list[Refusal]:
    """What of an impulse's plots command points do not suffice for. PQ-17 4.2.3, C.cp.*, rulings CP-4, CP-5."""
    if not commands(state, side):
        return []
    forces = state.all_task_forces(side)
    refusals = over_budget(state, side, forces, moves, lambda tf_id: f"{tf_id}.move")
    for tf in forces:
        ways = ways_home(state, tf) if moves.get(tf.id) and must_go_home(state, tf) else []
        if ways and moves[tf.id] not in ways:
            problem = f"no command points are left for all of {tf.label}: it must go to port by the shortest way"
            legal = ", ".join(ways)
            refusals.append(illegal(problem, "PQ-17 4.2.3", f"{tf.id}.move", legal=legal, nearest=ways[:1]))
    return refusals


def over_budget(state: State, side: Side, forces: Forces, moves: Moves, path: Callable[[str], str]) -> list[Refusal]:
    """A refusal for each task force whose move adds to what its nation cannot pay for. PQ-17 4.2.3, ruling CP-4."""
    refusals: list[Refusal] = []
    for nation in commands(state, side) if moves else ():
        wanted = need(state, nation.key, forces, moves)
        short = -left(state, nation.key, wanted)
        if short <= 0:
            continue
        anyway = need(state, nation.key, forces, NO_MOVES)
        bank = account_of(state, nation.key).bank
        for tf_id in wanted.causes:
            if tf_id not in anyway.causes or moves.get(tf_id):
                problem = f"this needs {short} more command point{'s' if short > 1 else ''} than the {nation.name} has"
                legal = f"{bank} left; orders that need no more"
                refusals.append(illegal(problem, rule_of(nation), path(tf_id), legal=legal))
    return refusals


# --- plots that were not asked about ----------------------------------------------------------------------------------


def keep_within_command(table: Table[State], side: Side) -> None:
    """Stored routes go no farther than command points reach: who is in port stays there, who must goes home, anybody
    else stays. PQ-17 4.2.3, rulings CP-4, CP-5."""
    state = table.state
    if not commands(state, side):
        return
    forces = [tf for tf in state.all_task_forces(side) if not tf.is_base]
    for tf in forces:
        if tf.plot and must_go_home(state, tf):
            ways = [way for way in ways_home(state, tf) if way in destinations(state, tf)]
            if ways and tf.plot not in ways:
                _replot(table, tf, ways[0])
    for nation in commands(state, side):
        moves = {tf.id: tf.plot for tf in forces if tf.plot}
        if left(state, nation.key, need(state, nation.key, forces, moves)) >= 0:
            continue
        _cut_back(table, nation, forces)


def _cut_back(table: Table[State], nation: Nation, forces: Forces) -> None:
    """In the order of their ids, whoever's plot can still be paid for makes it."""
    state = table.state
    moves: dict[str, str] = {}
    for tf in forces:
        if not tf.plot or tf.plot == STAY:
            continue
        before = need(state, nation.key, forces, moves)
        after = need(state, nation.key, forces, moves | {tf.id: tf.plot})
        grows = cost(state, nation.key, after.out, after.entries) > cost(state, nation.key, before.out, before.entries)
        if grows and left(state, nation.key, after) < 0:
            _replot(table, tf, STAY)
        else:
            moves[tf.id] = tf.plot


def _replot(table: Table[State], tf: TaskForce, step: str) -> None:
    where = {STAY: f"stays in {tf.hex}", PORT: "enters port"}.get(step, f"goes to {step}")
    inputs = {"plotted": tf.plot}
    tf.plot = step
    text = f"{tf.label} {where}: no command points are left for its plot."
    table.tell([tf.side], text, kind="command", why=because("PQ-17 4.2.3", inputs))
