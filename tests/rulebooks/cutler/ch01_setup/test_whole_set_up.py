"""The set-up from the first sheet to the first turn, and on: random players, two to seven of them."""

import pytest

from rules_engine.core.protocol.seats import SeatRange, seated
from rules_engine.core.running.replay import replay
from rules_engine.rulebooks.cutler import RULEBOOK
from tests.rulebooks.cutler.ch01_setup.ring import ring_files
from tests.rulebooks.players import Match

KINDS = ["race", "empire", "planets", "systems", "forces", "turn"]


def ring(players: int, seed: int, *, turns: int = 1, kind: type[Match] = Match) -> Match:
    """A short campaign of the ring, and who plays it."""
    files = ring_files()
    files["scenario.toml"] = files["scenario.toml"].replace("turn = 12", f"turn = {turns}")
    return kind(RULEBOOK, seated(RULEBOOK, RULEBOOK.read_scenario(files), players), seed)


@pytest.mark.rule("cutler", "1.1", "1.1.1")
def test_two_to_seven_may_play() -> None:
    assert RULEBOOK.seats(RULEBOOK.read_scenario(ring_files())) == SeatRange(least=2, most=7)


@pytest.mark.rule("cutler", "1.1", "1.1.2.4", "1.1.2.5")
@pytest.mark.headless
@pytest.mark.parametrize(
    "players", [2, 5, pytest.param(3, marks=pytest.mark.thorough), pytest.param(7, marks=pytest.mark.thorough)]
)
def test_a_campaign_is_set_up_played_and_replayed(players: int) -> None:
    game = ring(players, players)
    kinds: list[str] = []
    for _ in range(500):
        if game.adjudicator.ending is not None:
            break
        kinds += [ask.kind for ask in game.adjudicator.open_asks()]
        game.round()
        assert game.adjudicator.defects() == () or list(game.adjudicator.defects()) == []
    assert game.adjudicator.ending is not None
    assert [kind for kind in dict.fromkeys(kinds) if kind in KINDS] == KINDS
    state = game.adjudicator._state
    assert state.setup is None
    assert len({label.name for label in game.adjudicator.labels}) == players
    assert len(state.systems) == 7 * players
    assert sorted(state.unsurveyed) == state.unsurveyed
    assert replay(RULEBOOK, game.entries, game.seed).digest() == game.adjudicator.digest()


@pytest.mark.rule("cutler", "1.1.2.3")
def test_a_prefix_of_the_set_up_replays() -> None:
    game = ring(3, 11)
    game.play(8)
    for length in range(1, len(game.entries) + 1):
        assert replay(RULEBOOK, game.entries[:length], game.seed).head == game.entries[length - 1]
