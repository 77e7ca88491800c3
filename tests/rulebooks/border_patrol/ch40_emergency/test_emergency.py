"""Emergency Movement (V8.40)."""

from typing import Any

import pytest

from rules_engine.rulebooks.border_patrol.allowances import allowance
from rules_engine.rulebooks.border_patrol.ch10_movement.figures import hull_allowance
from rules_engine.rulebooks.border_patrol.ch40_emergency.emergency import (
    begin_emergency,
    boxes_at_stake,
    end_emergency,
    is_endangered,
    judge_emergency,
    keep_emergency,
    may_try,
    needs_roll,
    succeeds,
    turns_left,
)
from rules_engine.rulebooks.border_patrol.records.standing import Reaction
from rules_engine.rulebooks.border_patrol.records.units import PodCarried, Unit
from tests.expected.kept import Kept
from tests.rulebooks.border_patrol.fleet import rules, ship


def refused(ship_class: str = "CA", **given: Any) -> list[str]:
    return rules(judge_emergency(ship(ship_class, **given), "plot"))


@pytest.mark.rule("border_patrol", "V8.42")
def test_the_printed_example_a_destroyer_makes_eight_hexes():
    destroyer = ship("DD")
    assert allowance(destroyer) == 5
    assert begin_emergency(destroyer)
    assert allowance(destroyer) == 8


@pytest.mark.rule("border_patrol", "V8.42")
def test_only_an_uncrippled_unit_in_supply():
    assert refused() == []
    assert refused(crippled=True) == ["V8.42"]
    assert refused(in_supply=False) == ["V8.42"]


@pytest.mark.rule("border_patrol", "V8.43")
def test_the_printed_example_a_cruiser_of_rating_four_has_four_turns():
    cruiser = ship()
    for left in (4, 3, 2, 1):
        assert turns_left(cruiser) == left
        assert not needs_roll(cruiser)
        assert judge_emergency(cruiser) == []
        assert begin_emergency(cruiser)
        end_emergency(cruiser)
        assert not cruiser.emergency
    assert turns_left(cruiser) == 0
    assert rules(judge_emergency(cruiser, "plot")) == ["V8.44"]


@pytest.mark.rule("border_patrol", "V8.43")
def test_without_a_rating_never_and_a_damaged_rating_gives_fewer():
    assert refused(dcr=0) == ["V8.43"]
    assert refused(dcr=0, chief_engineer=12) == ["V8.43"]
    damaged = ship(emergency_used=2)
    damaged.dcr = 3
    assert turns_left(damaged) == 1
    damaged.dcr = 1
    assert turns_left(damaged) == 0


@pytest.mark.rule("border_patrol", "V8.44", "V8.46")
def test_beyond_the_allotment_a_chief_engineer_of_two_or_more_may_try():
    assert [may_try(ship(chief_engineer=skill)) for skill in range(4)] == [False, False, True, True]
    assert refused(emergency_used=4, chief_engineer=1) == ["V8.44"]
    assert refused(emergency_used=4, chief_engineer=2) == []


@pytest.mark.rule("border_patrol", "V8.46")
def test_the_roll_must_not_be_higher_than_the_skill():
    assert succeeds(7, 7)
    assert succeeds(7, 2)
    assert not succeeds(7, 8)
    assert not succeeds(1, 1)
    assert all(succeeds(12, roll) for roll in range(2, 13))


def spent(**given: Any) -> Unit:
    return ship(**{"emergency_used": 4, "chief_engineer": 7} | given)


@pytest.mark.rule("border_patrol", "V8.46", "V8.47")
def test_a_roll_that_succeeds_allows_that_turn_and_each_turn_is_rolled_anew():
    unit = spent()
    assert begin_emergency(unit, 7)
    assert (unit.emergency, unit.emergency_by_roll, unit.warp_ok, unit.emergency_barred) == (True, True, 30, False)
    end_emergency(unit)
    assert needs_roll(unit)


@pytest.mark.rule("border_patrol", "V8.47")
def test_a_roll_that_fails_costs_a_tenth_of_the_original_boxes_and_bars():
    unit = spent(warp_original=29, warp_ok=20)
    assert not begin_emergency(unit, 8)
    assert (unit.emergency, unit.warp_ok, unit.emergency_used, unit.emergency_barred) == (False, 18, 4, True)
    assert allowance(unit) == 3
    assert rules(judge_emergency(unit, "plot")) == ["V8.47"]


