"""Rules coverage never falls: markers name real ids, explanations have reasons, and no book misses more than before."""

import tomllib

import pytest

from tests.rules.coverage import HERE, BookCoverage, books, coverage

BASELINE = HERE / "most_missing.toml"

Found = dict[str, BookCoverage]


@pytest.fixture(scope="module")
def found() -> Found:
    return coverage()


def test_every_marker_names_an_id_of_its_book(found: Found):
    assert [line for one in found.values() for line in one.unknown] == []


def test_every_explanation_says_why_and_where_it_shows(found: Found):
    everything = [(one.book, rule, why) for one in found.values() for rule, why in one.explained.items()]
    short = [f"{book} {rule}" for book, rule, why in everything if len(why) < 25]
    assert short == []


def test_no_book_misses_more_rules_than_before(found: Found):
    allowed = tomllib.loads(BASELINE.read_text(encoding="utf-8"))
    now = {book: len(found[book].missing) for book in books()}
    assert set(allowed) == set(now)
    assert {book: count for book, count in now.items() if count > allowed[book]} == {}


def test_a_rule_that_a_function_carries_out_is_proved_or_explained(found: Found):
    loose = [
        f"{one.book} {rule}: {functions[0].file}, {functions[0].name}"
        for one in found.values()
        for rule, functions in one.carried_out.items()
        if rule not in one.tested and rule not in one.explained
    ]
    assert loose == []
