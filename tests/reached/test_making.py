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
    kept = root / "build/reached/tiny.sqlite"
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
    data = Reached(root / "build/reached/tiny.sqlite")
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
    assert not list((root / "build/reached").glob("tiny-*"))
