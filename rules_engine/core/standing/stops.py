"""Stop conditions as players write them, several with semicolons, commas or lines: ``contact; turn 5; at 0505``."""

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from rules_engine.core.basics.refusals import Refusal, malformed, nearest

T = TypeVar("T")

_BETWEEN = re.compile(r"[;,\n]")


def read_conditions(
    text: str, path: str, read: Callable[[str], T], *, legal: str, offered: Sequence[str]
) -> tuple[tuple[T, ...], list[Refusal]]:
    """The conditions that a text stands for, each once, and every defect of it.

    ``read`` reads one of them, and raises ValueError with the problem in words; ``legal`` are examples, ``offered``
    those of which the nearest is named.
    """
    stops: list[T] = []
    refusals: list[Refusal] = []
    for piece in filter(None, (" ".join(one.split()) for one in _BETWEEN.split(text))):
        try:
            stop = read(piece)
        except ValueError as error:
            problem = f"“{piece}”: {error}"
            refusals.append(malformed(problem, path, legal=legal, nearest=nearest(piece, offered)))
        else:
            stops.append(stop)
    return tuple(dict.fromkeys(stops)), refusals
