"""Towing by units that are no tugs (V8.30)."""

from typing import Any

import pytest

from rules_engine.rulebooks.border_patrol.ch30_towing.tows import judge_any_tow, judge_tow, towing_allowance
from rules_engine.rulebooks.border_patrol.records.units import PodCarried
from tests.expected.kept import Kept
from tests.rulebooks.border_patrol.fleet import rules, ship, ships


def refused(tower: Any, *towed: Any) -> list[str]:
    return rules(judge_tow(tower, towed, "plot"))


@pytest.mark.rule("border_patrol", "V8.32")
def test_the_printed_example_a_cruiser_tows_a_destroyer_three_hexes():
    assert towing_allowance(ship("CA"), [ship("DD")]) == 3


@pytest.mark.rule("border_patrol", "V8.32")
def test_the_engines_and_the_supply_are_the_towers():
    assert towing_allowance(ship("CA", in_supply=False), [ship("DD")]) == 1  # 20 / 12
    assert towing_allowance(ship("CA"), [ship("DD", in_supply=False, warp_ok=0)]) == 3
    assert towing_allowance(ship("CA", warp_ok=17), [ship("DD")]) == 1  # 17 / 1.5 / 6 = 1.89
    assert towing_allowance(ship("CA", warp_ok=0), [ship("DD")]) == 0
    assert towing_allowance(ship("CA", emergency=True), [ship("DD")]) == 3


@pytest.mark.rule("border_patrol", "V8.31")
def test_a_tower_needs_warp_and_a_beam_for_each():
    assert refused(ship(), ship("DD")) == []
    assert refused(ship(tractors_ok=0), ship("DD")) == ["V8.31"]
    assert refused(ship(warp_dropped=True), ship("DD")) == ["V8.31"]
    assert refused(ship(), ship("DD", sublight=True)) == []
    assert rules(judge_any_tow(ship(tractors_ok=1), ships("DD", "DD"), "plot")) == ["V8.31"]
    assert rules(judge_any_tow(ship(tractors_ok=2), ships("DD", "DD"), "plot")) == []


@pytest.mark.rule("border_patrol", "V8.31")
def test_nobody_tows_itself_one_twice_or_who_is_in_tow_already():
    tower = ship()
    assert refused(tower, tower) == ["V8.31"]
    assert refused(tower, ship("DD", towed_by="another")) == ["V8.31"]
    assert refused(tower, ship("DD", towed_by=tower.id)) == []  # it goes on
    twice = ship("DD")
    assert rules(judge_any_tow(tower, [twice, twice], "plot")) == ["V8.31"]


@pytest.mark.rule("border_patrol", "V8.31")
def test_a_team_tows_its_own_units_alone_and_learns_nothing_of_others():
    worlds = [ship("DD", team="red"), ship("DD", team="red", name="Secret", hex="0101", towing=["x"], towed_by="y")]
    told = [judge_any_tow(ship(), [one], "plot") for one in worlds]
    assert told[0] == told[1]
    assert rules(told[0]) == ["V8.31"]
    assert refused(ship(), ship("DD", orion="leased")) == []


@pytest.mark.rule("border_patrol", "V8.33")
def test_no_tow_with_emergency_movement():
    assert refused(ship(emergency=True), ship("DD")) == ["V8.33"]


@pytest.mark.rule("border_patrol", "V8.34")
def test_tower_and_towed_stand_in_one_hex():
    assert refused(ship(), ship("DD", hex="0506")) == ["V8.34"]


@pytest.mark.rule("border_patrol", "V8.37")
def test_a_unit_tows_one_at_most():
    assert refused(ship(), *ships("DD", "DD")) == ["V8.37"]


@pytest.mark.rule("border_patrol", "V8.38")
@pytest.mark.parametrize("kind", ["freighter", "armed freighter", "Q-ship"])
def test_freighters_and_q_ships_never_tow(kind: str):
    assert refused(ship(kind=kind), ship("DD")) == ["V8.38"]
    assert refused(ship(), ship("DD", kind=kind)) == []