@pytest.mark.rule("border_patrol", "V8.47")
@pytest.mark.parametrize(("original", "ok", "lost"), [(30, 30, 3), (39, 39, 3), (9, 9, 0), (40, 2, 2)])
def test_the_tenth_is_rounded_down_and_no_more_than_there_is(original: int, ok: int, lost: int):
    unit = spent(warp_original=original, warp_ok=ok)
    assert boxes_at_stake(unit) == lost
    begin_emergency(unit, 12)
    assert (unit.warp_ok, unit.emergency_barred) == (ok - lost, True)


def test_a_roll_is_made_when_one_is_needed_and_only_then():
    for unit, roll in ((ship(), 5), (spent(), None)):
        before = unit.to_json()
        with pytest.raises(ValueError, match="when, and only when"):
            begin_emergency(unit, roll)
        assert unit.to_json() == before


@pytest.mark.rule("border_patrol", "V8.33", "V8.49")
def test_nobody_who_tows_or_is_in_tow():
    assert refused(towing=["x"]) == ["V8.33"]
    assert refused(towed_by="x") == ["V8.33"]


@pytest.mark.rule("border_patrol", "V8.49")
def test_it_gives_nobody_a_move_who_has_none():
    assert refused(sublight=True) == ["V8.49"]
    assert refused(warp_ok=0) == ["V8.49"]
    slow = ship(warp_ok=4)
    assert (hull_allowance(slow), hull_allowance(slow, emergency=True)) == (0, 1)
    assert rules(judge_emergency(slow, "plot")) == ["V8.49"]
    assert refused(warp_ok=6) == []


@pytest.mark.rule("border_patrol", "V8.61")
def test_emergency_and_reactionary_movement_exclude_each_other():
    assert refused(reacting=True) == ["V8.61"]


@pytest.mark.rule("border_patrol", "V8.82")
def test_no_burdened_tug():
    assert refused("TUG", pods=[PodCarried(name="P")]) == ["V8.82"]
    assert refused("TUG", towing=["x"]) == ["V8.33"]
    assert refused("TUG", pseudo_pods=1) == []


def hurt(dcr: int, used: int = 3, **given: Any) -> Unit:
    """A unit in its ``used``-th turn of Emergency Movement, with that rating left of four."""
    unit = ship(emergency_used=used - 1, **given)
    begin_emergency(unit)
    unit.dcr = dcr
    return unit


@pytest.mark.rule("border_patrol", "V8.48")
def test_a_rating_that_falls_below_the_turns_used_ends_it():
    assert not is_endangered(hurt(3))
    assert is_endangered(hurt(2))
    kept, lost = hurt(3), hurt(2)
    assert keep_emergency(kept)
    assert not keep_emergency(lost)
    assert (allowance(kept), allowance(lost)) == (8, 5)
    assert (lost.emergency_barred, lost.warp_ok) == (False, 30)
    assert keep_emergency(hurt(1, used=1))


@pytest.mark.rule("border_patrol", "V8.48")
def test_a_chief_engineer_may_save_it_at_the_known_price():
    saved = hurt(2, chief_engineer=6)
    assert keep_emergency(saved, 6)
    assert keep_emergency(saved)  # no second roll
    failed = hurt(2, chief_engineer=6)
    assert not keep_emergency(failed, 7)
    assert (failed.warp_ok, failed.emergency_barred) == (27, True)
    unskilled = hurt(2, chief_engineer=1)
    assert not keep_emergency(unskilled, 2)
    assert (unskilled.warp_ok, unskilled.emergency_barred) == (30, False)


@pytest.mark.rule("border_patrol", "V8.48")
def test_a_restored_rating_saves_it_and_a_turn_by_roll_stands_on_none():
    unit = hurt(2)
    unit.dcr = 3
    assert keep_emergency(unit)
    by_roll = spent()
    begin_emergency(by_roll, 5)
    by_roll.dcr = 0
    assert keep_emergency(by_roll)


@pytest.mark.rule("border_patrol", "V8.42")
def test_a_crippled_unit_uses_it_no_longer():
    unit = hurt(4)
    unit.crippled = True
    assert not keep_emergency(unit)
    assert allowance(unit) == 5
    assert not keep_emergency(ship())


def test_what_is_refused_is_said_in_words_with_what_would_be_right(kept: Kept):
    bad = ship(name="Lance", crippled=True, in_supply=False, emergency_used=4, emergency_barred=True, towing=["x"])
    bad = bad.changed(reaction=Reaction(station="0505"), overhaul_at="x", warp_ok=0)
    told = [str(one) for one in judge_emergency(bad)]
    told += map(str, judge_emergency(ship("TUG", name="Ox", dcr=0, pods=[PodCarried(name="P")])))
    assert told == kept()
