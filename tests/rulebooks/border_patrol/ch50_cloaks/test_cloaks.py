"""Cloaked movement (V8.50)."""

import pytest

from rules_engine.rulebooks.border_patrol.allowances import allowance
from rules_engine.rulebooks.border_patrol.ch50_cloaks.cloaks import (
    all_cloaked,
    cloaked_allowance,
    judge_cloak,
    judge_cloaked_stack,
    left_behind_at_least,
)
from tests.expected.kept import Kept
from tests.rulebooks.border_patrol.fleet import rules, ship


@pytest.mark.rule("border_patrol", "V8.51")
@pytest.mark.parametrize(
    ("boxes", "cost", "expected"),
    [(30, 6, 4), (30, 7, 3), (36, 6, 5), (30, 30, 0), (20, 24, 0), (30, 25, 0), (30, 24, 1)],
)
def test_the_cloaks_cost_comes_off_the_boxes(boxes: int, cost: int, expected: int):
    assert cloaked_allowance(ship(boxes=boxes, cloak_cost=cost)) == expected


@pytest.mark.rule("border_patrol", "V8.51")
def test_it_counts_all_turn_long_and_out_of_supply_doubles_the_cost():
    unit = ship(cloak_cost=6, cloaks=True)
    assert not unit.cloaked
    assert allowance(unit) == 4
    assert allowance(ship(cloak_cost=6)) == 5
    assert cloaked_allowance(ship(cloak_cost=6, in_supply=False)) == 2
    assert cloaked_allowance(ship(cloak_cost=6), emergency=True) == 6  # 24 / 3.5
    assert cloaked_allowance(ship(cloak_cost=6, sublight=True)) == 0


@pytest.mark.rule("border_patrol", "V8.57", "V8.53")
def test_no_cloak_without_a_device_crippled_or_with_a_tow():
    assert judge_cloak(ship(cloak_cost=6)) == []
    assert rules(judge_cloak(ship(), "plot")) == ["V8.51"]
    assert rules(judge_cloak(ship(cloak_cost=6, crippled=True), "plot")) == ["V8.57"]
    assert rules(judge_cloak(ship(cloak_cost=6, towing=["x"]), "plot")) == ["V8.53"]


@pytest.mark.rule("border_patrol", "V8.58")
def test_one_that_cannot_cloak_shows_all_who_move_with_it():
    hidden, plain = ship(cloak_cost=6), ship("DD", name="Plain")
    assert judge_cloaked_stack([hidden, hidden]) == []
    (one,) = judge_cloaked_stack([hidden, plain], "plot")
    assert rules([one]) == ["V8.58"]
    assert one.problem == "Plain has no cloaking device: nobody who moves with it is hidden"


@pytest.mark.rule("border_patrol", "V8.52")
def test_half_must_stay_rounded_up_when_all_who_leave_are_cloaked():
    assert [left_behind_at_least(enemy, cloaked=True) for enemy in range(6)] == [0, 1, 1, 2, 2, 3]
    assert [left_behind_at_least(enemy, cloaked=False) for enemy in range(6)] == [0, 1, 2, 3, 4, 5]
    assert all_cloaked([ship(cloaked=True), ship(cloaked=True)])
    assert not all_cloaked([ship(cloaked=True), ship()])
    assert not all_cloaked([])


def test_what_is_refused_is_said_in_words_with_what_would_be_right(kept: Kept):
    bad = ship(name="Talon", crippled=True, towing=["x"])
    assert [str(one) for one in judge_cloak(bad)] == kept()
    assert str(judge_cloaked_stack([bad])[1]) == (
        "Talon is crippled, and cannot move cloaked: nobody who moves with it is hidden (V8.58, V8.57). "
        "Legal: leave it behind."
    )
