"""A campaign of each rulebook goes on by another version of its rules, plays back, and is verified."""

import pytest

from bot.verification.verify import verify
from rules_engine.core.records.journal import Rewound, version_of
from rules_engine.core.running.replay import begun_anew, last_boundary, replay
from tests.rulebooks.players import AT, Match
from tests.rulebooks.test_every_rulebook import LIGHT, match

NEXT = "99"
MOST_ROUNDS = 60
ROUNDS_AFTER = 4


def to_a_boundary(key: str, seed: int) -> Match:
    """A campaign whose second turn has just begun."""
    game = match(key, seed)
    for _ in range(MOST_ROUNDS):
        game.round()
        if game.steps[-1].boundary is not None:
            return game
    raise AssertionError("no turn ends")


def goes_on(game: Match) -> None:
    """Play on, and hold the record against a replay and against what verifies it."""
    game.play(ROUNDS_AFTER)
    again = replay(game.adjudicator.rulebook, game.entries, game.seed)
    assert again.digest() == game.adjudicator.digest()
    assert again.played_by == game.adjudicator.played_by == version_of(game.entries) == NEXT
    assert again.knows_what_was_shown()
    if again.ending is not None:
        game.take(game.adjudicator.reveal(by="clock", at=AT))
    verdict = verify(game.entries, game.seed)
    assert any(f"carried it over to version {NEXT}" in line for line in verdict.proves)


@pytest.mark.parametrize("key", sorted(LIGHT))
def test_a_turn_begins_anew_and_play_goes_on_when_the_rules_are_another_version(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = to_a_boundary(key, 1)
    snapshot, book = game.steps[-1].snapshot, game.adjudicator.rulebook
    assert snapshot is not None
    game.round()
    monkeypatch.setattr(type(book), "version", NEXT)
    start = last_boundary(book, game.entries, game.seed, snapshot)
    game.adjudicator, step = begun_anew(book, game.entries, game.seed, start, by="clock", reason="new rules", at=AT)
    game.take(step)
    assert game.adjudicator.turn == snapshot.turn
    assert isinstance(step.entry.body, Rewound)
    assert snapshot.seal
    assert snapshot.seal not in step.line, "nobody reads the seal without the seed"
    goes_on(game)


@pytest.mark.parametrize("key", sorted(LIGHT))
def test_the_first_turn_begins_anew_when_no_turn_has_ended(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = match(key, 3)
    game.round()
    book = game.adjudicator.rulebook
    monkeypatch.setattr(type(book), "version", NEXT)
    start = last_boundary(book, game.entries, game.seed, None)
    game.adjudicator, step = begun_anew(book, game.entries, game.seed, start, by="clock", reason="new rules", at=AT)
    game.take(step)
    assert {ask.kind for ask in step.opened} == {ask.kind for ask in game.steps[0].opened}
    goes_on(game)


@pytest.mark.parametrize("key", sorted(LIGHT))
def test_the_record_goes_on_from_a_turn_that_has_just_begun_when_that_turn_plays_back(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = to_a_boundary(key, 2)
    head, boundary, adjudicator = game.entries[-1], game.steps[-1].boundary, game.adjudicator
    assert boundary is not None
    before = adjudicator.digest()
    monkeypatch.setattr(type(adjudicator.rulebook), "version", NEXT)
    outcome = getattr(head.body, "outcome", None)
    assert outcome is not None
    body = Rewound(by="clock", to=head.seq, branch=adjudicator.branch, reason="new rules", outcome=outcome)
    game.take(adjudicator.carry_on(boundary.snapshot(head.seq), body, AT))
    assert adjudicator.digest() == before, "nothing changes but the record"
    goes_on(game)
