"""Exploration: its orders, its checks and surveys, and every result of the peril table (13.5)."""

from typing import Any

import pytest

from rules_engine.rulebooks.jump_lanes.ch5_exploration import forces
from rules_engine.rulebooks.jump_lanes.ch5_exploration.checks import Explored, chance_of, explore
from rules_engine.rulebooks.jump_lanes.charts import visit
from rules_engine.rulebooks.jump_lanes.records.places import Derelict
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, LanesTurn
from rules_engine.rulebooks.jump_lanes.records.units import JumpTransit, LaneFleet
from tests.expected.kept import Kept, cases
from tests.rulebooks.jump_lanes.freight import change, fact, made
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, lane, rules, ship, squadron, told, turn_of


@pytest.fixture
def state() -> LanesState:
    """The printed example: Science 16 explores an Easy lane, from Ross."""
    made = frontier()
    squadron(made, "S1", "ross", ship("Probe", science=8), ship("Lens", science=8))
    made.squadrons["S1"].orders.explore = "L6"
    return made


@pytest.mark.rule("jump_lanes", "13.5.2")
def test_the_printed_example_has_a_chance_of_26(state: LanesState):
    (force,) = forces.exploration_forces(state)
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


def beside_centauri(state: LanesState, science: int) -> LanesState:
    """The same where the other empire explores the lane from its other end."""
    squadron(state, "C1", "vega", ship("Theirs", CENTAURI, science=science))
    state.squadrons["C1"].orders.explore = "L6"
    return state


@pytest.mark.rule("jump_lanes", "13.5.2")
def test_two_empires_that_complete_a_survey_in_one_turn_have_both_done_it(state: LanesState):
    turn = turn_of(beside_centauri(state, 40), check=[1, 2], **{"class": [10]})
    assert explore(turn) == [
        Explored(TERRAN, "major success", "restricted"),
        Explored(CENTAURI, "major success", "restricted"),
    ]
    assert state.lanes["L6"].surveyed_by == TERRAN
    assert told(turn, TERRAN)[-1] == "Centauri has surveyed the lane from Ross to Vega, too."


@pytest.mark.rule("jump_lanes", "13.5.2")
def test_what_another_completes_in_the_same_turn_takes_no_bonus_away(state: LanesState):
    """Both look at the lane as it was before (JL-N40): Easy 10, Science 1 and the 30 gained are 41, not 11."""
    state.lanes["L6"].bonus = {CENTAURI: 30}
    turn = turn_of(beside_centauri(state, 1), check=[1, 20], **{"class": [10]})
    assert [one.outcome for one in explore(turn)] == ["major success", "major success"]


@pytest.mark.rule("jump_lanes", "13.5.2")
@pytest.mark.parametrize("rolled", [30, 45])
def test_nobody_gains_a_bonus_for_a_lane_that_another_surveys_in_the_same_turn(state: LanesState, rolled: int):
    """Of a chance of 51 for Science 41: both are partial surveys."""
    explore(turn_of(beside_centauri(state, 41), check=[1, rolled], **{"class": [10]}))
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


# --- forces ----------------------------------------------------------------------------------------------------------
@pytest.fixture
def idle() -> LanesState:
    """A survey squadron at Ross, where L6 leads to Vega and nobody has explored it."""
    return made("S1 ross Probe[science=8]+Lens[science=8]")


def judged(state: LanesState, key: str = "L6", *, moves: bool = False) -> list[str]:
    return rules(forces.judge_exploration(state, state.squadrons["S1"], state.lanes[key], "S1.explore", moves=moves))


@cases("case, proves, changes, key, moves, refused")
def test_an_unexplored_lane_at_its_place_is_explored_by_who_does_not_move(
    idle: LanesState, changes: dict[str, Any], key: str, moves: bool, refused: list[str]
):
    change(idle, changes)
    assert judged(idle, key, moves=moves) == refused


