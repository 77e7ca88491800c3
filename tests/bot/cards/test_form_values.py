"""What comes back from a form is checked again, whatever sent it."""

from typing import Any

import pytest

from bot.cards.form_values import read_fields
from rules_engine.core.basics.base import Json
from rules_engine.core.forms.forms import Choice, Field

POSTURES = tuple(Choice(value=one, label=one.title()) for one in ("cruise", "silent", "probe"))


def read(field: Field, raw: Any) -> Json:
    """The value of one field that holds ``raw``; or what is said of it."""
    values, defects = read_fields("A1", [field], {"f0": raw})
    if defects:
        assert field.key not in values
        (defect,) = defects
        assert defect.path == f"A1, {field.label}"
        return f"{defect.problem}; {defect.legal}"
    return values[field.key]


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (["silent"], "silent"),
        ("Silent", "silent"),
        (" SILENT ", "silent"),
        ([], None),
        ([None], "“None” is not one of the choices; cruise, silent, probe"),
        (None, None),
        ("", None),
        ("silence", "“silence” is not one of the choices; cruise, silent, probe"),
    ],
)
def test_one_of_several(raw: Any, value: Json) -> None:
    assert read(Field(key="posture", label="Posture", kind="one", choices=POSTURES), raw) == value


def test_of_many_choices_ten_are_named_and_the_nearest() -> None:
    field = Field(
        key="to", label="To", kind="one", choices=tuple(Choice(value=f"04{n:02}", label=f"04{n:02}") for n in range(12))
    )
    _, (defect,) = read_fields("A1", [field], {"f0": "0413"})
    assert defect.legal == "0400, 0401, 0402, 0403, 0404, 0405, 0406, 0407, 0408, 0409 …"
    assert "0411" in defect.nearest or "0410" in defect.nearest


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (["cruise", "probe"], ["cruise", "probe"]),
        ("cruise,\nProbe", ["cruise", "probe"]),
        ("", []),
        (None, []),
        ("cruise, warp", "“warp” is not one of the choices; cruise, silent, probe"),
    ],
)
def test_several_of_several(raw: Any, value: Json) -> None:
    assert read(Field(key="how", label="How", kind="many", choices=POSTURES), raw) == value


@pytest.mark.parametrize(
    ("kind", "raw", "told"),
    [
        ("many", ["silent", "silent"], "“silent” is named twice; each of them once"),
        ("many", "Silent, silent", "“silent” is named twice; each of them once"),
        ("one", ["silent", "silent"], "only one choice is possible here; "),
    ],
)
def test_no_choice_is_passed_over(kind: Any, raw: Any, told: str) -> None:
    assert read(Field(key="how", label="How", kind=kind, choices=POSTURES), raw) == told


@pytest.mark.parametrize(
    ("least", "most", "raw", "value"),
    [
        (1, 9, "7", 7),
        (1, 9, "+7", 7),
        (-9, 9, "-7", -7),
        (1, 9, "", None),
        (1, 9, None, None),
        (1, 9, "10", "10 is out of range; a whole number from 1 to 9"),
        (1, 9, "0", "0 is out of range; a whole number from 1 to 9"),
        (1, None, "0", "0 is out of range; a whole number, at least 1"),
        (None, 9, "10", "10 is out of range; a whole number, at most 9"),
        (None, None, "1.5", "“1.5” is not a whole number; a whole number"),
        (None, None, "-", "“-” is not a whole number; a whole number"),
        (None, None, "٣", "“٣” is not a whole number; a whole number"),
        (None, None, "123456789", 123456789),
    ],
)
def test_a_number(least: int | None, most: int | None, raw: Any, value: Json) -> None:
    assert read(Field(key="n", label="N", kind="number", least=least, most=most), raw) == value


@pytest.mark.parametrize(
    ("optional", "raw", "value"),
    [
        (False, True, True),
        (False, False, False),
        (False, "yes", True),
        (False, "OFF", False),
        (False, ["1"], True),
        (False, "", False),
        (True, "", None),
        (True, [], None),
        (True, "maybe", "“maybe” is neither yes nor no; yes or no"),
        (True, "yes, no", "only one answer is possible here; yes or no"),
        (False, ["yes", "no"], "only one answer is possible here; yes or no"),
    ],
)
def test_yes_or_no(optional: bool, raw: Any, value: Json) -> None:
    assert read(Field(key="loud", label="Loud", kind="flag", optional=optional), raw) == value


@pytest.mark.parametrize(
    ("raw", "value"),
    [("  Onward ", "Onward"), ("", None), (None, None), ("x" * 11, "has 11 characters; at most 10 characters")],
)
def test_text(raw: Any, value: Json) -> None:
    assert read(Field(key="motto", label="Motto", kind="text", most=10), raw) == value


def test_what_was_not_sent_is_left_out_and_every_defect_is_told() -> None:
    fields = [
        Field(key="n", label="N", kind="number", least=1, most=9),
        Field(key="motto", label="Motto", kind="text"),
        Field(key="loud", label="Loud", kind="flag"),
    ]
    values, defects = read_fields("A1", fields, {"f0": "ten", "f2": "perhaps"})
    assert values == {}
    assert [one.path for one in defects] == ["A1, N", "A1, Loud"]
