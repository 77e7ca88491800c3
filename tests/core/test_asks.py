"""Asks: what the journal keeps of an answer."""

from pydantic import RootModel

from rules_engine.core.asks import Ask
from rules_engine.core.base import Record
from rules_engine.core.forms import Form
from rules_engine.core.steps import Standing


class Course(Record):
    """A line with fields that may be left out, and with one whose default is not nothing."""

    name: str | None = None
    route: str | None = "as stored"
    ships: tuple[str, ...] = ()


class Orders(RootModel[dict[str, Course]]):
    """A sheet."""


def ask() -> Ask[Orders]:
    return Ask("orders", ("red",), "Orders", "", Orders, Form(), "Toy 1", default=Orders({}))


def test_the_journal_keeps_what_was_said_and_nothing_else():
    """What was cleared is not the same as what was left as it stood."""
    said = {"A1": {"name": None, "ships": ["one"]}, "A2": {"route": None}, "A3": {}}
    kept = ask().document_of(ask().answer_from(said))
    assert kept == said
    again = ask().answer_from(kept)
    assert [sorted(line.model_fields_set) for line in again.root.values()] == [["name", "ships"], ["route"], []]


def test_an_answer_is_judged_once_on_its_way_into_the_journal():
    judged: list[Orders] = []

    def check(orders: Orders) -> list[object]:
        judged.append(orders)
        return []

    standing = Standing(Ask("orders", ("red",), "", "", Orders, Form(), "", default=Orders({}), check=check))  # type: ignore[arg-type]
    answer = standing.judge({"A1": {"name": "Wing"}})
    kept = standing.for_journal({"A1": {"name": "Wing"}})
    assert standing.judge(kept) is answer
    assert len(judged) == 1
    standing.forget()
    assert standing.judge(kept) == answer
    assert len(judged) == 2, "after a correction by hand it is judged anew"
