"""What begins and ends a turn's pieces, what is reached at an impulse's end, and what is told. VM-N20 to VM-N24"""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from rules_engine.rulebooks.vector.campaign.deeds import Watcher, judge_impulse, yet_to_come
from rules_engine.rulebooks.vector.campaign.matching import are_matched, relative_speed
from rules_engine.rulebooks.vector.records.aims import EDGE, DuelRules, FarEdge
from rules_engine.rulebooks.vector.records.state import VectorState
from rules_engine.rulebooks.vector.records.tactical import TacticalTerrain, TractorLink
from rules_engine.rulebooks.vector.records.vectors import Vector
from tests.expected.kept import Kept, cases
from tests.rulebooks.vector.duels import duel
from tests.rulebooks.vector.scenarios import opened
from tests.rulebooks.vector.turns import DuelPlayed

RULES = DuelRules()


Entered = Mapping[str, Sequence[str]]
Deeds = list[tuple[str, str, str]]


def reached(state: VectorState, entered: Entered | None = None) -> Deeds:
    return [(one.what, one.unit, one.other) for one in judge_impulse(state, entered or {})]


def test_who_arrives_on_this_turn_is_there():
    state = duel("C1 courier 0410 8C | H1 hunter 0910 8C")
    unit = state.battle.units["H1"]
    for waits_for, to_come in ((state.battle.turn, []), (state.battle.turn + 1, ["H1"])):
        unit.waits_for = waits_for
        assert [one.id for one in yet_to_come(state, unit.side)] == to_come


@cases("one, other, speed")
def test_relative_speed_is_the_length_of_what_parts_two_vectors(one: str, other: str, speed: int):
    assert relative_speed(Vector(says=one), Vector(says=other)) == speed
    assert relative_speed(Vector(says=other), Vector(says=one)) == speed


@cases("at, vector, matched")
def test_who_is_within_a_hex_and_two_of_the_vector_matches(at: str, vector: str, matched: bool):
    state = duel(f"C1 courier 0410 8C | H1 hunter {at} {vector}")
    units = state.battle.units
    assert are_matched(units["C1"], units["H1"], RULES) is matched
    assert (reached(state) == [("caught", "C1", "H1")]) is matched
    assert (units["C1"].out == "caught") is matched


@cases("case, ships, settings, deeds", "", made="settings")
def test_what_is_reached_at_an_impulses_end(ships: str, settings: dict[str, Any], deeds: list[tuple[Entered, Deeds]]):
    """Impulse by impulse, which hexes were entered, and what is reached by that."""
    state = duel(ships.replace("; ", " | "), **settings)
    assert [(entered, reached(state, entered)) for entered, _ in deeds] == deeds


def test_all_who_match_a_courier_have_caught_it():
    state = duel("C1 courier 0410 8C | H1 hunter 0409 8C | P1 hunter 0411 9C | G1 hunter 0420 8C")
    assert reached(state) == [("caught", "C1", "H1 and P1")]
    assert [state.captains[key].caught for key in "hpg"] == [["C1"], ["C1"], []]


@pytest.mark.parametrize(("form", "catches"), [("drone", False), ("PF", True)])
def test_weapons_and_shuttles_catch_nobody(form: str, catches: bool):
    state = duel("C1 courier 0410 8C | H1 hunter 0410 8C")
    hunter = state.battle.units["H1"]
    hunter.figures = hunter.figures.with_values(form=form)
    assert reached(state) == ([("caught", "C1", "H1")] if catches else [])


@pytest.mark.parametrize(("at", "away"), [("3915", False), ("4015", True), ("4115", True), ("40.-3", True)])
def test_a_courier_at_the_edge_or_beyond_it_is_away(at: str, away: bool):
    state = duel(f"C1 courier {at} 20C | H1 hunter 0101 0", edge=FarEdge(column=40))
    assert (reached(state) == [("away", "C1", "")]) is away
    assert (state.battle.units["C1"].out, state.captains["c"].away) == (("left the map", ["C1"]) if away else ("", []))


