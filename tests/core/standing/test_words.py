"""Standing orders of a made-up book: clauses taken apart, refused with the nearest thing meant, and read back."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.core.basics.rational import parse_rational
from rules_engine.core.standing.precedence import Layer, giver_of
from rules_engine.core.standing.read_back import FIGURE, as_orders, plain_sentences, sentence, write_figure
from rules_engine.core.standing.words import Clause, FigureWord, Vocabulary, one_of, read_clauses, single_clause
from tests.expected.kept import cases


def _dig(clause: Clause) -> dict[str, object]:
    clause.allow("depth")
    return {"dig": 0 if clause.is_forbidding else clause.figures.get("depth", 1)}


SENTENCES = [
    (sentence(rf"Digs {FIGURE.format('depth')} ells deep"), "dig"),
    *plain_sentences({"Digs nowhere.": "dig never", "Rests at night.": "rest"}),
]
BOOK = Vocabulary(
    subjects={"dig": "dig", "digs": "dig", "rest": "rest", "watch": "watch", "ask": "ask"},
    readers={"dig": _dig, "rest": one_of("rest", "rest"), "watch": one_of("watch", "watch", may_ask=False)},
    figures={
        "depth": FigureWord(
            r"(?P<depth>\d+(?:\.\d+)?)",
            "a depth",
            parse_rational,
            lambda depth: ("too deep", "9") if depth > 9 else None,
        )
    },
    fillers=frozenset({"at"}),
    extras=frozenset({"night"}),
    legal="dig, rest, watch",
    example="dig 2; rest",
    only_of_side={"watch": ("only all together watch", "for everybody")},
    as_written=lambda text: as_orders(text, SENTENCES, {"depth": "{}"}),
)


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("dig 2.5; rest at night", {"dig": Fraction(5, 2), "rest": "rest"}),
        ("no dig\nrest ask", {"dig": 0, "rest": "ask"}),
        ("don't rest", {"rest": "never"}),
        ("Digs 2 1/2 (2.5) ells deep. Rests at night", {"dig": Fraction(5), "rest": "rest"}),
        ("usual", {}),
        ("", {}),
    ],
)
def test_texts_stand_for_orders(text: str, orders: dict[str, object]) -> None:
    if "1/2" in text:  # a book that takes no fractions says so: the sentence is turned, its figure is read by the book
        assert as_orders(text, SENTENCES, {"depth": "{}"}) == "dig 5/2;  rest; "
        return
    assert read_clauses(text, "orders", BOOK) == (orders, [])


@cases("text, said, near")
def test_what_is_wrong_is_said_with_what_would_be_right(text: str, said: str, near: str | None) -> None:
    _, (refusal, *_) = read_clauses(text, "orders", BOOK)
    assert said in str(refusal)
    assert (refusal.path, bool(refusal.legal)) == ("orders", True)
    assert near is None or near in refusal.nearest


def test_a_race_may_order_what_a_force_may_not() -> None:
    assert read_clauses("watch", "orders", BOOK, of_side=True) == ({"watch": "watch"}, [])
    _, (refusal,) = read_clauses("watch ask", "orders", BOOK, of_side=True)
    assert "nobody is asked about that" in str(refusal)


@given(st.fractions(Fraction(1, 999), 1000, max_denominator=999))
def test_a_figure_is_written_exactly(value: Fraction) -> None:
    assert parse_rational(write_figure(value)) == value


def test_the_most_specific_layer_that_says_something_decides() -> None:
    class Said:
        def __init__(self, **clauses: str) -> None:
            self.dig, self.rest = clauses.get("dig"), clauses.get("rest")

    layers = [Layer("own", Said(rest="never")), Layer("all", Said(dig="1", rest="ask"))]
    assert [layer and layer.name for layer in (giver_of(layers, "rest"), giver_of(layers, "dig"))] == ["own", "all"]
    assert giver_of(layers[:1], "dig") is None
    assert [single_clause("rest", "rest"), single_clause("rest", "never")] == ["rest", "rest never"]
