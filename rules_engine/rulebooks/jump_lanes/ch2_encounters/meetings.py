"""Where groups meet that move in the same turn: at common destinations, in their order of time, and in lanes.
13.1.5, 13.1.6, 13.2"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.jump_lanes.ch1_movement.journeys import Reached
from rules_engine.rulebooks.jump_lanes.records.places import LaneId, PlaceId

Opposing = Callable[[Side, Side], bool]
Draw = Callable[[int], int]
"""One of so many with equal chances, from 0."""


@dataclass
class Journey:
    """A group in a turn's movement. ``reached`` are the places that it comes to; ``start`` is where it stands before,
    empty in a lane. ``lane`` is the lane in which it is in transit, before or after; ``begins`` that it enters that
    lane in this turn. ``met`` is where it is stopped by others."""

    group: str
    empire: Side
    start: PlaceId = ""
    reached: list[Reached] = field(default_factory=list[Reached])
    lane: LaneId = ""
    begins: bool = False
    met: PlaceId = ""

    @property
    @rule("13.1.5")
    def destinations(self) -> dict[PlaceId, Fraction]:
        """The places at which it may be met, and when it first comes to each: where it stands, if it does not move.
        13.1.5, JL-R16, JL-R17"""
        if self.met:
            return {self.met: self._times().get(self.met, Fraction(0))}
        if self.reached:
            return self._times()
        return {self.start: Fraction(0)} if self.start and not self.lane else {}

    def _times(self) -> dict[PlaceId, Fraction]:
        return {one.place: one.time for one in reversed(self.reached)}

    @rule("13.2")
    def stop(self, place: PlaceId) -> None:
        """End its movement at a place where it meets others. 13.2"""
        self.met = place
        keep = next((number for number, one in enumerate(self.reached, 1) if one.place == place), 0)
        self.reached = self.reached[:keep]

    def enters(self, lane: LaneId) -> Fraction:
        """When it comes into a lane in which it is in this turn."""
        before = [Fraction(0), *(one.time for one in self.reached)]
        return next((time for time, one in zip(before, self.reached, strict=False) if one.lane == lane), Fraction(0))

    @property
    def crossed(self) -> dict[LaneId, PlaceId]:
        """The lanes that it crosses in this turn as a whole, and to which end of each."""
        return {one.lane: one.place for one in self.reached if one.lane != self.lane}


Passing = Callable[[Journey, Journey, LaneId], bool]
"""Whether two groups that cross a lane towards each other meet there. JL-R15"""


class GroupMeeting(NamedTuple):
    """Two groups that come to one place. ``key`` sorts meetings: when the later comes, and both times together."""

    key: tuple[Fraction, Fraction]
    place: PlaceId
    first: int
    second: int


@rule("13.1.5", "13.2")
def stop_journeys(journeys: Sequence[Journey], opposing: Opposing, draw: Draw) -> None:
    """Stop opposing groups at their first common destination: the one to which the later of two comes first, then the
    one with the smaller sum of times, then one that is drawn. Who has been stopped goes no farther, and meets others
    only there. 13.1.5, 13.2, JL-R15, JL-R16, JL-R18"""
    done: set[tuple[int, int]] = set()
    pairs = [  # who has no common destination now gets none, for destinations are only taken away
        (first, second)
        for first, second in combinations(range(len(journeys)), 2)
        if opposing(journeys[first].empire, journeys[second].empire) and _common(journeys, first, second)
    ]
    while True:
        found = [one for pair in pairs if pair not in done for one in _common(journeys, *pair)]
        if not found:
            return
        best = min(one.key for one in found)
        tied = [one for one in found if one.key == best]
        meeting = tied[draw(len(tied))] if _exclude_each_other(tied) else tied[0]
        done.add((meeting.first, meeting.second))
        for number in (meeting.first, meeting.second):
            journeys[number].stop(meeting.place)


def _common(journeys: Sequence[Journey], first: int, second: int) -> list[GroupMeeting]:
    """The meetings of two groups that are possible, in the order of the places."""
    times, others = journeys[first].destinations, journeys[second].destinations
    return [
        GroupMeeting((max(times[place], others[place]), times[place] + others[place]), place, first, second)
        for place in sorted(times)
        if place in others
    ]


def _exclude_each_other(tied: Sequence[GroupMeeting]) -> bool:
    """Whether some group would have to be at two places."""
    where: dict[int, PlaceId] = {}
    return any(where.setdefault(number, one.place) != one.place for one in tied for number in (one.first, one.second))


class LaneMeeting(NamedTuple):
    """Groups that meet in a lane, by number."""

    lane: LaneId
    groups: tuple[int, ...]


@rule("13.1.6")
def meet_in_lane(one: Journey, other: Journey, lane: LaneId) -> bool:
    """Whether two groups meet in a lane: one of them is in transit there, and one enters it in this turn. 13.1.6,
    JL-R14"""

    def enters(journey: Journey) -> bool:
        return lane in journey.crossed or (journey.lane == lane and journey.begins)

    return (one.lane == lane and enters(other)) or (other.lane == lane and enters(one))


@rule("13.1.6", "13.2")
def lane_meetings(journeys: Sequence[Journey], opposing: Opposing, passing: Passing | None = None) -> list[LaneMeeting]:
    """The groups that meet in lanes, lane by lane. ``passing`` decides, where a campaign plays so, whether two that
    cross a lane towards each other meet. 13.1.6, 13.2, JL-R14, JL-R15"""
    met: dict[LaneId, set[int]] = {}
    for first, second in combinations(range(len(journeys)), 2):
        one, other = journeys[first], journeys[second]
        if not opposing(one.empire, other.empire):
            continue
        lanes = dict.fromkeys((*filter(None, (one.lane, other.lane)), *one.crossed))
        for lane in lanes:
            if meet_in_lane(one, other, lane) or (
                passing is not None and _swap(one, other, lane) and passing(one, other, lane)
            ):
                met.setdefault(lane, set()).update((first, second))
    return [LaneMeeting(lane, tuple(sorted(met[lane]))) for lane in sorted(met)]


@rule("13.1.6")
def in_their_order(met: Sequence[LaneMeeting], journeys: Sequence[Journey], draw: Draw) -> list[LaneMeeting]:
    """Meetings in lanes, for each group in the order in which it comes into the lanes; where that leads round in a
    circle, one that is drawn comes first. 13.1.6, JL-N09"""
    left: list[LaneMeeting] = list(met)
    ordered: list[LaneMeeting] = []

    def comes_later(one: LaneMeeting) -> bool:
        return any(
            journeys[group].enters(other.lane) < journeys[group].enters(one.lane)
            for other in left
            for group in {*one.groups} & {*other.groups}
        )

    while left:
        free = [one for one in left if not comes_later(one)] or [left[draw(len(left))]]
        ordered += free
        left = [one for one in left if one not in free]
    return ordered


def _swap(one: Journey, other: Journey, lane: LaneId) -> bool:
    """Whether two groups cross a lane as a whole towards each other."""
    return lane in one.crossed and lane in other.crossed and one.crossed[lane] != other.crossed[lane]
