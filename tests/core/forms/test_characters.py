"""Characters of orders and documents: the rule is asked once escapes were read, marks that nobody sees are dropped, and
quotation marks of phones protect as plain ones do."""

import pytest

from rules_engine.core.basics.plain_text import seen_texts, unfit_character, unfit_texts, without_unseen
from rules_engine.core.basics.quotes import with_plain_quotes
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Field, Form, Line
from rules_engine.core.forms.order_rows import read_rows
from rules_engine.core.forms.order_text import read_sheet, write_sheet
from tests.quick import at_most

FORM = Form(
    lines=(
        Line(
            key="A1",
            label="A1 Vanguard",
            fields=(
                Field(key="name", label="Name", kind="text", most=60, optional=True),
                Field(key="speed", label="Speed", kind="number", least=0, most=9),
            ),
        ),
        Line(key="A2", label="A2", fields=(Field(key="name", label="Name", kind="text", most=60),)),
    )
)
ESCAPES = [r"\u0000", r"\u202e", r"\ud800", r"\u0085", r"\ufff9"]


@pytest.mark.parametrize("escape", ESCAPES)
@pytest.mark.parametrize("order", ['A1: name "a{}b"', "A1: name “a{}b”", 'A2 "a{}b"', 'A1: "a{}b"', 'A1: speed "{}"'])
def test_an_order_is_refused_when_an_escape_stands_for_what_no_text_may_hold(order: str, escape: str) -> None:
    with pytest.raises(Refused) as refused:
        read_sheet(FORM, order.format(escape))
    said = str(refused.value)
    assert f"U+{escape[2:].upper()}" in said
    assert unfit_character(said) is None, "it is told, too"
    (row,) = read_rows(FORM, order.format(escape))
    assert row.refusals


@pytest.mark.parametrize(
    "text",
    [
        "\u200eA1: name Onward; speed 3", "\ufeffA1: name Onward; speed 3", "A1: na\u200bme Onward; speed 3\u200f",
        "A1\u2060: name On\u00adward; speed 3", "A1: speed\u3164 3; name Onward", "A1\u200d: name Onward; speed 3",
        'A1: name "On\\u200eward"; speed 3', "\u202aA1: name Onward; speed 3\u202c",
        "A1: name \u2068Onward\u2069; speed 3",
        "A1\U000e0041: name Onward; speed 3",
    ],
)  # fmt: skip
def test_an_order_is_taken_without_a_mark_when_nobody_can_see_it(text: str) -> None:
    assert read_sheet(FORM, text) == {"A1": {"name": "Onward", "speed": 3}}


@pytest.mark.parametrize(
    "text",
    ["می\u200cروم", "👩\u200d🚀", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "1️⃣ ❤️", "שלום"],
)
def test_what_holds_letters_together_is_kept_when_they_need_it(text: str) -> None:
    assert without_unseen(text) == text


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("“a; b: c”", "a; b: c"), ("„a; b”", "a; b"), ("„a; b“", "a; b"), ("«a; b»", "a; b"), ("»a; b«", "a; b"),
        ("”a; b”", "a; b"), ('“a; b"', "a; b"), ("＂a; b＂", "a; b"), ("“say \"hi; ho\" then”", 'say "hi; ho" then'),
        (r"“a \“b\”; c”", "a “b”; c"), ("“a # b”", "a # b"), ('"“a; b”"', "“a; b”"), ("“a\\\\; b”", "a\\; b"),
    ],
)  # fmt: skip
def test_quotes_of_a_phone_protect_as_plain_ones_do(written: str, name: str) -> None:
    assert read_sheet(FORM, f"A1: name {written}; speed 3") == {"A1": {"name": name, "speed": 3}}


@pytest.mark.parametrize("row", ["5” gun; 6” gun", "it’s “open", "A1: name x # “a” b", '"“a”"', "a”b“c", "“", "»"])
def test_quotes_stay_as_they_are_when_they_enclose_nothing(row: str) -> None:
    assert with_plain_quotes(row) == row


@pytest.mark.parametrize("name", ["“Onward”", "«a»", "„", "a “b”", '“a" b'])
def test_a_text_with_such_quotes_is_written_so_that_it_is_read_back(name: str) -> None:
    sheet = {"A1": {"name": name, "speed": 1}}
    assert read_sheet(FORM, write_sheet(FORM, sheet)) == sheet


def test_rows_of_opening_quotes_are_read_in_linear_time() -> None:
    with at_most(0.5):
        for row in (" “" * 1_999, " “\\" * 1_300, ' „"' * 1_300):
            with_plain_quotes(row)


def test_documents_are_looked_through_names_and_all() -> None:
    document = {"a\u200e": ["x\u200b", {"b": "c\0"}], "d\u202e": 3}
    assert seen_texts(document) == {"a": ["x", {"b": "c\0"}], "d\u202e": 3}
    found = [*unfit_texts(document)]
    assert [path for path, _ in found] == ["a", "a.0", "a.1.b", "d"]
