"""What the card of a prompt is made from. Knows no discord.py.

A component's id is ``p|<token>|<verb>|<argument>``. The token says nothing; who presses and what is open is looked
up again at every press.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from bot.cards.accounts import AccountShown
from bot.records.captains import Team
from bot.records.prompts import step_mark
from rules_engine.core.knowledge.views import Board
from rules_engine.core.protocol.asks import AnyAsk


@dataclass(frozen=True)
class PromptState:
    """What a prompt's card is made from; all of it is the asked side's own.

    ``answer`` is what was journalled; ``unsent`` a legal account of a battle that was filled in but not sent. What was
    ``written`` and not accepted is shown beside its ``problems``; it stands on no sheet, and ``has_returned`` reminds
    of it; ``rest_saved``: all else that came with it stands there. A ``note`` is what must be known of what was done
    last beside that. The sheet is ``stuck`` while what stands on it is refused: an account that is not finished, or
    orders that a correction of the record made illegal. ``theirs`` marks another side's account of a battle, which
    differs and may be taken over.

    ``partners`` are the other sides that answer as one with this side, by name; ``sent_by`` is the one of them whose
    answer stands for all, and if ``sender_ready``, that suffices. ``answered`` says who has sent an account, where
    there are more than two sides.

    ``team`` are the side's captains, where it has any; the card is then another one for each ``reader`` of them.

    ``strand`` is the name of the strand that the sheet closes with, where its side is asked in several at once.

    ``side_key`` is the side's key; ``board`` is what it sees now, with its saved orders drawn in (None: no map), and
    ``place`` its own among the seats.

    ``steps`` is the number of the last change that can be taken back (0: none), and ``last_step`` what it said;
    ``taken_back`` is what was taken back just now.

    ``account`` is what an account of a battle shows beside all that.
    """

    token: str
    ask: AnyAsk
    campaign: str
    side: str
    closes: datetime | None
    answer: Any = None
    unsent: Any = None
    receipt: str = ""
    ready: bool = False
    others_open: int = 0
    problems: Sequence[str] = field(default=())
    note: str = ""
    stuck: bool = False
    written: str = ""
    written_in_form: bool = False
    has_returned: bool = False
    rest_saved: bool = False
    differences: Sequence[str] = field(default=())
    theirs: str = ""
    partners: str = ""
    sent_by: str = ""
    sender_ready: bool = False
    answered: str = ""
    team: Team | None = None
    reader: int | None = None
    strand: str = ""
    steps: int = 0
    last_step: str = ""
    taken_back: str = ""
    side_key: str = ""
    board: Board | None = None
    place: int | None = None
    account: AccountShown | None = None

    def for_reader(self, user_id: int) -> "PromptState":
        """What the card for this commander is made from."""
        return self if self.team is None else replace(self, reader=user_id)

    @property
    def stands(self) -> Any:
        """The answer that counts as things are: what was sent, or else the default."""
        return self.ask.default if self.answer is None else self.answer

    @property
    def undo_mark(self) -> str:
        """What the button says that takes the last change back; empty where none can be."""
        return step_mark(self.steps, self.last_step)

    @property
    def is_done(self) -> bool:
        """Whether its reader is done with the strand: the side is ready there, or this captain has confirmed it and
        others have not."""
        return self.ready or (self.team is not None and bool(self.team.missing) and self.reader in self.team.confirmed)


def component_id(token: str, verb: str, argument: object = "") -> str:
    """The id of a prompt's component."""
    return f"p|{token}|{verb}|{argument}"