@pytest.mark.rule("vector", "CJD1.53")
@pytest.mark.parametrize(("at", "out"), [("4015", "left the map"), ("0410", "caught")])
def test_what_is_aboard_a_courier_that_flies_off_the_map_or_is_caught_is_out_with_it(at: str, out: str):
    """VM-N41: also the drone that a PF aboard carries; the one that was launched flies on."""
    state = duel(f"C1 courier {at} 8C | H1 hunter 0410 8C", edge=FarEdge(column=40))
    units = state.battle.units
    for code, carrier in (("P1", "C1"), ("D1", "P1"), ("D2", "")):
        units[code] = units["C1"].changed(id=code, name=code, aboard=carrier)
        units[code].figures = units[code].figures.with_values(form="PF" if code == "P1" else "drone")
    reached(state)
    assert [units[code].out for code in ("C1", "P1", "D1", "D2", "H1")] == [out, out, out, "", ""]


def test_how_many_buoys_were_passed_and_when_the_line_was_crossed_is_noted():
    state = duel("L1 racer 0415 4D | M1 racer 2020 0", buoys=("0410",), line=("0430", "0530"), turn=2, impulse=5)
    assert (reached(state, {"L1": ["0410"]}), state.captains["l"].passed) == ([("passed", "L1", "")], {"L1": 1})
    assert (reached(state, {"L1": ["0530"]}), state.captains["l"].done_on) == ([("crossed", "L1", "")], 37)


def test_the_far_edge_is_no_line_of_a_race():
    state = duel("L1 racer 0415 4D | M1 racer 2020 0")
    state.battle.terrain.append(TacticalTerrain(id=EDGE, kind="line", hexes=("0430",)))
    assert reached(state, {"L1": ["0430"]}) == []


def test_two_that_match_a_third_need_not_match_each_other():
    state = duel("N1 squadron 0410 5C | N2 squadron 0409 7C | N3 squadron 0411 3C")
    assert not are_matched(state.battle.units["N2"], state.battle.units["N3"], RULES)
    assert reached(state) == [("gathered", "N1", "")]


def test_a_squadron_does_not_wait_for_one_that_is_lost():
    state = duel("N1 squadron 0410 5C | N2 squadron 0409 5C | N3 squadron 0430 5C out:destroyed", turn=3, impulse=8)
    assert (reached(state), state.captains["n"].done_on) == ([("gathered", "N1", "")], 72)


def test_a_watcher_looks_at_the_hexes_that_were_entered_in_each_impulse_alone():
    state = duel("L1 racer 0412 4D | M1 racer 2020 0", buoys=("0410",), line=("0430",))
    state.battle.units["L1"].trail = ["0410", "0411", "0412"]
    watcher = Watcher(state)
    watcher(state.battle)
    assert watcher.deeds == [], "0410 was entered before this piece"
    state.battle.impulse = 17
    state.battle.units["L1"].trail += ["0411"]
    watcher(state.battle)
    state.battle.impulse = 18
    watcher(state.battle)
    assert [(one.what, one.impulse, one.number) for one in watcher.deeds] == [("passed", 17, 1)]


# --- telling ---------------------------------------------------------------------------------------------------------
@pytest.mark.rule("vector", "CJD1.3x", "CJD1.43", "CJD1.431")
def test_a_turn_of_two_captains(kept: Kept):
    """Of 14 points of warp movement 4 go into thrust and 1 into a turn, and 5 are kept for the high energy turn: 4 at a
    move cost of 1/2 are 2 of power, and the point of impulse power one more."""
    words = "C1: accelerate 2 on 1; turn left on 2; stop on 3; het C on 5"
    dice = {"breakdown": [6], "tumbling": [2]}
    played = DuelPlayed(opened("courier", 2), {"courier": ["", words]}, dice=dice)
    own, other = ([(one.kind, one.text) for one in played.told(side)] for side in ("courier", "revenue"))
    assert own == kept()
    assert other == [one for one in own if one[0] != "own flight"]
    assert [roll.purpose for roll in played.shared.rolls] == ["breakdown of C1", "tumbling of C1"]
    rules = [one.why.rule if one.why is not None else "" for one in played.told("courier")]
    assert rules[2:5] == ["CJD1.31, CJD1.41, CJD1.14, CJD1.431", "CJD1.3x", "CJD1.14"]
    assert [(one.when.turn, one.when.step, one.when.label) for one in played.told("courier")][1::3] == kept("#2")


