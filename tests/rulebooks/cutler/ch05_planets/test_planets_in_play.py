"""Whole campaigns at random, in which planets are razed, taken and lost: each of it must come up, and all replays.

A rebellion against a garrison that suffices, and a prize that is melted down, are in `test_written_campaigns`: they
come up once in a dozen of these.
"""

from functools import cache

import pytest

from rules_engine.rulebooks.cutler import RULEBOOK
from tests.rulebooks.cutler.besieged import besieged
from tests.rulebooks.players import Match, never_said
from tests.rulebooks.strand_play import StrandPlay

SEEDS = (1, 47, *range(2, 31))  # the first suffices as a rule
COMES_UP = (
    "lands",
    "Ground combat on",
    "captures",
    "is razed by",
    "recovers",
    "Major revolt",
    "the garrison counts",
    "rises against",
    # 3.5 and 3.6.1.1, where they are fought over
    "forces an approach battle",
    "Towards the ",
    "tries to surround",
    "Battle at the ",
)


@cache
def played(seed: int) -> Match:
    game = Match(RULEBOOK, besieged(), seed)
    game.play(1_200)
    return game


@pytest.mark.headless
def test_all_that_befalls_planets_comes_up_in_random_play() -> None:
    assert not never_said(COMES_UP, map(played, SEEDS))


@pytest.mark.headless
@pytest.mark.parametrize("seed", SEEDS[:2])
def test_such_campaigns_replay_to_the_same_end(seed: int) -> None:
    game = played(seed)
    again = game.replayed()
    assert again.digest() == game.adjudicator.digest()
    assert again.ending == game.adjudicator.ending


def test_a_fight_for_a_planet_is_a_strand_of_those_who_fight_there() -> None:
    """Its third neighbour is asked nothing there, and no waiting card comes of it where windows are fixed."""
    parties: set[frozenset[str]] = set()
    for seed in (13, *SEEDS):  # until troops meet within two turns of one of these campaigns, as a rule the first
        game = StrandPlay(RULEBOOK, besieged(turns=2), seed, patient=True).play(2)
        asks = [ask for step in game.steps for ask in step.opened if "/after/ground/" in ask.strand]
        assert {ask.kind for ask in asks} <= {"assault"}
        state = game.adjudicator._state
        names = {planet.hex for planet in state.planets.values()}
        names |= {f"{moon.hex} {moon.feature}" for moon in state.moons.values()}
        assert {ask.strand.rpartition("/")[2] for ask in asks} <= names, "its name is read by players"
        parties |= {frozenset(ask.parties) for ask in asks}
        if parties:
            break
    assert any(len(one) == 2 for one in parties)
