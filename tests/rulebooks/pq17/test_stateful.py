"""Anything that may happen to a campaign of the introduction: :mod:`tests.rulebooks.anything`."""

from collections.abc import Iterable
from random import Random

from rules_engine.core.basics.base import Json
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import AnyAsk
from tests.rulebooks.anything import AnyCampaign, often
from tests.rulebooks.pq17.playing.campaign_play import INTRO, contact_problems, scenario
from tests.rulebooks.pq17.playing.officers import Manner, Officer

WILD = Manner(bold=0.9, whims=0.5, silence=0.0)


class Introduction(AnyCampaign):
    """The introduction, four turns long."""

    book, document = scenario(INTRO, turns=4)
    junk = ({"nowhere": {"speed": "warp 9"}},)

    def answer_to(self, side: str, ask: AnyAsk, seed: int) -> Json:
        return Officer(self.adjudicator, side, Random(seed), WILD).answer(ask)

    def problems_of(self, side: str, known: Knowledge) -> Iterable[str]:
        return contact_problems(self.adjudicator._state, side, known)


Introduction.TestCase.settings = often(20)
TestCampaign = Introduction.TestCase
