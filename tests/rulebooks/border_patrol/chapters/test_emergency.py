"""Emergency Movement (V8.40), overhauls of engines (V8.45), and which formula holds of a unit."""

from typing import Any

import pytest

from rules_engine.rulebooks.border_patrol.allowances import allowance
from rules_engine.rulebooks.border_patrol.ch10_movement.figures import hull_allowance
from rules_engine.rulebooks.border_patrol.ch40_emergency import emergency, overhauls
from rules_engine.rulebooks.border_patrol.records.standing import Reaction
from rules_engine.rulebooks.border_patrol.records.units import PodCarried, Unit
from rules_engine.rulebooks.border_patrol.stacks import stack_allowance
from tests.expected.kept import Kept, cases
from tests.rulebooks.border_patrol.fleet import rules, ship


def refused(ship_class: str = "CA", **given: Any) -> list[str]:
    return rules(emergency.judge_emergency(ship(ship_class, **given), "plot"))


@pytest.mark.rule("border_patrol", "V8.42")
def test_the_printed_example_a_destroyer_makes_eight_hexes():
    destroyer = ship("DD")
    assert allowance(destroyer) == 5
    assert emergency.begin_emergency(destroyer)
    assert allowance(destroyer) == 8


@cases("case, proves, unit, refusals", made="unit")
def test_who_may_use_emergency_movement(unit: Unit, refusals: list[str]):
    assert rules(emergency.judge_emergency(unit, "plot")) == refusals


@pytest.mark.rule("border_patrol", "V8.43")
def test_the_printed_example_a_cruiser_of_rating_four_has_four_turns():
    cruiser = ship()
    for left in (4, 3, 2, 1):
        assert emergency.turns_left(cruiser) == left
        assert not emergency.needs_roll(cruiser)
        assert emergency.judge_emergency(cruiser) == []
        assert emergency.begin_emergency(cruiser)
        emergency.end_emergency(cruiser)
        assert not cruiser.emergency
    assert (emergency.turns_left(cruiser), rules(emergency.judge_emergency(cruiser, "plot"))) == (0, ["V8.44"])


@pytest.mark.rule("border_patrol", "V8.43")
def test_without_a_rating_never_and_a_damaged_rating_gives_fewer():
    assert refused(dcr=0) == ["V8.43"]
    assert refused(dcr=0, chief_engineer=12) == ["V8.43"]
    damaged = ship(emergency_used=2)
    damaged.dcr = 3
    assert emergency.turns_left(damaged) == 1
    damaged.dcr = 1
    assert emergency.turns_left(damaged) == 0


@pytest.mark.rule("border_patrol", "V8.44", "V8.46")
def test_beyond_the_allotment_a_chief_engineer_of_two_or_more_may_try():
    assert [emergency.may_try(ship(chief_engineer=skill)) for skill in range(4)] == [False, False, True, True]
    assert refused(emergency_used=4, chief_engineer=1) == ["V8.44"]
    assert refused(emergency_used=4, chief_engineer=2) == []


@pytest.mark.rule("border_patrol", "V8.46")
def test_the_roll_must_not_be_higher_than_the_skill():
    assert emergency.succeeds(7, 7)
    assert emergency.succeeds(7, 2)
    assert not emergency.succeeds(7, 8)
    assert not emergency.succeeds(1, 1)
    assert all(emergency.succeeds(12, roll) for roll in range(2, 13))


def spent(**given: Any) -> Unit:
    return ship(**{"emergency_used": 4, "chief_engineer": 7} | given)


@pytest.mark.rule("border_patrol", "V8.46", "V8.47")
def test_a_roll_that_succeeds_allows_that_turn_and_each_turn_is_rolled_anew():
    unit = spent()
    assert emergency.begin_emergency(unit, 7)
    assert (unit.emergency, unit.emergency_by_roll, unit.warp_ok, unit.emergency_barred) == (True, True, 30, False)
    emergency.end_emergency(unit)
    assert emergency.needs_roll(unit)


@pytest.mark.rule("border_patrol", "V8.47")
def test_a_roll_that_fails_costs_a_tenth_of_the_original_boxes_and_bars():
    unit = spent(warp_original=29, warp_ok=20)
    assert not emergency.begin_emergency(unit, 8)
    assert (unit.emergency, unit.warp_ok, unit.emergency_used, unit.emergency_barred) == (False, 18, 4, True)
    assert (allowance(unit), rules(emergency.judge_emergency(unit, "plot"))) == (3, ["V8.47"])


