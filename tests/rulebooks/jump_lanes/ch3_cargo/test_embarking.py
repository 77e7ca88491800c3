"""Taking cargo aboard (13.3.1 to 13.3.3)."""

from fractions import Fraction

import pytest

from rules_engine.rulebooks.jump_lanes.ch3_cargo.holds import load_of, rating_of, room_of
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot, JumpTransit
from tests.rulebooks.jump_lanes.freight import order, refused, work
from tests.rulebooks.jump_lanes.frontier import CENTAURI, frontier, ship, squadron, standing


@pytest.fixture
def state() -> LanesState:
    """Two freighters of Cargo 15 at Sol, where there is a colony of 9 census and 25 experience points."""
    made = frontier()
    squadron(made, "S1", "sol", ship("Hermes", cargo=15), ship("Iris", cargo=15))
    return made


@pytest.mark.rule("jump_lanes", "13.3.1")
def test_a_squadron_pools_the_cargo_rating_of_its_active_units(state: LanesState):
    assert rating_of(state, state.squadrons["S1"]) == 30
    work(state, ("S1", order("load", "census", 3)))
    assert room_of(state, state.squadrons["S1"]) == 0
    state.units["Iris"].crippled = True
    assert rating_of(state, state.squadrons["S1"]) == 15


@pytest.mark.rule("jump_lanes", "13.3.1")
def test_flights_of_the_squadron_count_and_other_squadrons_do_not(state: LanesState):
    lighter = ship("Lighter", kind="flight", cargo=5)
    state.put(lighter, squadron="S1")
    lighter.based_on = "Hermes"
    squadron(state, "S2", "sol", ship("Argos", cargo=100))
    assert rating_of(state, state.squadrons["S1"]) == 35
    assert refused(state, ("S1", order("load", "census", 3))) == []
    assert refused(state, ("S1", order("load", "census", 4))) == ["13.3.1"]


@pytest.mark.rule("jump_lanes", "13.3.1")
def test_two_freighters_carry_together_what_neither_could():
    state = frontier()
    squadron(state, "S1", "sol", ship("Hermes", cargo=15), ship("Iris", cargo=14))
    standing(state, ship("Base", kind="starbase", siz=2), "sol")
    assert refused(state, ("S1", order("load", "Base"))) == ["13.3.1"]
    state.units["Iris"].cargo = 15
    work(state, ("S1", order("load", "Base")))
    assert (state.units["Base"].aboard, load_of(state, state.squadrons["S1"])) == ("S1", 30)


@pytest.mark.rule("jump_lanes", "13.3.2.1")
def test_census_takes_ten_a_point_and_leaves_its_colony(state: LanesState):
    (done,) = work(state, ("S1", order("load", "census", 2)))
    assert state.colonies["sol"].census == 7
    assert state.squadrons["S1"].hold == [HoldLot(kind="census", amount=2, embarked=1)]
    assert load_of(state, state.squadrons["S1"]) == 20
    assert done.landed == -2
    assert done.text == "Squadron S1 takes 2 census points aboard at Sol"


@pytest.mark.rule("jump_lanes", "13.3.2.1")
def test_census_in_rebellion_does_not_embark(state: LanesState):
    state.colonies["sol"].rebellion = True
    assert refused(state, ("S1", order("load", "census", 1))) == ["13.3.2.1"]
    assert refused(state, ("S1", order("load", "experience", 1))) == []


@pytest.mark.rule("jump_lanes", "13.3.2.3-officers")
def test_experience_is_carried_in_exact_tenths(state: LanesState):
    work(state, ("S1", order("load", "experience", 25)))
    assert load_of(state, state.squadrons["S1"]) == Fraction(5, 2)
    assert refused(state, ("S1", order("load", "census", 2))) == []
    assert refused(state, ("S1", order("load", "census", 3))) == ["13.3.1"]  # 2.5 and 30 of 30
    state.rules = state.rules.with_values(experience=False)
    assert refused(state, ("S1", order("load", "experience", 1))) == ["13.3.2.3"]


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_as_much_as_there_is_and_as_fits(state: LanesState):
    (done,) = work(state, ("S1", order("load", "census")))
    assert (done.landed, state.colonies["sol"].census) == (-3, 6)
    assert refused(state, ("S1", order("load", "census"))) == ["13.3.1"]
    state.colonies["sol"].census = 1
    state.squadrons["S1"].hold = []
    (done,) = work(state, ("S1", order("load", "census")))
    assert (done.landed, state.colonies["sol"].census) == (-1, 0)
    assert refused(state, ("S1", order("load", "census"))) == ["13.3.3"]


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_not_more_than_there_is_nor_what_another_squadron_takes_first(state: LanesState):
    state.units["Hermes"].cargo = 500
    assert refused(state, ("S1", order("load", "census", 10))) == ["13.3.3"]
    squadron(state, "S2", "sol", ship("Argos", cargo=500))
    both = ("S1", order("load", "census", 5)), ("S2", order("load", "census", 5))
    assert refused(state, *both) == ["13.3.3"]


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_only_where_the_squadron_is(state: LanesState):
    squadron(state, "S2", "barnard", ship("Argos", cargo=50))
    standing(state, ship("Guard", kind="troop"), "sol")
    assert refused(state, ("S2", order("load", "census", 1))) == ["13.3.3"]
    assert refused(state, ("S2", order("load", "Guard"))) == ["13.3.3"]
    assert refused(state, ("S1", order("load", "Guard"))) == []
    assert refused(state, ("S1", order("load", "Guard", other="S2"))) == ["13.3.3"]


@pytest.mark.rule("jump_lanes", "13.3.2")
def test_a_facility_is_no_cargo(state: LanesState):
    standing(state, ship("Yard", kind="facility"), "sol")
    assert refused(state, ("S1", order("load", "Yard"))) == ["13.3.2"]


