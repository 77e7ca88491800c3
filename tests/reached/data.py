"""What a recorded run knows: which test reaches which line, what runs only at import, how long tests take."""

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

SCHEMA = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE file (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, at_import BLOB NOT NULL);
CREATE TABLE test (id INTEGER PRIMARY KEY, node TEXT NOT NULL UNIQUE, seconds REAL NOT NULL, rules TEXT NOT NULL);
CREATE TABLE reached (test INTEGER NOT NULL, file INTEGER NOT NULL, lines BLOB NOT NULL, PRIMARY KEY (file, test));
CREATE TABLE opened (test INTEGER NOT NULL, path TEXT NOT NULL, PRIMARY KEY (test, path));
CREATE TABLE source (path TEXT PRIMARY KEY, text BLOB NOT NULL);
"""


def bits(lines: Iterable[int]) -> bytes:
    """Numbers as a row of bits, the lowest first."""
    whole = 0
    for line in lines:
        whole |= 1 << line
    return whole.to_bytes((whole.bit_length() + 7) // 8, "little")


def numbers(row: bytes) -> Iterator[int]:
    """The reverse of :func:`bits`, in rising order."""
    for place, byte in enumerate(row):
        if byte:
            yield from (place * 8 + bit for bit in range(8) if byte >> bit & 1)


@dataclass(frozen=True)
class Test:
    """A test that passed: its name as pytest takes it, its seconds of processor time while
    it was measured, the rules it says it proves."""

    __test__ = False

    node: str
    seconds: float
    rules: tuple[str, ...]

    @property
    def file(self) -> str:
        """The path of its file."""
        return self.node.partition("::")[0]


@dataclass(frozen=True)
class Recorded:
    """What a run found, before it is written: everything by paths from the checkout."""

    tests: tuple[Test, ...]
    lines: Mapping[str, Mapping[str, set[int]]]
    """By test, by file."""
    at_import: Mapping[str, set[int]]
    opened: Mapping[str, set[str]]
    """Files of data that each test reads; under ``""`` those that are read before any test."""
    about: Mapping[str, str]
    texts: Mapping[str, str] = field(default_factory=dict[str, str])
    """Each file whose lines these are, as it was."""

    def without(self, files: Iterable[str]) -> "Recorded":
        """The same without the tests of these files."""
        gone = set(files)
        return replace(self, tests=tuple(test for test in self.tests if test.file not in gone))

    def with_more(self, other: "Recorded", about: Mapping[str, str]) -> "Recorded":
        """Both together; of a test that both have, what ``other`` says."""
        tests = {test.node: test for test in (*self.tests, *other.tests)}
        at_import = {path: set(lines) for path, lines in self.at_import.items()}
        for path, lines in other.at_import.items():
            at_import.setdefault(path, set()).update(lines)
        opened = {**self.opened, **other.opened, "": {*self.opened.get("", ()), *other.opened.get("", ())}}
        return Recorded(
            tuple(tests[node] for node in sorted(tests)),
            {**self.lines, **other.lines},
            at_import,
            opened,
            {**self.about, **other.about, **about},
            {**self.texts, **other.texts},
        )

    def write(self, path: Path) -> None:
        """As a database, in place of the one before."""
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(".new")
        new.unlink(missing_ok=True)
        with closing(sqlite3.connect(new)) as base, base:
            base.executescript(SCHEMA)
            base.executemany("INSERT INTO about VALUES (?, ?)", self.about.items())
            paths = sorted(set(self.at_import).union(*map(set, self.lines.values())))
            file = {one: number for number, one in enumerate(paths)}
            base.executemany(
                "INSERT INTO file VALUES (?, ?, ?)",
                ((number, one, bits(self.at_import.get(one, ()))) for one, number in file.items()),
            )
            for number, test in enumerate(self.tests, 1):
                base.execute(
                    "INSERT INTO test VALUES (?, ?, ?, ?)", (number, test.node, test.seconds, json.dumps(test.rules))
                )
                reached = self.lines.get(test.node, {}).items()
                base.executemany(
                    "INSERT INTO reached VALUES (?, ?, ?)", ((number, file[one], bits(lines)) for one, lines in reached)
                )
                base.executemany(
                    "INSERT INTO opened VALUES (?, ?)", ((number, one) for one in self.opened.get(test.node, ()))
                )
            base.executemany("INSERT INTO opened VALUES (0, ?)", ((one,) for one in self.opened.get("", ())))
            base.executemany(
                "INSERT INTO source VALUES (?, ?)",
                ((one, zlib.compress(text.encode())) for one, text in self.texts.items()),
            )
        new.replace(path)


class Reached:
    """The answers of a database. Paths are those from the checkout, with ``/``; lines count from 1."""

    def __init__(self, path: Path) -> None:
        self._base = sqlite3.connect(path, check_same_thread=False)
        self._by_line: dict[str, dict[int, list[int]]] = {}

    def close(self) -> None:
        """No more questions."""
        self._base.close()

    @cached_property
    def about(self) -> dict[str, str]:
        """How the run was made."""
        return dict(self._base.execute("SELECT name, value FROM about"))

    @cached_property
    def _numbered(self) -> dict[int, Test]:
        rows = self._base.execute("SELECT id, node, seconds, rules FROM test ORDER BY id")
        return {number: Test(node, seconds, tuple(json.loads(rules))) for number, node, seconds, rules in rows}

    @cached_property
    def tests(self) -> dict[str, Test]:
        """All tests, by name."""
        return {test.node: test for test in self._numbered.values()}

    @cached_property
    def breadth(self) -> dict[str, int]:
        """How many bytes of lines each test reaches, roughly: few means that it is about little."""
        rows = self._base.execute("SELECT test, SUM(LENGTH(lines)) FROM reached GROUP BY test")
        found = dict(rows)
        return {test.node: found.get(number, 0) for number, test in self._numbered.items()}

    def lines(self, node: str) -> dict[str, frozenset[int]]:
        """The lines that a test reaches, by file. Raises KeyError for a test that was not recorded."""
        number = next((one for one, test in self._numbered.items() if test.node == node), None)
        if number is None:
            raise KeyError(node)
        rows = self._base.execute(
            "SELECT file.path, lines FROM reached JOIN file ON file.id = reached.file WHERE test = ?", (number,)
        )
        return {path: frozenset(numbers(row)) for path, row in rows}

    def tests_reaching(self, path: str, line: int) -> list[Test]:
        """The tests that run the line, apart from what is run at import."""
        return [self._numbered[one] for one in self._lines_of(path).get(line, ())]

    def tests_reaching_any(self, path: str, lines: Iterable[int]) -> set[Test]:
        """The tests that run at least one of the lines."""
        by_line = self._lines_of(path)
        return {self._numbered[one] for line in lines for one in by_line.get(line, ())}

    def tests_opening(self, path: str) -> list[Test]:
        """The tests that read this file of data."""
        rows = self._base.execute("SELECT test FROM opened WHERE path = ? AND test > 0 ORDER BY test", (path,))
        return [self._numbered[number] for (number,) in rows]

    def is_opened_at_import(self, path: str) -> bool:
        """Whether this file of data is read before any test begins."""
        return self._base.execute("SELECT 1 FROM opened WHERE path = ? AND test = 0", (path,)).fetchone() is not None

    def at_import(self, path: str) -> set[int]:
        """The lines that run when tests and rules are imported, whether or not a test runs them too."""
        row = self._base.execute("SELECT at_import FROM file WHERE path = ?", (path,)).fetchone()
        return set() if row is None else set(numbers(row[0]))

    def only_at_import(self, path: str) -> set[int]:
        """The lines that run at import and in no test."""
        return self.at_import(path) - set(self._lines_of(path))

    @cached_property
    def texts(self) -> dict[str, str]:
        """The measured files as they were when their lines were recorded, by path."""
        rows = self._base.execute("SELECT path, text FROM source")
        return {path: zlib.decompress(text).decode() for path, text in rows}

    def recorded(self) -> Recorded:
        """All of it."""
        lines: dict[str, dict[str, set[int]]] = {}
        for number, path, row in self._base.execute(
            "SELECT test, file.path, lines FROM reached JOIN file ON file.id = reached.file"
        ):
            lines.setdefault(self._numbered[number].node, {})[path] = set(numbers(row))
        opened: dict[str, set[str]] = {}
        for number, path in self._base.execute("SELECT test, path FROM opened"):
            opened.setdefault(self._numbered[number].node if number else "", set()).add(path)
        at_import = {path: set(numbers(row)) for path, row in self._base.execute("SELECT path, at_import FROM file")}
        return Recorded(tuple(self._numbered.values()), lines, at_import, opened, self.about, self.texts)

    def _lines_of(self, path: str) -> dict[int, list[int]]:
        if path not in self._by_line:
            found: dict[int, list[int]] = {}
            rows = self._base.execute(
                "SELECT test, lines FROM reached JOIN file ON file.id = reached.file WHERE path = ? ORDER BY test",
                (path,),
            )
            for test, row in rows:
                for line in numbers(row):
                    found.setdefault(line, []).append(test)
            self._by_line[path] = found
        return self._by_line[path]
