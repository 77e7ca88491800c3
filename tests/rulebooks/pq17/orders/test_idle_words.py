"""Standing orders in which a word says nothing: it is refused by name, with what was understood."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.rulebooks.pq17.orders.idle_words import idle_words
from rules_engine.rulebooks.pq17.orders.standing_words import EXAMPLE, read_orders, write_orders
from rules_engine.rulebooks.pq17.records.standing_orders import StandingClauses
from tests.rulebooks.pq17.orders.test_standing_words import ALL, ORDERS


def told(text: str) -> list[str]:
    """What is refused in orders that can be read."""
    assert read_orders(text, "", of_side=True)[1] == []
    return [str(one) for one in idle_words(text, "side.doctrine", of_side=True)]


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("attack at once", "“at”, “once” say nothing in “attack at once”. Legal: attack id0."),
        ("attack bases at id2 once", "“once” says nothing in “attack bases at id2 once”. Legal: attack id2 bases."),
        ("search and shadow", "“and”, “shadow” say nothing in “search and shadow”. Legal: search."),
        ("search bases", "“bases” says nothing in “search bases”. Legal: search."),
        ("hold on contact", "“on contact” says nothing in “hold on contact”. Legal: hold."),
        ("go on every step", "“every step” says nothing in “go on every step”. Legal: go on."),
        ("withdraw at once", "“at”, “once” say nothing in “withdraw at once”. Legal: withdraw."),
        ("no search ask", "“no” says nothing in “no search ask”. Legal: search ask."),
        ("ask on contact every step", "“on contact” says nothing in “ask on contact every step”. Legal: ask every"),
        ("attack all", "“all” says nothing in “attack all”. Legal: attack id0."),
        ("attack attack", "“attack” says nothing in “attack attack”. Legal: attack id0."),
        ("attack id1 id2", "“attack id1 id2” says two figures of one kind, and “id2” is the second. Legal: attack"),
        ("attack x1 x2", "“attack x1 x2” says two figures of one kind, and “x2” is the second."),
        ("probes 1 2", "“probes 1 2” says two figures of one kind, and “2” is the second. Legal: probes 2."),
        ("search fuel>=10", "“>=” cannot be said so in “search fuel>=10”. Legal: search fuel>10."),
        ("attack below id2", "“below” cannot be said so in “attack below id2”. Legal: attack id2."),
        ("search id2 or better", "“better” cannot be said so in “search id2 or better”. Legal: search below id2."),
        (";", "“;” says nothing. Legal: usual removes the orders."),
        ("search; attack id2; withdraw; ask", "“ask” says nothing beside the other orders. Legal: search; attack id2;"),
        ("power full full", "“full” says nothing in “power full full”. Legal: power full."),
    ],
)  # fmt: skip
def test_a_word_that_says_nothing_is_refused_by_name(text: str, refusal: str) -> None:
    assert any(one.startswith(f"side.doctrine: {refusal}") for one in told(text)), told(text)


@pytest.mark.parametrize(
    "text",
    ["Search if fuel > 10, shadow", "no attack", "don't search", "attack at ID 2 or better", "attack x2/3", "go on",
     "ask; attack id2", "attack id2; ask", "usual", "side", "", "pursue shadow\nraid\nsweep never", "search below id2",
     "search what appears", "attack if possible", "ask me", "attack the bases", "settled hexes never", "pursuit battle",
     "probes 0", "attack id0", "search below id3", EXAMPLE, *ALL.split(", "),
     "ask every step", "ask on contact", "attack x1.5 ours"],
)  # fmt: skip
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
