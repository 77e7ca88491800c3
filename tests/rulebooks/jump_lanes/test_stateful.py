"""Anything that may happen to a campaign of jump lanes: :mod:`tests.rulebooks.anything`."""

from collections.abc import Iterable
from random import Random
from typing import Any, cast

from rules_engine.core.basics.base import Json
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.jump_lanes import RULEBOOK
from rules_engine.rulebooks.jump_lanes.scenario.reading import read_scenario
from tests.rulebooks.anything import AnyCampaign, often
from tests.rulebooks.jump_lanes.scenarios import files
from tests.rulebooks.players import random_answer


def short() -> dict[str, Json]:
    """The introduction, two turns long."""
    document = read_scenario(files("intro"))
    return {**document, "file": {**cast("dict[str, Json]", document["file"]), "turns": 2}}


class FirstJumps(AnyCampaign):
    """The introduction, two turns long, by anything that is legal."""

    book = RULEBOOK
    document = short()
    junk = (
        {"T1": {"route": "Nowhere"}},
        {"T1": {"route": "loop"}},
        {"T1": {"load": "9999 census"}},
        {"T1": {"explore": "sol?9"}},
        {"T9": {"route": "Sol"}},
        {"kraz": {"stance": "love"}},
    )

    def answer_to(self, side: str, ask: AnyAsk, seed: int) -> Json:
        return random_answer(self.adjudicator, side, ask, Random(seed))

    def problems_of(self, side: str, known: Knowledge) -> Iterable[str]:
        """Systems on the map that the empire does not know, others on it that are no contacts, and contacts by their
        owner's names."""
        state = self.adjudicator._state
        if self.adjudicator.asks_for(side):  # who is not asked may still see the moment before
            board = self.adjudicator.view(side).board
            assert board.chart is not None
            strange = {one.id for one in board.chart.systems} - {*state.empires[side].places}
            yield from (f"{one} is on the map of {side}, who does not know it" for one in sorted(strange))
            others = {one.id for one in board.counters if one.owner not in ("", side) and one.form != "battle"}
            yield from (f"{one} is on the map and no contact" for one in sorted(others - {*known.contacts}))
        owned = {*state.units, *state.squadrons, *state.fleets}
        yield from (f"{track} is known by its owner's name" for track in sorted(known.contacts.keys() & owned))


FirstJumps.TestCase.settings = often(10)
TestCampaign = cast("Any", FirstJumps.TestCase)
