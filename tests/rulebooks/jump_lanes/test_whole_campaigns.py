"""Whole campaigns played headlessly to their ends, with 2, 4 and 6 empires: the state is always possible."""

from collections import Counter
from functools import cache

import pytest

from rules_engine.rulebooks.jump_lanes.campaign.victory import ending
from tests.rulebooks.jump_lanes.captains import Voyage

CAMPAIGNS = (
    *(("intro", seed, 0) for seed in range(8)),
    ("long-frontier", 1, 2),
    ("long-frontier", 2, 4),
    ("long-frontier", 3, 6),
)

HAPPENS = (
    "battle",
    "cargo",
    "contact",
    "exploration",
    "loss",
    "movement",
    "peril",
    "reinforcements",
    "score",
    "supply",
    "survey",
    "treaty",
    "ask battle",
    "ask cargo_loss",
    "ask plot",
    "refused 13.3.1",
    "refused 13.3.3",
    "refused 13.4.1",
    "refused 13.5.1",
)
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
    asked = played.count["ask plot"]
    assert asked == played.state.turn * len(played.sides)
