"""Odds: the chance that an action a side considers would succeed, from what that side knows."""

from fractions import Fraction

from rules_engine.core.basics.base import Frozen
from rules_engine.core.forms.forms import Choice


class OddsMenu(Frozen):
    """What may be asked about: the side's own forces, and known targets. Empty where a rulebook has no odds."""

    own: tuple[Choice, ...] = ()
    targets: tuple[Choice, ...] = ()


class Odds(Frozen):
    """An answer, line by line, and the rule by which it is worked out."""

    title: str
    lines: tuple[str, ...]
    rule: str


def percent(chance: Fraction) -> str:
    """In whole percent; what is possible is never shown as 0, what is not certain never as 100."""
    if 0 < chance < Fraction(1, 200):
        return "under 1 %"
    if Fraction(199, 200) <= chance < 1:
        return "over 99 %"
    return f"{int(chance * 100 + Fraction(1, 2))} %"
