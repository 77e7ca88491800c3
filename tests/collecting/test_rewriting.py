"""Workers of a run share the rewriting of tests' assertions."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from _pytest.assertion import rewrite

from tests.collecting.rewriting import compiled, files_of_tests, rewrite_share

SOURCE = "def test_sum():\n    assert 1 + 1 == 3\n"
NAMES = ("one", "two", "three", "four", "five")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder of five files of tests and another file, and let bytecode be written."""
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    (tmp_path / "inner").mkdir()
    for name in NAMES[:4]:
        (tmp_path / f"test_{name}.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "inner" / "test_five.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "helper.py").write_text("", encoding="utf-8")
    return tmp_path


def worker(config: pytest.Config, number: int, *args: str) -> Any:
    """Stand in for the configuration of one of two workers that collect these places."""
    return SimpleNamespace(
        workerinput={"workerid": f"gw{number}", "workercount": 2},
        args=args,
        stash=config.stash,
        getoption=config.getoption,
        getini=config.getini,
    )


def rewritten(folder: Path) -> set[str]:
    """List the files of the folder that pytest would take from ``__pycache__``."""
    return {
        file.stem.removeprefix("test_")
        for file in files_of_tests([str(folder)])
        if rewrite._read_pyc(file, compiled(file)) is not None
    }


def test_share_of_each_worker_is_rewritten_and_all_files_by_both(folder: Path, request: pytest.FixtureRequest) -> None:
    rewrite_share(worker(request.config, 0, str(folder)))
    first = rewritten(folder)
    assert 2 <= len(first) <= 3
    rewrite_share(worker(request.config, 1, str(folder)))
    assert rewritten(folder) == set(NAMES)
    assert not compiled(folder / "helper.py").exists()


def test_rewritten_file_says_what_an_assertion_compared(folder: Path, request: pytest.FixtureRequest) -> None:
    rewrite_share(worker(request.config, 0, str(folder / "inner")))
    code = rewrite._read_pyc(folder / "inner" / "test_five.py", compiled(folder / "inner" / "test_five.py"))
    assert code is not None
    names: dict[str, Any] = {}
    exec(code, names)
    with pytest.raises(AssertionError, match=r"assert \(1 \+ 1\) == 3"):
        names["test_sum"]()


def test_file_with_a_syntax_error_is_left_to_its_import(folder: Path, request: pytest.FixtureRequest) -> None:
    (folder / "inner" / "test_five.py").write_text("def", encoding="utf-8")
    rewrite_share(worker(request.config, 0, str(folder / "inner")))
    assert rewritten(folder) == set()


@pytest.mark.parametrize("place", ["test_one.py", "test_one.py::test_sum", "nowhere"])
def test_nothing_is_rewritten_when_no_folder_is_named(folder: Path, place: str, request: pytest.FixtureRequest) -> None:
    rewrite_share(worker(request.config, 0, str(folder / place)))
    assert rewritten(folder) == set()


def test_nothing_is_rewritten_when_bytecode_is_not_wanted(
    folder: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    rewrite_share(worker(request.config, 0, str(folder)))
    assert rewritten(folder) == set()
