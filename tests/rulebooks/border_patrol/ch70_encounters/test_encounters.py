"""Unexpected encounters of cloaked units (V8.70)."""

from typing import Any

import pytest

from rules_engine.rulebooks.border_patrol.ch70_encounters.encounters import (
    Province,
    adjusted_roll,
    encounter_kind,
    is_found,
    made_known,
    must_roll,
)
from rules_engine.rulebooks.border_patrol.records.units import Unit
from tests.rulebooks.border_patrol.fleet import ship, ships

NOWHERE = Province()
OWN, OTHERS, OWN_DISRUPTED = Province("blue"), Province("red"), Province("blue", disrupted=True)


def cloaked(*classes: str, **given: Any) -> list[Unit]:
    return ships(*(classes or ("CA",)), cloaked=True, **given)


@pytest.mark.rule("border_patrol", "V8.71")
def test_a_cloaked_stack_rolls_in_each_phase_in_which_it_moves():
    assert must_roll(cloaked(), moved=True)
    assert not must_roll(cloaked(), moved=False)
    assert not must_roll([ship()], moved=True)


@pytest.mark.rule("border_patrol", "V8.72")
def test_the_roll_less_six_and_the_largest_units_class():
    assert adjusted_roll(cloaked("CA"), 7, NOWHERE) == 4
    assert adjusted_roll(cloaked("CA", "DD"), 7, NOWHERE) == 4  # 3 is the larger
    assert adjusted_roll(cloaked("DD", "DN"), 7, NOWHERE) == 3


@pytest.mark.rule("border_patrol", "V8.72")
def test_it_is_found_where_that_is_less_than_the_smallest_units_class():
    assert is_found(cloaked("CA"), 5, NOWHERE)  # 2 is less than 3
    assert not is_found(cloaked("CA"), 6, NOWHERE)
    assert is_found(cloaked("CA", "DD"), 6, NOWHERE)  # 3 is less than 4
    assert not is_found(cloaked("CA", "DD"), 7, NOWHERE)
    assert is_found(cloaked("DN", "DD"), 7, NOWHERE)


@pytest.mark.rule("border_patrol", "V8.72", "T8.720")
def test_crews_all_outstanding_help_and_one_poor_hinders():
    assert adjusted_roll(cloaked("CA", crew_quality="outstanding"), 6, NOWHERE) == 6
    mixed = [*cloaked("CA", crew_quality="outstanding"), *cloaked("CA")]
    assert adjusted_roll(mixed, 6, NOWHERE) == 3
    poor = [*cloaked("CA", crew_quality="poor"), *cloaked("CA", crew_quality="outstanding")]
    assert adjusted_roll(poor, 6, NOWHERE) == 0


@pytest.mark.rule("border_patrol", "V8.72", "T8.720")
@pytest.mark.parametrize(("rating", "more"), [(0, 0), (1, 1), (3, 1), (4, 2), (8, 2), (9, 3)])
def test_the_helmsman_of_the_highest_bpv_adds_the_root_of_his_rating_rounded_down(rating: int, more: int):
    led = [*cloaked("CA", bpv=150, helmsman=rating), *cloaked("CA", bpv=100, helmsman=12)]
    assert adjusted_roll(led, 6, NOWHERE) == 3 + more


@pytest.mark.rule("border_patrol", "V8.72", "T8.720")
def test_supply_and_the_own_undisrupted_province():
    assert adjusted_roll(cloaked("CA", in_supply=False), 6, NOWHERE) == -1
    assert adjusted_roll([*cloaked("CA"), *cloaked("CA", in_supply=False)], 6, NOWHERE) == -1
    assert [adjusted_roll(cloaked("CA"), 6, one) for one in (OWN, OTHERS, OWN_DISRUPTED)] == [4, 3, 3]
    assert adjusted_roll(cloaked("CA", team=""), 6, NOWHERE) == 3


@pytest.mark.rule("border_patrol", "V8.72")
def test_all_that_applies_is_added():
    stack = cloaked("DN", crew_quality="poor", in_supply=False, helmsman=4)
    assert adjusted_roll(stack, 12, OWN) == 12 - 6 + 2 - 3 - 4 + 2 + 1


@pytest.mark.rule("border_patrol", "V8.73")
def test_three_less_in_an_own_province_disrupted_or_not_and_convoys_in_the_others_alone():
    storm, post = "ion storm", "listening post"
    for own in (OWN, OWN_DISRUPTED):
        assert [encounter_kind("blue", roll, own) for roll in range(1, 7)] == ["none"] * 3 + [storm, storm, post]
    assert [encounter_kind("blue", roll, OTHERS) for roll in range(1, 7)] == [storm] * 2 + [post] * 3 + ["convoy"]
    assert [encounter_kind("blue", roll, NOWHERE) for roll in range(1, 7)] == [storm] * 2 + [post] * 3 + ["none"]


@pytest.mark.rule("border_patrol", "V8.73", "T8.730")
def test_what_becomes_known():
    stack = cloaked("DD", "CA")
    assert made_known(stack, "none") is None
    found = {kind: made_known(stack, kind) for kind in ("ion storm", "listening post", "convoy")}
    assert {(one.number, one.size_classes, one.hex) for one in found.values()} == {(2, (3, 4), "0505")}
    assert [one.direction for one in found.values()] == [True, True, False]
    assert [one.upturned for one in found.values()] == [True, False, False]
    assert [one.to_everybody for one in found.values()] == [True, False, False]
    assert [one.terrain for one in found.values()] == ["ion storm", "", ""]
