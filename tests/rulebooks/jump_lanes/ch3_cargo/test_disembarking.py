"""Landing cargo, handing it over and throwing it away (13.3.3)."""

import pytest

from rules_engine.rulebooks.jump_lanes.ch3_cargo.working import due
from rules_engine.rulebooks.jump_lanes.records.orders import CargoOrder
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot
from tests.rulebooks.jump_lanes.freight import order, refused, work
from tests.rulebooks.jump_lanes.frontier import CENTAURI, frontier, ship, squadron


@pytest.fixture
def state() -> LanesState:
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
def test_census_lands_at_own_colonies_alone(state: LanesState):
    (done,) = work(state, ("S1", order("unload", "census", 2)))
    assert (state.colonies["sol"].census, done.landed, done.place) == (11, 2, "sol")
    assert done.text == "Squadron S1 lands 2 census points at Sol"
    state.squadrons["S1"].hold = [HoldLot(kind="census", amount=2, embarked=1)]
    state.colonies["sol"].owner = CENTAURI
    assert refused(state, ("S1", order("unload", "census", 1))) == ["13.3.2.1"]
    state.colonies["sol"].owner = ""
    assert refused(state, ("S1", order("unload", "census", 1))) == ["13.3.2.1"]


@pytest.mark.rule("jump_lanes", "13.3.2.1")
def test_census_does_not_land_in_rebellion(state: LanesState):
    state.colonies["sol"].rebellion = True
    assert refused(state, ("S1", order("unload", "census", 1))) == ["13.3.2.1"]


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_what_embarks_does_not_leave_in_the_same_turn(state: LanesState):
    state.squadrons["S1"].hold[0].embarked = 2
    state.units["Guard"].embarked = 2
    wanted = [("S1", order("unload", "census", 1)), ("S1", order("unload", "Guard"))]
    assert refused(state, *wanted) == ["13.3.3", "13.3.3"]
    state.turn = 3
    assert refused(state, *wanted) == []


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_loading_and_unloading_the_same_in_a_turn_is_refused_since_unloading_is_first(state: LanesState):
    state.squadrons["S1"].hold = []
    both = ("S1", order("load", "census", 1)), ("S1", order("unload", "census", 1))
    assert refused(state, *both) == ["13.3.3"]


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_room_is_made_before_it_is_filled(state: LanesState):
    state.units["Hermes"].cargo = 48  # 20, 1, 1, 1, 10 and 15 are aboard
    assert refused(state, ("S1", order("load", "census", 2))) == ["13.3.1"]
    assert refused(state, ("S1", order("load", "census", 2)), ("S1", order("unload", "census", 2))) == []


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_not_more_than_is_aboard_of_what_may_leave(state: LanesState):
    state.squadrons["S1"].hold.append(HoldLot(kind="census", amount=1, embarked=2))
    assert refused(state, ("S1", order("unload", "census", 3))) == ["13.3.3"]
    (done,) = work(state, ("S1", order("unload", "census")))
    assert done.landed == 2
    assert state.squadrons["S1"].hold == [HoldLot(kind="census", amount=1, embarked=2)]


@pytest.mark.rule("jump_lanes", "13.3.2.3-ground")
def test_ground_units_and_officers_need_an_own_colony(state: LanesState):
    wanted = ("S1", order("unload", "Guard")), ("S1", order("unload", "Admiral"))
    assert refused(state, *wanted) == []
    state.squadrons["S1"].at = "barnard"
    assert refused(state, *wanted) == ["13.3.2.3", "13.3.3"]
    state.squadrons["S1"].at = "sol"
    work(state, *wanted)
    assert (state.units["Guard"].at, state.units["Admiral"].at) == ("sol", "sol")


@pytest.mark.rule("jump_lanes", "13.3.2.2")
def test_a_starbase_is_assembled_where_it_is_put_out(state: LanesState):
    state.squadrons["S1"].at = "barnard"
    (done,) = work(state, ("S1", order("unload", "Base")))
    assert (state.units["Base"].at, state.units["Base"].aboard, done.set_up) == ("barnard", "", "Base")


