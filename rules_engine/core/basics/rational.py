"""Exact fractions as people write and read them. Costs are always kept as fractions; decimals are only shown."""

import re
import unicodedata
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, TypeAlias

from pydantic import BeforeValidator, PlainSerializer, WithJsonSchema

_WRITTEN = re.compile(
    r"(?P<sign>[-+])?\s*(?:"
    r"(?:(?P<whole>\d{1,12})\s+)?(?P<above>\d{1,12})\s*/\s*(?P<below>\d{1,12})"
    r"|(?P<decimal>\d{1,12}(?:\.\d{1,12})?|\.\d{1,12})"
    r")"
)
_PLACES = 3
_LARGEST = 12
"""Places before or behind the point."""


def parse_rational(value: object) -> Fraction:
    """The exact number meant by `2/3`, `1 1/2`, `1½`, `0.5`, `-3`, an int, a Decimal or a Fraction.

    Raises ValueError for anything else; also for a float, because it may no longer be the number that was written.
    """
    if isinstance(value, Fraction):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    # A few characters such as 1e999999999 would otherwise become a number of a billion digits.
    if isinstance(value, Decimal) and value.is_finite() and abs(value.adjusted()) <= _LARGEST:
        return Fraction(value)
    if isinstance(value, float):
        raise ValueError('a float is not exact: write it as text, such as "2/3" or "0.5"')
    if not isinstance(value, str):
        raise ValueError('must be a number such as 2, "2/3", "1 1/2" or "0.5"')
    written = _WRITTEN.fullmatch(_spelt_out(value))
    if written is None:
        raise ValueError(f"{value[:40]!r} is not a number such as 2, 2/3, 1 1/2 or 0.5")
    if written["decimal"] is not None:
        size = Fraction(written["decimal"])
    elif int(written["below"]) == 0:
        raise ValueError(f"{value[:40]!r} divides by nought")
    else:
        size = int(written["whole"] or 0) + Fraction(int(written["above"]), int(written["below"]))
    return -size if written["sign"] == "-" else size


def file_decimal(text: str) -> Decimal:
    """A decimal that a file holds, as it was written: what TOML readers are to make of a float.

    Raises ValueError for one so large or small that working with it would take a billion digits, and for inf and nan.
    """
    value = Decimal(text.replace("_", ""))
    if not value.is_finite() or abs(value.adjusted()) > _LARGEST:
        raise ValueError(f"{text[:40]} is no number of this size")
    return value


def _spelt_out(text: str) -> str:
    """The text with single fraction characters, which phones insert (½, ⅔), written out."""
    parts = (
        f" {unicodedata.normalize('NFKC', letter)}"
        if unicodedata.decomposition(letter).startswith("<fraction>")
        else letter
        for letter in text
    )
    return "".join(parts).replace("⁄", "/").replace("−", "-").strip()


def show_fraction(value: Fraction) -> str:
    """A mixed fraction with its decimal: `2`, `1 1/2 (1.5)`, `-2/3 (-0.667)`.

    The decimal is rounded half away from zero to three places, or to as many as the first figure needs (PQ-17 GEN-6).
    """
    if value.denominator == 1:
        return str(value.numerator)
    sign, above, below = "-" if value.numerator < 0 else "", abs(value.numerator), value.denominator
    whole, rest = divmod(above, below)
    places = _PLACES
    while (units := (2 * above * 10**places + below) // (2 * below)) == 0:
        places += 1
    decimal = f"{units // 10**places}.{units % 10**places:0{places}}".rstrip("0").rstrip(".")
    mixed = f"{whole} {rest}/{below}" if whole else f"{rest}/{below}"
    return f"{sign}{mixed} ({sign}{decimal})"


WRITTEN = ["2/3", "1 1/2", "0.5"]
"""How exact numbers are written, by examples."""
Rational: TypeAlias = Annotated[
    Fraction,
    BeforeValidator(parse_rational),
    PlainSerializer(str, return_type=str, when_used="json"),
    WithJsonSchema({"type": "string", "examples": WRITTEN}),
]
"""An exact number in a model: read as `parse_rational` does, written to JSON as `"2/3"` (whole numbers as `"2"`)."""
