"""Cutler's standing orders in words: each clause, what is refused with the nearest thing meant, and reading back."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.rulebooks.cutler.records.parts.standing import Act, CounterOrder, RoutineOrders
from rules_engine.rulebooks.cutler.standing.words import (
    EXAMPLE,
    MOST_CHARACTERS,
    clause_of,
    read_orders,
    say_orders,
    write_orders,
)
from tests.expected.kept import Kept, cases


def read(text: str, *, of_side: bool = True) -> RoutineOrders:
    orders, refusals = read_orders(text, "standing.orders", of_side=of_side)
    assert refusals == []
    return orders


def refused(text: str, *, of_side: bool = True) -> list[str]:
    orders, refusals = read_orders(text, "standing.orders", of_side=of_side)
    assert orders == RoutineOrders()  # nothing is half applied
    return [str(one) for one in refusals]


CLAUSES: list[tuple[str, str, object]] = [
    ("cards ask", "cards", Act(what="ask")),
    ("bypass", "cards", Act(what="never")),
    ("no combat", "cards", Act(what="never")),
    ("fight", "cards", Act(what="do")),
    ("Combat ×1.5", "cards", Act(what="do", ratio=Fraction(3, 2))),
    ("combat x 2/3", "cards", Act(what="do", ratio=Fraction(2, 3))),
    ("run", "run", Act(what="do")),
    ("never run", "run", Act(what="never")),
    ("flee if x2", "run", Act(what="do", ratio=Fraction(2))),
    ("run ask", "run", Act(what="ask")),
    ("pursue", "pursue", Act(what="do")),
    ("don't pursue", "pursue", Act(what="never")),
    ("pursuit x3", "pursue", Act(what="do", ratio=Fraction(3))),
    ("flank", "flank", "flank"),
    ("no flanking", "flank", "never"),
    ("flank ask", "flank", "ask"),
    ("counter 10", "counter", CounterOrder(what="do", points=10)),
    ("counter all", "counter", CounterOrder(what="do")),
    ("counter never", "counter", CounterOrder(what="never")),
    ("counter ask", "counter", CounterOrder(what="ask")),
    ("lodge course", "lodge", "course"),
    ("lodge ask", "lodge", "ask"),
    ("land troops", "land", "land"),
    ("land never", "land", "never"),
    ("challenge never", "challenge", "never"),
    ("cloak stay", "cloak", "stay"),
    ("cloak show", "cloak", "show"),
    ("cloak ask", "cloak", "ask"),
    ("no sorties", "sorties", "never"),
    ("transfers never", "transfers", "never"),
    ("no details", "details", "never"),
    ("details ask", "details", "ask"),
    ("go on", "near", "go on"),
    ("hold", "near", "hold"),
    ("ask plots", "near", "ask"),
]


@pytest.mark.parametrize(("text", "name", "value"), CLAUSES)
def test_each_clause_is_read(text: str, name: str, value: object) -> None:
    assert read(text).given == {name: value}


@pytest.mark.parametrize(("name", "value"), [(name, value) for _, name, value in CLAUSES])
def test_each_clause_is_written_and_read_back_as_itself(name: str, value: object) -> None:
    orders = RoutineOrders.model_validate({name: value})
    assert read(clause_of(name, value)) == orders
    assert read(say_orders(orders)) == orders


ACTS = (
    st.none()
    | st.builds(Act, what=st.sampled_from(["ask", "never"]))
    | st.builds(Act, what=st.just("do"), ratio=st.none() | st.fractions(Fraction(1, 20), 20, max_denominator=20))
)


@given(
    st.builds(
        RoutineOrders,
        cards=ACTS,
        run=ACTS,
        pursue=ACTS,
        flank=st.sampled_from([None, "ask", "never", "flank"]),
        counter=st.sampled_from(
            [None, CounterOrder(what="ask"), CounterOrder(what="do"), CounterOrder(what="do", points=1)]
        ),
        lodge=st.sampled_from([None, "ask", "course"]),
        land=st.sampled_from([None, "never", "land"]),
        challenge=st.sampled_from([None, "ask", "never"]),
        cloak=st.sampled_from([None, "ask", "stay", "show"]),
        sorties=st.sampled_from([None, "ask", "never"]),
        transfers=st.sampled_from([None, "ask", "never"]),
        details=st.sampled_from([None, "ask", "never"]),
        near=st.sampled_from([None, "ask", "go on", "hold"]),
    )
)
def test_what_is_written_and_what_is_said_are_read_as_the_same_orders(orders: RoutineOrders) -> None:
    assert read(write_orders(orders)) == orders
    assert read(say_orders(orders)) == orders
    assert read(say_orders(orders).upper().replace("×", "x")) == orders


def test_the_example_is_what_it_says(kept: Kept) -> None:
    assert say_orders(read(EXAMPLE)) == kept()


@pytest.mark.parametrize("text", ["", "  ", "usual", "as side", "SIDE"])
def test_no_words_are_no_orders(text: str) -> None:
    assert read(text) == RoutineOrders()


@cases("text, said")
def test_what_is_not_understood_is_refused_in_a_sentence(text: str, said: str) -> None:
    assert any(said in one for one in refused(text)), refused(text)


@pytest.mark.parametrize("text", ["counter 10", "challenge never", "sorties never", "transfers never", "details never"])
def test_some_orders_are_the_races_and_no_fleets(text: str) -> None:
    read(text)
    assert "not a fleet's" in refused(text, of_side=False)[0]


@given(st.text(max_size=MOST_CHARACTERS))
def test_any_text_is_read_or_refused(text: str) -> None:
    orders, refusals = read_orders(text, "F1.orders")
    assert not refusals or orders == RoutineOrders()


def test_what_is_written_back_may_always_be_sent_again() -> None:
    figure = Fraction(999_998, 999_999)
    most = RoutineOrders(
        cards=Act(what="do", ratio=figure),
        run=Act(what="do", ratio=figure),
        pursue=Act(what="do", ratio=figure),
        flank="never",
        counter=CounterOrder(what="do", points=9999),
        lodge="ask",
        land="never",
        challenge="never",
        cloak="show",
        sorties="never",
        transfers="never",
        details="never",
        near="ask",
    )
    assert len(write_orders(most)) <= MOST_CHARACTERS
    assert read(write_orders(most)) == most
