"""Why something cannot be done at its moment, as the chapters say it to the sheet and to the flight alike."""

from typing import NamedTuple

from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.rulebooks.vector.records.plots import IMPULSES


class Objection(NamedTuple):
    """What is wrong, the rule that forbids it, and what would be legal. ``legal_on`` is the first impulse, counted from
    the battle's beginning, on which it would be (0: time does not help)."""

    problem: str
    rule: str
    legal: str = ""
    legal_on: int = 0

    def refused(self, path: str, turn: int) -> Refusal:
        """As a refusal, for a reader in that turn."""
        when = f"from {impulse_named(self.legal_on, turn)} on" if self.legal_on else ""
        return illegal(self.problem, self.rule, path, legal=" ".join(one for one in (self.legal, when) if one))


def impulse_named(clock: int, turn: int) -> str:
    """An impulse counted from the battle's beginning, as said in a turn: ``impulse 9``, ``impulse 3 of turn 5``."""
    of_turn, impulse = divmod(clock - 1, IMPULSES)
    return f"impulse {impulse + 1}" + (f" of turn {of_turn + 1}" if of_turn + 1 != turn else "")


def worst(objections: list[Objection]) -> Objection | None:
    """Of several the one that lasts longest; one that time does not end before all others. None of none."""
    return max(objections, key=lambda one: (not one.legal_on, one.legal_on), default=None)
