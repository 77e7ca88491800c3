"""Lines with a notation of their own: what is typed to them is shared out among their texts, and nothing is lost."""

import pytest

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
