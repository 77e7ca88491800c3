"""Refusing by type and rule: what was wrong, where, what would be right."""

import difflib
from collections.abc import Iterable, Sequence
from typing import Literal

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.plain_text import LEGAL_LETTERS, why_not_drawn

LONGEST_NAME = 100
"""Characters; what is longer is compared with no name."""


class Refusal(Frozen):
    """One defect of an input.

    ``path`` says where (``"TF2.speed"``, ``"line 4"``), ``rule`` which rule forbids it (``"PQ-17 5.1.4"``),
    ``legal`` what would be accepted and ``nearest`` what may have been meant. A refusal contains nothing from
    outside the asked side's own knowledge.
    """

    kind: Literal["malformed", "illegal", "ambiguous"]
    problem: str
    path: str = ""
    rule: str = ""
    legal: str = ""
    nearest: tuple[str, ...] = ()

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        rule = f" ({self.rule})" if self.rule else ""
        legal = f" Legal: {self.legal}" if self.legal else ""
        near = f" Did you mean {' or '.join(self.nearest)}?" if self.nearest else ""
        return f"{where}{self.problem}{rule}{'.' if legal or near else ''}{legal}{'.' if legal else ''}{near}"


class Refused(Exception):
    """An input was not accepted; ``refusals`` lists every defect at once, and nothing was changed."""

    def __init__(self, refusals: Iterable[Refusal]) -> None:
        self.refusals: tuple[Refusal, ...] = tuple(refusals)
        super().__init__("; ".join(map(str, self.refusals)))


def malformed(problem: str, path: str = "", *, legal: str = "", nearest: Sequence[str] = ()) -> Refusal:
    """A refusal of something that could not be understood at all."""
    return Refusal(kind="malformed", problem=problem, path=path, legal=legal, nearest=tuple(nearest))


def unfit_text(unfit: str, path: str) -> Refusal:
    """A refusal of a text for a character that no text may hold, named as :func:`plain_text.unfit_character` does."""
    return malformed(f"this text holds a character that cannot be kept, {unfit}", path, legal="the text without it")


def not_drawn(text: str, path: str) -> list[Refusal]:
    """The refusal of a name that no map could show; none where maps show it."""
    problem = why_not_drawn(text)
    return [malformed(problem, path, legal=LEGAL_LETTERS)] if problem else []


def illegal(problem: str, rule: str, path: str = "", *, legal: str = "", nearest: Sequence[str] = ()) -> Refusal:
    """A refusal of something understood that ``rule`` forbids."""
    return Refusal(kind="illegal", problem=problem, rule=rule, path=path, legal=legal, nearest=tuple(nearest))


def ambiguous(problem: str, path: str = "", *, nearest: Sequence[str]) -> Refusal:
    """A refusal of something that can be read in more than one way."""
    return Refusal(kind="ambiguous", problem=problem, path=path, nearest=tuple(nearest))


def nearest(word: str, known: Iterable[str], count: int = 3) -> tuple[str, ...]:
    """The known words most like ``word``, best first; none where nothing is close, or for a word that is longer than
    any name. Case is ignored."""
    if len(word) > LONGEST_NAME:
        return ()
    lowered = {name.casefold(): name for name in known}
    found = difflib.get_close_matches(word.casefold(), list(lowered), n=count, cutoff=0.55)
    return tuple(lowered[name] for name in found)