@pytest.mark.rule("jump_lanes", "13.1.6")
def test_nobody_explores_in_a_lane(idle: LanesState):
    idle.squadrons["S1"].transit = JumpTransit.from_json({"lane": "L1", "origin": "sol", "goal": "wolf", "cost": 2})
    assert judged(idle) == ["13.1.6"]


def test_a_lane_that_the_empire_does_not_know_is_refused_like_one_that_is_not_there(idle: LanesState):
    idle.empires[TERRAN].sights = []
    unknown = forces.judge_exploration(idle, idle.squadrons["S1"], idle.lanes["L6"], "S1", moves=False)
    elsewhere = forces.judge_exploration(idle, idle.squadrons["S1"], idle.lanes["L1"], "S1", moves=False)
    assert [str(one) for one in unknown] == [str(one) for one in elsewhere]


@pytest.mark.rule("jump_lanes", "13.5.1")
def test_science_of_members_based_flights_and_ground_units_aboard(idle: LanesState):
    found = idle.squadrons["S1"]
    assert forces.science_of(idle, [found]) == 16
    shuttle = ship("Shuttle", kind="flight", science=2)
    idle.put(shuttle, squadron="S1")
    shuttle.based_on = "Probe"
    idle.put(ship("Team", kind="troop", science=3), aboard="S1")
    assert forces.science_of(idle, [found]) == 21
    idle.put(ship("Wreck", kind="starship", science=50), aboard="S1")
    idle.put(ship("Savant", kind="officer", science=50), aboard="S1")
    assert forces.science_of(idle, [found]) == 21
    idle.units["Probe"].crippled = idle.units["Lens"].out_of_supply = True
    assert forces.science_of(idle, [found]) == 5


@pytest.mark.rule("jump_lanes", "13.5.1")
def test_squadrons_that_explore_one_lane_together_are_one_force(idle: LanesState):
    squadron(idle, "S2", "ross", ship("Third", science=1))
    squadron(idle, "S3", "vega", ship("Far", science=1))
    squadron(idle, "C1", "ross", ship("Theirs", CENTAURI, science=1))
    squadron(idle, "S4", "ross", ship("Mute"))
    squadron(idle, "S5", "sol", ship("Astray", science=1))
    for key in ("S1", "S2", "S3", "S4", "S5", "C1"):
        idle.squadrons[key].orders.explore = "L6"
    assert forces.exploration_forces(idle) == [
        forces.ExplorationForce(TERRAN, "ross", "L6", ("S1", "S2")),
        forces.ExplorationForce(TERRAN, "vega", "L6", ("S3",)),
        forces.ExplorationForce(CENTAURI, "ross", "L6", ("C1",)),
    ]
    idle.lanes["L6"].explored = True
    assert forces.exploration_forces(idle) == []


@pytest.mark.rule("jump_lanes", "13.5.1")
def test_an_order_is_read_back_with_squadrons_science_and_lane(idle: LanesState):
    squadron(idle, "S2", "ross", ship("Third", science=1))
    both = [idle.squadrons["S1"], idle.squadrons["S2"]]
    told = forces.order_text(idle, idle.lanes["L6"], both)
    assert told == "explores ross?1 with Science 17, Squadron S1, Squadron S2 together"
    assert forces.order_text(idle, idle.lanes["L6"], both[:1]) == "explores ross?1 with Science 16"


@pytest.mark.rule("jump_lanes", "13.5.1")
def test_a_lane_between_galaxies_is_explored_from_any_system_of_one(idle: LanesState):
    idle.lanes["L8"] = lane("L8", "milky", "andromeda", None, "intergalactic")
    idle.index()
    idle.empires[TERRAN].sights.append("milky?1")
    assert [one.id for one in forces.known_unexplored(idle, TERRAN, "ross")] == ["L6", "L8"]
    assert judged(idle, "L8") == []
    idle.squadrons["S1"].at = "mirach"
    assert judged(idle, "L8") == ["13.5.1"]
    idle.empires[TERRAN].sights.append("andromeda?1")
    assert judged(idle, "L8") == []


