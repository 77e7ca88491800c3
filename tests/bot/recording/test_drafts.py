"""Drafts: what is kept of a sheet while it is filled in, and what is handed in of it."""

from dataclasses import replace

import pytest
from pydantic import RootModel

from bot.recording.drafts import complete, step_between, whole, with_values, without_step, words_between
from bot.records.prompts import Step
from rules_engine.core.basics.base import Frozen
from rules_engine.core.forms.forms import Choice, Field, Form, Line, Sheet
from rules_engine.core.protocol.asks import Ask


class Course(Frozen):
    speed: int | None = None
    name: str | None = None


class Courses(RootModel[dict[str, Course]]):
    """A sheet."""


FORM = Form(
    lines=(
        Line(
            key="A1",
            label="The first",
            fields=(
                Field(key="speed", label="Speed", kind="number", value=2),
                Field(key="name", label="Name", kind="text", optional=True, value="Wing"),
            ),
        ),
        Line(
            key="A2",
            label="The second",
            fields=(Field(key="name", label="Name", kind="text", optional=True),),
        ),
    )
)


def ask(*, lines_stand: bool) -> Ask[Courses]:
    default = Courses.model_validate(FORM.prefilled())
    return Ask("courses", ("red",), "", "", Courses, "", FORM, default=default, lines_stand=lines_stand)


def test_where_lines_stand_a_draft_holds_the_changed_ones_whole() -> None:
    one = ask(lines_stand=True)
    draft = with_values(one, None, {"A1": {"speed": 3}})
    assert draft == {"A1": {"speed": 3, "name": "Wing"}}
    assert complete(one, draft) == draft
    assert whole(one, draft) == {"A1": {"speed": 3, "name": "Wing"}, "A2": {}}


def test_a_line_that_is_again_as_it_was_is_no_change() -> None:
    one = ask(lines_stand=True)
    draft = with_values(one, {"A1": {"speed": 3, "name": "Wing"}, "A2": {"name": "Tail"}}, {"A1": {"speed": 2}})
    assert draft == {"A2": {"name": "Tail"}}
    assert with_values(one, draft, {"A2": {"name": None}}) == {}


def test_what_was_emptied_is_said() -> None:
    """Left out, the line would stand as it was filled in."""
    one = ask(lines_stand=True)
    draft = with_values(one, {}, {"A1": {"speed": None, "name": None}})
    assert draft == {"A1": {}}
    assert one.answer_from(complete(one, draft)).root["A1"] == Course()


def test_elsewhere_a_draft_holds_all_lines_and_hands_in_those_that_say_something() -> None:
    one = ask(lines_stand=False)
    draft = with_values(one, None, {"A1": {"speed": 3}})
    assert draft == {"A1": {"speed": 3, "name": "Wing"}, "A2": {}}
    assert complete(one, draft) == {"A1": {"speed": 3, "name": "Wing"}}


def test_a_draft_is_not_changed_but_made_again() -> None:
    for lines_stand in (True, False):
        draft = {"A1": {"speed": 3, "name": "Wing"}}
        with_values(ask(lines_stand=lines_stand), draft, {"A1": {"speed": 1}, "A2": {"name": "Tail"}})
        assert draft == {"A1": {"speed": 3, "name": "Wing"}}


def test_a_whole_draft_of_former_days_is_read_as_well() -> None:
    one = ask(lines_stand=True)
    former = {"A1": {"speed": 2, "name": "Wing"}, "A2": {"name": "Tail"}}
    assert whole(one, former) == former
    assert with_values(one, former, {"A2": {"name": "End"}})["A2"] == {"name": "End"}


@pytest.mark.parametrize("lines_stand", [True, False])
@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (None, {"A1": {"speed": 3, "name": "Wing"}, "A2": {}}, "A1: speed 3"),
        ({"A1": {"speed": 3, "name": "Wing"}}, {"A1": {"speed": 3, "name": "Van"}}, "A1: name Van"),
        ({"A1": {"speed": 3, "name": "Van"}}, {"A1": {"speed": 3}}, "A1: no name"),
    ],
)
def test_a_step_says_what_was_changed_and_leads_back(
    before: Sheet | None, after: Sheet, said: str, lines_stand: bool
) -> None:
    step = step_between(ask(lines_stand=lines_stand), before, after, 1)
    assert step is not None
    assert step.said == said
    assert without_step(after, step) == (before or {})


def test_nothing_that_can_be_seen_is_no_step() -> None:
    assert step_between(ask(lines_stand=False), None, FORM.prefilled(), 1) is None


def test_taking_a_step_back_leaves_the_lines_alone_that_it_did_not_touch() -> None:
    step = Step({"A1": {"speed": 4}, "A2": None}, "", 1)
    now: Sheet = {"A1": {"speed": 5}, "A2": {}, "A3": {"speed": 6}}
    assert without_step(now, step) == {"A3": {"speed": 6}, "A1": {"speed": 4}}


def test_a_change_is_said_in_the_words_of_the_sheet() -> None:
    ways = Field("way", "Way, if not the usual", "one", choices=(Choice("c", "at cruising speed"),), optional=True)
    fields = (
        ways,
        Field("loud", "Make noise", "flag"),
        Field("id", "ID level", "number"),
        Field("to", "To (hexes)", "text"),
    )
    form = Form((Line("A1", "A1, two ships", fields), Line("side", "The whole side", fields)))
    before: Sheet = {"A1": {"to": "0404", "id": 1}, "side": {"way": ""}}
    after: Sheet = {"A1": {"way": "c", "loud": False, "id": 2, "to": None}, "side": {"loud": True}}
    said = words_between(replace(ask(lines_stand=False), form=form), before, after)
    assert said == "A1: way at cruising speed, make noise no, ID level 2, no to; The whole side: make noise yes"


def test_a_change_of_a_line_with_a_notation_of_its_own_reads_as_it_is_typed() -> None:
    turn, plot = (Field(key=key, label=key.title(), kind="text", optional=True) for key in ("turn", "plot"))
    form = Form(lines=(Line(key="A1", label="A1 The first", fields=(turn, plot._replace(others=True))),))
    one = Ask("plots", ("red",), "", "", Courses, "", form, default=Courses({}))
    now: Sheet = {"A1": {"turn": "left on 4; right on 9", "plot": "slip left on 5"}}
    assert words_between(one, {"A1": {}}, now) == "A1: turn left on 4; right on 9; slip left on 5"
    assert words_between(one, now, {"A1": {"turn": "left on 4; right on 9", "plot": None}}) == "A1: no plot"
