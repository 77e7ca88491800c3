"""Lists of items as they are written, whatever a book counts."""

from fractions import Fraction

import pytest

from rules_engine.core.basics.refusals import malformed
from rules_engine.core.forms.item_lists import ItemNotation, named_additions, pieces, with_count
from tests.expected.kept import Kept

ORE = ItemNotation(("gold", "tin"), "ounces")


@pytest.mark.parametrize(
    ("part", "count", "name", "additions", "extras"),
    [
        ("6 CA", 6, "CA", (), {}),
        ("6xCA", 6, "CA", (), {}),
        ("CA", 1, "CA", (), {}),
        (
            "2 CA + refit + other gold 2.5 Tin 1/2",
            2,
            "CA",
            ("refit", "other"),
            {"gold": Fraction(5, 2), "tin": Fraction(1, 2)},
        ),
    ],
)
def test_an_item(part: str, count: int, name: str, additions: tuple[str, ...], extras: dict[str, Fraction]) -> None:
    item, refusals = ORE.read(part, "buy", "a mine")
    assert (item.count, item.name, item.additions, item.extras, refusals) == (count, name, additions, extras, [])


def test_what_is_wrong_with_an_item(kept: Kept) -> None:
    assert [str(one) for one in ORE.read("100 CA", "buy", "a mine")[1]] == kept()
    assert "is no number of ounces" in str(ORE.read("CA gold 1/0", "buy", "a mine")[1][0])
    assert "says gold twice" in str(ORE.said_twice("CA gold 1 gold 2, DD tin 1", "buy")[0])


def test_lists_are_divided_and_counted() -> None:
    assert pieces(" 6  CA,; DD\n,FF ") == ["6 CA", "DD", "FF"]
    assert [with_count(one) for one in ("6 CA", "6×CA", "CA6")] == [(6, "CA"), (6, "CA"), (1, "CA6")]


def test_additions_are_named_once_by_their_first_words() -> None:
    def unknown(word: str):
        return malformed(f"no {word}", "buy")

    assert named_additions(["awr"], ["AWR refit"], "buy", each="refit", unknown=unknown) == (("AWR refit",), [])
    chosen, refusals = named_additions(["awr", "AWR refit", "x"], ["AWR refit"], "buy", each="refit", unknown=unknown)
    assert (chosen, [one.problem for one in refusals]) == (("AWR refit",), ["AWR refit is named twice", "no x"])
