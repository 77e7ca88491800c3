"""Which of the chapters' formulas holds of a unit."""

import pytest

from rules_engine.rulebooks.border_patrol.allowances import allowance
from rules_engine.rulebooks.border_patrol.records.units import PodCarried
from rules_engine.rulebooks.border_patrol.stacks import stack_allowance
from tests.rulebooks.border_patrol.fleet import ship


@pytest.mark.rule("border_patrol", "V8.12")
def test_each_kind_of_unit_has_its_formula():
    assert allowance(ship()) == 5
    assert allowance(ship(emergency=True)) == 8
    assert allowance(ship(cloaks=True, cloak_cost=6)) == 4
    assert allowance(ship(cloaks=True, cloak_cost=6, emergency=True)) == 6
    assert allowance(ship(towing=["blue-DD"]), [ship("DD")]) == 3


@pytest.mark.rule("border_patrol", "V8.17")
def test_tugs_have_their_own():
    assert allowance(ship("TUG", towing=["blue-DD"]), [ship("DD")]) == 4  # 30 / 1.165 / 6 = 4.29
    assert allowance(ship("TUG", pods=[PodCarried(name="P", weight=3)])) == 3
    assert allowance(ship("TUG", emergency=True)) == 8


@pytest.mark.rule("border_patrol", "V8.14")
def test_who_is_in_tow_goes_nowhere_by_itself():
    assert allowance(ship(towed_by="x")) == 0
    assert allowance(ship(sublight=True)) == 0
    assert allowance(ship(warp_dropped=True, cloaks=True, cloak_cost=6)) == 0


@pytest.mark.rule("border_patrol", "V8.14", "V8.15")
def test_a_stack_in_which_nothing_goes_by_itself_goes_nowhere():
    assert stack_allowance([ship("FF"), ship("CA")]) == stack_allowance([ship("CA")])
    assert stack_allowance([ship("CA", towed_by="blue-FF")]) == 0
