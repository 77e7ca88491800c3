"""Odds: the chance of what a side thinks of trying, from what that side knows."""

from rules_engine.core.basics.base import Frozen
from rules_engine.core.forms.forms import Choice


class OddsMenu(Frozen):
    """What may be asked about: one's own forces, and what is known to be there. Empty where a rulebook has no odds."""

    own: tuple[Choice, ...] = ()
    targets: tuple[Choice, ...] = ()


class Odds(Frozen):
    """An answer, line by line, and the rule that it is worked out by."""

    title: str
    lines: tuple[str, ...]
    rule: str