@pytest.mark.rule("border_patrol", "V8.47")
@pytest.mark.parametrize(("original", "ok", "lost"), [(30, 30, 3), (39, 39, 3), (9, 9, 0), (40, 2, 2)])
def test_the_tenth_is_rounded_down_and_no_more_than_there_is(original: int, ok: int, lost: int):
    unit = spent(warp_original=original, warp_ok=ok)
    assert emergency.boxes_at_stake(unit) == lost
    emergency.begin_emergency(unit, 12)
    assert (unit.warp_ok, unit.emergency_barred) == (ok - lost, True)


def test_a_roll_is_made_when_one_is_needed_and_only_then():
    for unit, roll in ((ship(), 5), (spent(), None)):
        before = unit.to_json()
        with pytest.raises(ValueError, match="when, and only when"):
            emergency.begin_emergency(unit, roll)
        assert unit.to_json() == before


@pytest.mark.rule("border_patrol", "V8.49")
def test_it_gives_nobody_a_move_who_has_none():
    assert refused(sublight=True) == ["V8.49"]
    assert refused(warp_ok=0) == ["V8.49"]
    slow = ship(warp_ok=4)
    assert (hull_allowance(slow), hull_allowance(slow, emergency=True)) == (0, 1)
    assert rules(emergency.judge_emergency(slow, "plot")) == ["V8.49"]
    assert refused(warp_ok=6) == []


def hurt(dcr: int, used: int = 3, **given: Any) -> Unit:
    """A unit in its ``used``-th turn of Emergency Movement, with that rating left of four."""
    unit = ship(emergency_used=used - 1, **given)
    emergency.begin_emergency(unit)
    unit.dcr = dcr
    return unit


@pytest.mark.rule("border_patrol", "V8.48")
def test_a_rating_that_falls_below_the_turns_used_ends_it():
    assert not emergency.is_endangered(hurt(3))
    assert emergency.is_endangered(hurt(2))
    kept, lost = hurt(3), hurt(2)
    assert emergency.keep_emergency(kept)
    assert not emergency.keep_emergency(lost)
    assert (allowance(kept), allowance(lost)) == (8, 5)
    assert (lost.emergency_barred, lost.warp_ok) == (False, 30)
    assert emergency.keep_emergency(hurt(1, used=1))


@pytest.mark.rule("border_patrol", "V8.48")
def test_a_chief_engineer_may_save_it_at_the_known_price():
    saved = hurt(2, chief_engineer=6)
    assert emergency.keep_emergency(saved, 6)
    assert emergency.keep_emergency(saved)  # no second roll
    failed = hurt(2, chief_engineer=6)
    assert not emergency.keep_emergency(failed, 7)
    assert (failed.warp_ok, failed.emergency_barred) == (27, True)
    unskilled = hurt(2, chief_engineer=1)
    assert not emergency.keep_emergency(unskilled, 2)
    assert (unskilled.warp_ok, unskilled.emergency_barred) == (30, False)


@pytest.mark.rule("border_patrol", "V8.48")
def test_a_restored_rating_saves_it_and_a_turn_by_roll_stands_on_none():
    unit = hurt(2)
    unit.dcr = 3
    assert emergency.keep_emergency(unit)
    by_roll = spent()
    emergency.begin_emergency(by_roll, 5)
    by_roll.dcr = 0
    assert emergency.keep_emergency(by_roll)


@pytest.mark.rule("border_patrol", "V8.42")
def test_a_crippled_unit_uses_it_no_longer():
    unit = hurt(4)
    unit.crippled = True
    assert not emergency.keep_emergency(unit)
    assert allowance(unit) == 5
    assert not emergency.keep_emergency(ship())


def test_what_is_refused_is_said_in_words_with_what_would_be_right(kept: Kept):
    bad = ship(name="Lance", crippled=True, in_supply=False, emergency_used=4, emergency_barred=True, towing=["x"])
    bad = bad.changed(reaction=Reaction(station="0505"), overhaul_at="x", warp_ok=0)
    told = [str(one) for one in emergency.judge_emergency(bad)]
    told += map(str, emergency.judge_emergency(ship("TUG", name="Ox", dcr=0, pods=[PodCarried(name="P")])))
    assert told == kept()


