"""The laws of strands, over random play of a small rulebook that parts, and parts again within."""

from random import Random

import pytest

from rules_engine.core.records.journal import Closed
from rules_engine.core.running.replay import replay, rewind
from tests.core.strands.islands import Islands
from tests.rulebooks.players import AT
from tests.rulebooks.strand_play import StrandPlay, own_ground

TURNS = 4
SCENARIO = {"turns": TURNS}


def played(seed: int, *, order: int | None = None, window: bool = False, **how: bool) -> StrandPlay:
    """A whole campaign."""
    chance = None if order is None else Random(f"{seed}/{order}")
    book = Islands(window="decision" if window else None)
    return StrandPlay(book, SCENARIO, seed, order=chance, patient=window, **how).play(TURNS)


@pytest.mark.parametrize("window", [False, True])
def test_the_order_in_which_strands_close_changes_nothing(sweep_seed: int, window: bool) -> None:
    one_by_one = played(sweep_seed, window=window)
    assert one_by_one.adjudicator.ending is not None
    for order in range(3):
        mixed = played(sweep_seed, order=order, window=window, watched=True)
        assert mixed.outcome() == one_by_one.outcome()
        assert mixed.problems == []


def test_play_goes_on_from_the_journal_alone_after_any_closing(sweep_seed: int) -> None:
    assert played(sweep_seed, order=7, rebuilt=True, watched=True).outcome() == played(sweep_seed).outcome()


def test_random_play_parts_and_parts_again_and_disputes() -> None:
    games = [played(seed, order=1) for seed in range(30)]
    assert any(len(game.adjudicator.strands()) == 0 and game.disputes for game in games)
    depths = {strand.count("/") for game in games for strand in game.strands}
    assert len(depths) == 3, "the trunk, islands, and bargains within them"


def test_every_prefix_replays(sweep_seed: int) -> None:
    game = played(sweep_seed, order=2)
    outcomes = {entry.seq: getattr(entry.body, "outcome", None) for entry in game.entries}
    for length in range(1, len(game.entries) + 1, 7):
        head = replay(game.rulebook, game.entries[:length], game.seed)
        outcome = outcomes[length]
        if outcome is not None:
            assert head.checkpoint(outcome.told) == outcome


def test_play_may_go_back_to_between_two_closings(sweep_seed: int) -> None:
    game = played(sweep_seed, order=3)
    within = [entry.seq for entry in game.entries if isinstance(entry.body, Closed) and entry.body.strand]
    for to in within[:: max(1, len(within) // 3)]:
        there = replay(game.rulebook, game.entries[:to], game.seed)
        again, _ = rewind(game.rulebook, game.entries, game.seed, to=to, by="x", reason="again", at=AT)
        assert [ask.id for ask in again.open_asks()] == [ask.id for ask in there.open_asks()]
        assert again.strands() == there.strands()
        for label in there.sides:
            for ask in there.asks_for(label.key):
                assert again.saved(label.key, ask.id) == there.saved(label.key, ask.id)
                assert again.is_ready(label.key, ask.strand) == there.is_ready(label.key, ask.strand)


def test_strands_write_to_their_own_ground_alone() -> None:
    games: list[StrandPlay] = []
    with own_ground(lambda: games[-1].adjudicator._state if games else None) as clashes:
        for seed in range(20):
            games.append(StrandPlay(Islands(), SCENARIO, seed, order=Random(seed)))
            games[-1].play(TURNS)
    assert clashes == []
