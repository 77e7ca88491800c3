"""Anything that may happen to a campaign of three empires: :mod:`tests.rulebooks.anything`."""

from random import Random

from rules_engine.core.basics.base import Json
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.cutler import RULEBOOK
from tests.rulebooks.anything import AnyCampaign, often
from tests.rulebooks.cutler.scenario_files import intro_files
from tests.rulebooks.players import random_answer


def two_turns() -> dict[str, Json]:
    """Three Crowns, two turns long."""
    files = intro_files()
    return RULEBOOK.read_scenario(files | {"scenario.toml": files["scenario.toml"].replace("turn = 4", "turn = 2")})


class ThreeCrowns(AnyCampaign):
    """The introduction."""

    book = RULEBOOK
    document = two_turns()
    junk = ({"nowhere": {"course": "0101"}},)

    def answer_to(self, side: str, ask: AnyAsk, seed: int) -> Json:
        return random_answer(self.adjudicator, side, ask, Random(seed))


ThreeCrowns.TestCase.settings = often(12)
TestCampaign = ThreeCrowns.TestCase
