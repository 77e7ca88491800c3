"""Launched units. CJD1.53"""

import pytest

from rules_engine.rulebooks.vector.ch2_energy.paying import Bill
from rules_engine.rulebooks.vector.tracker.foreseen import foresee
from tests.rulebooks.vector.skies import fly, judged, next_turn, plot, sky, what

CARRIER = "H1 h 2020 A 6A"
SHUTTLE = "S1 h 0101 A 0 aboard=H1 form=shuttle size_class=6 rated_speed=7 turn_mode=shuttle nimble=True"
PF = "P1 h 0101 A 0 aboard=H1 form=PF size_class=5 rated_speed=16 turn_mode=A nimble=True"
DRONE = "D1 h 0101 A 0 aboard=H1 form=drone size_class=7 rated_speed=20 turn_mode=drone"
LINES = "\n".join((CARRIER, SHUTTLE, PF, DRONE, "C1 c 3030 A 0"))


@pytest.mark.rule("vector", "CJD1.53")
def test_what_is_launched_has_the_carriers_vector_and_up_to_half_its_speed_in_any_direction():
    battle = sky(LINES)
    assert [one.id for one in battle.present()] == ["C1", "H1"]
    happened = fly(battle, {"H1": plot("launch D1 10 to C on 6", "launch S1 on 6")}, 6)
    assert what(happened) == [(6, "D1", "launched"), (6, "S1", "launched")]
    drone, shuttle = battle.units["D1"], battle.units["S1"]
    # launched where the carrier is before it moves on impulse 6: in 2020
    assert (drone.vector.says, drone.facing, drone.half_left, drone.launched_from) == ("6B+4C", "C", 0, "H1")
    assert (shuttle.vector.says, shuttle.facing, shuttle.half_left) == ("6A", "A", 3)
    assert happened[[one.what for one in happened].index("launched")].hex == "2020"
    assert [one.id for one in battle.present()] == ["C1", "D1", "H1", "S1"]
    assert shuttle.at == battle.units["H1"].at


@pytest.mark.rule("vector", "CJD1.53")
@pytest.mark.parametrize(("subject", "half"), [("S1", 3), ("P1", 8), ("D1", 10)])
def test_more_than_half_the_rated_speed_is_refused(subject: str, half: int):
    battle = sky(LINES)
    assert judged(battle, "H1", f"launch {subject} {half} to B on 1") == []
    assert judged(battle, "H1", f"launch {subject} {half + 1} to B on 1") == [(0, "CJD1.53", 0)]
    refusal = foresee(battle, "H1", plot(f"launch {subject} {half + 1} to B on 1"), 32).defects[0].refusal
    assert refusal.legal == f"launch {subject} with 0 to {half}"


@pytest.mark.rule("vector", "CJD1.53")
def test_only_what_is_aboard_is_launched_and_once():
    battle = sky(LINES)
    assert judged(battle, "H1", "launch X9 on 1") == [(0, "CJD1.53", 0)]
    assert judged(battle, "H1", "launch C1 on 1") == [(0, "CJD1.53", 0)]
    assert judged(battle, "C1", "launch S1 on 1") == [(0, "CJD1.53", 0)]
    assert judged(battle, "H1", "launch S1 on 1", "launch S1 on 2") == [(1, "CJD1.53", 0)]
    assert judged(battle, "S1", "turn left on 2") == [(None, "CJD1.53", 0)]
    legal = foresee(battle, "H1", plot("launch on 1"), 32).defects[0].refusal.legal
    assert legal == "D1 or P1 or S1"


@pytest.mark.rule("vector", "CJD1.53")
def test_what_is_left_of_the_half_accelerates_later_and_each_turn_it_is_there_again():
    battle = sky(LINES)
    fly(battle, {"H1": plot("launch D1 4 to C on 1")}, 16)
    drone = battle.units["D1"]
    assert drone.half_left == 6
    assert judged(battle, "D1", "accelerate 7 on 17") == [(0, "CJD1.53", 0)]
    found = foresee(battle, "D1", plot("accelerate 2 on 17", "accelerate 4 on 25"), 32)
    assert (found.defects, found.spent, found.half_left) == ((), Bill(half=6), 0)
    # the other way costs twice as much
    assert judged(battle, "D1", "reverse 4 on 17") == [(0, "CJD1.53", 0)]
    assert foresee(battle, "D1", plot("reverse 3 on 17"), 32).spent == Bill(half=6)
    fly(battle, {"D1": plot("accelerate 6 on 17")})
    next_turn(battle)
    assert drone.half_left == 10
    assert judged(battle, "D1", "accelerate 10 on 1") == []
    assert drone.warp_left == 0


@pytest.mark.rule("vector", "CJD1.53", "CJD1.411")
def test_pfs_turn_by_elements_of_their_half_and_smaller_units_free():
    battle = sky(LINES)
    fly(battle, {"H1": plot("launch P1 6 to B on 1", "launch D1 10 to B on 1")}, 2)
    assert foresee(battle, "P1", plot("turn left on 3", "turn left on 8"), 32).spent == Bill(half=2)
    assert judged(battle, "P1", "turn left on 3", "turn left on 8", "turn left on 13") == [(2, "CJD1.53", 0)]
    assert judged(battle, "D1", "turn left on 3", "turn left on 4", "turn left on 5") == []


@pytest.mark.rule("vector", "CJD1.53")
def test_the_others_learn_of_it_once_it_happens():
    battle = sky(LINES)
    happened = fly(battle, {"H1": plot("launch S1 2 to F on 6")}, 6)
    launched = next(one for one in happened if one.what == "launched")
    assert (launched.to, launched.other, launched.amount, launched.way) == ((), "H1", 2, "F")
    assert not [one for one in happened if one.unit == "S1" and one.impulse < 6]
