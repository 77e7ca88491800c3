"""Rules coverage: for each rulebook, which rule ids a test proves, which are explained, which are missing.

``python -m tests.rules.coverage`` prints it (``make rules``); `tests.rules.pages` makes pages of it. A function carries
out the rules that its docstring names. Tests say which rules they prove with ``@pytest.mark.rule(book, id, ...)``; ids
that no program can adjudicate stand in ``tests/rules/<book>.toml`` with the reason and where the rule shows instead.
"""

import ast
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent
ENGINE = TESTS.parent / "rules_engine" / "rulebooks"


class RuleFunction(NamedTuple):
    """A function or class that carries out a rule: its file and name, and what its docstring begins with."""

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
    unknown: list[str] = field(default_factory=list)

    @property
    def missing(self) -> list[str]:
        """Ids that nothing covers, in the book's order."""
        return [one for one in self.ids if one not in self.tested and one not in self.explained]


def book_ids(book: str) -> tuple[str, ...]:
    """All rule ids of a book, in its order."""
    lines = (HERE / "ids" / f"{book}.ids").read_text(encoding="utf-8").splitlines()
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def books() -> list[str]:
    """The books with an id list."""
    return sorted(path.stem for path in (HERE / "ids").glob("*.ids"))


def marks() -> Iterator[tuple[str, str, str]]:
    """Every (book, id, test) that a test's marker claims; the test as pytest names it."""
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


def functions(book: str) -> Iterator[tuple[str, RuleFunction]]:
    """Every (id, function) that a docstring of the book's package names."""
    ids = set(book_ids(book))
    for path in sorted((ENGINE / book).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                text = ast.get_docstring(node) or ""
                says = " ".join(text.split("\n\n")[0].split())
                for word in dict.fromkeys(re.findall(r"[A-Za-z]*\d[\w.]*\w|\d", text)):
                    if word in ids:
                        yield word, RuleFunction(str(path.relative_to(ENGINE)), node.name, says)


def explanations(book: str) -> dict[str, str]:
    """The explained ids of a book, with their reasons."""
    path = HERE / f"{book}.toml"
    if not path.exists():
        return {}
    return {str(rule): str(why) for rule, why in tomllib.loads(path.read_text(encoding="utf-8")).items()}


def coverage() -> dict[str, BookCoverage]:
    """The coverage of every book."""
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
        one.unknown += [f"{book}.toml: {rule}" for rule in one.explained if rule not in one.ids]
    return found


def main() -> int:
    """Print the table; exit 1 when a marker names an id that its book does not have."""
    console = Console()
    table = Table("rulebook", "total", "tested", "explained", "missing")
    found = coverage()
    for one in found.values():
        only_explained = [rule for rule in one.explained if rule not in one.tested]
        counts = (len(one.ids), len(one.tested), len(only_explained), len(one.missing))
        table.add_row(one.book, *map(str, counts))
    console.print(table)
    for one in found.values():
        if one.missing:
            console.print(f"[bold]{one.book}[/] missing: {' '.join(one.missing)}", highlight=False, soft_wrap=True)
    unknown = [line for one in found.values() for line in one.unknown]
    for line in unknown:
        console.print(f"[red]no such rule id:[/] {line}", highlight=False)
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
