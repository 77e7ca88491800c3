"""The fixture `kept` and the decorator `cases`: expected texts that lie beside the test, and can be written anew.

`assert texts(run) == kept()` compares with the test's section of its file; `kept("flank")` with another section of the
same test. `@cases("order, refusal")` makes one case of each line of the test's section. `make keep` (pytest's
`--keep`, in one process) writes what differs, and the diff is what is reviewed.
"""

import difflib
import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.expected.scene_files import SceneFile, path_beside
from tests.expected.spelling import evaluated, read_cell, spell

PASSED = pytest.StashKey[bool]()
_keeping = False


def add_option(parser: pytest.Parser) -> None:
    """Let expected texts be written."""
    parser.addoption("--keep", action="store_true", help="write expected texts that differ into their files")


def start(config: pytest.Config) -> None:
    """Note whether texts are to be written. Several processes would write over each other."""
    global _keeping  # noqa: PLW0603 - cells of tables are compared where no fixture reaches them
    _keeping = bool(config.getoption("--keep"))
    if _keeping and config.getoption("numprocesses", None):
        raise pytest.UsageError("--keep writes files, and works in one process: add -n 0")


@functools.cache
def scene_file(path: Path) -> SceneFile:
    """Read the file of expected texts at this path, once a run."""
    return SceneFile(path)


class Expected:
    """Lines that something must be spelled as. Compare it with a value; while texts are kept, it takes the value."""

    __hash__ = None  # pyright: ignore[reportAssignmentType] - it changes while texts are kept

    def __init__(self, file: SceneFile, name: str, rules: str) -> None:
        self.file, self.name, self.rules = file, name, rules

    @property
    def lines(self) -> list[str]:
        """The lines as they stand in the file."""
        return self.file.expected(self.name)

    def __eq__(self, found: object) -> bool:
        lines = spell(found)
        if _keeping and (lines != self.lines or self.file.rules.get(self.name, "") != self.rules):
            self.file.keep(self.name, lines, self.rules)
        return lines == self.lines

    def __repr__(self) -> str:
        return f"{self.file.path.name}, {self.name}"

    def difference(self, found: object) -> list[str]:
        """Say how what was found differs, line by line."""
        rows = difflib.unified_diff(self.lines, spell(found), f"{self!r}, as kept", "found", lineterm="")
        return [*rows, "make keep writes this into the file, if it is right"]


Kept = Callable[..., Expected]
"""Gives the expected lines of a test, or of one of its sections by name."""


class Cell(str):
    """Text in a table of cases that is compared. While texts are kept, it takes what it is compared with, but no empty
    text: `pytest.raises` asks of each pattern whether it is one."""

    file: SceneFile
    place: tuple[str, int, int]

    __hash__ = str.__hash__

    def __eq__(self, found: object) -> bool:
        if _keeping and isinstance(found, str) and found and not str.__eq__(self, found):
            self.file.keep_cell(*self.place, str(found))
            return True
        return str.__eq__(self, found)

    def __ne__(self, found: object) -> bool:
        return not self == found


class ListCell(list[Any]):
    """A list in a table of cases that is compared, such as all refusals of a sheet. It is written like a text."""

    file: SceneFile
    place: tuple[str, int, int]

    __hash__ = None  # pyright: ignore[reportAssignmentType] - as of every list

    def __eq__(self, found: object) -> bool:
        if _keeping and isinstance(found, list) and not list.__eq__(self, found):
            self.file.keep_cell(*self.place, list(found))
            return True
        return list.__eq__(self, found)

    def __ne__(self, found: object) -> bool:
        return not self == found


def cases(columns: str, expected: str | None = None, made: str = "") -> Callable[[Any], Any]:
    """Run a test once for each line of its section, whose cells are given by these names.

    `expected` names the columns that are compared, the last one if left out; `""` says that none is, such as where
    the last one is an order or a pattern. A column `proves` is not given to the test: its cell (`cutler 3.8 3.9`)
    marks the case; nor is a column `case`, which names it in reports. Rules in the section's heading mark every case.
    Cells of the columns that `made` names are expressions of the test module's own names, such as `Fraction(2, 3)`.
    """
    names = [name.strip() for name in columns.split(",")]
    compared = {names[-1]} if expected is None else {name.strip() for name in expected.split(",")}
    expressions = {name.strip() for name in made.split(",")}

    def decorate(function: Any) -> Any:
        file = scene_file(path_beside(Path(function.__code__.co_filename)))
        title = function.__name__
        params: list[Any] = []
        for row, cells in enumerate(file.cells(title)):
            assert len(cells) == len(names), f"{file.path}, {title}, case {row + 1}: {len(names)} cells are needed"
            given: dict[str, Any] = {
                name: evaluated(cell, function.__globals__) if name in expressions else read_cell(cell)
                for name, cell in zip(names, cells, strict=True)
            }
            rules = str(given.pop("proves", "")).replace(",", " ").split()
            case = given.pop("case", None)
            for column, name in enumerate(names):
                if name in compared - expressions and isinstance(value := given.get(name), str | list):
                    cell = given[name] = Cell(value) if isinstance(value, str) else ListCell(value)
                    cell.file, cell.place = file, (title, row, column)
            marks = [pytest.mark.rule(*rules)] if rules else []
            params.append(pytest.param(*given.values(), marks=marks, id=None if case is None else str(case)))
        assert params, f"{file.path}: no cases for {title}"
        for rules in file.proved(title):
            function = pytest.mark.rule(*rules)(function)
        return pytest.mark.parametrize([name for name in names if name not in ("proves", "case")], params)(function)

    return decorate


@pytest.fixture
def kept(request: pytest.FixtureRequest) -> Iterator[Kept]:
    """Give the expected lines of this test's section, or of its section with a name."""
    file = scene_file(path_beside(Path(request.path)))
    test: str = request.node.name
    rules = "; ".join(
        f"{mark.args[0]} {', '.join(mark.args[1:])}" for mark in request.node.iter_markers("rule") if mark.args
    )
    used: set[str] = set()

    def expected(name: str = "") -> Expected:
        title = f"{test}: {name}" if name else test
        assert title not in used, f"{title} is compared twice: give the second a name"
        used.add(title)
        return Expected(file, title, rules)

    yield expected
    if request.node.stash.get(PASSED, False):
        left = [name for name in file.sections if (name == test or name.startswith(f"{test}: ")) and name not in used]
        assert not left, f"{file.path}: never compared: {', '.join(left)}"
