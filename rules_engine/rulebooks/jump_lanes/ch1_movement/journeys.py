"""How far a route leads in a turn: lanes within the rating, or one extended jump. 13.1.5, 13.1.6"""

import math
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.jump_lanes.ch1_movement.costs import lane_cost
from rules_engine.rulebooks.jump_lanes.ch1_movement.equipment import Equipment, Speeds, equipment_for
from rules_engine.rulebooks.jump_lanes.records.orders import GroupOrders, RouteLegOrder
from rules_engine.rulebooks.jump_lanes.records.places import LaneId
from rules_engine.rulebooks.jump_lanes.records.state import LanesState

DRAWN = "*"
"""Before the sector in which the place of arrival is drawn. 13.1.4"""


class Reached(NamedTuple):
    """A place that a group comes to in a turn: by which lane, and which part of the turn is then over."""

    place: str
    lane: LaneId
    time: Fraction


class Stretch(NamedTuple):
    """What a group does of its route in a turn: the places that it comes to in their order, or the extended jump that
    it begins, of so many turns. ``spent`` are the points of each kind of propulsion."""

    reached: tuple[Reached, ...] = ()
    jump: RouteLegOrder | None = None
    turns: int = 0
    spent: tuple[tuple[Equipment, Fraction], ...] = ()

    @property
    def legs(self) -> int:
        """How many legs of the route are behind the group when it has done this."""
        return len(self.reached) + (self.jump is not None)


@rule("13.1.6")
def jump_turns(cost: Fraction, rating: int) -> int:
    """How many turns an extended jump takes: the cost by the slowest rating, rounded up. 13.1.6, JL-R11"""
    return math.ceil(cost / rating)


def ahead(orders: GroupOrders) -> list[RouteLegOrder]:
    """The legs that lie before a group; of a trade run also the whole of the next round."""
    left = orders.legs[orders.gone :]
    return left if orders.again_from is None else [*left, *orders.legs[orders.again_from :]]


def pass_legs(orders: GroupOrders, count: int) -> None:
    """Note that so many legs are behind a group. A route that has come to its end is over; a trade run begins again."""
    for _ in range(count):
        orders.gone += 1
        if orders.gone == len(orders.legs) and orders.again_from is not None:
            orders.gone = orders.again_from
    if orders.gone >= len(orders.legs):
        end_route(orders)


def end_route(orders: GroupOrders) -> None:
    """Forget a route, and that others stopped it."""
    orders.legs, orders.gone, orders.again_from = [], 0, None
    orders.stopped_at = ""


@rule("13.1.5", "13.1.6")
def next_stretch(
    state: LanesState, speeds: Speeds, legs: Sequence[RouteLegOrder], stops: Collection[str] = ()
) -> Stretch:
    """How far a route leads in one turn: as many lanes as the ratings pay for, but no farther than a place of
    ``stops``; or, where the first lane alone costs more than the rating, an extended jump, and nothing else in that
    turn. 13.1.5, 13.1.6, JL-R08, JL-R10"""
    spent: dict[Equipment, Fraction] = {}
    reached: list[Reached] = []
    time = Fraction(0)
    for leg in legs:
        lane = state.lanes[leg.lane]
        cost, kind = lane_cost(state, lane), equipment_for(lane.type)
        rating = speeds.of(kind)
        if cost is None or rating == 0:
            break
        if not reached and cost > rating:
            return Stretch(jump=leg, turns=jump_turns(cost, rating), spent=((kind, Fraction(rating)),))
        if spent.get(kind, Fraction(0)) + cost > rating:
            break
        spent[kind] = spent.get(kind, Fraction(0)) + cost
        time += cost / rating
        reached.append(Reached(leg.to, leg.lane, time))
        if leg.to in stops or leg.to.startswith(DRAWN):
            break
    return Stretch(tuple(reached), spent=tuple(spent.items()))


class Due(NamedTuple):
    """A leg of a route and the turn in whose movement it is done."""

    leg: RouteLegOrder
    turn: int


def timetable(
    state: LanesState, speeds: Speeds, legs: Sequence[RouteLegOrder], stops: Collection[str], turn: int
) -> Iterator[Due]:
    """When a group comes to each place of its route, if it sets out in a turn and nobody stops it; the turn of an order
    is the first of an extended jump. JL-R12"""
    left = list(legs)
    while left:
        stretch = next_stretch(state, speeds, left, stops)
        if stretch.legs == 0:
            return
        last = turn + max(stretch.turns - 1, 0)
        for leg in left[: stretch.legs]:
            yield Due(leg, last)
        left, turn = left[stretch.legs :], last + 1
