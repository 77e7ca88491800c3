"""Energy for movement, acceleration and emergency deceleration. CJD1.21, CJD1.22, CJD1.31 to CJD1.33"""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.rulebooks.vector.ch2_energy.allocating import most_impulse, most_warp
from rules_engine.rulebooks.vector.ch2_energy.paying import Bill
from rules_engine.rulebooks.vector.ch3_acceleration.thrust import accelerate, thrust_from
from rules_engine.rulebooks.vector.records.ships import FlightFigures
from rules_engine.rulebooks.vector.tracker.foreseen import foresee
from tests.expected.kept import Kept
from tests.rulebooks.vector.skies import fly, judged, next_turn, plot, sky, unit, what


@pytest.mark.rule("vector", "CJD1.2", "CJD1.21")
@pytest.mark.parametrize(
    ("warp", "cost", "points"),
    [
        (30, Fraction(1), 30),
        (15, Fraction(1, 2), 30),
        (40, Fraction(5, 4), 32),
        (16, Fraction(2, 3), 24),
        (0, Fraction(1), 0),
    ],
)
def test_a_point_of_warp_movement_costs_the_move_cost_in_power(warp: int, cost: Fraction, points: int):
    assert most_warp(FlightFigures(warp=warp, move_cost=cost)) == points


@pytest.mark.rule("vector", "CJD1.21")
def test_one_point_of_impulse_power_whatever_the_move_cost():
    assert [most_impulse(FlightFigures(impulse=power, move_cost=Fraction(1, 2))) for power in (0, 1, 4)] == [0, 1, 1]
    assert most_impulse(FlightFigures(impulse=4, rated_speed=20)) == 0


@pytest.mark.rule("vector", "CJD1.21")
def test_energy_is_allocated_at_the_turns_beginning_as_far_as_the_engines_give_it():
    battle = sky("H1 h 2020 A 0 warp=34")
    assert (battle.units["H1"].warp_left, battle.units["H1"].impulse_left) == (34, 1)
    assert (judged(battle, "H1", warp=35), judged(battle, "H1", impulse=1, warp=34)) == ([(None, "CJD1.21", 0)], [])
    assert judged(sky("H1 h 2020 A 0 impulse=0"), "H1", impulse=1) == [(None, "CJD1.21", 0)]
    fly(battle, {"H1": plot(warp=10, impulse=0)}, 16)
    assert (battle.units["H1"].warp_left, battle.units["H1"].impulse_left) == (10, 0)
    found = foresee(battle, "H1", plot(warp=20), 32)
    assert [one.refusal.rule for one in found.defects] == ["CJD1.21"]
    assert "beginning" in found.defects[0].refusal.problem
    fly(battle, {"H1": plot(warp=20)}, 32)
    assert battle.units["H1"].warp_left == 10
    next_turn(battle)
    assert battle.units["H1"].warp_left == 34


@pytest.mark.rule("vector", "CJD1.21")
def test_more_than_the_engines_give_is_not_had_by_flying_it():
    battle = sky("H1 h 2020 A 0")
    fly(battle, {"H1": plot(warp=99, impulse=1)}, 1)
    assert battle.units["H1"].warp_left == 30


@pytest.mark.rule("vector", "CJD1.21")
def test_what_is_not_allocated_cannot_be_used():
    battle = sky("H1 h 2020 A 0")
    assert judged(battle, "H1", "accelerate 5 on 1", warp=8, impulse=0) == [(0, "CJD1.31", 0)]
    assert judged(battle, "H1", "accelerate 4 on 1", warp=8, impulse=0) == []
    assert judged(battle, "H1", "accelerate 5 by impulse on 1", warp=8, impulse=0) == [(0, "CJD1.21", 0)]


@pytest.mark.rule("vector", "CJD1.22")
def test_reserve_may_be_added_on_any_impulse_and_used_at_once():
    battle = sky("H1 h 2020 A 0")
    assert judged(battle, "H1", "reserve 5 on 9", "accelerate 6 on 9", warp=7, impulse=0) == []
    assert judged(battle, "H1", "accelerate 6 on 9", warp=7, impulse=0) == [(0, "CJD1.31", 0)]
    assert judged(battle, "H1", "reserve 6 on 9") == [(0, "CJD1.22", 0)]
    assert judged(battle, "H1", "reserve 3 on 9", "reserve 3 on 10") == [(1, "CJD1.22", 0)]
    assert judged(battle, "H1", "reserve on 9") == [(0, "CJD1.22", 0)]
    fly(battle, {"H1": plot("reserve 4 on 9", warp=0)}, 32)
    ship = battle.units["H1"]
    assert (ship.warp_left, ship.reserve_left) == (4, 1)
    next_turn(battle)
    assert (ship.warp_left, ship.reserve_left) == (30, 5)


