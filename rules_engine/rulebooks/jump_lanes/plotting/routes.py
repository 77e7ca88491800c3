"""Routes as players write them: ``Sol > Wolf 359``, ``to Ross``, ``loop Sol > Barnard``, ``sector Halo``.

Names have blanks in them, so steps are parted by ``>`` or commas. ``to`` goes by the cheapest known way; after ``loop``
the places are gone round again and again.
"""

import re
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.routes import LOOP, NOWHERE, TO
from rules_engine.core.grids.lanes import Lane
from rules_engine.rulebooks.jump_lanes.ch1_movement.costs import lane_cost
from rules_engine.rulebooks.jump_lanes.ch1_movement.journeys import DRAWN
from rules_engine.rulebooks.jump_lanes.charts import knows_lane, knows_place
from rules_engine.rulebooks.jump_lanes.plotting.names import Names, listed, place_names, plain, sector_names
from rules_engine.rulebooks.jump_lanes.records.orders import GroupOrders, RouteLegOrder
from rules_engine.rulebooks.jump_lanes.records.places import UNCHARTED, JumpLane, PlaceId, is_planet, system_of
from rules_engine.rulebooks.jump_lanes.records.state import LanesState

MOST_LEGS = 60
_BETWEEN = re.compile(r"->|[>→,;\n]|\b(?:then|via)\b", re.IGNORECASE)
_SECTOR = re.compile(r"sector\s+(.+)", re.IGNORECASE)
_AGAIN = re.compile(r"\s*\bagain and again\b\.?$", re.IGNORECASE)


@dataclass
class ReadRoute:
    """A route as it was read. ``again_from`` is the leg at which its round begins; None if it ends."""

    legs: list[RouteLegOrder] = field(default_factory=list[RouteLegOrder])
    again_from: int | None = None
    refusals: list[Refusal] = field(default_factory=list[Refusal])


