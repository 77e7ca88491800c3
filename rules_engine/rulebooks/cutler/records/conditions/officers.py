"""Legendary officers: who of them is aboard a unit. Which unit has one is its race's secret until it shows.

Navigators and science officers do something on the campaign map; what all others do is for the tactical game, and
whoever fights a battle is told of its own.
"""

from collections.abc import Iterable
from typing import Literal, Protocol

Officer = Literal["navigator", "science", "captain", "engineer", "weapons", "doctor", "marines"]

OFFICER_WORDS: dict[Officer, str] = {
    "navigator": "navigator",
    "science": "science officer",
    "captain": "captain",
    "engineer": "engineer",
    "weapons": "weapons officer",
    "doctor": "doctor",
    "marines": "officer of marines",
}


class Crewed(Protocol):
    """What may have officers aboard."""

    @property
    def officers(self) -> tuple[Officer, ...]:
        """They, in the order in which they were named."""
        ...


def has_officer(units: Iterable[Crewed], officer: Officer) -> bool:
    """Whether one of these units has such an officer aboard."""
    return any(officer in unit.officers for unit in units)


def has_navigator(units: Iterable[Crewed]) -> bool:
    """Whether a legendary navigator is with this group or force. 2.4.1.10, 3.3.7.1, 3.5.4.1, 3.6.1.1.1, 3.7.7"""
    return has_officer(units, "navigator")


def officers_in_words(unit: Crewed) -> str:
    """``legendary navigator and science officer``; "" without any."""
    if not unit.officers:
        return ""
    return f"legendary {' and '.join(OFFICER_WORDS[officer] for officer in unit.officers)}"
