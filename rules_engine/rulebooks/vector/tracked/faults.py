"""What must never be true of a tracked battle's state."""

from collections.abc import Iterable, Sequence

from rules_engine.rulebooks.vector.invariants import battle_defects
from rules_engine.rulebooks.vector.tracked.state import MOST_ENDS, TrackedState


def defects(state: TrackedState) -> Sequence[str]:
    """Everything that is impossible in this state, in words."""
    return [*battle_defects(state.battle), *_beginning(state), *_counts(state)]


def _beginning(state: TrackedState) -> Iterable[str]:
    units = state.battle.units
    if state.battle.sides != [side for force in state.forces for side in force]:
        yield "the battle's sides are not those of its forces"
    if len({*state.placed}) < len(state.placed):
        yield "a step is set up twice"
    if any(code not in units for code in (*state.unturned, *state.speeds, *state.invented)):
        yield "something is remembered of a unit that is not placed"
    if state.begun == "positions" and units:
        yield "units are on the map before all positions are typed in"
    if state.silent and state.begun != "positions":
        yield "somebody owes positions of a battle that is flown"
    if state.battle.impulse and state.unturned:
        yield "a turn is flown and not all face the enemy"


def _counts(state: TrackedState) -> Iterable[str]:
    if {*state.counts} != {*state.battle.units}:
        yield "other units are counted than are placed"
    for code, count in state.counts.items():
        if count.left_on > state.battle.turn + 1:
            yield f"{code} has left on turn {count.left_on}"
        if len(count.closest) > MOST_ENDS:
            yield f"too many ranges are kept of {code}"
    if any(one.quiet_turns > state.turns_flown for one in state.ranges):
        yield "more turns are quiet than were flown"
