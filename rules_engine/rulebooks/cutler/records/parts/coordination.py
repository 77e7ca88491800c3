"""Coordinated forces: who would act as one force with whom, and who does. 2.10, CU-R33"""

from collections.abc import Callable, Sequence
from dataclasses import field

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.rules import rule


class InForces(Record):
    """Something in which races act by themselves, or several as one: ``forces`` are those of several races."""

    forces: list[list[Side]] = field(default_factory=list[list[Side]])

    def force_of(self, race: Side) -> tuple[Side, ...]:
        """The races that act as one with this one, itself included."""
        return next((tuple(force) for force in self.forces if race in force), (race,))

    def side_of(self, race: Side) -> Side:
        """The first race of its force, by which the force is called."""
        return self.force_of(race)[0]

    def races_of(self, *sides: Side) -> tuple[Side, ...]:
        """All races of the forces in which these stand."""
        return tuple(race for side in sides for race in self.force_of(side))


class Coordination(InForces):
    """Which races have agreed to act as one force, and what else they have ordered about it.

    ``wishes`` are the races with which each would form one force, ``told`` the same as the races named in it have heard
    of it; ``colours`` whose counter each wants for the force. ``forces`` are those that are agreed.
    """

    wishes: dict[Side, list[Side]] = field(default_factory=dict[Side, list[Side]])
    told: dict[Side, list[Side]] = field(default_factory=dict[Side, list[Side]])
    colours: dict[Side, Side] = field(default_factory=dict[Side, Side])

    def offers_to(self, race: Side) -> list[Side]:
        """The races that have offered it to act as one force, and have not been answered, by key."""
        force = self.force_of(race)
        return [other for other in sorted(self.told) if race in self.told[other] and other not in force]

    @rule("2.10")
    def merged(self, placed: set[tuple[Side, HexId]], rating: Callable[[Side, HexId], int]) -> set[tuple[Side, HexId]]:
        """The counters of these races and hexes: one where a coordinated force has several. 2.10, CU-R33"""
        for force in self.forces:
            for hex_id in sorted({hex_id for race, hex_id in placed if race in force}):
                there = [race for race in force if (race, hex_id) in placed]
                shown = self.colour(there, lambda race, hex_id=hex_id: rating(race, hex_id))
                placed = placed - {(race, hex_id) for race in there if race != shown}
        return placed

    @rule("2.10")
    def colour(self, there: Sequence[Side], rating: Callable[[Side], int]) -> Side:
        """Whose counter stands for these races of one force: the one on which they agree, or the one with the highest
        command rating, the first in the order of the scenario if equal. 2.10, CU-R33, CU-N88"""
        wanted = {self.colours.get(race, "") for race in there}
        agreed = wanted.pop() if len(wanted) == 1 else ""
        return agreed if agreed in there else max(there, key=rating)
