"""Order sheets as text: read, refused with the nearest thing meant, read back, and no word passed over."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.core.basics.plain_text import without_unseen
from rules_engine.core.basics.refusals import Refusal, Refused, illegal, malformed
from rules_engine.core.forms.forms import Absence, Field, Form, Line, Sheet, choices
from rules_engine.core.forms.order_text import (
    MOST_FAULTS,
    MOST_IN_LINE,
    MOST_JUDGED,
    MOST_ORDERS,
    MOST_VALUES,
    Judge,
    read_sheet,
    says_nothing,
    write_sheet,
)
from tests.expected.kept import Kept, cases

SPEED = Field(key="speed", label="Operational speed", kind="one", choices=choices("0", "1/2", "1", "2", "3"))
POSTURE = Field(key="posture", label="Posture", kind="many", choices=choices("active", "cloak", warp="Warp on"))
PROBES = Field(key="probes", label="Probes", kind="number", least=0, most=5)
ASK_ME = Field(key="ask_me", label="Ask me", kind="flag")
NOTE = Field(key="note", label="Note", kind="text", most=60, optional=True)
TARGET = Field(key="target", label="Target", kind="one", choices=choices("E1", "E2"), optional=True)

FORM = Form(
    lines=(
        Line(key="TF1", label="TF1 at 0412", fields=(SPEED, POSTURE, PROBES, ASK_ME, NOTE, TARGET)),
        Line(key="TF2", label="TF2 at 0413", fields=(SPEED,)),
    )
)


@cases("case, text, sheet", "")
def test_what_a_text_says(text: str, sheet: Sheet):
    assert read_sheet(FORM, text) == sheet


@cases("case, text, says")
def test_what_is_refused_of_a_text(text: str, says: list[str]):
    assert refusals(text) == says


texts = st.text(
    alphabet=st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="\u00a0\u2028\u2029\u0085\ufeff"),
    min_size=1,
    max_size=40,
).filter(lambda text: text == " ".join(without_unseen(text).split()))


@given(
    speed=st.sampled_from(["0", "1/2", "1", "2", "3"]),
    posture=st.lists(st.sampled_from(["active", "cloak", "warp"]), unique=True),
    probes=st.integers(0, 5),
    ask_me=st.booleans(),
    note=texts,
)
def test_what_is_written_is_read_back(speed: str, posture: list[str], probes: int, ask_me: bool, note: str):
    sheet: Sheet = {
        "TF1": {"speed": speed, "posture": list(posture), "probes": probes, "ask_me": ask_me, "note": note},
        "TF2": {"speed": speed},
    }
    assert read_sheet(FORM, write_sheet(FORM, sheet, title="Plan")) == sheet


FATE = Field(key="fate", label="Fate", kind="one", choices=choices("ok", "destroyed"))
UNITS = Form(lines=tuple(Line(key=key, label=key, fields=(FATE,)) for key in ("D1", "D2", "D3", "A1", "big-A1")))


def test_lines_from_one_key_to_another_are_set_at_once():
    lost = {"fate": "destroyed"}
    assert read_sheet(UNITS, "D1-D3: fate destroyed\nd2: fate ok") == {"D1": lost, "D2": {"fate": "ok"}, "D3": lost}


@pytest.mark.parametrize("name", ["D3-D1", "D1-D9", "D1-"])
def test_what_is_no_range_is_no_line(name: str):
    with pytest.raises(Refused) as refused:
        read_sheet(UNITS, f"{name}: fate ok")
    assert "there is no line" in str(refused.value)


def test_a_key_with_a_hyphen_is_no_range():
    assert read_sheet(UNITS, "big-A1: fate ok") == {"big-A1": {"fate": "ok"}}


def test_a_range_is_refused_line_by_line():
    with pytest.raises(Refused) as refused:
        read_sheet(UNITS, "D1-D3: fate lost")
    assert len(refused.value.refusals) == 3


def test_fields_are_described_once_for_lines_that_are_alike():
    text = write_sheet(UNITS, {"D1": {"fate": "ok"}})
    assert text.count("fate: ok, destroyed") == 1
    assert text.count("as in the line above") == 4
    assert read_sheet(UNITS, text) == {"D1": {"fate": "ok"}}


def again(*keys: str, series: str = "missions") -> tuple[Line, ...]:
    kind = Field(key="kind", label="Kind", kind="one", choices=choices("spy", "raid"), optional=True)
    return tuple(Line(key=key, label=f"Line {key}", fields=(kind,), series=series) for key in keys)


SERIES = Form(lines=(*again("M1", "M2", "M3", "M4"), Line(key="end", label="End", fields=()), *again("A1", series="a")))


@cases("used, unused", "")
def test_of_lines_that_ask_the_same_again_those_in_use_are_seen_and_the_next(used: tuple[str, ...], unused: list[str]):
    sheet: Sheet = {key: {"kind": "spy"} for key in used} | {"end": {}}
    assert sorted(SERIES.unused(sheet)) == unused
    empty: Sheet = {key: {"kind": None} for key in ("M1", "M2")}
    assert sorted(SERIES.unused(empty | sheet)) == unused
    text = write_sheet(SERIES, sheet)
    assert sorted(line.key for line in SERIES.lines if f"\n{line.key}:" not in text) == unused
    assert ("# and so on, to Line M4: M4" in text) == bool(unused)
    # What is not written may be said all the same.
    assert read_sheet(SERIES, "M4: spy") == {"M4": {"kind": "spy"}}


# --- reasons ----------------------------------------------------------------------------------------------------------
def knowing(sheets: list[Sheet]) -> Judge:
    """Whoever knows why TF1 cannot aim at E3 and why TF7 is not asked; keeps in ``sheets`` what was to be judged."""

    def judge(sheet: Sheet) -> list[Refusal]:
        sheets.append(sheet)
        return [
            illegal("E3 is out of range", "T 1.2", "TF1.target", legal="E1, E2"),
            illegal("TF7 is in port", "T 3.4", "TF7", legal="TF1, TF2"),
            illegal("TF8 has no fuel", "T 5.6", "TF8.target", legal="none"),
            malformed("TF9 is no name", "TF9"),
        ]

    return judge


@cases("text, found")
def test_what_is_not_on_the_form_is_explained_by_who_knows_the_rule(text: str, found: tuple[str, str, str]):
    with pytest.raises(Refused) as refused:
        read_sheet(FORM, text, knowing([]))
    assert [(one.path, one.problem, one.rule) for one in refused.value.refusals] == [found]


def test_all_that_needs_a_reason_is_judged_at_once_and_the_rest_is_not():
    sheets: list[Sheet] = []
    with pytest.raises(Refused) as refused:
        read_sheet(FORM, "TF1: target E3; speed 7; probes 9\nTF7: target E1; probes 2; horn 3\nTF2: 1", knowing(sheets))
    assert sheets == [{"TF1": {"target": "E3", "speed": "7"}, "TF7": {"target": "E1"}}]
    found = [one.path for one in refused.value.refusals]
    assert found == ["line 1, TF1.target", "line 1, TF1.speed", "line 1, TF1.probes", "line 2"]


def test_of_many_lines_that_are_not_there_the_first_are_judged():
    sheets: list[Sheet] = []
    text = "\n".join(f"X{number}: speed 1" for number in range(MOST_JUDGED + 5))
    with pytest.raises(Refused):
        read_sheet(FORM, text, knowing(sheets))
    assert [list(one) for one in sheets] == [[f"X{number}" for number in range(MOST_JUDGED)]]


def test_nobody_is_asked_for_reasons_where_all_is_on_the_form():
    sheets: list[Sheet] = []
    assert read_sheet(FORM, "TF2: 1", knowing(sheets)) == {"TF2": {"speed": "1"}}
    with pytest.raises(Refused):
        read_sheet(FORM, "TF1: probes 9", knowing(sheets))
    assert sheets == []


def test_a_field_that_is_not_on_its_line_is_explained_even_where_the_line_has_one_field_alone():
    absent = (Absence(key="TF2", label="TF2", field="target", problem="TF2 is unarmed", rule="T 7.8"),)
    with pytest.raises(Refused) as refused:
        read_sheet(replace(FORM, why_absent=lambda: absent), "TF2: target E1")
    found = [(one.path, one.problem, one.rule) for one in refused.value.refusals]
    assert found == [("line 1", "TF2 is unarmed", "T 7.8")]


# --- what nobody writes who means well --------------------------------------------------------------------------------
def refusals(text: str) -> list[str]:
    with pytest.raises(Refused) as refused:
        read_sheet(FORM, text)
    return [str(one) for one in refused.value.refusals]


@pytest.mark.parametrize("text", [" " * 100, "\t" * 100, "\u00a0" * 100, "\n" * 100, "#" * 100, " \r\n \t\r\n"])
def test_a_text_of_blanks_says_nothing(text: str) -> None:
    assert read_sheet(FORM, text) == {}


def test_no_more_defects_are_told_than_somebody_can_read() -> None:
    *told, last = refusals("TF9: speed 1\n" * (MOST_FAULTS + 5))
    assert len(told) == MOST_FAULTS
    assert last == f"line {MOST_FAULTS + 1}: this and what follows was not read. Legal: set right what stands above."
    *told, last = refusals("TF1: " + "; ".join(["horn 1"] * (MOST_FAULTS + 5)))
    assert len(told) == MOST_FAULTS
    assert last == "line 1: the rest was not read. Legal: set right what stands above."


def test_a_line_and_a_text_that_are_too_long_are_refused(kept: Kept) -> None:
    assert read_sheet(FORM, "TF1: speed 1\n" * MOST_ORDERS) == {"TF1": {"speed": "1"}}
    assert refusals("TF1: speed 1\n" * (MOST_ORDERS + 1)) == kept()
    spaces = " " * (MOST_IN_LINE - len("TF1: speed1"))
    assert read_sheet(FORM, f"TF1: speed{spaces}1") == {"TF1": {"speed": "1"}}
    assert refusals(f"TF1: speed{spaces} 1") == ["line 1: this line has 4,001 characters. Legal: at most 4,000."]


def test_a_text_that_sets_more_than_any_sheet_has_is_refused() -> None:
    one = "TF1: " + "; ".join(["speed 1"] * 400)
    assert read_sheet(FORM, "\n".join([one] * (MOST_VALUES // 400))) == {"TF1": {"speed": "1"}}
    found = refusals("\n".join([one] * (MOST_VALUES // 400 + 1)))
    assert found == [f"line {MOST_VALUES // 400 + 1}: the text sets too many values. Legal: at most 10,000."]


@cases("text", "")
def test_what_is_told_back_of_a_long_word_is_short(text: str) -> None:
    (told,) = refusals(text.format("z" * 1_000))
    assert "z" * 60 + "…" in told
    assert len(told) < 400


def test_every_line_that_cannot_be_read_is_told() -> None:
    assert [one.partition(":")[0] for one in refusals('TF1: "\nTF2: speed 1\nTF1: note "x')] == ["line 1", "line 3"]


def test_a_way_by_names_needs_no_name_of_its_field():
    way = Field("route", "Route", "text", most=40, optional=True)
    load = Field("load", "Loads", "text", most=40, optional=True)
    form = Form(lines=(Line("T1", "Hermes", (way, load)), Line("T2", "Zeus", (way, load))))
    said = read_sheet(form, "Hermes: Sol > Wolf 359; load 2 census at Sol\nZeus: load 1 census; Sol → Ross")
    assert said == {
        "T1": {"route": "Sol > Wolf 359", "load": "2 census at Sol"},
        "T2": {"load": "1 census", "route": "Sol → Ross"},
    }
    with pytest.raises(Refused) as refused:
        read_sheet(form, "Hermes: Sol Wolf 359")
    assert "T1 has no field “Sol”" in str(refused.value)


# --- order text whole -------------------------------------------------------------------------------------------------
# order sheets as text: no word is passed over. What is said takes effect and is read back, or is refused by name.
WHOLE_SPEED = Field(key="speed", label="Operational speed", kind="one", choices=choices("0", "1", "2", "3"))
ALL = (WHOLE_SPEED, POSTURE, PROBES, ASK_ME, NOTE)
WHOLE_FORM = Form(
    lines=(
        Line(key="TF1", label="TF1 at 0412", fields=ALL),
        Line(key="TF2", label="TF2 at 0413", fields=ALL),
        Line(key="TF3", label="TF3 at 0414", fields=ALL),
        Line(key="B1", label="B1", fields=(PROBES,)),
    )
)


def all_refusals(text: str) -> list[str]:
    with pytest.raises(Refused) as refused:
        read_sheet(WHOLE_FORM, text)
    return [str(one) for one in refused.value.refusals]


@cases("text, told")
def test_what_would_be_passed_over_is_refused_by_name(text: str, told: str) -> None:
    assert any(one.startswith(told) for one in all_refusals(text)), all_refusals(text)


def test_the_same_said_twice_is_said() -> None:
    assert read_sheet(WHOLE_FORM, "TF1: speed 1; speed 1\nTF1: speed 1") == {"TF1": {"speed": "1"}}


def test_an_order_for_fewer_lines_goes_before_one_for_more() -> None:
    text = "TF1-TF3: speed 1\nTF1-TF2: speed 2\nTF2: speed 3"
    assert read_sheet(WHOLE_FORM, text) == {"TF1": {"speed": "2"}, "TF2": {"speed": "3"}, "TF3": {"speed": "1"}}


def test_an_equals_sign_within_a_text_stays_as_it_is() -> None:
    for said in ("TF1: note fuel>=10", "TF1: note = fuel>=10", "TF1: note=fuel>=10"):
        assert read_sheet(WHOLE_FORM, said) == {"TF1": {"note": "fuel>=10"}}


def test_a_line_of_a_whole_sheet_with_nothing_on_it_says_nothing() -> None:
    assert read_sheet(WHOLE_FORM, "TF1:\nTF2: speed 1\nB1: ;") == {"TF2": {"speed": "1"}}


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
        sheet = read_sheet(WHOLE_FORM, text)
    except Refused:
        return
    again = write_sheet(WHOLE_FORM, sheet, notes=False)
    assert read_sheet(WHOLE_FORM, again) == {key: line for key, line in without_cleared(sheet).items() if line}
    cleared = {key for line in sheet.values() for key, value in line.items() if value is None}
    told = {*_KNOWN, *cleared, *re.findall(r"[\w>]+", again.casefold())}
    assert [word for word in re.findall(r"[\w>]+", text.casefold()) if word not in told] == []


def without_cleared(sheet: Sheet) -> Sheet:
    return {key: {name: value for name, value in line.items() if value is not None} for key, line in sheet.items()}
