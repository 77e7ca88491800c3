"""Rules coverage: for each rulebook, which rule ids a test proves, which are explained, which are missing.

``python -m tests.rules.coverage`` prints it (``make rules``); `tests.rules.pages` makes pages of it. A function of a
rulebook says with ``@rule(id, ...)`` which rules it carries out, a test with ``@pytest.mark.rule(book, id, ...)`` which
it proves, or its table of cases says so, in its heading or in the column `proves`. The test's word counts if it ran
such a function, and if one runs in a campaign that is entered as the bot enters it (`tests.rules.reached`). Ids that no
program can adjudicate stand in ``tests/rules/<book>.toml`` with the reason and where the rule shows instead.
"""

import ast
import importlib
import inspect
import pkgutil
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from rules_engine import rulebooks
from rules_engine.core.basics.rules import carried_out
from tests.expected.kept import scene_file
from tests.expected.scene_files import path_beside
from tests.expected.spelling import read_cell
from tests.rules.reached import Notes, notes

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent
ENGINE = TESTS.parent / "rules_engine" / "rulebooks"
BASELINE = HERE / "most_missing.toml"
PLAYED = {"border_patrol", "cutler", "jump_lanes", "pq17", "vector"}
"""Books of which every function that carries out a rule runs in a campaign."""


class RuleFunction(NamedTuple):
    """A function that carries out a rule: its file and name, and what its docstring begins with."""

    file: str
    name: str
    says: str


@dataclass
class BookCoverage:
    """One book's ids, and what covers them."""

    book: str
    ids: tuple[str, ...]
    tested: dict[str, list[str]] = field(default_factory=dict)
    explained: dict[str, str] = field(default_factory=dict)
    carried_out: dict[str, list[RuleFunction]] = field(default_factory=dict)
    reached: set[str] = field(default_factory=set[str])
    """Ids of which a test that claims them ran a function that carries them out."""
    headless: set[str] = field(default_factory=set[str])
    """Ids of which a function ran in a campaign entered as the bot enters it."""
    unplayed: list[str] = field(default_factory=list)
    """Functions that carry out rules and ran in no such campaign."""
    unknown: list[str] = field(default_factory=list)

    @property
    def unclaimed(self) -> list[str]:
        """Ids that no test claims and nothing explains, in the book's order."""
        return [one for one in self.ids if one not in self.tested and one not in self.explained]

    @property
    def proved(self) -> list[str]:
        """Ids that a test claims and reaches, and that a campaign comes to, in the book's order."""
        return [one for one in self.ids if one in self.reached and one in self.headless]

    @property
    def missing(self) -> list[str]:
        """Ids that are neither proved nor explained, in the book's order."""
        proved = set(self.proved)
        return [one for one in self.ids if one not in proved and one not in self.explained]

    @property
    def why_missing(self) -> dict[str, list[str]]:
        """The missing ids by what they lack."""
        found: dict[str, list[str]] = defaultdict(list)
        for one in self.missing:
            found[self._lacks(one)].append(one)
        return found

    def _lacks(self, rule: str) -> str:
        if rule not in self.tested:
            return "no test"
        if rule not in self.carried_out:
            return "no function"
        return "not reached by its tests" if rule not in self.reached else "not reached in campaigns"


def book_ids(book: str) -> tuple[str, ...]:
    """All rule ids of a book, in its order."""
    lines = (HERE / "ids" / f"{book}.ids").read_text(encoding="utf-8").splitlines()
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def books() -> list[str]:
    """The books with an id list."""
    return sorted(path.stem for path in (HERE / "ids").glob("*.ids"))


def written() -> list[str]:
    """The books that have a package, those among them that nobody can play yet."""
    return [book for book in books() if (ENGINE / book / "__init__.py").is_file()]


@cache
def marks() -> tuple[tuple[str, str, str], ...]:
    """Every (book, id, test) that a test's marker claims; the test as pytest names it. The sources are read once."""
    return tuple(_marks())


