"""What is looked up in a state, and in which order."""

from fractions import Fraction

from rules_engine.rulebooks.jump_lanes.records.places import is_planet, system_of
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, by_number, names_of
from rules_engine.rulebooks.jump_lanes.records.units import LaneFleet
from tests.rulebooks.jump_lanes.frontier import ARGO, CENTAURI, TERRAN, frontier, lane, ship, squadron, standing


def crowd() -> LanesState:
    """Squadrons with numbers of one and of two figures, two fleets of three, at Sol and at Wolf 359."""
    state = frontier(empires=3)
    for key, at in (("T10", "sol"), ("T2", "sol"), ("T1", "wolf"), ("T11", "sol"), ("T3", "wolf")):
        squadron(state, key, at, ship(f"of {key}"))
    for key, group in (("TF10", ("T10", "T2")), ("TF2", ("T1",))):
        state.fleets[key] = LaneFleet(id=key, empire=TERRAN, name=key)
        for one in group:
            state.squadrons[one].fleet = key
    squadron(state, "C1", "sol", ship("of C1", CENTAURI))
    return state


def test_groups_come_in_the_order_of_their_numbers():
    state = crowd()
    assert [one.id for one in state.squadrons_of(TERRAN)] == ["T1", "T2", "T3", "T10", "T11"]
    assert [one.id for one in state.fleets_of(TERRAN)] == ["TF2", "TF10"]
    assert state.groups_of(TERRAN) == ["TF2", "TF10", "T3", "T11"]
    assert [one.id for one in state.group("TF10")] == ["T2", "T10"]
    assert [one.id for one in state.group("T10")] == ["T10"]
    assert state.group("TF7") == []
    assert [one.id for one in state.squadrons_at("sol")] == ["C1", "T2", "T10", "T11"], "by empire, then by number"
    assert [state.group_of(state.squadrons[key]) for key in ("T2", "T3")] == ["TF10", "T3"]
    assert (by_number("TF12"), by_number("T")) == ((12, "TF12"), (0, "T"))


def test_units_are_found_by_what_holds_them():
    state = crowd()
    state.put(ship("b", kind="troop"), aboard="T2")
    state.put(ship("a", kind="troop"), aboard="T2")
    standing(state, ship("d", kind="troop"), "sol")
    standing(state, ship("c", kind="troop"), "sol")
    assert [one.id for one in state.carried("T2")] == ["a", "b"]
    assert [one.id for one in state.standing("sol")] == ["c", "d"]
    assert [one.id for one in state.members("T2")] == ["of T2"]
    assert (state.members("T9"), state.carried("T9"), state.standing("vega")) == ([], [], [])
    assert names_of(state.carried("T2")) == "a, b"


def test_who_is_put_elsewhere_is_of_nothing_that_it_was():
    state = crowd()
    state.turn = 4
    unit = ship("fly", kind="flight", based_on="of T2", towed=True, tows=True)
    state.put(unit, aboard="T2")
    assert (unit.embarked, unit.aboard, unit.based_on, unit.towed, unit.tows) == (4, "T2", "", False, False)
    state.put(unit, at="sol")
    assert (unit.embarked, unit.aboard, unit.at) == (0, "", "sol")
    state.put(unit, squadron="T2")
    assert (unit.squadron, unit.at, unit.embarked) == ("T2", "", 0)


def test_places_and_where_they_lie():
    state = frontier(system_maps=True)
    assert (state.place_name("sol/earth"), state.place_name("sol")) == ("Earth", "Sol")
    assert (state.sector_of("sol/earth"), state.galaxy_of("sol/earth"), state.galaxy_of("mirach")) == (
        "orion",
        "milky",
        "andromeda",
    )
    state.systems["vega"].sector = ""
    assert (state.sector_of("vega"), state.galaxy_of("vega")) == ("", "")
    assert (system_of("sol/earth"), system_of("sol")) == ("sol", "sol")
    assert (is_planet("sol/earth"), is_planet("sol")) == (True, False)
    assert [one.id for one in state.lanes_at("sol")] == ["L1", "L2", "L5", "L9"]
    assert [one.id for one in state.lanes_at("milky")] == ["L8"]
    assert state.lanes_at("nowhere") == []


def test_lanes_between_galaxies_are_on_no_chart_of_places():
    state = frontier()
    assert {one.kind for one in state.chart.lanes} == {"L1", "L2", "L3", "L4", "L5", "L6", "L7"}
    assert {one.length for one in state.chart.lanes} == {Fraction(1)}
    assert {one.id for one in state.chart.systems} == {*state.systems}


def test_a_lane_has_two_ends_and_a_mark_at_each():
    made = lane("L1", "sol", "wolf", None)
    made.mark_a, made.mark_b = 2, 3
    assert (made.other("sol"), made.other("wolf")) == ("wolf", "sol")
    assert (made.mark("sol"), made.mark("wolf")) == ("sol?2", "wolf?3")


def test_what_empires_grant_and_who_the_others_are():
    state = crowd()
    state.empires[TERRAN].stances[ARGO] = "passage"
    assert [state.stance(TERRAN, one) for one in (ARGO, CENTAURI)] == ["passage", "none"]
    assert state.stance(ARGO, TERRAN) == "none"
    assert state.others(CENTAURI) == [TERRAN, ARGO]
