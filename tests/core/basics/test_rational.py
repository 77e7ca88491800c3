"""Exact fractions: read as people write them, shown as mixed fractions with a decimal."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from rules_engine.core.basics.canonical_json import canonical
from rules_engine.core.basics.rational import Rational, file_decimal, parse_rational, show_fraction


class Cost(BaseModel):
    cost: Rational


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("2/3", Fraction(2, 3)),
        (" 4 / 6 ", Fraction(2, 3)),
        ("1 1/2", Fraction(3, 2)),
        ("-1 1/2", Fraction(-3, 2)),
        ("−1/16", Fraction(-1, 16)),
        ("0.5", Fraction(1, 2)),
        (".25", Fraction(1, 4)),
        ("0.1", Fraction(1, 10)),
        ("+3", Fraction(3)),
        ("½", Fraction(1, 2)),
        ("1½", Fraction(3, 2)),
        ("2 ⅔", Fraction(8, 3)),
        (7, Fraction(7)),
        (Decimal("0.1"), Fraction(1, 10)),
        (Fraction(5, 6), Fraction(5, 6)),
    ],
)
def test_every_usual_spelling_is_read_exactly(written: object, value: Fraction) -> None:
    assert parse_rational(written) == value
    assert Cost.model_validate({"cost": written}).cost == value


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        (0.1, "float"),
        (2.0, "float"),
        (True, "must be a number"),
        (None, "must be a number"),
        (Decimal("NaN"), "must be a number"),
        (Decimal("1e999999999"), "must be a number"),
        ("", "is not a number"),
        ("two", "is not a number"),
        ("1/2/3", "is not a number"),
        ("1,5", "is not a number"),
        ("1e5", "is not a number"),
        ("1/-2", "is not a number"),
        ("9" * 5000, "is not a number"),
        ("1/0", "divides by nought"),
        ("3 0/0", "divides by nought"),
    ],
)
def test_what_is_not_exact_is_refused(written: object, reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        Cost.model_validate({"cost": written})


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Fraction(0), "0"),
        (Fraction(2), "2"),
        (Fraction(-4), "-4"),
        (Fraction(3, 2), "1 1/2 (1.5)"),
        (Fraction(2, 3), "2/3 (0.667)"),
        (Fraction(-5, 3), "-1 2/3 (-1.667)"),
        (Fraction(1, 16), "1/16 (0.063)"),  # 0.0625, half away from zero
        (Fraction(9999, 10000), "9999/10000 (1)"),
        (Fraction(1, 30000), "1/30000 (0.00003)"),
    ],
)
def test_shown_as_a_mixed_fraction_with_a_decimal(value: Fraction, shown: str) -> None:
    assert show_fraction(value) == shown


@given(st.fractions(max_denominator=10**6, min_value=-(10**6), max_value=10**6))
def test_what_is_written_and_shown_is_read_back(value: Fraction) -> None:
    text = canonical(Cost(cost=value))
    assert Cost.model_validate_json(text).cost == value
    assert parse_rational(show_fraction(value).partition(" (")[0]) == value


@pytest.mark.parametrize("text", ["1e999999999", "-1e13", "1e-999999999", "nan", "inf", "-inf"])
def test_decimals_of_a_file_that_would_take_a_billion_digits_are_refused(text: str):
    with pytest.raises(ValueError, match="is no number of this size"):
        file_decimal(text)


def test_decimals_of_a_file_stay_as_they_were_written():
    assert [str(file_decimal(text)) for text in ("0.1", "-2.50", "1_000.5", "0.0")] == ["0.1", "-2.50", "1000.5", "0.0"]