def _marks() -> Iterator[tuple[str, str, str]]:
    for path in sorted(TESTS.rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        tests = _marked_tests(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _is_rule_mark(node.func):
                words = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
                if len(words) != len(node.args) or len(words) < 2:
                    raise SystemExit(f"{path}:{node.lineno}: a rule marker takes a book and ids as plain strings")
                if not tests.get(node):
                    raise SystemExit(f"{path}:{node.lineno}: a rule marker that decorates no test")
                for rule in words[1:]:
                    for test in tests[node]:
                        yield words[0], rule, f"{path.relative_to(TESTS)}::{test}"
            elif (columns := _columns_of_cases(node)) is not None:
                for test in (name for name in tests[node] if name.startswith("test_")):
                    for book, rule in _proved_by_cases(path, test, columns):
                        yield book, rule, f"{path.relative_to(TESTS)}::{test}"


def _columns_of_cases(node: ast.AST) -> list[str] | None:
    """The columns of a table of cases; None of anything else."""
    match node:
        case ast.Call(func=ast.Name(id="cases"), args=[ast.Constant(value=str() as columns), *_]):
            return [name.strip() for name in columns.split(",")]
        case _:
            return None


def _proved_by_cases(path: Path, test: str, columns: list[str]) -> Iterator[tuple[str, str]]:
    """Every (book, id) that a test's table claims: in the heading of its section, and in the lines' column `proves`."""
    file = scene_file(path_beside(path))
    yield from ((book, rule) for book, *ids in file.proved(test) for rule in ids)
    if "proves" not in columns:
        return
    for cells in file.cells(test):
        book, *ids = str(read_cell(cells[columns.index("proves")])).replace(",", " ").split() or [""]
        yield from ((book, rule) for rule in ids)


def _marked_tests(tree: ast.AST) -> dict[ast.AST, list[str]]:
    """The names of the tests that each part of a decorator decorates; a marker may have been given a name before."""
    named = {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    found: dict[ast.AST, list[str]] = defaultdict(list)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for decorator in node.decorator_list:
                meant = named.get(decorator.id, decorator) if isinstance(decorator, ast.Name) else decorator
                for part in ast.walk(meant):
                    found[part].append(node.name)
    return found


def _is_rule_mark(func: ast.expr) -> bool:
    return (
        isinstance(func, ast.Attribute)
        and func.attr == "rule"
        and isinstance(func.value, ast.Attribute)
        and func.value.attr == "mark"
    )


@cache
def functions(book: str) -> tuple[tuple[str, RuleFunction], ...]:
    """Every (id, function) that says what it carries out, in a book's package."""
    return tuple(_functions(book))


def _functions(book: str) -> Iterator[tuple[str, RuleFunction]]:
    if book not in written():
        return
    package = importlib.import_module(f"{rulebooks.__name__}.{book}")
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
    for rule, found in carried_out[book].items():
        for function in found:
            says = " ".join((function.__doc__ or "").split("\n\n")[0].split())
            file = Path(inspect.getsourcefile(function) or "").relative_to(ENGINE)
            yield rule, RuleFunction(file.as_posix(), function.__name__, says)


def explanations(book: str) -> dict[str, str]:
    """The explained ids of a book, with their reasons."""
    path = HERE / f"{book}.toml"
    if not path.exists():
        return {}
    return {str(rule): str(why) for rule, why in tomllib.loads(path.read_text(encoding="utf-8")).items()}


def coverage(notes: Notes | None = None) -> dict[str, BookCoverage]:
    """The coverage of every book. Without notes nothing is known of what is reached."""
    found = {book: BookCoverage(book, book_ids(book), explained=explanations(book)) for book in books()}
    tested: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for book, rule, where in marks():
        if book not in found or rule not in found[book].ids:
            found.setdefault(book, BookCoverage(book, ())).unknown.append(f"{where}: {book} {rule}")
        else:
            tested[book][rule].append(where)
    for book, one in found.items():
        for rule, function in functions(book):
            one.carried_out.setdefault(rule, []).append(function)
        one.tested = dict(tested[book])
        one.unknown += [
            f"@rule of {found[0].name}: {rule}" for rule, found in one.carried_out.items() if rule not in one.ids
        ]
        if notes is not None:
            one.reached = {rule for rule in one.tested if notes.reaches(one.tested[rule], (book, rule))}
            one.headless = {rule for key, rule in notes.headless if key == book}
            carrying = {f"{one.file}:{one.name}" for some in one.carried_out.values() for one in some}
            one.unplayed = sorted(carrying - notes.played)
        one.unknown += [f"{book}.toml: {rule}" for rule in one.explained if rule not in one.ids]
    return found


def main() -> int:
    """Print the table; exit 1 when an id is named that its book does not have, or a book misses more than it may."""
    console = Console()
    table = Table("rulebook", "total", "claimed", "proved", "explained", "missing")
    found = coverage(notes())
    for one in found.values():
        only_explained = [rule for rule in one.explained if rule not in one.proved]
        counts = (len(one.ids), len(one.tested), len(one.proved), len(only_explained), len(one.missing))
        table.add_row(one.book, *map(str, counts))
    console.print(table)
    for one in found.values():
        for why, missing in one.why_missing.items():
            console.print(f"[bold]{one.book}[/], {why}: {' '.join(missing)}", highlight=False, soft_wrap=True)
        if one.unplayed:
            console.print(
                f"[bold]{one.book}[/], run in no campaign: {' '.join(one.unplayed)}", highlight=False, soft_wrap=True
            )
    unknown = [line for one in found.values() for line in one.unknown]
    for line in unknown:
        console.print(f"[red]no such rule id:[/] {line}", highlight=False)
    fallen = [book for book, most in most_missing().items() if len(found[book].missing) > most]
    for book in fallen:
        console.print(f"[red]{book} misses more than the {most_missing()[book]} of {BASELINE.name}[/]", highlight=False)
    idle = [book for book in sorted(PLAYED) if found[book].unplayed]
    for book in idle:
        console.print(
            f"[red]not every function of {book} that carries out a rule runs in a campaign[/]: write one that does, or "
            "name a case of tests/everyday/nightly.txt that does in played.txt beside it",
            highlight=False,
        )
    return 1 if unknown or fallen or idle else 0


def most_missing() -> dict[str, int]:
    """How many rules each book may miss: it may fall, and never rise."""
    return {book: int(most) for book, most in tomllib.loads(BASELINE.read_text(encoding="utf-8")).items()}


if __name__ == "__main__":
    sys.exit(main())
