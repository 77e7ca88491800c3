"""The points of Reactionary Movement (V8.60)."""

from typing import Any

import pytest

from rules_engine.rulebooks.border_patrol.allowances import allowance
from rules_engine.rulebooks.border_patrol.ch10_movement.phases import begin_phase, points_left
from rules_engine.rulebooks.border_patrol.ch60_reaction.points import reach, weapon_status
from rules_engine.rulebooks.border_patrol.ch60_reaction.waiting import (
    begin_reaction,
    end_by_damage,
    end_of_turn,
    end_reaction,
    hold_points,
    intercept,
    spend,
)
from rules_engine.rulebooks.border_patrol.records.units import Unit
from tests.rulebooks.border_patrol.fleet import ship


def waiting(until: int, allowed: int = 5, **given: Any) -> Unit:
    """A unit that waited through the phases before ``until``, and comes to that one."""
    unit = ship("DD", reacting=True, **given)
    for phase in range(1, until):
        begin_phase(unit, phase, allowed)
        hold_points(unit, phase)
    begin_phase(unit, until, allowed)
    return unit


@pytest.mark.rule("border_patrol", "V8.63")
def test_the_printed_example_a_destroyer_of_allowance_five():
    unit = waiting(until=2)
    assert unit.accrued == 0
    hold_points(unit, 2)
    assert unit.accrued == 1
    unit = waiting(until=5)
    assert unit.accrued == 2  # phases 2 and 4
    assert reach(unit, 5) == 2  # one of its own, one held
    spend(unit, 5, 2)
    assert (unit.accrued, reach(unit, 5)) == (1, 0)
    hold_points(unit, 5)
    begin_phase(unit, 6, 5)
    assert reach(unit, 6) == 1  # the last held one
    spend(unit, 6, 1)
    assert (unit.accrued, reach(unit, 6)) == (0, 0)
    begin_phase(unit, 7, 5)
    assert reach(unit, 7) == 1  # as any other unit


@pytest.mark.rule("border_patrol", "V8.63")
def test_two_held_points_a_phase_without_its_own_and_one_beside_its_own():
    unit = waiting(until=6)
    assert (unit.accrued, points_left(unit, 6), reach(unit, 6)) == (3, 0, 2)
    spend(unit, 6, 1)
    assert reach(unit, 6) == 1
    spend(unit, 6, 1)
    assert (reach(unit, 6), unit.accrued) == (0, 1)
    fast = waiting(until=5, allowed=12)
    assert (fast.accrued, reach(fast, 5)) == (6, 3)  # two of its own, and one held
    spend(fast, 5, 1)
    assert (fast.accrued, reach(fast, 5)) == (6, 2)  # its own go first
    spend(fast, 5, 2)
    assert (fast.accrued, reach(fast, 5)) == (5, 0)


@pytest.mark.rule("border_patrol", "V8.63")
def test_once_it_moves_it_holds_no_more_and_nobody_else_holds_any():
    unit = waiting(until=5)
    spend(unit, 5, 1)
    begin_phase(unit, 7, 5)
    hold_points(unit, 7)
    assert unit.accrued == 2
    other = ship("DD")
    begin_phase(other, 2, 5)
    hold_points(other, 2)
    assert other.accrued == 0
    with_some = ship("DD", carried=2)
    begin_phase(with_some, 6, 5)
    assert reach(with_some, 6) == 0


def test_no_more_than_it_may_and_nothing_is_changed_then():
    unit = waiting(until=5)
    before = unit.to_json()
    with pytest.raises(ValueError, match="may enter 2 hexes in phase 5, and not 3"):
        spend(unit, 5, 3)
    assert unit.to_json() == before
    spend(unit, 5, 0)
    assert not unit.left_station


@pytest.mark.rule("border_patrol", "V8.63")
def test_a_cloaked_unit_waits_by_its_cloaked_allowance_though_it_uncloaks():
    unit = ship(cloak_cost=6, cloaks=True, cloaked=False, reacting=True)
    assert allowance(unit) == 4


@pytest.mark.rule("border_patrol", "V8.64")
def test_a_crippled_unit_is_bound_no_longer_and_loses_what_it_held():
    unit = waiting(until=5, target="red-CA")
    assert not end_by_damage(unit)
    assert (unit.reacting, unit.accrued) == (True, 2)
    unit.crippled = True
    assert end_by_damage(unit)
    assert (unit.reacting, unit.accrued, unit.target, reach(unit, 5)) == (False, 0, "", 1)


@pytest.mark.rule("border_patrol", "V8.66")
def test_two_points_are_carried_over_by_who_waited_all_turn_and_waits_again():
    unit = waiting(until=8)
    hold_points(unit, 8)
    assert unit.accrued == 5
    end_of_turn(unit)
    assert (unit.accrued, unit.carried, unit.reacting) == (0, 2, False)
    begin_reaction(unit)
    assert (unit.accrued, unit.carried) == (2, 0)
    begin_phase(unit, 1, 5)
    assert reach(unit, 1) == 2  # already in the first phase
    spend(unit, 1, 2)
    assert (unit.accrued, unit.carried) == (0, 0)


@pytest.mark.rule("border_patrol", "V8.66")
def test_no_more_than_there_is_and_nothing_otherwise():
    def left_by(unit: Unit) -> int:
        end_of_turn(unit)
        return unit.carried

    assert left_by(waiting(until=3)) == 1
    moved = waiting(until=5)
    spend(moved, 5, 1)
    assert left_by(moved) == 0
    assert left_by(ship()) == 0
    crippled = waiting(until=5)
    crippled.crippled = True
    assert end_by_damage(crippled)
    assert left_by(crippled) == 0
    ended = waiting(until=5)
    end_reaction(ended)
    assert left_by(ended) == 0


@pytest.mark.rule("border_patrol", "V8.69")
def test_after_an_interception_it_may_use_what_it_has_left():
    unit, target = waiting(until=5, target="red-CA"), ship(team="red", hex="0506")
    spend(unit, 5, 1)
    assert not intercept(unit, target)
    unit.hex = "0506"
    assert not intercept(unit, ship("DN", team="red", hex="0506"))
    assert intercept(unit, target)
    assert (unit.target, unit.reacting) == ("", True)
    assert reach(unit, 5) == 1


@pytest.mark.rule("border_patrol", "V8.65")
def test_reaction_adds_four_to_the_roll_for_weapon_status():
    assert [weapon_status(roll, by_reaction=False) for roll in range(1, 7)] == [0, 0, 1, 2, 2, 2]
    assert [weapon_status(roll, by_reaction=True) for roll in range(1, 7)] == [2, 2, 3, 3, 3, 3]
