"""Rules coverage: for each rulebook, which rule ids a test proves, which are explained, which are missing.

``python -m tests.rules.coverage`` prints it (``make rules``); with ``--page FILE`` it also writes a page that leads
from each rule to the functions that carry it out (their docstrings name it) and to its tests. Tests say which rules
they prove with ``@pytest.mark.rule(book, id, ...)``; ids that no program can adjudicate stand in
``tests/rules/<book>.toml`` with the reason and where the rule shows instead.
"""

import ast
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent
ENGINE = TESTS.parent / "rules_engine" / "rulebooks"


@dataclass
class BookCoverage:
    """One book's ids, and what covers them."""

    book: str
    ids: tuple[str, ...]
    tested: dict[str, list[str]] = field(default_factory=dict)
    explained: dict[str, str] = field(default_factory=dict)
    carried_out: dict[str, list[str]] = field(default_factory=dict)
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
    """Every (book, id, where) that a test's marker claims."""
    for path in sorted(TESTS.rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _is_rule_mark(node.func):
                words = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
                if len(words) != len(node.args) or len(words) < 2:
                    raise SystemExit(f"{path}:{node.lineno}: a rule marker takes a book and ids as plain strings")
                for rule in words[1:]:
                    yield words[0], rule, f"{path.relative_to(TESTS)}:{node.lineno}"


def _is_rule_mark(func: ast.expr) -> bool:
    return (
        isinstance(func, ast.Attribute)
        and func.attr == "rule"
        and isinstance(func.value, ast.Attribute)
        and func.value.attr == "mark"
    )


def functions(book: str) -> Iterator[tuple[str, str]]:
    """Every (id, where) that a docstring of the book's package names."""
    ids = set(book_ids(book))
    for path in sorted((ENGINE / book).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                text = ast.get_docstring(node) or ""
                for word in dict.fromkeys(re.findall(r"[A-Za-z]*\d[\w.]*\w|\d", text)):
                    if word in ids:
                        yield word, f"{path.relative_to(ENGINE)}: {node.name}"


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
        for rule, where in functions(book):
            one.carried_out.setdefault(rule, []).append(where)
        one.tested = dict(tested[book])
        one.unknown += [f"{book}.toml: {rule}" for rule in one.explained if rule not in one.ids]
    return found


def page(found: dict[str, BookCoverage]) -> str:
    """From each rule to its functions and tests, as a page to read."""
    rows = ["# Which rule lives where", ""]
    for one in found.values():
        rows += [f"## {one.book}", "", "| rule | carried out by | proved by |", "|---|---|---|"]
        for rule in one.ids:
            proved = "; ".join(one.tested.get(rule, ())) or one.explained.get(rule, "")
            if proved or rule in one.carried_out:
                rows.append(f"| {rule} | {'; '.join(one.carried_out.get(rule, ()))} | {proved} |")
        rows.append("")
    return "\n".join(rows)


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
    if len(sys.argv) == 3 and sys.argv[1] == "--page":
        Path(sys.argv[2]).write_text(page(found), encoding="utf-8")
    unknown = [line for one in found.values() for line in one.unknown]
    for line in unknown:
        console.print(f"[red]no such rule id:[/] {line}", highlight=False)
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
