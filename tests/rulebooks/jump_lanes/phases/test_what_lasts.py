"""What lasts over turns and ends in several ways: routes of those who are stopped, extended jumps out of which
squadrons withdraw, and names of units that were met. 13.1.6, 13.2"""

from typing import Any

import pytest

from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.jump_lanes.phases.movement import movement_steps
from rules_engine.rulebooks.jump_lanes.plotting.asking import sheet_ask
from rules_engine.rulebooks.jump_lanes.records.orders import LaneSheet
from rules_engine.rulebooks.jump_lanes.records.places import Colony
from rules_engine.rulebooks.jump_lanes.sequence import turn_steps
from rules_engine.rulebooks.jump_lanes.sightings import look_around
from tests.expected.kept import Kept
from tests.rulebooks.jump_lanes.frontier import ARGO, CENTAURI, TERRAN, frontier, ship, squadron
from tests.rulebooks.jump_lanes.turns import Play, TurnsPlayed, begin, fates


def rows(ask: AnyAsk) -> list[str]:
    """What the sheet of a turn asks its captain to look at, as it stands."""
    assert ask.default is not None
    return [*ask.warn(ask.default)]


def game_sheet(ask: AnyAsk, text: str) -> Any:
    return read_sheet(ask.form, text, ask.refusals_of)


@pytest.mark.rule("jump_lanes", "13.2")
def test_who_is_stopped_again_has_its_row_again_and_a_fleet_has_one(kept: Kept):
    """A fleet is one row; what is left of it when one squadron parts keeps the mark with the route."""
    state = frontier()
    squadron(state, "T1", "sol", ship("Hermes", ftl=3))
    squadron(state, "T2", "sol", ship("Iris", ftl=3))
    squadron(state, "C1", "barnard", ship("Raider", CENTAURI))
    played = TurnsPlayed(state, {TERRAN: ["T1: fleet T2; route Barnard > Ross"]}, turns=1)
    state = played.state
    (fleet,) = state.fleets.values()
    assert fleet.orders.stopped_at == "barnard"
    assert [one.text for one in played.told(TERRAN, "movement")] == kept()
    assert rows(sheet_ask(state, TERRAN)) == [f"{fleet.id}: stopped at Barnard; goes on to Ross"]
    again = TurnsPlayed(state, {TERRAN: ["T2: fleet none"]})
    assert (again.state.squadrons["T1"].at, again.state.squadrons["T2"].at) == ("ross", "barnard")


@pytest.mark.rule("jump_lanes", "13.2", "13.1.6")
def test_route_beyond_an_extended_jump_stands_when_others_wait_at_its_end():
    state = frontier()
    squadron(state, "T1", "sol", ship("Hermes"))
    squadron(state, "C1", "wolf", ship("Raider", CENTAURI))
    played = TurnsPlayed(state, {TERRAN: ["T1: route Wolf 359 > Ross"]}, turns=2)
    assert played.state.squadrons["T1"].orders.stopped_at == "wolf"
    assert rows(sheet_ask(played.state, TERRAN)) == ["T1: stopped at Wolf 359; goes on to Ross"]
    played = TurnsPlayed(played.state, {})
    assert played.state.squadrons["T1"].at == "ross"


# --- 13.1.5: long routes (JL-R10) -------------------------------------------------------------------------------------
@pytest.mark.rule("jump_lanes", "13.1.5", "13.1.6")
def test_long_route_is_read_back_with_each_arrival_also_beyond_a_jump_that_is_under_way():
    """At FTL 1: a jump of two turns over the minor lane, then a major and a normal lane, 1/2 and 1, one a turn."""
    state = frontier()
    squadron(state, "T1", "sol", ship("Hermes"))
    ask = sheet_ask(state, TERRAN)
    said = ask.read_back(ask.answer_from(game_sheet(ask, "T1: route Wolf 359 > Ross > Barnard")))
    assert said[0] == "T1: goes Sol > Wolf 359 (turn 2) > Ross (turn 3) > Barnard (turn 4); an extended jump of 2 turns"
    state.turn = 0
    state = TurnsPlayed(state, {TERRAN: ["T1: route Wolf 359 > Ross > Barnard"]}).state
    state.turn += 1
    ask = sheet_ask(state, TERRAN)
    assert ask.read_back(LaneSheet({}))[0] == (
        "T1: in transit to Wolf 359, arrives in turn 2; then goes Ross (turn 3) > Barnard (turn 4)"
    )


