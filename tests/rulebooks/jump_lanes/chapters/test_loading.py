"""Taking cargo aboard, landing it, handing it over and throwing it away (13.3.1 to 13.3.3)."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.rulebooks.jump_lanes.ch3_cargo.holds import load_of
from rules_engine.rulebooks.jump_lanes.ch3_cargo.working import due
from rules_engine.rulebooks.jump_lanes.records.orders import CargoOrder
from rules_engine.rulebooks.jump_lanes.records.units import JumpTransit
from tests.expected.kept import cases
from tests.rulebooks.jump_lanes.freight import Step, after, made
from tests.rulebooks.jump_lanes.frontier import order, refused, work


@cases("case, proves, lines, steps, holds", "")
def test_cargo_is_taken_aboard_landed_handed_over_and_thrown_away(lines: str, steps: list[Step], holds: dict[str, Any]):
    assert after(lines, steps, holds) == holds


@pytest.mark.rule("jump_lanes", "13.3.2.3-officers")
def test_experience_is_carried_in_exact_tenths():
    state = made("S1 sol Hermes[cargo=15]+Iris[cargo=15]")
    work(state, ("S1", order("load", "experience", 25)))
    assert load_of(state, state.squadrons["S1"]) == Fraction(5, 2)
    assert refused(state, ("S1", order("load", "census", 2))) == []
    assert refused(state, ("S1", order("load", "census", 3))) == ["13.3.1"]  # 2.5 and 30 of 30
    state.rules = state.rules.with_values(experience=False)
    assert refused(state, ("S1", order("load", "experience", 1))) == ["13.3.2.3"]


@pytest.mark.rule("jump_lanes", "13.1.6")
def test_no_order_in_transit():
    state = made("S1 sol Hermes[cargo=15]+Iris[cargo=15]")
    transit = JumpTransit(lane="L1", origin="sol", goal="wolf", cost=Fraction(2))
    state.squadrons["S1"].transit, state.squadrons["S1"].at = transit, ""
    wanted = [order("load", "census", 1), order("unload", "census", 1), order("jettison", "census", 1)]
    assert refused(state, *(("S1", one) for one in wanted)) == ["13.1.6"] * 3


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_orders_wait_until_their_squadron_is_where_they_are_for():
    here, there = CargoOrder(action="load", what="census", at="sol"), CargoOrder(action="load", what="x", at="wolf")
    any_place = CargoOrder(action="unload", what="census")
    waits = made("S1 sol Hermes").squadrons["S1"]
    waits.orders.cargo = [here, there, any_place]
    assert due(waits) == [here, any_place]
    waits.at = "wolf"
    assert due(waits) == [there, any_place]