@dataclass
class LaneWalk:
    """Where a route has led so far, while it is read."""

    state: LanesState
    empire: Side
    here: PlaceId
    path: str
    names: Names
    legs: list[RouteLegOrder] = field(default_factory=list[RouteLegOrder])
    round_from: int | None = None
    first: PlaceId = ""

    def step(self, text: str) -> list[Refusal]:
        """Take what stands between two separators."""
        begins_round, text = _without(text, LOOP)
        if begins_round and self.round_from is not None:
            return [malformed(f"a route has one {LOOP}", self.path)]
        by_any_way, text = _without(text, TO)
        if begins_round:
            self.round_from = len(self.legs)
        if not text:
            return [] if begins_round else [malformed(f"nothing is said after {TO}", self.path)]
        refusals = self._go(text, by_any_way=by_any_way or begins_round)
        if not refusals and self.round_from is not None and not self.first:
            self.round_from, self.first = len(self.legs), self.here
        return refusals

    def close(self) -> list[Refusal]:
        """Lead a round back to where it begins."""
        if self.round_from is None:
            return []
        if not self.first:
            return [malformed(f"{LOOP} needs places to go round", self.path, legal=f"{LOOP} Sol > Wolf 359")]
        if self.here != self.first and (refusals := self._to(self.first)):
            return refusals
        if self.round_from == len(self.legs):
            return [malformed("one place is no round", self.path, legal="two places or more")]
        return []

    def _go(self, text: str, *, by_any_way: bool) -> list[Refusal]:
        if UNCHARTED in text:
            problem = "an unexplored lane cannot be crossed"
            return [illegal(problem, "13.5", self.path, legal="an exploration order for it")]
        sector = _SECTOR.fullmatch(text)
        if sector is not None or text.startswith(DRAWN):
            return self._to_sector(text.removeprefix(DRAWN) if sector is None else sector[1])
        goal, refusals = self.names.read(text, self.path)
        if refusals:
            return refusals
        if goal == self.here:
            named = self.state.place_name(goal)
            is_start = not self.legs or (self.round_from == len(self.legs) and not self.first)
            return [] if is_start else [malformed(f"the route is at {named} already", self.path)]
        if self.state.galaxy_of(goal) != self.state.galaxy_of(self.here):
            return self._to_galaxy(goal)
        return self._to(goal) if by_any_way else self._beside(goal)

    def _beside(self, goal: PlaceId) -> list[Refusal]:
        lane = _cheapest_between(self.state, self.empire, self.here, goal)
        if lane is None:
            return [self._no_lane(goal)]
        self._take(lane.id, goal)
        return []

    def _to(self, goal: PlaceId) -> list[Refusal]:
        way = way_to(self.state, self.empire, self.here, goal)
        if way is None:
            text = f"no lanes that you know lead from {self._name(self.here)} to {self._name(goal)}"
            return [illegal(text, "13.1", self.path, legal=f"from there: {self._neighbours()}")]
        for lane, place in way:
            self._take(lane, place)
        return []

    @rule("13.1.4")
    def _to_galaxy(self, goal: str) -> list[Refusal]:
        """Cross to another galaxy, to a known system of it or a sector: from a star system's own place, its outskirts
        where there are system maps. 13.1.4, JL-R06"""
        state, here = self.state, state_galaxy(self.state, self.here)
        there = _galaxy_of_goal(state, goal)
        name = state.galaxies[there].name if there in state.galaxies else there
        found = [one for one in state.lanes_at(here) if one.explored and one.other(here) == there] if here else []
        if not found:
            return [illegal(f"no lane that you know leads to {name}", "13.1.4", self.path, legal=self._neighbours())]
        if is_planet(self.here):
            return [self._not_in_outskirts("13.1.4")]
        if is_planet(goal):
            text = f"{self._name(goal)} is a planet, and an intergalactic lane ends at a system"
            near = (self._name(system_of(goal)),)
            return [illegal(text, "13.1.4", self.path, legal=near[0], nearest=near)]
        lane = min(found, key=lambda one: (lane_cost(state, one) or Fraction(0), one.id))
        self._take(lane.id, goal)
        return []

    def _to_sector(self, text: str) -> list[Refusal]:
        key, refusals = sector_names(self.state, self.empire).read(text, self.path)
        if refusals:
            return refusals
        if self.state.sectors[key].galaxy == state_galaxy(self.state, self.here):
            text = "a sector is named only where the route leads to another galaxy"
            return [illegal(text, "13.1.4", self.path, legal="a system of this galaxy, or a sector of another")]
        return self._to_galaxy(f"{DRAWN}{key}")

    def _take(self, lane: str, goal: str) -> None:
        self.legs.append(RouteLegOrder(lane=lane, to=goal))
        self.here = goal

    @rule("13.1.2", "13.1.3")
    def _no_lane(self, goal: PlaceId) -> Refusal:
        """Why there is no step to a place: no lane, or only from the outskirts. 13.1.2, 13.1.3, JL-R06"""
        state = self.state
        if is_planet(self.here) and system_of(goal) != system_of(self.here):
            return self._not_in_outskirts("13.1.2, 13.1.3")
        way = way_to(state, self.empire, self.here, goal)
        near = () if way is None else (" > ".join(self._name(place) for _, place in way),)
        text = f"no lane that you know leads from {self._name(self.here)} to {self._name(goal)}"
        legal = self._neighbours() + (f", or {TO} {self._name(goal)}" if near else "")
        return illegal(text, "13.1", self.path, legal=legal, nearest=near)

    def _not_in_outskirts(self, rules: str) -> Refusal:
        outskirts = self._name(system_of(self.here))
        text = f"{self._name(self.here)} is a planet, and other systems are reached from the outskirts"
        return illegal(text, rules, self.path, legal=f"first {outskirts}", nearest=(outskirts,))

    def _neighbours(self) -> str:
        empire = self.state.empires[self.empire]
        known = [one for one in self.state.lanes_at(self.here) if knows_lane(self.state, empire, one)]
        return listed(dict.fromkeys(self._name(one.other(self.here)) for one in known)) or "no lane from there"

    def _name(self, place: str) -> str:
        return goal_name(self.state, place)


