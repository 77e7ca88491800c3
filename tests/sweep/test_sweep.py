"""A sweep of a tiny suite in which everything goes wrong that can: what is printed, repeated, and put in the corpus."""

import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.expected.sections import section
from tests.expected.words import has_words
from tests.sweep.cases import seed_of_round
from tests.sweep.corpus import PLACE, Entry, read, written

SEED = 7
ROUNDS = 4
BAD = seed_of_round(SEED, 2)
"""The seed of the second round, with which a tiny test fails."""
SEEDS = [seed_of_round(SEED, number) for number in range(1, ROUNDS + 1)]

SUITE = (
    "conftest.py", "pytest.ini", "constants.py", "cutler/test_play.py", "cutler/test_daily.py", "pq17/test_death.py",
    "vector/test_long.py", "vector/test_hanging.py", "jump_lanes/test_drawn.py", "border_patrol/test_machine.py",
)  # fmt: skip
"""Its files, which stand in scenes/test_sweep.txt."""


def laid_out(folder: Path) -> Path:
    """Write the tiny suite into a folder."""
    for name in SUITE:
        path = folder / "tiny" / name if name != "pytest.ini" else folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(section(name).replace("BAD", str(BAD)))
    return folder


def environment(folder: Path, **variables: str) -> dict[str, str]:
    """What Python is to find in the folder of the tiny suite."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("PLOTROOM_", "PYTEST_"))}
    ours |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # what it needs is named in its pytest.ini
    return ours | {"PYTHONPATH": f"{ROOT}{os.pathsep}{folder / 'tiny'}", "CI": "false", **variables}


def run(folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the folder of the tiny suite."""
    words = (sys.executable, "-P", *words)
    how = {"cwd": folder, "env": environment(folder, **variables)}
    return subprocess.run(words, capture_output=True, text=True, check=False, **how)


