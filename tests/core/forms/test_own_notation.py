"""Lines with a notation of their own: what is typed to them is shared out among their texts, and nothing is lost."""

from collections.abc import Mapping, Sequence

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Field, Form, Line, Sheet, text_field
from rules_engine.core.forms.order_text import read_sheet, write_sheet
from tests.expected.kept import cases

TURN = text_field("turn", "Turn", 30, None)
PLOT = text_field("plot", "All else", 60, None)._replace(others=True)
SPEED = Field("speed", "Speed", "number", least=0, most=9, optional=True)
FORM = Form(
    lines=(
        Line("H1", "H1 Falcon", (SPEED, TURN, PLOT)),
        Line("H2", "H2 Kestrel", (SPEED, TURN, PLOT)),
        Line("B1", "Base", (SPEED, text_field("note", "Note", 30, None))),
    )
)


@cases("text, sheet")
def test_what_is_typed_is_shared_out(text: str, sheet: Sheet) -> None:
    read = read_sheet(FORM, text)
    assert read == sheet
    assert read_sheet(FORM, write_sheet(FORM, read)) == sheet


@cases("text, told")
def test_what_is_no_line_of_such_a_kind_is_refused_as_before(text: str, told: str) -> None:
    with pytest.raises(Refused) as refused:
        read_sheet(FORM, text)
    assert str(refused.value.refusals[0]).startswith(told), refused.value.refusals


Parts = list[tuple[str, list[tuple[str, str]], dict[str, Json]]]


def asked_of(text: str, stands: Sheet | None = None) -> tuple[Parts, Sheet]:
    """What a form is asked that says how texts follow each other, and the sheet that comes of it."""
    asked: Parts = []

    def in_order(key: str, parts: Sequence[tuple[str, str]], there: Mapping[str, Json]) -> dict[str, Json]:
        asked.append((key, [*parts], {**there}))
        return {**dict.fromkeys(name for name, _ in parts), "plot": " + ".join(said for _, said in parts)}

    form = Form(lines=FORM.lines, in_order=in_order)
    return asked, read_sheet(form, text, stands=stands)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("H1: turn left on 1; slip left", [("turn", "left on 1"), ("plot", "slip left")]),
        ("H1: slip left; turn left on 1", [("plot", "slip left"), ("turn", "left on 1")]),
        ("H1: plot slip left; turn left on 1", [("plot", "slip left"), ("turn", "left on 1")]),
        ("H1: slip left\nH1: turn left on 1", [("plot", "slip left"), ("turn", "left on 1")]),
        (
            "H1: turn left on 1; slip left; turn right on 9",
            [("turn", "left on 1"), ("plot", "slip left"), ("turn", "right on 9")],
        ),
    ],
)
def test_form_is_asked_for_texts_in_the_order_in_which_they_were_typed(text: str, parts: list[tuple[str, str]]) -> None:
    asked, sheet = asked_of(text, {"H1": {"plot": "before"}})
    assert asked == [("H1", parts, {"plot": "before"})]
    assert sheet["H1"] == {"turn": None, "plot": " + ".join(said for _, said in parts)}


def test_form_is_asked_line_by_line_and_not_of_lines_without_a_notation() -> None:
    asked, sheet = asked_of('H1: slip left\nH2: turn left on 1\nB1: note "left"')
    assert asked == [("H1", [("plot", "slip left")], {}), ("H2", [("turn", "left on 1")], {})]
    assert sheet["B1"] == {"note": "left"}
