"""A briefing: what a commander should know before the first order, and may read again at any time."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import Field

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.counted import counted

MOST_FORCES = 10
"""Forces that are named one by one; of more, the rest are counted."""

MOST_TO_KNOW = 3

MOST_TERMS = 12
"""Classes of units whose letters are explained; of more, those of which there are most."""


class Briefing(Frozen):
    """Objective in a sentence, victory in numbers, length, own forces at a glance, at most three things to know, and
    what the abbreviations of this scenario stand for; made from the same sources as the board of its reader."""

    objective: str = ""
    victory: tuple[str, ...] = ()
    length: str = ""
    forces: tuple[str, ...] = ()
    to_know: Annotated[tuple[str, ...], Field(max_length=MOST_TO_KNOW)] = ()
    terms: tuple[tuple[str, str], ...] = ()


def forces_at_a_glance(named: Sequence[str], thing: str = "task force") -> tuple[str, ...]:
    """The first of these forces, and how many ``thing`` more there are."""
    rest = len(named) - MOST_FORCES
    if rest <= 0:
        return tuple(named)
    return (*named[:MOST_FORCES], f"and {counted(rest, f'more {thing}')}")


def class_terms(classes: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The letters and the name of the classes of all units, each once, those of which there are most first; none for a
    class that is called by its letters."""
    said = Counter(
        (letters, name) for letters, name in classes if letters.casefold().replace("_", " ") != name.casefold()
    )
    return tuple(term for term, _ in sorted(said.items(), key=lambda one: (-one[1], one[0]))[:MOST_TERMS])