# --- perils ----------------------------------------------------------------------------------------------------------
PERIL = pytest.mark.rule("jump_lanes", "13.5.2-peril")


def probing(more: str = "") -> LanesState:
    """Two survey ships and a freighter with census at Ross, of which the first explores L6."""
    crews = "S1 ross Probe[science=8,siz=2]+Lens[science=8]; S2 ross Hermes[science=1,cargo=20]; S2 holds 2 census"
    state = made(f"{crews}; {more}")
    for key in ("S1", "S2"):
        state.squadrons[key].orders.explore = "L6"
    return state


def in_peril(state: LanesState, rolled: int, *struck: int, **dice: list[int]) -> LanesTurn:
    """A check that fails badly, with the roll on the table and the number of the unit that it strikes."""
    turn = turn_of(state, check=[95], peril=[rolled], struck=struck, **dice)
    assert explore(turn) == [Explored(TERRAN, "major failure")]
    assert told(turn, CENTAURI) == []
    return turn


@cases("case, more, changes, dice, says, holds", "")
def test_what_a_peril_does(more: str, changes: dict[str, Any], dice: list[int], says: str, holds: dict[str, Any]):
    """The roll on the table, then the number of the unit that it strikes."""
    state = probing(more)
    change(state, changes)
    turn = in_peril(state, *dice)
    first, last = told(turn, TERRAN)
    assert first == "Squadron S1, Squadron S2 explore ross?1: major failure, the force is in peril."
    assert last == says
    assert {name: fact(state, name) for name in holds} == holds


@PERIL
def test_systems_failure_destroys_what_it_crippled():
    state = probing()
    in_peril(state, 7, 2)
    state.squadrons["S1"].orders.explore = "L6"
    turn = turn_of(state, check=[95], peril=[7], struck=[2])
    explore(turn)
    assert "Probe" not in state.units
    assert told(turn, TERRAN)[-1] == "Systems failure: Probe, crippled before, is destroyed."


@PERIL
def test_an_abandoned_unit_is_a_derelict_where_the_force_is():
    state = probing()
    in_peril(state, 8, 2)
    assert state.derelicts == {
        "derelict-1": Derelict(id="derelict-1", name="Probe", at="ross", kind="starship", siz=2)
    }


@PERIL
def test_an_accidental_jump_leaves_the_lane_unexplored():
    state = probing()
    in_peril(state, 9)
    assert ("vega" in state.empires[TERRAN].places, "vega" in state.empires[CENTAURI].places) == (True, False)
    assert "vega?1" in state.empires[TERRAN].sights  # the way back, which it sees from there


@PERIL
def test_who_jumped_is_of_its_fleet_no_more_unless_all_did():
    state = probing("S3 ross Guard")
    for key, name in (("F1", "First"), ("F2", "Second")):
        state.fleets[key] = LaneFleet(id=key, empire=TERRAN, name=name)
    change(state, {"S1.fleet": "F1", "S2.fleet": "F2", "S3.fleet": "F1"})
    in_peril(state, 9)
    assert [state.squadrons[key].fleet for key in ("S1", "S2", "S3")] == ["", "F2", "F1"]


@PERIL
def test_between_galaxies_the_place_of_an_accidental_jump_is_drawn():
    state = probing()
    state.lanes["L8"] = lane("L8", "milky", "andromeda", None, "intergalactic")
    state.index()
    for key in ("S1", "S2"):
        state.squadrons[key].orders.explore = "L8"
    turn = in_peril(state, 9, arrival=[2])
    assert state.squadrons["S1"].at == "mirach"  # almach, mirach
    (roll,) = (one for one in turn.shared.rolls if one.purpose == "system of arrival")
    assert (roll.label.lstrip("/"), roll.faces, roll.seen_by) == ("arrival/terran/milky?1", 2, frozenset())


@PERIL
def test_no_die_where_there_is_one_unit():
    state = probing()
    state.squadrons["S1"].orders.explore = ""
    in_peril(state, 7)
    assert state.units["Hermes"].crippled
