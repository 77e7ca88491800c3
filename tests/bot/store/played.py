"""A campaign of the toy rulebook, played in memory: transitions to be kept in a journal."""

from collections.abc import Sequence
from typing import Any

from rules_engine.core.records.journal import JournalEntry
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import rewind
from rules_engine.core.running.transitions import Transition
from tests import toy
from tests.bot.store.samples import SOURCE
from tests.chance import NONCE

AT = "2026-08-01T12:00:00.000+00:00"


class Played:
    """A campaign and all its transitions so far. Two that are played alike have the same journal up to there."""

    def __init__(self) -> None:
        opened = Adjudicator.open(toy.RULEBOOK, title="T", scenario={"turns": 3}, seed=SOURCE.seed, at=AT, nonce=NONCE)
        self.adjudicator: Adjudicator[Any] = opened[0]
        self.transitions: list[Transition] = [opened[1]]

    @property
    def entries(self) -> list[JournalEntry]:
        """Its journal."""
        return [transition.entry for transition in self.transitions]

    def answer(self, side: str, number: int) -> Transition:
        """The side names a number."""
        ask = next(ask for ask in self.adjudicator.asks_for(side) if ask.kind == "orders")
        return self._done(self.adjudicator.answer(side, ask.id, {"fleet": {"number": number}}, by=side, at=AT))

    def remark(self, text: str) -> Transition:
        """Something for the record."""
        return self._done(self.adjudicator.remark("note", text, by="1", at=AT))

    def close(self) -> Transition:
        """The open batch closes."""
        return self._done(self.adjudicator.close("deadline", by="clock", at=AT, nonce=NONCE))

    def turn(self, number: int = 5) -> Sequence[Transition]:
        """A whole turn, which red wins."""
        return [self.answer("red", number), self.close(), self.close()]

    def rewind(self, to: int) -> Transition:
        """Back to just after that entry."""
        self.adjudicator, transition = rewind(
            toy.RULEBOOK, self.entries, SOURCE.seed, to=to, by="1", reason="a slip", at=AT
        )
        return self._done(transition)

    def _done(self, transition: Transition) -> Transition:
        self.transitions.append(transition)
        return transition
