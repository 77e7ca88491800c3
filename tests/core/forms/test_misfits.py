"""Answers that do not fit their form are refused in the words of the form."""

from typing import Annotated, Any, Literal

import pytest
from pydantic import Field as Bounded
from pydantic import RootModel

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.refusals import Refused, illegal
from rules_engine.core.forms.forms import Absence, Field, Form, Line, choices
from rules_engine.core.forms.misfits import in_words
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.protocol.asks import Ask
from tests.expected.kept import cases


class Course(Frozen):
    """A line."""

    speed: Literal["1", "2", "3"] | None = None
    signals: tuple[Literal["red", "green"], ...] | None = None
    fuel: Annotated[int, Bounded(ge=1, le=9)] | None = None
    lights: bool | None = None
    port: Annotated[str, Bounded(pattern=r"^\d{4}$")] | None = None
    name: Annotated[str, Bounded(max_length=5)] | None = None


class Courses(RootModel[dict[str, Course]]):
    """A sheet."""


class Wrapped(Frozen):
    """A sheet that keeps its lines under a name of its own."""

    lines: dict[str, Course]


FORM = Form(
    lines=(
        Line(
            key="A1",
            label="A1",
            fields=(
                Field(key="speed", label="Speed", kind="one", choices=choices("1", "2"), optional=True),
                Field(key="signals", label="Signals", kind="many", choices=choices("red", "green")),
                Field(key="fuel", label="Fuel", kind="number", least=1, most=9),
                Field(key="lights", label="Lights", kind="flag"),
                Field(key="port", label="Port", kind="text", most=4, help="For example 1217"),
                Field(key="name", label="Name", kind="text", most=5),
            ),
        ),
    ),
    why_absent=lambda: (
        Absence(key="A2", label="A2 Vanguard", problem="A2 has gone home", rule="Book 7.1"),
        Absence(key="A1", label="A1", problem="A1 has no boats", rule="Book 7.2", field="boat_crew"),
    ),
)


def refused(document: Any) -> list[tuple[str, str, str]]:
    ask = Ask("course", ("red",), "", "", Courses, "", FORM, default=Courses({}))
    with pytest.raises(Refused) as caught:
        ask.answer_from(document)
    return [(one.path, one.problem, one.legal) for one in caught.value.refusals]


@cases("line, path, problem, legal")
def test_a_field_is_refused_with_what_it_takes(line: Any, path: str, problem: str, legal: str) -> None:
    assert refused({"A1": line}) == [(path, problem, legal)]


def test_what_is_no_line_or_no_sheet_is_refused_with_the_lines() -> None:
    assert refused({"B7": {"wings": 2}}) == [("B7", "there is no such line", "A1")]
    assert refused("x") == [("", "this is no sheet of lines", "A1")]


def test_lines_under_a_name_of_the_model_are_named_as_on_the_sheet() -> None:
    ask = Ask("course", ("red",), "", "", Wrapped, "", FORM, default=Wrapped(lines={}))
    with pytest.raises(Refused) as caught:
        ask.answer_from({"lines": {"A1": {"fuel": "much"}}})
    assert [one.path for one in caught.value.refusals] == ["A1.fuel"]


def test_a_typed_line_that_is_absent_is_explained_by_key_and_by_label() -> None:
    for name in ("A2", "a2 vanguard"):
        with pytest.raises(Refused) as caught:
            read_sheet(FORM, f"{name}: fuel 3")
        assert [(one.path, one.problem, one.rule, one.legal) for one in caught.value.refusals] == [
            ("line 1", "A2 has gone home", "Book 7.1", "A1")
        ]


@pytest.mark.parametrize("name", ["boat_crew", "boat-crew", "Boat_Crew"])
def test_a_typed_field_that_is_absent_is_explained(name: str) -> None:
    with pytest.raises(Refused) as caught:
        read_sheet(FORM, f"A1: {name} 3")
    assert [(one.path, one.problem, one.rule, one.legal) for one in caught.value.refusals] == [
        ("line 1", "A1 has no boats", "Book 7.2", "speed, signals, fuel, lights, port, name")
    ]


def test_why_a_field_is_absent_does_not_explain_a_line() -> None:
    """A1 has a line; its label names that, and nothing else of the sheet is explained by the missing field."""
    with pytest.raises(Refused) as caught:
        read_sheet(FORM, "A1: wings 3")
    assert caught.value.refusals[0].problem == "A1 has no field “wings”"


def test_where_something_is_wrong_is_said_in_words_that_the_sheet_shows() -> None:
    """A line that is called by its key keeps it, one that is not goes by its field alone, and no path is guessed."""
    speed = Field("speed", "Speed", "number", least=0, most=9)
    named = Line("T1", "Merchants", (speed,), note="T1 at Sol")
    form = Form(
        (Line("A1", "A1 Vanguard", (speed,)), Line("battle", "How it ended", (speed,), note="In battle"), named)
    )

    def said(path: str) -> str:
        return str(in_words(form, illegal("too fast", "Toy 1", path)))

    assert said("A1.speed") == "A1, Speed: too fast (Toy 1)"
    assert said("battle.speed") == "Speed: too fast (Toy 1)"
    assert said("T1.speed") == "T1, Speed: too fast (Toy 1)", "its note has its key"
    assert said("line 12, A1.speed") == "line 12, A1, Speed: too fast (Toy 1)"
    assert said("line 1, battle.speed") == "line 1, battle, Speed: too fast (Toy 1)"
    for path in ("", "A1", "A1.posture", "line 1, A1", "line 1, B2.speed", "line A1.speed", "B2.speed"):
        assert said(path) == str(illegal("too fast", "Toy 1", path))
