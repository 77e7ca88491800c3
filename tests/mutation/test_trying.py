"""Changes that are noticed and changes that survive are told apart, in a project of a few lines."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from tests.mutation.changes import Mutation
from tests.mutation.copies import changed
from tests.mutation.draw import sites_of
from tests.mutation.selecting import Chosen, Selection
from tests.mutation.server import Job, changed_code, put_in_place
from tests.mutation.tiny import FAR, PATH, RULES, WAIT, project, recorded
from tests.mutation.trying import WHEN_IMPORTED, AlwaysFails, Bench, Outcome, _limit, _limit_of_each, all_tried
from tests.reached.data import Reached, Test

pytestmark = pytest.mark.slow
"""Each begins runs of tests of its own: `make test-full` and `.ci/mutate` have them."""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return project(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def reached(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reached]:
    path = tmp_path_factory.mktemp("data") / "tiny.sqlite"
    recorded().write(path)
    data = Reached(path)
    yield data
    data.close()


@pytest.fixture(scope="module")
def bench(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    with Bench(root, tmp_path_factory.mktemp("bench") / "copy", [FAR, WAIT]) as made:
        yield made


def mutation(root: Path, line: int, change: str) -> Mutation:
    """The change of that line of the rules."""
    found = chain.from_iterable(
        (Mutation(site, edit, RULES[edit.start : edit.end]) for edit in site.edits) for site in sites_of(root, [PATH])
    )
    return next(one for one in found if one.site.line == line and one.change == change)


def tried(root: Path, reached: Reached, bench: Bench, line: int, change: str) -> Outcome:
    one = mutation(root, line, change)
    return bench.tried(one, Selection(root, reached, "tiny").tests_for(one), 60)


def test_a_change_that_a_test_notices(root: Path, reached: Reached, bench: Bench) -> None:
    outcome = tried(root, reached, bench, 5, "far > LIMITS[kind] -> False")
    assert (outcome.noticed_by, outcome.how, outcome.ran, outcome.of) == (FAR, "failed", 1, 1)


def test_a_change_that_no_test_notices(root: Path, reached: Reached, bench: Bench) -> None:
    for line, change in ((5, "> -> >="), (7, ">= -> >"), (7, "0 -> 1")):
        outcome = tried(root, reached, bench, line, change)
        assert (outcome.noticed_by, outcome.ran, outcome.of) == (None, 1, 1), change


def test_the_rules_are_as_they_were_afterwards(root: Path, reached: Reached, bench: Bench) -> None:
    assert tried(root, reached, bench, 5, "far > LIMITS[kind] -> True").noticed_by == FAR
    assert tried(root, reached, bench, 5, "> -> >=").noticed_by is None
    assert (bench.root / PATH).read_text() == RULES


def test_what_is_made_at_import_is_tried_in_a_process_of_its_own(root: Path, reached: Reached, bench: Bench) -> None:
    outcome = tried(root, reached, bench, 1, "3 -> 4")
    assert (outcome.noticed_by, outcome.ran) == (FAR, 1)
    survived = tried(root, reached, bench, 1, "3 -> 2")
    assert (survived.noticed_by, survived.ran, survived.of) == (None, 1, 1)
    assert (bench.root / PATH).read_text() == RULES


def test_rules_that_cannot_be_imported_are_noticed(root: Path, bench: Bench) -> None:
    one = mutation(root, 1, "3 -> 4")
    edit = type(one.edit)(one.edit.start, one.edit.end, "1 / 0")
    chosen = Chosen((Test(FAR, 0.01, ()),), at_import=True)
    assert bench.tried(Mutation(one.site, edit, "3"), chosen, 60).noticed_by == WHEN_IMPORTED


def test_what_never_ends_is_noticed(root: Path, reached: Reached, bench: Bench, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tests.mutation.trying.GRACE", 2.0)
    outcome = tried(root, reached, bench, 11, "left > 0 -> True")
    assert (outcome.noticed_by, outcome.how) == (WAIT, "took too long")


def test_a_line_that_no_test_reaches(root: Path, reached: Reached, bench: Bench) -> None:
    outcome = tried(root, reached, bench, 17, "5 -> 6")
    assert (outcome.noticed_by, outcome.how, outcome.of) == (None, "no test reaches it", 0)


def test_a_test_that_always_fails_proves_nothing(root: Path, tmp_path: Path) -> None:
    broken = "tests/rulebooks/tiny/test_broken.py"
    (root / broken).write_text("import rules_engine\n\ndef test_no():\n    assert False\n")
    node = f"{broken}::test_no"
    try:
        with Bench(root, tmp_path / "copy", [node]) as bench, pytest.raises(AlwaysFails, match="test_no"):
            bench.tried(mutation(root, 5, "> -> >="), Chosen((Test(node, 0.1, ()),), at_import=False), 60)
    finally:
        (root / broken).unlink()


def test_several_copies_try_everything(root: Path, reached: Reached) -> None:
    wanted = [
        mutation(root, 5, "far > LIMITS[kind] -> False"),
        mutation(root, 5, "> -> >="),
        mutation(root, 17, "5 -> 6"),
    ]
    choose = Selection(root, reached, "tiny").tests_for
    found = list(all_tried(root, reached.tests, wanted, choose, workers=2, longest=60))
    assert {one.mutation.change: one.noticed_by for one in found} == {
        "far > LIMITS[kind] -> False": FAR,
        "> -> >=": None,
        "5 -> 6": None,
    }


def test_only_so_many_seconds_of_tests_are_chosen() -> None:
    tests = tuple(Test(f"t{number}", 10.0, ()) for number in range(4))
    assert len(Chosen(tests, at_import=False).within(25).tests) == 2
    assert len(Chosen(tests, at_import=False).within(1).tests) == 1


def test_a_file_is_changed_for_a_while(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("a = 1\n")
    before = file.stat().st_mtime_ns
    with changed(tmp_path, "a.py", "a = 2\n"):
        assert file.read_text() == "a = 2\n"
    assert (file.read_text(), file.stat().st_mtime_ns) == ("a = 1\n", before)


def test_code_is_changed_in_functions_that_are_there() -> None:
    source = "def outer():\n    def inner():\n        return 1\n    return inner()\n"
    source += "class C:\n    def m(self):\n        return 3\n"
    space: dict[str, object] = {}
    exec(compile(source, "there.py", "exec"), space)
    outer, kept = space["outer"], space["C"]
    pairs = changed_code(source, source.replace("return 1", "return 2"), "there.py")
    assert [old.co_name for old, _ in pairs] == ["outer"]
    assert put_in_place(pairs) == 1
    assert outer() == 2  # type: ignore[operator]
    assert put_in_place(changed_code(source, source.replace("return 3", "return 4"), "there.py")) == 1
    assert kept().m() == 4  # type: ignore[operator]


def test_code_outside_of_functions_cannot_be() -> None:
    for before, after in (("a = 1\n", "a = 2\n"), ("class C:\n    a = 1\n", "class C:\n    a = 2\n")):
        with pytest.raises(ValueError, match="imported"):
            changed_code(before, after, "x.py")


def test_one_test_that_never_ends_does_not_take_the_time_of_all(root: Path, bench: Bench) -> None:
    endless = mutation(root, 11, "left > 0 -> True")
    path = bench.root / PATH
    job = Job([FAR, WAIT], 40.0, 2.0, str(path), endless.made(path.read_text()))
    answer = bench._process.tried(job)
    assert (answer.how, answer.noticed_by, answer.ran) == ("took too long", WAIT, 2)
    assert answer.seconds < 35


def test_each_test_may_take_as_long_as_the_longest() -> None:
    """What several remember is made by whichever comes first."""
    tests = [Test("a", 0.1, ()), Test("b", 10.0, ())]
    assert (_limit(tests), _limit_of_each(tests)) == (pytest.approx(50.3), 50.0)
