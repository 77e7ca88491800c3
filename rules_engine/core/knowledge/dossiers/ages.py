"""How long ago something was, in words: by the parts of a turn while it is recent, then by turns."""

from collections.abc import Callable
from typing import NamedTuple

from rules_engine.core.basics.base import When
from rules_engine.core.basics.counted import counted


class TurnParts(NamedTuple):
    """The parts of a turn: their name, how many there are, and which of them a step of campaign time is in (0: before
    the first)."""

    name: str
    in_a_turn: int
    of: Callable[[int], int]


def ago(now: When, then: When, parts: TurnParts | None = None) -> str:
    """``now``, ``2 impulses ago``, ``3 turns ago``; what is not yet, is ``now``."""
    if (then.turn, then.step) >= (now.turn, now.step):
        return "now"
    if parts is not None:
        passed = parts.in_a_turn * (now.turn - then.turn) + parts.of(now.step) - parts.of(then.step)
        if passed <= 0:
            return "just now"
        if now.turn == then.turn or passed < parts.in_a_turn:
            return f"{counted(passed, parts.name)} ago"
    turns = now.turns_since(then)
    return f"{counted(turns, 'turn')} ago" if turns else "earlier this turn"
