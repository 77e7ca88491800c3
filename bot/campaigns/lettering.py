"""Names of scenarios that no map could show: its fonts have no such letters, and would leave them out in silence."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from rules_engine.core.basics.refusals import Refusal, not_drawn

NOT_DRAWN = frozenset({"title", "source", "text", "note", "description"})
"""Keys of scenarios' files whose texts stand in messages alone; all others may come onto a map or a counter."""


def unlettered(files: Mapping[str, str]) -> list[Refusal]:
    """The names in a scenario's files that maps cannot show, each with its file, its key and the letters."""
    found: list[Refusal] = []
    for name, text in sorted(files.items()):
        if text.isascii():
            continue
        if name.endswith(".csv"):
            rows = [(f"{name} (line {number})", row) for number, row in enumerate(text.splitlines(), 1)]
            found += _refusals(rows)
            continue
        try:
            document = tomllib.loads(text.removeprefix("\ufeff"))
        except (ValueError, RecursionError):  # the book says what is wrong with it
            continue
        found += _refusals(_names(document, name))
    return found


def _refusals(said: Iterable[tuple[str, str]]) -> Iterator[Refusal]:
    for path, text in said:
        yield from not_drawn(text, path)


def _names(part: object, path: str, key: str = "") -> Iterator[tuple[str, str]]:
    """The texts below a part of a file that are drawn, each with its path."""
    if isinstance(part, dict):
        for below, one in cast("dict[str, Any]", part).items():
            yield from _names(one, f"{path}.{below}", below)
    elif isinstance(part, list):
        for number, one in enumerate(cast("list[Any]", part)):
            yield from _names(one, f"{path}.{number}", key)
    elif isinstance(part, str) and key not in NOT_DRAWN:
        yield path, part
