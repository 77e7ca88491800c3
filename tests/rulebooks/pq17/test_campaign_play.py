"""Whole campaigns, played by officers on both sides through the referee, with every invariant checked after each step.

The short runs stand for the long ones in everyday testing; the long ones play all 22 periods of 30 turns.
"""

import os

import pytest

from rules_engine.core.journal import Closed
from tests.rulebooks.pq17.campaign_play import CAMPAIGN, INTRO, CampaignPlay, scenario
from tests.rulebooks.pq17.officers import Manner

PERIOD = 30
WHOLE = 22 * PERIOD
FULL = os.environ.get("PLOTROOM_SWEEP") == "full"
CAMPAIGN_SEEDS = range(1, 7)
"""Of whole campaigns; each takes minutes."""
PERIOD_SEEDS = range(11, 41)
"""Of campaigns of one period and of the introduction."""


def played(key: str, seed: int, turns: int, manner: Manner | None = None) -> CampaignPlay:
    """A campaign of so many turns; its own length is set to that."""
    print(f"seed {seed}: {key}, {turns} turns")  # pytest shows it beside a failure
    book, document = scenario(key, turns=turns)
    return CampaignPlay(book, document, seed, manner=manner).play()


def test_the_campaign_begins_and_replays():
    game = played(CAMPAIGN, 1, 4, Manner(bold=0.8))
    assert game.referee.ending is not None
    assert game.tally.turns.total() >= 3
    assert game.tally.asks["planning"] >= 2 * 3
    game.verify()


def test_a_period_that_nobody_answers_comes_to_its_end():
    book, document = scenario(CAMPAIGN, turns=PERIOD + 1)
    game = CampaignPlay(book, document, 2, manner=Manner(silence=1.0), check=False).play(PERIOD - 1)
    game.check = True
    game.play()
    assert game.referee.ending is not None
    assert game.state.turn == PERIOD + 1
    game.verify()


def test_a_crowded_map_has_battles_and_replays_from_its_last_turn():
    game = played(INTRO, 1, 10, Manner(bold=0.9))
    assert {"planning", "battle"} <= set(game.tally.asks)
    assert game.state.ledger, "nothing was scored"
    assert game.snapshot is not None
    assert any(isinstance(entry.body, Closed) for entry in game.entries[1:])
    game.verify()


@pytest.mark.slow
@pytest.mark.skipif(not FULL, reason="minutes each: PLOTROOM_SWEEP=full")
@pytest.mark.parametrize("seed", CAMPAIGN_SEEDS)
def test_a_whole_campaign(seed: int):
    game = played(CAMPAIGN, seed, WHOLE)
    assert game.referee.ending is not None
    assert game.referee.turn >= WHOLE
    game.verify()


@pytest.mark.slow
@pytest.mark.skipif(not FULL, reason="many seeds: PLOTROOM_SWEEP=full")
@pytest.mark.parametrize("seed", PERIOD_SEEDS)
@pytest.mark.parametrize(("key", "turns"), [(CAMPAIGN, PERIOD + 3), (INTRO, 40)])
def test_many_seeds(key: str, turns: int, seed: int):
    wild = Manner(bold=0.8, whims=0.6, silence=0.15)
    assert played(key, seed, turns, wild if seed % 2 else None).referee.ending is not None
