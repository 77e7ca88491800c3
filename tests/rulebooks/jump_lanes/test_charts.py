"""What empires know of the map: of unexplored lanes the near end alone (JL-R42)."""

from rules_engine.rulebooks.jump_lanes.charts import (
    known_places,
    knows_lane,
    places_called,
    publish,
    unexplored_at,
    visit,
)
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, lane


def test_a_lane_is_known_that_is_explored_with_both_ends_known():
    state = frontier()
    terran = state.empires[TERRAN]
    known = [key for key, one in state.lanes.items() if knows_lane(state, terran, one)]
    assert known == ["L1", "L2", "L3", "L4", "L5", "L8"]
    terran.places.remove("wolf")
    assert not knows_lane(state, terran, state.lanes["L1"])


def test_of_unexplored_lanes_only_those_are_known_whose_end_was_seen():
    state = frontier()
    state.lanes["L12"] = lane("L12", "ross", "almach", None)
    state.lanes["L12"].mark_a = 2
    state.index()
    terran = state.empires[TERRAN]
    assert [one.id for one in unexplored_at(state, terran, "ross")] == ["L6"]
    assert visit(state, terran, "ross") == []
    assert [one.id for one in unexplored_at(state, terran, "ross")] == ["L6", "L12"]
    assert unexplored_at(state, terran, "vega") == []


def test_a_visit_shows_where_explored_lanes_lead_and_a_survey_is_for_all():
    state = frontier()
    terran, centauri = state.empires[TERRAN], state.empires[CENTAURI]
    terran.places = ["sol"]
    assert visit(state, terran, "sol") == ["wolf", "barnard", "perseus"]
    state.lanes["L6"].explored, state.lanes["L6"].lane_class = True, "minor"
    publish(state, state.lanes["L6"])
    assert terran.places[-2:] == ["ross", "vega"]
    assert "vega" in centauri.places
    assert terran.sights == centauri.sights == []
    assert unexplored_at(state, terran, "ross") == []


def test_a_lane_between_galaxies_makes_no_system_known():
    state = frontier()
    terran = state.empires[TERRAN]
    terran.places = ["sol"]
    publish(state, state.lanes["L8"])
    assert terran.places == ["sol"]


def test_places_are_called_by_name_and_id_planets_with_their_system():
    state = frontier(system_maps=True)
    terran = state.empires[TERRAN]
    terran.places = ["sol", "wolf"]
    assert known_places(state, terran) == ["sol", "sol/earth", "sol/mars", "wolf"]
    called = places_called(state, terran)
    assert called["Earth"] == called["sol/earth"] == "sol/earth"
    assert "Ross" not in called
