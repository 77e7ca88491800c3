"""Energy for movement, acceleration and emergency deceleration. CJD1.21, CJD1.22, CJD1.31 to CJD1.33"""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.rulebooks.vector.ch2_energy.allocating import most_impulse, most_warp
from rules_engine.rulebooks.vector.ch2_energy.paying import Bill
from rules_engine.rulebooks.vector.ch3_acceleration.thrust import accelerate, thrust_from
from rules_engine.rulebooks.vector.records.ships import FlightFigures
from rules_engine.rulebooks.vector.tracker.foreseen import foresee
from tests.expected.kept import Kept, cases
from tests.rulebooks.vector.skies import (
    Step,
    after,
    comes_to,
    flown,
    fly,
    judged,
    next_turn,
    plot,
    sky,
    unit,
    what,
)  # fmt: skip


@cases("warp, cost, points", made="cost")
def test_a_point_of_warp_movement_costs_the_move_cost_in_power(warp: int, cost: Fraction, points: int):
    assert most_warp(FlightFigures(warp=warp, move_cost=cost)) == points


@cases("case, proves, units, steps, plots", "")
def test_what_plots_cost_and_which_are_refused(units: str, steps: list[Step], plots: dict[str, Any]):
    battle, _ = flown(units, steps)
    assert comes_to(battle, plots) == plots


@cases("case, proves, units, steps, holds", "")
def test_what_is_left_and_what_acceleration_makes_of_a_vector(units: str, steps: list[Step], holds: dict[str, Any]):
    assert after(units, steps, holds) == holds


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


@pytest.mark.rule("vector", "CJD1:313")
def test_a_second_point_of_impulse_power_that_a_correction_left_is_not_used():
    battle = sky("H1 h 2020 A 0 impulse=6")
    battle.units["H1"].impulse_used, battle.impulse = 1, 1
    assert battle.units["H1"].impulse_left == 1
    assert judged(battle, "H1", "turn left by impulse on 2") == [(0, "CJD1:313", 0)]


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


# --- thrust ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("vector", "CJD1.3", "CJD1.31")
def test_thirty_points_of_warp_and_one_of_impulse_accelerate_by_16():
    found = foresee(sky("H1 h 2020 A 0"), "H1", plot("accelerate 16 on 1"), 32)
    assert (found.vector, found.spent, found.defects, found.hex) == ("16A", Bill(warp=30, impulse=1), (), "2004")


@pytest.mark.rule("vector", "CJD1:312")
@cases("units, plotted, flies")
def test_reverse_thrust_is_against_the_facing(units: str, plotted: str, flies: str):
    assert foresee(sky(units), "H1", plot(plotted), 32).vector == flies


@pytest.mark.rule("vector", "CJD1.32")
def test_who_has_not_accelerated_waits_for_nothing():
    ship = unit("H1 h 2020 A 0")
    assert thrust_from(ship) == 0
    ship.no_thrust_until = 20
    assert thrust_from(ship) == 20
    ship.accelerated_on = 13
    assert thrust_from(ship) == 21


@pytest.mark.rule("vector", "CJD1.32")
def test_the_interval_goes_on_over_the_turns_end():
    battle = sky("H1 h 2020 A 0")
    fly(battle, {"H1": plot("accelerate 1 on 30")})
    assert thrust_from(battle.units["H1"]) == 38


@pytest.mark.rule("vector", "CJD1.32")
def test_what_is_refused_begins_no_interval(kept: Kept):
    happened = fly(sky("H1 h 2020 A 0"), {"H1": plot("accelerate 1 on 1", "accelerate 1 on 8", "accelerate 1 on 9")})
    assert what(happened, "accelerated", "refused") == kept()


@pytest.mark.rule("vector", "CJD1.31")
def test_nobody_accelerates_without_paying():
    ship = unit("H1 h 2020 A 0")
    with pytest.raises(ValueError, match="takes 4 points"):
        accelerate(ship, 1, 2, reverse=False, by_impulse=False)
    assert ship.vector.says == "0"
