"""Costs and allowances of units by themselves (V8.10)."""

from fractions import Fraction

import pytest

from rules_engine.rulebooks.border_patrol.ch10_movement.figures import hull_allowance, strategic_cost, whole_hexes
from tests.rulebooks.border_patrol.fleet import ship


@pytest.mark.rule("border_patrol", "V8.13")
def test_the_strategic_cost_is_6_and_12_out_of_supply_and_3_and_a_half_in_an_emergency():
    assert strategic_cost(ship(), emergency=False) == 6
    assert strategic_cost(ship(in_supply=False), emergency=False) == 12
    assert strategic_cost(ship(), emergency=True) == Fraction(7, 2)
    # Emergency Movement needs supply, so the two never meet.
    assert strategic_cost(ship(in_supply=False), emergency=True) == 12


@pytest.mark.rule("border_patrol", "V8.12")
@pytest.mark.parametrize(
    ("boxes", "cost", "expected"),
    [
        (30, "1", 5),  # 30 / 1 / 6 = 5
        (29, "1", 4),  # 4.83
        (24, "2/3", 6),  # exactly 6, and 5 with .67
        (45, "3/2", 5),
        (15, "1/2", 5),
        (5, "1", 0),
        (40, "1/2", 12),  # 13.3: the table ends at 12
        (72, "1", 12),
        (71, "1", 11),
    ],
)
def test_allowances_are_worked_out_exactly_rounded_down_once_and_12_at_most(boxes: int, cost: str, expected: int):
    assert hull_allowance(ship(boxes=boxes, movement_cost=cost)) == expected


@pytest.mark.rule("border_patrol", "V8.12")
def test_nothing_is_rounded_on_the_way():
    """7 / (2/3) = 10.5, and 10.5 / 3.5 is 3; rounded in between it would be 2."""
    assert hull_allowance(ship(boxes=7, movement_cost="2/3"), emergency=True) == 3


@pytest.mark.rule("border_patrol", "V8.12")
def test_only_working_boxes_count_and_supply_halves():
    assert hull_allowance(ship(warp_ok=17)) == 2
    assert hull_allowance(ship(in_supply=False)) == 2
    assert hull_allowance(ship(in_supply=False, warp_ok=11)) == 0


@pytest.mark.rule("border_patrol", "V8.14")
def test_without_warp_there_is_no_allowance():
    assert hull_allowance(ship(sublight=True)) == 0
    assert hull_allowance(ship(warp_dropped=True)) == 0
    assert hull_allowance(ship(warp_ok=0)) == 0
    assert hull_allowance(ship("BATS")) == 0


def test_no_cost_and_no_boxes_move_nothing():
    assert whole_hexes(30, Fraction(0), Fraction(6)) == 0
    assert whole_hexes(-3, Fraction(1), Fraction(6)) == 0
