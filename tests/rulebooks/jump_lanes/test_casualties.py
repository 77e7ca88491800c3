"""What else goes when units are lost or crippled."""

import pytest

from rules_engine.rulebooks.jump_lanes.casualties import lose_unit, settle
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot, LaneFleet
from tests.rulebooks.jump_lanes.frontier import TERRAN, frontier, ship, squadron


@pytest.fixture
def state() -> LanesState:
    """Two carriers, of which one bases two flights, at Barnard."""
    made = frontier()
    squadron(made, "S1", "barnard", ship("Nest", basing=2, cargo=20), ship("Hive", basing=1))
    for key, ftl in (("Fly", 0), ("Wasp", 0), ("Hawk", 2)):
        made.put(ship(key, kind="flight", ftl=ftl), squadron="S1")
    for key in ("Fly", "Wasp"):
        made.units[key].based_on = "Nest"
    return made


def where(state: LanesState, key: str) -> tuple[str, str, str]:
    unit = state.units[key]
    return unit.squadron, unit.based_on, unit.at


def test_flights_of_a_lost_carrier_find_another_or_stand_where_it_was(state: LanesState):
    lose_unit(state, state.units["Nest"])
    assert where(state, "Fly") == ("S1", "Hive", "")
    assert where(state, "Wasp") == ("", "", "barnard")


def test_flights_that_cross_lanes_by_themselves_stay_with_the_squadron(state: LanesState):
    state.units["Hawk"].based_on = "Nest"
    for key in ("Fly", "Wasp"):
        state.units[key].based_on = "Hive"
    lose_unit(state, state.units["Nest"])
    assert where(state, "Hawk") == ("S1", "", "")


def test_in_a_lane_flights_without_a_berth_are_lost(state: LanesState):
    state.squadrons["S1"].at = ""
    lose_unit(state, state.units["Nest"])
    assert "Wasp" not in state.units
    assert where(state, "Fly") == ("S1", "Hive", "")


def test_a_crippled_carrier_bases_nothing(state: LanesState):
    state.units["Nest"].crippled = True
    assert settle(state, state.squadrons["S1"]) == ""
    assert where(state, "Fly") == ("S1", "Hive", "")
    assert where(state, "Wasp") == ("", "", "barnard")


@pytest.mark.rule("jump_lanes", "13.3.3-loss")
def test_cargo_goes_with_its_carriers_unless_the_owner_is_asked(state: LanesState):
    state.squadrons["S1"].hold = [HoldLot(kind="census", amount=2)]
    state.units["Nest"].cargo = 15
    assert settle(state, state.squadrons["S1"], cargo=False) == ""
    assert state.squadrons["S1"].hold == [HoldLot(kind="census", amount=2)]
    assert settle(state, state.squadrons["S1"]) == "cargo lost: 1 census point"


@pytest.mark.rule("jump_lanes", "13.3.3-loss")
def test_a_squadron_without_units_is_struck_off_with_its_fleet_and_its_cargo(state: LanesState):
    state.fleets["F1"] = LaneFleet(id="F1", empire=TERRAN, name="First")
    squadron(state, "S2", "barnard", ship("Last"), fleet="F1")
    squadron(state, "S3", "barnard", ship("Other"), fleet="F1")
    state.put(ship("Guard", kind="troop"), aboard="S2")
    lose_unit(state, state.units["Last"])
    assert settle(state, state.squadrons["S2"], cargo=False) == "cargo lost: Guard"
    assert (sorted(state.squadrons), sorted(state.fleets)) == (["S1", "S3"], ["F1"])
    lose_unit(state, state.units["Other"])
    settle(state, state.squadrons["S3"])
    assert state.fleets == {}


@pytest.mark.rule("jump_lanes", "13.4.1")
def test_what_too_few_tugs_tow_is_let_go(state: LanesState):
    squadron(state, "S2", "barnard", ship("Ox", towing=4, tows=True), ship("Base", kind="starbase", towed=True))
    state.units["Ox"].tows = state.units["Base"].towed = True
    state.units["Ox"].crippled = True
    assert settle(state, state.squadrons["S2"]) == "let go: Base"
    assert where(state, "Base") == ("", "", "barnard")
