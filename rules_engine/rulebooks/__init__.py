"""The registry of rulebooks. To add a rulebook, write its package and add one line here.

The first is what the command line takes where nobody names one.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from rules_engine.core.protocol.rulebook import Rulebook
from rules_engine.core.protocol.tracker import Tracker

_PACKAGES: Mapping[str, str] = {
    "pq17": "rules_engine.rulebooks.pq17",
    "cutler": "rules_engine.rulebooks.cutler",
    "border_patrol": "rules_engine.rulebooks.border_patrol",
    "jump_lanes": "rules_engine.rulebooks.jump_lanes",
    "vector": "rules_engine.rulebooks.vector",
}

_TRACKER = "rules_engine.rulebooks.vector.battles.tracker"


class UnknownRulebook(KeyError):
    """No rulebook of that name is installed."""


def installed() -> tuple[str, ...]:
    """The installed rulebooks' keys."""
    return tuple(_PACKAGES)


def rulebook(key: str) -> Rulebook[Any]:
    """The rulebook of that key; its package is imported when first asked for.

    Raises:
        UnknownRulebook: when there is none.
    """
    if key not in _PACKAGES:
        raise UnknownRulebook(key)
    book: Rulebook[Any] = import_module(_PACKAGES[key]).RULEBOOK
    return book


def tracker() -> Tracker[Any]:
    """What flies the battles of all rulebooks that say how theirs may be tracked; imported when first asked for."""
    flies: Tracker[Any] = import_module(_TRACKER).TRACKER
    return flies
