"""Groups move, meet in lanes and at places, and are stopped (13.1, 13.2)."""

import pytest

from rules_engine.rulebooks.jump_lanes.ch1_movement.transits import place_of_arrival
from rules_engine.rulebooks.jump_lanes.phases.movement import movement_steps
from rules_engine.rulebooks.jump_lanes.records.orders import RouteLegOrder
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import LaneFleet
from tests.rulebooks.jump_lanes.frontier import ARGO, CENTAURI, TERRAN, frontier, ship, squadron, standing
from tests.rulebooks.jump_lanes.plays import Play, begin, fates


def go(state: LanesState, key: str, *steps: str) -> None:
    """Order a group over lanes: ``L1:wolf``."""
    orders = state.fleets[key].orders if key in state.fleets else state.squadrons[key].orders
    orders.legs = [RouteLegOrder(lane=one.partition(":")[0], to=one.partition(":")[2]) for one in steps]


def moved(state: LanesState, *, holding: tuple[str, ...] = (), **units: str) -> Play:
    """A turn's movement, with the fates of units in battles."""
    play = begin(state, draw=[1] * 9, passing=[5] * 9, arrival=[2] * 9)
    play.run(movement_steps(play.turn, holding), fates(**units))
    return play


def battles(play: Play) -> list[str]:
    """Which battles there were."""
    return [ask.title.removeprefix("Result of the battle ") for ask in play.asked if ask.kind == "battle"]


@pytest.mark.rule("jump_lanes", "13.1", "13.1.5")
def test_groups_come_as_far_as_their_rating_and_go_on_in_the_next_turn():
    state = frontier()
    squadron(state, "T1", "sol", ship("fast", ftl=2))
    go(state, "T1", "L2:barnard", "L3:ross", "L4:wolf")
    play = moved(state)
    assert state.squadrons["T1"].at == "ross"
    assert play.told(TERRAN) == ["Squadron T1 comes to Ross by Barnard."]
    assert play.told(CENTAURI) == []
    moved(state)
    assert (state.squadrons["T1"].at, state.squadrons["T1"].orders.legs) == ("wolf", [])


@pytest.mark.rule("jump_lanes", "13.1.6")
def test_an_extended_jump_takes_its_turns_in_the_lane_and_goes_on_after_them():
    state = frontier()
    hermes = squadron(state, "T1", "sol", ship("hermes"))
    go(state, "T1", "L1:wolf", "L4:ross")
    play = moved(state)
    assert hermes.at == ""
    assert hermes.transit is not None
    assert hermes.transit.turns_left == 1
    assert play.told(TERRAN) == ["Squadron T1: in the lane from Sol to Wolf 359 until turn 2."]
    moved(state)
    # Nothing else is done in the turn of arrival.
    assert (hermes.at, hermes.transit, hermes.came_from) == ("wolf", None, "sol")
    moved(state)
    assert hermes.at == "ross"


@pytest.mark.rule("jump_lanes", "13.1.5", "13.2")
@pytest.mark.parametrize(("drawn", "place"), [(1, "Barnard"), (2, "Ross")])
def test_of_equally_early_places_at_which_a_group_could_be_stopped_one_is_drawn(drawn: int, place: str):
    """T1 comes to Barnard after half a turn and to Ross after one; C1 to Barnard after one, and C2, by a major lane, to
    Ross after half a turn."""
    state = frontier()
    squadron(state, "T1", "sol", ship("fast", ftl=2))
    squadron(state, "C1", "ross", ship("one", CENTAURI))
    squadron(state, "C2", "wolf", ship("two", CENTAURI))
    go(state, "T1", "L2:barnard", "L3:ross")
    go(state, "C1", "L3:barnard")
    go(state, "C2", "L4:ross")
    play = begin(state, draw=[drawn])
    play.run(movement_steps(play.turn, ()), fates())
    assert battles(play) == [f"at {place}"]
    (roll,) = (one for one in play.turn.shared.rolls if one.purpose == "place of an encounter")
    assert (roll.label, roll.faces, roll.seen_by) == ("meetings/draw/1", 2, frozenset())


@pytest.mark.rule("jump_lanes", "13.5.1")
def test_who_explored_stays_and_its_route_waits():
    state = frontier()
    squadron(state, "T1", "sol", ship("fast"))
    go(state, "T1", "L2:barnard")
    moved(state, holding=("T1",))
    assert state.squadrons["T1"].at == "sol"
    assert len(state.squadrons["T1"].orders.legs) == 1


