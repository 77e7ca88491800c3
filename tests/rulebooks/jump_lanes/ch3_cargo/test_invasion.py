"""Ground units that invade from the holds in which they came (13.3.2.3)."""

import pytest

from rules_engine.rulebooks.jump_lanes.ch3_cargo.invasion import end_invasion, invaders, judge_invasion, target_at
from rules_engine.rulebooks.jump_lanes.ch3_cargo.working import trial, work_cargo
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from tests.rulebooks.jump_lanes.freight import order, rules, work
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, ship, squadron, standing


@pytest.fixture
def state() -> LanesState:
    """A transport at Sol with a guard beside it; Ross is a colony of the other empire."""
    made = frontier()
    squadron(made, "S1", "sol", ship("Hermes", cargo=20))
    standing(made, ship("Guard", kind="troop"), "sol")
    standing(made, ship("Admiral", kind="officer"), "sol")
    return made


def judged(state: LanesState, place: str, *, is_seen: bool = False) -> list[str]:
    return rules(judge_invasion(state, state.squadrons["S1"], place, "S1.invade", is_seen=is_seen))


@pytest.mark.rule("jump_lanes", "13.3.2.3-ground")
def test_units_invade_in_the_turn_in_which_they_embark(state: LanesState):
    assert judged(state, "ross") == ["13.3.2.3"]
    tried = trial(state, TERRAN)
    work_cargo(tried, [("S1", order("load", "Guard"))])
    assert judged(tried, "ross") == []
    assert [unit.id for unit in invaders(tried, tried.squadrons["S1"])] == ["Guard"]


@pytest.mark.rule("jump_lanes", "13.3.2.3-ground")
def test_no_invasion_without_ground_units_or_of_ones_own(state: LanesState):
    work(state, ("S1", order("load", "Admiral")))
    assert judged(state, "ross") == ["13.3.2.3"]
    work(state, ("S1", order("load", "Guard")))
    assert judged(state, "sol") == ["13.3.2.3"]


def test_a_refusal_does_not_tell_where_others_have_colonies(state: LanesState):
    work(state, ("S1", order("load", "Guard")))
    assert judged(state, "barnard") == judged(state, "ross") == judged(state, "ross", is_seen=True) == []
    assert judged(state, "barnard", is_seen=True) == ["13.3.2.3"]
    assert target_at(state, state.squadrons["S1"], "barnard") is None
    assert target_at(state, state.squadrons["S1"], "ross") is state.colonies["ross"]


def test_no_invasion_of_outskirts():
    state = frontier(system_maps=True)
    squadron(state, "S1", "barnard", ship("Hermes", cargo=20))
    state.put(ship("Guard", kind="troop"), aboard="S1")
    assert judged(state, "sol") == ["13.3.2.3"]
    assert judged(state, "sol/mars") == []


def test_no_invasion_of_an_empire_with_a_treaty_of_passage(state: LanesState):
    state.empires[TERRAN].stances[CENTAURI] = "passage"
    assert target_at(state, state.squadrons["S1"], "ross") is state.colonies["ross"]
    state.empires[CENTAURI].stances[TERRAN] = "passage"
    assert target_at(state, state.squadrons["S1"], "ross") is None


@pytest.mark.rule("jump_lanes", "13.3.2.3-ground")
def test_who_takes_a_colony_stands_there(state: LanesState):
    work(state, ("S1", order("load", "Guard")))
    state.squadrons["S1"].at = "ross"
    colony = state.colonies["ross"]
    end_invasion(state, colony, invaders(state, state.squadrons["S1"]), winner=CENTAURI)
    assert (colony.owner, state.units["Guard"].aboard) == (CENTAURI, "S1")
    colony.rebellion = True
    end_invasion(state, colony, invaders(state, state.squadrons["S1"]), winner=TERRAN)
    assert (colony.owner, colony.census, colony.rebellion, state.units["Guard"].at) == (TERRAN, 9, False, "ross")
