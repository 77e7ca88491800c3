"""A map of systems and lanes as one reader knows it: what a board shows in place of a sheet of hexes.

It is built from nothing but what the reader knows, so nothing follows from it of what lies beyond: an unexplored lane
is told of at its near end alone, and what is not known has no place, no number and no room.

Its places are systems, the planets of a system map, and lanes, in which groups are that are under way. Where system
maps are used, the place of a system itself is its outskirts. A lane between galaxies leads from any system of one to
any of the other, so it is a place that is no step away from any.
"""

import re
from collections import Counter, deque
from collections.abc import Collection, Iterable
from functools import cached_property
from typing import Annotated, ClassVar, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from rules_engine.core.basics.base import Frozen, HexId
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rational import Rational
from rules_engine.core.basics.refusals import nearest
from rules_engine.core.grids.places import MapPlaces, UnknownPlace

LaneLine: TypeAlias = Literal["double", "single", "dashed", "dotted"]
"""How a class of lanes is drawn."""
GALAXY = "galaxy"
"""The level of the regions between which lanes of their own lead."""
MOST_LIKELY = 3
"""How many places are named that may have been meant."""


class LaneKind(Frozen):
    """A class of lanes: its key, how it is drawn, and in words: ``minor, cost 2``."""

    key: str
    line: LaneLine
    said: str


class ChartSystem(Frozen):
    """A system. `x` and `y` are for drawing, x to the right and y down, in any unit."""

    id: HexId
    name: Annotated[str, Field(min_length=1)]
    x: Rational
    y: Rational


class ChartPlanet(Frozen):
    """A place within a system, as its own map has it."""

    id: HexId
    system: HexId
    name: Annotated[str, Field(min_length=1)]
    x: Rational
    y: Rational


class ChartLane(Frozen):
    """A lane between two systems, or between two places of one. ``crosses`` is what it leads out of, ``note`` what else
    is known of it: ``blocked``."""

    id: HexId
    a: HexId
    b: HexId
    kind: str
    crosses: Literal["", "sector", "galaxy"] = ""
    note: str = ""


class Uncharted(Frozen):
    """A lane that is not explored, at the end that is known. ``id`` is what orders call it, ``note`` what is known of
    it: ``easy, +20``."""

    id: str
    at: HexId
    note: str = ""


class Region(Frozen):
    """Systems that belong together under a name: a sector, a galaxy."""

    level: str
    name: str
    systems: tuple[HexId, ...]


class GalaxyLane(Frozen):
    """A lane between two galaxies, by their names."""

    id: HexId
    a: str
    b: str
    kind: str