# --- overhauls -------------------------------------------------------------------------------------------------------
SYSTEM = {"kind": "system", "original_of": "blue", "held_last_turn_by": "blue"}


def place(**given: Any) -> overhauls.OverhaulPlace:
    return overhauls.OverhaulPlace.from_json(
        {"id": "p", "name": "Port", "kind": "SB", "hex": "0505", "team": "blue"} | given
    )


def refused_overhaul(at: overhauls.OverhaulPlace, **given: Any) -> list[str]:
    return rules(overhauls.judge_overhaul(ship(**given), at, "plot"))


@pytest.mark.rule("border_patrol", "V8.45")
@pytest.mark.parametrize("kind", ["SB", "MB", "BS", "BATS", "FRD"])
def test_own_bases_of_these_kinds_overhaul(kind: str):
    assert (refused_overhaul(place(kind=kind)), refused_overhaul(place(kind=kind, team="red"))) == ([], ["V8.45"])


@pytest.mark.rule("border_patrol", "V8.45")
def test_so_do_own_original_systems_that_were_held_and_not_bombarded():
    assert refused_overhaul(place(**SYSTEM)) == []
    assert refused_overhaul(place(**SYSTEM | {"original_of": "red"})) == ["V8.45"]
    assert refused_overhaul(place(**SYSTEM | {"held_last_turn_by": "red"})) == ["V8.45"]
    assert refused_overhaul(place(**SYSTEM, bombarded=True)) == ["V8.45"]


@pytest.mark.rule("border_patrol", "V8.45")
def test_nothing_else_does_nor_elsewhere_nor_beside_other_work():
    assert refused_overhaul(place(kind="other")) == ["V8.45"]
    assert refused_overhaul(place(hex="0506")) == ["V8.45"]
    assert refused_overhaul(place(busy=True)) == ["V8.45"]
    assert refused_overhaul(place(), towed_by="x") == ["V8.45"]


def test_of_others_places_nothing_is_told():
    quiet, busy = (overhauls.judge_overhaul(ship(), place(team="red", busy=flag), "plot") for flag in (False, True))
    assert quiet == busy


@pytest.mark.rule("border_patrol", "V8.45", "V8.47")
def test_a_whole_turn_of_it_gives_the_allotment_back_and_lifts_the_bar_but_repairs_nothing():
    unit, port = ship(emergency_used=4, emergency_barred=True, warp_ok=27), place()
    overhauls.begin_overhaul(unit, port)
    assert port.busy
    assert allowance(unit) == 0
    assert "V8.45" in rules(emergency.judge_emergency(unit, "plot"))
    assert emergency.turns_left(unit) == 0
    assert overhauls.finish_overhaul(unit)
    assert (emergency.turns_left(unit), unit.emergency_barred, unit.warp_ok, unit.overhauls) == (4, False, 27, 1)
    assert allowance(unit) == 4
    assert not overhauls.finish_overhaul(unit)


@pytest.mark.rule("border_patrol", "V8.45")
def test_an_attack_ends_it_without_gain():
    unit = ship(emergency_used=4, emergency_barred=True)
    overhauls.begin_overhaul(unit, place())
    overhauls.break_off(unit)
    assert not overhauls.finish_overhaul(unit)
    assert not unit.overhaul_broken
    assert (emergency.turns_left(unit), unit.emergency_barred, unit.overhaul_at, unit.overhauls) == (0, True, "", 0)


def test_what_is_refused_of_an_overhaul_is_said_in_words_with_what_would_be_right(kept: Kept):
    unit = ship(name="Lance")
    places = ({"kind": "other", "hex": "0101"}, {"kind": "system", "bombarded": True}, {"team": "red"}, {"busy": True})
    told = [one for given in places for one in overhauls.judge_overhaul(unit, place(**given))]
    told += overhauls.judge_overhaul(ship(name="Lance", towing=["x"]), place())
    assert [str(one).replace(" (V8.45, BP-R37)", "") for one in told] == kept()


# --- allowances ------------------------------------------------------------------------------------------------------
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
