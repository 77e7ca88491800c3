"""Taking cargo aboard, landing it, handing it over and throwing it away (13.3.1 to 13.3.3)."""

from fractions import Fraction

import pytest

from rules_engine.rulebooks.jump_lanes.ch3_cargo.holds import load_of, rating_of, room_of
from rules_engine.rulebooks.jump_lanes.ch3_cargo.working import due
from rules_engine.rulebooks.jump_lanes.records.orders import CargoOrder
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot, JumpTransit
from tests.rulebooks.jump_lanes.frontier import CENTAURI, frontier, order, refused, ship, squadron, standing, work


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
    assert (rating_of(state, state.squadrons["S1"]), refused(state, ("S1", order("load", "census", 3)))) == (35, [])
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
    assert (done.landed, done.text) == (-2, "Squadron S1 takes 2 census points aboard at Sol")


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
    assert refused(state, *(("S1", order("load", "census", 5)), ("S2", order("load", "census", 5)))) == ["13.3.3"]


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
    assert (load_of(state, state.squadrons["S1"]), refused(state, ("S1", order("load", "Guard")))) == (30, ["13.3.1"])


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


# --- disembarking ----------------------------------------------------------------------------------------------------
@pytest.fixture
def laden() -> LanesState:
    """A freighter of Cargo 60 at Sol in turn 2, with census and units that embarked in turn 1."""
    made = frontier()
    squadron(made, "S1", "sol", ship("Hermes", cargo=60))
    made.squadrons["S1"].hold = [HoldLot(kind="census", amount=2, embarked=1)]
    for key, kind in (("Guard", "troop"), ("Admiral", "officer"), ("Fly", "flight"), ("Gnat", "starship")):
        made.put(ship(key, kind=kind), aboard="S1")  # type: ignore[arg-type]
    made.put(ship("Base", kind="starbase"), aboard="S1")
    made.turn = 2
    return made


@pytest.mark.rule("jump_lanes", "13.3.2.1")
def test_census_lands_at_own_colonies_alone(laden: LanesState):
    (done,) = work(laden, ("S1", order("unload", "census", 2)))
    assert (laden.colonies["sol"].census, done.landed, done.place) == (11, 2, "sol")
    assert done.text == "Squadron S1 lands 2 census points at Sol"
    laden.squadrons["S1"].hold = [HoldLot(kind="census", amount=2, embarked=1)]
    laden.colonies["sol"].owner = CENTAURI
    assert refused(laden, ("S1", order("unload", "census", 1))) == ["13.3.2.1"]
    laden.colonies["sol"].owner = ""
    assert refused(laden, ("S1", order("unload", "census", 1))) == ["13.3.2.1"]


@pytest.mark.rule("jump_lanes", "13.3.2.1")
def test_census_does_not_land_in_rebellion(laden: LanesState):
    laden.colonies["sol"].rebellion = True
    assert refused(laden, ("S1", order("unload", "census", 1))) == ["13.3.2.1"]


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_what_embarks_does_not_leave_in_the_same_turn(laden: LanesState):
    laden.squadrons["S1"].hold[0].embarked = 2
    laden.units["Guard"].embarked = 2
    wanted = [("S1", order("unload", "census", 1)), ("S1", order("unload", "Guard"))]
    assert refused(laden, *wanted) == ["13.3.3", "13.3.3"]
    laden.turn = 3
    assert refused(laden, *wanted) == []


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_loading_and_unloading_the_same_in_a_turn_is_refused_since_unloading_is_first(laden: LanesState):
    laden.squadrons["S1"].hold = []
    assert refused(laden, *(("S1", order("load", "census", 1)), ("S1", order("unload", "census", 1)))) == ["13.3.3"]


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_room_is_made_before_it_is_filled(laden: LanesState):
    laden.units["Hermes"].cargo = 48  # 20, 1, 1, 1, 10 and 15 are aboard
    assert refused(laden, ("S1", order("load", "census", 2))) == ["13.3.1"]
    assert refused(laden, ("S1", order("load", "census", 2)), ("S1", order("unload", "census", 2))) == []


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_not_more_than_is_aboard_of_what_may_leave(laden: LanesState):
    laden.squadrons["S1"].hold.append(HoldLot(kind="census", amount=1, embarked=2))
    assert refused(laden, ("S1", order("unload", "census", 3))) == ["13.3.3"]
    (done,) = work(laden, ("S1", order("unload", "census")))
    assert done.landed == 2
    assert laden.squadrons["S1"].hold == [HoldLot(kind="census", amount=1, embarked=2)]


@pytest.mark.rule("jump_lanes", "13.3.2.3-ground")
def test_ground_units_and_officers_need_an_own_colony(laden: LanesState):
    wanted = ("S1", order("unload", "Guard")), ("S1", order("unload", "Admiral"))
    assert refused(laden, *wanted) == []
    laden.squadrons["S1"].at = "barnard"
    assert refused(laden, *wanted) == ["13.3.2.3", "13.3.3"]
    laden.squadrons["S1"].at = "sol"
    work(laden, *wanted)
    assert (laden.units["Guard"].at, laden.units["Admiral"].at) == ("sol", "sol")


@pytest.mark.rule("jump_lanes", "13.3.2.2")
def test_a_starbase_is_assembled_where_it_is_put_out(laden: LanesState):
    laden.squadrons["S1"].at = "barnard"
    (done,) = work(laden, ("S1", order("unload", "Base")))
    assert (laden.units["Base"].at, laden.units["Base"].aboard, done.set_up) == ("barnard", "", "Base")


