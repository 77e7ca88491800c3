"""The tests that a change asks for, in the order in which they are run, and why each is among them."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from tests.changed.difference import Change
from tests.changed.mirror import BOOKS, Mirror
from tests.changed.pieces import is_same_code
from tests.changed.places import Place, places, whole
from tests.expected.owners import is_scene, owners
from tests.mutation.selecting import Selection
from tests.reached.belonging import ITS_FILES, books
from tests.reached.data import Reached, Test
from tests.reached.making import EVERYDAY_TESTS, RECORDED

WHOLE_TREE = "tests/architecture/"
"""Checks of every source at once."""
CORE = "rules_engine/core/"


@dataclass
class Plan:
    """What is run: node ids, tests as ``file::name``, files, and folders (see `mirror`), the most urgent first."""

    changed: list[str] = field(default_factory=list[str])
    """Test files that changed, and tests whose expected texts did."""
    reaching: list[Test] = field(default_factory=list[Test])
    """Tests that reach changed lines, as recorded, within the budget."""
    left: int = 0
    """How many more reach them."""
    near: list[str] = field(default_factory=list[str])
    """Tests beside changed sources, by the mirror, that bear their name or import them."""
    checks: list[str] = field(default_factory=list[str])
    """Checks of the whole tree."""
    around: list[str] = field(default_factory=list[str])
    """Folders that mirror changed sources, and what is book-wide."""
    naming: list[str] = field(default_factory=list[str])
    """Other test files that import what changed, or name it."""
    only: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """The books whose cases are wanted, by file of tests of every book."""
    without: list[str] = field(default_factory=list[str])
    """Changed files that no test belongs to."""
    unrecorded: list[str] = field(default_factory=list[str])
    """Books whose rules changed, or may behave differently, and of which nothing is recorded."""
    older: list[str] = field(default_factory=list[str])
    """Books whose data are older than what the change started from."""

    @property
    def wants(self) -> list[str]:
        """Everything in the order in which it is run."""
        reaching = (test.node for test in self.reaching)
        return [*self.changed, *reaching, *self.near, *self.checks, *self.around, *self.naming]


def data_in(root: Path) -> dict[str, Reached]:
    """Open what is recorded in a checkout, by book: the newest, where both all and everyday tests are recorded."""
    found: dict[str, Path] = {}
    ending = f"-{EVERYDAY_TESTS.partition(' ')[0]}"
    for path in sorted((root / RECORDED).glob("*.sqlite"), key=lambda path: path.stat().st_mtime):
        found[path.stem.removesuffix(ending)] = path
    return {book: Reached(path) for book, path in sorted(found.items())}


def choose(root: Path, changes: Iterable[Change], data: Mapping[str, Reached], budget: float) -> Plan:
    """Choose the tests for these changes. Those that are recorded may take ``budget`` seconds together."""
    plan, mirror, known = Plan(), Mirror(root), books(root)
    finder = _Recorded(root, data)
    rows: list[tuple[Test, ...]] = []
    for change in changes:
        if is_scene(change.path):
            plan.changed.extend(_of_scene(root, change))
        elif _is_test(change.path):
            plan.changed.extend([change.path] if change.is_there else [])
        elif not _says_the_same(change):
            found = finder.rows(change)
            rows += found
            is_core = change.path.startswith(CORE)
            if not found or is_core:
                wanted = mirror.near(change.path), mirror.around(change.path), mirror.naming(change.path)
                plan.near.extend(wanted[0])
                plan.naming.extend(wanted[2])
                plan.around.extend(wanted[1] if change.path.partition("/")[0] != "tests" or not wanted[2] else [])
                if not found and not any(wanted):
                    plan.without.append(change.path)
            if change.path.endswith(".py") and change.path.startswith((CORE, f"{BOOKS}/")):
                concerned = [book] if (book := mirror.book_of(change.path)) else known if is_core else []
                missing = [one for one in concerned if one not in data]
                plan.unrecorded.extend(one for one in missing if one not in plan.unrecorded)
                if not found:
                    _book_wide(root, plan, missing)
        if change.path.endswith(".py") and not plan.checks and (root / WHOLE_TREE).is_dir():
            plan.checks.append(WHOLE_TREE)
    plan.older.extend(sorted(finder.older))
    whole_files = {name for name in plan.changed if "::" not in name}
    reaching, left = within([[test for test in row if test.file not in whole_files] for row in rows], root, budget)
    plan.reaching, plan.left = reaching, left
    plan.changed = list(dict.fromkeys(plan.changed))
    plan.near = [name for name in dict.fromkeys(plan.near) if name not in plan.changed]
    plan.naming = [name for name in dict.fromkeys(plan.naming) if name not in (*plan.changed, *plan.near)]
    plan.around = list(dict.fromkeys(plan.around))
    return plan


def _says_the_same(change: Change) -> bool:
    """Tell a change of comments alone."""
    if not change.path.endswith(".py") or change.before is None or change.after is None:
        return False
    return change.path == change.old_path and is_same_code(change.before, change.after)


def _book_wide(root: Path, plan: Plan, missing: list[str]) -> None:
    """Add the tests of whole books of which nothing is recorded."""
    for file in (one for one in ITS_FILES if missing and (root / one).exists()):
        plan.around.append(file)
        plan.only.setdefault(file, []).extend(missing)
    if len(missing) == 1:
        plan.around.append(f"tests/rulebooks/{missing[0]}/")


def within(rows: list[list[Test]], root: Path, budget: float) -> tuple[list[Test], int]:
    """Take from each row in turn as many tests as fit into the budget, one at least; count the others.

    So each changed place has its nearest and quickest tests run, however many reach one of them."""
    by_node = {test.node: test.file for row in rows for test in row}
    there = {file for file in by_node.values() if (root / file).exists()}
    everything = {node for node, file in by_node.items() if file in there}
    left = set(everything)
    queues = [iter(row) for row in rows]
    found: list[Test] = []
    total = 0.0

    def fits(test: Test) -> bool:
        return not found or total + test.seconds <= budget

    while queues:
        for queue in list(queues):
            test = next((one for one in queue if one.node in left and fits(one)), None)
            if test is None:
                queues.remove(queue)
            else:
                left.discard(test.node)
                found.append(test)
                total += test.seconds
    return found, len(everything) - len(found)


class _Recorded:
    """Finds the tests that reach changed lines in what is recorded of each book."""

    def __init__(self, root: Path, data: Mapping[str, Reached]) -> None:
        self._data = data
        self._selections = {book: Selection(root, reached, book, texts=reached.texts) for book, reached in data.items()}
        self.older: set[str] = set()

    def rows(self, change: Change) -> list[tuple[Test, ...]]:
        """Give the tests of each changed place, for each book, in the order in which they are worth running."""
        found: list[tuple[Test, ...]] = []
        for book, reached in self._data.items():
            chosen = [self._selections[book].tests_at(place).tests for place in self._places(book, reached, change)]
            found += [tests for tests in chosen if tests]
        return found

    def _places(self, book: str, reached: Reached, change: Change) -> list[Place]:
        if change.path.startswith("config/"):
            return [Place(change.old_path, 0, range(0), False, ())] if change.path.endswith(".toml") else []
        path = change.old_path if change.old_path in reached.texts else change.path
        recorded = reached.texts.get(path)
        if recorded is None:
            return []
        if recorded not in (change.before, change.after):
            self.older.add(book)
        if change.before is None or change.after is None:
            return [whole(path, recorded)]
        renamed = [whole(path, recorded)] if change.path != change.old_path else []
        return [*places(path, change.before, change.after, recorded), *renamed]


def _of_scene(root: Path, change: Change) -> list[str]:
    """Give the tests of a file of expected texts whose sections changed."""
    before, after = _sections(change.before or ""), _sections(change.after or "")
    differing = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    tests = dict.fromkeys(found[0] for name in differing if (found := re.match(r"\w+", name)))
    wanted: list[str] = []
    for owner in owners(root, change.path):
        if owner.test:
            wanted.append(f"{owner.file}::{owner.test}")
        elif PurePosixPath(owner.file).stem == PurePosixPath(change.path).stem:
            wanted += [f"{owner.file}::{test}" for test in tests]
        else:
            wanted.append(owner.file)
    return wanted


def _sections(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("=== "):
            lines = found[line.removeprefix("=== ")] = []
        elif line.strip():
            lines.append(line)
    return found


def _is_test(path: str) -> bool:
    name = PurePosixPath(path).name
    return path.startswith("tests/") and name.startswith("test_") and name.endswith(".py")
