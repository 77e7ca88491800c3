"""What is not said when a sheet is read back: what stands anyway, and what nobody will come to."""

from typing import Any

from rules_engine.rulebooks.border_patrol.plotting.asking import plot_ask
from tests.expected.kept import Kept, cases
from tests.rulebooks.border_patrol.plays import play, world

LINES = """
blue B1 0505 CA+DD
blue B2 0707 CA[warp_ok=0]
red R1 1010 CA[cloak_cost=10]
"""


def said(sheet: dict[str, Any], team: str = "blue") -> list[str]:
    ask = plot_ask(world(LINES), team)
    return list(ask.read_back(ask.answer_from(sheet)))


def test_a_stack_that_holds_says_how_far_it_could_go_and_nothing_of_a_way():
    assert said({}) == ["B1: holds at 0505, could go 5 hexes", "B2: holds at 0707"]


@cases("field, value, words")
def test_a_standing_word_that_the_sheet_changes_is_read_back_of_one_that_holds_too(field: str, value: str, words: str):
    assert words in said({"B1": {field: value}})[0]


def test_a_sheet_that_is_filled_in_whole_says_no_more_than_one_that_changes_nothing():
    as_it_stands: dict[str, Any] = {"react": "no", "onward": "go on", "held": "stay", "let_go": "refuse", "within": 2}
    assert said({"B1": as_it_stands}) == said({})
    assert "reacts at most 1 hex away" in said({"B1": {**as_it_stands, "within": 1}})[0]
    assert "away" not in said({"B1": {**as_it_stands, "react": "any"}})[0]


def test_a_shortest_way_is_read_back_hex_by_hex():
    assert said({"B1": {"route": "to 0508"}})[0] == "B1: goes 0506 0507 0508"


def test_a_route_is_asked_for_with_how_far_the_stack_goes_and_when(kept: Kept):
    form = plot_ask(world(LINES), "blue").form
    hints = {key: form.by_key[key].fields[0].help for key in ("B1", "B2")}
    assert hints == kept()


def test_who_is_out_of_supply_is_said_to_be():
    ask = plot_ask(world("blue B1 0505 CA+DD[in_supply=no]"), "blue")
    assert ask.read_back(ask.default) == ["B1: holds at 0505, could go 2 hexes; out of supply"]
    assert ask.form.by_key["B1"].note == "at 0505, allowance 2: phases 4, 8, out of supply"


def test_how_far_it_reacts_is_said_where_it_matters_though_it_stood_so_before():
    state = world(LINES)
    state.stacks["B1"].orders.within = 1
    ask = plot_ask(state, "blue")
    waits, *_ = ask.read_back(ask.answer_from({"B1": {"react": "any"}}))
    holds, *_ = ask.read_back(ask.answer_from({}))
    assert waits == "B1: lies in wait at 0505, reacts to all others; reacts at most 1 hex away"
    assert holds == "B1: holds at 0505, could go 5 hexes; reacts at most 1 hex away"


@cases("before, after, words")
def test_what_becomes_as_usual_again_is_said_once(before: str, after: str, words: str):
    state = play(world(LINES), {"B1": {"orders": before}}).state
    ask = plot_ask(state, "blue")
    assert words in ask.read_back(ask.answer_from({"B1": {"orders": after}}))[0]
    assert words not in ask.read_back(ask.answer_from({"B2": {"orders": after}}))[1]
