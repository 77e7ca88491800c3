"""The laws of play that parts, over random play of every rulebook; of one that never parts they hold of its sheets.

The small rulebook of ``tests/core/strands`` is held to the same, with more orders and more seeds.
"""

from contextlib import ExitStack
from functools import cache
from random import Random
from typing import Any

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.core.records.journal import Closed
from rules_engine.core.running.replay import replay, rewind
from tests.rulebooks.cutler.armed import crowded
from tests.rulebooks.cutler.besieged import besieged
from tests.rulebooks.players import AT
from tests.rulebooks.strand_play import StrandPlay, own_ground
from tests.rulebooks.test_every_rulebook import EACH_SHORT, LIGHT, SHELF, SHORT, WHOLE
from tests.seeds import IS_FULL, IS_THOROUGH

TURNS = 2
LONG = 6
"""How many times longer is played where nothing parted in that time."""
CROWDED = {
    "cutler, 2 empires": crowded(2),
    "cutler, 3 empires": crowded(3),
    "cutler, 7 empires": crowded(7),
    "cutler, 7 empires with a fleet each": crowded(7, fleets=1, hexes=3),
    "cutler, 3 empires over each other's planets": besieged(),
}
DAILY = {
    *LIGHT,
    "cutler, 3 empires",
    "cutler, 7 empires with a fleet each",
    "cutler, 3 empires over each other's planets",
}
WORLDS = [
    pytest.param(key, marks=() if key in DAILY or key.startswith(WHOLE) else pytest.mark.thorough)
    for key in (*SHORT, *CROWDED)
]
FEW = 1 if IS_THOROUGH else 2
"""Into how many times fewer prefixes a play is cut, and how many times rarer it goes on from the journal, every day."""


@cache
def world(key: str) -> tuple[Any, dict[str, Json]]:
    if key in CROWDED:
        return SHELF.read("cutler/intro")[0], CROWDED[key]
    return SHELF.read(key)


def played(key: str, seed: int, *, order: int | None = None, turns: int = TURNS, **how: int) -> StrandPlay:
    """Two turns, of many empires one; every other seed with fixed windows."""
    book, scenario = world(key)
    chance = None if order is None else Random(f"{seed}/{order}")
    return StrandPlay(book, scenario, seed, order=chance, patient=seed % 2 == 1, **how).play(
        1 if key.startswith("cutler, 7") else turns
    )


@pytest.fixture(params=WORLDS)
def key(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.mark.headless
class TestLaws:
    def test_the_order_in_which_anything_closes_changes_nothing_and_others_see_nothing(
        self, key: str, fewer_seed: int
    ) -> None:
        game = played(key, fewer_seed, order=1, watched=True)
        assert game.outcome() == played(key, fewer_seed).outcome()
        assert game.problems == []

    def test_each_strand_writes_to_its_own_ground_alone(self, key: str, fewer_seed: int) -> None:
        book, scenario = world(key)
        games: list[StrandPlay] = []
        with ExitStack() as stack:
            clashes = stack.enter_context(own_ground(lambda: games[-1].adjudicator._state if games else None))
            games.append(StrandPlay(book, scenario, fewer_seed, order=Random(fewer_seed)))
            games[-1].play(1)
        assert clashes == []

    def test_every_prefix_replays_and_play_may_go_back_to_between_two_closings(self, key: str) -> None:
        game, within = self.with_strands(key)
        closings = [entry.seq for entry in game.entries if isinstance(entry.body, Closed)]
        for to in (within or closings)[:: max(1, FEW * len(closings) // 4)]:
            there = replay(game.rulebook, game.entries[:to], game.seed)
            outcome = game.entries[to - 1].body.outcome
            assert there.checkpoint(outcome.told) == outcome
            again, _ = rewind(game.rulebook, game.entries, game.seed, to=to, by="x", reason="again", at=AT)
            assert [ask.id for ask in again.open_asks()] == [ask.id for ask in there.open_asks()]
            assert again.strands() == there.strands()
            for label in there.sides:
                for ask in there.asks_for(label.key):
                    assert again.saved(label.key, ask.id) == there.saved(label.key, ask.id)
                    assert again.is_ready(label.key, ask.strand) == there.is_ready(label.key, ask.strand)

    def with_strands(self, key: str) -> tuple[StrandPlay, list[int]]:
        """A game in which play parted, and the closings within its strands; of a book that never parts it, any."""
        for seed in range(5, 25, 2):
            game = played(key, seed, order=3, turns=TURNS if seed == 5 else LONG * TURNS)
            within = [entry.seq for entry in game.entries if isinstance(entry.body, Closed) and entry.body.strand]
            if within or not game.rulebook.parts_play:
                assert not within or game.rulebook.parts_play
                return game, within
        raise AssertionError("it says that it parts play, and does not")


@pytest.mark.parametrize("key", [*EACH_SHORT, *(key for key in CROWDED if not key.startswith("cutler, 7"))])
def test_play_goes_on_from_the_journal_alone_after_any_closing(key: str) -> None:
    """Of many empires it would take a minute: the whole is replayed at each closing, or in everyday testing at some."""
    assert played(key, 4, order=2, rebuilt=1 if IS_FULL else 8 * FEW).outcome() == played(key, 4).outcome()


def test_what_a_side_sees_within_its_own_strand_is_compared() -> None:
    assert played("cutler, 7 empires with a fleet each", 1, order=1).looks


def test_random_play_of_what_parts_has_many_strands_open_at_once_and_disputes() -> None:
    game = played("cutler, 7 empires", 1, order=1)
    assert max(len(step.opened) for step in game.steps) >= 7
    assert game.disputes
    assert len(game.strands) > 20