@pytest.mark.rule("jump_lanes", "13.3.2.2")
def test_a_starship_that_is_put_out_is_of_the_squadron(laden: LanesState):
    laden.squadrons["S1"].at = "barnard"
    work(laden, ("S1", order("unload", "Gnat")))
    assert (laden.units["Gnat"].squadron, laden.units["Gnat"].aboard) == ("S1", "")


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_flights_go_to_a_carrier_with_basing_capacity(laden: LanesState):
    squadron(laden, "S2", "sol", ship("Nest", basing=2))
    laden.units["Fly"].siz = 2
    work(laden, ("S1", order("unload", "Fly", other="Nest")))
    assert (laden.units["Fly"].squadron, laden.units["Fly"].based_on) == ("S2", "Nest")
    laden.put(ship("Wasp", kind="flight"), aboard="S1")
    laden.turn = 3
    assert refused(laden, ("S1", order("unload", "Wasp", other="Nest"))) == ["13.3.3"]
    laden.units["Nest"].basing = 3
    assert refused(laden, ("S1", order("unload", "Wasp", other="Nest"))) == []
    laden.units["Nest"].crippled = True
    assert refused(laden, ("S1", order("unload", "Wasp", other="Nest"))) == ["13.3.3"]


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_a_carrier_is_for_flights_and_in_the_same_place(laden: LanesState):
    squadron(laden, "S2", "sol", ship("Nest", basing=9))
    assert refused(laden, ("S1", order("unload", "Guard", other="Nest"))) == ["13.3.3"]
    laden.squadrons["S2"].at = "wolf"
    assert refused(laden, ("S1", order("unload", "Fly", other="Nest"))) == ["13.3.3"]
    squadron(laden, "S9", "sol", ship("Hive", CENTAURI, basing=9))
    assert refused(laden, ("S1", order("unload", "Fly", other="Hive"))) == ["malformed"]


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_flights_without_a_colony_find_a_carrier_or_stay_aboard(laden: LanesState):
    laden.squadrons["S1"].at = "barnard"
    assert refused(laden, ("S1", order("unload", "Fly"))) == ["13.3.3"]
    laden.units["Hermes"].basing = 1
    work(laden, ("S1", order("unload", "Fly")))
    assert laden.units["Fly"].based_on == "Hermes"


def test_flights_land_at_a_colony(laden: LanesState):
    laden.units["Hermes"].basing = 1
    work(laden, ("S1", order("unload", "Fly")))
    assert (laden.units["Fly"].at, laden.units["Fly"].based_on) == ("sol", "")


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_another_squadron_must_have_room_for_what_is_handed_over(laden: LanesState):
    squadron(laden, "S2", "sol", ship("Argos", cargo=14))
    assert refused(laden, ("S1", order("unload", "Base", other="S2"))) == ["13.3.1"]
    assert refused(laden, ("S1", order("unload", "census", 2, "S2"))) == ["13.3.1"]
    (done,) = work(laden, ("S1", order("unload", "census", other="S2")))
    assert laden.squadrons["S2"].hold == [HoldLot(kind="census", amount=1, embarked=2)]
    assert done.landed == 0
    laden.units["Argos"].cargo = 25
    work(laden, ("S1", order("unload", "Base", other="S2")))
    assert (laden.units["Base"].aboard, laden.units["Base"].embarked) == ("S2", 2)
    assert refused(laden, ("S1", order("unload", "Guard", other="S2"))) == ["13.3.1"]


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_not_to_a_squadron_elsewhere_to_itself_or_to_others(laden: LanesState):
    squadron(laden, "S2", "wolf", ship("Argos", cargo=50))
    squadron(laden, "S9", "sol", ship("Raider", CENTAURI, cargo=50))
    wanted = [("S1", order("unload", "census", 1, other)) for other in ("S2", "S1", "S9", "S77")]
    assert refused(laden, *wanted) == ["13.3.3", "13.3.3", "malformed", "malformed"]


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_what_is_thrown_out_is_lost(laden: LanesState):
    laden.squadrons["S1"].at = "barnard"
    laden.squadrons["S1"].hold[0].embarked = 2
    laden.units["Gnat"].embarked = 2
    done = work(laden, ("S1", order("jettison", "census", 1)), ("S1", order("jettison", "Gnat")))
    assert laden.squadrons["S1"].hold == [HoldLot(kind="census", amount=1, embarked=2)]
    assert "Gnat" not in laden.units
    assert [one.landed for one in done] == [0, 0]
    assert refused(laden, ("S1", order("jettison", "census", 2))) == ["13.3.3"]
    work(laden, ("S1", order("jettison", "census")))
    assert (laden.squadrons["S1"].hold, refused(laden, ("S1", order("jettison", "census")))) == ([], ["13.3.3"])


def test_what_is_not_aboard_is_named_with_what_may_be_meant(laden: LanesState):
    wanted = ("S1", order("unload", "Gaurd")), ("S1", order("jettison", "Gaurd"))
    assert refused(laden, *wanted) == ["malformed", "malformed"]


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_orders_wait_until_their_squadron_is_where_they_are_for(laden: LanesState):
    here, there = CargoOrder(action="load", what="census", at="sol"), CargoOrder(action="load", what="x", at="wolf")
    any_place = CargoOrder(action="unload", what="census")
    laden.squadrons["S1"].orders.cargo = [here, there, any_place]
    assert due(laden.squadrons["S1"]) == [here, any_place]
    laden.squadrons["S1"].at = "wolf"
    assert due(laden.squadrons["S1"]) == [there, any_place]
