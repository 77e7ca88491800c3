"""Points: for surveys, census, systems held and starbases."""

import pytest

from rules_engine.rulebooks.jump_lanes.campaign.scoring import (
    presence,
    score_cargo,
    score_destroyed,
    score_surveys,
    score_turn,
)
from rules_engine.rulebooks.jump_lanes.ch3_cargo.working import CargoWork
from rules_engine.rulebooks.jump_lanes.ch5_exploration.checks import Explored
from rules_engine.rulebooks.jump_lanes.records.settings import FrontierScoring
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from tests.rulebooks.jump_lanes.freight import order, told, turn_of, work
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, ship, squadron, standing


@pytest.fixture
def state() -> LanesState:
    """Terran owns Sol, and has a freighter there; Centauri owns Ross. Each figure is another one."""
    made = frontier()
    made.scoring = FrontierScoring(
        major=50, normal=40, minor=30, restricted=20, census=2, system=7, starbase=11, destroyed=3
    )
    squadron(made, "S1", "sol", ship("Hermes", cargo=60))
    return made


def held_by(state: LanesState, empire: str) -> list[str]:
    return sorted(system for system, present in presence(state).items() if present == [empire])


def score(state: LanesState, empire: str = TERRAN) -> int:
    return state.empires[empire].score


@pytest.mark.rule("jump_lanes", "13.5.2")
def test_a_survey_scores_by_the_class_of_its_lane(state: LanesState):
    turn_of(state)
    outcomes = [Explored(TERRAN, "major success", "minor"), Explored(CENTAURI, "major success", "major")]
    score_surveys(
        state, [*outcomes, Explored(TERRAN, "minor success"), Explored(TERRAN, "major success", "restricted")]
    )
    assert (score(state), score(state, CENTAURI)) == (50, 50)
    score_surveys(state, [Explored(TERRAN, "major success", "normal")])
    assert score(state) == 90


def carried(state: LanesState, *works: CargoWork) -> int:
    score_cargo(state, works)
    return score(state)


@pytest.mark.rule("jump_lanes", "13.3.2.1")
def test_census_that_lands_scores_and_what_goes_to_and_fro_does_not(state: LanesState):
    (loaded,) = work(state, ("S1", order("load", "census", 3)))
    assert carried(state, loaded) == 0
    state.turn = 2
    (back,) = work(state, ("S1", order("unload", "census", 1)))
    assert carried(state, back) == 0
    state.squadrons["S1"].at = "ross"
    state.colonies["ross"].owner = TERRAN
    (landed,) = work(state, ("S1", order("unload", "census", 2)))
    assert carried(state, landed) == 4
    (taken,) = work(state, ("S1", order("load", "census", 5)))
    assert carried(state, taken) == 0
    state.turn = 3
    (again,) = work(state, ("S1", order("unload", "census", 5)))
    assert carried(state, again) == 4
    assert sum(line.points for line in state.ledger) == 4


def test_cargo_that_is_no_census_scores_nothing(state: LanesState):
    assert carried(state, *work(state, ("S1", order("load", "experience", 3)))) == 0
    assert state.ledger == []


def test_a_system_is_held_by_the_empire_that_is_there_alone(state: LanesState):
    assert held_by(state, TERRAN) == ["sol"]
    squadron(state, "S2", "barnard", ship("Guard"))
    assert held_by(state, TERRAN) == ["barnard", "sol"]
    squadron(state, "C1", "barnard", ship("Raider", CENTAURI))
    assert held_by(state, TERRAN) == ["sol"]
    state.units["Raider"].crippled = True
    assert held_by(state, TERRAN) == ["barnard", "sol"]


@pytest.mark.parametrize("field", ["crippled", "out_of_supply"])
def test_not_by_the_crippled_or_who_is_out_of_supply(state: LanesState, field: str):
    squadron(state, "S2", "barnard", ship("Guard"))
    setattr(state.units["Guard"], field, True)
    assert held_by(state, TERRAN) == ["sol"]


def test_not_by_cargo_ground_units_or_colonies_in_rebellion(state: LanesState):
    state.squadrons["S1"].at = "barnard"
    state.units["Hermes"].crippled = True
    state.put(ship("Gnat"), aboard="S1")
    standing(state, ship("Team", kind="troop"), "wolf")
    standing(state, ship("Eye", kind="satellite"), "perseus")
    state.colonies["sol"].rebellion = True
    assert held_by(state, TERRAN) == ["perseus"]


def test_nobody_holds_anything_in_a_lane(state: LanesState):
    squadron(state, "S2", "", ship("Guard"))
    assert held_by(state, TERRAN) == ["sol"]


@pytest.mark.rule("jump_lanes", "13.4.1")
def test_a_starbase_scores_once_at_each_place(state: LanesState):
    standing(state, ship("Base", kind="starbase"), "barnard")
    turn = turn_of(state)
    score_turn(turn)
    assert score(state) == 7 + 7 + 11
    score_turn(turn)
    assert score(state) == 25 + 14
    state.put(state.units["Base"], at="wolf")
    score_turn(turn)
    assert score(state) == 39 + 14 + 11
    state.put(state.units["Base"], at="barnard")
    score_turn(turn)
    assert score(state) == 64 + 14


def test_each_empire_is_told_of_its_own_points_alone(state: LanesState):
    turn = turn_of(state)
    score_turn(turn)
    assert told(turn, TERRAN) == ["Terran scores 7 points in turn 1: 7 for 1 system held. Now 7."]
    assert told(turn, CENTAURI) == ["Centauri scores 7 points in turn 1: 7 for 1 system held. Now 7."]
    state.scoring = state.scoring.with_values(system=0)
    state.turn = 2
    turn = turn_of(state)
    score_turn(turn)
    assert told(turn, TERRAN) == ["Terran scores 0 points in turn 2. Now 7."]


def test_what_others_lose_in_battle(state: LanesState):
    score_destroyed(state, CENTAURI, [state.units["Hermes"]])
    assert (score(state, CENTAURI), state.ledger[0].what) == (3, "Hermes destroyed")
