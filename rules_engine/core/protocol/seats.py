"""Seats before sides: scenarios that leave open how many play, and sides that play itself names.

A side's key stands in journals and places and never changes. Its name and emblem are its label, and a rulebook may let
play give it another: a side that goes by its seat at first takes the name of the race that it draws.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from rules_engine.core.basics.base import Frozen, Json, Side, SideLabel
from rules_engine.core.basics.plain_text import unfit_character
from rules_engine.core.basics.refusals import Refused, malformed

MOST_NAME = 40
"""Characters of a side's name: it becomes the name of a role and a channel."""

MOST_EMBLEM = 2
"""Characters of an emblem; a counter on a map holds no more."""


class SeatRange(Frozen):
    """How many seats a campaign may have."""

    least: int
    most: int

    def __contains__(self, seats: int) -> bool:
        return self.least <= seats <= self.most

    def __str__(self) -> str:
        return f"{self.least} to {self.most}"


@runtime_checkable
class NamesSides(Protocol):
    """What a rulebook offers besides, if its play names the sides. All three belong together."""

    def seats(self, scenario: Mapping[str, Json]) -> SeatRange | None:
        """How many seats a validated scenario may have; None where its sides are fixed."""
        ...

    def with_seats(self, scenario: Mapping[str, Json], seats: int) -> dict[str, Json]:
        """The scenario for that many seats, which its range allows; ``sides`` and ``set_up`` are given this one.

        Its sides go by their seats until they are named: ``seat-1``, called Seat 1, with the emblem 1.
        """
        ...

    def labels(self, state: Any) -> tuple[SideLabel, ...]:
        """The sides as they are named at present, in the order of ``sides(scenario)`` and with its keys.

        Names are public at once: whenever they change, everybody is told something. No two may be alike.
        """
        ...


def seats_of(rulebook: object, scenario: Mapping[str, Json]) -> SeatRange | None:
    """How many seats a scenario may have; None where its sides are fixed."""
    return rulebook.seats(scenario) if isinstance(rulebook, NamesSides) else None


def seated(rulebook: object, scenario: dict[str, Json], seats: int | None) -> dict[str, Json]:
    """The scenario for the number of seats that was chosen, or as it is where there is nothing to choose.

    Raises:
        Refused: when the number is missing or out of range, or was chosen though the sides are fixed.
    """
    offered = seats_of(rulebook, scenario)
    if offered is None or not isinstance(rulebook, NamesSides):
        if seats is not None:
            raise Refused([malformed("the sides of this scenario are fixed: there are no seats to choose", "seats")])
        return scenario
    if seats is None:
        raise Refused([malformed("this scenario leaves the number of seats open", "seats", legal=str(offered))])
    if seats not in offered:
        raise Refused([malformed(f"{seats} are not possible", "seats", legal=str(offered))])
    return rulebook.with_seats(scenario, seats)


def label_defects(labels: Sequence[SideLabel], keys: Sequence[Side]) -> list[str]:
    """What is wrong with the present labels of the sides of these keys: two that are alike, say. Empty if all is well.

    They are told apart without regard to case, and a name is no other side's key, for people type both.
    """
    if [label.key for label in labels] != list(keys):
        return ["the sides are not those of the beginning"]
    defects: list[str] = []
    for label in labels:
        others = [other for other in labels if other.key != label.key]
        if any(label.name.casefold() in (other.name.casefold(), other.key.casefold()) for other in others):
            defects.append(f"{label.key} has the name of another side")
        if any(label.emblem.casefold() == other.emblem.casefold() for other in others):
            defects.append(f"{label.key} has the emblem of another side")
        defects += [
            f"the {what} of {label.key} is no single line of 1 to {most} characters"
            for what, text, most in (("name", label.name, MOST_NAME), ("emblem", label.emblem, MOST_EMBLEM))
            if not _is_one_line(text, most)
        ]
    return defects


def _is_one_line(text: str, most: int) -> bool:
    return 1 <= len(text) <= most and text == text.strip() and text.isprintable() and unfit_character(text) is None
