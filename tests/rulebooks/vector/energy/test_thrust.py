"""Acceleration. CJD1.31, CJD1:312, CJD1.32"""

from fractions import Fraction

import pytest

from rules_engine.rulebooks.vector.ch2_energy.paying import Bill
from rules_engine.rulebooks.vector.ch3_acceleration.thrust import accelerate, thrust_from
from rules_engine.rulebooks.vector.tracker.foreseen import foresee
from tests.rulebooks.vector.skies import fly, judged, next_turn, plot, sky, unit, what


@pytest.mark.rule("vector", "CJD1.3", "CJD1.31")
def test_thirty_points_of_warp_and_one_of_impulse_accelerate_by_16():
    battle = sky("H1 h 2020 A 0")
    found = foresee(battle, "H1", plot("accelerate 16 on 1"), 32)
    assert (found.vector, found.spent, found.defects) == ("16A", Bill(warp=30, impulse=1), ())
    assert found.hex == "2004"


@pytest.mark.rule("vector", "CJD1.31")
def test_half_the_move_cost_makes_twice_the_points():
    battle = sky("H1 h 2020 A 0 warp=15 move_cost=1/2")
    assert battle.units["H1"].figures.move_cost == Fraction(1, 2)
    assert foresee(battle, "H1", plot("accelerate 16 on 1"), 32).spent == Bill(warp=30, impulse=1)


@pytest.mark.rule("vector", "CJD1.31")
def test_the_facing_at_that_moment_counts():
    battle = sky("H1 h 2020 A 4A")
    fly(battle, {"H1": plot("turn right on 3", "accelerate 5 on 3", "accelerate 2 on 12")}, 32)
    assert battle.units["H1"].vector.says == "4A+7B"
    battle = sky("H1 h 2020 A 4A")
    fly(battle, {"H1": plot("accelerate 5 on 3", "turn right on 3")}, 32)
    assert battle.units["H1"].vector.says == "9A"


@pytest.mark.rule("vector", "CJD1:312")
def test_reverse_costs_twice_the_points_or_the_same_point_of_impulse():
    battle = sky("H1 h 2020 A 9A")
    found = foresee(battle, "H1", plot("reverse 7 on 1"), 32)
    assert (found.vector, found.spent) == ("2A", Bill(warp=28))
    found = foresee(battle, "H1", plot("reverse 8 on 1"), 32)
    assert (found.vector, found.spent) == ("1A", Bill(warp=28, impulse=1))
    assert judged(battle, "H1", "reverse 9 on 1") == [(0, "CJD1:313", 0)]
    assert judged(battle, "H1", "reverse 3 on 1", warp=7) == [(0, "CJD1:312", 0)]
    assert foresee(battle, "H1", plot("reverse 3 on 1", warp=7), 32).defects[0].refusal.legal == "reverse up to 2"
    assert foresee(sky("H1 h 2020 B 0"), "H1", plot("reverse 2 on 1"), 32).vector == "2E"


@pytest.mark.rule("vector", "CJD1.32")
def test_who_has_not_accelerated_waits_for_nothing():
    ship = unit("H1 h 2020 A 0")
    assert thrust_from(ship) == 0
    ship.no_thrust_until = 20
    assert thrust_from(ship) == 20
    ship.accelerated_on = 13
    assert thrust_from(ship) == 21


@pytest.mark.rule("vector", "CJD1.32")
@pytest.mark.parametrize(("nimble", "interval"), [("False", 8), ("True", 6)])
def test_the_interval_between_accelerations(nimble: str, interval: int):
    battle = sky(f"H1 h 2020 A 0 nimble={nimble}")
    last = 3 + interval
    assert judged(battle, "H1", "accelerate 2 on 3", f"accelerate 2 on {last}") == []
    assert judged(battle, "H1", "accelerate 2 on 3", f"accelerate 2 on {last - 1}") == [(1, "CJD1.32", last)]
    assert judged(battle, "H1", "accelerate 2 on 3", "reverse 2 on 3") == [(1, "CJD1.32", last)]


@pytest.mark.rule("vector", "CJD1.32")
def test_the_interval_goes_on_over_the_turns_end():
    battle = sky("H1 h 2020 A 0")
    fly(battle, {"H1": plot("accelerate 1 on 30")})
    assert thrust_from(battle.units["H1"]) == 38
    next_turn(battle)
    assert judged(battle, "H1", "accelerate 1 on 5") == [(0, "CJD1.32", 38)]
    assert judged(battle, "H1", "accelerate 1 on 6") == []
    refusal = foresee(battle, "H1", plot("accelerate 1 on 5"), 32).defects[0].refusal
    assert refusal.legal == "acceleration from impulse 6 on"
    assert "7 impulses ago, and accelerates once in 8" in refusal.problem


@pytest.mark.rule("vector", "CJD1.32")
def test_the_first_legal_impulse_may_be_of_the_next_turn():
    battle = sky("H1 h 2020 A 0")
    refusal = foresee(battle, "H1", plot("accelerate 1 on 28", "accelerate 1 on 32"), 32).defects[0].refusal
    assert refusal.legal == "acceleration from impulse 4 of turn 2 on"
    assert "4 impulses ago" in refusal.problem


@pytest.mark.rule("vector", "CJD1.32")
def test_what_is_refused_begins_no_interval():
    battle = sky("H1 h 2020 A 0")
    happened = fly(battle, {"H1": plot("accelerate 1 on 1", "accelerate 1 on 8", "accelerate 1 on 9")})
    assert what(happened, "accelerated", "refused") == [
        (1, "H1", "accelerated"),
        (8, "H1", "refused"),
        (9, "H1", "accelerated"),
    ]


@pytest.mark.rule("vector", "CJD1.31", "CJD1:312")
def test_how_much_must_be_said():
    battle = sky("H1 h 2020 A 0")
    assert judged(battle, "H1", "accelerate on 3") == [(0, "CJD1.31", 0)]
    assert judged(battle, "H1", "reverse on 3") == [(0, "CJD1:312", 0)]


@pytest.mark.rule("vector", "CJD1.31")
def test_nobody_accelerates_without_paying():
    ship = unit("H1 h 2020 A 0")
    with pytest.raises(ValueError, match="takes 4 points"):
        accelerate(ship, 1, 2, reverse=False, by_impulse=False)
    assert ship.vector.says == "0"
