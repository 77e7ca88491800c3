"""The everyday set: what is left out, what runs daily all the same, and the check that keeps it quick."""

import ast
import json
import os
from pathlib import Path

import pytest

from tests.checkout import ROOT
from tests.everyday import __main__ as command
from tests.everyday import limit
from tests.everyday.listed import DAILY, Lists, function_of, lists, rows

pytest_plugins = ("pytester",)
KINDS = {"two worlds", "campaign", "crash", "end to end", "record", "screens", "page", "hosting", "sweep"}
LISTED = Lists(
    dear={"tests/a.py::test_a": 9.0, "tests/a.py::test_b[2]": 3.0},
    daily={"tests/a.py::test_a[1]": "crash"},
    shared=frozenset({"tests/c.py", "tests/d.py::[20]"}),
)


@pytest.mark.parametrize(
    ("node", "everyday"),
    [
        ("tests/a.py::test_a", False),
        ("tests/a.py::test_a[2]", False),
        ("tests/a.py::test_a[1]", True),
        ("tests/a.py::test_b[2]", False),
        ("tests/a.py::test_b[1]", True),
        ("tests/a.py::test_b", True),
        ("tests/e2e/test_x.py::test_y", False),
        ("tests/c.py::test_c", False),
        ("tests/d.py::test_d[20]", False),
        ("tests/d.py::TestD::test_d[20]", False),
        ("tests/d.py::test_d[0]", True),
        ("tests/d.py::test_d", True),
    ],
)
def test_case_is_left_out_where_it_or_its_test_is_dear_and_it_is_not_daily(node: str, everyday: bool) -> None:
    assert LISTED.is_everyday(node) is everyday


def test_function_of_a_case_keeps_classes_and_drops_what_is_in_brackets() -> None:
    assert function_of("tests/a.py::TestA::test_b[x::y[1]]") == "tests/a.py::TestA::test_b"


def functions_in(file: Path) -> set[str]:
    """Give the names of tests in a file, with the classes they are in; those of Hypothesis' machines are assigned."""
    found: set[str] = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign):
            found |= {f"{target.id}::runTest" for target in node.targets if isinstance(target, ast.Name)}
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        prefix = f"{node.name}::" if isinstance(node, ast.ClassDef) else ""
        found |= {f"{prefix}{one.name}" for one in inner if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)}
    return found


def test_every_listed_test_exists() -> None:
    listed = lists()
    gone: list[str] = []
    known: dict[str, set[str]] = {}
    for node in (*listed.dear, *listed.daily, *listed.shared, *listed.nightly, *listed.played):
        file, _, name = function_of(node).partition("::")
        if file not in known:
            known[file] = functions_in(ROOT / file) if (ROOT / file).exists() else set()
        if name not in known[file] and not (not name and known[file] and node in listed.shared | listed.nightly):
            gone.append(node)
    assert not gone, "run `make durations`, or take these out of tests/everyday:\n" + "\n".join(gone)


def test_each_dear_kind_has_a_case_every_day() -> None:
    daily = [word for word, _ in rows(DAILY)]
    assert {word.partition(":")[0] for word in daily} == KINDS
    books = {"pq17", "cutler", "border_patrol", "jump_lanes", "vector"}
    for kind in ("two worlds", "campaign", "end to end"):
        assert {word.partition(":")[2] for word in daily if word.startswith(kind)} == books, kind


def test_dear_cases_are_chosen_by_their_seconds() -> None:
    seconds = {
        "tests/a.py::test_quick": 0.15,
        "tests/a.py::test_one[a]": 0.2,
        "tests/a.py::test_one[b]": 0.16,
        "tests/a.py::test_none[a]": 0.7,
        "tests/a.py::test_none[b]": 0.8,
        "tests/rulebooks/a.py::test_one[a]": 0.2,
        "tests/rulebooks/a.py::test_one[b]": 0.22,
    }
    assert command.dear(seconds) == {
        "tests/a.py::test_one[a]": 0.2,
        "tests/a.py::test_none": 1.5,
        "tests/rulebooks/a.py::test_one[b]": 0.22,
    }


def test_list_is_written_from_durations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "DEAR", tmp_path / "dear.txt")
    monkeypatch.setattr(command, "NIGHTLY", tmp_path / "nightly.txt")
    (tmp_path / "1.json").write_text(json.dumps({"tests/b.py::test_b": 4.04}), encoding="utf-8")
    (tmp_path / "2.json").write_text(json.dumps({"tests/a.py::test_a": 2.0}), encoding="utf-8")
    assert command.main([str(tmp_path)]) == 0
    assert rows(tmp_path / "dear.txt") == [("2.0", "tests/a.py::test_a"), ("4.0", "tests/b.py::test_b")]


