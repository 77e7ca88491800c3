"""Standing orders as players write them, clause by clause: ``search fuel>10; shadow; probes 1; withdraw``.

A book says which words begin a clause, which figures a clause may hold and what each clause means; taking a text apart
and refusing what is not understood, with the nearest thing meant, is the same in every book.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from rules_engine.core.basics.refusals import Refusal, malformed, nearest

NO_WORDS = ("side", "as side", "usual")
"""Texts that remove orders, so that the next layer decides again."""
FORBIDDING = frozenset({"no", "not", "never", "dont", "without"})
"""Words by which a clause forbids what it names."""

_BETWEEN = re.compile(r"[;,\n]")


def _nothing_wrong(_: Any) -> tuple[str, str] | None:
    return None


class FigureWord(NamedTuple):
    """A figure that may stand in a clause: how it is written, what it is called in a refusal, what it is read as, and
    what would be wrong with it: a problem and what is right, or nothing."""

    pattern: str
    said: str
    read: Callable[[str], Any]
    wrong: Callable[[Any], tuple[str, str] | None] = _nothing_wrong


@dataclass
class Clause:
    """One clause, taken apart. ``path`` says where it stands, ``figures`` what it holds by name."""

    text: str
    path: str
    legal: str
    said: Mapping[str, str]
    words: list[str] = field(default_factory=list[str])
    figures: dict[str, Any] = field(default_factory=dict[str, Any])
    defects: list[Refusal] = field(default_factory=list[Refusal])

    def refuse(self, problem: str, legal: str, near: Sequence[str] = ()) -> None:
        """Note a defect."""
        self.defects.append(malformed(f"“{self.text}”: {problem}", self.path, legal=legal, nearest=near))

    def has(self, *words: str) -> bool:
        """Whether one of these words stands in it."""
        return any(word in self.words for word in words)

    @property
    def is_forbidding(self) -> bool:
        """Whether it forbids what it names."""
        return not FORBIDDING.isdisjoint(self.words)

    def allow(self, *allowed: str) -> None:
        """Refuse figures that this clause does not take."""
        for name, said in self.said.items():
            if name not in allowed and name in self.figures:
                self.refuse(f"{said} says nothing here", self.legal)


Reader = Callable[[Clause], dict[str, object]]
"""What a clause orders, by name; defects are noted on it."""


@dataclass(frozen=True)
class Vocabulary:
    """The words of a book's standing orders.

    ``subjects`` are the words that begin a clause, with what each is about; ``readers`` read the clauses about that;
    ``asking`` is what a clause is about that names nothing else. ``only_of_side`` are the subjects that a single force
    has no orders about, with what is said of them. ``as_written`` turns sentences that were read back into clauses.
    """

    subjects: Mapping[str, str]
    readers: Mapping[str, Reader]
    figures: Mapping[str, FigureWord]
    fillers: frozenset[str]
    extras: frozenset[str]
    legal: str
    example: str
    asking: str = "ask"
    only_of_side: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    as_written: Callable[[str], str] = str

    @cached_property
    def token(self) -> re.Pattern[str]:
        """What a clause consists of: figures, words, and what is neither."""
        figures = "|".join(figure.pattern for figure in self.figures.values())
        return re.compile(rf"{figures}|(?P<word>[a-z']+)|(?P<odd>\S)")

    @cached_property
    def known(self) -> frozenset[str]:
        """All words that mean something."""
        return frozenset({*self.subjects, *FORBIDDING, *self.fillers, *self.extras})

    @cached_property
    def offered(self) -> list[str]:
        """The words that may be offered for one that is not understood."""
        return sorted(self.known - self.fillers)


def read_clauses(
    text: str, path: str, words: Vocabulary, *, of_side: bool = False
) -> tuple[dict[str, object], list[Refusal]]:
    """What a text orders, clause by clause, and every defect of it with the nearest thing meant.

    Clauses are separated by semicolons, commas or lines; a clause that is not mentioned is left to the next layer.
    """
    orders: dict[str, object] = {}
    refusals: list[Refusal] = []
    taken: dict[str, str] = {}
    if not text or " ".join(text.split()).casefold() in NO_WORDS:
        return orders, refusals
    said = words.as_written(" ".join(text.split(" ")))
    for piece in filter(None, (" ".join(one.split()) for one in _BETWEEN.split(said))):
        clause = _take_apart(piece, path, words)
        found = _read_clause(clause, words, of_side=of_side) if not clause.defects else {}
        refusals += clause.defects
        if len(found) > 1:  # a bare "ask" gives way to a more exact order
            found = {name: value for name, value in found.items() if name not in taken}
        else:
            refusals += [_both(piece, taken[name], path) for name in found if name in taken]
            taken |= dict.fromkeys(found, piece)
        orders |= found
    return orders, refusals


def _both(piece: str, other: str, path: str) -> Refusal:
    return malformed(f"“{piece}” and “{other}” cannot both hold", path, legal="one of them")


def _take_apart(piece: str, path: str, words: Vocabulary) -> Clause:
    clause = Clause(piece, path, words.legal, {name: figure.said for name, figure in words.figures.items()})
    for token in words.token.finditer(piece.casefold().replace("don't", "dont")):
        name = token.lastgroup or "odd"
        if name == "word":
            clause.words.append(token["word"])
        elif name == "odd":
            clause.refuse(f"“{token['odd']}” cannot be read", words.example)
        else:
            figure = words.figures[name]
            clause.figures[name] = value = figure.read(token[name])
            if wrong := figure.wrong(value):
                clause.refuse(*wrong)
    return clause


def _read_clause(clause: Clause, words: Vocabulary, *, of_side: bool) -> dict[str, object]:
    subjects = list(dict.fromkeys(words.subjects[word] for word in clause.words if word in words.subjects))
    for word in clause.words:
        if word not in words.known:
            clause.refuse(f"“{word}” is not understood", words.legal, nearest(word, words.offered))
    topic = next((one for one in subjects if one != words.asking), words.asking if subjects else None)
    if topic is None:
        if not clause.defects:
            clause.refuse("it does not say what to do", words.legal)
        return {}
    if topic in words.only_of_side and not of_side:
        clause.refuse(*words.only_of_side[topic])
        return {}
    return words.readers[topic](clause) if not clause.defects else {}


def one_of(name: str, usual: str, forbidding: str | None = "never", *, may_ask: bool = True) -> Reader:
    """A reader for a clause of one word: its usual meaning, the meaning of ``no``, and ``ask``."""

    def read(clause: Clause) -> dict[str, object]:
        clause.allow()
        if clause.has("ask"):
            if not may_ask:
                clause.refuse("nobody is asked about that", f"{name} {usual}, {name} {forbidding}")
            return {name: "ask"}
        if not clause.is_forbidding:
            return {name: usual}
        if forbidding is None:
            clause.refuse("it cannot be forbidden", f"{name} {usual}, {name} ask")
        return {name: forbidding}

    return read


def single_clause(name: str, value: str) -> str:
    """An order of one word as it is written: ``raid``, ``raid never``."""
    return name if value == name else f"{name} {value}"
