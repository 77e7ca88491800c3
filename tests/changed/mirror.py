"""Tests of what nothing is recorded of: they lie as the source lies, or name it."""

import re
from functools import cached_property
from pathlib import Path, PurePosixPath

SOURCES = ("bot", "map_render", "rules_engine")
BOOKS = "rules_engine/rulebooks"


class Mirror:
    """The tests of one checkout. A path that ends with ``/`` stands for the tests directly in a folder, one that ends
    with ``/**`` for those in the folders below, too."""

    def __init__(self, root: Path) -> None:
        self._root = root

    @cached_property
    def _texts(self) -> dict[str, str]:
        files = sorted((self._root / "tests").rglob("*.py"))
        return {file.relative_to(self._root).as_posix(): file.read_text(encoding="utf-8") for file in files}

    def near(self, path: str) -> list[str]:
        """Give the tests in a file of this file's name, and those in the folder that mirrors its own that name it."""
        where = PurePosixPath(path)
        folder = _mirrored(where.parent)
        own = [f"{folder}/test_{where.stem}.py", f"{folder}/{where.stem}/"] if where.parts[0] in SOURCES else []
        found = [name for name in own if where.suffix == ".py" and self._has_tests(name)]
        beside = [file for file in self.naming(path) if file.startswith(f"{folder}/")]
        return list(dict.fromkeys([*found, *beside]))

    def naming(self, path: str) -> list[str]:
        """Give the test files that import this file, directly or by helpers of tests, or that name it as data."""
        where = PurePosixPath(path)
        if where.suffix != ".py":
            return [file for file, text in self._texts.items() if _is_test(file) and _names(text, where)]
        if where.parts[0] == "tests":
            return self._drawing_upon(path)
        return [file for file in self._importing(path) if _is_test(file)]

    def around(self, path: str) -> list[str]:
        """Give the folder of tests that mirrors the file's own, or the next above it, up to the room."""
        where = PurePosixPath(path)
        if where.suffix == ".md":
            return [name for name in ("tests/docs/",) if self._has_tests(name)]
        if where.name == "conftest.py" and len(where.parts) > 2:
            return [f"{where.parent}/**"]
        book = self.book_of(path)
        folder = _mirrored(where.parent) if where.parts[0] in (*SOURCES, "tests") else PurePosixPath("nowhere")
        if book and where.parts[0] == "config":
            folder = PurePosixPath("tests/rulebooks") / book / "scenario"
        for candidate in (folder, *folder.parents):
            if len(candidate.parts) < (2 if where.parts[0] in ("map_render", "tests") else 3):
                return []
            if self._has_tests(f"{candidate}/"):
                return [f"{candidate}/"]
        return []

    def book_of(self, path: str) -> str | None:
        """Give the rulebook that a source or a scenario belongs to."""
        parts = PurePosixPath(path).parts
        is_of_book = path.startswith((f"{BOOKS}/", "config/scenarios/")) and len(parts) > 3
        return parts[2] if is_of_book and (self._root / BOOKS / parts[2]).is_dir() else None

    def _has_tests(self, name: str) -> bool:
        place = self._root / name
        return place.is_file() or (place.is_dir() and any(place.glob("test_*.py")))

    def _importing(self, path: str) -> list[str]:
        module = _module(path)
        package, _, name = module.rpartition(".")
        pattern = re.compile(
            rf"^\s*(?:from {re.escape(module)} import|import {re.escape(module)}\b"
            rf"|from {re.escape(package)} import (?:\([^)]*|[^(\n]*)\b{re.escape(name)}\b)",
            re.MULTILINE,
        )
        return [file for file, text in self._texts.items() if file != path and pattern.search(text)]

    def _drawing_upon(self, path: str) -> list[str]:
        """Give the test files that import a helper, or a helper that imports it, the nearest first."""
        found: dict[str, None] = {}
        known, waiting = {path}, [path]
        while waiting:
            for file in self._importing(waiting.pop(0)):
                if file not in known:
                    known.add(file)
                    if _is_test(file):
                        found[file] = None
                    else:
                        waiting.append(file)
        return list(found)


def _is_test(path: str) -> bool:
    return path.rpartition("/")[2].startswith("test_")


def _mirrored(folder: PurePosixPath) -> PurePosixPath:
    """Give the folder of tests for a folder of sources; a folder of tests is its own."""
    if folder.parts[:1] == ("tests",):
        return folder
    parts = folder.parts[1:] if folder.parts[:1] == ("rules_engine",) else folder.parts
    return PurePosixPath("tests", *parts)


def _module(path: str) -> str:
    return path.removesuffix("/__init__.py").removesuffix(".py").replace("/", ".")


def _names(text: str, where: PurePosixPath) -> bool:
    """Tell whether a test names a file of data by its name, and the folder that it lies in."""
    return bool(where.parent.name) and where.name in text and where.parent.name in text
