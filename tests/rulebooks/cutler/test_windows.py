"""Where sheets close only at their deadlines nobody can tell from a window whether others spied or met."""

from collections import defaultdict

from rules_engine.rulebooks.cutler import RULEBOOK
from tests.rulebooks.cutler.crowded import crowded
from tests.rulebooks.strand_play import StrandPlay

RACES = {"ash", "birch", "cedar"}
PHASES = ["espionage", *(f"I{impulse}/combat" for impulse in range(1, 7))]


def asked_in(game: StrandPlay) -> dict[str, set[str]]:
    """Who was asked something in each phase that parts, in the first turn."""
    asked: dict[str, set[str]] = defaultdict(set)
    for step in game.steps:
        for ask in step.opened:
            for phase in PHASES:
                if ask.strand.startswith(f"T1/{phase}/"):
                    asked[phase] |= set(ask.parties)
    return asked


def met_in(game: StrandPlay, phase: str) -> set[str]:
    """Who was told of others there in such a phase of the first turn."""
    return {race for race in RACES if any(one.place.startswith(f"T1/{phase}/") for one in game.told(race))}


def test_there_is_a_card_in_every_impulse_and_in_espionage() -> None:
    """Whoever meets others, and has a standing card for it, is not asked; all others are."""
    # By none of these all three, in one hex, have standing cards, or somebody is spied upon who set no points aside.
    for seed in (0, 3, 5):
        game = StrandPlay(RULEBOOK, crowded(3, turns=1), seed, patient=True).play(1)
        asked = asked_in(game)
        assert set(asked) == set(PHASES)
        assert asked["espionage"] == RACES
        for phase in PHASES:
            assert RACES - asked[phase] <= met_in(game, phase)


def test_elsewhere_only_those_are_asked_who_have_something_to_decide() -> None:
    game = StrandPlay(RULEBOOK, crowded(3, turns=1), 1).play(1)
    assert not any(ask.kind == "waiting" for step in game.steps for ask in step.opened)
