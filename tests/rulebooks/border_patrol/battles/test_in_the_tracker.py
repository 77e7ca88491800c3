"""Battles of this book in the tracker itself: set up by BP-N32, flown, and nothing told of what is left of units."""

from typing import Any

from rules_engine.core.forms.forms import Sheet
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.tactics.battles import MIDDLE
from rules_engine.rulebooks.vector.battles.tracker import TRACKER
from tests.rulebooks.border_patrol.plays import TEAMS, play, world
from tests.rulebooks.set_ups import hex_off
from tests.rulebooks.vector.battles.tracked import Tracked

LINES = "blue B1 0505 CA+DD\nred R1 0507 CA"
MEET = {"R1": {"route": "0506 0505"}}


def battle_ask(lines: str = LINES, **red: Any) -> AnyAsk:
    """The battle to which Red comes; ``red`` is set of its cruiser."""
    state = world(lines)
    for name, value in red.items():
        setattr(state.units["R1-CA"], name, value)
    return play(state, None, MEET).asked("red", "battle")[0]


def flown(ask: AnyAsk, *, pieces: int = 1, **sheets: str) -> Tracked:
    assert ask.tactics is not None
    typed = {(team, "set-up"): [text] for team, text in sheets.items()}
    return Tracked(ask.tactics.battle, typed, options={"pieces": pieces}, labels=TEAMS)


def test_a_set_up_is_refused_for_one_hex():
    game = flown(battle_ask(), blue=f"BU1: at {MIDDLE}\nBU2: at {hex_off(-10)}")
    (first,) = game.asked_now()
    assert first.parties == ("blue",)
    for apart, rules in ((10, set[str]()), (11, {"BP-N32"})):
        sheet: Sheet = {"BU1": {"at": MIDDLE}, "BU2": {"at": hex_off(apart)}}
        assert {one.rule for one in first.refusals_of(sheet)} == rules
    game.play(1)
    (second,) = game.asked_now()
    assert second.parties == ("red",)
    well = [far for far in (24, 25, 35, 36) if not second.refusals_of({"RU1": {"at": hex_off(far)}})]
    assert well == [25, 35]


def test_nothing_reaches_the_other_team_of_what_is_left_of_a_unit():
    """Two worlds, over three turns: Red's cruiser has all of its engines, or two thirds of them."""
    whole, hurt = (flown(battle_ask(warp_ok=boxes)).until(3) for boxes in (30, 20))
    assert whole.seen_by("blue") == hurt.seen_by("blue")
    assert whole.seen_by("red") != hurt.seen_by("red")


def test_a_monster_is_flown_by_the_team_that_plays_it():
    lines = "blue B1 0303 CA\nmonster dragon 0505 stays by-hand\nred R1 0507 CA"
    game = flown(battle_ask(lines)).play(2)
    assert [ask.parties for ask in game.asks] == [("blue",), ("red",)]
    assert {*game.state.battle.units} == {"MU1", "RU1"}


def test_what_the_tracker_counts_is_an_account_that_the_form_knows():
    ask = battle_ask()
    assert ask.tactics is not None
    tally = TRACKER.tally(flown(ask).until(1).state)
    assert {one.code for one in tally.ships} == {line.key for line in ask.form.lines}
    assert ask.tactics.account(tally) == {}
