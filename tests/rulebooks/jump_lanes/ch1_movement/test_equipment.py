"""What propulsion lanes ask for, what they cost, and the slowest of those who move together (13.1)."""

from fractions import Fraction

import pytest

from rules_engine.rulebooks.jump_lanes.ch1_movement.costs import lane_cost
from rules_engine.rulebooks.jump_lanes.ch1_movement.equipment import (
    Speeds,
    equipment_for,
    lacking,
    rating_of,
    slowest,
    strained,
)
from rules_engine.rulebooks.jump_lanes.records.places import LaneClass, LaneType
from rules_engine.rulebooks.jump_lanes.records.settings import LaneCosts
from tests.rulebooks.jump_lanes.frontier import frontier, ship


@pytest.mark.parametrize(
    ("lane_type", "equipment"),
    [
        pytest.param("interplanetary", "engines", marks=pytest.mark.rule("jump_lanes", "13.1.1")),
        pytest.param("interstellar", "ftl", marks=pytest.mark.rule("jump_lanes", "13.1.2")),
        pytest.param("sector", "ftl", marks=pytest.mark.rule("jump_lanes", "13.1.3")),
        pytest.param("intergalactic", "intergalactic", marks=pytest.mark.rule("jump_lanes", "13.1.4")),
    ],
)
def test_each_type_of_lane_asks_for_its_own_propulsion(lane_type: LaneType, equipment: str):
    assert equipment_for(lane_type) == equipment
    able, unable = ship("able", engines=0, ftl=0), ship("unable", engines=3, ftl=3, intergalactic=3)
    setattr(able, equipment, 1)
    setattr(unable, equipment, 0)
    assert lacking([able, unable], lane_type) == [unable]


@pytest.mark.rule("jump_lanes", "13.1", "13.1.3", "13.5")
def test_lanes_cost_by_their_class_sector_lanes_twice_and_unexplored_ones_cannot_be_crossed():
    state = frontier()
    costs = {key: lane_cost(state, state.lanes[key]) for key in ("L1", "L2", "L4", "L5", "L6", "L8")}
    assert costs == {"L1": 2, "L2": 1, "L4": Fraction(1, 2), "L5": 2, "L6": None, "L8": 2}
    doubled: dict[LaneClass, int] = {"major": 1, "normal": 2, "minor": 4, "restricted": 8}
    for lane_class, cost in doubled.items():
        state.lanes["L5"].lane_class = lane_class
        assert lane_cost(state, state.lanes["L5"]) == cost


@pytest.mark.rule("jump_lanes", "13.1")
def test_the_costs_of_classes_are_those_of_the_scenario():
    state = frontier()
    state.costs = LaneCosts(minor=Fraction(5))
    assert lane_cost(state, state.lanes["L1"]) == 5


@pytest.mark.rule("jump_lanes", "13.1.5")
def test_a_group_is_as_fast_as_its_slowest_member():
    hermes, achilles = ship("Hermes", ftl=1, engines=4), ship("Achilles", ftl=2, engines=3, intergalactic=2)
    assert slowest([hermes, achilles]) == Speeds(3, 1, 0)
    assert slowest([achilles]) == Speeds(3, 2, 2)
    assert slowest([]) == Speeds(0, 0, 0)


@pytest.mark.rule("jump_lanes", "13.1.5")
def test_based_flights_and_units_in_tow_slow_nobody_down():
    carrier, flight = ship("carrier", ftl=3), ship("flight", kind="flight", ftl=0, based_on="carrier")
    base = ship("base", kind="starbase", ftl=0, engines=0, towed=True)
    assert slowest([carrier, flight, base]).ftl == 3
    assert lacking([carrier, flight, base], "interstellar") == []
    base.towed = False
    assert slowest([carrier, flight, base]).ftl == 0
    assert lacking([carrier, flight, base], "interstellar") == [base]
    flight.based_on = ""
    assert lacking([carrier, flight], "interstellar") == [flight]


@pytest.mark.rule("jump_lanes", "13.4.1")
@pytest.mark.parametrize(("rating", "halved"), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2), (5, 3)])
def test_a_tug_that_tows_has_half_its_propulsion_rounded_up(rating: int, halved: int):
    assert strained(rating) == halved
    tug = ship("tug", engines=rating, ftl=rating, intergalactic=rating, towing=4)
    assert rating_of(tug, "engines") == rating_of(tug, "ftl") == rating_of(tug, "intergalactic") == rating
    tug.tows = True
    assert rating_of(tug, "engines") == rating_of(tug, "ftl") == rating_of(tug, "intergalactic") == halved