# --- 13.2: withdrawing over an extended jump (JL-R45) -----------------------------------------------------------------
@pytest.mark.rule("jump_lanes", "13.1.6", "13.2")
def test_faster_squadron_is_back_sooner_when_its_slowest_unit_was_destroyed():
    """A restricted lane costs 4. At FTL 1 it has travelled 3 turns as the fourth begins; at FTL 3 that is one turn."""
    state = frontier()
    state.lanes["L1"].lane_class = "restricted"
    squadron(state, "T1", "sol", ship("Hermes", ftl=3), ship("Slow"))
    squadron(state, "C1", "wolf", ship("Raider", CENTAURI))
    played = TurnsPlayed(
        state, {TERRAN: ["T1: route Wolf 359"]}, turns=4, fates={"Hermes": "withdrew", "Slow": "destroyed"}
    )
    back = played.state.squadrons["T1"].transit
    assert back is not None
    assert (back.cost - back.paid, back.turns_left) == (3, 1)


@pytest.mark.rule("jump_lanes", "13.1.2", "13.1.6", "13.2")
@pytest.mark.parametrize("jumps", [True, False])
def test_squadron_without_propulsion_does_not_withdraw_over_a_lane_and_others_are_told(jumps: bool):
    """The tug is destroyed; what it had in tow has no FTL and stays, whether it came by a jump or within a turn."""
    state = frontier()
    barge = ship("Barge", ftl=0, siz=1)
    squadron(state, "T1", "sol" if jumps else "barnard", ship("Tug", towing=4, ftl=2), barge)
    state.units["Tug"].tows = barge.towed = True
    goal, name = ("wolf", "Wolf 359") if jumps else ("ross", "Ross")
    state.colonies.pop("ross")
    squadron(state, "C1", goal, ship("Raider", CENTAURI))
    sheets = {TERRAN: [f"T1: route {name}"]}
    played = TurnsPlayed(state, sheets, turns=1 + jumps, fates={"Tug": "destroyed", "Barge": "withdrew"})
    assert (played.state.squadrons["T1"].at, played.state.squadrons["T1"].transit) == (goal, None)
    own = [one.text for one in played.told(TERRAN, "movement")]
    assert own[-1] == f"Squadron T1 withdrew and finds no way out of {name}."
    assert [one.text for one in played.told(CENTAURI, "movement")] == [f"Barge finds no way out of {name}."]


@pytest.mark.rule("jump_lanes", "13.2")
def test_squadron_that_came_within_the_turn_withdraws_to_where_it_began_the_turn():
    state = frontier()
    squadron(state, "T1", "sol", ship("Hermes", ftl=3))
    squadron(state, "C1", "ross", ship("Raider", CENTAURI))
    played = TurnsPlayed(state, {TERRAN: ["T1: route Barnard > Ross"]}, fates={"Hermes": "withdrew"})
    assert (played.state.squadrons["T1"].at, played.state.squadrons["T1"].transit) == ("sol", None)
    assert played.told(TERRAN, "movement")[-1].text == "Squadron T1 withdrew to Sol."


@pytest.mark.rule("jump_lanes", "13.1.6", "13.2")
def test_squadron_that_came_out_of_a_jump_in_an_earlier_turn_withdraws_as_one_that_stands():
    state = frontier()
    squadron(state, "T1", "sol", ship("Hermes"))
    played = TurnsPlayed(state, {TERRAN: ["T1: route Wolf 359"]}, turns=2)
    assert played.state.squadrons["T1"].jumped is not None
    squadron(played.state, "C1", "ross", ship("Raider", CENTAURI, ftl=2))
    played.state.index()
    again = TurnsPlayed(played.state, {CENTAURI: ["C1: route Wolf 359"]}, fates={"Hermes": "withdrew"})
    assert (again.state.squadrons["T1"].at, again.state.squadrons["T1"].transit) == ("ross", None)