@pytest.mark.rule("vector", "CJD1.22", "CJD1:313")
def test_reserve_may_give_the_point_of_impulse_power_if_none_was_had():
    battle = sky("H1 h 2020 A 0")
    by_impulse = ("reserve 1 by impulse on 3", "turn left by impulse on 3")
    assert judged(battle, "H1", *by_impulse, impulse=0) == []
    assert judged(battle, "H1", *by_impulse) == [(0, "CJD1:313", 0)]
    assert judged(battle, "H1", "turn left by impulse on 3", "reserve 1 by impulse on 4") == [(1, "CJD1:313", 0)]
    assert judged(battle, "H1", "reserve 2 by impulse on 3", impulse=0) == [(0, "CJD1:313", 0)]


@pytest.mark.rule("vector", "CJD1:313")
def test_thirty_points_and_one_of_impulse_are_the_limit_of_a_turn_with_turns():
    battle = sky("H1 h 2020 A 0 warp=60 reserve=20")
    assert judged(battle, "H1", "accelerate 16 on 1") == []
    assert judged(battle, "H1", "accelerate 17 on 1") == [(0, "CJD1:313", 0)]
    assert foresee(battle, "H1", plot("accelerate 17 on 1"), 32).defects[0].refusal.legal == "accelerate up to 16"
    # 28 points, 2 for turns: the third turn takes the point of impulse power, a fourth nothing
    turns = ("turn left on 2", "turn left on 9", "turn left on 16", "turn left on 23")
    assert judged(battle, "H1", "accelerate 14 on 1", *turns[:3]) == []
    assert judged(battle, "H1", "accelerate 14 on 1", *turns) == [(4, "CJD1:313", 0)]
    # reserve does not lift the limit
    assert judged(battle, "H1", "reserve 20 on 1", "accelerate 14 on 1", "accelerate 2 on 9", "turn left on 10") == [
        (3, "CJD1:313", 0)
    ]
    # in the next turn all is there again
    fly(battle, {"H1": plot("accelerate 16 on 1")})
    next_turn(battle)
    assert judged(battle, "H1", "accelerate 16 on 1") == []


@pytest.mark.rule("vector", "CJD1:313")
def test_one_point_of_impulse_power_in_a_turn():
    battle = sky("H1 h 2020 A 0 impulse=6")
    assert judged(battle, "H1", "accelerate 1 by impulse on 1", "turn left by impulse on 2") == [(1, "CJD1:313", 0)]
    found = foresee(battle, "H1", plot("accelerate 1 by impulse on 1", "turn left on 2"), 32)
    assert found.spent == Bill(warp=1, impulse=1)
    # nor after a correction that leaves a second one there
    battle.units["H1"].impulse_used, battle.impulse = 1, 1
    assert battle.units["H1"].impulse_left == 1
    assert judged(battle, "H1", "turn left by impulse on 2") == [(0, "CJD1:313", 0)]


@pytest.mark.rule("vector", "CJD1.31")
def test_the_point_of_impulse_power_is_taken_where_it_is_said_or_where_warp_falls_short():
    battle = sky("H1 h 2020 A 0")
    assert foresee(battle, "H1", plot("accelerate 3 on 1"), 32).spent == Bill(warp=6)
    assert foresee(battle, "H1", plot("accelerate 3 by impulse on 1"), 32).spent == Bill(warp=4, impulse=1)
    assert foresee(battle, "H1", plot("accelerate 3 on 1", warp=5), 32).spent == Bill(warp=4, impulse=1)
    assert judged(battle, "H1", "accelerate 3 on 1", warp=3) == [(0, "CJD1.31", 0)]


