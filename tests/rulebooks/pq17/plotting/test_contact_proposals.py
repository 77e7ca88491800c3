"""What a contact sheet proposes: a search, where every ship would keep the fuel to fight and there is more to learn."""

import pytest

from rules_engine.rulebooks.pq17.orders.standing_words import read_orders
from rules_engine.rulebooks.pq17.plotting.contact_sheet import ContactLine, all_meetings, contact_ask, orders_from
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.notation import world


@pytest.mark.rule("pq17", "6.3.2", "6.3.2.1")
@cases("force, contact, orders, proposed")
def test_a_search_is_proposed(force: str, contact: str, orders: str, proposed: str) -> None:
    state = world(f"A1 0405 {force} speed 1\nC1 0405 CA {contact}\nturn 1 impulse 1 half A")
    state.doctrine["alliance"].orders = read_orders(f"ask on contact; {orders}", "side")[0]
    ask = contact_ask(state, "alliance", all_meetings(state))
    assert ask.form.prefilled()["A1"]["search"] == proposed


@pytest.mark.rule("pq17", "6.3.2")
def test_one_contact_of_which_there_is_more_to_learn_is_enough() -> None:
    state = world("A1 0405 CA speed 1\nC1 0405 CA ID3\nC2 0405 CA ID1\nturn 1 impulse 1 half A")
    state.doctrine["alliance"].orders = read_orders("ask on contact", "side")[0]
    ask = contact_ask(state, "alliance", all_meetings(state))
    assert ask.form.prefilled()["A1"]["search"] == "yes"


@pytest.mark.rule("pq17", "6.3.4.11")
def test_all_the_probes_of_a_great_force_may_be_spent() -> None:
    ships = "+".join(["CA[probes=5]"] * 42)
    state = world(f"A1 0405 {ships} speed 1\nC1 0405 CA ID1\nturn 1 impulse 1 half A")
    state.doctrine["alliance"].orders = read_orders("ask on contact", "side")[0]
    ask = contact_ask(state, "alliance", all_meetings(state))
    (probes,) = (field for field in ask.form.by_key["A1"].fields if field.key == "probes")
    assert probes.most == 210
    assert orders_from(state, state.task_forces["A1"], ContactLine(search="yes", probes=210)).probes == 210
