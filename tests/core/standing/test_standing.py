"""Standing orders of a made-up book: words, stop conditions, and asks that they answer."""

from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pydantic import RootModel

from rules_engine.core.basics import rational, record
from rules_engine.core.basics.base import Frozen, Side, SideLabel, When
from rules_engine.core.basics.dice import DiceStream
from rules_engine.core.basics.refusals import Refusal, malformed
from rules_engine.core.forms.forms import Field, Form, Line
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import Ask, Batch
from rules_engine.core.protocol.turn_context import SharedTurn, TurnContext
from rules_engine.core.standing import read_back, stops, words
from rules_engine.core.standing.answers import Decision, Decisions, ask_or_obey_steps, tell_decisions
from rules_engine.core.standing.precedence import Layer, giver_of
from tests.expected.kept import cases


def _dig(clause: words.Clause) -> dict[str, object]:
    clause.allow("depth")
    return {"dig": 0 if clause.is_forbidding else clause.figures.get("depth", 1)}


SENTENCES = [
    (read_back.sentence(rf"Digs {read_back.FIGURE.format('depth')} ells deep"), "dig"),
    *read_back.plain_sentences({"Digs nowhere.": "dig never", "Rests at night.": "rest"}),
]
BOOK = words.Vocabulary(
    subjects={"dig": "dig", "digs": "dig", "rest": "rest", "watch": "watch", "ask": "ask"},
    readers={"dig": _dig, "rest": words.one_of("rest", "rest"), "watch": words.one_of("watch", "watch", may_ask=False)},
    figures={
        "depth": words.FigureWord(
            r"(?P<depth>\d+(?:\.\d+)?)",
            "a depth",
            rational.parse_rational,
            lambda depth: ("too deep", "9") if depth > 9 else None,
        )
    },
    fillers=frozenset({"at"}), extras=frozenset({"night"}), legal="dig, rest, watch", example="dig 2; rest",
    only_of_side={"watch": ("only all together watch", "for everybody")},
    as_written=lambda text: read_back.as_orders(text, SENTENCES, {"depth": "{}"}),
)  # fmt: skip


@cases("text, orders", made="orders")
def test_texts_stand_for_orders(text: str, orders: dict[str, object]) -> None:
    if "1/2" in text:  # a book that takes no fractions says so: the sentence is turned, its figure is read by the book
        assert read_back.as_orders(text, SENTENCES, {"depth": "{}"}) == "dig 5/2;  rest; "
        return
    assert words.read_clauses(text, "orders", BOOK) == (orders, [])


@cases("text, said, near")
def test_what_is_wrong_is_said_with_what_would_be_right(text: str, said: str, near: str | None) -> None:
    _, (refusal, *_) = words.read_clauses(text, "orders", BOOK)
    assert said in str(refusal)
    assert (refusal.path, bool(refusal.legal)) == ("orders", True)
    assert near is None or near in refusal.nearest


def test_a_race_may_order_what_a_force_may_not() -> None:
    assert words.read_clauses("watch", "orders", BOOK, of_side=True) == ({"watch": "watch"}, [])
    _, (refusal,) = words.read_clauses("watch ask", "orders", BOOK, of_side=True)
    assert "nobody is asked about that" in str(refusal)


@given(st.fractions(Fraction(1, 999), 1000, max_denominator=999))
def test_a_figure_is_written_exactly(value: Fraction) -> None:
    assert rational.parse_rational(read_back.write_figure(value)) == value


def test_the_most_specific_layer_that_says_something_decides() -> None:
    class Said:
        def __init__(self, **clauses: str) -> None:
            self.dig, self.rest = clauses.get("dig"), clauses.get("rest")

    layers = [Layer("own", Said(rest="never")), Layer("all", Said(dig="1", rest="ask"))]
    assert [layer and layer.name for layer in (giver_of(layers, "rest"), giver_of(layers, "dig"))] == ["own", "all"]
    assert giver_of(layers[:1], "dig") is None
    assert [words.single_clause("rest", "rest"), words.single_clause("rest", "never")] == ["rest", "rest never"]


# --- stop conditions of a made-up book --------------------------------------------------------------------------------
def number(piece: str) -> int:
    if not piece.isdecimal():
        raise ValueError("it is no number")
    return int(piece)


def test_several_are_read_each_once_and_every_defect_is_named() -> None:
    found, refusals = stops.read_conditions("7;  8,x\n7; ;9 y", "F1.stop", number, legal="7; 8", offered=("xx", "8"))
    assert found == (7, 8)
    shown = [(one.problem, one.path, one.legal) for one in refusals]
    assert shown == [("“x”: it is no number", "F1.stop", "7; 8"), ("“9 y”: it is no number", "F1.stop", "7; 8")]
    assert "xx" in refusals[0].nearest
    assert stops.read_conditions("", "F1.stop", number, legal="7", offered=()) == ((), [])


