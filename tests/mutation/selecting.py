"""Which tests may notice a change, the likeliest first."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Protocol

from tests.mutation.changes import Mutation
from tests.mutation.names import Names
from tests.reached.data import Reached, Test

QUICK = 0.3
"""Seconds up to which a test of another room comes before longer ones of the own, of which a hundred fill a row."""


@dataclass(frozen=True)
class Chosen:
    """The tests for one change, in the order in which they are run."""

    tests: tuple[Test, ...]
    at_import: bool
    """Whether the change shows in a process only that has imported it."""

    def within(self, seconds: float) -> "Chosen":
        """As many as usually take so long together, and at least one."""
        found: list[Test] = []
        total = 0.0
        for test in self.tests:
            total += test.seconds
            if found and total > seconds:
                break
            found.append(test)
        return Chosen(tuple(found), self.at_import)


class Where(Protocol):
    """A place in a source, as `changes.Site` has it."""

    @property
    def path(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def reach(self) -> range: ...
    @property
    def in_function(self) -> bool: ...
    @property
    def names(self) -> tuple[str, ...]: ...


class Selection:
    """Choose by what was recorded, among the tests that are ``allowed`` by their node ids.

    ``texts`` are given where sources may have changed since they were recorded: each as it was then.
    """

    def __init__(
        self,
        root: Path,
        reached: Reached,
        book: str,
        *,
        allowed: Callable[[str], bool] = lambda node: True,
        texts: Mapping[str, str] | None = None,
    ) -> None:
        self._root, self._reached, self._book = root, reached, book
        self._allowed, self._texts = allowed, texts or {}
        self._words: dict[str, frozenset[str]] = {}

    @cached_property
    def _names(self) -> Names:
        folders = ("rules_engine/core", f"rules_engine/rulebooks/{self._book}", f"tests/rulebooks/{self._book}")
        return Names(self._root, self._reached, folders, self._texts)

    def tests_for(self, mutation: Mutation) -> Chosen:
        """Give all tests that could notice a change, in the order in which they are worth running."""
        return self.tests_at(mutation.site)

    def tests_at(self, site: Where) -> Chosen:
        """Give all tests that could notice a change at a place, in the order in which they are worth running."""
        if site.path.endswith(".toml"):
            tests = set(self._reached.tests_opening(site.path))
            return self._ordered(site, tests, self._reached.is_opened_at_import(site.path))
        imported = self._reached.at_import(site.path)
        tests = set(self._reached.tests_reaching(site.path, site.line))
        tests = tests or self._reached.tests_reaching_any(site.path, site.reach)
        if site.in_function and imported.isdisjoint(site.reach):
            return self._ordered(site, tests, at_import=False)
        by_name = self._names.tests_of(site.names) if site.names else set[Test]()
        return self._ordered(site, tests | by_name, at_import=True)

    def _ordered(self, site: Where, tests: Iterable[Test], at_import: bool) -> Chosen:
        """Put tests in the file of that name first, then all others that are quick, then those that are not. Among
        either, those of the room and, for what is made at import, those in files that name it come first; quick before
        slow, narrow before broad."""
        path = PurePosixPath(site.path)
        own = f"test_{path.stem}.py"
        breadth = self._reached.breadth
        names = set(site.names) if at_import else set[str]()

        def worth(test: Test) -> tuple[bool, int, int, bool, int, str]:
            file = PurePosixPath(test.file)
            near = path.parent.name in file.parts or not names.isdisjoint(self._words_of(test.file))
            away = 0 if file.name == own else 1 if near else 2
            is_late = away > 0 and test.seconds > QUICK
            return is_late, away, _magnitude(test.seconds), not test.rules, breadth[test.node], test.node

        return Chosen(tuple(sorted((test for test in tests if self._allowed(test.node)), key=worth)), at_import)

    def _words_of(self, file: str) -> frozenset[str]:
        if file not in self._words:
            path = self._root / file
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            self._words[file] = frozenset(re.findall(r"\w+", text))
        return self._words[file]


def _magnitude(seconds: float) -> int:
    """Tests of like length are alike: up to a tenth of a second, to a third, to one, to three …"""
    return max(0, math.ceil(2 * math.log10(max(seconds, 0.01) * 10)))
