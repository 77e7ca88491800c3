"""Contact sheets written down whole: what is proposed, how answers are read back, and what is refused."""

import pytest

from rules_engine.rulebooks.pq17.orders.standing_words import read_orders
from rules_engine.rulebooks.pq17.plotting.contact_sheet import all_meetings, contact_ask, contact_steps
from rules_engine.rulebooks.pq17.records.state import State
from tests.rulebooks.pq17.playing.written_scenes import answered, put, refused, scene
from tests.rulebooks.pq17.worlds.notation import table, world
from tests.rulebooks.written_texts import compare

Request = pytest.FixtureRequest
NOW = "\nturn 2 impulse 1 half A initiative alliance"


def asking(text: str, **orders: str) -> State:
    """A world in which the Alliance is asked on contact, and the Coalition never; ``orders`` by task force."""
    state = world(text + NOW)
    for name, words in {"alliance": "ask on contact", "coalition": "ask on contact; search never; hold"}.items():
        state.doctrine[name].orders = read_orders(words + "; attack never" * (name == "coalition"), name)[0]
    for name, words in orders.items():
        found, wrong = read_orders(words, name)
        assert not wrong
        state.task_forces[name].doctrine = found
    return state


@pytest.mark.rule("pq17", "5.3.2", "6.3.2", "7.2.1", "8.4.2", "6.2.4")
def test_a_scout_and_a_cruiser_without_fuel_meet_two_forces(request: Request) -> None:
    """A1's cruiser has 5 fuel, enough for a search (2) but not for combat (4) after it, so that a search is not
    proposed; A2 has fuel enough. A3 has no fuel for a search. C2 is held at ID1."""
    text = "A1 0405 CA[fuel=5]+SC speed 2\nA2 0405 DD speed 1 passive\nA3 0405 CL[fuel=1] speed 1\n"
    at = table(asking(text + "C1 0405 DD U\nC2 0405 CA ID1"))
    ask = contact_ask(at.state, "alliance", all_meetings(at.state))
    answers = {
        "A1": {"search": "yes", "probes": 3, "shadow": True, "attack": "id2", "ratio": "3/2", "then": "withdraw"},
        "A2": {"search": "no", "attack": "id0", "then": "hold"},
        "A3": {"attack": "ask", "then": "ask"},
    }
    found = [*put(at, ask), *answered(ask, ask.default), *answered(ask, ask.answer_from(answers))]
    compare(request, found)


@pytest.mark.rule("pq17", "8.4.2", "6.2.4")
def test_who_does_not_search_and_knows_nothing_is_warned_that_it_cannot_attack(request: Request) -> None:
    at = table(asking("A1 0405 CA speed 2\nC1 0405 DD U"))
    compare(request, scene(at, contact_steps(at), {"contact alliance": [{"A1": {"search": "no", "attack": "id0"}}]}))


@pytest.mark.rule("pq17", "8.6.2.1")
def test_a_settled_hex_that_can_be_raided(request: Request) -> None:
    """Only the Coalition gains by raids, and only where a campaign has a table of them. PQ-17 8.6.1."""
    state = world("settled 0405 alliance Ixchel\nC1 0405 CA speed 2\nA1 0405 DD U" + NOW, raid_table="pq17")
    state.doctrine["coalition"].orders = read_orders("ask on contact", "coalition")[0]
    at = table(state)
    compare(request, scene(at, contact_steps(at), {"contact coalition": [{"C1": {"raid": "raid"}}]}))


@pytest.mark.rule("pq17", "5.3.2", "6.3.2", "8.4.2")
def test_standing_orders_are_filled_in(request: Request) -> None:
    """A ratio that is not on offer is shown as the next lower one: 5/2 as twice, 1/3 as half."""
    text = "A1 0405 CA speed 2\nA2 0405 CA speed 2\nA3 0405 CA speed 2\nC1 0405 DD ID0\nC2 0404 DD"
    orders = {
        "A1": "search; probes 2; shadow; attack id3 x2.5; move ask",
        "A2": "search never; attack id0; hold; ask on contact",
        "A3": "search ask; attack id1 x1/3; withdraw",
    }
    compare(request, scene(at := table(asking(text, **orders)), contact_steps(at)))


@pytest.mark.rule("pq17", "6.3.4.11", "6.2.4", "8.4.2")
def test_contact_sheets_that_are_refused(request: Request) -> None:
    at = table(asking("A1 0405 DD speed 2\nC1 0405 DD U"))
    ask = contact_ask(at.state, "alliance", all_meetings(at.state))
    assert ask is not None
    wrong = [
        {"A1": {"probes": 3}},
        {"A1": {"attack": "id0", "ratio": "2"}},
        {"A1": {"raid": "raid"}},
        {"A2": {"search": "yes"}},
    ]
    compare(request, [*refused(ask, wrong)])