def read_route(state: LanesState, empire: Side, start: PlaceId, text: str, path: str) -> ReadRoute:
    """A written route that begins at a place, and its first defect: what follows it would start from nowhere."""
    if plain(text) in NOWHERE or plain(text) in ("", "-"):
        return ReadRoute()
    said = _AGAIN.sub("", text)
    walk = LaneWalk(state, empire, start, path, place_names(state, empire))
    steps = [one for one in map(str.strip, _BETWEEN.split(said)) if one]
    if said != text and steps:
        steps[0] = f"{LOOP} {steps[0]}"
    for step in steps:
        if walk.here.startswith(DRAWN):
            problem = "where it arrives is drawn, so the route ends there"
            return ReadRoute(refusals=[illegal(problem, "13.1.4", path, legal="a sector as the last step")])
        if refusals := walk.step(step):
            return ReadRoute(refusals=refusals)
        if len(walk.legs) > MOST_LEGS:
            return ReadRoute(refusals=[malformed(f"a route has at most {MOST_LEGS} steps", path)])
    if refusals := walk.close():
        return ReadRoute(refusals=refusals)
    return ReadRoute(walk.legs, walk.round_from)


def way_to(state: LanesState, empire: Side, start: PlaceId, goal: PlaceId) -> list[tuple[str, PlaceId]] | None:
    """The cheapest way by lanes that an empire knows: each lane and the place that it leads to; None if there is none.
    Between galaxies there is no such way."""
    known = state.empires[empire]

    def cost(lane: Lane) -> Fraction | None:
        found = state.lanes[lane.kind]
        return lane_cost(state, found) if knows_lane(state, known, found) else None

    if not (knows_place(known, goal) and knows_place(known, start)):
        return None
    places = state.chart.path(start, goal, cost=cost)
    if places is None:
        return None
    steps: list[tuple[str, PlaceId]] = []
    for here, there in pairwise(places):
        lane = _cheapest_between(state, empire, here, there)
        assert lane is not None
        steps.append((lane.id, there))
    return steps


def _cheapest_between(state: LanesState, empire: Side, here: PlaceId, there: PlaceId) -> JumpLane | None:
    known = state.empires[empire]
    joining = (state.lanes[one.kind] for one in state.chart.lanes_between(here, there))
    found = [one for one in joining if knows_lane(state, known, one)]
    return min(found, key=lambda one: (lane_cost(state, one) or Fraction(0), one.id), default=None)


def state_galaxy(state: LanesState, place: str) -> str:
    """The galaxy of a place or of a sector in which a place is drawn."""
    return _galaxy_of_goal(state, place)


def _galaxy_of_goal(state: LanesState, goal: str) -> str:
    return state.sectors[goal.removeprefix(DRAWN)].galaxy if goal.startswith(DRAWN) else state.galaxy_of(goal)


def goal_name(state: LanesState, goal: str) -> str:
    """Where a leg leads, as it is written: a place, or a sector."""
    if goal.startswith(DRAWN):
        return f"sector {state.sectors[goal.removeprefix(DRAWN)].name}"
    return state.place_name(goal)


def write_route(state: LanesState, orders: GroupOrders, here: PlaceId) -> str:
    """The reverse of reading a route: what lies before a group that is ``here``."""
    legs, gone, start = orders.legs, orders.gone, orders.again_from
    if start is None:
        return " > ".join(goal_name(state, one.to) for one in legs[gone:])
    if gone >= start:  # within the round, which may as well begin here
        places = [here, *(one.to for one in (*legs[gone:], *legs[start:gone]))]
        return f"{LOOP} {' > '.join(goal_name(state, one) for one in places)}"
    before = [goal_name(state, one.to) for one in legs[gone : start - 1]]
    around = [goal_name(state, one.to) for one in legs[start - 1 :]]
    return " > ".join([*before, f"{LOOP} {' > '.join(around)}"])


def goal_of(state: LanesState, orders: GroupOrders) -> str:
    """Where a route leads in the end, or next on a round."""
    legs = orders.legs[orders.gone :]
    return goal_name(state, (legs[-1] if orders.again_from is None else legs[0]).to)


def say_stopped(state: LanesState, orders: GroupOrders) -> str:
    """Where others stopped a group, and where its route goes on to; "" if nobody did. 13.2, JL-R44"""
    if not orders.stopped_at:
        return ""
    return f"stopped at {state.place_name(orders.stopped_at)}; goes on to {goal_of(state, orders)}"


def _without(text: str, word: str) -> tuple[bool, str]:
    """Whether a text begins with a word, and the rest."""
    head, _, rest = text.partition(" ")
    return (True, rest.strip()) if head.casefold() == word else (False, text)
