"""The statements of a Python file, line by line: what belongs to which function, and what is made at import."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["code", "import", "docstring"]


@dataclass(frozen=True)
class Piece:
    """A statement without those inside it. Lines count from 1."""

    lines: range
    reach: range
    """Who runs one of these lines may run the statement: of a function's head, the whole function."""
    owner: str
    """The function or class that it stands in, ``Fleet.sail``; nothing at the top of the file."""
    in_function: bool
    """Whether it runs when something is called, and not when the file is imported."""
    names: tuple[str, ...]
    """Those by which others may use it: of what it makes at import, of its classes and function."""
    kind: Kind = "code"

    @property
    def belongs(self) -> tuple[str, tuple[str, ...]]:
        """What it shares with the statements of its function, or at import with what makes the same names."""
        return self.owner, () if self.in_function else self.names


class Pieces:
    """The statements of a text. Where it cannot be parsed, there are none."""

    def __init__(self, text: str) -> None:
        self._rows = text.splitlines()
        self._by_line: dict[int, Piece] = {}
        try:
            body = ast.parse(text).body
        except (SyntaxError, ValueError):
            body = []
        for piece in _body(body, "", (), in_function=False):
            self._by_line.update(dict.fromkeys(piece.lines, piece))

    def at(self, line: int) -> Piece | None:
        """Give the statement that a line belongs to; a line with nothing but ``else:`` belongs to the next."""
        if line in self._by_line or not self._says_something(line):
            return self._by_line.get(line)
        following = range(line, len(self._rows) + 1)
        return next((self._by_line[later] for later in following if later in self._by_line), None)

    def is_code(self, line: int) -> bool:
        """Tell code from what is read by people alone: comments, docstrings and empty lines."""
        if line in self._by_line:
            return self._by_line[line].kind != "docstring"
        return self._says_something(line)

    def code_around(self, before: int, after: int) -> list[int]:
        """Give the nearest line of code from ``before`` up, and from ``after`` down."""
        up = next((line for line in range(before, 0, -1) if self.is_code(line)), None)
        down = next((line for line in range(after, len(self._rows) + 1) if self.is_code(line)), None)
        return [line for line in (up, down) if line is not None]

    def _says_something(self, line: int) -> bool:
        row = self._rows[line - 1].strip() if 0 < line <= len(self._rows) else ""
        return bool(row) and not row.startswith("#")


def is_same_code(before: str, after: str) -> bool:
    """Tell whether two texts differ in comments and the breaking of lines alone."""
    try:
        return ast.dump(ast.parse(before)) == ast.dump(ast.parse(after))
    except (SyntaxError, ValueError):
        return False


def _body(body: Iterable[ast.stmt], owner: str, names: tuple[str, ...], *, in_function: bool) -> Iterator[Piece]:
    for node in body:
        yield from _statement(node, owner, names, in_function=in_function)


def _statement(node: ast.stmt, owner: str, names: tuple[str, ...], *, in_function: bool) -> Iterator[Piece]:
    decorators = [one.lineno for one in getattr(node, "decorator_list", ())]
    first, last = min([node.lineno, *decorators]), node.end_lineno or node.lineno
    inside = list(_inside(node))
    head = range(first, max(node.lineno, min((_first(one) for one in inside), default=last + 1) - 1) + 1)
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            inner = f"{owner}.{name}" if owner else name
            yield Piece(head, range(first, last + 1), inner, in_function, (name,))
            yield from _body(inside, inner, (*names, name), in_function=True)
        case ast.ClassDef(name=name):
            inner = f"{owner}.{name}" if owner else name
            yield Piece(head, head, inner, in_function, (*names, name))
            yield from _body(inside, inner, (*names, name), in_function=in_function)
        case ast.Import() | ast.ImportFrom():
            yield Piece(head, head, owner, in_function, names, "import")
        case ast.Expr(value=ast.Constant(value=str())):
            yield Piece(head, head, owner, in_function, names, "docstring")
        case _:
            yield Piece(head, head, owner, in_function, names if in_function else (*names, *_made(node)))
            yield from _body(inside, owner, names, in_function=in_function)


def _inside(node: ast.stmt) -> Iterator[ast.stmt]:
    """Give the statements directly inside another."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        elif isinstance(child, ast.ExceptHandler | ast.match_case):
            yield from child.body


def _first(node: ast.stmt) -> int:
    return min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])


def _made(node: ast.stmt) -> tuple[str, ...]:
    """Give the names that an assignment at import makes."""
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return tuple(one.id for target in targets if target for one in ast.walk(target) if isinstance(one, ast.Name))
