"""Supply, new colonies, reinforcements, how a campaign ends, and what scores."""

from typing import Any

import pytest

from rules_engine.rulebooks.jump_lanes.campaign import scoring
from rules_engine.rulebooks.jump_lanes.campaign.boundaries import close_turn, open_turn
from rules_engine.rulebooks.jump_lanes.campaign.colonies import found_colonies
from rules_engine.rulebooks.jump_lanes.campaign.reinforcements import bring_reinforcements
from rules_engine.rulebooks.jump_lanes.campaign.supply import restore_supply
from rules_engine.rulebooks.jump_lanes.campaign.victory import ending, out_of_play
from rules_engine.rulebooks.jump_lanes.ch3_cargo.working import CargoWork
from rules_engine.rulebooks.jump_lanes.ch5_exploration.checks import Explored
from rules_engine.rulebooks.jump_lanes.plotting.carrying_out import carry_out_sheets
from rules_engine.rulebooks.jump_lanes.records.places import Colony
from rules_engine.rulebooks.jump_lanes.records.settings import FrontierScoring
from rules_engine.rulebooks.jump_lanes.records.state import LaneReinforcement, LanesState
from tests.expected.kept import cases
from tests.rulebooks.jump_lanes.freight import change, made
from tests.rulebooks.jump_lanes.frontier import (
    CENTAURI,
    TERRAN,
    frontier,
    order,
    ship,
    squadron,
    standing,
    told,
    turn_of,
    work,
)
from tests.rulebooks.jump_lanes.turns import sheet


@pytest.fixture
def state() -> LanesState:
    """Terran has a squadron at Sol, Centauri one at Ross."""
    made = frontier()
    made.turn = 1
    squadron(made, "T1", "sol", ship("Hermes"))
    squadron(made, "C1", "ross", ship("Raider", CENTAURI))
    made.empires[TERRAN].squadrons_made = made.empires[CENTAURI].squadrons_made = 1
    return made


@cases("case, proves, more, changes, reach, at, says")
def test_who_is_in_supply(more: str, changes: dict[str, Any], reach: int, at: str, says: list[str]):
    """So many explored lanes from an own colony: Ross to Sol are two; Vega lies behind an unexplored one."""
    state = made(f"T1 sol Hermes; {more}")
    change(state, {"T1.at": at, "Hermes.out_of_supply": True} | changes)
    state.rules = state.rules.with_values(supply_reach=reach)
    turn = turn_of(state)
    restore_supply(turn)
    assert all(unit.out_of_supply is not bool(says) for unit in state.units.values() if unit.kind != "starbase")
    assert told(turn, TERRAN) == says
    assert told(turn, CENTAURI) == []


class TestColonies:
    @pytest.mark.rule("jump_lanes", "13.3.2.1")
    def test_a_starbase_founds_one_where_nobody_has_any(self, state: LanesState):
        standing(state, ship("Base", kind="starbase"), "barnard")
        turn = turn_of(state)
        found_colonies(turn)
        found = state.colonies["barnard"]
        assert (found.owner, found.name, found.at, found.census) == (TERRAN, "Barnard", "barnard", 0)
        assert (told(turn, TERRAN), told(turn, CENTAURI)) == (["Terran has founded a colony at Barnard."], [])

    def test_who_has_units_in_the_system_is_told(self, state: LanesState):
        standing(state, ship("Base", kind="starbase"), "barnard")
        state.squadrons["C1"].at = "barnard"
        turn = turn_of(state)
        found_colonies(turn)
        assert told(turn, CENTAURI) == ["Terran has founded a colony at Barnard."]

    @pytest.mark.rule("jump_lanes", "13.3.2.2")
    def test_not_where_others_own_or_have_a_starbase_too_nor_in_tow_or_crippled(self, state: LanesState):
        standing(state, ship("Base", kind="starbase"), "ross")
        standing(state, ship("Third", kind="starbase", crippled=True), "wolf")
        standing(state, ship("Ours", kind="starbase"), "barnard")
        standing(state, ship("Theirs", CENTAURI, kind="starbase"), "barnard")
        state.put(ship("Towed", kind="starbase"), squadron="T1")
        before = state.to_json()["colonies"]
        found_colonies(turn_of(state))
        assert state.to_json()["colonies"] == before

    def test_what_nobody_owns_is_taken_over_with_its_census(self, state: LanesState):
        state.colonies["ross"].owner = ""
        state.colonies["ross"].rebellion = True
        standing(state, ship("Base", kind="starbase"), "ross")
        found_colonies(turn_of(state))
        found = state.colonies["ross"]
        assert (found.owner, found.census, found.rebellion) == (TERRAN, 9, False)

    def test_not_in_the_outskirts_of_a_system_with_planets(self):
        state = frontier(system_maps=True)
        state.colonies["sol"].at = "sol/earth"
        base = standing(state, ship("Base", kind="starbase"), "sol")
        found_colonies(turn_of(state))
        assert len(state.colonies) == 2
        state.put(base, at="sol/mars")
        found_colonies(turn_of(state))
        assert state.colonies["sol/mars"].owner == TERRAN


