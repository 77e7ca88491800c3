"""Exploration orders (13.5, 13.5.1)."""

import pytest

from rules_engine.rulebooks.jump_lanes.ch5_exploration.forces import (
    ExplorationForce,
    exploration_forces,
    judge_exploration,
    known_unexplored,
    order_text,
    science_of,
)
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import JumpTransit
from tests.rulebooks.jump_lanes.freight import rules
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, lane, ship, squadron


@pytest.fixture
def state() -> LanesState:
    """A survey squadron at Ross, where L6 leads to Vega and nobody has explored it."""
    made = frontier()
    squadron(made, "S1", "ross", ship("Probe", science=8), ship("Lens", science=8))
    return made


def judged(state: LanesState, key: str = "L6", *, moves: bool = False) -> list[str]:
    return rules(judge_exploration(state, state.squadrons["S1"], state.lanes[key], "S1.explore", moves=moves))


@pytest.mark.rule("jump_lanes", "13.5.1")
def test_an_unexplored_lane_at_the_squadrons_place(state: LanesState):
    assert judged(state) == []
    assert judged(state, "L4") == ["13.5.1"]  # explored
    assert judged(state, "L1") == ["13.5.1"]
    state.squadrons["S1"].at = "sol"
    assert judged(state) == ["13.5.1"]


@pytest.mark.rule("jump_lanes", "13.5.1")
def test_whoever_explores_does_not_move(state: LanesState):
    assert judged(state, moves=True) == ["13.5.1"]


@pytest.mark.rule("jump_lanes", "13.5")
def test_only_science_equipped_units_explore(state: LanesState):
    for key in ("Probe", "Lens"):
        state.units[key].science = 0
    assert judged(state) == ["13.5"]


@pytest.mark.rule("jump_lanes", "13.1.6")
def test_nobody_explores_in_a_lane(state: LanesState):
    transit = JumpTransit.from_json({"lane": "L1", "origin": "sol", "goal": "wolf", "cost": 2})
    state.squadrons["S1"].transit = transit
    assert judged(state) == ["13.1.6"]


def test_a_lane_that_the_empire_does_not_know_is_refused_like_one_that_is_not_there(state: LanesState):
    state.empires[TERRAN].sights = []
    unknown = judge_exploration(state, state.squadrons["S1"], state.lanes["L6"], "S1", moves=False)
    elsewhere = judge_exploration(state, state.squadrons["S1"], state.lanes["L1"], "S1", moves=False)
    assert [str(one) for one in unknown] == [str(one) for one in elsewhere]


@pytest.mark.rule("jump_lanes", "13.5.1")
def test_science_of_members_based_flights_and_ground_units_aboard(state: LanesState):
    found = state.squadrons["S1"]
    assert science_of(state, [found]) == 16
    shuttle = ship("Shuttle", kind="flight", science=2)
    state.put(shuttle, squadron="S1")
    shuttle.based_on = "Probe"
    state.put(ship("Team", kind="troop", science=3), aboard="S1")
    assert science_of(state, [found]) == 21
    state.put(ship("Wreck", kind="starship", science=50), aboard="S1")
    state.put(ship("Savant", kind="officer", science=50), aboard="S1")
    assert science_of(state, [found]) == 21
    state.units["Probe"].crippled = state.units["Lens"].out_of_supply = True
    assert science_of(state, [found]) == 5


@pytest.mark.rule("jump_lanes", "13.5.1")
def test_squadrons_that_explore_one_lane_together_are_one_force(state: LanesState):
    squadron(state, "S2", "ross", ship("Third", science=1))
    squadron(state, "S3", "vega", ship("Far", science=1))
    squadron(state, "C1", "ross", ship("Theirs", CENTAURI, science=1))
    squadron(state, "S4", "ross", ship("Mute"))
    squadron(state, "S5", "sol", ship("Astray", science=1))
    for key in ("S1", "S2", "S3", "S4", "S5", "C1"):
        state.squadrons[key].orders.explore = "L6"
    assert exploration_forces(state) == [
        ExplorationForce(TERRAN, "ross", "L6", ("S1", "S2")),
        ExplorationForce(TERRAN, "vega", "L6", ("S3",)),
        ExplorationForce(CENTAURI, "ross", "L6", ("C1",)),
    ]
    state.lanes["L6"].explored = True
    assert exploration_forces(state) == []


@pytest.mark.rule("jump_lanes", "13.5.1")
def test_an_order_is_read_back_with_squadrons_science_and_lane(state: LanesState):
    squadron(state, "S2", "ross", ship("Third", science=1))
    both = [state.squadrons["S1"], state.squadrons["S2"]]
    told = order_text(state, state.lanes["L6"], both)
    assert told == "explores ross?1 with Science 17, Squadron S1, Squadron S2 together"
    assert order_text(state, state.lanes["L6"], both[:1]) == "explores ross?1 with Science 16"


@pytest.mark.rule("jump_lanes", "13.5.1")
def test_a_lane_between_galaxies_is_explored_from_any_system_of_one(state: LanesState):
    state.lanes["L8"] = lane("L8", "milky", "andromeda", None, "intergalactic")
    state.index()
    state.empires[TERRAN].sights.append("milky?1")
    assert [one.id for one in known_unexplored(state, TERRAN, "ross")] == ["L6", "L8"]
    assert judged(state, "L8") == []
    state.squadrons["S1"].at = "mirach"
    assert judged(state, "L8") == ["13.5.1"]
    state.empires[TERRAN].sights.append("andromeda?1")
    assert judged(state, "L8") == []
