"""The tracker of battles, as the host drives it."""

from collections.abc import Mapping, Sequence

from rules_engine.core.basics.base import Json, Side
from rules_engine.core.knowledge.views import Board
from rules_engine.core.protocol.asks import Steps
from rules_engine.core.protocol.rulebook import RulingNote
from rules_engine.core.protocol.tracker import Tracker
from rules_engine.core.tactics.battles import TacticalBattle
from rules_engine.core.tactics.tallies import TacticalTally
from rules_engine.rulebooks.vector.battles.sequence import rest_steps
from rules_engine.rulebooks.vector.rulings import TRACKED_RULINGS
from rules_engine.rulebooks.vector.tracked import beginning, boards, counting
from rules_engine.rulebooks.vector.tracked.faults import defects
from rules_engine.rulebooks.vector.tracked.state import TrackedState, TrackedTurn


class BattleTracker:
    """Flies battles of other rulebooks by vectors."""

    version = "0.3"
    state_model = TrackedState
    rulings: Sequence[RulingNote] = TRACKED_RULINGS

    def begin(self, battle: TacticalBattle, options: Mapping[str, Json], *, late: bool) -> TrackedState:
        """See :func:`beginning.begin`."""
        return beginning.begin(battle, options, late=late)

    def steps(self, turn: TrackedTurn, battle: TacticalBattle) -> Steps[None]:
        """To the next rest."""
        yield from rest_steps(turn, battle)

    def turn_of(self, state: TrackedState) -> int:
        """The turn of the battle."""
        return state.battle.turn

    def is_over(self, state: TrackedState) -> bool:
        """Whether all agreed that nothing is left to fly."""
        return state.is_over

    def defects(self, state: TrackedState) -> Sequence[str]:
        """What is impossible in this state."""
        return defects(state)

    def tally(self, state: TrackedState) -> TacticalTally:
        """What was counted."""
        return counting.tally(state)

    def side_board(self, state: TrackedState, battle: TacticalBattle, side: Side) -> Board:
        """What a party may see."""
        return boards.side_board(state, battle, side)

    def common_board(self, state: TrackedState, battle: TacticalBattle) -> Board:
        """What all parties may see."""
        return boards.common_board(state, battle)

    def omniscient_board(self, state: TrackedState, battle: TacticalBattle) -> Board:
        """Everything."""
        return boards.omniscient_board(state, battle)


TRACKER: Tracker[TrackedState] = BattleTracker()
