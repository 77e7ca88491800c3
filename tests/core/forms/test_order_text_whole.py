"""Order sheets as text: no word is passed over. What is said takes effect and is read back, or is refused by name."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Field, Form, Line, Sheet, choices
from rules_engine.core.forms.order_text import read_sheet, says_nothing, write_sheet
from tests.expected.kept import cases

SPEED = Field(key="speed", label="Operational speed", kind="one", choices=choices("0", "1", "2", "3"))
POSTURE = Field(key="posture", label="Posture", kind="many", choices=choices("active", "cloak", warp="Warp on"))
PROBES = Field(key="probes", label="Probes", kind="number", least=0, most=5)
ASK_ME = Field(key="ask_me", label="Ask me", kind="flag")
NOTE = Field(key="note", label="Note", kind="text", most=60, optional=True)
ALL = (SPEED, POSTURE, PROBES, ASK_ME, NOTE)
FORM = Form(
    lines=(
        Line(key="TF1", label="TF1 at 0412", fields=ALL),
        Line(key="TF2", label="TF2 at 0413", fields=ALL),
        Line(key="TF3", label="TF3 at 0414", fields=ALL),
        Line(key="B1", label="B1", fields=(PROBES,)),
    )
)


def refusals(text: str) -> list[str]:
    with pytest.raises(Refused) as refused:
        read_sheet(FORM, text)
    return [str(one) for one in refused.value.refusals]


@cases("text, told")
def test_what_would_be_passed_over_is_refused_by_name(text: str, told: str) -> None:
    assert any(one.startswith(told) for one in refusals(text)), refusals(text)


def test_the_same_said_twice_is_said() -> None:
    assert read_sheet(FORM, "TF1: speed 1; speed 1\nTF1: speed 1") == {"TF1": {"speed": "1"}}


def test_an_order_for_fewer_lines_goes_before_one_for_more() -> None:
    text = "TF1-TF3: speed 1\nTF1-TF2: speed 2\nTF2: speed 3"
    assert read_sheet(FORM, text) == {"TF1": {"speed": "2"}, "TF2": {"speed": "3"}, "TF3": {"speed": "1"}}


def test_an_equals_sign_within_a_text_stays_as_it_is() -> None:
    for said in ("TF1: note fuel>=10", "TF1: note = fuel>=10", "TF1: note=fuel>=10"):
        assert read_sheet(FORM, said) == {"TF1": {"note": "fuel>=10"}}


def test_a_line_of_a_whole_sheet_with_nothing_on_it_says_nothing() -> None:
    assert read_sheet(FORM, "TF1:\nTF2: speed 1\nB1: ;") == {"TF2": {"speed": "1"}}


@pytest.mark.parametrize("text", ["", " \n\t", "# a\n  # b\r\n", "\ufeff", "\u00a0"])
def test_blanks_and_notes_say_nothing(text: str) -> None:
    assert says_nothing(text)
    assert not says_nothing(f"{text}\nTF1: speed 1")


# --- any text ---------------------------------------------------------------------------------------------------------

SIMPLE = "TF1 TF2 TF1-TF3 B1 : : ; , = speed posture probes note 1 2 active cloak yes no - word horn Operational"
WORDS = st.sampled_from([*SIMPLE.split(), "ask me", '"a"', '"b; c"', "Warp on", "at 0412", "\n"])
_KNOWN = {"tf1", "tf2", "tf3", "b1", "at", "0412", "0413", "0414", "operational", "ask", "me", "ask_me", "on"}
"""Words of the names of lines, fields and choices, which may be called by their labels."""


@given(st.lists(WORDS, max_size=12).map(" ".join))
def test_of_any_text_every_word_is_read_back_or_it_is_refused(text: str) -> None:
    try:
        sheet = read_sheet(FORM, text)
    except Refused:
        return
    again = write_sheet(FORM, sheet, notes=False)
    assert read_sheet(FORM, again) == {key: line for key, line in without_cleared(sheet).items() if line}
    cleared = {key for line in sheet.values() for key, value in line.items() if value is None}
    told = {*_KNOWN, *cleared, *re.findall(r"[\w>]+", again.casefold())}
    assert [word for word in re.findall(r"[\w>]+", text.casefold()) if word not in told] == []


def without_cleared(sheet: Sheet) -> Sheet:
    return {key: {name: value for name, value in line.items() if value is not None} for key, line in sheet.items()}