# --- 13.2: what encounters reveal (JL-R46) ----------------------------------------------------------------------------
def named(play: Play, side: str) -> dict[str, str]:
    """What a side sees of others now: by place and form, in what words."""
    return {f"{one.latest.hex} {one.form}": one.latest.headline for one in play.turn.knowledge(side).held()}


@pytest.mark.rule("jump_lanes", "13.2")
def test_units_that_leave_their_group_in_the_turn_keep_their_names_for_who_met_them_alone():
    """Flights of a crippled carrier and a base that is let go; Argo has passage with both, met nobody, and counts
    them."""
    state = frontier(empires=3)
    for one, other in ((ARGO, TERRAN), (ARGO, CENTAURI), (TERRAN, ARGO), (CENTAURI, ARGO)):
        state.empires[one].stances[other] = "passage"
    wasp = ship("Wasp", kind="flight", ftl=0)
    base = ship("Base", kind="starbase", ftl=0)
    squadron(state, "T1", "barnard", ship("Carrier", basing=2), wasp, ship("Tug", towing=4), base)
    wasp.based_on = "Carrier"
    state.units["Tug"].tows = base.towed = True
    squadron(state, "A1", "barnard", ship("Watcher", ARGO))
    squadron(state, "C1", "barnard", ship("Raider", CENTAURI))
    play = begin(state)
    look_around(play.turn)
    play.run(movement_steps(play.turn, ()), fates(Carrier="crippled", Tug="crippled"))
    seen = {one.owner: set[str]() for one in play.turn.knowledge(CENTAURI).held()}
    for one in play.turn.knowledge(CENTAURI).held():
        seen[one.owner].add(f"{one.form}: {one.latest.headline}")
    assert seen == {TERRAN: {"base: Base, Wasp", "force: Carrier, Tug"}, ARGO: {"force: 1 unit"}}
    assert sorted(one.latest.headline for one in play.turn.knowledge(ARGO).held() if one.owner == TERRAN) == [
        "2 units", "2 units",
    ]  # fmt: skip
    assert not any("Wasp" in text or "Base" in text for text in play.told(ARGO))


@pytest.mark.rule("jump_lanes", "13.2")
def test_who_joins_in_the_same_turn_what_was_met_is_counted_and_not_named():
    state = frontier()
    squadron(state, "T1", "barnard", ship("Hermes"))
    squadron(state, "C1", "barnard", ship("Raider", CENTAURI))
    play = begin(state)
    scored = play.run(movement_steps(play.turn, ()), fates())
    assert scored.met == {TERRAN: {"Raider"}, CENTAURI: {"Hermes"}}
    state.put(ship("Newcomer"), squadron="T1")
    look_around(play.turn, units=scored.met)
    assert named(play, CENTAURI) == {"barnard force": "Hermes, 1 more"}


@pytest.mark.rule("jump_lanes", "13.2", "13.1.6")
def test_who_was_met_in_a_lane_is_named_where_it_comes_to():
    """C1 is in the lane to Wolf 359 when T1 enters it; both come to where the others have units."""
    state = frontier()
    squadron(state, "C1", "sol", ship("Raider", CENTAURI))
    squadron(state, "T2", "wolf", ship("Picket"))
    played = TurnsPlayed(state, {CENTAURI: ["C1: route Wolf 359"]})
    squadron(played.state, "T1", "sol", ship("Hermes", ftl=2))
    played.state.index()
    told = [one.text for one in TurnsPlayed(played.state, {TERRAN: ["T1: route Wolf 359"]}).told(TERRAN, "contact")]
    assert told == ["E1 at Wolf 359: Centauri, Raider."]


@pytest.mark.rule("jump_lanes", "13.2")
def test_names_are_not_kept_by_who_loses_sight():
    """The carrier withdraws with its flight to a place where nobody of the others is: there it is not followed."""
    state = frontier()
    state.colonies = {"sol": Colony(id="sol", name="Sol", at="sol", owner=TERRAN)}
    wasp = ship("Wasp", kind="flight", ftl=0)
    squadron(state, "T1", "barnard", ship("Carrier", basing=2), wasp)
    wasp.based_on = "Carrier"
    squadron(state, "C1", "barnard", ship("Raider", CENTAURI))
    play = begin(state)
    play.run(turn_steps(play.turn), fates(Carrier="withdrew", Wasp="withdrew"))
    assert state.squadrons["T1"].at == "sol"
    assert named(play, CENTAURI) == {}


