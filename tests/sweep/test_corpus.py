"""The corpus: what is written is read back, nothing stands in it twice, and each entry names a case of every day."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.expected.kept import cases
from tests.sweep.corpus import PLACE, CorpusError, Entry, add, read, written

ONE = Entry("tests/test_x.py::test_y[cutler, 2-SEED]", 525047080, "2026-11-25")
MACHINE = Entry("tests/test_x.py::TestCampaign::runTest", 7, "2026-11-26", 20)
ANY_VALUES = Entry("tests/test_x.py::TestBoth::test_z[a-b]", 3, 'some "word"', 100)
ALL = [ONE, MACHINE, ANY_VALUES]


def test_entries_are_read_as_they_were_added_and_stand_sorted_one_a_line(tmp_path: Path) -> None:
    path = tmp_path / "sweep" / "corpus.toml"
    assert read(path) == []
    assert [add(path, one) for one in ALL] == [True, True, True]
    assert sorted(read(path)) == sorted(ALL)
    lines = [line for line in path.read_text().splitlines() if line.startswith("  {")]
    assert len(lines) == 3
    assert lines == sorted(lines)


def test_an_entry_is_added_once_when_its_test_and_seed_are_there_already(tmp_path: Path) -> None:
    path = tmp_path / "corpus.toml"
    assert add(path, ONE)
    before = path.read_text()
    assert not add(path, ONE._replace(why="another day"))
    assert path.read_text() == before
    assert add(path, ONE._replace(seed=4))


def test_an_entry_says_which_function_it_is_of_and_how_its_case_is_called() -> None:
    assert (ONE.function, ONE.case) == ("tests/test_x.py::test_y", "tests/test_x.py::test_y[cutler, 2-525047080]")
    assert MACHINE.function == "tests/test_x.py::TestCampaign"
    assert MACHINE.case == "tests/test_x.py::TestCampaign_seed_7::runTest"
    assert ANY_VALUES.function == "tests/test_x.py::TestBoth::test_z"
    assert ANY_VALUES.case == "tests/test_x.py::TestBoth::test_z[a-b-hypothesis-seed-3]"
    plain = Entry("tests/test_x.py::test_z", 3, "x", 100)
    assert plain.case == "tests/test_x.py::test_z[hypothesis-seed-3]"


@cases("line", "")
def test_a_corpus_that_is_not_as_it_must_be_is_refused_by_its_name(tmp_path: Path, line: str) -> None:
    path = tmp_path / "corpus.toml"
    path.write_text(line)
    with pytest.raises(CorpusError, match=r"corpus\.toml: "):
        read(path)


def cases_of(files: set[str]) -> set[str]:
    """The everyday cases in these files."""
    words = [sys.executable, "-m", "pytest", "-q", "-n", "0", "--collect-only", "-p", "no:cacheprovider"]
    done = subprocess.run([*words, *sorted(files)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 4), done.stderr
    return {*done.stdout.splitlines()} if done.returncode == 0 else set()


def missing(entries: list[Entry]) -> list[str]:
    """The entries whose everyday cases are not there: no such test, or it takes no seed."""
    files = {one.test.partition("::")[0] for one in entries}
    there = cases_of({file for file in files if (ROOT / file).is_file()})
    return [one.test for one in entries if one.case not in there]


def test_each_entry_names_a_test_that_exists_and_takes_a_seed() -> None:
    entries = read(ROOT / PLACE)
    assert (ROOT / PLACE).read_text(encoding="utf-8") == written(entries)
    here = "tests/core/strands/test_strands.py"
    known = [
        Entry(f"{here}::test_every_prefix_replays[SEED]", 1, "for it is there anyway"),
        Entry(f"{here}::test_every_prefix_is_replayed[SEED]", 1, "for there is no such test"),
        Entry("tests/nowhere.py::test_x[SEED]", 1, "for there is no such file"),
    ]
    assert missing([*entries, *known]) == [one.test for one in known[1:]]
