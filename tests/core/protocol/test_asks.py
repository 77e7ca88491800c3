"""Asks: what the journal keeps of an answer."""

from dataclasses import replace

import pytest
from pydantic import RootModel

from rules_engine.core.basics.base import Frozen
from rules_engine.core.forms.forms import Form, Line
from rules_engine.core.protocol.asks import Ask
from rules_engine.core.running.transitions import OpenAsk


class Course(Frozen):
    """A line with fields that may be left out, and with one whose default is not nothing."""

    name: str | None = None
    route: str | None = "as stored"
    ships: tuple[str, ...] = ()


class Orders(RootModel[dict[str, Course]]):
    """A sheet."""


def ask() -> Ask[Orders]:
    return Ask("orders", ("red",), "Orders", "", Orders, "Toy 1", Form(), default=Orders({}))


def test_the_journal_keeps_what_was_said_and_nothing_else():
    """What was cleared is not the same as what was left as it stood."""
    said = {"A1": {"name": None, "ships": ["one"]}, "A2": {"route": None}, "A3": {}}
    kept = ask().document_of(ask().answer_from(said), said)
    assert kept == said
    again = ask().answer_from(kept)
    assert [sorted(line.model_fields_set) for line in again.root.values()] == [["name", "ships"], ["route"], []]


def test_an_answer_is_judged_once_on_its_way_into_the_journal():
    judged: list[Orders] = []

    def check(orders: Orders) -> list[object]:
        judged.append(orders)
        return []

    standing = OpenAsk(Ask("orders", ("red",), "", "", Orders, "", Form(), default=Orders({}), check=check))  # type: ignore[arg-type]
    answer = standing.judge({"A1": {"name": "Wing"}})
    kept = standing.for_journal({"A1": {"name": "Wing"}})
    assert standing.judge(kept) is answer
    assert len(judged) == 1
    standing.forget()
    assert standing.judge(kept) == answer
    assert len(judged) == 2, "after a correction by hand it is judged anew"


def standing_lines(**more: object) -> Ask[Orders]:
    usual = Orders.model_validate({"A1": {"name": "Wing", "ships": ["one"]}, "A2": {"route": "home"}})
    return Ask("orders", ("red",), "", "", Orders, "", Form(), default=usual, lines_stand=True, **more)  # type: ignore[arg-type]


def test_a_line_that_is_not_mentioned_stands_as_the_default_has_it() -> None:
    one = standing_lines()
    answer = one.answer_from({"A2": {"name": "Tail"}})
    assert list(answer.root) == ["A1", "A2"]
    assert answer.root["A1"] is one.default.root["A1"]  # type: ignore[union-attr]
    assert answer.root["A2"] == Course(name="Tail"), "of a line that is mentioned nothing is filled in"
    assert one.answer_from({}) == one.default
    assert one.answer_from({"A3": {}}).root["A3"] == Course(), "a line of which the default says nothing"


def test_the_journal_keeps_only_the_lines_that_were_mentioned() -> None:
    standing = OpenAsk(standing_lines())
    given = {"A2": {"name": None}}
    kept = standing.for_journal(given)
    assert kept == {"A2": {"name": None}}
    assert kept is not given, "who gave it may change it"
    again = OpenAsk(standing_lines()).judge(kept)
    assert again == standing.judge(given)
    assert again.root["A2"].model_fields_set == {"name"}


def test_all_lines_are_judged() -> None:
    judged: list[Orders] = []

    def check(orders: Orders) -> list[object]:
        judged.append(orders)
        return []

    standing_lines(check=check).answer_from({"A1": {}})
    assert [sorted(one.root) for one in judged] == [["A1", "A2"]]


def test_lines_can_stand_only_where_there_are_lines() -> None:
    with pytest.raises(TypeError, match="no lines"):
        Ask("course", ("red",), "", "", Course, "", Form(), default=Course(), lines_stand=True)


def test_a_form_is_made_when_somebody_looks_and_again_after_a_correction() -> None:
    made: list[Form] = []

    def make() -> Form:
        made.append(Form(lines=(Line(key=f"A{len(made)}", label="", fields=()),)))
        return made[-1]

    usual = Orders({"A1": Course(name="Wing")})
    one = Ask("orders", ("red",), "", "", Orders, "", make, default=usual, lines_stand=True).named("T1/orders/red")
    assert one.id == "T1/orders/red"
    assert one.is_choice(), "lines that stand may be changed"
    assert one.answer_from({}) == usual
    OpenAsk(one).judge({"A1": {"name": None}})
    assert made == [], "nobody has looked at it"
    assert one.form is one.form is made[0]
    one.forget()
    assert one.form is made[1]
    assert one.default is usual


def test_an_ask_needs_a_form() -> None:
    with pytest.raises(TypeError, match="form"):
        Ask("orders", ("red",), "", "", Orders, "", default=Orders({}))  # type: ignore[call-arg]


def test_lines_stand_in_the_order_of_the_sheet() -> None:
    form = Form(lines=tuple(Line(key=key, label=key, fields=()) for key in ("A9", "A10", "A11")))
    one = replace(ask(), form=form)
    answer = one.answer_from({"A11": {}, "B1": {}, "A10": {}, "A9": {}})
    assert list(answer.root) == ["A9", "A10", "A11", "B1"]


def test_an_answer_is_made_of_what_the_journal_gives_back() -> None:
    """The journal keeps keys in alphabetical order; an answer that is taken now must not know of another."""
    for document in ({"B": {"ships": ["2", "1"]}, "A": {}}, {"A": {}, "B": {"ships": ["2", "1"]}}):
        answer = OpenAsk(ask()).judge(document)
        assert list(answer.root) == ["A", "B"]
        assert answer.root["B"].ships == ("2", "1")
