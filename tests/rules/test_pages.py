"""The pages that lead from a rule to its functions and tests say what the source says, in a form that a phone shows."""

import re
from pathlib import Path

import pytest

from tests.rules.coverage import BookCoverage, RuleFunction, books, coverage
from tests.rules.pages import anchor, page, pages, write_pages

TESTS = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def found() -> dict[str, BookCoverage]:
    return coverage()


@pytest.fixture(scope="module")
def made(found: dict[str, BookCoverage]) -> dict[str, str]:
    return pages(found)


def test_every_book_has_a_page_with_every_rule_once(found: dict[str, BookCoverage], made: dict[str, str]):
    assert set(made) == {"index.md", *(f"{book}.md" for book in books())}
    for book, one in found.items():
        text = made[f"{book}.md"]
        assert re.findall(r"^\*\*(\S+)\*\*$", text, re.MULTILINE) == list(one.ids)
        anchors = re.findall(r"^\{#(\S+)\}$", text, re.MULTILINE)
        assert anchors == [anchor(rule) for rule in one.ids]
        assert len(set(anchors)) == len(anchors), "two rules would share a link"


def test_a_rule_leads_to_its_function_and_its_tests(made: dict[str, str]):
    _, _, after = made["cutler.md"].partition("**8.3.2**")
    about, _, _ = after.partition("**8.3.3**")
    assert "`scan_limit`: The highest D6 result at which a scan succeeds; 0: out of reach." in about
    assert "`rules_engine/rulebooks/cutler/ch08_scanning/sensors.py`" in about
    assert "Tested: Reach and chance.<br>`tests/rulebooks/cutler/ch08_scanning/test_scanning.py`" in about


def test_the_files_that_a_page_names_exist(made: dict[str, str]):
    named = {name for text in made.values() for name in re.findall(r"`((?:tests|rules_engine)/[^`]+)`", text)}
    assert len(named) > 100
    assert [name for name in sorted(named) if not (TESTS.parent / name).is_file()] == []


def test_nothing_is_wider_than_a_phone(made: dict[str, str]):
    """Lists, no tables; a row of code is broken where it must be."""
    assert not [line for text in made.values() for line in text.splitlines() if line.startswith("|")]


def test_what_is_missing_and_what_is_explained_is_said(found: dict[str, BookCoverage], made: dict[str, str]):
    for book, one in found.items():
        assert made[f"{book}.md"].count("- Missing:") == len(one.unclaimed)
        assert made[f"{book}.md"].count("- Explained:") == len(one.explained)
        assert f"{len(one.ids)} rules, {len(one.tested)} with a test" in made["index.md"]


def test_a_book_that_cannot_be_played_yet_says_what_stands_of_it(made: dict[str, str]):
    says = "This book cannot be played yet: its rules are listed, and"
    assert f"{says} nothing carries them out." in page(BookCoverage("unborn", ("9.9",)))
    begun = BookCoverage(
        "unborn", ("9.9",), carried_out={"9.9": [RuleFunction("a/b.py", "points_in", "What is left.")]}
    )
    assert f"{says} some are carried out by functions that no campaign runs." in page(begun)
    assert "Carried out by `points_in`" in page(begun)
    assert says not in made["cutler.md"]
    assert says not in made["vector.md"]


def test_a_page_shows_text_as_text():
    says = "What a *star* <b> costs in ``C.cp``. PQ-17 4.2.3, C.purchase, rulings CP-2, CP-3."
    one = BookCoverage("cutler", ("9.9",), carried_out={"9.9": [RuleFunction("a/b.py", "_cost", says)]})
    assert "- Carried out by `_cost`: What a \\*star\\* \\<b> costs in ``C.cp``.<br>" in page(one)


def test_pages_of_books_that_are_gone_go_too(tmp_path: Path):
    (tmp_path / "gone.md").write_text("x")
    write_pages(tmp_path)
    assert {path.stem for path in tmp_path.iterdir()} == {"index", *books()}
