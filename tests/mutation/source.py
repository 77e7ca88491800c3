"""A Python file and where its nodes stand in it, in characters and not in bytes."""

import ast
from functools import cached_property


class Source:
    """The text of a file, parsed. Raises SyntaxError."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.text = path, text
        self.tree = ast.parse(text)

    @cached_property
    def lines(self) -> list[str]:
        """With their ends."""
        return self.text.splitlines(keepends=True)

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        for line in self.lines:
            starts.append(starts[-1] + len(line))
        return starts

    def place(self, line: int, column: int) -> int:
        """Where a node's line (from 1) and column (in bytes) are in the text."""
        row = self.lines[line - 1] if line <= len(self.lines) else ""
        return self._starts[line - 1] + len(row.encode()[:column].decode())

    def line_of(self, place: int) -> int:
        """The line (from 1) that a place is on."""
        low, high = 0, len(self._starts) - 1
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self._starts[middle] <= place else (low, middle - 1)
        return low + 1

    def row(self, line: int) -> str:
        """A whole line, without what it is indented by."""
        return self.lines[line - 1].strip()

    def column(self, place: int) -> int:
        """Where in :meth:`row` a place is, from 1."""
        line = self.line_of(place)
        row = self.lines[line - 1]
        return place - self._starts[line - 1] - (len(row) - len(row.lstrip())) + 1

    def start(self, node: ast.expr) -> int:
        """Where a node begins."""
        return self.place(node.lineno, node.col_offset)

    def end(self, node: ast.expr) -> int:
        """Where it ends."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.place(node.end_lineno, node.end_col_offset)

    def segment(self, node: ast.expr) -> str:
        """What it is written as, without brackets around it."""
        return self.text[self.start(node) : self.end(node)]

    def stands_where_it_says(self, node: ast.expr) -> bool:
        """Whether its place can be trusted, which inside a formatted string it cannot before Python 3.12."""
        try:
            return ast.dump(ast.parse(f"({self.segment(node)})", mode="eval").body) == ast.dump(node)
        except (SyntaxError, UnicodeDecodeError):
            return False