def test_cases_beyond_the_quickest_of_a_dear_test_are_left_to_sweeps() -> None:
    listed = Lists(dear={"tests/a.py::test_a": 9.0}, daily={"tests/a.py::test_a[4]": "crash"})
    seconds = {f"tests/a.py::test_a[{case}]": case / 2 for case in (1, 2, 3, 4)}
    seconds |= {"tests/a.py::test_a[5]": 0.4, "tests/b.py::test_b[1]": 3.0, "tests/b.py::test_b[2]": 3.0}
    left = command.nightly(seconds, listed)
    assert left == {"tests/a.py::test_a[2]": 1.0, "tests/a.py::test_a[3]": 1.5}
    listed = Lists(listed.dear, listed.daily, nightly=frozenset(left))
    assert [node for node in seconds if listed.is_nightly(node)] == list(left)


def test_of_a_files_dear_tests_the_quickest_have_its_share_of_a_landing() -> None:
    seconds = {f"tests/a.py::test_{name}": took for name, took in (("a", 2.0), ("b", 1.5), ("c", 1.4), ("d", 0.2))}
    seconds |= {"tests/b.py::test_a": 30.0, "tests/b.py::test_b": 31.0, "tests/c.py::test_a": 40.0}
    listed = Lists(dear=dict(seconds), daily={"tests/c.py::test_a": "crash"})
    assert command.nightly(seconds, listed) == {
        "tests/a.py::test_b": 1.5,
        "tests/a.py::test_a": 2.0,
        "tests/b.py::test_b": 31.0,
    }


def test_what_alone_plays_a_rule_is_not_left_to_sweeps() -> None:
    left = frozenset({"tests/a.py::test_a[1]", "tests/a.py::test_a[2]"})
    listed = Lists({}, {}, nightly=left, played=frozenset({"tests/a.py::test_a[2]"}))
    assert [node for node in sorted(left) if listed.is_nightly(node)] == ["tests/a.py::test_a[1]"]


def test_what_is_left_to_sweeps_is_dear() -> None:
    assert [node for node in lists().nightly if not lists().is_dear(node)] == []


def test_what_is_listed_stays_listed_while_it_exists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "DEAR", tmp_path / "dear.txt")
    monkeypatch.setattr(command, "NIGHTLY", tmp_path / "nightly.txt")
    listed = [
        "3.0  tests/a.py::test_a",
        "1.5  tests/a.py::test_b[2]",
        "2.5  tests/a.py::test_c[1]",
        "9.0  tests/b.py::test_b",
    ]
    command.DEAR.write_text("\n".join(listed), encoding="utf-8")
    seconds = {f"tests/a.py::test_{one}": 0.01 for one in ("a", "b[1]", "b[2]")} | {"tests/a.py::test_c[1]": 4.0}
    (tmp_path / "1.json").write_text(json.dumps(seconds), encoding="utf-8")
    assert command.main([str(tmp_path)]) == 0
    assert rows(tmp_path / "dear.txt") == [
        ("3.0", "tests/a.py::test_a"),
        ("1.5", "tests/a.py::test_b[2]"),
        ("4.0", "tests/a.py::test_c"),
    ]


def test_folder_without_durations_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"{tmp_path} holds no durations: run `make durations`\n"


BUSY = """
import time
import pytest

def work(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass

first = []

def test_quick():
    pass

def test_slow_once():
    if not first:
        first.append(1)
        work(0.5)

def test_always_slow():
    work(0.5)
"""


def test_run_fails_and_names_the_test_that_became_dear(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_busy=BUSY)
    plugin = limit.Everyday(limit=0.3)
    plugin.slower = 1.0
    result = pytester.inline_run("-p", "no:cacheprovider", plugins=[plugin])
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert list(plugin.dear) == ["test_busy.py::test_always_slow"]
    result.assertoutcome(passed=3)


def test_seed_that_failed_once_may_take_longer(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_busy=f"{BUSY}\n\ntest_always_slow = pytest.mark.failed_once(test_always_slow)\n")
    plugin = limit.Everyday(limit=0.3)
    plugin.slower = 1.0
    assert pytester.inline_run("-p", "no:cacheprovider", plugins=[plugin]).ret == pytest.ExitCode.OK
    assert plugin.dear == {}


def test_slower_machine_is_given_more_time(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_busy=BUSY)
    plugin = limit.Everyday(limit=0.3)
    plugin.slower = 4.0
    assert pytester.inline_run("-p", "no:cacheprovider", plugins=[plugin]).ret == pytest.ExitCode.OK


def test_processor_time_of_ended_children_counts() -> None:
    before = limit.spent()
    child = os.spawnlp(os.P_WAIT, "python3", "python3", "-c", "for number in range(3_000_000): pass")
    assert child == 0
    assert limit.spent() > before


def test_everyday_set_and_its_rest_cannot_both_be_asked_for(pytester: pytest.Pytester) -> None:
    config = pytester.parseconfig()
    config.option.everyday = config.option.dear = True
    with pytest.raises(pytest.UsageError, match="give one of them"):
        limit.start(config)
