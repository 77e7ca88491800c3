"""A text taken apart into clauses, and a clause into words that are read one after another."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple, TypeVar

from rules_engine.core.basics.refusals import Refusal, malformed, nearest
from rules_engine.core.forms.form_names import folded, most_words

T = TypeVar("T")

MOST_CLAUSES = 60
MOST_TOLD = 40
"""Characters of a clause that are told back."""

_BETWEEN = re.compile(r"[;\n]")
_ALSO = re.compile(r",|\b(?:and|then)\b", re.IGNORECASE)
_WORD = re.compile(r"\d+|[^\W\d_][\w'-]*|\S")
_CONDITION = re.compile(r"\s*when\b", re.IGNORECASE)


class Misread(Exception):
    """A clause that cannot be read: why, what would be legal, and what may have been meant."""

    def __init__(self, problem: str, legal: str, near: Iterable[str] = ()) -> None:
        super().__init__(problem)
        self.problem, self.legal, self.near = problem, legal, tuple(near)


class TypedClause(NamedTuple):
    """One thing that is said: its ``text``, and the condition that stands before it (empty: none)."""

    text: str
    condition: str = ""

    @property
    def quoted(self) -> str:
        """The clause as it is told back."""
        whole = f"{self.condition}: {self.text}" if self.condition else self.text
        return f"“{whole if len(whole) <= MOST_TOLD else whole[:MOST_TOLD] + '…'}”"

    def refusal(self, wrong: Misread, path: str) -> Refusal:
        """That it cannot be read."""
        return malformed(f"{self.quoted}: {wrong.problem}", path, legal=wrong.legal, nearest=wrong.near)


def clauses_of(text: str) -> Iterator[TypedClause]:
    """The clauses of a text: between semicolons, and between commas where a condition holds for all of them."""
    for piece in _BETWEEN.split(text):
        condition, colon, said = piece.partition(":")
        if _CONDITION.match(piece) and colon:
            parts = list(_parts(said)) or [""]
            yield from (TypedClause(one, _plain(condition)) for one in parts)
        else:
            yield from map(TypedClause, _parts(piece))


def _parts(text: str) -> Iterator[str]:
    return filter(None, map(_plain, _ALSO.split(text)))


def _plain(text: str) -> str:
    return " ".join(text.split())


class Words:
    """The words of a clause, read from the first to the last."""

    def __init__(self, text: str, legal: str) -> None:
        self._words: list[str] = _WORD.findall(text)
        self._at = 0
        self.legal = legal

    @property
    def left(self) -> bool:
        """Whether there are more."""
        return self._at < len(self._words)

    @property
    def next(self) -> str:
        """The next word, in small letters; empty at the end."""
        return self._words[self._at].casefold() if self.left else ""

    def skip(self, *words: str) -> bool:
        """Pass over the next word if it is one of these."""
        found = self.next in words
        self._at += int(found)
        return found

    def is_number(self) -> bool:
        """Whether a number comes next."""
        return self.next.isascii() and self.next.isdigit()

    def number(self, what: str, least: int, most: int) -> int:
        """The number that comes next.

        Raises:
            Misread: when there is none, or it is out of range.
        """
        if not self.is_number():
            raise Misread(f"{what} is missing" if not self.left else f"“{self.next}” is not {what}", self.legal)
        said = self._words[self._at]
        self._at += 1
        if len(said) > 6 or not least <= int(said) <= most:
            raise Misread(f"{said[:9]} is not {what}", f"{least} to {most}")
        return int(said)

    def one_of(self, meant: Mapping[str, T], what: str) -> T:
        """What the next word stands for.

        Raises:
            Misread: when it is none of these.
        """
        word = self.next
        if word not in meant:
            problem = f"“{word}” is not {what}" if word else f"{what} is missing"
            raise Misread(problem, self.legal, nearest(word, meant) if word else ())
        self._at += 1
        return meant[word]

    def named(self, names: Mapping[str, str], what: str, near: Callable[[str], tuple[str, ...]]) -> str:
        """What the name of one word or several that comes next stands for.

        Raises:
            Misread: when nothing is called so.
        """
        for count in range(min(most_words(names), len(self._words) - self._at), 0, -1):
            found = names.get(folded(" ".join(self._words[self._at : self._at + count])))
            if found is not None:
                self._at += count
                return found
        if not self.left:
            raise Misread(f"{what} is missing", self.legal)
        word = self._words[self._at]
        raise Misread(f"there is no {what} “{word[:MOST_TOLD]}”", self.legal, near(word))

    def odd(self) -> Misread:
        """That the next word means nothing here."""
        word = self._words[self._at]
        return Misread(f"“{word[:MOST_TOLD]}” is not understood here", self.legal)
