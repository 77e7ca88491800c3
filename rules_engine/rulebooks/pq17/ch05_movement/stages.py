"""Where the turns end on a task force's route, as maps mark it: at the speed at which it goes, a movement point a step.

What nobody can foresee is left out: a shortage of fuel, a shadowed force that turns, damage.
"""

from collections.abc import Sequence
from itertools import count, islice

from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.glance import Stage
from rules_engine.rulebooks.pq17.contacts.shadow_chains import crawl_turns, current_speed
from rules_engine.rulebooks.pq17.records.forces import EXIT, IN_PLACE, TaskForce
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed, moving_impulses

MOST_STAGES = 40
"""A route that takes longer has no marks after as many turns."""


@rule("5.3.2", "5.3.3", "5.3.4", "T2")
def stages_of_route(state: State, tf: TaskForce, steps: Sequence[str], speed: Speed | None = None) -> tuple[Stage, ...]:
    """Where this turn and each later one ends on a route that is yet to be flown, at a speed (None: its present one).
    Each step takes one movement point, also one that stays in its hex. A turn without a move has its end where that of
    the turn before was, and no mark of its own; this turn always has one. PQ-17 5.3.2, 5.3.3, 5.3.4, T2."""
    pace = current_speed(state, tf) if speed is None else speed
    if pace is Speed.STATION:
        return ()
    crawled = crawl_turns(state, tf) if tf.units and pace.is_crawl else 0
    crawled += not state.impulse
    found: dict[int, Stage] = {}
    taken = 0
    for turn in islice(count(state.turn), MOST_STAGES):
        points = _points_left(state, tf, pace, crawled) if turn == state.turn else moving_impulses(pace, crawled)
        taken += len(points)
        entered = sum(step not in (*IN_PLACE, EXIT) for step in steps[:taken])
        found.setdefault(entered, Stage(after=entered, said=f"T{turn + 1}"))
        if taken >= len(steps):
            break
        crawled += 1
    return tuple(found.values())


@rule("5.3.3")
def _points_left(state: State, tf: TaskForce, speed: Speed, crawled: int) -> tuple[int, ...]:
    """The impulses of this turn in which it still has a movement point. PQ-17 5.3.3."""
    left = tuple(impulse for impulse in moving_impulses(speed, crawled) if impulse >= state.impulse)
    has_moved = state.impulse in left and state.has_mark(tf, "moved")
    return left[1:] if has_moved else left
