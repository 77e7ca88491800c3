"""Kinds of reports, asks and pictures: which a rulebook's package can make, and which the cases of two worlds compare.

A case is a test marked ``@pytest.mark.unseen(book, reports=(...), asks=(...), pictures=(...))``: two worlds that differ
only in what a side was not told look alike to it, and reports, asks and pictures of these kinds come up in it, for any
side. That they do is checked while the test runs (``tests/conftest.py``).
"""

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

from rules_engine.core.knowledge.views import Counter, Course
from rules_engine.core.protocol.asks import Ask
from rules_engine.core.protocol.turn_context import TurnContext

TESTS = Path(__file__).resolve().parents[1]
ENGINE = TESTS.parent / "rules_engine"
NEWS = "news"
"""The kind of a report for which none is said."""


class Unclear(Exception):
    """A kind is not written where it can be read: as plain text, or handed to the function as plain text."""


@dataclass
class Kinds:
    """Kinds, with where each comes from."""

    reports: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    asks: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    pictures: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """What boards hold that is drawn: counters by their form, courses by their kind (``counter base``)."""


def kinds_of(book: str) -> Kinds:
    """Every kind of report and ask that a book's package can produce, the core's own among them."""
    found = Kinds()
    for path in sorted([*(ENGINE / "rulebooks" / book).rglob("*.py"), *(ENGINE / "core").rglob("*.py")]):
        text = path.read_text(encoding="utf-8")
        if ".tell" not in text and "Ask" not in text:
            continue
        tree = ast.parse(text)
        for function, call in _calls(tree):
            name = _name(call.func)
            here = f"{path.relative_to(ENGINE)}:{call.lineno}"
            if name in ("tell", "tell_all") and not (path.name == "table.py" and function is not None):
                for kind in _kinds(tree, function, call, here, NEWS):
                    found.reports.setdefault(kind, []).append(here)
            elif name == "Ask":
                for kind in _kinds(tree, function, call, here, None):
                    found.asks.setdefault(kind, []).append(here)
    return found


def pictures_of(book: str) -> dict[str, list[str]]:
    """Every form of counter and kind of course that a book's boards can hold, with where each is written: whatever is
    said as ``form`` of a counter or of a function that makes one, or as ``kind`` of a course."""
    found: dict[str, list[str]] = {}
    for path in sorted((ENGINE / "rulebooks" / book / "shown").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        makers = {"Counter"} | {function.name for function, call in _calls(tree) if function and _passes_form(call)}
        for _, call in _calls(tree):
            name, here = _name(call.func), f"{path.relative_to(ENGINE)}:{call.lineno}"
            wanted = "form" if name in makers else "kind" if name == "Course" else None
            for one in (one.value for one in call.keywords if one.arg == wanted):
                for word in (node.value for node in ast.walk(one) if isinstance(node, ast.Constant)):
                    if isinstance(word, str):
                        found.setdefault(f"{'counter' if wanted == 'form' else 'course'} {word}", []).append(here)
    return found


def _passes_form(call: ast.Call) -> bool:
    form = next((one.value for one in call.keywords if one.arg == "form"), None)
    return _name(call.func) == "Counter" and isinstance(form, ast.Name)


def _calls(tree: ast.AST) -> Iterator[tuple[ast.FunctionDef | None, ast.Call]]:
    """Every call, with the function that it stands in."""
    waiting: list[tuple[ast.FunctionDef | None, ast.AST]] = [(None, tree)]
    while waiting:
        function, node = waiting.pop()
        if isinstance(node, ast.Call):
            yield function, node
        inside = node if isinstance(node, ast.FunctionDef) else function
        waiting += [(inside, one) for one in ast.iter_child_nodes(node)]


def _name(func: ast.expr) -> str:
    if isinstance(func, ast.Subscript):
        func = func.value
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


def _kinds(
    tree: ast.AST, function: ast.FunctionDef | None, call: ast.Call, here: str, usual: str | None
) -> Iterator[str]:
    """The kinds of one call: as written, or as passed by the function's callers."""
    given = next((one.value for one in call.keywords if one.arg == "kind"), None)
    if given is None and usual is not None:
        yield usual
    elif isinstance(given, ast.Constant) and isinstance(given.value, str):
        yield given.value
    elif isinstance(given, ast.Name) and function is not None:
        names = [one.arg for one in (*function.args.args, *function.args.kwonlyargs)]
        if given.id not in names:
            raise Unclear(here)
        for _, user in _calls(tree):
            if _name(user.func) == function.name:
                yield _handed_over(user, given.id, names.index(given.id), here)
    else:
        raise Unclear(here)


def _handed_over(call: ast.Call, name: str, at: int, here: str) -> str:
    given = next((one.value for one in call.keywords if one.arg == name), None)
    value = given if given is not None else call.args[at] if at < len(call.args) else None
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return value.value
    raise Unclear(f"{here}, as called in line {call.lineno}")


def kinds_compared(book: str) -> Kinds:
    """The kinds that tests name as compared."""
    found = Kinds()
    for path in sorted(TESTS.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        for _, call in _calls(ast.parse(text)) if "mark.unseen" in text else ():
            if _name(call.func) != "unseen" or not call.args or ast.literal_eval(call.args[0]) != book:
                continue
            here = f"{path.relative_to(TESTS)}:{call.lineno}"
            for one in call.keywords:
                into = {"reports": found.reports, "asks": found.asks, "pictures": found.pictures}[one.arg or ""]
                for kind in ast.literal_eval(one.value):
                    into.setdefault(kind, []).append(here)
    return found


@contextmanager
def watching() -> Iterator[Kinds]:
    """The kinds that come up meanwhile."""
    seen = Kinds()
    real_tell, real_made, real_counter, real_course = (
        TurnContext.tell, Ask.__post_init__, Counter.__init__, Course.__init__,
    )  # fmt: skip

    def tell(self: Any, *given: Any, **more: Any) -> Any:
        report = real_tell(self, *given, **more)
        seen.reports.setdefault(report.kind, []).append(report.place)
        return report

    def made(self: Any) -> None:
        real_made(self)
        seen.asks.setdefault(self.kind, []).append(self.title)

    def counted(self: Any, **given: Any) -> None:
        real_counter(self, **given)
        seen.pictures.setdefault(f"counter {self.form}", []).append(self.hex)

    def plotted(self: Any, **given: Any) -> None:
        real_course(self, **given)
        seen.pictures.setdefault(f"course {self.kind}", []).append(self.counter)

    with (
        mock.patch.object(TurnContext, "tell", tell),
        mock.patch.object(Ask, "__post_init__", made),
        mock.patch.object(Counter, "__init__", counted),
        mock.patch.object(Course, "__init__", plotted),
    ):
        yield seen
