"""Routes as players write them, and as they are written back (13.1.4, 13.1.5)."""

import pytest

from rules_engine.rulebooks.jump_lanes.ch1_movement.journeys import pass_legs
from rules_engine.rulebooks.jump_lanes.plotting.routes import read_route, way_to, write_route
from rules_engine.rulebooks.jump_lanes.records.orders import GroupOrders
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from tests.expected.kept import cases
from tests.rulebooks.jump_lanes.frontier import TERRAN, frontier, lane


def read(state: LanesState, text: str, start: str = "sol") -> tuple[list[str], int | None]:
    """The legs of a route, as ``L1:wolf``, and where its round begins."""
    found = read_route(state, TERRAN, start, text, "T1.route")
    assert found.refusals == []
    return [f"{one.lane}:{one.to}" for one in found.legs], found.again_from


def refusal(state: LanesState, text: str, start: str = "sol") -> str:
    """The one thing that is wrong with a route."""
    (found,) = read_route(state, TERRAN, start, text, "T1.route").refusals
    return str(found)


@cases("text, legs, again_from")
def test_routes_are_read(text: str, legs: list[str], again_from: int | None):
    assert read(frontier(), text) == (legs, again_from)


def test_a_round_closes_by_the_cheapest_way_and_is_written_as_it_goes_on():
    state = frontier()
    legs, start = read(state, "loop Barnard > Ross > Wolf 359")
    # From Wolf 359 back to Barnard: by Ross 1/2 + 1, by Sol 2 + 1.
    assert (legs, start) == (["L2:barnard", "L3:ross", "L4:wolf", "L4:ross", "L3:barnard"], 1)
    found = read_route(state, TERRAN, "sol", "loop Barnard > Ross > Wolf 359", "")
    orders = GroupOrders(legs=found.legs, again_from=found.again_from)
    here = "sol"
    for _ in range(12):
        again = read_route(state, TERRAN, here, write_route(state, orders, here), "")
        other = GroupOrders(legs=again.legs, again_from=again.again_from)
        ways: list[list[str]] = []
        for one in (orders.copied(), other):
            ways.append([])
            for _ in range(10):
                ways[-1].append(one.legs[one.gone].to)
                pass_legs(one, 1)
        assert ways[0] == ways[1], (here, write_route(state, orders, here))
        here = orders.legs[orders.gone].to
        pass_legs(orders, 1)


def test_what_is_left_of_a_route_is_written_as_it_is_read():
    state = frontier()
    found = read_route(state, TERRAN, "sol", "Barnard > Ross > Wolf 359", "")
    orders = GroupOrders(legs=found.legs)
    assert write_route(state, orders, "sol") == "Barnard > Ross > Wolf 359"
    pass_legs(orders, 1)
    assert write_route(state, orders, "barnard") == "Ross > Wolf 359"


@pytest.mark.rule("jump_lanes", "13.1.4")
def test_another_galaxy_is_reached_from_any_system_as_a_known_system_or_a_sector():
    state = frontier()
    assert read(state, "Mirach")[0] == ["L8:mirach"]
    assert read(state, "Barnard > Mirach")[0] == ["L2:barnard", "L8:mirach"]
    assert read(state, "to Mirach")[0] == ["L8:mirach"]
    assert read(state, "sector Halo")[0] == ["L8:*halo"]
    # Almach is not known, and cannot be named.
    assert "you know no place “Almach”" in refusal(state, "Almach")
    assert "a sector is named only where" in refusal(state, "sector Orion")
    assert "Did you mean Halo" in refusal(state, "sector Haloo")
    assert "where it arrives is drawn" in refusal(state, "sector Halo > Mirach")
    assert "Legal: a sector as the last step." in refusal(state, "sector Halo > Mirach")
    found = read_route(state, TERRAN, "sol", "sector Halo", "")
    assert write_route(state, GroupOrders(legs=found.legs), "sol") == "sector Halo"
    state.lanes["L8"].explored = False
    assert "no lane that you know leads to Andromeda (13.1.4)" in refusal(state, "Mirach")


@pytest.mark.rule("jump_lanes", "13.1.2", "13.1.3", "13.1.4")
def test_with_system_maps_other_systems_are_reached_from_the_outskirts():
    state = frontier(system_maps=True)
    assert read(state, "Sol > Barnard", "sol/earth")[0] == ["L9:sol", "L2:barnard"]
    assert read(state, "to Ross", "sol/mars")[0] == ["L10:sol/earth", "L9:sol", "L2:barnard", "L3:ross"]
    assert read(state, "Mars", "sol/earth")[0] == ["L10:sol/mars"]
    assert refusal(state, "Barnard", "sol/earth") == (
        "T1.route: Earth is a planet, and other systems are reached from the outskirts (13.1.2, 13.1.3). "
        "Legal: first Sol. Did you mean Sol?"
    )
    assert "(13.1.4)" in refusal(state, "Mirach", "sol/earth")
    assert "Earth is a planet, and an intergalactic lane ends at a system" in refusal(state, "Mirach > Earth", "sol")


@pytest.mark.rule("jump_lanes", "13.5")
def test_an_unexplored_lane_is_in_no_route():
    state = frontier()
    assert "an unexplored lane cannot be crossed (13.5)" in refusal(state, "ross?1", "ross")
    state.empires[TERRAN].places.append("vega")
    assert "no lane that you know leads from Ross to Vega" in refusal(state, "Vega", "ross")
    assert "no lanes that you know lead from Ross to Vega" in refusal(state, "to Vega", "ross")
    state.lanes["L6"].explored, state.lanes["L6"].lane_class = True, "normal"
    assert read(state, "Vega", "ross")[0] == ["L6:vega"]


def test_a_step_must_be_beside_the_last_and_the_way_between_is_named():
    assert refusal(frontier(), "Ross") == (
        "T1.route: no lane that you know leads from Sol to Ross (13.1). "
        "Legal: Wolf 359, Barnard, Perseus, or to Ross. Did you mean Barnard > Ross?"
    )


@cases("text, problem")
def test_what_cannot_be_a_route_is_refused(text: str, problem: str):
    assert problem in refusal(frontier(), text)


def test_of_two_lanes_between_two_places_the_cheaper_is_taken():
    state = frontier()
    state.lanes["L0"] = lane("L0", "wolf", "sol", "restricted")
    state.lanes["L11"] = lane("L11", "wolf", "sol", "major")
    state.index()
    assert read(state, "Wolf 359")[0] == ["L11:wolf"]
    assert way_to(state, TERRAN, "sol", "ross") == [("L11", "wolf"), ("L4", "ross")]


def test_a_way_leads_only_by_what_is_known():
    state = frontier()
    state.empires[TERRAN].places.remove("barnard")
    assert way_to(state, TERRAN, "sol", "ross") == [("L1", "wolf"), ("L4", "ross")]
    assert way_to(state, TERRAN, "sol", "barnard") is None


@pytest.mark.parametrize(
    "text", ["Barnard > Barnard", "loop Barnard > Barnard > Ross", "Barnard > loop Barnard > Barnard"]
)
def test_a_place_is_not_said_twice_in_a_row(text: str):
    assert "the route is at Barnard already" in refusal(frontier(), text)
