"""A tracked battle from rest to rest: it is taken up, or set up step by step; then turns are flown piece by piece.

Whatever matters stands in the state at each rest; one flow asks for one step, or one piece, and ends.
"""

from rules_engine.core.protocol.asks import Steps
from rules_engine.core.tactics.battles import TacticalBattle
from rules_engine.rulebooks.vector.battles.ending import FEWEST, may_be_over, over_steps
from rules_engine.rulebooks.vector.battles.set_up import due_step, place_steps
from rules_engine.rulebooks.vector.battles.taking_up import confirm_steps, positions_steps
from rules_engine.rulebooks.vector.battles.turns import open_turn, piece_steps
from rules_engine.rulebooks.vector.records.plots import IMPULSES
from rules_engine.rulebooks.vector.tracked.moments import now
from rules_engine.rulebooks.vector.tracked.state import TrackedTurn


def rest_steps(turn: TrackedTurn, battle: TacticalBattle) -> Steps[None]:
    """Play on to the next rest."""
    state = turn.state
    state.labels = [*turn.shared.labels]
    moment = now(state)
    turn.set_time(moment.turn, moment.step, moment.label)
    if state.begun == "positions":
        yield from positions_steps(turn, battle)
        return
    if state.begun == "positions seen":
        yield from confirm_steps(turn, battle)
        return
    if len(state.forces_there()) >= FEWEST:
        state.asked_over = None
    if due_step(state, battle) is None:
        if may_be_over(state):
            yield from over_steps(turn, battle)
            return
        if not state.battle.turn or state.battle.impulse == IMPULSES:
            open_turn(turn)
    number = due_step(state, battle)
    if number is not None:
        yield from place_steps(turn, battle, number)
    else:
        yield from piece_steps(turn)
