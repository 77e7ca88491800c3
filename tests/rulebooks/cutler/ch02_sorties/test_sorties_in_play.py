"""Whole campaigns at random, in which carriers stand next to each other: all that sorties bring must come up."""

from functools import cache
from random import Random

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.rulebooks.cutler import RULEBOOK
from tests.rulebooks.cutler.armed import files
from tests.rulebooks.players import Match, never_said
from tests.rulebooks.strand_play import StrandPlay, own_ground

SEEDS = range(1, 31)  # as many as it takes
ASKED = {"sortie", "intercept", "attack"}
COMES_UP = (
    "sorties:", "act in this order", "attacks the", "Sortie against you", "Sortie battle in",
    "Landed after the sortie", "act as one force",
)  # fmt: skip


def carriers() -> dict[str, Json]:
    """Three empires with a carrier, or two, in hexes that touch."""
    made = files({"Ash": ["0403", "0504"], "Birch": ["0404", "0405"], "Cedar": ["0404", "0503"]}, turns=1)
    full = 'type = "strike_carrier"\nholds = { fighter = 12, wbp = 36 }'
    made["units.toml"] = made["units.toml"].replace('type = "destroyer"', full)
    return RULEBOOK.read_scenario(made)


@cache
def played(seed: int) -> Match:
    game = Match(RULEBOOK, carriers(), seed)
    game.play(200)
    return game


@pytest.mark.headless
def test_all_that_sorties_bring_comes_up_in_random_play() -> None:
    games: list[Match] = []
    asked: set[str] = set()
    for seed in SEEDS:
        games.append(played(seed))
        asked |= {ask.kind for step in games[-1].steps for ask in step.opened}
        if asked >= ASKED and not never_said(COMES_UP, games):
            return
    assert not never_said(COMES_UP, games)
    assert asked >= ASKED


@pytest.mark.headless
def test_such_a_campaign_replays_to_the_same_end() -> None:
    game = played(SEEDS[0])
    assert game.replayed().digest() == game.adjudicator.digest()


@pytest.mark.parametrize("seed", [4, 3])
def test_targets_are_played_side_by_side_and_the_order_of_closings_changes_nothing(seed: int) -> None:
    one = StrandPlay(RULEBOOK, carriers(), seed, order=Random(seed), patient=seed % 2 == 1, watched=True).play(1)
    assert one.outcome() == StrandPlay(RULEBOOK, carriers(), seed, patient=seed % 2 == 1).play(1).outcome()
    assert one.problems == []
    assert any("/sortie/" in ask.strand for step in one.steps for ask in step.opened)


@pytest.mark.parametrize("seed", [2, 3])
def test_each_target_writes_to_its_own_ground_alone(seed: int) -> None:
    games: list[StrandPlay] = []
    with own_ground(lambda: games[-1].adjudicator._state if games else None) as clashes:
        games.append(StrandPlay(RULEBOOK, carriers(), seed, order=Random(seed)))
        games[-1].play(1)
    assert clashes == []
