"""Whole campaigns, played by officers on both sides through the referee, with every invariant checked after each step.

In everyday testing a campaign's first period stands for the rest; continuous integration adds the beginnings of
campaigns with seeds that nobody has tried; ``PLOTROOM_SWEEP=full`` plays all 22 periods of 30 turns.
"""

import pytest

from rules_engine.core.records.journal import Closed
from tests.rulebooks.pq17.playing.campaign_play import CAMPAIGN, INTRO, CampaignPlay, scenario
from tests.rulebooks.pq17.playing.officers import Manner
from tests.seeds import DRAWN, IS_FULL, QUICK

PERIOD = 30
WHOLE = 22 * PERIOD
CAMPAIGN_SEEDS = range(1, 21)
"""Of whole campaigns; each takes some minutes."""
PERIOD_SEEDS = range(11, 161)
"""Of campaigns of one period and of the introduction."""
WILD = Manner(bold=0.8, whims=0.6, silence=0.15)


def manner_of(seed: int) -> Manner | None:
    """Every fourth campaign is played by officers who change their minds at every sheet."""
    return WILD if seed % 4 == 0 else None


def played(key: str, seed: int, turns: int, manner: Manner | None = None) -> CampaignPlay:
    """A campaign of so many turns; its own length is set to that."""
    print(f"seed {seed}: {key}, {turns} turns")  # pytest shows it beside a failure
    book, document = scenario(key, turns=turns)
    return CampaignPlay(book, document, seed, manner=manner, looking=True).play()


@pytest.mark.headless
def test_the_campaign_begins_and_replays():
    game = played(CAMPAIGN, 1, 2, Manner(bold=0.8))
    assert game.adjudicator.ending is not None
    assert {"purchase", "deployment", "period", "planning"} <= set(game.tally.asks)
    game.verify()


@pytest.mark.headless
def test_the_first_period_and_the_beginning_of_the_second():
    """Special conditions, intelligence, convoys, command points, the account at the period's end."""
    game = played(CAMPAIGN, 1, PERIOD + 2)
    assert game.adjudicator.ending is not None
    assert game.tally.asks["period"] == 2 * 2
    assert game.tally.turns["busy"] > 0
    assert game.state.ledger, "nothing was scored"
    game.verify()


@pytest.mark.headless
def test_a_period_that_nobody_answers_comes_to_its_end():
    book, document = scenario(CAMPAIGN, turns=PERIOD + 1)
    game = CampaignPlay(book, document, 2, manner=Manner(silence=1.0), check=False).play(PERIOD - 1)
    game.check = True
    game.play()
    assert game.adjudicator.ending is not None
    assert game.state.turn == PERIOD + 1
    game.verify()


@pytest.mark.headless
def test_a_crowded_map_has_battles_and_replays_from_its_last_turn():
    game = played(INTRO, 1, 10, Manner(bold=0.9))
    assert {"planning", "battle"} <= set(game.tally.asks)
    assert game.state.ledger, "nothing was scored"
    assert game.snapshot is not None
    assert any(isinstance(entry.body, Closed) for entry in game.entries[1:])
    game.verify()


@pytest.mark.parametrize(
    ("key", "turns", "seed"),
    [
        *((CAMPAIGN, 8, seed) for seed in DRAWN[::2]),
        *((INTRO, 20, seed) for seed in DRAWN[1::2] or DRAWN),
        *(pytest.param(*one, QUICK[0], marks=pytest.mark.thorough) for one in ((CAMPAIGN, 8), (INTRO, 20))),
    ],
)
def test_seeds_that_nobody_has_tried(key: str, turns: int, seed: int):
    game = played(key, seed, turns, WILD if seed % 2 else None)
    assert game.adjudicator.ending is not None
    game.verify()


@pytest.mark.slow
@pytest.mark.skipif(not IS_FULL, reason="minutes each: PLOTROOM_SWEEP=full")
@pytest.mark.parametrize("seed", CAMPAIGN_SEEDS)
def test_a_whole_campaign(seed: int):
    game = played(CAMPAIGN, seed, WHOLE, manner_of(seed))
    assert game.adjudicator.ending is not None
    assert game.adjudicator.turn >= WHOLE
    game.verify()


@pytest.mark.slow
@pytest.mark.skipif(not IS_FULL, reason="many seeds: PLOTROOM_SWEEP=full")
@pytest.mark.parametrize("seed", PERIOD_SEEDS)
@pytest.mark.parametrize(("key", "turns"), [(CAMPAIGN, PERIOD + 3), (INTRO, 40)])
def test_many_seeds(key: str, turns: int, seed: int):
    assert played(key, seed, turns, WILD if seed % 2 else None).adjudicator.ending is not None
