"""Maps of systems joined by lanes, for rulebooks in which ships move from star to star.

A `LaneMap` is a checked, frozen value read from configuration. Lengths are exact, in whatever unit the rulebook
counts. Among equally good paths the one whose system ids come first in order is taken, so that a replay always takes
the same one.
"""

import heapq
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Literal, Self, TypeAlias

from pydantic import PrivateAttr, model_validator

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.rational import Rational
from rules_engine.core.basics.refusals import nearest
from rules_engine.core.grids.places import UnknownPlace

SystemId: TypeAlias = str
Measure: TypeAlias = Literal["hops", "length"]


class UnknownSystem(UnknownPlace):
    """A text that names no system of the map. `text` is as given, `nearest` lists the most likely ids."""

    def __init__(self, text: str, nearest: tuple[SystemId, ...]) -> None:
        super().__init__(text, "is not a system of this map", nearest)


class System(Frozen):
    """A place on the map. `x` and `y` are for drawing only, x to the right and y down, in any unit."""

    id: SystemId
    name: str
    x: Rational
    y: Rational
    tags: tuple[str, ...] = ()


class Lane(Frozen):
    """A way between two systems; from `a` to `b` only if `one_way`. `kind` is the rulebook's class of lane."""

    a: SystemId
    b: SystemId
    length: Rational = Fraction(1)
    kind: str
    one_way: bool = False

    def leaves(self, system: SystemId) -> bool:
        """Whether a ship at `system` can set out along this lane."""
        return system == self.a or (system == self.b and not self.one_way)

    def other(self, system: SystemId) -> SystemId:
        """The far end. Raises ValueError if the lane does not touch `system`."""
        if system not in (self.a, self.b):
            raise ValueError(f"the lane {self.a}-{self.b} does not touch {system}")
        return self.b if system == self.a else self.a


Cost: TypeAlias = Callable[[Lane], Fraction | None]
"""The cost of a lane for one kind of traveller, above zero; None where it cannot go."""


