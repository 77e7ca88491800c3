"""Standing orders in words: each clause, what is refused with the nearest thing meant, and reading back."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.core.forms.order_text import read_sheet, write_sheet
from rules_engine.rulebooks.border_patrol.plotting.asking import plot_ask
from rules_engine.rulebooks.border_patrol.plotting.standing_words import (
    CLAUSES,
    EXAMPLE,
    read_orders,
    say_orders,
    say_within,
    write_orders,
)
from rules_engine.rulebooks.border_patrol.records.orders import MOST_IN_WORDS, STANDING, StackOrders
from tests.expected.kept import cases
from tests.rulebooks.border_patrol.plays import play, refused, world

LINES = "blue B1 0505 CA+DD\nred R1 0508 CA"
FARTHEST = 2


def read(text: str) -> dict[str, object]:
    orders, refusals = read_orders(text, "B1.orders")
    assert refusals == []
    return orders


def told(text: str) -> list[str]:
    orders, refusals = read_orders(text, "B1.orders")
    assert orders == {}, "nothing is half applied"
    assert all(one.legal and one.path == "B1.orders" for one in refusals)
    return [one.problem for one in refusals]


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("go on", {"onward": "go on"}),
        ("stops before others", {"onward": "stop"}),
        ("Turn back", {"onward": "turn back"}),
        ("ask me ahead", {"onward": "ask"}),
        ("stay", {"held": "stay"}),
        ("withdraw", {"held": "withdraw"}),
        ("break out", {"held": "break out"}),
        ("break out or withdraw", {"held": "either"}),
        ("refuse", {"let_go": "refuse"}),
        ("let others go", {"let_go": "let go"}),
        ("never let them go", {"let_go": "refuse"}),
        ("let go ask", {"let_go": "ask"}),
        ("within 1 hex", {"within": 1}),
        ("return", {"after": "go back"}),
        ("return never", {"after": "stay"}),
        ("return ask", {"after": "ask"}),
        ("fight convoys", {"convoys": "fight"}),
        ("never fight convoys", {"convoys": "let run"}),
        ("spare convoys", {"convoys": "let run"}),
        ("convoys ask", {"convoys": "ask"}),
        ("keep together", {"company": "keep together"}),
        ("keep together never", {"company": "leave behind"}),
        ("keeps together", {"company": "keep together"}),
        ("stop, break out\nlet go ask", {"onward": "stop", "held": "break out", "let_go": "ask"}),
        (EXAMPLE, {"onward": "stop", "held": "break out", "let_go": "ask"}),
        ("", {}),
    ],
)
def test_what_a_text_orders(text: str, orders: dict[str, object]):
    assert read(text) == orders


@cases("text, problem")
def test_what_is_refused(text: str, problem: str):
    assert told(text) == [problem]


def test_a_slip_is_answered_with_the_nearest_word():
    (one,) = read_orders("retrun", "B1.orders")[1]
    assert one.nearest[0] == "return"


ORDERS = st.builds(
    lambda within, words: StackOrders(within=within, **words),
    st.integers(0, FARTHEST),
    st.fixed_dictionaries({name: st.sampled_from(sorted(words)) for name, words in CLAUSES.items()}),
)


@given(ORDERS)
def test_what_is_written_and_what_is_read_back_are_the_same_orders(orders: StackOrders):
    for text in (write_orders(orders, FARTHEST), say_orders(orders, FARTHEST), say_orders(orders, FARTHEST).upper()):
        assert len(text) <= MOST_IN_WORDS
        found = StackOrders().changed(**read(text))
        assert {name: getattr(found, name) for name in STANDING if name != "within"} == {
            name: getattr(orders, name) for name in STANDING if name != "within"
        }
        assert min(found.within, FARTHEST) == orders.within


@pytest.mark.rule("border_patrol", "V8.23", "V8.24")
def test_words_order_what_choices_did_and_stand_until_they_are_changed():
    state = world("blue B1 0505 CA+DD\nred R1 0505 CA")
    sheet: dict[str, Any] = {"B1": {"route": "0506", "orders": "break out"}, "B1-ships": {"rearguard": ["B1-DD"]}}
    game = play(state, sheet)
    assert game.hexes()["B1"] == "0506"
    assert game.state.stacks["B1"].orders.held == "break out"
    play(game.state, {"B1": {"orders": "let go"}})
    orders = game.state.stacks["B1"].orders
    assert (orders.held, orders.let_go, orders.onward) == ("break out", "let go", "go on")
    assert write_orders(orders, FARTHEST) == "go on; break out; let go"


@pytest.mark.rule("border_patrol", "V8.24")
def test_a_rearguard_is_judged_by_the_words_of_its_sheet():
    sheet = {"B1": {"orders": "break out"}, "B1-ships": {"rearguard": ["B1-CA"]}}
    assert [one.rule for one in refused(world(LINES), sheet)] == ["V8.24, BP-R14"]
    assert refused(world(LINES), {**sheet, "B1": {"orders": "stay"}}) == []


def test_order_text_takes_words_and_says_what_became_of_the_lists():
    ask = plot_ask(world(LINES), "blue")
    typed = read_sheet(ask.form, "B1: route 0506; orders stop, break out\n")
    assert typed == {"B1": {"route": "0506", "orders": "stop, break out"}}
    assert read_sheet(ask.form, 'B1: orders "stop; break out"') == {"B1": {"orders": "stop; break out"}}
    again = read_sheet(ask.form, write_sheet(ask.form, ask.form.prefilled()))
    assert again["B1"]["orders"] == "go on; stay; refuse"
    said = {one.field: one.problem for one in ask.form.absent if one.key == "B1"}
    assert said["held"] == "it is said in words: orders break out"


def test_bad_words_are_refused_with_their_place_and_nothing_is_applied():
    state = world(LINES)
    (one,) = refused(state, {"B1": {"route": "0506", "orders": "brake out"}})
    assert (one.path, one.nearest[0]) == ("B1.orders", "break")


def test_how_far_a_stack_reacts_is_said_where_it_is_less_than_any_zone_reaches():
    near, as_far_as_any = StackOrders(within=FARTHEST - 1), StackOrders(within=FARTHEST)
    assert write_orders(near, FARTHEST) == f"go on; stay; refuse; within {FARTHEST - 1}"
    assert write_orders(as_far_as_any, FARTHEST) == "go on; stay; refuse"
    assert say_orders(near, FARTHEST).endswith(say_within(FARTHEST - 1))
    assert "away" not in say_orders(as_far_as_any, FARTHEST)


@cases("written, said")
def test_each_order_is_said_as_it_is_meant_and_written_as_it_is_typed(written: str, said: str):
    """What is usual of a catch and of convoys, to stay and to spare them, is not said."""
    orders = StackOrders(**read_orders(written, "")[0])
    assert said in say_orders(orders, FARTHEST).split("; ")
    assert written in write_orders(orders, FARTHEST).split("; ")