@pytest.mark.rule("jump_lanes", "13.1.5")
def test_a_fleet_moves_as_its_slowest_squadron():
    state = frontier()
    state.fleets["TF1"] = LaneFleet(id="TF1", empire=TERRAN, name="First Fleet")
    squadron(state, "T1", "sol", ship("fast", ftl=3), fleet="TF1")
    squadron(state, "T2", "sol", ship("slow", ftl=1), fleet="TF1")
    go(state, "TF1", "L2:barnard", "L3:ross")
    play = moved(state)
    assert state.squadrons["T1"].at == state.squadrons["T2"].at == "barnard"
    assert play.told(TERRAN) == ["Squadron T1, Squadron T2 come to Barnard."]


@pytest.mark.rule("jump_lanes", "13.2")
def test_opposing_groups_at_one_place_fight_and_others_pass():
    state = frontier()
    squadron(state, "T1", "sol", ship("T", ftl=2))
    squadron(state, "C1", "barnard", ship("C", CENTAURI))
    go(state, "T1", "L2:barnard", "L3:ross")
    play = moved(state)
    assert battles(play) == ["at Barnard"]
    assert state.squadrons["T1"].at == "barnard"
    assert "Squadron T1 comes to Barnard, and is stopped there by others." in play.told(TERRAN)
    # What is left of the route is gone in the next turn; with passage nobody is stopped.
    for one, other in ((TERRAN, CENTAURI), (CENTAURI, TERRAN)):
        state.empires[one].stances[other] = "passage"
    play = moved(state)
    assert battles(play) == []
    assert state.squadrons["T1"].at == "ross"


@pytest.mark.rule("jump_lanes", "13.2")
def test_a_base_that_stands_alone_stops_others_and_troops_do_not():
    state = frontier()
    squadron(state, "T1", "sol", ship("T", ftl=2))
    standing(state, ship("guards", CENTAURI, kind="troop"), "barnard")
    go(state, "T1", "L2:barnard", "L3:ross")
    play = moved(state)
    assert battles(play) == []
    assert state.squadrons["T1"].at == "ross"
    standing(state, ship("fort", CENTAURI, kind="starbase"), "barnard")
    go(state, "T1", "L3:barnard", "L2:sol")
    play = moved(state)
    assert battles(play) == ["at Barnard"]
    assert state.squadrons["T1"].at == "barnard"


@pytest.mark.rule("jump_lanes", "13.1.6", "13.2")
def test_a_group_in_transit_is_met_in_its_lane_and_survivors_complete_their_orders():
    state = frontier()
    hermes = squadron(state, "T1", "sol", ship("Hermes"), ship("Achilles", ftl=2))
    raider = squadron(state, "C1", "wolf", ship("Raider", CENTAURI, ftl=4), ship("Tender", CENTAURI, ftl=4))
    go(state, "T1", "L1:wolf")
    go(state, "C1", "L1:sol", "L2:barnard")
    play = moved(state, Hermes="destroyed", Tender="crippled")
    assert battles(play) == ["in the lane Sol to Wolf 359"]
    assert [unit.name for unit in state.members("T1")] == ["Achilles"]
    assert hermes.transit is not None
    assert raider.at == "barnard"
    assert state.units["Tender"].crippled
    # In the lane nobody meets it again who was there already.
    play = moved(state)
    assert battles(play) == []
    assert hermes.at == "wolf"


@pytest.mark.rule("jump_lanes", "13.1.6")
def test_who_was_to_be_stopped_by_one_that_was_lost_in_a_lane_goes_on():
    state = frontier()
    squadron(state, "T1", "sol", ship("Hermes"))
    squadron(state, "C1", "wolf", ship("Raider", CENTAURI, ftl=4))
    squadron(state, "T2", "ross", ship("Seeker", ftl=4))
    go(state, "T1", "L1:wolf")
    go(state, "C1", "L1:sol")
    go(state, "T2", "L3:barnard", "L2:sol", "L5:perseus")
    play = moved(state, Raider="destroyed")
    assert battles(play) == ["in the lane Sol to Wolf 359"]
    assert state.squadrons["T2"].at == "perseus"
    assert "C1" not in state.squadrons


@pytest.mark.rule("jump_lanes", "13.2")
def test_groups_that_pass_each_other_meet_only_where_a_campaign_plays_so():
    for plays_so, expected in ((False, []), (True, ["in the lane Sol to Barnard"])):
        state = frontier()
        state.rules = state.rules.with_values(passing_encounters=plays_so)
        squadron(state, "T1", "sol", ship("T"))
        squadron(state, "C1", "barnard", ship("C", CENTAURI))
        go(state, "T1", "L2:barnard")
        go(state, "C1", "L2:sol")
        play = moved(state)
        assert battles(play) == expected
        assert (state.squadrons["T1"].at, state.squadrons["C1"].at) == ("barnard", "sol")
    state.rules = state.rules.with_values(passing_encounters=True)
    go(state, "T1", "L2:sol")
    go(state, "C1", "L2:barnard")
    play = begin(state, passing=[6])
    play.run(movement_steps(play.turn, ()), fates())
    assert battles(play) == []


