"""What a turn tells, whole: to everybody, and to whom it concerns alone. VM-R38"""

import pytest

from rules_engine.rulebooks.vector.records.vectors import Vector
from tests.expected.kept import Kept
from tests.rulebooks.vector.scenarios import opened
from tests.rulebooks.vector.turns import DuelPlayed


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
    assert [(one.when.turn, one.when.step, one.when.label) for one in played.told("courier")][1::3] == [
        (1, 1, "Turn 1, before impulse 1"),
        (1, 17, "Turn 1, impulse 16"),
        (1, 33, "Turn 1, end"),
    ]


def test_deeds_are_told_with_their_impulse_and_who_is_out_by_its_fate():
    state = opened("courier", 2)
    for captain in state.captains.values():
        captain.zone = None
    courier, hunter = state.battle.units["C1"], state.battle.units["H1"]
    for one in (courier, hunter):
        one.at, one.trail, one.vector = "2020", ["2020"], Vector(says="32B")
    played = DuelPlayed(state)
    assert [one.text for one in played.told("courier", "deed")] == [
        "Impulse 1: C1 Quicksilver is caught: H1 matched its course."
    ]
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
