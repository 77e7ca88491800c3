"""Sheets as text that are taken line by line: what is good stands, and each other line says why it does not."""

from collections.abc import Sequence

import pytest

from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.forms.fitting import MOST_AGAIN, fitting
from rules_engine.core.forms.forms import Form, Line, Sheet, number_field
from rules_engine.core.forms.order_rows import MOST_ROWS, is_about, names_line, read_rows, take_rows
from tests.expected.kept import cases

STORES = Form(
    lines=(
        *(Line(f"H{n}", f"Stores {n}", (number_field("cargo", "Cargo", range(100), 0),)) for n in range(1, 5)),
        Line("F1", "Fleet 1", (number_field("speed", "Speed", range(7), 0),)),
    )
)
BUDGET = frozenset({"H1", "H2", "H3", "H4"})


def most(limit: int) -> object:
    """A judge of stores that hold so much together; H4 takes nothing."""

    def trial(values: Sheet) -> Sequence[Refusal]:
        if values.get("H4", {}).get("cargo"):
            return [illegal("H4 takes nothing", "1.2", "H4.cargo", legal="0")]
        total = sum(int(str(line.get("cargo", 0))) for key, line in values.items() if key in BUDGET)
        return [illegal(f"{total} of {limit}", "1.1", "", legal=str(limit))] if total > limit else []

    return trial


def taken(text: str, limit: int = 1_000) -> tuple[Sheet, list[str], str]:
    """What is taken of a text, why not of each other line, and what is left of it."""
    rows = read_rows(STORES, text)
    found = take_rows(STORES, rows, BUDGET, most(limit))  # type: ignore[arg-type]
    return found.sheet, [str(one) for one in found.refusals], found.left


def test_good_lines_stand_and_each_other_says_what_is_wrong_where_and_what_would_be_right():
    sheet, why, left = taken(
        "H1: cargo 5\n# a note\nH2: cargo 700\nH9: cargo 1\n\nH3: cargo 6\nF1: speed 2\nH4: cargo 1"
    )
    assert sheet == {"H1": {"cargo": 5}, "H3": {"cargo": 6}}
    assert why[0] == "line 3, H2.cargo: 700 is out of range. Legal: 0 to 99."
    assert why[1].startswith("line 4: ")
    assert "H9" in why[1]
    assert why[2] == "line 7, F1: this is no line of the budget. Legal: H1, H2, H3, H4."
    assert why[3] == "line 8, H4.cargo: H4 takes nothing (1.2). Legal: 0."
    assert len(why) == 4
    assert left == "H2: cargo 700\nH9: cargo 1\nF1: speed 2\nH4: cargo 1"


def test_a_line_is_taken_whole_or_not_at_all():
    assert taken("H1: cargo 5; mood 3")[0] == {}


def test_lines_that_are_legal_together_alone_are_taken_together():
    def pair(values: Sheet) -> Sequence[Refusal]:
        alone = [key for key in ("H1", "H2") if key in values]
        return [illegal("never alone", "1.3", f"{alone[0]}.cargo")] if len(alone) == 1 else []

    found = take_rows(STORES, read_rows(STORES, "H1: cargo 1\nH2: cargo 1"), BUDGET, pair)
    assert found.refusals == []
    assert found.sheet == {"H1": {"cargo": 1}, "H2": {"cargo": 1}}


def test_of_nobodys_line_in_particular_the_last_ones_are_too_many():
    sheet, why, left = taken("H1: cargo 40\nH2: cargo 40\nH3: cargo 40", limit=80)
    assert sheet == {"H1": {"cargo": 40}, "H2": {"cargo": 40}}
    assert why == ["line 3: 120 of 80 (1.1). Legal: 80."]
    assert left == "H3: cargo 40"


def test_what_was_refused_for_anothers_sake_is_tried_again():
    """H1 and H4 are both too many for 50, but without H4, which takes nothing, H1 fits."""
    good, left = fitting(
        ["H1", "H4"],
        lambda some: [illegal("H1 stands beside H4", "1", "H1")] if [*some] == ["H1", "H4"] else [],
        lambda one, refusal: refusal.path == one,
    )
    assert (good, [*left]) == (["H4"], ["H1"])
    good, left = fitting(
        ["H1", "H4"],
        lambda some: [illegal("no H4", "1", "H4"), illegal("and H1", "1", "H1")] if "H4" in some else [],
        lambda one, refusal: refusal.path == one,
    )
    assert (good, [*left]) == (["H1"], ["H4"])


def test_what_is_said_twice_and_differently_is_refused_the_second_time():
    sheet, why, _ = taken("H1: cargo 5\nH1: cargo 5\nH1: cargo 6")
    assert sheet == {"H1": {"cargo": 5}}
    assert why == ["line 3, H1.cargo: a line before this says something else of it. Legal: one."]


def test_so_many_lines_are_read_and_no_more():
    text = "\n".join(f"H1: cargo {number}" for number in range(MOST_ROWS + 5))
    rows = read_rows(STORES, text)
    assert len(rows) == MOST_ROWS + 1
    assert rows[-1].refusals[0].problem == "this and what follows was not read"
    assert rows[-1].text.endswith(f"H1: cargo {MOST_ROWS + 4}")


def test_trials_are_bounded():
    count = 0

    def never(some: Sequence[int]) -> Sequence[Refusal]:
        nonlocal count
        count += 1
        return [illegal("no", "1", str(one)) for one in some]

    good, left = fitting(range(500), never, lambda one, refusal: refusal.path == str(one))
    assert (good, len(left)) == ([], 500)
    assert count <= 1 + MOST_AGAIN


@cases("text, is_so")
def test_a_text_is_about_a_budget_if_all_of_it_that_can_be_read_is(text: str, is_so: bool):
    assert is_about(STORES, read_rows(STORES, text), BUDGET) is is_so


@pytest.mark.parametrize(
    "text", ["H1: cargo " + "9" * 90_000, "H1 " * 30_000, ";" * 90_000, "\n" * 90_000, "“" * 50_000]
)
def test_hostile_text_is_refused_in_few_words(text: str):
    _, why, _ = taken(text)
    assert sum(map(len, why)) < 5_000


@pytest.mark.parametrize(
    ("path", "is_named"), [("A1.CA", True), ("A1.CA.give", True), ("A1.CA2.give", False), ("A1", False), ("", False)]
)
def test_a_refusal_names_a_line_whose_key_has_dots_in_it(path: str, is_named: bool):
    assert names_line(path, "A1.CA") is is_named


def test_so_many_lines_with_dots_in_their_keys_are_each_told_their_own_reason():
    form = Form(
        lines=tuple(Line(f"A1.C{n}", f"Ship {n}", (number_field("give", "Gives", range(9), 0),)) for n in range(40))
    )
    rows = read_rows(form, "\n".join(f"A1.C{n}: give 1" for n in range(40)))

    def trial(values: Sheet) -> Sequence[Refusal]:
        return [illegal(f"{key} has nothing", "1.1", f"{key}.give") for key in values if key != "A1.C7"]

    found = take_rows(form, rows, frozenset(form.by_key), trial)
    assert found.sheet == {"A1.C7": {"give": 1}}
    assert [one.problem for one in found.refusals] == [f"A1.C{n} has nothing" for n in range(40) if n != 7]