class LaneMap(Frozen):
    """Systems and lanes, checked: ids and names unique, lanes between known and different systems, lengths above
    zero, no two lanes of one kind between the same two systems. All defects are told at once."""

    systems: tuple[System, ...]
    lanes: tuple[Lane, ...] = ()

    _systems: dict[SystemId, System] = PrivateAttr(default_factory=dict[SystemId, System])
    _leaving: dict[SystemId, tuple[Lane, ...]] = PrivateAttr(default_factory=dict[SystemId, tuple[Lane, ...]])

    @model_validator(mode="after")
    def _hangs_together(self) -> Self:
        if defects := [*self._system_defects(), *self._lane_defects()]:
            raise ValueError("; ".join(defects))
        return self

    def model_post_init(self, context: Any, /) -> None:
        """Sort the lanes by the system they leave, once."""
        self._systems = {system.id: system for system in self.systems}
        self._leaving = {
            here: tuple(
                sorted(
                    (lane for lane in self.lanes if lane.leaves(here) and here in (lane.a, lane.b)),
                    key=lambda lane: (lane.other(here), lane.length, lane.kind),
                )
            )
            for here in self._systems
        }

    def model_copy(self, *, update: Any = None, deep: bool = False) -> Self:
        """A copy with other systems or lanes, checked afresh."""
        return type(self).model_validate({**self.model_dump(), **(update or {})})

    def __contains__(self, system: object) -> bool:
        return system in self._systems

    def system(self, system: SystemId) -> System:
        """The system of that id. Raises UnknownSystem with the nearest ids."""
        found = self._systems.get(system)
        if found is None:
            raise UnknownSystem(system, self._nearest(system))
        return found

    def parse(self, text: str) -> SystemId:
        """The id of the system a person means by its id or name, whatever the case. Raises UnknownSystem."""
        meant = " ".join(text.split()).casefold()
        for known in self.systems:
            if meant in (known.id.casefold(), known.name.casefold()):
                return known.id
        raise UnknownSystem(text.strip(), self._nearest(meant))

    def ids(self) -> tuple[SystemId, ...]:
        """Every system's id, in order."""
        return tuple(sorted(self._systems))

    def lanes_from(self, system: SystemId) -> tuple[Lane, ...]:
        """The lanes a ship can set out along, by far end, then length, then kind. Raises UnknownSystem."""
        self.system(system)
        return self._leaving[system]

    def neighbours(self, system: SystemId) -> tuple[SystemId, ...]:
        """The systems one lane away, in order of id. Raises UnknownSystem."""
        return tuple(dict.fromkeys(lane.other(system) for lane in self.lanes_from(system)))

    def lanes_between(self, start: SystemId, end: SystemId) -> tuple[Lane, ...]:
        """The lanes that lead straight from one system to another, shortest first. Raises UnknownSystem."""
        self.system(end)
        return tuple(lane for lane in self.lanes_from(start) if lane.other(start) == end)

    def path(
        self, start: SystemId, end: SystemId, by: Measure = "length", *, cost: Cost | None = None
    ) -> tuple[SystemId, ...] | None:
        """The cheapest path, both ends included, or None if there is none.

        Cost is counted in hops or lengths, or by `cost`; ties go to fewer hops, then to the ids that come first.
        Raises UnknownSystem, or ValueError for a cost not above zero.
        """
        self.system(end)
        found = self._cheapest(start, cost or _cost_by(by), None).get(end)
        return found[1] if found else None

    def distance(
        self, start: SystemId, end: SystemId, by: Measure = "length", *, cost: Cost | None = None
    ) -> Fraction | None:
        """What `path` costs: 0 for the same system, None if there is no way. Raises as `path` does."""
        self.system(end)
        found = self._cheapest(start, cost or _cost_by(by), None).get(end)
        return found[0] if found else None

    def within(
        self, start: SystemId, most: Fraction | int, by: Measure = "length", *, cost: Cost | None = None
    ) -> dict[SystemId, Fraction]:
        """Every system that can be reached for at most `most`, with its cost, in order of id; `start` costs 0."""
        reached = self._cheapest(start, cost or _cost_by(by), Fraction(most))
        return {system: reached[system][0] for system in sorted(reached)}

    def _cheapest(
        self, start: SystemId, cost: Cost, most: Fraction | None
    ) -> dict[SystemId, tuple[Fraction, tuple[SystemId, ...]]]:
        """Dijkstra's search; the path itself is in the key, so that ties are never broken by chance."""
        self.system(start)
        settled: dict[SystemId, tuple[Fraction, tuple[SystemId, ...]]] = {}
        queue: list[tuple[Fraction, int, tuple[SystemId, ...]]] = [(Fraction(0), 0, (start,))]
        while queue:
            spent, hops, way = heapq.heappop(queue)
            here = way[-1]
            if here in settled or (most is not None and spent > most):
                continue
            settled[here] = (spent, way)
            for lane in self._leaving[here]:
                price = cost(lane)
                if price is None:
                    continue
                if price <= 0:
                    raise ValueError(f"the lane {lane.a}-{lane.b} must cost more than nought, not {price}")
                there = lane.other(here)
                if there not in settled:
                    heapq.heappush(queue, (spent + price, hops + 1, (*way, there)))
        return settled

    def _nearest(self, text: str) -> tuple[SystemId, ...]:
        ids_of_names = {known.name: known.id for known in self.systems} | {known.id: known.id for known in self.systems}
        return tuple(dict.fromkeys(ids_of_names[name] for name in nearest(text, ids_of_names)))

    def _system_defects(self) -> list[str]:
        defects = [] if self.systems else ["systems: there is none"]
        taken: dict[str, int] = {}
        for index, system in enumerate(self.systems):
            words = [(field, getattr(system, field)) for field in ("id", "name")]
            defects += [f"systems[{index}].{field}: is empty" for field, word in words if not word.strip()]
            # Ids and names share one namespace, so that `parse` can never mean two systems.
            for word in dict.fromkeys(word.casefold() for _, word in words):
                if word in taken:
                    defects.append(f"systems[{index}]: {word!r} is already systems[{taken[word]}]")
                taken.setdefault(word, index)
        return defects

    def _lane_defects(self) -> list[str]:
        defects: list[str] = []
        ids = [system.id for system in self.systems]
        known = dict.fromkeys(ids)
        taken: dict[tuple[SystemId, SystemId, str], int] = {}
        for index, lane in enumerate(self.lanes):
            where = f"lanes[{index}]"
            for field, end in (("a", lane.a), ("b", lane.b)):
                if end not in known:
                    likely = nearest(end, ids)
                    hint = f", perhaps {' or '.join(likely)}" if likely else ""
                    defects.append(f"{where}.{field}: {end!r} is not a system{hint}")
            if lane.a == lane.b:
                defects.append(f"{where}: leads from {lane.a} to itself")
            if lane.length <= 0:
                defects.append(f"{where}.length: must be above 0, not {lane.length}")
            ways = [(lane.a, lane.b, lane.kind)] + ([] if lane.one_way else [(lane.b, lane.a, lane.kind)])
            double = [taken[way] for way in ways if way in taken]
            if double:
                defects.append(f"{where}: {lane.a}-{lane.b} of kind {lane.kind!r} is already lanes[{double[0]}]")
            taken.update({way: index for way in ways if way not in taken})
        return defects


def _cost_by(measure: Measure) -> Cost:
    return (lambda lane: lane.length) if measure == "length" else (lambda lane: Fraction(1))
