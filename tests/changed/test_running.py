"""The command says what it selects, runs it, and ends as pytest does."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.changed.__main__ import main
from tests.changed.__main__ import run as run_plan
from tests.changed.choosing import Plan
from tests.changed.repository import TEST_FILE, commit, git, repository, write
from tests.checkout import ROOT
from tests.expected.kept import cases
from tests.expected.words import has_words
from tests.mutation.tiny import PATH, RULES


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path)


def run(root: Path, capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Give the exit code and all that is said."""
    code = main([*arguments], root)
    said = capfd.readouterr()
    return code, said.out + said.err


def test_tests_that_reach_a_change_run_and_others_do_not(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write(root, PATH, RULES.replace("left -= 1", "left -= 2"))
    code, said = run(root, capfd)
    assert code == 1  # wait(3) ends below nothing now
    assert f"(the last commit) 1 file changed: {PATH}." in said
    assert "Selected: 1 of 1 test that reach changed lines (0 s as recorded, BUDGET=60s)." in said
    assert "1 failed, 1 deselected" in said


def test_dear_tests_that_changed_run_last_and_others_not_at_all(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    new, beside = (f"tests/rulebooks/tiny/test_{name}.py" for name in ("new", "beside"))
    noted = "def test_{0}():\n    with open('order', 'a') as order:\n        order.write('{0} ')\n\n\n"
    for path in (new, beside):
        write(root, path, noted.format("dear") + noted.format("quick"))
    write(root, "tests/everyday/dear.txt", f"9.0  {new}::test_dear\n9.0  {beside}::test_dear\n")
    commit(root)
    write(root, PATH, RULES.replace("return 5", "return 6"))
    write(root, new, (root / new).read_text() + "# changed\n")
    code, said = run(root, capfd)
    assert code == 0
    has_words(said, "5 passed", "Left out, since dear tests do not run every day: 1.")
    assert (root / "order").read_text() == "quick quick dear "


@pytest.mark.parametrize("clock", ["time.process_time", "time.monotonic"])
def test_no_test_begins_when_the_time_is_used_up(root: Path, capfd: pytest.CaptureFixture[str], clock: str) -> None:
    waits = "pass" if clock == "time.process_time" else "time.sleep(0.05)"
    takes = f"    until = {clock}() + 0.3\n    while {clock}() < until:\n        {waits}\n"
    write(root, TEST_FILE, f"import time\n\n\ndef test_a():\n{takes}\n\ndef test_b():\n{takes}")
    assert run_plan(Plan(changed=[TEST_FILE]), 0.1, root) == 0
    said = capfd.readouterr().out
    has_words(said, "1 passed", "Left out, since 0.1 s are used up: 1. BUDGET=0.2s takes more of them.")


def test_nothing_runs_when_nothing_changed(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, said = run(root, capfd)
    assert code == 0
    assert re.fullmatch(r"Nothing changed since \w{8} \(the last commit\)\. .*\n", said)


def test_nothing_runs_when_no_test_belongs_to_a_change(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write(root, "LICENSE", "Free\n")
    code, said = run(root, capfd)
    assert code == 0
    assert said.endswith("Selected: nothing. No test belongs to LICENSE.\n")


def test_tests_that_never_run_every_day_are_no_failure(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (root / "pyproject.toml").write_text('[tool.pytest.ini_options]\nmarkers = ["slow: x"]\n')
    git(root, "commit", "--quiet", "--all", "--message", "Marked")
    write(root, TEST_FILE, "import pytest\n\n\n@pytest.mark.slow\ndef test_a():\n    pass\n")
    code, said = run(root, capfd)
    assert code == 0
    assert "None of these tests runs every day." in said


def test_missing_record_is_named_with_the_command_that_makes_it(root: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (root / "build/recorded/tiny.sqlite").unlink()
    write(root, PATH, RULES.replace("left -= 1", "left -= 2"))
    code, said = run(root, capfd, "--list")
    assert code == 0
    assert "Nothing is recorded of tiny. `python -m tests.reached tiny` records" in said
    assert said.endswith(f"{TEST_FILE}\ntests/rulebooks/tiny/\n")


@cases("arguments, right", "")
def test_what_cannot_be_understood_is_refused_in_one_line(
    root: Path, capfd: pytest.CaptureFixture[str], arguments: list[str], right: str
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments, root)
    said = capfd.readouterr().err
    assert right in said
    assert said.count("\n") == 1


def test_command_ends_with_the_code_that_main_gives() -> None:
    command = [sys.executable, "-m", "tests.changed", "--since", "nosuch"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("python -m tests.changed: git knows no revision 'nosuch'")
