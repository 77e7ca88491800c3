"""Every result of the Exploration Peril Table (13.5.2)."""

import pytest

from rules_engine.rulebooks.jump_lanes.ch5_exploration.checks import Explored, explore
from rules_engine.rulebooks.jump_lanes.records.places import Derelict
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, LanesTurn
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot, LaneFleet
from tests.rulebooks.jump_lanes.freight import told, turn_of
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, lane, ship, squadron

PERIL = pytest.mark.rule("jump_lanes", "13.5.2-peril")


@pytest.fixture
def state() -> LanesState:
    """Two survey ships and a freighter with census at Ross, of which the first explores L6."""
    made = frontier()
    squadron(made, "S1", "ross", ship("Probe", science=8, siz=2), ship("Lens", science=8))
    squadron(made, "S2", "ross", ship("Hermes", science=1, cargo=20))
    made.squadrons["S2"].hold = [HoldLot(kind="census", amount=2)]
    for key in ("S1", "S2"):
        made.squadrons[key].orders.explore = "L6"
    return made


def in_peril(state: LanesState, rolled: int, *struck: int, **dice: list[int]) -> LanesTurn:
    """A check that fails badly, with the roll on the table and the number of the unit that it strikes."""
    turn = turn_of(state, check=[95], peril=[rolled], struck=struck, **dice)
    assert explore(turn) == [Explored(TERRAN, "major failure")]
    assert told(turn, CENTAURI) == []
    return turn


@PERIL
@pytest.mark.parametrize("rolled", [1, 5])
def test_out_of_supply(state: LanesState, rolled: int):
    turn = in_peril(state, rolled)
    assert all(unit.out_of_supply for unit in state.units.values())
    assert told(turn, TERRAN) == [
        "Squadron S1, Squadron S2 explore ross?1: major failure, the force is in peril.",
        "Out of supply: the whole force is out of supply.",
    ]


@PERIL
def test_sacrifice(state: LanesState):
    turn = in_peril(state, 6, 1)
    assert sorted(state.units) == ["Hermes", "Probe"]  # by id: Lens, Probe, then the other squadron
    assert state.lanes["L6"].bonus == {TERRAN: 1}
    assert told(turn, TERRAN)[-1] == (
        "Sacrifice: Lens is lost, and what it sent gives +1 on later checks of this lane."
    )


@PERIL
def test_the_bonus_of_a_sacrifice_comes_on_top(state: LanesState):
    state.lanes["L6"].bonus = {TERRAN: 10}
    in_peril(state, 6, 2)
    assert state.lanes["L6"].bonus == {TERRAN: 11}


@PERIL
def test_systems_failure_cripples_and_then_destroys(state: LanesState):
    assert told(in_peril(state, 7, 2), TERRAN)[-1] == "Systems failure: Probe is crippled."
    assert state.units["Probe"].crippled
    state.squadrons["S1"].orders.explore = "L6"
    turn = turn_of(state, check=[95], peril=[7], struck=[2])
    explore(turn)
    assert "Probe" not in state.units
    assert told(turn, TERRAN)[-1] == "Systems failure: Probe, crippled before, is destroyed."


@PERIL
def test_cargo_that_no_longer_fits_is_lost_with_what_carried_it(state: LanesState):
    turn = in_peril(state, 7, 3)
    assert told(turn, TERRAN)[-1] == "Systems failure: Hermes is crippled; cargo lost: 2 census points."
    assert state.squadrons["S2"].hold == []


@PERIL
def test_an_abandoned_unit_is_a_derelict_where_the_force_is(state: LanesState):
    turn = in_peril(state, 8, 2)
    assert state.derelicts == {"derelict-1": Derelict(id="derelict-1", name="Probe", at="ross", kind="starship", siz=2)}
    assert "Probe" not in state.units
    assert told(turn, TERRAN)[-1] == "Unit abandoned: Probe is abandoned at Ross, a derelict."


@PERIL
def test_with_its_last_unit_a_squadron_goes_and_what_it_carried(state: LanesState):
    turn = in_peril(state, 8, 3)
    assert "S2" not in state.squadrons
    assert (
        told(turn, TERRAN)[-1]
        == "Unit abandoned: Hermes is abandoned at Ross, a derelict; cargo lost: 2 census points."
    )


@PERIL
def test_an_accidental_jump_leaves_the_lane_unexplored(state: LanesState):
    turn = in_peril(state, 9)
    assert (state.squadrons["S1"].at, state.squadrons["S2"].at) == ("vega", "vega")
    assert not state.lanes["L6"].explored
    assert "vega" in state.empires[TERRAN].places
    assert "vega" not in state.empires[CENTAURI].places
    assert "vega?1" in state.empires[TERRAN].sights  # the way back, which it sees from there
    assert told(turn, TERRAN)[-1] == "Accidental jump: the force is at Vega, and the lane behind it is unexplored."


@PERIL
def test_who_jumped_is_of_its_fleet_no_more_unless_all_did(state: LanesState):
    squadron(state, "S3", "ross", ship("Guard"), fleet="F1")
    state.fleets["F1"] = LaneFleet(id="F1", empire=TERRAN, name="First")
    state.fleets["F2"] = LaneFleet(id="F2", empire=TERRAN, name="Second")
    state.squadrons["S1"].fleet, state.squadrons["S2"].fleet = "F1", "F2"
    in_peril(state, 9)
    assert [state.squadrons[key].fleet for key in ("S1", "S2", "S3")] == ["", "F2", "F1"]


@PERIL
def test_between_galaxies_the_place_of_an_accidental_jump_is_drawn(state: LanesState):
    state.lanes["L8"] = lane("L8", "milky", "andromeda", None, "intergalactic")
    state.index()
    for key in ("S1", "S2"):
        state.squadrons[key].orders.explore = "L8"
    turn = in_peril(state, 9, arrival=[2])
    assert state.squadrons["S1"].at == "mirach"  # almach, mirach
    (roll,) = (one for one in turn.shared.rolls if one.purpose == "system of arrival")
    assert (roll.label.lstrip("/"), roll.faces, roll.seen_by) == ("arrival/terran/milky?1", 2, frozenset())


@PERIL
def test_a_force_that_is_lost_is_lost_with_all_that_it_carries(state: LanesState):
    state.put(ship("Guard", kind="troop"), aboard="S2")
    squadron(state, "S3", "ross", ship("Other"))
    turn = in_peril(state, 10)
    assert (sorted(state.units), sorted(state.squadrons)) == (["Other"], ["S3"])
    assert told(turn, TERRAN)[-1] == (
        "Force lost: the force has disappeared without a trace; cargo lost: Guard, 2 census points."
    )


@PERIL
def test_no_die_where_there_is_one_unit(state: LanesState):
    state.squadrons["S1"].orders.explore = ""
    in_peril(state, 7)
    assert state.units["Hermes"].crippled


@PERIL
def test_flights_of_a_lost_carrier_find_another_or_stay_behind(state: LanesState):
    for key in ("Fly", "Wasp"):
        state.put(ship(key, kind="flight", ftl=0), squadron="S1")
        state.units[key].based_on = "Probe"
    state.units["Lens"].basing = 1
    in_peril(state, 8, 3)  # Fly, Lens, Probe
    assert (state.units["Fly"].based_on, state.units["Fly"].squadron) == ("Lens", "S1")
    assert (state.units["Wasp"].based_on, state.units["Wasp"].squadron, state.units["Wasp"].at) == ("", "", "ross")
