"""Lists of items as they are written: ``6 CA, 2 CAC + AWR refit, DDS drones 4``.

Items are separated by commas, semicolons or lines: a count (1 if none is given), a name, additions after plus signs,
and extras, each a word with a figure. What a name may stand for is judged elsewhere.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from rules_engine.core.basics.rational import parse_rational
from rules_engine.core.basics.refusals import Refusal, malformed

MOST_AT_ONCE = 99
"""The most of one item."""

_BETWEEN = re.compile(r"[,\n;]")
_COUNTED = re.compile(r"(?P<count>\d{1,3})\s*(?:[x×*]\s*|\s+)(?P<rest>\S.*)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class ListedItem:
    """One item as it is written: how many of what, with its additions and the figures of its extras."""

    count: int
    name: str
    additions: tuple[str, ...] = ()
    extras: Mapping[str, Fraction] = field(default_factory=dict[str, Fraction])


class ItemNotation:
    """How the items of a list are written: the words of its ``extras``, and what their figures count."""

    def __init__(self, extras: Sequence[str], counts: str) -> None:
        self._extra = re.compile(rf"\b(?P<what>{'|'.join(extras)})\s+(?P<points>\d[\d./]*)", re.IGNORECASE)
        self._counts = counts

    def read(self, part: str, path: str, of: str) -> tuple[ListedItem, list[Refusal]]:
        """One part of a list, and every defect of how it is written; ``of`` says what is counted."""
        count, rest = with_count(part)
        refusals: list[Refusal] = []
        if not 1 <= count <= MOST_AT_ONCE:
            refusals.append(malformed(f"{count} of {of} at once", path, legal=f"1 to {MOST_AT_ONCE}"))
        extras: dict[str, Fraction] = {}
        for extra in self._extra.finditer(rest):
            try:
                extras[extra["what"].casefold()] = parse_rational(extra["points"].rstrip("./"))
            except ValueError:
                problem = f"{extra['points']!r} is no number of {self._counts}"
                refusals.append(malformed(problem, path, legal="4 or 2.5 or 5/2"))
        name, *additions = (word.strip() for word in self._extra.sub("", rest).split("+"))
        return ListedItem(count, name, tuple(word for word in additions if word), extras), refusals

    def said_twice(self, text: str, path: str) -> list[Refusal]:
        """Extras of an item that are said twice, of which one alone would count."""
        found: list[Refusal] = []
        for part in pieces(text):
            said: set[str] = set()
            for extra in self._extra.finditer(part):
                what = extra["what"].casefold()
                if what in said:
                    found.append(malformed(f"“{part}” says {what} twice", path, legal="each of them once for an item"))
                said.add(what)
        return found


def pieces(text: str) -> list[str]:
    """The parts between commas, semicolons or line breaks, without empty ones."""
    return [part for part in (" ".join(piece.split()) for piece in _BETWEEN.split(text)) if part]


def with_count(part: str) -> tuple[int, str]:
    """A count and what it counts: ``(6, "CA")`` for ``6 CA`` and ``6xCA``, ``(1, "CA")`` for ``CA``."""
    found = _COUNTED.fullmatch(part)
    return (int(found["count"]), found["rest"]) if found else (1, part)


def named_additions(
    wanted: Sequence[str], known: Sequence[str], path: str, *, each: str, unknown: Callable[[str], Refusal]
) -> tuple[tuple[str, ...], list[Refusal]]:
    """The additions that words mean, by their names or their first words, each once; ``each`` says what one is, and
    ``unknown`` refuses a word."""
    names = {name.casefold(): name for name in known}
    short = {name.split()[0]: name for name in names}
    chosen: list[str] = []
    refusals: list[Refusal] = []
    for word in wanted:
        folded = word.casefold()
        found = names.get(folded) or names.get(short.get(folded, ""))
        if found is None:
            refusals.append(unknown(word))
        elif found in chosen:
            refusals.append(malformed(f"{found} is named twice", path, legal=f"each {each} once"))
        else:
            chosen.append(found)
    return tuple(chosen), refusals