def test_deeds_are_told_with_their_impulse_and_who_is_out_by_its_fate(kept: Kept):
    state = opened("courier", 2)
    for captain in state.captains.values():
        captain.zone = None
    courier, hunter = state.battle.units["C1"], state.battle.units["H1"]
    for one in (courier, hunter):
        one.at, one.trail, one.vector = "2020", ["2020"], Vector(says="32B")
    played = DuelPlayed(state)
    assert [one.text for one in played.told("courier", "deed")] == kept()
    assert played.told("courier", "flight")[0].text == (
        "C1 Quicksilver, impulses 1 to 16, coasts. It is out of play: caught."
    )


def test_a_race_and_a_gathering_are_told():
    state = opened("race", 2)
    for captain in state.captains.values():
        captain.zone = None
    lark = state.battle.units["L1"]
    state.captains["larks"].passed = {"L1": 2}
    # the third buoy stands in 2030, and the line from 0810 to 0834
    lark.at, lark.trail, lark.vector = "2031", ["2031"], Vector(says="32A")
    played = DuelPlayed(state)
    assert [one.text for one in played.told("terns", "deed")] == ["Impulse 1: L1 Skylark has passed buoy 3 of 3."]
    lark.at, lark.trail, lark.vector = "0809", ["0809"], Vector(says="32D")
    again = DuelPlayed(state)
    assert [one.text for one in again.told("terns", "deed")] == ["Impulse 1: L1 Skylark has crossed the line."]
    meeting = opened("rendezvous", 2)
    for captain in meeting.captains.values():
        captain.zone = None
    for one in meeting.fleet("north"):
        one.at, one.trail, one.vector = "0804", ["0804"], Vector(says="0")
    told = DuelPlayed(meeting).told("north", "deed")[0]
    assert told.text == "Impulse 1: The North Squadron has gathered about N1 Boreas."


# --- turns -----------------------------------------------------------------------------------------------------------
def world() -> VectorState:
    state = opened("ambush", 2)
    for captain in state.captains.values():
        captain.zone = None
    return state


def test_who_leaves_is_let_go_of_by_tractors_at_once():
    state = world()
    courier, hunter = state.battle.units["T1"], state.battle.units["R1"]
    for one, at in ((courier, "8930"), (hunter, "8020")):
        one.at, one.trail, one.vector = at, [at], Vector(says="16C")
    state.battle.tractors.append(TractorLink(one="R1", other="T1", power={"R1": 6}, controller="R1"))
    played = DuelPlayed(state)
    assert courier.out == "left the map"
    assert state.battle.tractors == []
    assert [one.text for one in played.told("raiders", "deed")][:1] == ["Impulse 2: T1 Patient Ox is away."]


def test_who_arrives_is_told_to_all_when_it_is_there():
    told = DuelPlayed(world(), turns=2).told("traders", "arrival")
    assert [one.text for one in told] == ["R2 Leer of Raiders of Cinder arrives in 2923."]
    assert told[0].when.turn == 2


def test_a_captain_without_ships_is_out_and_no_more_asked():
    state = world()
    state.turns = 5
    del state.battle.units["R2"]
    del state.battle.units["T2"]
    del state.battle.units["T5"]
    state.battle.units["T1"].at = state.battle.units["T1"].trail[0] = "8930"
    state.battle.units["T1"].vector = Vector(says="16C")
    played = DuelPlayed(state, turns=3)
    assert [one.text for one in played.told("raiders", "out of play")] == ["Traders' Guild has no ships left in play."]
    assert played.count["ask plot"] == 2, "the duel is decided, and nobody is asked again"


def test_nobody_is_told_of_units_that_are_yet_to_come():
    played = DuelPlayed(world())
    assert not any("R2" in one.text for one in played.told("traders"))
    assert any("R1 Grin" in one.text for one in played.told("traders", "flight"))


def test_who_is_there_from_the_first_turn_on_does_not_arrive():
    state = world()
    state.battle.units["R2"].waits_for = 1
    assert DuelPlayed(state).told("traders", "arrival") == []
