"""Expected texts beside the tests: compared, written by `--keep`, and read back as cases."""

from pathlib import Path

import pytest

from tests.expected import kept as keeping
from tests.expected.kept import Expected, Kept, cases
from tests.expected.scene_files import SceneFile, path_beside, with_notes
from tests.expected.spelling import evaluated, read_cell, spell, write_cell


@pytest.fixture
def keep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write expected texts, as `--keep` does."""
    monkeypatch.setattr(keeping, "_keeping", True)


def file_with(tmp_path: Path, text: str) -> SceneFile:
    """Read a file of expected texts with this text."""
    path = tmp_path / "test_some.txt"
    path.write_text(text, encoding="utf-8")
    return SceneFile(path)


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        ("one", ["one"]),
        ("one\ntwo", ["one", "| two"]),
        (["one", "two"], ["one", "two"]),
        ([" one", "", "# two", "=== three"], ["' one'", "''", "'# two'", "'=== three'"]),
        ([("one", "two"), ("three", 4)], ["one | two", "three | 4"]),
        ({"a": "one", "b": ["two", "three"]}, ["a: one", "b:", "  two", "  three"]),
        ([["one"], ["two", "three"], []], ["- one", "- two", "  three", "- []"]),
        ([], []),
        ([1, None, True], ["1", "None", "True"]),
    ],
)
def test_value_is_spelled_as_lines(value: object, lines: list[str]) -> None:
    assert spell(value) == lines


def test_values_that_differ_are_spelled_differently() -> None:
    values = [["a", "b"], ["a\nb"], [["a", "b"]], [["a"], ["b"]], {"a": ["b"]}, ["a: b", ""], [""], [" a"], ["a"]]
    assert len({"\n".join(spell(value)) for value in values}) == len(values)


@pytest.mark.parametrize("value", ["plain words", "", " edge ", "a | b", "[list]", "7", "True", "None of it", 7, None])
def test_cell_is_read_back_as_it_was_written(value: object) -> None:
    assert read_cell(write_cell(value)) == value


@pytest.mark.parametrize("value", [{"F1": {"tow": ["moon"]}}, ("a", 1), [], -3, False, b"x", "line\nline"])
def test_value_is_read_back_from_its_literal(value: object) -> None:
    assert read_cell(write_cell(value)) == value


def test_cell_that_is_an_expression_is_evaluated_in_its_notation() -> None:
    assert evaluated("twice(A) + 1", {"twice": lambda number: 2 * number, "A": 3}) == 7


def test_kept_text_equals_only_itself(tmp_path: Path) -> None:
    file = file_with(tmp_path, "=== test_a\nfirst line\n# a note\nsecond line\n")
    expected = Expected(file, "test_a", "")
    assert expected == ["first line", "second line"]
    assert expected != ["first line", "second lime"]
    assert expected != ["first line"]
    assert expected != []
    assert "+second lime" in expected.difference(["first line", "second lime"])


def test_missing_section_equals_no_text(tmp_path: Path) -> None:
    assert Expected(file_with(tmp_path, ""), "test_new", "") != ["anything"]


@pytest.mark.usefixtures("keep")
def test_keeping_writes_what_differs_and_nothing_else(tmp_path: Path) -> None:
    file = file_with(tmp_path, "# about all\n\n=== test_a  [pq17 8.4]\n# why\nfirst\nsecond\n\n=== test_b\nother\n")
    assert Expected(file, "test_a", "pq17 8.4") == ["first", "changed"]
    assert Expected(file, "test_c: by name", "cutler 3.8") == ["new"]
    assert file.path.read_text(encoding="utf-8") == (
        "# about all\n\n=== test_a  [pq17 8.4]\n# why\nfirst\nchanged\n\n=== test_b\nother\n"
        "\n=== test_c: by name  [cutler 3.8]\nnew\n"
    )


def test_notes_stay_before_the_lines_that_they_are_about() -> None:
    old = ["# one", "a", "b", "# three", "c"]
    assert with_notes(old, ["a", "c"]) == ["# one", "a", "# three", "c"]
    assert with_notes(old, ["new", "a", "b", "c"]) == ["new", "# one", "a", "b", "# three", "c"]
    assert with_notes(old, []) == ["# one", "# three"]


def test_cases_are_the_lines_of_a_section() -> None:
    assert [(mark.args[0], [param.values for param in mark.args[1]]) for mark in sample.pytestmark] == [
        (["order", "refusal"], [("go to 0405", "0405 is not on the map"), ({"speed": 9}, "too fast")])
    ]
    first, second = sample.pytestmark[0].args[1]
    assert [mark.args for mark in first.marks] == [("cutler", "2.1", "2.2")]
    assert not second.marks
    assert (first.id, second.id) == ("a hex off the map", "9")


def test_rules_in_the_heading_of_a_table_mark_every_case() -> None:
    marks = [mark.args for mark in sample_with_rules.pytestmark if mark.name == "rule"]
    assert marks == [("cutler", "3.8", "3.9"), ("pq17", "8.4")]


@cases("order")
def sample_with_rules(order: str) -> None:
    """Stand for a test whose cases all prove the same rules."""


def test_cells_are_made_in_the_tests_own_names() -> None:
    (param,) = sample_of_expressions.pytestmark[0].args[1]
    assert param.values == (Path("a"), "xxx", "Path('a')")


@cases("path, text, plain", made="path, text")
def sample_of_expressions(path: Path, text: str, plain: str) -> None:
    """Stand for a test with cases that are made by expressions."""


@cases("case, order, refusal, proves", "refusal")
def sample(order: str, refusal: str) -> None:
    """Stand for a test with cases."""


def test_cell_is_written_when_its_text_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = file_with(tmp_path, "=== test_a\n# note\norder | old words\n7 | other\n")
    cell = keeping.Cell("old words")
    cell.file, cell.place = file, ("test_a", 0, 1)
    assert cell == "old words"
    assert cell != ""
    assert cell != "new words"
    monkeypatch.setattr(keeping, "_keeping", True)
    assert cell != ""
    assert [cell] == ["new words"]
    assert file.path.read_text(encoding="utf-8") == "=== test_a\n# note\norder | new words\n7 | other\n"


def test_list_in_a_cell_is_written_when_it_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = file_with(tmp_path, "=== test_a\n{'speed': 9} | ['too fast']\n")
    cell = keeping.ListCell(["too fast"])
    cell.file, cell.place = file, ("test_a", 0, 1)
    assert cell == ["too fast"]
    assert cell != ["too slow"]
    monkeypatch.setattr(keeping, "_keeping", True)
    assert ["too slow", "by far"] == cell  # noqa: SIM300 - lists of what was found stand before what is expected
    assert file.path.read_text(encoding="utf-8") == "=== test_a\n{'speed': 9} | ['too slow', 'by far']\n"


def test_rules_of_a_test_stand_in_the_head_of_its_section(kept: Kept) -> None:
    assert kept() == ["the only line"]


def test_file_of_expected_texts_lies_in_the_folder_scenes() -> None:
    assert path_beside(Path("tests/core/test_a.py")) == Path("tests/core/scenes/test_a.txt")
