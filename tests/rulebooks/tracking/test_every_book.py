"""A battle of every rulebook that has any, tracked through its campaign: begun, flown, taken back, restarted, dropped,
and ended by an account that the tracker fills in."""

from collections.abc import Callable
from typing import Any

import pytest

from rules_engine import rulebooks
from rules_engine.core.basics.base import Json
from rules_engine.core.knowledge.reports import EVERYBODY
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.records.journal import JournalEntry
from rules_engine.core.running.replay import replay
from rules_engine.core.running.tracked import TrackedRest, strand_of
from tests.rulebooks.cutler.armed import crowded
from tests.rulebooks.players import AT, Match, random_answer
from tests.rulebooks.test_every_rulebook import SHELF
from tests.seeds import IS_THOROUGH

FOUND: dict[str, tuple[str, Callable[[], dict[str, Json]] | None, tuple[int, ...]]] = {
    "pq17": ("pq17/intro", None, (27, 109)),
    "cutler": ("cutler/frontier", None, (1, 3)),
    "cutler, 3 empires": ("cutler/intro", lambda: crowded(3), (2, 4)),
    "border_patrol": ("border_patrol/intro", None, (4, 6)),
    "border_patrol, whole": ("border_patrol/neutral_zone", None, (4, 6)),
    "jump_lanes": ("jump_lanes/intro", None, (1, 3)),
    "jump_lanes, whole": ("jump_lanes/long-frontier", None, (1, 4)),
}
"""Campaigns in which random players soon meet, with their seeds."""

CASES = [(name, seed) for name, (_, _, seeds) in FOUND.items() for seed in (seeds if IS_THOROUGH else seeds[:1])]
MOST_ROUNDS = 40
PIECES = 6


class TrackedMatch(Match):
    """A match with a tracker, in which one battle is open."""

    def __init__(self, name: str, seed: int) -> None:
        key, made, _ = FOUND[name]
        book, scenario = SHELF.read(key)
        super().__init__(book, scenario if made is None else made(), seed, tracker=rulebooks.tracker())
        for _ in range(MOST_ROUNDS):
            battles = [ask for ask in self.adjudicator.open_asks() if ask.tactics is not None]
            if battles:
                self.ask: AnyAsk = battles[0]
                return
            self.round()
        raise AssertionError(f"{name} {seed}: no battle in {MOST_ROUNDS} rounds")

    @property
    def strand(self) -> str:
        return strand_of(self.ask.id)

    def wish(self, wish: Any, **more: Any) -> None:
        """All parties wish it."""
        for force in self.ask.forces:
            self.take(self.adjudicator.track(force[0], self.ask.id, wish, by=force[0], at=AT, **more))

    def own(self) -> list[AnyAsk]:
        """What the tracker asks now."""
        return [ask for ask in self.adjudicator.open_asks() if ask.beside == self.ask.id]

    def fly(self) -> None:
        """Everybody plots at random, and the piece is flown; what needs agreement is agreed on."""
        for ask in self.own():
            document: Json = None
            for side in ask.parties if len(ask.forces) > 1 else ask.parties[:1]:
                if document is None:
                    document = random_answer(self.adjudicator, side, ask, self.chance)
                self.take(self.adjudicator.answer(side, ask.id, document, by=side, at=AT))
        self.take(self.adjudicator.close("deadline", by="clock", at=AT, strand=self.strand, nonce=self.nonce()))
        state = self.tracked.state
        assert rulebooks.tracker().defects(state) == []

    @property
    def tracked(self) -> Any:
        found = self.adjudicator._tracked.find(self.ask.id)
        assert found is not None
        return found

    def rests(self) -> list[TrackedRest]:
        """The newest rest of each battle, as the host keeps them."""
        kept = {rest.ask: rest for step in self.steps for rest in step.rests}
        return [TrackedRest.model_validate_json(rest.model_dump_json()) for rest in kept.values()]

    def again(self, *, from_rests: bool) -> Any:
        entries = [JournalEntry.model_validate_json(step.line) for step in self.steps]
        return replay(
            self.adjudicator.rulebook,
            entries,
            self.seed,
            tracker=rulebooks.tracker(),
            rests=self.rests() if from_rests else (),
        )

    def stands(self, adjudicator: Any) -> Any:
        """All that a restart must bring back."""
        asks = [ask.id for ask in adjudicator.open_asks()]
        boards = [adjudicator.tactical_view(side, self.ask.id).model_dump_json() for side in self.ask.parties]
        return (
            asks,
            boards,
            adjudicator.checkpoint().model_dump(),
            adjudicator.tally(self.ask.id),
            adjudicator.tracked_remarks(self.ask.id),
        )


