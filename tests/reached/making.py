"""The run that finds which test reaches which line, and whether the one that is kept still tells the truth."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.checkout import ROOT
from tests.reached.belonging import paths_of
from tests.reached.contexts import AT_IMPORT, drawn_upon
from tests.reached.data import Reached, Recorded, Test
from tests.reached.recording import BOOK, FOLDER

SOURCES = ("rules_engine", "config/scenarios", "tests/rulebooks", "tests/secrecy", "tests/journals")
"""What the data depends on."""
SUFFIXES = {".py", ".toml", ".jsonl", ".ids"}


class TestsFailed(Exception):
    """The tests do not all pass as the sources are, so nothing can be told from them."""

    __test__ = False


def kept(book: str) -> Path:
    """Where a book's data lies."""
    return ROOT / "build" / "reached" / f"{book}.sqlite"


def digest() -> str:
    """Changes with every source that the data depends on."""
    found = hashlib.sha256()
    for path in _sources():
        found.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def _sources() -> Iterator[Path]:
    for folder in SOURCES:
        yield from sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES)


def fresh(book: str, *, workers: int = 2, again: bool = False) -> Reached:
    """The data of the sources as they are, made if need be, which takes minutes. Raises TestsFailed."""
    path, now = kept(book), digest()
    if path.exists() and not again:
        data = Reached(path)
        if data.about.get("digest") == now:
            return data
        data.close()
    make(book, path, now, workers)
    return Reached(path)


def make(book: str, path: Path, now: str, workers: int) -> None:
    """Run the book's quick tests under measurement and write what they reach to ``path``. Raises TestsFailed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=f"{book}-", dir=path.parent))
    try:
        began = time.monotonic()
        done = subprocess.run(_command(book, workers), cwd=ROOT, env=_environment(folder, book), check=False)
        if done.returncode != 0:
            raise TestsFailed(f"{book}: its tests must pass before one can say what they reach")
        about = {"book": book, "digest": now, "seconds": f"{time.monotonic() - began:.0f}"}
        _read(folder, about).write(path)
    finally:
        shutil.rmtree(folder)


def _command(book: str, workers: int) -> list[str]:
    return [
        *(sys.executable, "-m", "pytest", "-q", "-p", "tests.reached.recording", "-p", "no:cacheprovider"),
        *("-n", str(workers), "--dist", "worksteal", "-m", "not slow and not package", *paths_of(book)),
    ]


def _environment(folder: Path, book: str) -> dict[str, str]:
    # Python's newer way of measuring does not know contexts that change while a function runs.
    return {**os.environ, FOLDER: str(folder), BOOK: book, "COVERAGE_CORE": "ctrace"}


def _read(folder: Path, about: dict[str, str]) -> Recorded:
    """Everything that the workers left behind, with what each test drew upon counted as its own."""
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
    return Recorded(
        passed,
        {test.node: _together(drawn[test.node], lines) for test in passed},
        _together(drawn[AT_IMPORT], lines),
        {
            "" if name == AT_IMPORT else name: set().union(*(opened.get(one, set()) for one in names))
            for name, names in drawn.items()
        },
        about,
    )


def _together(names: set[str], lines: dict[str, dict[str, set[int]]]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for name in names:
        for path, some in lines.get(name, {}).items():
            found.setdefault(path, set()).update(some)
    return found
