"""What begins and ends the pieces of a turn."""

from rules_engine.rulebooks.vector.records.state import VectorState
from rules_engine.rulebooks.vector.records.tactical import TractorLink
from rules_engine.rulebooks.vector.records.vectors import Vector
from tests.rulebooks.vector.scenarios import opened
from tests.rulebooks.vector.turns import DuelPlayed


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
    played = DuelPlayed(world(), turns=2)
    told = played.told("traders", "arrival")
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
