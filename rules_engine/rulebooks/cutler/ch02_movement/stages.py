"""Where the turns end on the course of a fleet or a convoy, as maps mark it, at the speed that it can make now.

What nobody can foresee is left out: nebulae, dust, damage, and whoever comes in its way.
"""

from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.glance import Stage
from rules_engine.rulebooks.cutler.ch02_movement.movement import may_move_in
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit
from rules_engine.rulebooks.cutler.records.tables import IMPULSES


@rule("2.1", "2.4")
def stages_of_course(state: CutlerState, first: Unit, speed: int, hexes: int) -> tuple[Stage, ...]:
    """Where this turn and each later one ends on a course of so many hexes that is yet to be made; ``first`` is a unit
    that makes it. 2.1, 2.4"""
    if not speed or not hexes:
        return ()
    stages: list[Stage] = []
    turn, made = state.turn, _moves_left(state, first, speed)
    while True:
        stages.append(Stage(after=min(made, hexes), said=f"T{turn + 1}"))
        if made >= hexes:
            return tuple(stages)
        turn += 1
        made += sum(may_move_in(speed, impulse) for impulse in range(1, IMPULSES + 1))


@rule("2.1")
def _moves_left(state: CutlerState, first: Unit, speed: int) -> int:
    """The moves that the impulse chart still gives this turn. 2.1"""
    has_moved = first.last_opportunity == state.moment()
    left = range(state.impulse + has_moved if state.impulse else 1, IMPULSES + 1)
    return sum(may_move_in(speed, impulse) for impulse in left)