@pytest.mark.rule("jump_lanes", "13.3.2.2")
def test_a_starship_aboard_is_no_member_any_more(state: LanesState):
    squadron(state, "S2", "sol", ship("Gnat", siz=3, cargo=9))
    work(state, ("S1", order("load", "Gnat")))
    assert (state.units["Gnat"].squadron, state.units["Gnat"].aboard) == ("", "S1")
    assert rating_of(state, state.squadrons["S1"]) == 30
    assert "S2" not in state.squadrons


@pytest.mark.rule("jump_lanes", "13.3.2.3-ground")
def test_ground_units_by_their_chart(state: LanesState):
    standing(state, ship("Fort", kind="installation", siz=2), "sol")
    standing(state, ship("Boats", kind="seacraft", siz=2), "sol")
    standing(state, ship("Guard", kind="troop", siz=1), "sol")
    work(state, ("S1", order("load", "Fort")), ("S1", order("load", "Boats")))
    assert load_of(state, state.squadrons["S1"]) == 30
    assert refused(state, ("S1", order("load", "Guard"))) == ["13.3.1"]


@pytest.mark.rule("jump_lanes", "13.3.2.3-officers")
def test_an_officer_takes_one(state: LanesState):
    standing(state, ship("Admiral", kind="officer", siz=0), "sol")
    work(state, ("S1", order("load", "Admiral")))
    assert load_of(state, state.squadrons["S1"]) == 1


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_a_transfer_counts_as_newly_embarked(state: LanesState):
    squadron(state, "S2", "sol", ship("Argos", cargo=50))
    work(state, ("S1", order("load", "census", 2)))
    assert refused(state, ("S2", order("load", "census", 2, "S1"))) == ["13.3.3"]
    state.turn = 2
    (done,) = work(state, ("S2", order("load", "census", 2, "S1")))
    assert done.text == "Squadron S2 takes 2 census points over from Squadron S1"
    assert state.squadrons["S1"].hold == []
    assert state.squadrons["S2"].hold == [HoldLot(kind="census", amount=2, embarked=2)]
    assert done.landed == 0


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_units_out_of_another_squadrons_holds_not_in_the_turn_in_which_they_came_aboard(state: LanesState):
    squadron(state, "S2", "sol", ship("Argos", cargo=50))
    standing(state, ship("Guard", kind="troop"), "sol")
    work(state, ("S1", order("load", "Guard")))
    assert refused(state, ("S2", order("load", "Guard"))) == ["13.3.3"]
    assert refused(state, ("S1", order("load", "Guard"))) == ["13.3.3"]
    state.turn = 2
    work(state, ("S2", order("load", "Guard")))
    assert (state.units["Guard"].aboard, state.units["Guard"].embarked) == ("S2", 2)


@pytest.mark.rule("jump_lanes", "13.3.1")
def test_nobody_is_taken_out_of_a_squadron_that_then_carries_too_much(state: LanesState):
    work(state, ("S1", order("load", "census", 3)))
    squadron(state, "S2", "sol", ship("Argos", cargo=50))
    assert refused(state, ("S2", order("load", "Iris"))) == ["13.3.1"]
    state.squadrons["S1"].hold = []
    assert refused(state, ("S2", order("load", "Iris"))) == []


def test_a_member_gives_up_its_own_holds_when_it_is_taken_aboard():
    state = frontier()
    squadron(state, "S1", "sol", ship("Hermes", cargo=12), ship("Gnat", siz=1, cargo=5))
    assert refused(state, ("S1", order("load", "Gnat"))) == []
    state.units["Hermes"].cargo = 9  # with its own 5 it would fit
    assert refused(state, ("S1", order("load", "Gnat"))) == ["13.3.1"]


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_cargo_carries_nothing_itself(state: LanesState):
    gnat, fly = ship("Gnat", basing=1), ship("Fly", kind="flight")
    squadron(state, "S2", "sol", gnat, fly)
    fly.based_on = "Gnat"
    assert refused(state, ("S1", order("load", "Gnat"))) == ["13.3.3"]
    fly.based_on = ""
    assert refused(state, ("S1", order("load", "Gnat"))) == []


@pytest.mark.rule("jump_lanes", "13.4.1")
def test_who_tows_or_is_in_tow_is_not_embarked(state: LanesState):
    tug, base = ship("Ox", towing=4, tows=True), ship("Gnat", towed=True)
    squadron(state, "S2", "sol", tug, base)
    tug.tows = base.towed = True
    assert refused(state, ("S1", order("load", "Ox")), ("S1", order("load", "Gnat"))) == ["13.4.1", "13.4.1"]


def test_others_units_and_none_at_all_are_refused_alike(state: LanesState):
    squadron(state, "S9", "sol", ship("Raider", CENTAURI))
    squadron(state, "S8", "wolf", ship("Other", CENTAURI, kind="facility"))
    assert refused(state, ("S1", order("load", "Raider")), ("S1", order("load", "Other"))) == ["malformed"] * 2
    assert refused(state, ("S1", order("load", "census", 1, "S9"))) == ["malformed"]
    assert refused(state, ("S1", order("load", "census", 1, "S77"))) == ["malformed"]


@pytest.mark.rule("jump_lanes", "13.1.6")
def test_no_order_in_transit(state: LanesState):
    transit = JumpTransit(lane="L1", origin="sol", goal="wolf", cost=Fraction(2))
    state.squadrons["S1"].transit, state.squadrons["S1"].at = transit, ""
    wanted = [order("load", "census", 1), order("unload", "census", 1), order("jettison", "census", 1)]
    assert refused(state, *(("S1", one) for one in wanted)) == ["13.1.6"] * 3
