"""Battles of this book in the tracker itself: set up by 8.5.5.4, flown, and told to their account."""

from typing import Any

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.tactics.battles import MIDDLE
from rules_engine.rulebooks.vector.battles.tracker import TRACKER
from tests.rulebooks.pq17.worlds.battles import NOW, at_battle, battle_asks
from tests.rulebooks.pq17.worlds.notation import SIDES, world
from tests.rulebooks.set_ups import hex_off
from tests.rulebooks.vector.battles.tracked import Tracked

ATTACK: dict[str, list[Any]] = {"attack alliance": [{"A1": {"target": "E1"}}]}


def battle_ask(text: str, sheets: dict[str, list[Any]] = ATTACK, **at: Any) -> AnyAsk:
    return next(battle_asks(at_battle(world(text + NOW), **at), sheets))


def flown(ask: AnyAsk, *, labels: Any = SIDES, **sheets: str) -> Tracked:
    """The battle in the tracker; ``alliance`` and ``coalition`` are what these type for their set-ups."""
    typed = {(side, "set-up"): [text] for side, text in sheets.items()}
    return Tracked(ask.tactics.battle, typed, options={"pieces": 1}, labels=labels)


def broken(ask: AnyAsk, sheet: dict[str, Any]) -> set[str]:
    return {one.rule for one in ask.refusals_of(sheet)}


@pytest.mark.rule("pq17", "8.5.5.4.1", "8.5.5.4.2", "8.5.5.4.3")
def test_set_ups_are_refused_for_one_hex() -> None:
    ask = battle_ask("A1 0505 CA speed 2 U\nC1 0505 CA+FT speed 1 ID0")
    game = flown(ask, coalition=f"DF1: at {MIDDLE}\nDF2: at {hex_off(3)}")
    (first,) = game.asked_now()
    assert first.parties == ("coalition",)
    assert broken(first, {"DF1": {"at": MIDDLE}, "DF2": {"at": hex_off(35)}}) == set()
    assert broken(first, {"DF1": {"at": MIDDLE}, "DF2": {"at": hex_off(36)}}) == {"PQ-17 8.5.5.4.2"}
    assert broken(first, {"DF1": {"at": hex_off(1)}, "DF2": {"at": hex_off(2)}}) == {"PQ-17 8.5.5.4.1"}
    game.play(1)
    (second,) = game.asked_now()
    assert second.parties == ("alliance",)
    assert broken(second, {"AT1": {"at": hex_off(-50)}}) == set()
    assert broken(second, {"AT1": {"at": hex_off(-49)}}) == {"PQ-17 8.5.5.4.3"}
    assert broken(second, {"AT1": {"at": hex_off(-51)}}) == {"PQ-17 8.5.5.4.3"}


@pytest.mark.rule("pq17", "8.5.5.3.9", "T3b")
def test_nobody_begins_faster_than_it_may() -> None:
    (ask,) = flown(battle_ask("A1 0405 CA speed 2 U\nC1 0405 CA speed 1 ID0")).asked_now()
    assert ask.refusals_of({"DF1": {"at": MIDDLE, "speed": 9}}) == ()
    assert ask.refusals_of({"DF1": {"at": MIDDLE, "speed": 10}}) != ()


@pytest.mark.rule("pq17", "8.5.5.4.3")
def test_who_says_nothing_is_placed_legally_also_relief() -> None:
    text = "A1 0405 CA+DD speed 2 ID0\nA2 0405 DD speed 2 ID0\nC1 0405 CA+SC speed WC ID0\nC2 0405 FF speed 2 ID0"
    sheets = {
        "attack alliance": [{"A1": {"target": "E1"}, "A2": {"target": "E1"}}],
        "attack coalition": [{"C2": {"target": "E2"}}],
    }
    game = flown(battle_ask(text, sheets, surprise=10)).play(3)
    assert {*game.state.battle.units} == {"DF1", "DF2", "DF3", "AT1", "AT2", "AT3"}
    assert [ask.refusals_of({}) for ask in game.asks] == [(), (), ()]
    assert [ask.parties for ask in game.asks] == [("coalition",), ("alliance",), ("coalition",)]


@pytest.mark.rule("pq17", "8.5.5.5.4")
def test_what_the_tracker_counts_is_an_account_that_the_form_knows() -> None:
    ask = battle_ask("A1 0405 CA speed 2 U\nC1 0405 CA speed 1 ID0")
    tally = TRACKER.tally(flown(ask).until(2).state)
    assert [one.code for one in tally.ships] == ["DF1", "AT1"]
    assert ask.tactics.account(tally) == {"battle": {"turns": 2}}