@given(
    st.lists(
        st.tuples(
            st.integers(1, 32), st.sampled_from(["accelerate", "reverse", "turn left", "reserve"]), st.integers(0, 12)
        ),
        max_size=12,
    ),
    st.integers(0, 40),
)
def test_energy_stays_within_its_limits_whatever_is_plotted(events: list[tuple[int, str, int]], warp: int):
    battle = sky("H1 h 2020 A 5B warp=36 reserve=9")
    events.sort()
    texts = [f"{action}{'' if action == 'turn left' else f' {amount}'} on {on}" for on, action, amount in events]
    happened = fly(battle, {"H1": plot(*texts, warp=min(warp, 36))})
    ship = battle.units["H1"]
    assert 0 <= ship.warp_used <= 30
    assert 0 <= ship.impulse_used <= 1
    assert min(ship.warp_left, ship.impulse_left, ship.reserve_left) >= 0
    thrusts = [one for one in happened if one.what == "accelerated"]
    turns = [one for one in happened if one.what == "turned"]
    assert all(after.impulse - before.impulse >= 8 for before, after in pairwise(thrusts))
    assert all(after.impulse - before.impulse >= 7 for before, after in pairwise(turns))
    added = sum(one.amount for one in happened if one.what == "reserve")
    assert ship.warp_left + ship.warp_used == min(warp, 36) + added


# --- stopping --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("vector", "CJD1.3x")
def test_it_stops_nothing_and_turns_unused_energy_into_shields():
    battle = sky("H1 h 2020 A 12A move_cost=2/3 warp=20")
    happened = fly(battle, {"H1": plot("accelerate 3 on 1", "stop on 9")}, 16)
    stopped = [one for one in happened if one.what == "stopped"]
    # 30 points, 6 used: 24 at 2/3 power are 16, and 1 of impulse power; nobody else is told
    assert [(one.impulse, one.amount, one.to) for one in stopped] == [(9, 17, ("h",))]
    ship = battle.units["H1"]
    assert (ship.vector.says, ship.warp_left, ship.impulse_left) == ("15A", 0, 0)


@pytest.mark.rule("vector", "CJD1.3x")
def test_no_acceleration_for_the_pause_also_over_the_turns_end():
    battle = sky("H1 h 2020 A 12A")
    assert judged(battle, "H1", "stop on 9", "reserve 4 on 9", "accelerate 2 on 24") == [(2, "CJD1.3x", 25)]
    assert judged(battle, "H1", "stop on 9", "reserve 4 on 9", "accelerate 2 on 25") == []
    fly(battle, {"H1": plot("stop on 30")})
    next_turn(battle)
    assert judged(battle, "H1", "accelerate 1 on 13") == [(0, "CJD1.3x", 46)]
    assert judged(battle, "H1", "accelerate 1 on 14") == []
    assert judged(sky("H1 h 2020 A 0", thrust_pause=4), "H1", "stop on 9", "stop on 13") == []
    assert judged(battle, "H1", "stop on 3") == [(0, "CJD1.3x", 46)]


@pytest.mark.rule("vector", "CJD1.3x")
def test_it_may_turn_and_make_high_energy_turns():
    battle = sky("H1 h 2020 A 12A breakdown=7")
    assert judged(battle, "H1", "stop on 9", "het to D on 10", "reserve 1 on 11", "turn left on 11") == []


@pytest.mark.rule("vector", "CJD1.32", "CJD1.3x")
def test_of_two_reasons_the_longer_is_named(kept: Kept):
    battle = sky("H1 h 2020 A 12A", thrust_pause=2)
    assert judged(battle, "H1", "accelerate 1 on 1", "stop on 2", "reserve 4 on 2", "accelerate 1 on 3") == kept("#1")
    battle = sky("H1 h 2020 A 12A")
    assert judged(battle, "H1", "accelerate 1 on 1", "stop on 2", "reserve 4 on 2", "accelerate 1 on 3") == kept("#2")


# --- thrust ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("vector", "CJD1.3", "CJD1.31")
def test_thirty_points_of_warp_and_one_of_impulse_accelerate_by_16():
    found = foresee(sky("H1 h 2020 A 0"), "H1", plot("accelerate 16 on 1"), 32)
    assert (found.vector, found.spent, found.defects, found.hex) == ("16A", Bill(warp=30, impulse=1), (), "2004")


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
def test_what_is_refused_begins_no_interval(kept: Kept):
    happened = fly(sky("H1 h 2020 A 0"), {"H1": plot("accelerate 1 on 1", "accelerate 1 on 8", "accelerate 1 on 9")})
    assert what(happened, "accelerated", "refused") == kept()


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
