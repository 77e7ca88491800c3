"""A battle of which a book fails to say how it is flown: every book goes on, and the battle is played by hand."""

from types import ModuleType
from typing import Any

import pytest

from rules_engine import rulebooks
from rules_engine.core.running.transitions import RuleFailure
from rules_engine.core.tactics import describing
from rules_engine.rulebooks.border_patrol.battles import fighting as of_border_patrol
from rules_engine.rulebooks.cutler.ch03_combat import battle as of_cutler
from rules_engine.rulebooks.jump_lanes.battles import fighting as of_lanes
from rules_engine.rulebooks.pq17.ch08_combat import result_form as of_pq17
from tests.rulebooks.players import Match
from tests.rulebooks.test_every_rulebook import SHELF
from tests.rulebooks.tracking.test_every_book import FOUND, MOST_ROUNDS

MAKERS: dict[str, ModuleType] = {
    "pq17": of_pq17,
    "cutler": of_cutler,
    "border_patrol": of_border_patrol,
    "jump_lanes": of_lanes,
}
"""Where each book makes the ask of a battle, from campaigns of :data:`FOUND`."""


def fails(*_: Any) -> Any:
    raise ZeroDivisionError("the description breaks on purpose")


def match_of(name: str) -> Match:
    key, _, seeds = FOUND[name]
    book, scenario = SHELF.read(key)
    return Match(book, scenario, seeds[0], tracker=rulebooks.tracker())


@pytest.mark.parametrize("name", MAKERS)
def test_the_campaign_goes_on_by_hand(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(MAKERS[name], "tactics_of", fails)
    monkeypatch.setattr(describing, "_GUARDED", True)
    match = match_of(name)
    met: set[str] = set()
    for _ in range(MOST_ROUNDS):
        battles = {ask.id: ask for ask in match.adjudicator.open_asks() if ask.kind == "battle"}
        if met and not met & set(battles):
            break
        for key, ask in battles.items():
            assert ask.tactics is None
            assert ask.untracked.startswith("ZeroDivisionError at test_undescribed.py:")
            assert match.adjudicator.tracking(key) is None
        met |= set(battles)
        match.round()
    assert met, "there was a battle"
    assert not met & {ask.id for ask in match.adjudicator.open_asks()}, "it was fought to its end"


@pytest.mark.parametrize("name", MAKERS)
def test_in_tests_it_is_seen(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(MAKERS[name], "tactics_of", fails)
    match = match_of(name)

    def plays() -> None:
        for _ in range(MOST_ROUNDS):
            match.round()

    with pytest.raises(RuleFailure):
        plays()
