"""Towing by units that are no tugs (V8.30), and tugs (V8.80)."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.rulebooks.border_patrol.ch30_towing.tows import judge_any_tow, judge_tow, towing_allowance
from rules_engine.rulebooks.border_patrol.ch80_tugs import tugs
from rules_engine.rulebooks.border_patrol.records.units import PodCarried, Unit
from tests.expected.kept import Kept, cases
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
    assert (refused(tower, tower), refused(tower, ship("DD", towed_by="another"))) == (["V8.31"], ["V8.31"])
    assert refused(tower, ship("DD", towed_by=tower.id)) == []  # it goes on
    twice = ship("DD")
    assert rules(judge_any_tow(tower, [twice, twice], "plot")) == ["V8.31"]


@pytest.mark.rule("border_patrol", "V8.31")
def test_a_team_tows_its_own_units_alone_and_learns_nothing_of_others():
    worlds = [ship("DD", team="red"), ship("DD", team="red", name="Secret", hex="0101", towing=["x"], towed_by="y")]
    told = [judge_any_tow(ship(), [one], "plot") for one in worlds]
    assert (told[0], rules(told[0])) == (told[1], ["V8.31"])
    assert refused(ship(), ship("DD", orion="leased")) == []


@cases("case, proves, tower, towed, refusals", made="tower, towed")
def test_who_tows_whom(tower: Unit, towed: list[Unit], refusals: list[str]):
    assert refused(tower, *towed) == refusals


@pytest.mark.rule("border_patrol", "V8.38")
@pytest.mark.parametrize("kind", ["freighter", "armed freighter", "Q-ship"])
def test_freighters_and_q_ships_never_tow(kind: str):
    assert (refused(ship(kind=kind), ship("DD")), refused(ship(), ship("DD", kind=kind))) == (["V8.38"], [])


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
    assert [str(one) for one in judge_any_tow(bad, burden)] == kept("#2")
    assert [str(one) for one in judge_tow(ship("DD", name="Lance"), ships("CA", "FF"))] == kept()


# --- tugs ------------------------------------------------------------------------------------------------------------
def pods(*weights: int) -> list[PodCarried]:
    return [PodCarried(name=f"P{number}", weight=weight) for number, weight in enumerate(weights, 1)]


def tug(**given: Any) -> Unit:
    return ship("TUG", **given)


def refused_tug(tower: Unit, *towed: Unit) -> list[str]:
    return rules(tugs.judge_tug_tow(tower, towed, "plot"))


@pytest.mark.rule("border_patrol", "V8.81")
def test_an_unburdened_tug_and_one_with_pseudo_pods_move_as_any_ship():
    assert tugs.tug_allowance(tug(), []) == 5
    assert tugs.tug_allowance(tug(pseudo_pods=2), []) == 5
    assert tugs.towing_factor(tug(pseudo_pods=2), []) == 0
    assert tugs.tug_allowance(tug(), [], emergency=True) == 8  # 30 / 3.5


@cases("weights, boxes, expected")
def test_pods_weigh_by_the_tugs_own_cost(weights: tuple[int, ...], boxes: int, expected: int):
    assert tugs.tug_allowance(tug(boxes=boxes, pods=pods(*weights)), []) == expected


@cases("towed, factor, boxes, expected")
def test_units_in_tow_weigh_by_their_own_costs(towed: list[str], factor: str, boxes: int, expected: int):
    tower, burden = tug(boxes=boxes), ships(*towed)
    assert tugs.towing_factor(tower, burden) == Fraction(factor)
    assert tugs.tug_allowance(tower, burden) == expected


@pytest.mark.rule("border_patrol", "V8.86")
def test_a_burdened_tug_has_its_own_supply_and_no_emergency_movement():
    assert tugs.tug_allowance(tug(pods=pods(1), in_supply=False), []) == 2
    assert tugs.tug_allowance(tug(pods=pods(1)), [], emergency=True) == 4
    assert tugs.tug_allowance(tug(pods=pods(1), warp_ok=0), []) == 0
    assert tugs.tug_allowance(tug(), [ship("DN"), ship("DD")]) == 0  # no row


@pytest.mark.rule("border_patrol", "V8.84")
def test_a_tug_tows_one_fewer_than_its_pod_weights_and_two_at_most():
    assert [tugs.tow_limit(tug(pod_weights=weights)) for weights in range(5)] == [0, 0, 1, 2, 2]
    assert refused_tug(tug(pod_weights=3), *ships("CA", "DD")) == []
    assert refused_tug(tug(pod_weights=2), *ships("CA", "DD")) == ["V8.84"]
    assert refused_tug(tug(pod_weights=4), *ships("DD", "DD", "DD")) == ["V8.84"]


@pytest.mark.rule("border_patrol", "V8.84")
def test_a_tug_of_one_pod_weight_tows_as_ships_do():
    small = tug(pod_weights=1)
    assert tugs.tows_as_ships_do(small)
    assert not tugs.tows_as_ships_do(tug())
    assert (refused_tug(small, ship("DD")), refused_tug(small, *ships("DD", "DD"))) == ([], ["V8.37"])
    assert refused_tug(small, ship("DN")) == ["V8.39"]
    assert tugs.tug_allowance(small, [ship("DD")]) == 3  # 30 / 1.5 / 6, and not 30 / 1.165 / 6


@cases("case, proves, tower, towed, refusals", made="tower, towed")
def test_what_a_tug_tows(tower: Unit, towed: list[Unit], refusals: list[str]):
    assert refused_tug(tower, *towed) == refusals


@pytest.mark.rule("border_patrol", "V8.83")
def test_pods_are_limited_by_number_and_by_weight():
    assert tugs.judge_pods(tug(), pods(1, 2)) == tugs.judge_pods(tug(), pods(3)) == tugs.judge_pods(tug(), []) == []
    assert rules(tugs.judge_pods(tug(), pods(1, 1, 1), "plot")) == ["V8.83"]  # two at most
    assert rules(tugs.judge_pods(tug(pod_weights=2), pods(1, 2), "plot")) == ["V8.83"]
    assert rules(tugs.judge_pods(tug(pod_weights=4), pods(2, 2), "plot")) == ["T8.850"]
    assert rules(tugs.judge_pods(ship(), pods(1), "plot")) == ["V8.83"]


@pytest.mark.rule("border_patrol", "V8.82")
def test_pods_and_tows_exclude_each_other_and_crippled_tugs_have_neither():
    assert refused_tug(tug(pods=pods(1)), ship("DD")) == ["V8.82"]
    assert rules(tugs.judge_pods(tug(towing=["x"]), pods(1), "plot")) == ["V8.82"]
    assert refused_tug(tug(crippled=True), ship("DD")) == ["V8.82"]
    assert refused_tug(tug(crippled=True, pod_weights=1), ship("DD")) == ["V8.82"]
    assert rules(tugs.judge_pods(tug(crippled=True), pods(1), "plot")) == ["V8.82"]
    assert tugs.judge_tug_tow(tug(crippled=True), []) == []


@pytest.mark.rule("border_patrol", "V8.82")
def test_a_tug_that_is_crippled_lets_go_what_it_carries():
    towed = ship("DD", towed_by="blue-TUG")
    tower = tug(towing=[towed.id])
    assert tugs.drop_burden(tower, {towed.id: towed}) == []
    assert tower.towing == [towed.id]
    tower.crippled = True
    assert tugs.drop_burden(tower, {towed.id: towed}) == ["Dd"]
    assert (tower.towing, towed.towed_by) == ([], "")
    assert tugs.drop_burden(loaded := tug(crippled=True, pods=pods(1, 1)), {}) == ["P1", "P2"]
    assert loaded.pods == []


def test_what_is_refused_of_a_tug_is_said_in_words_with_what_would_be_right(kept: Kept):
    ox = tug(name="Ox", crippled=True, towing=["x"])
    told = [*tugs.judge_pods(ship(name="Lance"), pods(1)), *tugs.judge_pods(ox, pods(1, 1, 1, 1))]
    told += tugs.judge_pods(tug(name="Ox", pod_weights=4), pods(4))
    loaded = tug(name="Ox", crippled=True, pods=pods(1), pod_weights=2)
    told += tugs.judge_tug_tow(loaded, [ship("DN", id="a", name="Hood"), ship("DD", id="b")])
    assert [str(one) for one in told] == kept()
