"""The run that finds which test reaches which line, and whether the one that is kept still tells the truth."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.checkout import ROOT
from tests.expected.owners import is_scene, owners
from tests.reached.belonging import BOOKS, UNDER_TEST, paths_of
from tests.reached.contexts import AT_IMPORT, drawn_upon
from tests.reached.data import Reached, Recorded, Test
from tests.reached.recording import BOOK, EVERYDAY, FOLDER

RECORDED = "build/recorded"
"""Where data lie, from the checkout. `make test` empties ``build/reached``, which holds what rules the tests ran."""
SUFFIXES = {".py", ".toml", ".jsonl"}
"""Of what the data depends on, beside files of expected texts."""
LISTS = "tests/everyday"
"""The folder whose lists say which tests run every day."""
EVERYDAY_TESTS = "everyday tests"
"""What data without dear tests say that they hold."""
NO_TESTS = 5
"""Pytest's exit code for a run without any."""


class TestsFailed(Exception):
    """The tests do not all pass as the sources are, so nothing can be told from them."""

    __test__ = False


def kept(book: str, *, everyday: bool = False, root: Path = ROOT) -> Path:
    """Give the place of a book's data: of all its tests, or of those that run every day."""
    return root / RECORDED / f"{book}{'-everyday' if everyday else ''}.sqlite"


def digests(book: str, *, everyday: bool = False) -> dict[str, str]:
    """Give a digest of every source that the data depend on, by path."""
    folders = ("rules_engine/core", f"{BOOKS}/{book}", f"config/scenarios/{book}", f"tests/rulebooks/{book}")
    found = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    for folder in ("tests", "tests/rulebooks", "tests/secrecy", "tests/journals"):
        found += [*(ROOT / folder).glob("*"), *(ROOT / folder / "scenes").glob("*")]
    by_path = {path.relative_to(ROOT).as_posix(): path for path in sorted(found)}
    lists = [ROOT / LISTS / "listed.py", *sorted((ROOT / LISTS).glob("*.txt"))] if everyday else []
    wanted = {name: path for name, path in by_path.items() if path.suffix in SUFFIXES or is_scene(name)}
    wanted |= {path.relative_to(ROOT).as_posix(): path for path in lists}
    return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in wanted.items()}


def fresh(book: str, *, workers: int = 2, again: bool = False, everyday: bool = False) -> Reached:
    """Give the data of the sources as they are, made if need be, which takes minutes. Raises TestsFailed.

    Where only files of tests or their expected texts have changed, only those tests are run. With ``everyday`` the data
    hold at least the tests that run every day.
    """
    if everyday and not again and (whole := _unchanged(book)) is not None:
        return whole
    path, now = kept(book, everyday=everyday), digests(book, everyday=everyday)
    if path.exists() and not again:
        data = Reached(path)
        then: dict[str, str] = json.loads(data.about.get("digests", "{}"))
        changed = {one for one in {*then, *now} if then.get(one) != now.get(one)}
        if not changed:
            return data
        old = data.recorded() if all(map(_is_test, changed)) else None
        data.close()
        if old is not None:
            tests = _tests_of(changed)
            ours = [one for one in paths_of(book) if (ROOT / one).is_dir() or one in tests]
            run = [one for one in sorted(tests & set(now)) if any(Path(one).is_relative_to(part) for part in ours)]
            new = _run(book, run, workers, everyday=everyday) if run else Recorded((), {}, {}, {}, {})
            old.without(tests).with_more(new, {"digests": json.dumps(now)}).write(path)
            return Reached(path)
    began = time.monotonic()
    recorded = _run(book, paths_of(book), workers, everyday=everyday)
    about = {
        "book": book,
        "holds": EVERYDAY_TESTS if everyday else "tests",
        "digests": json.dumps(now),
        "seconds": f"{time.monotonic() - began:.0f}",
    }
    recorded.with_more(recorded, about).write(path)
    return Reached(path)


def _unchanged(book: str) -> Reached | None:
    """Give the data of all the book's tests, if no source has changed since."""
    if not kept(book).exists():
        return None
    data = Reached(kept(book))
    if json.loads(data.about.get("digests", "{}")) == digests(book):
        return data
    data.close()
    return None