class Chart(Frozen):
    """A map of what somebody knows of systems and lanes, checked: ids and names are unique, and all that is said of a
    place is of one that is known."""

    systems: tuple[ChartSystem, ...] = ()
    planets: tuple[ChartPlanet, ...] = ()
    lanes: tuple[ChartLane, ...] = ()
    uncharted: tuple[Uncharted, ...] = ()
    regions: tuple[Region, ...] = ()
    kinds: tuple[LaneKind, ...] = ()
    between: tuple[GalaxyLane, ...] = Field(default=(), exclude_if=lambda lanes: not lanes)

    step: ClassVar[str] = "jump"
    spot: ClassVar[str] = "system"
    near: ClassVar[int] = 1
    is_numbered: ClassVar[bool] = False

    @model_validator(mode="after")
    def _hangs_together(self) -> Self:
        if defects := [*self._doubled(), *self._unknown()]:
            raise ValueError("; ".join(defects))
        return self

    # --- places -----------------------------------------------------------------------------------------------------

    def __contains__(self, place: object) -> bool:
        return place in self._names

    def ids(self) -> tuple[HexId, ...]:
        """Every system, planet and lane, those between galaxies last, each in order of id."""
        return tuple(self._names)

    def called(self, place: HexId) -> str:
        """The name of a system or planet; of a lane, between which it leads."""
        return self._names.get(place, place)

    def parse(self, text: str) -> HexId:
        """The place a person means by its id or name, whatever the case and however words are joined.

        Raises:
            UnknownPlace: with the nearest names.
        """
        if text in self._names:
            return text
        found = self._spoken.get(_folded(text))
        if found is not None:
            return found
        names = {self._names[one]: one for one in self._fixed}
        likely = nearest(" ".join(text.split()), names)[:MOST_LIKELY]
        raise UnknownPlace(text.strip(), "is no system that you know", tuple(likely))

    def named_in(self, text: str) -> HexId:
        """The first system or planet that a text names by its name or id; "" if it names none."""
        found = self._in_texts.search(text) if self._spoken else None
        return self._spoken[_folded(found[0])] if found else ""

    def system_of(self, place: HexId) -> HexId:
        """The system in which a place is; "" for a lane between systems, and for what the map has not."""
        ends = self.ends_of(place)
        return ends[0] if len(ends) == 1 else ""

    def ends_of(self, place: HexId) -> tuple[HexId, ...]:
        """The system in which a place is, or the two between which a lane leads; none of a lane between galaxies,
        and of what the map has not."""
        return self._ends.get(place, ())

    def system(self, place: HexId) -> ChartSystem:
        """A system.

        Raises:
            UnknownPlace: for one that the map has not.
        """
        found = self._systems.get(place)
        if found is None:
            raise self._no(place)
        return found

    def kind_of(self, key: str) -> LaneKind | None:
        """A class of lanes by its key."""
        return self._kinds.get(key)

    # --- distances --------------------------------------------------------------------------------------------------

    def neighbours(self, place: HexId) -> tuple[HexId, ...]:
        """The systems and planets that a lane joins with one, or the ends of a lane, in order of id. Raises
        UnknownPlace."""
        self._ends_or_refuse(place)
        return self._beside[place]

    def distance(self, one: HexId, other: HexId) -> int | None:
        """Jumps by the lanes that are known; None where there is no way. A lane is a jump from its ends, and places of
        one system are none from each other. Raises UnknownPlace."""
        ends, others = self._ends_or_refuse(one), self._ends_or_refuse(other)
        if one == other:
            return 0
        reached = [self._reached(start).get(end) for start in ends for end in others]
        known = [far for far in reached if far is not None]
        return min(known) + len(ends) + len(others) - 2 if known else None

    def within(self, place: HexId, most: int) -> tuple[HexId, ...]:
        """Every place at most so many jumps away, in order of id; of lanes those of which both ends are, and itself.
        Raises UnknownPlace."""
        starts = self._ends_or_refuse(place)
        near = {one for start in starts for one, far in self._reached(start).items() if far + len(starts) - 1 <= most}
        inside = (one for one, ends in self._ends.items() if ends and near.issuperset(ends))
        return tuple(sorted({place, *inside}))

    def away(self, start: HexId, end: HexId) -> str:
        """How many jumps it is, in words; "" within one place."""
        far = self.distance(start, end)
        if far is None:
            return "no way is known"
        return counted(far, self.step) if far else "" if start == end else "the same system"

    # --- parts ------------------------------------------------------------------------------------------------------

    def part(self, shown: Collection[HexId], common: MapPlaces) -> Self:
        """The map with nothing on it but these places, those of ``common``, and the lanes of either."""
        systems = [one for one in self.systems if one.id in shown or one.id in common]
        known = {one.id for one in systems}
        return type(self)(
            systems=tuple(systems),
            planets=tuple(one for one in self.planets if one.system in known and (one.id in shown or one.id in common)),
            lanes=tuple(one for one in self._whole_lanes(known) if one.id in shown or one.id in common),
            kinds=self.kinds,
        )

    def around(self, systems: Collection[HexId]) -> Self:
        """The map of these systems alone, with all that is within and between them."""
        known = {one.id for one in self.systems if one.id in systems}
        parts = ((one, tuple(name for name in one.systems if name in known)) for one in self.regions)
        regions = tuple(one.with_values(systems=left) for one, left in parts if left)
        named = {one.name for one in regions}
        return type(self)(
            systems=tuple(one for one in self.systems if one.id in known),
            planets=tuple(one for one in self.planets if one.system in known),
            lanes=tuple(self._whole_lanes(known)),
            uncharted=tuple(one for one in self.uncharted if self.system_of(one.at) in known),
            regions=regions,
            kinds=self.kinds,
            between=tuple(one for one in self.between if one.a in named and one.b in named),
        )

    # --- what follows from it, worked out once ------------------------------------------------------------------------

    @cached_property
    def _systems(self) -> dict[HexId, ChartSystem]:
        return {one.id: one for one in self.systems}

    @cached_property
    def _kinds(self) -> dict[str, LaneKind]:
        return {one.key: one for one in self.kinds}

    @cached_property
    def _fixed(self) -> dict[HexId, str]:
        """The names of systems, then of planets, each in order of id."""
        systems = {one.id: one.name for one in sorted(self.systems, key=lambda one: one.id)}
        return systems | {one.id: one.name for one in sorted(self.planets, key=lambda one: one.id)}

    @cached_property
    def _names(self) -> dict[HexId, str]:
        """What every place is called."""
        lanes = sorted(self.lanes, key=lambda one: one.id)
        beyond = sorted(self.between, key=lambda one: one.id)
        joined = [(one.id, self._fixed[one.a], self._fixed[one.b]) for one in lanes]
        joined += [(one.id, one.a, one.b) for one in beyond]
        return self._fixed | {lane: f"{a}–{b} lane" for lane, a, b in joined}

    @cached_property
    def _spoken(self) -> dict[str, HexId]:
        """The places that people can name: systems before planets, and names before ids."""
        by_id = {_folded(one): one for one in reversed(self._fixed)}
        return by_id | {_folded(name): one for one, name in reversed(self._fixed.items())}

    @cached_property
    def _in_texts(self) -> re.Pattern[str]:
        """Any of these as a word of its own in a text, the longest first."""
        words = {*self._fixed, *self._fixed.values()}
        either = "|".join(re.escape(one) for one in sorted(words, key=lambda one: (-len(one), one)))
        return re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE)

    @cached_property
    def _ends(self) -> dict[HexId, tuple[HexId, ...]]:
        inner = {one.id: (one.system,) for one in self.planets}
        known = {one: (one,) for one in self._systems} | inner
        beyond = dict.fromkeys((one.id for one in self.between), ())
        return known | {one.id: tuple(dict.fromkeys((*known[one.a], *known[one.b]))) for one in self.lanes} | beyond

    @cached_property
    def _around(self) -> dict[HexId, tuple[HexId, ...]]:
        """The neighbours of each system, in order of id."""
        around: dict[HexId, set[HexId]] = {one: set() for one in self._systems}
        for lane in self.lanes:
            for one in (ends := self._ends[lane.id]):
                around[one].update(other for other in ends if other != one)
        return {one: tuple(sorted(others)) for one, others in around.items()}

    @cached_property
    def _beside(self) -> dict[HexId, tuple[HexId, ...]]:
        """The places that lanes join with each, in order of id."""
        beside: dict[HexId, set[HexId]] = {one: set() for one in self._fixed}
        for lane in self.lanes:
            beside[lane.a].add(lane.b)
            beside[lane.b].add(lane.a)
        ends = {lane.id: {lane.a, lane.b} for lane in self.lanes} | {one.id: set[HexId]() for one in self.between}
        return {one: tuple(sorted(others)) for one, others in (beside | ends).items()}

    @cached_property
    def _from(self) -> dict[HexId, dict[HexId, int]]:
        """How far systems are from those that were asked for so far."""
        return {}

    def _reached(self, start: HexId) -> dict[HexId, int]:
        known = self._from.get(start)
        if known is None:
            known = {start: 0}
            queue = deque([start])
            while queue:
                here = queue.popleft()
                for other in self._around[here]:
                    if other not in known:
                        known[other] = known[here] + 1
                        queue.append(other)
            self._from[start] = known
        return known

    def _ends_or_refuse(self, place: HexId) -> tuple[HexId, ...]:
        ends = self._ends.get(place)
        if ends is None:
            raise self._no(place)
        return ends

    def _no(self, place: HexId) -> UnknownPlace:
        return UnknownPlace(place, "is no system that you know", ())

    def _whole_lanes(self, known: Collection[HexId]) -> Iterable[ChartLane]:
        return (one for one in self.lanes if all(end in known for end in self._ends[one.id]))

    def _doubled(self) -> list[str]:
        keys = [one.id for one in (*self.systems, *self.planets, *self.lanes, *self.between)]
        names = [_folded(one.name) for one in self.systems]
        twice = [one for called in (keys, names) for one, count in Counter(called).items() if count > 1]
        return [f"two places are called {one!r}" for one in twice]

    def _unknown(self) -> list[str]:
        systems = {one.id for one in self.systems}
        fixed = systems | {one.id for one in self.planets}
        said = [(one.system, systems, f"the planet {one.id}") for one in self.planets]
        said += [(end, fixed, f"the lane {one.id}") for one in self.lanes for end in (one.a, one.b)]
        said += [(one.at, fixed, f"the unexplored lane {one.id}") for one in self.uncharted]
        said += [(name, systems, f"{one.level} {one.name}") for one in self.regions for name in one.systems]
        galaxies = {one.name for one in self.regions if one.level == GALAXY}
        said += [(end, galaxies, f"the lane {one.id}") for one in self.between for end in (one.a, one.b)]
        lost = [(what, place) for place, known, what in said if place not in known]
        defects = [f"{what} is at {place!r}, which is not on the map" for what, place in lost]
        kinds = {one.key for one in self.kinds}
        lanes = [(one.id, one.kind) for one in (*self.lanes, *self.between)]
        return defects + [f"the lane {lane} is {kind!r}, no class" for lane, kind in lanes if kind not in kinds]


_BETWEEN = re.compile(r"[\s_\-–']+")


def _folded(text: str) -> str:
    """A name as it is compared: whatever the case, and however its words are joined."""
    return _BETWEEN.sub(" ", text).strip().casefold()