class TestReinforcements:
    def come(self, state: LanesState, turn: int = 1) -> list[str]:
        nest, fly = ship("Nest", basing=1), ship("Fly", kind="flight", based_on="Nest")
        one = LaneReinforcement(turn=turn, empire=TERRAN, at="sol", name="Reserve", units=[nest, fly])
        state.reinforcements = [one]
        context = turn_of(state)
        bring_reinforcements(context)
        assert told(context, CENTAURI) == []
        return told(context, TERRAN)

    def test_they_come_as_a_new_squadron_in_their_turn(self, state: LanesState):
        assert self.come(state, turn=2) == []
        assert len(state.reinforcements) == 1
        assert self.come(state) == ["Reserve (T2) arrives at Sol: Nest, Fly."]
        squad = state.squadrons["T2"]
        assert (squad.at, squad.name, squad.empire, state.empires[TERRAN].squadrons_made) == (
            "sol", "Reserve", TERRAN, 2,
        )  # fmt: skip
        assert [unit.id for unit in state.members("T2")] == ["Fly", "Nest"]
        assert (state.units["Fly"].based_on, state.reinforcements) == ("Nest", [])

    def test_at_another_colony_if_their_place_was_lost_and_else_they_wait(self, state: LanesState):
        state.colonies["sol"].owner = CENTAURI
        assert self.come(state) == []
        assert len(state.reinforcements) == 1
        state.colonies["ross"].owner = TERRAN
        assert self.come(state) == ["Reserve (T2) arrives at Ross: Nest, Fly."]

    @pytest.mark.parametrize(("die", "place"), [(1, "Barnard"), (2, "Ross")])
    def test_of_several_other_colonies_one_is_drawn(self, state: LanesState, die: int, place: str):
        state.colonies["sol"].owner, state.colonies["ross"].owner = CENTAURI, TERRAN
        state.colonies["barnard"] = Colony(id="barnard", name="Barnard", at="barnard", owner=TERRAN)
        state.reinforcements = [
            LaneReinforcement(turn=1, empire=TERRAN, at="sol", name="Reserve", units=[ship("Nest")])
        ]
        context = turn_of(state, reinforcements=[die])
        bring_reinforcements(context)
        assert told(context, TERRAN) == [f"Reserve (T2) arrives at {place}: Nest."]
        assert told(context, CENTAURI) == []
        assert [one.seen_by for one in context.shared.rolls] == [frozenset({TERRAN})]

    def test_not_at_a_colony_in_rebellion(self, state: LanesState):
        state.colonies["sol"].rebellion = True
        assert self.come(state) == []


def test_a_route_may_be_given_anew_in_each_turn(state: LanesState):
    for text in ("T1: route loop Sol > Barnard", "T1: route to Wolf 359", "T1: go barnard"):
        open_turn(turn_of(state))
        carry_out_sheets(turn_of(state), {TERRAN: sheet(text, state)})
    assert [one.to for one in state.squadrons["T1"].orders.legs] == ["barnard"]


class TestTheEnd:

    @cases("case, changes, total, over", "")
    def test_when_it_is_over_and_who_has_won(self, state: LanesState, changes: Any, total: int, over: Any):
        """The last turn is the sixth."""
        change(state, changes)
        state.scoring = state.scoring.with_values(total=total)
        found = ending(state)
        assert (found and (found.winners, found.text, found.scores)) == over

    def test_who_has_nothing_left_is_out_of_play_and_all_are_told(self, state: LanesState):
        state.colonies["ross"].owner = ""
        turn = turn_of(state)
        close_turn(turn)
        assert out_of_play(state) == frozenset()
        state.take_out(state.units["Raider"])
        del state.squadrons["C1"]
        assert out_of_play(state) == frozenset()  # nobody was told
        close_turn(turn)
        assert out_of_play(state) == {CENTAURI}
        text = "Centauri has neither colonies nor squadrons left and is out of play."
        assert told(turn, TERRAN).count(text) == 1
        found = ending(state)
        assert found is not None
        assert (found.winners, found.text) == ((TERRAN,), "All others are out of play. Terran has won.")
        close_turn(turn)
        assert told(turn, TERRAN).count(text) == 1

    def test_a_turn_begins_with_its_number_and_what_comes(self, state: LanesState):
        one = LaneReinforcement(turn=2, empire=TERRAN, at="sol", name="Reserve", units=[ship("Nest")])
        state.reinforcements = [one]
        turn = turn_of(state)
        open_turn(turn)
        assert state.turn == 2
        assert told(turn, TERRAN) == ["Turn 2 of 6 begins.", "Reserve (T2) arrives at Sol: Nest."]
        assert told(turn, CENTAURI) == ["Turn 2 of 6 begins."]