pytestmark = pytest.mark.headless


@pytest.fixture(params=CASES, ids=[f"{name}-{seed}" for name, seed in CASES])
def game(request: pytest.FixtureRequest) -> TrackedMatch:
    return TrackedMatch(*request.param)


def test_a_battle_is_flown_from_its_set_up(game: TrackedMatch):
    parties = set(game.ask.parties)
    before = game.adjudicator.digest()
    views = {label.key: game.adjudicator.view(label.key) for label in game.adjudicator.sides}
    public = game.adjudicator.public_view()
    began = len(game.steps)
    game.wish("begin", options={"pieces": 2})
    for _ in range(PIECES):
        if game.adjudicator.tracking(game.ask.id).is_over:
            break
        game.fly()
    assert game.tracked.turn >= 1
    # The campaign around it knows nothing of all that.
    assert game.adjudicator.digest() == before
    assert {label.key: game.adjudicator.view(label.key) for label in game.adjudicator.sides} == views
    assert game.adjudicator.public_view() == public
    for step in game.steps[began:]:
        assert all(report.to != EVERYBODY and set(report.to) <= parties for report in step.reports)
        assert all(roll.seen_by is not None and roll.seen_by <= parties for roll in step.rolls)
        assert not step.maps_for
        assert all(set(ask.parties) <= parties for ask in step.opened)
    # A restart brings back the same, from the journal alone and from its rests.
    here = game.stands(game.adjudicator)
    assert game.stands(game.again(from_rests=False)) == here
    assert game.stands(game.again(from_rests=True)) == here
    # What is taken back is asked anew; what is dropped is gone.
    if game.adjudicator.tracking(game.ask.id).may_undo:
        game.wish("undo")
        assert game.own()
        game.fly()
    # The account that it fills in is a sheet that can be sent, as far as it goes.
    filled, form = game.adjudicator.filled_in(game.ask.id), game.ask.form
    for key, values in filled.items():
        line = form.line(key)
        assert line is not None, key
        assert set(values) <= {field.key for field in line.fields}, key
    side = game.ask.parties[0]
    game.take(game.adjudicator.track(side, game.ask.id, "drop", by=side, at=AT))
    assert not game.own()
    assert game.adjudicator.digest() == before
    replayed = game.again(from_rests=True)
    assert [ask.id for ask in replayed.open_asks()] == [ask.id for ask in game.adjudicator.open_asks()]


def test_a_battle_is_taken_up_late_and_the_campaign_goes_on(game: TrackedMatch):
    game.wish("begin late")
    for _ in range(4):
        if game.own():
            game.fly()
    document = random_answer(game.adjudicator, game.ask.parties[0], game.ask, game.chance)
    for force in game.ask.forces:
        game.take(game.adjudicator.answer(force[0], game.ask.id, document, by=force[0], at=AT))
    step = game.adjudicator.close("all ready", by="clock", at=AT, strand=game.ask.strand, nonce=game.nonce())
    game.take(step)
    assert game.ask.id in step.closed
    assert not game.own()
    assert game.adjudicator.tracking(game.ask.id) is None
    assert game.again(from_rests=True).digest() == game.adjudicator.digest()


def test_where_nobody_says_anything_it_coasts_along_and_what_it_must_be_told_it_waits_for(game: TrackedMatch):
    def fall_silent() -> Any:
        game.take(game.adjudicator.close("deadline", by="clock", at=AT, strand=game.strand, nonce=game.nonce()))
        restarted, now = game.again(from_rests=True), game.adjudicator.tracking(game.ask.id)
        assert game.stands(restarted) == game.stands(game.adjudicator)
        assert restarted.tracking(game.ask.id) == now
        return now

    def clock(wish: Any) -> str:
        step = game.adjudicator.track("", game.ask.id, wish, by="clock", at=AT)
        game.take(step)
        return step.deeds[0].did

    game.wish("begin late")
    assert fall_silent().stands_still, "it cannot know where the units are"
    assert clock("drop") == "let go"
    game.wish("begin", options={"pieces": 1})
    for silent in (1, 2):
        now = fall_silent()
        assert (now.silent, now.stands_still) == (silent, False)
    assert clock("pause") == "fallen silent"
    assert game.again(from_rests=True).tracking(game.ask.id) == game.adjudicator.tracking(game.ask.id)