def _is_test(path: str) -> bool:
    return path.rpartition("/")[2].startswith("test_") or is_scene(path)


def _tests_of(changed: set[str]) -> set[str]:
    """Give the files of tests that must be run again: those that changed, and those whose expected texts did."""
    scenes = {path for path in changed if is_scene(path)}
    return changed - scenes | {owner.file for path in scenes for owner in owners(ROOT, path)}


def _run(book: str, paths: list[str], workers: int, *, everyday: bool) -> Recorded:
    """Run the quick ones of these tests under measurement. Raises TestsFailed."""
    kept(book).parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=f"{book}-", dir=kept(book).parent))
    sources = {path: path.read_text(encoding="utf-8") for part in UNDER_TEST for path in (ROOT / part).rglob("*.py")}
    try:
        environment = _environment(folder, book, everyday=everyday)
        done = subprocess.run(_command(paths, workers), cwd=ROOT, env=environment, check=False)
        if done.returncode not in (0, NO_TESTS):
            raise TestsFailed(f"{book}: its tests must pass before one can say what they reach")
        return _read(folder, {path.relative_to(ROOT).as_posix(): text for path, text in sources.items()})
    finally:
        shutil.rmtree(folder)


def _command(paths: list[str], workers: int) -> list[str]:
    return [
        *(sys.executable, "-m", "pytest", "-q", "-p", "tests.reached.recording", "-p", "no:cacheprovider"),
        *("-n", str(workers), "--dist", "worksteal", "-m", "not slow and not package and not bench", *paths),
    ]


def _environment(folder: Path, book: str, *, everyday: bool) -> dict[str, str]:
    """This process's, less what makes it a worker of another run of tests: the run that begins has its own workers."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    # Python's newer way of measuring does not know contexts that change while a function runs.
    return {
        **ours,
        FOLDER: str(folder),
        BOOK: book,
        "COVERAGE_CORE": "ctrace",
        **({EVERYDAY: "yes"} if everyday else {}),
    }


def _read(folder: Path, texts: Mapping[str, str]) -> Recorded:
    """Read what the workers left behind, with what each test drew upon counted as its own. ``texts`` were measured."""
    from coverage import CoverageData

    tests: dict[str, dict[str, Any]] = {}
    uses: dict[str, set[str]] = {}
    opened: dict[str, set[str]] = {}
    for one in sorted(folder.glob("worker-*.json")):
        found = json.loads(one.read_text(encoding="utf-8"))
        tests |= found["tests"]
        for name, others in found["uses"].items():
            uses.setdefault(name, set()).update(others)
        for name, paths in found["opened"].items():
            opened.setdefault(name, set()).update(paths)
    lines: dict[str, dict[str, set[int]]] = {}
    for one in sorted(folder.glob(".coverage.*")):
        data = CoverageData(str(one))
        data.read()
        for path in data.measured_files():
            short = Path(path).relative_to(ROOT).as_posix()
            for line, contexts in data.contexts_by_lineno(path).items():
                for context in contexts:
                    lines.setdefault(context, {}).setdefault(short, set()).add(line)
    passed = tuple(
        Test(node, one["seconds"], tuple(one["rules"])) for node, one in sorted(tests.items()) if one["passed"]
    )
    drawn = {name: drawn_upon(name, uses) for name in (AT_IMPORT, *(test.node for test in passed))}
    measured = {path for files in lines.values() for path in files}
    return Recorded(
        passed,
        {test.node: _together(drawn[test.node], lines) for test in passed},
        _together(drawn[AT_IMPORT], lines),
        {
            "" if name == AT_IMPORT else name: set().union(*(opened.get(one, set()) for one in names))
            for name, names in drawn.items()
        },
        {},
        {path: text for path, text in texts.items() if path in measured},
    )


def _together(names: set[str], lines: dict[str, dict[str, set[int]]]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for name in names:
        for path, some in lines.get(name, {}).items():
            found.setdefault(path, set()).update(some)
    return found
