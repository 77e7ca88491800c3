"""A project of a few lines is recorded: tests that draw upon something remembered reach its lines, too."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation.tiny import project
from tests.reached.data import Reached

pytestmark = pytest.mark.slow
"""Each begins runs of tests of its own: `make test-full` and `.ci/mutate` have them."""

PATH = "rules_engine/rulebooks/tiny/remembered.py"
SOURCE = """\
from functools import cache, cached_property
from pathlib import Path

ROWS = 3


@cache
def table(kind):
    return len(inner())


@cache
def inner():
    return Path("config/scenarios/tiny/data.toml").read_text()


class Model:
    @cached_property
    def long(self):
        return ROWS


def plain():
    return 1
"""
TESTS = """\
import pytest
from rules_engine.rulebooks.tiny.remembered import Model, plain, table

MODEL = Model()


@pytest.fixture(scope="module")
def made():
    return plain()


def test_one():
    assert table("a") == 6
    assert MODEL.long == 3


def test_two(made):
    assert table("a") == 6


def test_three(made):
    assert MODEL.long == 3


def test_skipped():
    pytest.skip("not here")


@pytest.mark.parametrize("book", ["tiny", "other-x"])
def test_each(book):
    assert plain()
"""
EVERYDAY = """\
def is_everyday(node):
    return "test_two" not in node
"""
FILE = "tests/rulebooks/tiny/test_remembered.py"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = project(tmp_path_factory.mktemp("tiny"))
    (root / PATH).write_text(SOURCE)
    (root / FILE).write_text(TESTS)
    (root / "rules_engine/rulebooks/other").mkdir()
    (root / "rules_engine/rulebooks/other/__init__.py").write_text("")
    return root


def run(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.reached", "tiny", "--workers", "1", *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


def test_a_run_is_recorded_and_kept_until_a_source_changes(root: Path) -> None:
    first = run(root)
    assert first.returncode == 0, first.stdout + first.stderr
    assert "6 passed" in first.stdout
    kept = root / "build/recorded/tiny.sqlite"
    data = Reached(kept)
    names = {test.node.rpartition("::")[2]: test for test in data.tests.values()}
    assert set(names) == {"test_far", "test_wait", "test_one", "test_two", "test_three", "test_each[tiny]"}
    assert names["test_far"].rules == ("tiny 1.1",)

    def reach(line: int) -> set[str]:
        return {test.node.rpartition("::")[2] for test in data.tests_reaching(PATH, line)}

    assert reach(9) == reach(14) == {"test_one", "test_two"}  # remembered, and remembered by what remembers
    assert reach(20) == {"test_one", "test_three"}  # remembered by a model
    assert reach(24) == {"test_two", "test_three", "test_each[tiny]"}  # made for the whole module
    assert data.only_at_import(PATH) == {1, 2, 4, 7, 8, 12, 13, 17, 18, 19, 23}
    opening = data.tests_opening("config/scenarios/tiny/data.toml")
    assert {test.node.rpartition("::")[2] for test in opening} == {"test_one", "test_two"}
    data.close()

    assert "passed" not in run(root).stdout
    (root / PATH).write_text(SOURCE.replace("return 1", "return 2"))
    assert "6 passed" in run(root).stdout


def test_tests_that_changed_are_recorded_alone(root: Path) -> None:
    assert run(root).returncode == 0
    (root / FILE).write_text(TESTS.replace("test_two", "test_other"))
    assert "4 passed" in run(root).stdout
    data = Reached(root / "build/recorded/tiny.sqlite")
    names = {test.node.rpartition("::")[2] for test in data.tests.values()}
    assert names == {"test_far", "test_wait", "test_one", "test_other", "test_three", "test_each[tiny]"}
    assert {test.node.rpartition("::")[2] for test in data.tests_reaching(PATH, 9)} == {"test_one", "test_other"}
    assert len(data.tests_reaching("rules_engine/rulebooks/tiny/moves.py", 5)) == 1
    data.close()


def test_nothing_is_recorded_while_tests_fail(root: Path) -> None:
    (root / FILE).write_text(TESTS.replace("== 6", "== 7"))
    failed = run(root)
    assert failed.returncode == 1
    assert "must pass" in failed.stderr
    assert not list((root / "build/recorded").glob("tiny-*"))


def test_tests_whose_expected_texts_changed_are_recorded_alone(root: Path) -> None:
    (root / FILE).write_text(TESTS)
    assert run(root).returncode == 0
    scenes = root / "tests/rulebooks/tiny/scenes"
    scenes.mkdir()
    (scenes / "test_remembered.txt").write_text("=== test_one\n6\n")
    assert "4 passed" in run(root).stdout
    assert "passed" not in run(root).stdout
    (scenes / "test_remembered.txt").unlink()
    assert "4 passed" in run(root).stdout


def test_everyday_tests_are_recorded_apart_unless_all_are_up_to_date(root: Path) -> None:
    (root / FILE).write_text(TESTS)
    (root / "tests/everyday").mkdir()
    (root / "tests/everyday/__init__.py").write_text("")
    (root / "tests/everyday/listed.py").write_text(EVERYDAY)
    assert run(root).returncode == 0
    assert "6 tests, recorded" in run(root, "--everyday").stdout
    assert not (root / "build/recorded/tiny-everyday.sqlite").exists()
    (root / PATH).write_text(SOURCE.replace("return 1", "return 3"))
    assert "5 passed" in run(root, "--everyday").stdout
    again = run(root, "--everyday").stdout
    assert "passed" not in again
    assert "tiny-everyday.sqlite: 5 everyday tests, recorded" in again
    data = Reached(root / "build/recorded/tiny-everyday.sqlite")
    assert not any(node.endswith("test_two") for node in data.tests)
    assert data.texts[PATH] == SOURCE.replace("return 1", "return 3")
    data.close()
    assert "6 passed" in run(root).stdout
