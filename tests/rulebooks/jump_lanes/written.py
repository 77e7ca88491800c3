"""Campaigns of this book with written sheets, entered as the bot enters them."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.seats import seated, seats_of
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from tests.rulebooks.players import Match
from tests.rulebooks.test_every_rulebook import SHELF


class WrittenVoyage(Match):
    """``sheets`` are each side's texts, turn by turn. Who has none left sends its sheet as it is filled in; in battles
    all stay as they were, but for the ``fates`` of units by name, and cargo is given up as ``losses`` say of a side."""

    def __init__(
        self,
        name: str,
        sheets: Mapping[str, Sequence[str]],
        change: Callable[[Any], None] | None = None,
        fates: Mapping[str, str] | None = None,
        seed: int = 3,
    ):
        book, shelved = SHELF.read(f"jump_lanes/{name}")
        document = deepcopy(shelved)
        if change is not None:
            change(document)
        super().__init__(book, seated(book, document, 2 if seats_of(book, document) else None), seed)
        self.sheets = {side: list(texts) for side, texts in sheets.items()}
        self.fates = fates or {}
        self.losses: dict[str, str] = {}

    @property
    def state(self) -> LanesState:
        """The state as it is now."""
        return self.adjudicator._state

    def answer_to(self, side: str, ask: AnyAsk) -> Json:
        """The side's text for the turn; all else as it is filled in."""
        texts = self.sheets.get(side, []) if ask.kind == "plot" else []
        if ask.kind == "cargo_loss" and side in self.losses:
            texts = [self.losses[side]]
        sheet: Any = read_sheet(ask.form, texts.pop(0), ask.refusals_of) if texts else ask.form.prefilled()
        if ask.kind == "battle":
            named = (
                (line.key, fate) for line in ask.form.lines for name, fate in self.fates.items() if name in line.label
            )
            sheet |= {key: {"fate": fate} for key, fate in named}
        return sheet

    def turns(self, count: int = 1) -> None:
        """Play so many turns."""
        end = self.adjudicator.turn + count
        while self.adjudicator.turn < end:
            self.round()

    def refused(self, side: str, text: str) -> list[str]:
        """What is told of a text that is refused."""
        (ask,) = self.adjudicator.asks_for(side)
        sheet: Any = read_sheet(ask.form, text, ask.refusals_of)
        with pytest.raises(Refused) as refusal:
            self.adjudicator.try_answer(side, ask.id, sheet)
        return [str(one) for one in refusal.value.refusals]

    def told(self, side: str, kind: str) -> list[str]:
        """What a side was told of one kind."""
        reports = (report for step in self.steps for report in step.reports)
        return [one.text for one in reports if one.is_for(side) and one.kind == kind]
