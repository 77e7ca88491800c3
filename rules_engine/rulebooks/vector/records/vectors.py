"""Movement vectors in their one canonical form. CJD1.11, VM-R01, VM-R02"""

import re
from functools import cached_property
from typing import Self

from pydantic import field_validator

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.space import STEPS, WAYS, Lattice, Way, elements_of

_ONE = r"(\d{1,5})\s*([A-F])"
_WRITTEN = re.compile(rf"\s*(?:0|{_ONE}(?:\s*\+\s*{_ONE})*)\s*")
_ELEMENT = re.compile(_ONE)


class Vector(Frozen):
    """Hexes a turn in one direction or in two that are neighbours, in clockwise order: ``19D``, ``3A+9B``; ``0`` at
    rest.

    Any number of directions may be given; ``says`` is what they come to. CJD1.111
    """

    says: str = "0"

    @field_validator("says")
    @classmethod
    def _reduced(cls, text: str) -> str:
        if not _WRITTEN.fullmatch(text):
            raise ValueError(f"{text!r} is no vector: hexes and direction, as in 19D or 3A+9B, or 0")
        return _say(_sum(text))

    @classmethod
    def of(cls, sum_of_it: Lattice) -> Self:
        """The vector that comes to that."""
        return cls(says=_say(sum_of_it))

    @cached_property
    def lattice(self) -> Lattice:
        """Where it leads in a turn."""
        return _sum(self.says)

    @cached_property
    def elements(self) -> dict[Way, int]:
        """Its one or two elements, in clockwise order; none at rest."""
        return dict(_clockwise(self.lattice))

    @property
    def speed(self) -> int:
        """Hexes a turn: the sum of its elements. CJD1.13"""
        return self.lattice.length

    def plus(self, way: Way, hexes: int) -> "Vector":
        """This vector with so many hexes a turn more in a direction."""
        return Vector.of(self.lattice.plus(STEPS[way], hexes))


REST = Vector()


@rule("CJD1.111")
def _sum(text: str) -> Lattice:
    """Where any number of directions lead together: opposites cancel, and two that are 120 degrees apart make the one
    between, in whatever order they are added. CJD1.111, VM-R02"""
    total = Lattice(0, 0)
    for hexes, way in _ELEMENT.findall(text):
        total = total.plus(STEPS[way], int(hexes))
    return total


def _clockwise(way: Lattice) -> list[tuple[Way, int]]:
    found = sorted(elements_of(way), key=lambda one: WAYS.index(one[0]))
    return found[::-1] if [one for one, _ in found] == ["A", "F"] else found


@rule("CJD1.11")
def _say(way: Lattice) -> str:
    """A vector as it is written: hexes in one direction, or in two that are neighbours. CJD1.11, VM-R01"""
    return "+".join(f"{hexes}{one}" for one, hexes in _clockwise(way)) or "0"
