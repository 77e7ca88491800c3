"""Squads of other kinds among boarding parties, and what troops have with them on a planet. 4.2.4.8, 5.3.3"""

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from rules_engine.core.basics.record import Record
from rules_engine.core.basics.rules import rule

Squad = Literal["heavy", "commando"]
"""Squads with heavy weapons, and commandos: boarding parties of other kinds. 5.3.3"""
SQUADS: tuple[Squad, ...] = ("heavy", "commando")
"""In the order in which they are landed and lost, after ordinary boarding parties. CU-N126"""
SQUAD_WORDS: dict[Squad, str] = {"heavy": "heavy weapons squads", "commando": "commandos"}
Squads = dict[Squad, int]
"""How many of a number of boarding parties are squads of each kind; those of which there are none are left out."""


class Landed(Record):
    """What a race's troops that fight for a planet have with them: the squads among its boarding parties, and ground
    combat vehicles. 4.2.4.8, 5.3"""

    squads: Squads = field(default_factory=Squads)
    gcv: int = 0


@rule("5.3.3", "4.2.4.8")
def drawn(squads: Mapping[Squad, int], total: int, count: int) -> Squads:
    """The squads among so many of ``total`` boarding parties, where ordinary ones are taken first, commandos last.
    5.3.3, 4.2.4.8, CU-N126"""
    taken: Squads = {}
    left = count - (total - sum(squads.values()))
    for squad in SQUADS:
        part = min(max(0, left), squads.get(squad, 0))
        left -= part
        if part:
            taken[squad] = part
    return taken


@rule("5.3.3", "4.2.4.8")
def remaining(squads: Mapping[Squad, int], total: int, count: int) -> Squads:
    """The squads that are left when so many of ``total`` boarding parties are gone. 5.3.3, 4.2.4.8, CU-N126"""
    return plus(squads, drawn(squads, total, count), -1)


def plus(squads: Mapping[Squad, int], more: Mapping[Squad, int], times: int = 1) -> Squads:
    """These and more, or with -1 these without."""
    found: Squads = {squad: squads.get(squad, 0) + times * more.get(squad, 0) for squad in SQUADS}
    return {squad: count for squad, count in found.items() if count > 0}


def squads_in_words(squads: Mapping[Squad, int]) -> str:
    """`` (2 heavy weapons squads, 1 commandos among them)``; "" where there are none."""
    said = ", ".join(f"{squads[squad]} {SQUAD_WORDS[squad]}" for squad in SQUADS if squads.get(squad))
    return f" ({said} among them)" if said else ""


def squad_defects(squads: Mapping[Squad, int], parties: int) -> bool:
    """Whether there are more squads than boarding parties, or fewer than none."""
    return sum(squads.values()) > parties or any(count < 1 for count in squads.values())
