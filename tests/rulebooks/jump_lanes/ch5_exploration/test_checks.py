"""Exploration checks, and surveys that everybody then knows (13.5.2)."""

import pytest

from rules_engine.rulebooks.jump_lanes.ch5_exploration.checks import Explored, chance_of, explore
from rules_engine.rulebooks.jump_lanes.ch5_exploration.forces import exploration_forces
from rules_engine.rulebooks.jump_lanes.charts import visit
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from tests.expected.kept import Kept
from tests.rulebooks.jump_lanes.freight import told, turn_of
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, lane, ship, squadron


@pytest.fixture
def state() -> LanesState:
    """The printed example: Science 16 explores an Easy lane, from Ross."""
    made = frontier()
    squadron(made, "S1", "ross", ship("Probe", science=8), ship("Lens", science=8))
    made.squadrons["S1"].orders.explore = "L6"
    return made


@pytest.mark.rule("jump_lanes", "13.5.2")
def test_the_printed_example_has_a_chance_of_26(state: LanesState):
    (force,) = exploration_forces(state)
    assert chance_of(state, force) == 26
    state.lanes["L6"].difficulty = "hard"
    assert chance_of(state, force) == 16
    state.lanes["L6"].bonus = {TERRAN: 21, CENTAURI: 50}
    assert chance_of(state, force) == 37


@pytest.mark.rule("jump_lanes", "13.5.2")
def test_a_major_success_completes_the_survey_for_everybody(state: LanesState, kept: Kept):
    turn = turn_of(state, check=[13], **{"class": [7]})
    assert explore(turn) == [Explored(TERRAN, "major success", "minor")]
    found = state.lanes["L6"]
    assert (found.explored, found.lane_class, found.surveyed_by, found.surveyed_in) == (True, "minor", TERRAN, 1)
    assert all("vega" in empire.places for empire in state.empires.values())
    assert told(turn, CENTAURI) == ["Terran has surveyed the interstellar lane from Ross to Vega: minor."]
    assert told(turn, TERRAN) == kept()
    assert state.squadrons["S1"].orders.explore == ""


@pytest.mark.rule("jump_lanes", "13.5.2")
def test_a_minor_success_gives_ten_more_each_time_to_its_own_empire(state: LanesState, kept: Kept):
    turn = turn_of(state, check=[14, 36])
    assert explore(turn) == [Explored(TERRAN, "minor success")]
    assert state.lanes["L6"].bonus == {TERRAN: 10}
    assert not state.lanes["L6"].explored
    assert told(turn, TERRAN) == kept()
    assert told(turn, CENTAURI) == []
    state.squadrons["S1"].orders.explore = "L6"
    explore(turn)
    assert state.lanes["L6"].bonus == {TERRAN: 20}


@pytest.mark.rule("jump_lanes", "13.5.2")
def test_a_minor_failure_changes_nothing(state: LanesState):
    before = state.to_json()
    turn = turn_of(state, check=[90])
    assert explore(turn) == [Explored(TERRAN, "minor failure")]
    state.squadrons["S1"].orders.explore = "L6"
    assert state.to_json() == before
    assert told(turn, TERRAN) == ["Squadron S1 explores ross?1: minor failure, no way across was found."]


@pytest.mark.rule("jump_lanes", "13.5.2")
def test_the_report_says_why(state: LanesState):
    turn = turn_of(state, check=[90])
    explore(turn)
    (report,) = turn.shared.reports
    assert report.why is not None
    assert report.why.text() == (
        "difficulty easy 10; + Science 16; + bonus 0; chance 26; exploration of ross?1: 90; 13.5.2, JL-R36"
    )


@pytest.mark.rule("jump_lanes", "13.5.2")
def test_the_dice_of_a_check_are_the_explorers_and_the_class_is_everybodys(state: LanesState):
    turn = turn_of(state, check=[1], **{"class": [1]})
    explore(turn)
    assert [roll.seen_by for roll in turn.shared.rolls] == [frozenset([TERRAN]), None]


@pytest.mark.rule("jump_lanes", "13.5.2")
def test_two_empires_that_complete_a_survey_in_one_turn_have_both_done_it(state: LanesState):
    squadron(state, "C1", "vega", ship("Theirs", CENTAURI, science=40))
    state.squadrons["C1"].orders.explore = "L6"
    turn = turn_of(state, check=[1, 2], **{"class": [10]})
    assert explore(turn) == [
        Explored(TERRAN, "major success", "restricted"),
        Explored(CENTAURI, "major success", "restricted"),
    ]
    assert state.lanes["L6"].surveyed_by == TERRAN
    assert told(turn, TERRAN)[-1] == "Centauri has surveyed the lane from Ross to Vega, too."


@pytest.mark.rule("jump_lanes", "13.5.2")
def test_what_another_completes_in_the_same_turn_takes_no_bonus_away(state: LanesState):
    """Both look at the lane as it was before (JL-N40): Easy 10, Science 1 and the 30 gained are 41, not 11."""
    squadron(state, "C1", "vega", ship("Theirs", CENTAURI, science=1))
    state.squadrons["C1"].orders.explore = "L6"
    state.lanes["L6"].bonus = {CENTAURI: 30}
    turn = turn_of(state, check=[1, 20], **{"class": [10]})
    assert [one.outcome for one in explore(turn)] == ["major success", "major success"]


@pytest.mark.rule("jump_lanes", "13.5.2")
@pytest.mark.parametrize("rolled", [30, 45])
def test_nobody_gains_a_bonus_for_a_lane_that_another_surveys_in_the_same_turn(state: LanesState, rolled: int):
    """Of a chance of 51 for Science 41: both are partial surveys."""
    squadron(state, "C1", "vega", ship("Theirs", CENTAURI, science=41), ship("Other", CENTAURI))
    state.squadrons["C1"].orders.explore = "L6"
    turn = turn_of(state, check=[1, rolled], **{"class": [10]})
    explore(turn)
    assert state.lanes["L6"].explored
    assert state.lanes["L6"].bonus == {}


@pytest.mark.rule("jump_lanes", "13.5")
def test_the_far_end_is_not_named_before_the_survey_is_complete(state: LanesState):
    for rolled in (14, 90):
        state.squadrons["S1"].orders.explore = "L6"
        turn = turn_of(state, check=[rolled])
        explore(turn)
        assert not any("Vega" in text for side in state.empires for text in told(turn, side))


@pytest.mark.rule("jump_lanes", "13.5.2")
def test_a_survey_between_galaxies_makes_no_system_known(state: LanesState):
    state.lanes["L8"] = lane("L8", "milky", "andromeda", None, "intergalactic")
    state.index()
    terran = state.empires[TERRAN]
    visit(state, terran, "ross")
    assert "milky?1" in terran.sights
    places = list(terran.places)
    state.squadrons["S1"].orders.explore = "L8"
    turn = turn_of(state, check=[1], **{"class": [1]})
    explore(turn)
    assert told(turn, CENTAURI) == ["Terran has surveyed the intergalactic lane from Milky to Andromeda: major."]
    assert (terran.places, "milky?1" in terran.sights) == (places, False)