# --- 13.2: withdrawing at once (JL-N14) -------------------------------------------------------------------------------
def both_withdraw(*draws: int, names: tuple[str, str] = ("T1", "C1")) -> Play:
    """At Wolf 359, whose lanes lead to Ross for 1/2 and to Sol for 2, both withdraw; nobody has a colony."""
    state = frontier()
    state.colonies = {}
    for key, empire in zip(names, (TERRAN, CENTAURI), strict=True):
        squadron(state, key, "wolf", ship(f"of {empire}", empire))
    play = begin(state, **{"withdraw/": draws})
    play.run(movement_steps(play.turn, ()), fates(**{"of terran": "withdrew", "of centauri": "withdrew"}))
    return play


@pytest.mark.rule("jump_lanes", "13.2")
@pytest.mark.parametrize("names", [("A1", "Z1"), ("Z1", "A1")])
@pytest.mark.parametrize("first", [TERRAN, CENTAURI])
def test_of_opposing_squadrons_that_withdraw_to_one_place_a_die_says_which_has_it(names: tuple[str, str], first: str):
    """Only Ross is near enough, so that whoever does not have it stays. The die counts squadrons by their ids."""
    key = names[0] if first == TERRAN else names[1]
    play = both_withdraw(sorted(names).index(key) + 1, names=names)
    at = {one.empire: one.at for one in play.state.squadrons.values()}
    assert at == {TERRAN: "wolf", CENTAURI: "wolf"} | {first: "ross"}
    (roll,) = [one for one in play.turn.shared.rolls if "withdraw/" in one.label]
    assert (roll.faces, roll.seen_by) == (2, frozenset())


@pytest.mark.rule("jump_lanes", "13.2")
def test_squadrons_withdraw_by_how_all_stood_when_the_battles_were_over():
    """Terrans fight at Sol and at Ross, and withdraw from both. The raider at Barnard, between them, is destroyed in a
    third battle; at Wolf 359 one waits. So Barnard is free for both, whichever battle is carried out first."""
    state = frontier()
    state.colonies = {}
    squadron(state, "T1", "sol", ship("Hermes"))
    squadron(state, "C1", "sol", ship("Raider", CENTAURI))
    squadron(state, "T2", "ross", ship("Iris"))
    squadron(state, "C2", "ross", ship("Reaver", CENTAURI))
    squadron(state, "T3", "barnard", ship("Zeus"))
    squadron(state, "C3", "barnard", ship("Rover", CENTAURI))
    squadron(state, "C4", "wolf", ship("Watch", CENTAURI))
    play = begin(state)
    play.run(movement_steps(play.turn, ()), fates(Hermes="withdrew", Iris="withdrew", Rover="destroyed"))
    assert [state.squadrons[key].at for key in ("T1", "T2", "T3")] == ["barnard"] * 3


@pytest.mark.rule("jump_lanes", "13.2")
@pytest.mark.parametrize(("die", "goal"), [(1, "barnard"), (2, "vega")])
def test_of_equally_near_places_the_one_that_a_squadron_withdraws_to_is_drawn(die: int, goal: str):
    """From Ross to Barnard and, once that lane is surveyed, to Vega for 1; Wolf 359 is held. Its own captain knows."""
    state = frontier()
    state.colonies = {}
    state.lanes["L6"].lane_class, state.lanes["L6"].explored = "normal", True
    state.empires[TERRAN].places.append("vega")
    state.empires[TERRAN].sights = state.empires[CENTAURI].sights = []
    squadron(state, "T1", "ross", ship("Hermes"))
    squadron(state, "C1", "ross", ship("Raider", CENTAURI))
    squadron(state, "C2", "wolf", ship("Reaver", CENTAURI))
    play = begin(state, **{"refuge/": [die]})
    play.run(movement_steps(play.turn, ()), fates(Hermes="withdrew"))
    assert state.squadrons["T1"].at == goal
    assert [one.seen_by for one in play.turn.shared.rolls if "refuge" in one.label] == [frozenset({TERRAN})]