@pytest.mark.rule("jump_lanes", "13.3.2.2")
def test_a_starship_that_is_put_out_is_of_the_squadron(state: LanesState):
    state.squadrons["S1"].at = "barnard"
    work(state, ("S1", order("unload", "Gnat")))
    assert (state.units["Gnat"].squadron, state.units["Gnat"].aboard) == ("S1", "")


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_flights_go_to_a_carrier_with_basing_capacity(state: LanesState):
    squadron(state, "S2", "sol", ship("Nest", basing=2))
    state.units["Fly"].siz = 2
    work(state, ("S1", order("unload", "Fly", other="Nest")))
    assert (state.units["Fly"].squadron, state.units["Fly"].based_on) == ("S2", "Nest")
    state.put(ship("Wasp", kind="flight"), aboard="S1")
    state.turn = 3
    assert refused(state, ("S1", order("unload", "Wasp", other="Nest"))) == ["13.3.3"]
    state.units["Nest"].basing = 3
    assert refused(state, ("S1", order("unload", "Wasp", other="Nest"))) == []
    state.units["Nest"].crippled = True
    assert refused(state, ("S1", order("unload", "Wasp", other="Nest"))) == ["13.3.3"]


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_a_carrier_is_for_flights_and_in_the_same_place(state: LanesState):
    squadron(state, "S2", "sol", ship("Nest", basing=9))
    assert refused(state, ("S1", order("unload", "Guard", other="Nest"))) == ["13.3.3"]
    state.squadrons["S2"].at = "wolf"
    assert refused(state, ("S1", order("unload", "Fly", other="Nest"))) == ["13.3.3"]
    squadron(state, "S9", "sol", ship("Hive", CENTAURI, basing=9))
    assert refused(state, ("S1", order("unload", "Fly", other="Hive"))) == ["malformed"]


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_flights_without_a_colony_find_a_carrier_or_stay_aboard(state: LanesState):
    state.squadrons["S1"].at = "barnard"
    assert refused(state, ("S1", order("unload", "Fly"))) == ["13.3.3"]
    state.units["Hermes"].basing = 1
    work(state, ("S1", order("unload", "Fly")))
    assert state.units["Fly"].based_on == "Hermes"


def test_flights_land_at_a_colony(state: LanesState):
    state.units["Hermes"].basing = 1
    work(state, ("S1", order("unload", "Fly")))
    assert (state.units["Fly"].at, state.units["Fly"].based_on) == ("sol", "")


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_another_squadron_must_have_room_for_what_is_handed_over(state: LanesState):
    squadron(state, "S2", "sol", ship("Argos", cargo=14))
    assert refused(state, ("S1", order("unload", "Base", other="S2"))) == ["13.3.1"]
    assert refused(state, ("S1", order("unload", "census", 2, "S2"))) == ["13.3.1"]
    (done,) = work(state, ("S1", order("unload", "census", other="S2")))
    assert state.squadrons["S2"].hold == [HoldLot(kind="census", amount=1, embarked=2)]
    assert done.landed == 0
    state.units["Argos"].cargo = 25
    work(state, ("S1", order("unload", "Base", other="S2")))
    assert (state.units["Base"].aboard, state.units["Base"].embarked) == ("S2", 2)
    assert refused(state, ("S1", order("unload", "Guard", other="S2"))) == ["13.3.1"]


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_not_to_a_squadron_elsewhere_to_itself_or_to_others(state: LanesState):
    squadron(state, "S2", "wolf", ship("Argos", cargo=50))
    squadron(state, "S9", "sol", ship("Raider", CENTAURI, cargo=50))
    wanted = [("S1", order("unload", "census", 1, other)) for other in ("S2", "S1", "S9", "S77")]
    assert refused(state, *wanted) == ["13.3.3", "13.3.3", "malformed", "malformed"]


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_what_is_thrown_out_is_lost(state: LanesState):
    state.squadrons["S1"].at = "barnard"
    state.squadrons["S1"].hold[0].embarked = 2
    state.units["Gnat"].embarked = 2
    done = work(state, ("S1", order("jettison", "census", 1)), ("S1", order("jettison", "Gnat")))
    assert state.squadrons["S1"].hold == [HoldLot(kind="census", amount=1, embarked=2)]
    assert "Gnat" not in state.units
    assert [one.landed for one in done] == [0, 0]
    assert refused(state, ("S1", order("jettison", "census", 2))) == ["13.3.3"]
    work(state, ("S1", order("jettison", "census")))
    assert state.squadrons["S1"].hold == []
    assert refused(state, ("S1", order("jettison", "census"))) == ["13.3.3"]


def test_what_is_not_aboard_is_named_with_what_may_be_meant(state: LanesState):
    wanted = ("S1", order("unload", "Gaurd")), ("S1", order("jettison", "Gaurd"))
    assert refused(state, *wanted) == ["malformed", "malformed"]


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_orders_wait_until_their_squadron_is_where_they_are_for(state: LanesState):
    here, there = CargoOrder(action="load", what="census", at="sol"), CargoOrder(action="load", what="x", at="wolf")
    any_place = CargoOrder(action="unload", what="census")
    state.squadrons["S1"].orders.cargo = [here, there, any_place]
    assert due(state.squadrons["S1"]) == [here, any_place]
    state.squadrons["S1"].at = "wolf"
    assert due(state.squadrons["S1"]) == [there, any_place]
