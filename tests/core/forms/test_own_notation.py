"""Lines with a notation of their own: what is typed to them is shared out among their texts, and nothing is lost."""

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Field, Form, Line, Sheet, text_field
from rules_engine.core.forms.order_text import read_sheet, write_sheet

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


@pytest.mark.parametrize(
    ("text", "sheet"),
    [
        ("H2: accelerate 6 on 1; turn right on 4", {"H2": {"turn": "right on 4", "plot": "accelerate 6 on 1"}}),
        ("H2: turn right on 4; turn left on 9", {"H2": {"turn": "right on 4; left on 9"}}),
        ("H2: turn right on 4", {"H2": {"turn": "right on 4"}}),
        ("h2 kestrel: slip left; slip right", {"H2": {"plot": "slip left; slip right"}}),
        ("H2 slip left", {"H2": {"plot": "slip left"}}),
        ("H2: when H1 within 5: turn towards", {"H2": {"plot": "when H1 within 5: turn towards"}}),
        ("H2 when H1 within 5: turn towards", {"H2": {"plot": "when H1 within 5: turn towards"}}),
        ("H1-H2: coast # both", {"H1": {"plot": "coast"}, "H2": {"plot": "coast"}}),
        ("H2: plot slip left; slip right", {"H2": {"plot": "slip left; slip right"}}),
        ('H2: turn "right on 4; left on 9"; plot "slip"', {"H2": {"turn": "right on 4; left on 9", "plot": "slip"}}),
        ("H2: speed 4; turn left", {"H2": {"speed": 4, "turn": "left"}}),
    ],
)
def test_what_is_typed_is_shared_out(text: str, sheet: Sheet) -> None:
    read = read_sheet(FORM, text)
    assert read == sheet
    assert read_sheet(FORM, write_sheet(FORM, read)) == sheet


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("H9: slip left", "line 1: there is no line “H9”"),
        ("H9: when H1 within 5: turn", "line 1: this cannot be read as an order"),
        ("B1: slip left; slip right", "line 1: B1 has no field “slip”"),
        ("H2: slip left; " * 6, "line 1, H2.plot: this has 84 characters. Legal: at most 60."),
        ('H2: plot "slip left; slip right', "line 1: this cannot be read as an order"),
        ("H1-B1: slip left; slip right", "line 1: H1 has no field “slip”"),
    ],
)
def test_what_is_no_line_of_such_a_kind_is_refused_as_before(text: str, told: str) -> None:
    with pytest.raises(Refused) as refused:
        read_sheet(FORM, text)
    assert str(refused.value.refusals[0]).startswith(told), refused.value.refusals
