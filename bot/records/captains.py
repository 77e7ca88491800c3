"""Captains: commanders of one side who have ships of their own, on sheets that they share.

A ship that was given to nobody is everybody's. While any ship on a sheet has a captain, the side is ready there when
each of these captains has confirmed it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rules_engine.core.basics.base import Json
from rules_engine.core.forms.forms import Form
from rules_engine.core.knowledge.rosters import OwnShip


@dataclass(frozen=True, slots=True)
class ShipsShared:
    """What is kept of a side's captains: whose each ship is, and who has confirmed what is open, by strand."""

    captains: Mapping[str, int] = field(default_factory=dict[str, int])
    confirmed: Mapping[str, frozenset[int]] = field(default_factory=dict[str, frozenset[int]])

    def said(self, strand: str, user_id: int, *, is_done: bool) -> "ShipsShared":
        """This once somebody has confirmed a strand, or has not after all."""
        before = self.confirmed.get(strand, frozenset())
        after = before | {user_id} if is_done else before - {user_id}
        return replace(self, confirmed={**self.confirmed, strand: after})


@dataclass(frozen=True)
class Team:
    """A side's captains in one strand.

    ``crews`` are the captains of each line's ships, by key, for lines that are of ships alone; ``captains`` those of
    single ships; ``awaited`` those whose ships stand on what is asked there.
    """

    roster: tuple[OwnShip, ...]
    captains: Mapping[str, int]
    crews: Mapping[str, frozenset[int]]
    awaited: frozenset[int]
    confirmed: frozenset[int]

    @property
    def missing(self) -> frozenset[int]:
        """Those who have not confirmed yet."""
        return self.awaited - self.confirmed

    def objecting(
        self, user_id: int, key: str, before: Mapping[str, Json], after: Mapping[str, Json]
    ) -> frozenset[int]:
        """The captains without whom somebody may not change a line so: those of its ships, unless one of them is
        theirs, and those of ships that it names newly or no longer. A line that is of no ship is of those it names."""
        was, now = self._named(before), self._named(after)
        crew = self.crews.get(key, self._captains_of(now))
        if crew and user_id not in crew:
            return crew
        return self._captains_of(was ^ now) - {user_id}

    def _named(self, values: Mapping[str, Json]) -> set[str]:
        """The captains' ships that the values of a line name."""
        named = [one for value in values.values() for one in (value if isinstance(value, list) else [value])]
        return {one for one in named if isinstance(one, str) and one in self.captains}

    def _captains_of(self, ships: Iterable[str]) -> frozenset[int]:
        return frozenset(map(self.captains.__getitem__, ships))

    def names_of(self, user_id: int | None) -> list[str]:
        """What somebody has, as it is called; with None what no captain has."""
        return self.called([ship for ship in self.roster if self.captains.get(ship.id) == user_id])

    def called(self, ships: Sequence[OwnShip]) -> list[str]:
        """What ships are called: the ids of forces that are whole among them, then single ships."""
        sizes = Counter(ship.force for ship in self.roster)
        counts = Counter(ship.force for ship in ships)
        whole = [force for force, count in counts.items() if force and count == sizes[force]]
        return [*whole, *(f"{ship.id} {ship.name}" for ship in ships if ship.force not in whole)]


def team_of(shared: ShipsShared, roster: Iterable[OwnShip], strand: str, forms: Iterable[Form]) -> Team:
    """A side's captains as they stand in a strand where these forms are open to it."""
    ships = tuple(roster)
    crews: dict[str, set[int]] = {}
    for ship in ships:
        for key in filter(None, (ship.id, ship.force)):
            crews.setdefault(key, set()).update({shared.captains[ship.id]} if ship.id in shared.captains else ())
    asked = {line.key for form in forms for line in form.lines}
    return Team(
        roster=ships,
        captains={ship.id: shared.captains[ship.id] for ship in ships if ship.id in shared.captains},
        crews={key: frozenset(crew) for key, crew in crews.items()},
        awaited=frozenset(user_id for key in asked for user_id in crews.get(key, ())),
        confirmed=shared.confirmed.get(strand, frozenset()),
    )