# --- scoring ---------------------------------------------------------------------------------------------------------
@pytest.fixture
def owned() -> LanesState:
    """Terran owns Sol, and has a freighter there; Centauri owns Ross. Each figure is another one."""
    made = frontier()
    made.scoring = FrontierScoring(
        major=50, normal=40, minor=30, restricted=20, census=2, system=7, starbase=11, destroyed=3
    )
    squadron(made, "S1", "sol", ship("Hermes", cargo=60))
    return made


def held_by(state: LanesState, empire: str) -> list[str]:
    return sorted(system for system, present in scoring.presence(state).items() if present == [empire])


def score(state: LanesState, empire: str = TERRAN) -> int:
    return state.empires[empire].score


@pytest.mark.rule("jump_lanes", "13.5.2")
def test_a_survey_scores_by_the_class_of_its_lane(owned: LanesState):
    turn_of(owned)
    outcomes = [Explored(TERRAN, "major success", "minor"), Explored(CENTAURI, "major success", "major")]
    scoring.score_surveys(
        owned, [*outcomes, Explored(TERRAN, "minor success"), Explored(TERRAN, "major success", "restricted")]
    )
    assert (score(owned), score(owned, CENTAURI)) == (50, 50)
    scoring.score_surveys(owned, [Explored(TERRAN, "major success", "normal")])
    assert score(owned) == 90


def carried(state: LanesState, *works: CargoWork) -> int:
    scoring.score_cargo(state, works)
    return score(state)


@pytest.mark.rule("jump_lanes", "13.3.2.1")
def test_census_that_lands_scores_and_what_goes_to_and_fro_does_not(owned: LanesState):
    (loaded,) = work(owned, ("S1", order("load", "census", 3)))
    assert carried(owned, loaded) == 0
    owned.turn = 2
    (back,) = work(owned, ("S1", order("unload", "census", 1)))
    assert carried(owned, back) == 0
    owned.squadrons["S1"].at = "ross"
    owned.colonies["ross"].owner = TERRAN
    (landed,) = work(owned, ("S1", order("unload", "census", 2)))
    assert carried(owned, landed) == 4
    (taken,) = work(owned, ("S1", order("load", "census", 5)))
    assert carried(owned, taken) == 0
    owned.turn = 3
    (again,) = work(owned, ("S1", order("unload", "census", 5)))
    assert carried(owned, again) == 4
    assert sum(line.points for line in owned.ledger) == 4


def test_cargo_that_is_no_census_scores_nothing(owned: LanesState):
    assert (carried(owned, *work(owned, ("S1", order("load", "experience", 3)))), owned.ledger) == (0, [])


@cases("case, more, changes, held")
def test_a_system_is_held_by_the_empire_that_is_there_alone_and_sound(
    more: str, changes: dict[str, Any], held: list[str]
):
    state = made(f"S1 sol Hermes[cargo=60]; {more}")
    change(state, changes)
    assert held_by(state, TERRAN) == held


@pytest.mark.rule("jump_lanes", "13.4.1")
def test_a_starbase_scores_once_at_each_place(owned: LanesState):
    standing(owned, ship("Base", kind="starbase"), "barnard")
    turn = turn_of(owned)
    scoring.score_turn(turn)
    assert score(owned) == 7 + 7 + 11
    scoring.score_turn(turn)
    assert score(owned) == 25 + 14
    owned.put(owned.units["Base"], at="wolf")
    scoring.score_turn(turn)
    assert score(owned) == 39 + 14 + 11
    owned.put(owned.units["Base"], at="barnard")
    scoring.score_turn(turn)
    assert score(owned) == 64 + 14


def test_each_empire_is_told_of_its_own_points_alone(owned: LanesState):
    turn = turn_of(owned)
    scoring.score_turn(turn)
    assert told(turn, TERRAN) == ["Terran scores 7 points in turn 1: 7 for 1 system held. Now 7."]
    assert told(turn, CENTAURI) == ["Centauri scores 7 points in turn 1: 7 for 1 system held. Now 7."]
    owned.scoring = owned.scoring.with_values(system=0)
    owned.turn = 2
    turn = turn_of(owned)
    scoring.score_turn(turn)
    assert told(turn, TERRAN) == ["Terran scores 0 points in turn 2. Now 7."]


def test_what_others_lose_in_battle(owned: LanesState):
    scoring.score_destroyed(owned, CENTAURI, [owned.units["Hermes"]])
    assert (score(owned, CENTAURI), owned.ledger[0].what) == (3, "Hermes destroyed")
