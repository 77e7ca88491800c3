"""Odds: the chance that an action a side considers would succeed, from what that side knows."""

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
