"""A sheet in words, as it stands on the card and is read back."""

from typing import Any

import pytest

from rules_engine.rulebooks.border_patrol.plotting.asking import plot_ask
from tests.rulebooks.border_patrol.plays import world

LINES = """
blue B1 0505 CA+DD
blue B2 0707 CA[warp_ok=0]
red R1 1010 CA[cloak_cost=10]
"""


def said(sheet: dict[str, Any], team: str = "blue") -> list[str]:
    ask = plot_ask(world(LINES), team)
    return list(ask.read_back(ask.answer_from(sheet)))


def test_a_stack_that_holds_says_how_far_it_could_go_and_nothing_of_a_way():
    assert said({}) == [
        "B1: holds at 0505, could go 5 hexes; lets nobody leave",
        "B2: holds at 0707; lets nobody leave",
    ]


def test_a_stack_on_its_way_says_what_it_does_when_something_comes_up():
    sheet = {
        "B1": {"route": "0506", "onward": "turn back", "held": "either", "let_go": "ask"},
        "B1-ships": {"rearguard": ["B1-DD"]},
    }
    assert said(sheet)[0] == (
        "B1: goes 0506; sees others ahead: turns back; if held: breaks out, or else asks to be let go; "
        "rearguard B1-DD; asks you who may leave"
    )


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("onward", "stop", "sees others ahead: stops"),
        ("held", "withdraw", "if held: asks to be let go"),
        ("let_go", "let go", "lets others leave"),
    ],
)
def test_a_standing_word_that_the_sheet_changes_is_read_back_of_one_that_holds_too(field: str, value: str, words: str):
    assert words in said({"B1": {field: value}})[0]


def test_who_lies_in_wait_says_to_what_and_how_far():
    (told,) = said({"R1": {"react": "must", "within": 1, "cloak": "until it reacts"}}, "red")
    assert told == (
        "R1: lies in wait at 1010, reacts only to what it must; reacts at most 1 hex away; "
        "under cloak until it reacts; lets nobody leave"
    )


def test_a_sheet_that_is_filled_in_whole_says_no_more_than_one_that_changes_nothing():
    as_it_stands: dict[str, Any] = {"react": "no", "onward": "go on", "held": "stay", "let_go": "refuse", "within": 2}
    assert said({"B1": as_it_stands}) == said({})
    assert "reacts at most 1 hex away" in said({"B1": {**as_it_stands, "within": 1}})[0]
    assert "away" not in said({"B1": {**as_it_stands, "react": "any"}})[0]


def test_units_that_part_are_one_or_several():
    assert "B1-DD stays as a stack of its own" in said({"B1-ships": {"detach": ["B1-DD"]}})[0]


def test_a_route_is_asked_for_with_how_far_the_stack_goes_and_when():
    form = plot_ask(world(LINES), "blue").form
    hints = {key: form.by_key[key].fields[0].help for key in ("B1", "B2")}
    assert hints == {
        "B1": "5 hexes, in phases 2 4 5 7 8, such as 0504; P8 0504 waits for phase 8; blank holds",
        "B2": "It does not move by itself; blank holds",
    }