@pytest.mark.rule("border_patrol", "V8.39")
def test_nobody_tows_a_larger_size_class():
    assert refused(ship("CA"), ship("DN")) == ["V8.39"]
    assert refused(ship("CA"), ship("CA", id="other")) == []
    assert refused(ship("DD"), ship("CA")) == ["V8.39"]


@pytest.mark.rule("border_patrol", "V8.53")
def test_nobody_tows_cloaked_not_even_who_is_cloaked():
    assert refused(ship(cloaked=True), ship("DD", cloaked=True)) == ["V8.53"]
    assert refused(ship(cloaks=True), ship("DD")) == ["V8.53"]
    assert refused(ship(), ship("DD", cloaked=True)) == []


@pytest.mark.rule("border_patrol", "V8.86")
def test_tows_make_no_chains():
    assert refused(ship(), ship("DD", towing=["third"])) == ["V8.86"]
    assert refused(ship(towed_by="tug"), ship("DD")) == ["V8.86"]


@pytest.mark.rule("border_patrol", "V8.82")
def test_a_burdened_tug_is_not_towed():
    pods = [PodCarried(name="P-C1")]
    assert refused(ship(), ship("TUG", pods=pods)) == ["V8.82"]
    assert refused(ship(), ship("TUG", pseudo_pods=2)) == []


def test_what_has_no_movement_cost_has_no_speed_in_tow():
    assert refused(ship("DN"), ship("BATS")) == ["V8.32"]


def test_all_defects_are_told_at_once_and_no_tow_has_none():
    bad = ship("DD", kind="Q-ship", tractors_ok=0, emergency=True, cloaked=True)
    assert refused(bad, ship("CA", hex="0101")) == ["V8.38", "V8.31", "V8.33", "V8.53", "V8.34", "V8.39"]
    assert judge_any_tow(bad, []) == judge_tow(bad, []) == []


def test_what_is_refused_is_said_in_words_with_what_would_be_right(kept: Kept):
    bad = ship("DD", name="Bad", kind="Q-ship", tractors_ok=1, emergency=True, cloaked=True, warp_ok=0, towed_by="x")
    burden = [
        *(bad, ship("CA", team="red"), ship("DD", id="far", name="Far", hex="0101", towing=["z"], towed_by="q")),
        *(ship("TUG", name="Ox", pods=[PodCarried(name="P")]), ship("BATS", name="Base"), ship("BATS", name="Base")),
    ]
    assert [str(one) for one in judge_any_tow(bad, burden)] == [
        "Bad does not travel by its own warp engines (V8.31). Legal: a tower with working warp engines.",
        "Bad is a Q-ship (V8.38). Legal: a tower that is no freighter, armed freighter or Q-ship.",
        "Bad has 1 working tractor beam, and would tow 6 (V8.31, BP-R18). Legal: a beam for each unit in tow.",
        "Bad uses Emergency Movement (V8.33). Legal: a tow without Emergency Movement.",
        "Bad moves cloaked (V8.53). Legal: a tow without a cloak.",
        "Bad is in tow itself (V8.86). Legal: a tower that nobody tows.",
        "Bad cannot tow itself (V8.31). Legal: another unit.",
        "a unit of another Team would be in tow (V8.31, BP-N12). Legal: units of the tower's own Team.",
        "Far is not in 0505, where Bad is (V8.34). Legal: a unit in the tower's hex.",
        "Far tows another (V8.86). Legal: nobody in tow who tows.",
        "Far is in tow already (V8.31). Legal: one tower for each unit.",
        "Ox is a tug with pods (V8.82). Legal: a tug in tow without pods.",
        *["Base has no movement cost, so no speed is known for it in tow (V8.32). Legal: a unit with one."] * 2,
        "a unit is named twice (V8.31). Legal: each unit once.",
    ]
    assert [str(one) for one in judge_tow(ship("DD", name="Lance"), ships("CA", "FF"))] == kept()
