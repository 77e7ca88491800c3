"""Whole campaigns and anything that may happen to one: the state is always possible."""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from random import Random
from typing import Any, cast

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.jump_lanes import RULEBOOK
from rules_engine.rulebooks.jump_lanes.campaign.victory import ending
from rules_engine.rulebooks.jump_lanes.scenario.reading import read_scenario
from tests.rulebooks.anything import AnyCampaign, often
from tests.rulebooks.jump_lanes.captains import Voyage
from tests.rulebooks.jump_lanes.scenarios import files
from tests.rulebooks.players import random_answer

CAMPAIGNS = (
    *(("intro", seed, 0) for seed in range(8)), ("long-frontier", 1, 2), ("long-frontier", 2, 4),
    ("long-frontier", 3, 6),
)  # fmt: skip

HAPPENS = (
    "battle", "cargo", "contact", "exploration", "loss", "movement", "peril", "reinforcements", "score", "supply",
    "survey", "treaty", "ask battle", "ask cargo_loss", "ask plot", "refused 13.3.1", "refused 13.3.3",
    "refused 13.4.1", "refused 13.5.1",
)  # fmt: skip
"""What must have happened in some of them, or they try little."""


@cache
def voyage(name: str, seed: int, empires: int) -> Voyage:
    """A campaign, played once."""
    return Voyage(name, seed, empires).play()


@pytest.mark.parametrize(("name", "seed", "empires"), CAMPAIGNS)
def test_a_campaign_is_played_to_its_end(name: str, seed: int, empires: int):
    played = voyage(name, seed, empires)
    assert ending(played.state) is not None
    if empires:
        assert len(played.sides) == empires


def test_everything_happens_in_some_campaign():
    total = sum((voyage(*one).count for one in CAMPAIGNS), Counter[str]())
    assert [one for one in HAPPENS if not total[one]] == []


def test_the_same_seed_plays_the_same_campaign():
    first, again = Voyage("intro", 5).play(), Voyage("intro", 5).play()
    assert first.state.to_json() == again.state.to_json()
    assert [one.text for one in first.shared.reports] == [one.text for one in again.shared.reports]
    assert first.state.to_json() != Voyage("intro", 6).play().state.to_json()


def test_at_most_one_sheet_a_side_is_asked_in_a_turn_without_contact():
    played = voyage("intro", 3, 0)
    assert played.count["ask plot"] == played.state.turn * len(played.sides)


# --- stateful --------------------------------------------------------------------------------------------------------
def short() -> dict[str, Json]:
    """The introduction, two turns long."""
    document = read_scenario(files("intro"))
    return {**document, "file": {**cast("dict[str, Json]", document["file"]), "turns": 2}}


class FirstJumps(AnyCampaign):
    """The introduction, two turns long, by anything that is legal."""

    book = RULEBOOK
    document = short()
    junk = (
        {"T1": {"route": "Nowhere"}}, {"T1": {"route": "loop"}}, {"T1": {"load": "9999 census"}},
        {"T1": {"explore": "sol?9"}}, {"T9": {"route": "Sol"}}, {"kraz": {"stance": "love"}},
    )  # fmt: skip

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
