"""What an empire sees of others, and what it knows of the map: of unexplored lanes the near end alone (JL-R42)."""

from fractions import Fraction

import pytest

from rules_engine.core.knowledge.views import Contact
from rules_engine.rulebooks.jump_lanes import charts
from rules_engine.rulebooks.jump_lanes.records.units import JumpTransit, UnitKind
from rules_engine.rulebooks.jump_lanes.sightings import look_around, units_seen
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, lane, ship, squadron, standing
from tests.rulebooks.jump_lanes.turns import Play, begin


def held(play: Play, side: str = TERRAN) -> dict[str, Contact]:
    """What a side holds now."""
    return {one.track: one for one in play.turn.knowledge(side).held()}


def test_groups_are_seen_where_own_units_are_as_a_number_and_lost_when_they_leave():
    state = frontier()
    squadron(state, "T1", "ross", ship("picket"))
    squadron(state, "C1", "ross", ship("one", CENTAURI), ship("two", CENTAURI))
    squadron(state, "C2", "sol", ship("three", CENTAURI))
    standing(state, ship("fort", CENTAURI, kind="starbase"), "ross")
    standing(state, ship("guards", CENTAURI, kind="troop"), "ross")
    play = begin(state)
    look_around(play.turn)
    assert {track: (one.latest.hex, one.latest.headline, one.form, one.owner) for track, one in held(play).items()} == {
        "E1": ("ross", "2 units", "force", CENTAURI),
        "E2": ("ross", "1 unit", "station", CENTAURI),
    }
    assert [one.latest.headline for one in held(play, CENTAURI).values()] == ["1 unit"]
    # Nothing new, nothing told.
    before = len(play.turn.shared.reports)
    look_around(play.turn)
    assert len(play.turn.shared.reports) == before
    one = state.squadrons["C1"]
    jump = JumpTransit(lane="L3", origin="ross", goal="barnard", cost=Fraction(2), paid=Fraction(1), turns_left=1)
    one.at, one.transit = "", jump
    look_around(play.turn)
    assert (list(held(play)), play.told(TERRAN)[-1]) == (["E2"], "E1 is out of sight.")
    # Who comes back is a new one.
    one.at, one.transit = "ross", None
    look_around(play.turn)
    assert list(held(play)) == ["E2", "E3"]


def test_whoever_was_met_is_known_by_name_as_long_as_it_is_in_sight():
    state = frontier()
    squadron(state, "T1", "ross", ship("picket"))
    squadron(state, "C1", "ross", ship("One", CENTAURI), ship("Two", CENTAURI))
    play = begin(state)
    look_around(play.turn, {TERRAN: ["C1"]})
    assert [(one.latest.headline, one.latest.level_name) for one in held(play).values()] == [("One, Two", "met")]
    assert [one.latest.headline for one in held(play, CENTAURI).values()] == ["1 unit"]
    state.take_out(state.units["Two"])
    look_around(play.turn)
    assert [one.latest.headline for one in held(play).values()] == ["One"]
    state.squadrons["C1"].at = "sol"
    look_around(play.turn)
    state.squadrons["C1"].at = "ross"
    look_around(play.turn)
    assert [one.latest.headline for one in held(play).values()] == ["1 unit"]


@pytest.mark.parametrize(("kind", "form"), [("starbase", "base"), ("satellite", "station")])
def test_what_stands_by_itself_is_told_apart_by_who_met_it_alone(kind: UnitKind, form: str):
    state = frontier()
    squadron(state, "T1", "ross", ship("picket"))
    standing(state, ship("Eye", CENTAURI, kind=kind), "ross")
    play = begin(state)
    look_around(play.turn)
    assert [(one.form, one.latest.headline) for one in held(play).values()] == [("station", "1 unit")]
    look_around(play.turn, {TERRAN: ["@ross/centauri"]})
    assert [(one.form, one.latest.headline) for one in held(play).values()] == [(form, "Eye")]


def test_a_starbase_that_comes_to_what_was_met_is_not_told():
    state = frontier()
    squadron(state, "T1", "ross", ship("picket"))
    standing(state, ship("Eye", CENTAURI, kind="satellite"), "ross")
    play = begin(state)
    look_around(play.turn, {TERRAN: ["@ross/centauri"]})
    standing(state, ship("Fort", CENTAURI, kind="starbase"), "ross")
    look_around(play.turn)
    assert [(one.form, one.latest.headline) for one in held(play).values()] == [("station", "Eye, 1 more")]


def test_with_system_maps_the_whole_system_is_in_sight():
    state = frontier(system_maps=True)
    squadron(state, "T1", "sol/earth", ship("picket"))
    squadron(state, "C1", "sol", ship("One", CENTAURI))
    play = begin(state)
    look_around(play.turn)
    assert [one.latest.hex for one in held(play).values()] == ["sol"]
    state.lanes["L20"] = lane("L20", "sol/earth", "sol/mars", "normal", "interplanetary")
    state.squadrons["C1"].at = "sol/mars"
    look_around(play.turn)
    assert [one.latest.hex for one in held(play).values()] == ["sol/mars"]


