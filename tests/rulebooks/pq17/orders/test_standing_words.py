"""Standing orders and stop conditions as they are written, refused, written back and read out."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.rulebooks.pq17.orders.standing_read_back import say_orders
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders, write_orders
from rules_engine.rulebooks.pq17.plotting.running_on import read_stops, write_stops
from rules_engine.rulebooks.pq17.records.standing_orders import (
    NO_ORDERS,
    AttackOrder,
    SearchOrder,
    ShadowOrder,
    StandingClauses,
    Stop,
    resolved,
)
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.worlds.notation import world


def orders(text: str) -> StandingClauses:
    found, refusals = read_orders(text, "A1.doctrine", of_side=True)
    assert refusals == []
    return found


def test_a_line_of_orders_is_read_clause_by_clause() -> None:
    assert orders("search fuel>10; shadow; attack id2 x1.5; probes 1; withdraw") == StandingClauses(
        search=SearchOrder(what="search", keep=Fraction(10)),
        shadow=ShadowOrder(what="shadow"),
        attack=AttackOrder(what="attack", level=2, ratio=Fraction(3, 2)),
        probes=1,
        move="withdraw",
    )


@cases("text, same")
def test_other_words_mean_the_same(text: str, same: str) -> None:
    assert write_orders(orders(text)) == same


ALL = (
    "search, shadow, probes 1, attack id2 x1.5, raid, sweep, withdraw, hold, go on, pursue, power full, regroup "
    "keep, ask "
    "on contact, ask every step"
)
"""What is legal where a clause cannot be placed at all."""


@cases("text, refusal", "")
def test_what_is_not_understood_is_refused_with_what_would_be(text: str, refusal: str) -> None:
    _, refusals = read_orders(text, "A1.doctrine", of_side=True)
    assert [str(one) for one in refusals] == [f"A1.doctrine: {refusal}"]


@pytest.mark.parametrize("number", [0, 1, 99])
def test_any_number_of_probes_up_to_99_may_be_spent(number: int) -> None:
    assert orders(f"probes {number}").probes == number


def test_what_is_shown_as_legal_is_legal() -> None:
    for text in (*ALL.split(", "), "search fuel>10; shadow; attack id2 x1.5; probes 1; withdraw", "ask moves"):
        assert orders(text) != NO_ORDERS


def test_all_defects_come_at_once(kept: Kept) -> None:
    _, refusals = read_orders("serch; attack id7; probes", "A1.doctrine")
    assert [one.problem for one in refusals] == kept()


def test_settled_hexes_take_orders_from_the_side_alone(kept: Kept) -> None:
    assert orders("settled never").settled == "never"
    _, refusals = read_orders("settled never", "A1.doctrine")
    assert [str(one) for one in refusals] == kept()


FUEL = st.none() | st.fractions(0, 40, max_denominator=12)
ORDERS = st.builds(
    StandingClauses,
    asks=st.sampled_from([None, "steps", "contact"]),
    search=st.none()
    | st.builds(SearchOrder, what=st.sampled_from(["ask", "never"]))
    | st.builds(SearchOrder, what=st.just("search"), below=st.integers(1, 3), keep=FUEL),
    shadow=st.none() | st.just(ShadowOrder(what="never")) | st.builds(ShadowOrder, what=st.just("shadow"), keep=FUEL),
    probes=st.none() | st.integers(0, 99),
    attack=st.none()
    | st.builds(AttackOrder, what=st.sampled_from(["ask", "never"]))
    | st.builds(
        AttackOrder,
        what=st.just("attack"),
        level=st.integers(1, 3),
        ratio=st.none() | st.fractions(Fraction(1, 6), 6, max_denominator=12),
        keep=FUEL,
        bases=st.booleans(),
    ),
    raid=st.sampled_from([None, "ask", "never", "raid"]),
    sweep=st.sampled_from([None, "ask", "never", "sweep"]),
    move=st.sampled_from([None, "ask", "go on", "hold", "withdraw"]),
    pursue=st.sampled_from([None, "ask", "never", "shadow", "battle"]),
    power=st.sampled_from([None, "ask", "full"]),
    regroup=st.sampled_from([None, "ask", "keep"]),
    settled=st.sampled_from([None, "search", "never"]),
)


@given(ORDERS)
def test_whatever_is_ordered_can_be_written_and_read_again(given_orders: StandingClauses) -> None:
    assert orders(write_orders(given_orders)) == given_orders


@given(ORDERS)
def test_every_clause_is_read_back_in_a_sentence(given_orders: StandingClauses) -> None:
    clauses = sum(getattr(given_orders, name) is not None for name in StandingClauses.model_fields)
    assert say_orders(given_orders, of_side=True).count(". ") + bool(clauses) == clauses


def test_orders_are_read_back_in_plain_language() -> None:
    said = say_orders(orders("search fuel>10; attack id2 x1.5; withdraw"))
    assert said == (
        "Searches what appears if every ship keeps more than 10 fuel. Attacks what it holds at ID2 or better, if its "
        "movement cost is known and at most 1 1/2 (1.5) times ours; never bases or what stands beside one. Leaves a "
        "hex with a contact at its next move, towards home."
    )


def test_what_nobody_orders_attacks_nobody() -> None:
    for asks in ("steps", "contact"):
        usual = resolved(StandingClauses(asks=asks))
        assert usual.attack == AttackOrder(what="ask")
        assert usual.search == SearchOrder(what="ask")
    assert resolved(NO_ORDERS).asks == "steps"


def test_nearer_orders_go_before() -> None:
    found = resolved(orders("hold"), orders("search; withdraw"), orders("attack never; search never"))
    assert (found.move, found.search, found.attack) == ("hold", SearchOrder(what="search"), AttackOrder(what="never"))


# --- stop conditions --------------------------------------------------------------------------------------------------

STATE = world("A1 0405 CA\nA2 0403 DD\nA9 0303 BATS base Haven known\nC1 0608 CA")


@pytest.mark.parametrize(
    ("text", "stops"),
    [
        ("contact; arrived", (Stop(kind="contact"), Stop(kind="arrived"))),
        ("contact at ID2 or better", (Stop(kind="contact", level=2),)),
        ("A1 at 0406", (Stop(kind="at", task_force="A1", hex="0406"),)),
        ("a2 fuel < 8", (Stop(kind="fuel", task_force="A2", fuel=Fraction(8)),)),
        ("fuel<5/2, points", (Stop(kind="fuel", fuel=Fraction(5, 2)), Stop(kind="points"))),
        ("", ()),
    ],
)
def test_stop_conditions_are_read_and_written(text: str, stops: tuple[Stop, ...]) -> None:
    assert read_stops(STATE, "alliance", text, "side.stop") == (stops, [])
    assert read_stops(STATE, "alliance", write_stops(stops), "side.stop") == (stops, [])


@cases("text, says", "")
def test_stop_conditions_that_cannot_be_are_refused(text: str, says: str) -> None:
    _, refusals = read_stops(STATE, "alliance", f"arrived; {text}", "side.stop")
    assert len(refusals) == 1
    assert says in refusals[0].problem
    assert refusals[0].path == "side.stop"


def test_probes_may_be_forbidden() -> None:
    assert read_orders("probes never", "side")[0].probes == 0
    assert read_orders("probes 0", "side")[0].probes == 0
