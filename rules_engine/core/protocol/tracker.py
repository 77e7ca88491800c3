"""What a tracker of battles must offer.

Rulebooks and trackers know each other by ``core.tactics`` alone: a rulebook puts :class:`Tactics` on its battle's ask,
and the host joins it with the tracker of its registry.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from rules_engine.core.basics.base import Json, Side
from rules_engine.core.basics.record import Record
from rules_engine.core.knowledge.views import Board
from rules_engine.core.protocol.asks import Steps
from rules_engine.core.protocol.rulebook import RulingNote
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.core.tactics.battles import TacticalBattle
from rules_engine.core.tactics.tallies import TacticalTally

S = TypeVar("S", bound=Record)


class Tracker(Protocol[S]):
    """What flies tracked battles. Its state is a record of its own, which nothing of the campaign is kept in.

    Its flow runs from rest to rest: :meth:`steps` plays on from the state as it stands to the next moment at which all
    that matters lies in the state again, and may be asked anew from there. So a battle can be restarted, taken back and
    paused at any of them. In its context the sides are the parties of the battle, and *everybody* is told means all of
    them. It shows maps by ``turn.show_maps()``, and the host posts one picture for all parties.
    """

    @property
    def version(self) -> str:
        """Changes whenever a running battle could come out differently."""
        ...

    @property
    def state_model(self) -> type[S]:
        """The record of its state."""
        ...

    @property
    def rulings(self) -> Sequence[RulingNote]:
        """Its own rulings."""
        ...

    def begin(self, battle: TacticalBattle, options: Mapping[str, Json], *, late: bool) -> S:
        """The state before the set-up; ``late``: captains type in positions of a battle that is under way.

        Raises:
            Refused: when an option is none, or has no such value.
        """
        ...

    def steps(self, turn: TurnContext[S], battle: TacticalBattle) -> Steps[None]:
        """Play on to the next rest."""
        ...

    def turn_of(self, state: S) -> int:
        """The turn of the battle, 0 before the first."""
        ...

    def is_over(self, state: S) -> bool:
        """Whether nothing is left to fly, so that nothing more is asked. When that is so, the tracker rules: where one
        force at most is there and all parties agree that it is over, say."""
        ...

    def defects(self, state: S) -> Sequence[str]:
        """What is impossible in this state. Empty when all is well."""
        ...

    def tally(self, state: S) -> TacticalTally:
        """What was counted, for all parties."""
        ...

    def side_board(self, state: S, battle: TacticalBattle, side: Side) -> Board:
        """What a party may see of the battle."""
        ...

    def common_board(self, state: S, battle: TacticalBattle) -> Board:
        """What all parties may see of it."""
        ...

    def omniscient_board(self, state: S, battle: TacticalBattle) -> Board:
        """All of it, for a referee who plays no side."""
        ...
