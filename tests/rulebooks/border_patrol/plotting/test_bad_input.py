"""What a turn's sheet refuses: each with its rule, what would be legal, and the nearest thing meant; all at once."""

from typing import Any

import pytest

from rules_engine.rulebooks.border_patrol.plotting.asking import plot_ask
from tests.expected.kept import Kept, cases
from tests.rulebooks.border_patrol.plays import play, refused, world

PAIR = "blue B1 0505 CA+DD\nblue B2 0707 FF"
"""A cruiser and a destroyer, both with an allowance of 5 (phases 2, 4, 5, 7, 8), and a frigate with 6."""


@cases("proves, lines, sheet, says")
def test_a_sheet_is_refused_with_the_rule_and_what_would_be_legal(lines: str, sheet: Any, says: list[str]):
    assert [str(one) for one in refused(world(lines), sheet)] == says
"""A cruiser and a destroyer, both with an allowance of 5 (phases 2, 4, 5, 7, 8), and a frigate with 6."""


@pytest.mark.parametrize("text", ["9999", "nowhere", "P9 0506", "P0 0506", "P4 0506 P2 0507", "loop 0506 0505"])
def test_a_route_that_cannot_be_read(text: str):
    (one,) = refused(world(PAIR), {"B1": {"route": text}})
    assert (one.kind, one.path) == ("malformed", "B1.route")


def test_a_stack_that_is_not_there_is_refused_as_one_that_cannot_be_read():
    (one,) = refused(world(PAIR), {"B3": {"route": "0506"}})
    assert (one.kind, one.path, one.legal) == ("malformed", "B3", "B1, B2")


@cases("before, says, after")
def test_who_joins_comes_with_its_tow_unless_the_line_says_other_tows(
    before: str, says: list[str], after: dict[str, list[str]]
):
    state = world(f"blue B1 0505 {before}\nblue B2 0505 CA[towing=B2-FF]+FF")
    game = play(state, {"B2-ships": {"join": "B1"}, "B1-ships": {"tow": says}})
    assert {key: unit.towing for key, unit in game.state.units.items() if unit.towing} == after


def test_what_others_are_is_not_needed_to_judge_a_sheet():
    """Whether a stack is pinned tells how strong others are: no sheet is refused for it."""
    few = world(f"{PAIR}\nred R1 0505 FF")
    many = world(f"{PAIR}\nred R1 0505 DN+DN+CA+CA+CA")
    for line in ({"route": "0506"}, {"react": "any"}, {"held": "break out", "rearguard": ["B1-DD"]}):
        assert refused(few, {"B1": line}) == refused(many, {"B1": line}) == []


@pytest.mark.rule("border_patrol", "V8.57")
def test_a_cloak_that_is_no_longer_possible_is_not_filled_in():
    state = world("blue B1 0505 CA[cloak_cost=10]")
    play(state, {"B1": {"cloak": "all turn"}})
    ask = plot_ask(state, "blue")
    assert ask.form.prefilled()["B1"]["cloak"] == "all turn"
    state.units["B1-CA"].crippled = True
    ask = plot_ask(state, "blue")
    assert (ask.form.prefilled()["B1"]["cloak"], ask.refusals_of({})) == ("no", ())


def test_a_way_that_was_not_finished_is_over_with_its_turn():
    state = world("blue B1 0505 CA\nred R1 0507 CA")
    play(state, {"B1": {"route": "0506 0507 0508 0509"}})
    assert state.stacks["B1"].hex == "0507", "held there"
    assert state.stacks["B1"].orders.way == []
    assert "route" not in plot_ask(state, "blue").form.prefilled()["B1"]


@cases("place, kind, fields")
def test_only_own_bases_of_the_right_kind_and_own_systems_overhaul(place: str, kind: str, fields: list[str]):
    state = world(f"blue B1 0505 CA\n{place}")
    for unit in state.units.values():
        unit.ship_class = kind if unit.kind == "base" else unit.ship_class
    line = plot_ask(state, "blue").form.line("B1-ships")
    assert ([] if line is None else [field.key for field in line.fields]) == fields


# --- refusal words ---------------------------------------------------------------------------------------------------
LINES = """
blue B1 0505 CA+DD
blue B2 0505 FF
blue B3 0505 FF
blue B4 0707 FF[towing=B4-DD]+DD+FF
blue B5 0808 CA[warp_ok=0]
blue B6 0909 CA+FF[kind=fighter]
"""


@cases("route, says")
def test_of_a_route(route: str, says: str):
    assert [str(one) for one in refused(world(LINES), {"B1": {"route": route}})] == [f"B1.route: {says}"]


@cases("sheet, says")
def test_of_whole_sheets(sheet: Any, says: list[str]):
    assert [str(one) for one in refused(world(LINES), sheet)] == says


# --- read back -------------------------------------------------------------------------------------------------------
READ_BACK_LINES = """
blue B1 0505 CA+DD
blue B2 0707 CA[warp_ok=0]
red R1 1010 CA[cloak_cost=10]
"""


def said(sheet: dict[str, Any], team: str = "blue") -> list[str]:
    ask = plot_ask(world(READ_BACK_LINES), team)
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
    form = plot_ask(world(READ_BACK_LINES), "blue").form
    assert {key: form.by_key[key].fields[0].help for key in ("B1", "B2")} == kept()


def test_who_is_out_of_supply_is_said_to_be():
    ask = plot_ask(world("blue B1 0505 CA+DD[in_supply=no]"), "blue")
    assert ask.read_back(ask.default) == ["B1: holds at 0505, could go 2 hexes; out of supply"]
    assert ask.form.by_key["B1"].note == "at 0505, allowance 2: phases 4, 8, out of supply"


def test_how_far_it_reacts_is_said_where_it_matters_though_it_stood_so_before():
    state = world(READ_BACK_LINES)
    state.stacks["B1"].orders.within = 1
    ask = plot_ask(state, "blue")
    waits, *_ = ask.read_back(ask.answer_from({"B1": {"react": "any"}}))
    holds, *_ = ask.read_back(ask.answer_from({}))
    assert waits == "B1: lies in wait at 0505, reacts to all others; reacts at most 1 hex away"
    assert holds == "B1: holds at 0505, could go 5 hexes; reacts at most 1 hex away"


@cases("before, after, words")
def test_what_becomes_as_usual_again_is_said_once(before: str, after: str, words: str):
    ask = plot_ask(play(world(READ_BACK_LINES), {"B1": {"orders": before}}).state, "blue")
    assert words in ask.read_back(ask.answer_from({"B1": {"orders": after}}))[0]
    assert words not in ask.read_back(ask.answer_from({"B2": {"orders": after}}))[1]