def test_who_joins_a_group_that_was_met_is_counted_until_it_is_met_itself():
    state = frontier()
    squadron(state, "T1", "ross", ship("picket"))
    squadron(state, "C1", "ross", ship("One", CENTAURI), ship("Two", CENTAURI))
    play = begin(state)
    look_around(play.turn, {TERRAN: ["C1"]})
    state.put(ship("Three", CENTAURI), squadron="C1")
    look_around(play.turn)
    assert [one.latest.headline for one in held(play).values()] == ["One, Two, 1 more"]
    assert not any("Three" in text for text in play.told(TERRAN))
    for key in ("One", "Two"):
        state.take_out(state.units[key])
    look_around(play.turn)
    assert [(one.latest.headline, one.latest.level_name) for one in held(play).values()] == [("1 unit", "seen")]
    look_around(play.turn, {TERRAN: ["C1"]})
    assert [one.latest.headline for one in held(play).values()] == ["Three"]


def test_how_many_units_a_sighting_tells_of():
    assert [units_seen(said, 1) for said in ("1 unit", "12 units")] == [1, 12]
    assert [units_seen(said, 4) for said in ("One", "One, Two", "One, Two, 3 more", "One, 7 Sisters")] == [1, 2, 5, 2]


def numbers(*, first: str, second: str, dice: int = 1) -> dict[str, list[str]]:
    """What Terran calls two squadrons of Centauri that come to Ross, by the unit of each, and what it was told."""
    state = frontier()
    squadron(state, "T1", "ross", ship("picket"))
    for key, name in ((first, "Elder"), (second, "Younger")):
        squadron(state, key, "ross", ship(name, CENTAURI))
    play = begin(state, sighting=[dice])
    look_around(play.turn)
    tracks = state.empires[TERRAN].tracks.current
    called = {key: state.members(key)[0].name for key in (first, second)}
    gone = [*play.told(TERRAN)]
    for key in (first, second):
        state.squadrons[key].at = "sol"
    known = {called[key]: [tracks[key]] for key in (first, second)}
    look_around(play.turn)
    return known | {"told": [*gone, play.told(TERRAN)[-1]]}


def test_numbers_do_not_follow_the_names_that_owners_give_their_squadrons():
    """Who comes into sight with another that looks alike is called as the dice fall, whatever its owner calls it."""
    one, other = numbers(first="C1", second="C9"), numbers(first="C9", second="C1")
    assert (one["told"], one["told"][-1]) == (other["told"], "E1 is out of sight; E2 is out of sight.")
    assert (one["Elder"], other["Younger"]) == (["E1"], ["E1"]), "a 1 is the first that the state has"
    turned = numbers(first="C1", second="C9", dice=2)
    assert turned["Elder"] == other["Elder"] != one["Elder"]
    assert turned["told"] == one["told"]


def test_numbers_go_by_what_is_seen():
    state = frontier()
    squadron(state, "T1", "ross", ship("picket"))
    squadron(state, "C1", "ross", ship("One", CENTAURI), ship("Two", CENTAURI))
    squadron(state, "C2", "ross", ship("Three", CENTAURI))
    play = begin(state)
    look_around(play.turn)
    assert play.told(TERRAN) == ["E1 at Ross: Centauri, 1 unit; E2 at Ross: Centauri, 2 units."]


# --- charts ----------------------------------------------------------------------------------------------------------
def test_a_lane_is_known_that_is_explored_with_both_ends_known():
    state = frontier()
    terran = state.empires[TERRAN]
    known = [key for key, one in state.lanes.items() if charts.knows_lane(state, terran, one)]
    assert known == ["L1", "L2", "L3", "L4", "L5", "L8"]
    terran.places.remove("wolf")
    assert not charts.knows_lane(state, terran, state.lanes["L1"])


def test_of_unexplored_lanes_only_those_are_known_whose_end_was_seen():
    state = frontier()
    state.lanes["L12"] = lane("L12", "ross", "almach", None)
    state.lanes["L12"].mark_a = 2
    state.index()
    terran = state.empires[TERRAN]
    assert [one.id for one in charts.unexplored_at(state, terran, "ross")] == ["L6"]
    assert charts.visit(state, terran, "ross") == []
    assert [one.id for one in charts.unexplored_at(state, terran, "ross")] == ["L6", "L12"]
    assert charts.unexplored_at(state, terran, "vega") == []


def test_a_visit_shows_where_explored_lanes_lead_and_a_survey_is_for_all():
    state = frontier()
    terran, centauri = state.empires[TERRAN], state.empires[CENTAURI]
    terran.places = ["sol"]
    assert charts.visit(state, terran, "sol") == ["wolf", "barnard", "perseus"]
    state.lanes["L6"].explored, state.lanes["L6"].lane_class = True, "minor"
    charts.publish(state, state.lanes["L6"])
    assert terran.places[-2:] == ["ross", "vega"]
    assert "vega" in centauri.places
    assert terran.sights == centauri.sights == []
    assert charts.unexplored_at(state, terran, "ross") == []


def test_a_lane_between_galaxies_makes_no_system_known():
    state = frontier()
    terran = state.empires[TERRAN]
    terran.places = ["sol"]
    charts.publish(state, state.lanes["L8"])
    assert terran.places == ["sol"]


def test_places_are_called_by_name_and_id_planets_with_their_system():
    state = frontier(system_maps=True)
    terran = state.empires[TERRAN]
    terran.places = ["sol", "wolf"]
    assert charts.known_places(state, terran) == ["sol", "sol/earth", "sol/mars", "wolf"]
    called = charts.places_called(state, terran)
    assert called["Earth"] == called["sol/earth"] == "sol/earth"
    assert "Ross" not in called
