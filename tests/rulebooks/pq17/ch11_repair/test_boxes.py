"""Chapter 11: boxes as they are counted, written and put in order, and where repair boxes are."""

from typing import Any

import pytest

from rules_engine.rulebooks.pq17.ch11_repair.berths import workshop
from rules_engine.rulebooks.pq17.ch11_repair.boxes import all_destroyed, destroy, full_boxes, read_boxes
from rules_engine.rulebooks.pq17.ch11_repair.refits import refit_left, work_on_refit
from rules_engine.rulebooks.pq17.ch11_repair.routine import routine_boxes
from rules_engine.rulebooks.pq17.ch11_repair.self_repair import (
    RepairFields,
    begin_sequence,
    most_by_cdr,
    regained,
    take_repairs,
)
from rules_engine.rulebooks.pq17.records.damage import BoxInHand, RefitInHand
from rules_engine.rulebooks.pq17.tables.ship_classes import Refit
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.repair import unit, yard

CRUISER = "A1 0405 CA"
PLUS = Refit(name="plus", year=160, bpv="8", boxes_added={"battery": 4})


@pytest.mark.rule("pq17", "11.4.9.3.3", "11.4.9.3.4")
def test_hull_excess_damage_and_the_het_bonus_come_last_and_in_this_order() -> None:
    """A tractor box has no cost in these tests, so 10; shields cost 2."""
    state = yard(CRUISER)
    ship = state.units["A1.CA"]
    for box in ("het", "excess", "hull", "shield-1", "phaser-1", "warp"):
        destroy(state, ship, box)
    assert list(all_destroyed(state, ship)) == ["warp", "shield-1", "phaser-1", "hull", "excess", "het"]
    ship.self_repairs_left = 0
    assert routine_boxes(state, ship)[-2:] == ["self-repair", "self-repair"]


@pytest.mark.parametrize(("shields", "boxes"), [((20,) * 6, 20), ((), 0)])
def test_a_class_without_shields_has_none_to_lose(shields: tuple[int, ...], boxes: int) -> None:
    state = yard(CRUISER)
    state.classes["CA"] = state.classes["CA"].model_copy(update={"shields": shields, "boxes": {"phaser-1": 6}})
    ship = state.units["A1.CA"]
    assert [full_boxes(state, ship, box) for box in ("shield-6", "phaser-1", "disruptor")] == [boxes, 6, 0]


@pytest.mark.parametrize(
    ("text", "found"), [("warp", [("warp", 1)]), ("warp 1, hull x2", [("warp", 1), ("hull", 2)]), ("warp 0", [])]
)
def test_boxes_without_a_number_are_one(text: str, found: list[tuple[str, int]]) -> None:
    read, wrong = read_boxes(text, "here", ["warp", "hull"])
    assert (read, [one.problem for one in wrong]) == (found, [] if found else ["'warp 0' names no box"])


@pytest.mark.rule("pq17", "11.4.9.2.1", "11.4.9.2.2")
def test_a_docking_position_with_a_single_repair_box_has_its_crane() -> None:
    """Three at each of three positions; damage is spread evenly, from the first position on."""
    state = yard("A9 0303 BATS base Haven known")
    base = unit(state, "A9.BATS", repair=4)
    assert [(crane.points, crane.berths) for crane in workshop(state, base).cranes] == [(1, (0,)), (1, (1,)), (2, (2,))]
    base.repair = 1
    assert [(crane.points, crane.berths) for crane in workshop(state, base).cranes] == [(1, (2,))]


@pytest.mark.rule("pq17", "11.4.9.6")
@pytest.mark.parametrize(("turn", "first"), [(2, "hull"), (1, "warp")])
def test_what_was_begun_two_turns_ago_is_lost_and_does_not_come_first(turn: int, first: str) -> None:
    state = yard("A1 0405 CA[warp=29]")
    state.turn = 3
    ship = state.units["A1.CA"]
    destroy(state, ship, "hull")
    ship.repairs = ship.repairs.with_values(in_hand=BoxInHand(box="hull", points=3, turn=turn))
    assert routine_boxes(state, ship)[0] == first


@pytest.mark.rule("pq17", "11.4.9.6", "11.5.5", "11.5.4")
@pytest.mark.parametrize(("turn", "kept"), [(2, 140), (1, 125)])
def test_a_refit_that_rested_for_a_turn_has_lost_the_job_that_was_begun(turn: int, kept: int) -> None:
    """Four boxes at 125 points; 140 are one of them and 15 for the next."""
    state = yard(CRUISER)
    state.turn = 3
    state.classes["CA"] = state.classes["CA"].model_copy(update={"refits": (PLUS,)})
    ship = state.units["A1.CA"]
    assert (refit_left(state, ship, "plus"), refit_left(state, ship, "nothing")) == (500, 0)
    ship.repairs = ship.repairs.with_values(refit=RefitInHand(name="plus", points=140, turn=turn))
    assert refit_left(state, ship, "plus") == 360
    work_on_refit(state, ship, "plus", 7, interrupted=False)
    assert ship.repairs.refit == RefitInHand(name="plus", points=kept + 7, turn=3)
    ship.repairs = ship.repairs.with_values(refit=RefitInHand(name="other", points=140, turn=2))
    assert refit_left(state, ship, "plus") == 500


@pytest.mark.rule("pq17", "11.4.5.1", "11.4.5.3", "11.4.2")
@pytest.mark.parametrize(("track", "rating"), [([4, 2, 2], 4), ([1], 1), ([], 0)])
def test_boxes_by_cdr_are_the_best_damcon_box_until_the_battles_end(track: list[int], rating: int) -> None:
    state = yard(CRUISER)
    ship = unit(state, "A1.CA", damcon_track=track, self_repairs_left=8)
    assert most_by_cdr(ship) == rating
    begin_sequence([ship], 5)
    assert (ship.repairs.cdr_left, ship.repairs.fought, most_by_cdr(ship)) == (rating, 5, rating)
    take_repairs(state, ship, RepairFields())
    assert ship.repairs.cdr_left == rating
    if rating:
        take_repairs(state, ship, RepairFields(cdr=1))
        assert ship.repairs.cdr_left == rating - 1


@pytest.mark.rule("pq17", "11.4.3")
@cases("boxes, damage, fields, count")
def test_boxes_that_are_whole_again_are_counted(
    boxes: dict[str, int], damage: dict[str, int], fields: dict[str, Any], count: int
) -> None:
    state = yard("A1 0405 CA[warp=20]")
    ship = unit(state, "A1.CA", damcon_track=[2, 2, 0])
    destroy(state, ship, "hull", 3)
    destroy(state, ship, "shield-1", 5)
    assert regained(ship, RepairFields(**fields), boxes, damage) == count


@pytest.mark.rule("pq17", "11.2.6")
def test_of_boxes_that_no_record_sheet_lists_99_can_be_destroyed() -> None:
    state = yard("A1 0405 CA")
    ship = state.units["A1.CA"]
    assert (destroy(state, ship, "phaser-1", 98), destroy(state, ship, "phaser-1", 5)) == (98, 1)
