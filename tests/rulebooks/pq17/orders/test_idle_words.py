"""Standing orders in which a word says nothing: it is refused by name, with what was understood."""

import re

from hypothesis import given
from hypothesis import strategies as st

from rules_engine.rulebooks.pq17.orders.idle_words import idle_words
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders, write_orders
from rules_engine.rulebooks.pq17.records.standing_orders import StandingClauses
from tests.expected.kept import cases
from tests.rulebooks.pq17.orders.test_standing_words import ORDERS


def told(text: str) -> list[str]:
    """What is refused in orders that can be read."""
    assert read_orders(text, "", of_side=True)[1] == []
    return [str(one) for one in idle_words(text, "side.doctrine", of_side=True)]


@cases("text, refusal", "")
def test_a_word_that_says_nothing_is_refused_by_name(text: str, refusal: str) -> None:
    assert any(one.startswith(f"side.doctrine: {refusal}") for one in told(text)), told(text)


@cases("text", "")
def test_what_can_be_said_is_said(text: str) -> None:
    assert told(text) == []


@given(ORDERS)
def test_what_is_written_has_no_idle_words(given_orders: StandingClauses) -> None:
    assert told(write_orders(given_orders)) == []


def test_what_cannot_be_read_is_refused_by_itself_alone() -> None:
    assert idle_words("serch at once", "side.doctrine") == []


WORDS = """search shadow attack probes withdraw hold go on raid sweep pursue power regroup settled ask moves no never at
or better every once if the what appears possible is and below bases contact step full keep battle fuel>3 id1 id2 x1 2 3
me all route hexes us ours ; ;"""
VOCABULARY = st.sampled_from(WORDS.split())


@given(st.lists(VOCABULARY, min_size=1, max_size=8).map(" ".join))
def test_of_any_text_every_word_matters_or_is_refused_by_name(text: str) -> None:
    """Each word of orders that are taken is one of a figure or a phrase, or the orders are others without it."""
    found, refusals = read_orders(text, "", of_side=True)
    if refusals or idle_words(text, "", of_side=True):
        return
    for word in re.finditer(r"[^\s;]+", text):
        without = read_orders(f"{text[: word.start()]} {text[word.end() :]}", "", of_side=True)
        if without == (found, []):
            assert re.search(
                r"(go on|every step|on contact|what appears|if possible|power full|regroup keep|pursue battle|hexes"
                r"|settled search|ask me|the \w+|if fuel|(at|below) id\d|at x\d|id\d( or better)?|x\d ours)",
                text,
            ), (text, word[0])
