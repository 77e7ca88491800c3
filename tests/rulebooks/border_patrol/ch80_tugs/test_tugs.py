"""Tugs (V8.80)."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.rulebooks.border_patrol.ch80_tugs.tugs import (
    drop_burden,
    judge_pods,
    judge_tug_tow,
    tow_limit,
    towing_factor,
    tows_as_ships_do,
    tug_allowance,
)
from rules_engine.rulebooks.border_patrol.records.units import PodCarried, Unit
from tests.expected.kept import Kept
from tests.rulebooks.border_patrol.fleet import rules, ship, ships


def pods(*weights: int) -> list[PodCarried]:
    return [PodCarried(name=f"P{number}", weight=weight) for number, weight in enumerate(weights, 1)]


def tug(**given: Any) -> Unit:
    return ship("TUG", **given)


def refused(tower: Unit, *towed: Unit) -> list[str]:
    return rules(judge_tug_tow(tower, towed, "plot"))


@pytest.mark.rule("border_patrol", "V8.81")
def test_an_unburdened_tug_and_one_with_pseudo_pods_move_as_any_ship():
    assert tug_allowance(tug(), []) == 5
    assert tug_allowance(tug(pseudo_pods=2), []) == 5
    assert towing_factor(tug(pseudo_pods=2), []) == 0
    assert tug_allowance(tug(), [], emergency=True) == 8  # 30 / 3.5


@pytest.mark.rule("border_patrol", "V8.86")
@pytest.mark.parametrize(
    ("weights", "boxes", "expected"),
    [
        ((1,), 30, 4),  # 30 / 1.25 / 6 = 4 exactly
        ((1,), 29, 3),
        ((2,), 40, 5),  # 40 / 1.33 / 6 = 5.01
        ((1, 1), 40, 5),
        ((2,), 39, 4),  # 4.89
        ((3,), 36, 4),  # 36 / 1.5 / 6 = 4 exactly
        ((1, 2), 35, 3),
    ],
)
def test_pods_weigh_by_the_tugs_own_cost(weights: tuple[int, ...], boxes: int, expected: int):
    assert tug_allowance(tug(boxes=boxes, pods=pods(*weights)), []) == expected


@pytest.mark.rule("border_patrol", "V8.86", "V8.85")
@pytest.mark.parametrize(
    ("towed", "factor", "boxes", "expected"),
    [
        (["DD"], "0.33", 42, 6),  # 42 / (1 + 0.165) / 6 = 6.009
        (["DD"], "0.33", 41, 5),
        (["CA"], "0.5", 36, 4),
        (["DD", "DD"], "0.5", 36, 4),  # 1 + 0.5 x (0.5 + 0.5)
        (["CA", "CA"], "0.67", 43, 3),  # 43 / (1 + 1.34) / 6 = 3.06
        (["CA", "DD"], "0.67", 40, 3),  # 40 / (1 + 0.67 x 1.5) / 6 = 3.325
        (["DN"], "0.75", 51, 4),  # 51 / (1 + 1.125) / 6 = 4 exactly
        (["DN"], "0.75", 50, 3),
    ],
)
def test_units_in_tow_weigh_by_their_own_costs(towed: list[str], factor: str, boxes: int, expected: int):
    tower, burden = tug(boxes=boxes), ships(*towed)
    assert towing_factor(tower, burden) == Fraction(factor)
    assert tug_allowance(tower, burden) == expected


@pytest.mark.rule("border_patrol", "V8.86")
def test_a_burdened_tug_has_its_own_supply_and_no_emergency_movement():
    assert tug_allowance(tug(pods=pods(1), in_supply=False), []) == 2
    assert tug_allowance(tug(pods=pods(1)), [], emergency=True) == 4
    assert tug_allowance(tug(pods=pods(1), warp_ok=0), []) == 0
    assert tug_allowance(tug(), [ship("DN"), ship("DD")]) == 0  # no row


@pytest.mark.rule("border_patrol", "V8.84")
def test_a_tug_tows_one_fewer_than_its_pod_weights_and_two_at_most():
    assert [tow_limit(tug(pod_weights=weights)) for weights in range(5)] == [0, 0, 1, 2, 2]
    assert refused(tug(pod_weights=3), *ships("CA", "DD")) == []
    assert refused(tug(pod_weights=2), *ships("CA", "DD")) == ["V8.84"]
    assert refused(tug(pod_weights=4), *ships("DD", "DD", "DD")) == ["V8.84"]


@pytest.mark.rule("border_patrol", "V8.84")
def test_a_tug_of_one_pod_weight_tows_as_ships_do():
    small = tug(pod_weights=1)
    assert tows_as_ships_do(small)
    assert not tows_as_ships_do(tug())
    assert refused(small, ship("DD")) == []
    assert refused(small, *ships("DD", "DD")) == ["V8.37"]
    assert refused(small, ship("DN")) == ["V8.39"]
    assert tug_allowance(small, [ship("DD")]) == 3  # 30 / 1.5 / 6, and not 30 / 1.165 / 6


@pytest.mark.rule("border_patrol", "V8.84")
def test_a_tug_of_three_weights_tows_one_unit_a_class_larger_alone():
    assert refused(tug(pod_weights=3), ship("DN")) == []
    assert refused(tug(pod_weights=2), ship("DN")) == ["V8.84"]
    assert refused(tug(pod_weights=3), ship("DN"), ship("DD")) == ["V8.84"]
    assert refused(tug(pod_weights=3), ship("DN", size_class=1)) == ["V8.84"]


@pytest.mark.rule("border_patrol", "V8.83")
def test_pods_are_limited_by_number_and_by_weight():
    assert judge_pods(tug(), pods(1, 2)) == judge_pods(tug(), pods(3)) == judge_pods(tug(), []) == []
    assert rules(judge_pods(tug(), pods(1, 1, 1), "plot")) == ["V8.83"]  # two at most
    assert rules(judge_pods(tug(pod_weights=2), pods(1, 2), "plot")) == ["V8.83"]
    assert rules(judge_pods(tug(pod_weights=4), pods(2, 2), "plot")) == ["T8.850"]
    assert rules(judge_pods(ship(), pods(1), "plot")) == ["V8.83"]


@pytest.mark.rule("border_patrol", "V8.82")
def test_pods_and_tows_exclude_each_other_and_crippled_tugs_have_neither():
    assert refused(tug(pods=pods(1)), ship("DD")) == ["V8.82"]
    assert rules(judge_pods(tug(towing=["x"]), pods(1), "plot")) == ["V8.82"]
    assert refused(tug(crippled=True), ship("DD")) == ["V8.82"]
    assert refused(tug(crippled=True, pod_weights=1), ship("DD")) == ["V8.82"]
    assert rules(judge_pods(tug(crippled=True), pods(1), "plot")) == ["V8.82"]
    assert judge_tug_tow(tug(crippled=True), []) == []


@pytest.mark.rule("border_patrol", "V8.36")
def test_what_holds_of_all_tows_holds_of_tugs():
    assert refused(tug(emergency=True), ship("DD")) == ["V8.33"]
    assert refused(tug(), ship("DD", hex="0101")) == ["V8.34"]
    assert refused(tug(tractors_ok=1), *ships("DD", "DD")) == ["V8.31"]


@pytest.mark.rule("border_patrol", "V8.82")
def test_a_tug_that_is_crippled_lets_go_what_it_carries():
    towed = ship("DD", towed_by="blue-TUG")
    tower = tug(towing=[towed.id])
    assert drop_burden(tower, {towed.id: towed}) == []
    assert tower.towing == [towed.id]
    tower.crippled = True
    assert drop_burden(tower, {towed.id: towed}) == ["Dd"]
    assert (tower.towing, towed.towed_by) == ([], "")
    assert drop_burden(loaded := tug(crippled=True, pods=pods(1, 1)), {}) == ["P1", "P2"]
    assert loaded.pods == []


def test_what_is_refused_is_said_in_words_with_what_would_be_right(kept: Kept):
    ox = tug(name="Ox", crippled=True, towing=["x"])
    told = [*judge_pods(ship(name="Lance"), pods(1)), *judge_pods(ox, pods(1, 1, 1, 1))]
    told += judge_pods(tug(name="Ox", pod_weights=4), pods(4))
    loaded = tug(name="Ox", crippled=True, pods=pods(1), pod_weights=2)
    told += judge_tug_tow(loaded, [ship("DN", id="a", name="Hood"), ship("DD", id="b")])
    assert [str(one) for one in told] == kept()
