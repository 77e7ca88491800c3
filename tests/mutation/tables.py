"""Printed tables: the numbers in a text, and in the data files that hold a book's tables."""

import re
import tomllib
from collections.abc import Iterator

from tests.mutation.changes import Edit, Site

PRINTED = {"pq17": ("config/scenarios/pq17/campaign/scenario.toml", "config/scenarios/pq17/campaign/schedule.toml")}
"""Data that the book prints. What is invented (ships, costs of repair, introductory maps) cannot be wrong."""

_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
_TOKEN = re.compile(r"#.*|\"(?P<text>[^\"]*)\"|(?P<number>(?<![\w.+-])\d+(?:\.\d+)?(?![\w.+-]|\s*=))|[\w.+-]+")
_OF_NUMBERS = re.compile(r"[\d\s/,.-]*\d[\d\s/,.-]*")


def next_number(text: str) -> str:
    """One more, as wide as before: ``09`` becomes ``10``; in the last place of a decimal."""
    whole, dot, rest = text.partition(".")
    return f"{whole}.{int(rest) + 1:0{len(rest)}}" if dot else f"{int(whole) + 1:0{len(whole)}}"


def number_before(text: str) -> str | None:
    """One less, as wide as before; None below nought."""
    whole, dot, rest = text.partition(".")
    last = int(rest if dot else whole) - 1
    if last < 0:
        return None
    return f"{whole}.{last:0{len(rest)}}" if dot else f"{last:0{len(whole)}}"


def number_edits(start: int, text: str, *, padded: bool = True) -> tuple[Edit, ...]:
    """A number that stands at ``start``, one more or one less; not ``padded``, it has no noughts in front."""
    other = (one for one in (next_number(text), number_before(text)) if one is not None)
    plain = (one if padded else re.sub(r"^0+(?=\d)", "", one) for one in other)
    return tuple(Edit(start, start + len(text), one) for one in plain)


def numbers_in(start: int, text: str) -> Iterator[tuple[int, str]]:
    """The numbers in a text that stands at ``start``, and where each begins; ``F5`` is none."""
    yield from ((start + found.start(), found[0]) for found in _NUMBER.finditer(text))


def is_table(text: str) -> bool:
    """Whether a text has at least as many numbers as words, and two of them."""
    numbers = len(_NUMBER.findall(text))
    return numbers >= 2 and numbers >= len(re.findall(r"[a-z]{3,}", text))


def data_sites(path: str, text: str) -> Iterator[Site]:
    """The numbers of a TOML file that are values, or stand in values that hold nothing else, unless it says that they
    are invented: of the line in a comment, of the table by its ``source``."""
    tomllib.loads(text)
    place, blocks = 0, re.split(r"(?m)^(?=\[)", text)
    line = 1
    for block in blocks:
        is_invented = 'source = "invented"' in block
        for row in block.splitlines(keepends=True):
            if not is_invented and "invented" not in row and not row.startswith("["):
                yield from _row_sites(path, row, place, line)
            place += len(row)
            line += 1


def _row_sites(path: str, row: str, place: int, line: int) -> Iterator[Site]:
    indent = len(row) - len(row.lstrip())
    for start, number, is_text in _values(row):
        yield Site(
            path=path,
            kind="table entry",
            line=line,
            text=row.strip(),
            column=start - indent + 1,
            reach=range(line, line + 1),
            in_function=False,
            names=(),
            edits=number_edits(place + start, number, padded=is_text),
        )


def _values(row: str) -> Iterator[tuple[int, str, bool]]:
    for found in _TOKEN.finditer(row):
        if found["number"] is not None:
            yield found.start(), found["number"], False
        elif found["text"] is not None and _OF_NUMBERS.fullmatch(found["text"]):
            yield from ((start, one, True) for start, one in numbers_in(found.start("text"), found["text"]))
