"""Who may notice what is made at import: whoever names it, or names something that was made of it."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.reached.data import Reached, Test


@dataclass(frozen=True)
class _Part:
    """A function, or a statement outside of one."""

    path: str
    lines: range
    mentions: frozenset[str]
    makes: tuple[str, ...]
    is_function: bool


class Names:
    """The names that the rules and their tests use. ``texts`` are read in place of files, by path."""

    def __init__(
        self, root: Path, reached: Reached, folders: Iterable[str], texts: Mapping[str, str] | None = None
    ) -> None:
        self._reached = reached
        folders = tuple(folders)
        files = (path for folder in folders for path in sorted((root / folder).rglob("*.py")))
        within = tuple(f"{folder}/" for folder in folders)
        known = {path: text for path, text in (texts or {}).items() if path.startswith(within)}
        read = {path.relative_to(root).as_posix(): path for path in files}
        everything = {path: file.read_text(encoding="utf-8") for path, file in read.items() if path not in known}
        self._parts = [part for path, text in sorted({**everything, **known}.items()) for part in _parts(path, text)]

    def tests_of(self, names: Iterable[str]) -> set[Test]:
        """The tests that run a function that uses one of the names, or something made of them at import, and those in
        whose file one is used."""
        known, todo = set(names), set(names)
        parts: set[_Part] = set()
        while todo:
            found = {part for part in self._parts if part not in parts and part.mentions & todo}
            parts |= found
            todo = {name for part in found if self._runs_at_import(part) for name in part.makes} - known
            known |= todo
        tests: set[Test] = set()
        for part in parts:
            if part.is_function and not _is_test(part.path):
                tests |= self._reached.tests_reaching_any(part.path, part.lines)
        files = {part.path for part in parts if _is_test(part.path)}
        return tests | {test for test in self._reached.tests.values() if test.file in files}

    def _runs_at_import(self, part: _Part) -> bool:
        """Helpers of tests are not measured, and count as if they did."""
        if not part.is_function or part.path.startswith("tests/"):
            return not _is_test(part.path)
        return not self._reached.at_import(part.path).isdisjoint(part.lines[1:])


def _is_test(path: str) -> bool:
    return path.rpartition("/")[2].startswith("test_")


def _parts(path: str, text: str) -> Iterator[_Part]:
    try:
        body = ast.parse(text).body
    except SyntaxError:  # somebody is still writing it, and nothing was recorded of it
        return
    yield from _inside(path, body, ())


def _inside(path: str, body: Iterable[ast.stmt], around: tuple[str, ...]) -> Iterator[_Part]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _inside(path, node.body, (*around, node.name))
            yield _Part(path, range(node.lineno, node.lineno + 1), _names(*node.bases), (node.name,), False)
        elif isinstance(node, ast.If | ast.Try):
            yield from _inside(path, [*node.body, *node.orelse], around)
        elif not isinstance(node, ast.Import | ast.ImportFrom):
            lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            yield _Part(path, lines, _names(node), (*around, *_made(node)), is_function)


def _made(node: ast.stmt) -> tuple[str, ...]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return (name,)
        case ast.Assign(targets=targets):
            return tuple(one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)):
            return (name,)
    return ()


def _names(*nodes: ast.AST) -> frozenset[str]:
    found: set[str] = set()
    for node in nodes:
        for one in ast.walk(node):
            if isinstance(one, ast.Name):
                found.add(one.id)
            elif isinstance(one, ast.Attribute):
                found.add(one.attr)
    return frozenset(found)