def played(folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the tiny suite, or some of it, as on every day."""
    return run(folder, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *words, **variables)


@dataclass
class Swept:
    """A sweep that has ended."""

    folder: Path
    code: int
    text: str

    def lines(self, word: str) -> list[str]:
        """The lines that repeat a failure of a test of this name."""
        return [line for line in self.text.splitlines() if line.startswith("PLOTROOM_SWEEP_SEEDS=") and word in line]


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Swept:
    folder = laid_out(tmp_path_factory.mktemp("suite"))
    told = ["--seed", str(SEED), "--rounds", str(ROUNDS), "--budget", "9m", "--workers", "2"]
    (folder / "tiny/vector/test_hanging.py").unlink()
    done = run(folder, "-m", "tests.sweep", *told, "tiny")
    assert done.stderr == ""
    return Swept(folder, done.returncode, done.stdout)


def test_a_sweep_says_how_it_can_be_run_again_and_how_far_it_is_each_round(swept: Swept) -> None:
    lines = swept.text.splitlines()
    assert lines[0] == f"a sweep with SEED={SEED}, 9:00 long, 2 at a time"
    rounds = [line for line in lines if line.startswith("round ")]
    assert [line.partition(":")[0] for line in rounds] == [f"round {n}, seed {s}" for n, s in enumerate(SEEDS, 1)]
    assert re.search(r": 0 tried so far, 0 failed, \d:\d\d of 9:00$", rounds[0])
    assert lines[-1].endswith(f" failed, each with its line above; in the same order again with SEED={SEED}")
    assert (swept.folder / "build/sweep/log.txt").read_text() == swept.text


def test_a_sweep_counts_each_group_and_ends_with_1_when_anything_failed(swept: Swept) -> None:
    rows = {tuple(row[:2]): row[2:6] for row in map(re.compile("  +").split, swept.text.splitlines()) if len(row) == 7}
    assert rows["cutler", "play"] == ["2", "4", "1", "0"]
    assert rows["pq17", "play"] == ["1", "3", "3", "0"], "after three failures a function has no more turns"
    assert rows["pq17", "thorough"] == ["1", "1", "1", "0"]
    assert rows["vector", "thorough"] == ["2", "1", "0", "1"]
    assert rows["jump_lanes", "any values"] == ["2", "4", "2", "0"]
    assert rows["border_patrol", "machine"] == ["1", "3", "3", "0"]
    assert swept.code == 1


def test_a_seed_that_fails_is_found_in_its_round_and_its_line_repeats_it(swept: Swept) -> None:
    (line,) = swept.lines("test_luck")
    command, _, remark = line.partition("  # ")
    test = f"'tiny/cutler/test_play.py::test_luck[{BAD}-2]'"
    assert command == f"PLOTROOM_SWEEP_SEEDS={BAD} {sys.executable} -m pytest -n 0 {test}"
    assert re.fullmatch(r"failed; failed again; added to tests/sweep/corpus\.toml; see build/sweep/\d\.txt", remark)
    out = (swept.folder / remark.partition("see ")[2]).read_text()
    assert out.count(f"the seed was {BAD}") == 2
    assert "again, in a process of its own" in out
    how = {"shell": True, "cwd": swept.folder, "env": environment(swept.folder)}
    again = subprocess.run(line, capture_output=True, check=False, **how)
    assert again.returncode == 1


def test_a_test_that_dies_or_cannot_be_set_up_costs_itself_alone(swept: Swept) -> None:
    dead, broken = swept.lines("test_dies"), swept.lines("test_broken")
    assert [len(dead), len(broken)] == [3, 1]
    assert all("died; passed when run again" in line for line in dead), "it ends its process with 0"
    has_words(broken[0], "PLOTROOM_SWEEP_SEEDS=1 ", "failed; failed again; see")


def test_what_a_test_started_and_wrote_is_gone_when_it_has_ended(swept: Swept) -> None:
    pid, temporary = (swept.folder / "left").read_text().split()
    assert not Path(temporary).exists()
    status = Path(f"/proc/{pid}/status")
    assert not status.exists() or "Z (zombie)" in status.read_text()


def test_the_corpus_gets_each_seed_once_and_none_of_a_test_that_passed_again_or_takes_none(swept: Swept) -> None:
    entries = read(swept.folder / PLACE)
    assert {(one.test.partition("::")[2].partition("[")[0], one.examples) for one in entries} == {
        ("test_luck", None),
        ("test_small", 100),
        ("TestAdding::runTest", 15),
    }
    assert [(one.test, one.seed) for one in entries if "test_luck" in one.test] == [
        ("tiny/cutler/test_play.py::test_luck[SEED-2]", BAD)
    ]
    assert {one.seed for one in entries if "TestAdding" in one.test} == {*SEEDS[:3]}


def test_an_entry_of_the_corpus_is_a_case_of_every_day_even_of_a_thorough_test(swept: Swept) -> None:
    folders = ("tiny/cutler", "tiny/border_patrol", "tiny/jump_lanes")
    done = played(swept.folder, "-rA", "-m", "not slow", *folders, NOTED="aside")
    failed = {line.split()[1] for line in done.stdout.splitlines() if line.startswith("FAILED ")}
    entries = read(swept.folder / PLACE)
    assert {one.case for one in entries} <= failed
    others = {name.partition("::")[2] for name in failed} - {one.case.partition("::")[2] for one in entries}
    assert others == {"test_nothing_is_drawn", "test_small", "TestAdding::runTest"}
    asked = played(swept.folder, *(one.case for one in entries))
    assert re.match(rf"{len(entries)} failed(, \d+ warnings?)? in ", asked.stdout.splitlines()[-1])


def test_hypothesis_draws_the_same_in_the_sweep_when_repeated_and_every_day(swept: Swept) -> None:
    """In the sweep with another file's constants imported, every day with as many examples as there and no more."""
    seeds = [seed for seed in SEEDS if (swept.folder / f"values-sweep-{seed}").exists()]
    first, second = [(swept.folder / f"values-sweep-{seed}").read_text() for seed in seeds]
    assert len(first.splitlines()) == 20
    assert first != second
    test = "tiny/jump_lanes/test_drawn.py::test_values"
    repeated = f"--hypothesis-seed={seeds[0]}"
    assert played(swept.folder, test, repeated, NOTED="repeated", PLOTROOM_SWEEP_SEEDS="1").returncode == 0
    assert (swept.folder / "values-repeated-1").read_text() == first
    entry = Entry(test, seeds[0], "x", 20)
    corpus = swept.folder / PLACE
    before = corpus.read_text()
    corpus.write_text(written([entry]))
    try:
        assert played(swept.folder, entry.case, NOTED="daily").returncode == 0
        assert (swept.folder / "values-daily-none").read_text() == first
    finally:
        corpus.write_text(before)


def test_a_sweep_ends_with_0_when_nothing_failed_and_with_2_when_nothing_could_be_swept(tmp_path: Path) -> None:
    folder = laid_out(tmp_path)
    told = ["-m", "tests.sweep", "--rounds", "1", "--seed", "3", "--budget", "5m"]
    good = run(folder, *told, "--only", "test_luck", "tiny/cutler")
    assert good.returncode == 0, good.stdout
    assert "1 tried, 0 failed; in the same order again with SEED=3" in good.stdout
    none = run(folder, *told, "--only", "nowhere", "tiny/cutler")
    assert (none.returncode, none.stdout.splitlines()[1:]) == (2, ["no test that is swept has 'nowhere' in its name"])
    (folder / "tiny/cutler/test_wrong.py").write_text("import nowhere_at_all\n")
    wrong = run(folder, *told, "tiny/cutler")
    assert wrong.returncode == 2
    assert "nowhere_at_all" in wrong.stdout


def test_a_test_that_hangs_is_ended_and_counts_as_a_failure(tmp_path: Path) -> None:
    folder = laid_out(tmp_path)
    told = ["--seed", "3", "--rounds", "1", "--budget", "5m", "--longest", "3s"]
    done = run(folder, "-m", "tests.sweep", *told, "tiny/vector/test_hanging.py")
    assert done.returncode == 1, done.stdout
    has_words(done.stdout, "took too long; took too long again; added to", "1 tried, 1 failed")
    assert "it goes to sleep" in (folder / "build/sweep/1.txt").read_text()


def test_a_sweep_that_is_ended_ends_its_tests_and_says_what_it_came_to(tmp_path: Path) -> None:
    folder = laid_out(tmp_path)
    told = ["--seed", "3", "--workers", "1", "tiny/vector/test_hanging.py"]
    out, going = folder / "build/sweep/log.txt", folder / "going"
    sweep = subprocess.Popen(
        [sys.executable, "-P", "-m", "tests.sweep", *told],
        cwd=folder,
        env=environment(folder),
        stdout=subprocess.DEVNULL,
    )
    try:
        while not going.exists():
            assert sweep.poll() is None
            time.sleep(0.05)
        sweep.terminate()
        assert sweep.wait(60) == 130
    finally:
        sweep.kill()
    lines = out.read_text().splitlines()
    assert "test_hangs[" in lines[3]
    assert lines[3].endswith("] was interrupted")
    assert lines[-1] == "0 tried, 0 failed; in the same order again with SEED=3"
    assert not Path(f"/proc/{going.read_text()}").exists()


@pytest.mark.thorough
def test_a_test_that_has_not_ended_when_the_time_and_the_grace_are_used_is_no_failure(tmp_path: Path) -> None:
    folder = laid_out(tmp_path)
    told = ["--seed", "3", "--budget", "20s", "--grace", "1s"]
    done = run(folder, "-m", "tests.sweep", *told, "tiny/vector/test_hanging.py")
    assert done.returncode == 0, done.stdout
    has_words(done.stdout, "test_hangs[", "] had not ended when the time was used", "0 tried, 0 failed")
