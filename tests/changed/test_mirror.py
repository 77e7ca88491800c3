"""Tests of what nothing is recorded of are found where they lie, and by what they import."""

from pathlib import Path

import pytest

from tests.changed.mirror import Mirror
from tests.changed.repository import write
from tests.expected.kept import cases
from tests.expected.sections import section_rows

FILES = dict(section_rows("files"))


@pytest.fixture
def mirror(tmp_path: Path) -> Mirror:
    for path, text in FILES.items():
        write(tmp_path, path, text)
    return Mirror(tmp_path)


@cases("path, near", "")
def test_tests_near_a_file_bear_its_name_or_import_it(mirror: Mirror, path: str, near: list[str]) -> None:
    assert mirror.near(path) == near


@cases("path, naming", "")
def test_tests_that_name_a_file_import_it_or_a_helper_that_does(mirror: Mirror, path: str, naming: list[str]) -> None:
    assert mirror.naming(path) == naming


@cases("path, around", "")
def test_tests_around_a_file_lie_in_the_folder_that_mirrors_its_own(mirror: Mirror, path: str, around: list[str]):
    assert mirror.around(path) == around


def test_source_and_scenario_belong_to_a_rulebook(mirror: Mirror) -> None:
    assert mirror.book_of("rules_engine/rulebooks/tiny/moves.py") == "tiny"
    assert mirror.book_of("config/scenarios/tiny/intro/scenario.toml") == "tiny"
    assert mirror.book_of("rules_engine/rulebooks/__init__.py") is None
    assert mirror.book_of("rules_engine/core/forms/fields.py") is None
