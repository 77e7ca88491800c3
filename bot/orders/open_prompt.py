"""A prompt as somebody may work on it, and what came of working on it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

from bot.cards.cards import prompt_card
from bot.cards.prompts.state import PromptState
from bot.cards.sheets import ListedSheet
from bot.recording.drafts import said_between, whole
from bot.records.campaigns import CampaignInfo
from bot.records.components import Card
from rules_engine.core.basics.base import Json
from rules_engine.core.basics.canonical_json import digest
from rules_engine.core.forms.forms import Form, Sheet
from rules_engine.core.forms.order_text import write_sheet
from rules_engine.core.knowledge.views import SideView
from rules_engine.core.protocol.asks import AnyAsk


@dataclass(frozen=True)
class OpenPrompt:
    """A prompt as somebody may work on it: rights are checked, the ask is open."""

    token: str
    campaign: CampaignInfo
    side: str
    ask: AnyAsk
    state: PromptState
    kept: Sheet | None
    """The draft as it is kept."""
    refused_last: bool = False
    """Whether what was done to it last was not accepted and is given back."""
    view: SideView | None = None
    """What the side saw when this was opened."""
    copies: frozenset[int] = frozenset()
    """Messages of which it is known already that the prompt stands in them; there may be others."""
    theme: str | None = None
    """The theme of its reader's maps; None where it was not looked up."""
    named: str = ""
    """The campaign, which the heading of the card names for its reader alone, if they command sides in several."""
    followed: Card | None = None
    """The card whose pictures follow it already, in the message that was used."""

    @property
    def draft(self) -> Sheet:
        """The sheet as it was left, or as it was filled in at the beginning."""
        return whole(self.ask, self.kept)

    @property
    def waits(self) -> bool:
        """Whether its side is called to it, or play waits for it, and it is not done with it."""
        return (self.ask.awaited or self.ask.holds) and not self.state.is_done

    @property
    def stuck_or_refused(self) -> bool:
        """Whether it says that something is wrong, or otherwise than one would think."""
        return self.refused_last or bool(self.state.problems or self.state.note)

    @cached_property
    def card(self) -> Card:
        """Its card."""
        return prompt_card(self.state)

    @property
    def listed(self) -> ListedSheet:
        """It in a list of sheets."""
        state = self.state
        if state.is_done:
            done = "ready" if state.ready else "confirmed by you"
        else:
            done = "nothing saved yet" if state.answer is None else "saved"
        return ListedSheet(self.token, self.ask.title, done, state.closes, state.strand)

    @property
    def form(self) -> Form:
        """Its form."""
        return self.ask.form

    def text(self, *, notes: bool = True) -> str:
        """The whole sheet as text, to be edited and sent back; without ``notes`` as short as it goes."""
        return write_sheet(self.ask.form, self.draft, title=self.ask.title if notes else "", notes=notes)

    def changes(self) -> str:
        """What of the sheet is not as it was filled in, as text; empty where nothing is."""
        return said_between(self.ask, self.form.prefilled(), self.draft)

    @property
    def mark(self) -> str:
        """What a button says of the sheet as it stands, so that nothing else is thrown away than was shown."""
        return digest(cast(Json, self.kept or {}))[:8]

    def with_written(self, text: str, *, lines: bool = False) -> "OpenPrompt":
        """This with what somebody wrote that was not accepted, typed or (``lines``) in a form."""
        return replace(self, state=replace(self.state, written=text, written_in_form=lines))

    def with_rest_saved(self) -> "OpenPrompt":
        """This with the word that all else is saved of what came with what was not accepted."""
        return replace(self, state=replace(self.state, rest_saved=True))

    def with_taken_back(self, said: str) -> "OpenPrompt":
        """This with what was taken back just now."""
        return replace(self, state=replace(self.state, taken_back=said))

    def with_note(self, said: str) -> "OpenPrompt":
        """This with what must be known of what was done just now."""
        return replace(self, state=replace(self.state, note=said))

    def with_returned(self) -> "OpenPrompt":
        """This with the word that something that was not accepted does not count."""
        return replace(self, state=replace(self.state, has_returned=True))

    def with_problems(
        self, problems: Sequence[str], *, stuck: bool = False, refused_last: bool = False
    ) -> "OpenPrompt":
        """This with something more to say about what was not accepted: ``stuck`` if it stands on the sheet, else
        ``refused_last`` if that was what was done to it just now."""
        state = replace(self.state, problems=(*self.state.problems, *problems), stuck=stuck or self.state.stuck)
        return replace(self, state=state, refused_last=refused_last)


@dataclass(frozen=True)
class PlayedOn:
    """What was done was the last thing awaited: the batch has closed and play has gone on."""

    text: str
    """What every message of the prompt says now."""


Answer = OpenPrompt | PlayedOn
"""What comes of working on a prompt: it is still open, or play has gone on."""