@pytest.mark.rule("jump_lanes", "13.1.4")
def test_an_intergalactic_jump_into_a_sector_ends_in_a_system_that_is_drawn():
    """Of Halo's systems, almach and mirach in this order, the second is drawn."""
    state = frontier()
    squadron(state, "T1", "sol", ship("T", intergalactic=2))
    go(state, "T1", "L8:*halo")
    play = moved(state)
    assert state.squadrons["T1"].at == "mirach"
    assert state.squadrons["T1"].orders.legs == []
    state.units["T"].intergalactic = 1
    go(state, "T1", "L8:*orion")
    play = moved(state)
    assert "until turn 2" in play.told(TERRAN)[0]
    assert "sector Orion" in play.told(TERRAN)[0]
    moved(state)
    assert state.squadrons["T1"].at == "ross"


def test_who_comes_somewhere_knows_what_is_to_be_seen_there():
    state = frontier()
    state.empires[TERRAN].places = ["sol", "barnard", "ross"]
    state.empires[TERRAN].sights = []
    squadron(state, "T1", "sol", ship("T", ftl=2))
    go(state, "T1", "L2:barnard", "L3:ross")
    moved(state)
    assert state.empires[TERRAN].places == ["sol", "barnard", "ross", "wolf"]
    assert state.empires[TERRAN].sights == ["ross?1"]


@pytest.mark.rule("jump_lanes", "13.2")
def test_a_group_in_several_lanes_with_others_fights_in_one_after_the_other():
    state = frontier()
    state.lanes["L2"].lane_class = "minor"
    squadron(state, "T1", "sol", ship("One"))
    squadron(state, "T2", "barnard", ship("Two"))
    squadron(state, "C1", "wolf", ship("Raider", CENTAURI, ftl=9))
    go(state, "T1", "L1:wolf")
    go(state, "T2", "L2:sol")
    go(state, "C1", "L1:sol", "L2:barnard")
    play = moved(state)
    assert battles(play) == ["in the lane Sol to Wolf 359", "in the lane Sol to Barnard"]
    assert state.squadrons["C1"].at == "barnard"
    for key in ("T1", "T2"):
        state.squadrons[key].at, state.squadrons[key].transit = ("sol", None) if key == "T1" else ("barnard", None)
    state.squadrons["C1"].at = "wolf"
    for key, leg in (("T1", "L1:wolf"), ("T2", "L2:sol")):
        go(state, key, leg)
    go(state, "C1", "L1:sol", "L2:barnard")
    play = moved(state, Raider="destroyed")
    assert battles(play) == ["in the lane Sol to Wolf 359"]
    assert "C1" not in state.squadrons


@pytest.mark.rule("jump_lanes", "13.2")
def test_what_is_destroyed_counts_for_its_enemies_and_not_for_its_allies():
    """Terran and Argo have a treaty of passage, and both fight Centauri; each side loses a unit."""
    state = frontier(empires=3)
    squadron(state, "T1", "barnard", ship("Ours"))
    squadron(state, "A1", "barnard", ship("Ally", ARGO))
    squadron(state, "C1", "barnard", ship("Theirs", CENTAURI))
    for one, other in ((TERRAN, ARGO), (ARGO, TERRAN)):
        state.empires[one].stances[other] = "passage"
    play = begin(state)
    scored = play.run(movement_steps(play.turn, ()), fates(Ours="destroyed", Theirs="destroyed"))
    found = {empire: [unit.name for unit in scored.destroyed_for(empire)] for empire in state.empires}
    assert found == {TERRAN: ["Theirs"], ARGO: ["Theirs"], CENTAURI: ["Ours"]}


@pytest.mark.rule("jump_lanes", "13.1.4")
def test_in_a_sector_of_one_system_nothing_is_drawn():
    state = frontier()
    play = begin(state, arrival=[1])
    assert place_of_arrival(play.turn, "*rim", "T1") == "perseus"
    assert play.turn.shared.rolls == []
    assert place_of_arrival(play.turn, "*halo", "T1") == "almach"
    assert place_of_arrival(play.turn, "mirach", "T1") == "mirach"