# --- asks that standing orders answer: asked or not, filled in, told of; and nobody can tell by the waiting -----------
class Choice(Frozen):
    go: bool = False


class Sheet(RootModel[dict[str, Choice]]):
    """Whether each of two goes."""


def ask_of(side: Side, *, check: Any = lambda _: ()) -> Ask[Sheet]:
    field = Field(key="go", label="Go", kind="flag", value=False)
    form = Form(lines=tuple(Line(key=key, label=key, fields=(field,)) for key in ("A", "B")))
    return Ask(
        kind="go", parties=(side,), title="Go?", text="", model=Sheet, form=form, rule="1.1", default=Sheet({}),
        default_says="Nobody goes.", pace="decision", check=check,
    )  # fmt: skip


def table(*, patient: bool = False) -> TurnContext[record.Record]:
    sides = tuple(SideLabel(key=key, name=key.title(), emblem=key[0].upper()) for key in ("red", "blue"))
    knowledge = {label.key: Knowledge() for label in sides}
    shared = SharedTurn(dice=DiceStream(b"0" * 32), sides=sides, knowledge=knowledge, now=When(turn=1), patient=patient)
    return TurnContext(record.Record(), shared, "T1")


def played(
    decisions: list[Decisions | None], answers: dict[Side, Sheet] | None = None, *, patient: bool = False, **asks: Any
) -> tuple[list[Batch], list[Sheet], list[str]]:
    """The batches that were open, the answers, and what red was told, with the orders behind it."""
    turn = table(patient=patient)

    def tell(side: Side, rule: str, decided: Any) -> None:
        tell_decisions(turn, side, rule, decided, [])

    steps = ask_or_obey_steps(turn, [ask_of("red", **asks), ask_of("blue")], decisions, tell)
    batches: list[Batch] = []
    sent: Any = None
    while True:
        try:
            batches.append(steps.send(sent))
        except StopIteration as stop:
            told = [f"{one.text} {one.why.inputs}" for one in turn.shared.reports if one.is_for("red") and one.why]
            return batches, stop.value, told
        sent = {ask.id: (answers or {}).get(ask.parties[0], ask.default) for ask in batches[-1].asks}


GOES = Decision({"go": True}, "A goes.", "go", "red's orders")
STAYS = Decision({}, "", "stay", "red's orders")


def kinds(batches: list[Batch]) -> list[list[tuple[str, str]]]:
    return [[(ask.parties[0], ask.kind) for ask in batch.asks] for batch in batches]


def test_what_orders_decide_wholly_is_not_asked_and_told() -> None:
    batches, (red, blue), told = played([{"A": GOES, "B": STAYS}, None])
    assert kinds(batches) == [[("blue", "go")]]
    assert red.root == {"A": Choice(go=True)}
    assert blue.root == {}
    assert told == ["A goes. ((\"red's orders\", '“go”'),)"]


def test_what_they_decide_in_part_is_filled_in_and_stands_for_silence() -> None:
    batches, (red, _), told = played([{"A": GOES, "B": None}, None])
    assert kinds(batches) == [[("red", "go"), ("blue", "go")]]
    ask = batches[0].asks[0]
    assert [line.fields[0].value for line in ask.form.lines] == [True, False]
    assert ask.default_says == "Your standing orders are carried out. Where they are silent: Nobody goes."
    assert (red.root, told) == ({"A": Choice(go=True)}, [])


def test_what_cannot_be_carried_out_falls_back_to_asking() -> None:
    def check(sheet: Sheet) -> list[Refusal]:
        return [malformed("A stays", "A")] if sheet.root.get("A") else []

    batches, (red, _), told = played([{"A": GOES, "B": STAYS}, None], check=check)
    assert kinds(batches) == [[("red", "go"), ("blue", "go")]]
    assert batches[0].asks[0].default_says == "Nobody goes."
    assert (red.root, told) == ({}, [])


def test_a_line_that_they_do_not_know_is_asked() -> None:
    batches, _, _ = played([{"A": GOES}, None])
    assert kinds(batches) == [[("red", "go"), ("blue", "go")]]


def test_nothing_is_open_where_all_have_orders() -> None:
    batches, answers, _ = played([{"A": GOES, "B": STAYS}, {"A": STAYS, "B": STAYS}])
    assert (batches, [one.root for one in answers]) == ([], [{"A": Choice(go=True)}, {}])


def test_where_windows_are_fixed_a_waiting_card_stands_for_each_ask() -> None:
    batches, (red, _), _ = played([{"A": GOES, "B": STAYS}, None], patient=True)
    assert kinds(batches) == [[("blue", "go"), ("red", "waiting")]]
    assert [ask.pace for ask in batches[0].asks] == ["decision", "decision"]
    assert red.root == {"A": Choice(go=True)}
    batches, _, _ = played([{"A": GOES, "B": STAYS}, {"A": STAYS, "B": STAYS}], patient=True)
    assert kinds(batches) == [[("red", "waiting"), ("blue", "waiting")]]
