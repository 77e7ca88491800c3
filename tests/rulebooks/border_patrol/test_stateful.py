"""Anything that may happen to a campaign of Border Patrol: :mod:`tests.rulebooks.anything`."""

from collections.abc import Iterable
from random import Random

from rules_engine.core.basics.base import Json
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.border_patrol import RULEBOOK
from tests.rulebooks.anything import AnyCampaign, often
from tests.rulebooks.border_patrol.captains import PLANS, STEALTHY, captains_sheet, crewed
from tests.rulebooks.border_patrol.test_whole_campaigns import others_open, others_shown
from tests.rulebooks.players import random_answer


class FirstWatch(AnyCampaign):
    """The introduction, two turns long. Sheets are captains' plans or anything that is legal."""

    book = RULEBOOK
    document = crewed(1, 1, name="intro", turns=2)
    junk = (
        {"F1": {"route": "9999"}}, {"F1": {"route": "0101 0909"}}, {"F1": {"react": "sometimes"}},
        {"R1-ships": {"tow": ["aerie"]}}, {"F9": {"route": "0402"}},
    )  # fmt: skip

    def answer_to(self, side: str, ask: AnyAsk, seed: int) -> Json:
        chance = Random(seed)
        if ask.kind == "plot" and seed % 4:
            return captains_sheet(self.adjudicator, side, ask, chance, STEALTHY if seed % 2 else PLANS)
        return random_answer(self.adjudicator, side, ask, chance)

    def problems_of(self, side: str, known: Knowledge) -> Iterable[str]:
        """Others on the map that do not stand in the open, or contacts with names of their owner's."""
        if self.adjudicator.asks_for(side):  # who is not asked may still see the moment before
            board = self.adjudicator.view(side).board
            state = self.adjudicator._state
            if others_shown(board, side) != others_open(state, side):
                yield "the map shows others than stand in the open"
        owned = {*self.adjudicator._state.units, *self.adjudicator._state.stacks}
        for track in known.contacts.keys() & owned:
            yield f"{track} is known by its owner's name"


FirstWatch.TestCase.settings = often(10)
TestCampaign = FirstWatch.TestCase
