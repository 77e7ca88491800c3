"""Ground bases: on which hexsides of a planet they stand, how many may, and what one costs. 4.4.9"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.counted import counted, noun
from rules_engine.rulebooks.cutler.records.classes import UnitClass

Hexside = Literal["A", "B", "C", "D", "E", "F"]
HEXSIDES: tuple[Hexside, ...] = ("A", "B", "C", "D", "E", "F")
"""The six sides of a planet on the tactical map, as letters."""

Facing = Literal["", "A", "B", "C", "D", "E", "F"]
"""The hexside on which a unit stands, "" for one that is no ground base."""

GroundBases = dict[Hexside, int]
"""Ground bases by the hexside on which they stand, in the order of the hexsides; those without any are left out."""


class GroundBaseCost(Frozen):
    """CPV of a ground base, its shuttle boxes, and the people that come with it, where the catalogue has no class of
    the kind; all stand in the tactical game. 4.4.9, 4.2.4.8, CU-N63, CU-N115"""

    cpv: Annotated[int, Field(ge=1)] = 20
    shuttles: Annotated[int, Field(ge=0)] = 1
    boarding_parties: Annotated[int, Field(ge=0)] = 0
    crew_units: Annotated[int, Field(ge=0)] = 0
    source: Annotated[str, Field(min_length=1)] = "invented"

    @cached_property
    def record(self) -> UnitClass:
        """The class of such a ground base."""
        return UnitClass(
            class_id="ground_base",
            name="Ground Base",
            empire="any",
            source=self.source,
            hull_type="other",
            kind="ground_base",
            size_class=6,
            move_cost=Fraction(0),
            bpv_economic=Fraction(self.cpv),
            bpv_combat=Fraction(self.cpv),
            shuttles=self.shuttles,
            boarding_parties=self.boarding_parties,
            crew_units=self.crew_units,
        )


def with_more(standing: Mapping[Hexside, int], more: int, sides: Iterable[Hexside] = HEXSIDES) -> GroundBases:
    """So many more, one by one on that of these hexsides which has the fewest. CU-N63"""
    found: GroundBases = {side: standing.get(side, 0) for side in HEXSIDES}
    open_sides: list[Hexside] = [side for side in HEXSIDES if side in set(sides)]
    for _ in range(more):
        found[min(open_sides, key=found.__getitem__)] += 1
    return _without_empty(found)


def with_only(standing: Mapping[Hexside, int], left: int) -> GroundBases:
    """What is left of them, the others taken one by one from the hexside which has the most. CU-N63"""
    found: GroundBases = {side: standing.get(side, 0) for side in HEXSIDES}
    for _ in range(sum(found.values()) - left):
        found[max(HEXSIDES, key=found.__getitem__)] -= 1
    return _without_empty(found)


def in_words(standing: Mapping[Hexside, int]) -> str:
    """``no ground bases``, ``1 ground base (hexside A 1)``, ``3 ground bases (hexsides A 2, D 1)``."""
    total = sum(standing.values())
    if not total:
        return "no ground bases"
    where = ", ".join(f"{side} {standing[side]}" for side in HEXSIDES if side in standing)
    return f"{counted(total, 'ground base')} ({noun(len(standing), 'hexside')} {where})"


def _without_empty(standing: Mapping[Hexside, int]) -> GroundBases:
    return {side: count for side, count in standing.items() if count}
