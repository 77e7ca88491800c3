"""Spell values as lines of a text file, and read the cells of a table back."""

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

LITERAL = re.compile(r"""[\[{('"]|-?\d+(?:\.\d+)?$|(?:True|False|None)$|b['"]""")
"""How a cell begins that is read as a Python literal. Any other cell is text as it stands."""
RESERVED = ("=", "#", "|", "\\", "'", '"')


def spell(value: object) -> list[str]:
    """Spell a value as lines: an item of a list is a line, a mapping's values are indented below its keys."""
    return list(_lines(value))


def _lines(value: object) -> Iterator[str]:
    match value:
        case str():
            first, *rest = value.split("\n")
            yield _plain(first)
            yield from (f"| {row}" for row in rest)
        case Mapping():
            for key, inner in value.items():
                spelled = spell(inner)
                if len(spelled) == 1 and not isinstance(inner, Mapping | list):
                    yield f"{_name(key)}: {spelled[0]}"
                else:
                    yield f"{_name(key)}:" if spelled else f"{_name(key)}: {inner!r}"
                    yield from (f"  {row}" for row in spelled)
        case list() | tuple() if value and any(isinstance(one, list | Mapping) for one in value):
            for one in value:
                spelled = spell(one)
                yield from (f"{'- ' if place == 0 else '  '}{row}" for place, row in enumerate(spelled))
                if not spelled:
                    yield f"- {one!r}"
        case list() if value:
            for one in value:
                yield from _lines(one)
        case tuple() if value:
            yield " | ".join(one if isinstance(one, str) else repr(one) for one in value).replace("\n", "\\n")
        case list() | tuple() | set() | frozenset() if not value:
            return
        case set() | frozenset():
            yield from sorted(row for one in value for row in _lines(one))
        case _:
            yield repr(value)


def _name(key: object) -> str:
    return " ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _plain(text: str) -> str:
    """A line that no other value is spelled like, and that no editor spoils."""
    return repr(text) if not text or text != text.strip() or text.startswith(RESERVED) else text


def write_cell(value: object) -> str:
    """Write one cell of a table, so that `read_cell` gives the value back."""
    if isinstance(value, str) and _is_bare(value):
        return value
    return repr(value)


def _is_bare(text: str) -> bool:
    return bool(text) and text == text.strip() and not LITERAL.match(text) and "\n" not in text and " | " not in text


def read_cell(cell: str) -> Any:
    """Read one cell: a Python literal where it begins like one, else the text itself."""
    return ast.literal_eval(cell) if LITERAL.match(cell) else cell


def evaluated(cell: object, notation: Mapping[str, Any]) -> Any:
    """Give what a cell makes that is an expression in a notation: `small(races=1)`, of names that the test defines.

    A cell that was read as a literal, such as a list, is given as it is.
    """
    # The tables are as much our own as the tests beside them.
    return eval(cell, dict(notation)) if isinstance(cell, str) else cell
