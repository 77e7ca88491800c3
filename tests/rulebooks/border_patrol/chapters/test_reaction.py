"""Reactionary Movement (V8.60): its points, who may lie in wait, to whom such a unit reacts, and its zones."""

from typing import Any

import pytest

from rules_engine.core.grids.hexes import Grid
from rules_engine.rulebooks.border_patrol.allowances import allowance
from rules_engine.rulebooks.border_patrol.ch10_movement.phases import begin_phase, points_left
from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import end_cloak, order_cloak
from rules_engine.rulebooks.border_patrol.ch60_reaction.points import reach, weapon_status
from rules_engine.rulebooks.border_patrol.ch60_reaction.reacting import (
    answer_to,
    closing_hexes,
    judge_reaction,
    quarries_of,
    sees_through_cloaks,
)
from rules_engine.rulebooks.border_patrol.ch60_reaction.waiting import (
    begin_reaction,
    end_by_damage,
    end_of_turn,
    end_reaction,
    hold_points,
    intercept,
    spend,
)
from rules_engine.rulebooks.border_patrol.ch60_reaction.zones import is_in_zone, zone_for_reaction
from rules_engine.rulebooks.border_patrol.records.settings import Zones
from rules_engine.rulebooks.border_patrol.records.units import PodCarried, Unit
from tests.expected.kept import Kept, cases
from tests.rulebooks.border_patrol.fleet import rules, ship


def waiting(until: int, allowed: int = 5, **given: Any) -> Unit:
    """A unit that waited through the phases before ``until``, and comes to that one."""
    unit = ship("DD", reacting=True, **given)
    for phase in range(1, until):
        begin_phase(unit, phase, allowed)
        hold_points(unit, phase)
    begin_phase(unit, until, allowed)
    return unit


@pytest.mark.rule("border_patrol", "V8.63")
def test_the_printed_example_a_destroyer_of_allowance_five():
    unit = waiting(until=2)
    assert unit.accrued == 0
    hold_points(unit, 2)
    assert unit.accrued == 1
    unit = waiting(until=5)
    assert unit.accrued == 2  # phases 2 and 4
    assert reach(unit, 5) == 2  # one of its own, one held
    spend(unit, 5, 2)
    assert (unit.accrued, reach(unit, 5)) == (1, 0)
    hold_points(unit, 5)
    begin_phase(unit, 6, 5)
    assert reach(unit, 6) == 1  # the last held one
    spend(unit, 6, 1)
    assert (unit.accrued, reach(unit, 6)) == (0, 0)
    begin_phase(unit, 7, 5)
    assert reach(unit, 7) == 1  # as any other unit


@pytest.mark.rule("border_patrol", "V8.63")
def test_two_held_points_a_phase_without_its_own_and_one_beside_its_own():
    unit = waiting(until=6)
    assert (unit.accrued, points_left(unit, 6), reach(unit, 6)) == (3, 0, 2)
    spend(unit, 6, 1)
    assert reach(unit, 6) == 1
    spend(unit, 6, 1)
    assert (reach(unit, 6), unit.accrued) == (0, 1)
    fast = waiting(until=5, allowed=12)
    assert (fast.accrued, reach(fast, 5)) == (6, 3)  # two of its own, and one held
    spend(fast, 5, 1)
    assert (fast.accrued, reach(fast, 5)) == (6, 2)  # its own go first
    spend(fast, 5, 2)
    assert (fast.accrued, reach(fast, 5)) == (5, 0)


@pytest.mark.rule("border_patrol", "V8.63")
def test_once_it_moves_it_holds_no_more_and_nobody_else_holds_any():
    unit = waiting(until=5)
    spend(unit, 5, 1)
    begin_phase(unit, 7, 5)
    hold_points(unit, 7)
    assert unit.accrued == 2
    other = ship("DD")
    begin_phase(other, 2, 5)
    hold_points(other, 2)
    assert other.accrued == 0
    with_some = ship("DD", carried=2)
    begin_phase(with_some, 6, 5)
    assert reach(with_some, 6) == 0


def test_no_more_than_it_may_and_nothing_is_changed_then():
    unit = waiting(until=5)
    before = unit.to_json()
    with pytest.raises(ValueError, match="may enter 2 hexes in phase 5, and not 3"):
        spend(unit, 5, 3)
    assert unit.to_json() == before
    spend(unit, 5, 0)
    assert not unit.left_station


@pytest.mark.rule("border_patrol", "V8.63")
def test_a_cloaked_unit_waits_by_its_cloaked_allowance_though_it_uncloaks():
    assert allowance(ship(cloak_cost=6, cloaks=True, cloaked=False, reacting=True)) == 4


@pytest.mark.rule("border_patrol", "V8.64")
def test_a_crippled_unit_is_bound_no_longer_and_loses_what_it_held():
    unit = waiting(until=5, target="red-CA")
    assert not end_by_damage(unit)
    assert (unit.reacting, unit.accrued) == (True, 2)
    unit.crippled = True
    assert end_by_damage(unit)
    assert (unit.reacting, unit.accrued, unit.target, reach(unit, 5)) == (False, 0, "", 1)


@pytest.mark.rule("border_patrol", "V8.66")
def test_two_points_are_carried_over_by_who_waited_all_turn_and_waits_again():
    unit = waiting(until=8)
    hold_points(unit, 8)
    assert unit.accrued == 5
    end_of_turn(unit)
    assert (unit.accrued, unit.carried, unit.reacting) == (0, 2, False)
    begin_reaction(unit)
    assert (unit.accrued, unit.carried) == (2, 0)
    begin_phase(unit, 1, 5)
    assert reach(unit, 1) == 2  # already in the first phase
    spend(unit, 1, 2)
    assert (unit.accrued, unit.carried) == (0, 0)


@pytest.mark.rule("border_patrol", "V8.66")
def test_no_more_than_there_is_and_nothing_otherwise():
    def left_by(unit: Unit) -> int:
        end_of_turn(unit)
        return unit.carried

    assert left_by(waiting(until=3)) == 1
    moved = waiting(until=5)
    spend(moved, 5, 1)
    assert left_by(moved) == 0
    assert left_by(ship()) == 0
    crippled = waiting(until=5)
    crippled.crippled = True
    assert end_by_damage(crippled)
    assert left_by(crippled) == 0
    ended = waiting(until=5)
    end_reaction(ended)
    assert left_by(ended) == 0


@pytest.mark.rule("border_patrol", "V8.69")
def test_after_an_interception_it_may_use_what_it_has_left():
    unit, target = waiting(until=5, target="red-CA"), ship(team="red", hex="0506")
    spend(unit, 5, 1)
    assert not intercept(unit, target)
    unit.hex = "0506"
    assert not intercept(unit, ship("DN", team="red", hex="0506"))
    assert intercept(unit, target)
    assert (unit.target, unit.reacting, reach(unit, 5)) == ("", True, 1)


@pytest.mark.rule("border_patrol", "V8.65")
def test_reaction_adds_four_to_the_roll_for_weapon_status():
    assert [weapon_status(roll, by_reaction=False) for roll in range(1, 7)] == [0, 0, 1, 2, 2, 2]
    assert [weapon_status(roll, by_reaction=True) for roll in range(1, 7)] == [2, 2, 3, 3, 3, 3]


# --- reacting --------------------------------------------------------------------------------------------------------
GRID = Grid(columns=12, rows=12)
FAR = "0507"


def refused(ship_class: str = "CA", **given: Any) -> list[str]:
    return rules(judge_reaction(ship(ship_class, **given), "plot"))


@pytest.mark.rule("border_patrol", "V8.61")
def test_not_with_emergency_movement_and_no_orions():
    assert refused() == []
    assert refused(emergency=True) == ["V8.61"]
    assert [refused(orion=status) for status in ("leased", "independent", "normal")] == [["V8.61"]] * 3


@pytest.mark.rule("border_patrol", "V8.68")
def test_not_crippled_pinned_without_warp_or_in_a_tow():
    assert refused(crippled=True) == ["V8.68"]
    assert rules(judge_reaction(ship(), "plot", pinned=True)) == ["V8.68"]
    assert refused(sublight=True) == ["V8.68"]
    assert refused(warp_ok=0) == ["V8.68"]
    assert refused(towing=["x"]) == ["V8.68"]
    assert refused(towed_by="x") == ["V8.68"]
    assert refused(cloaked=True, cloaks=True, cloak_cost=6) == []


@pytest.mark.rule("border_patrol", "V8.68")
def test_damaged_sensors_or_scanners_need_a_seven():
    hurt = ship(sensors_damaged=True)
    assert judge_reaction(hurt, sensors_roll=7) == []
    assert rules(judge_reaction(hurt, "plot", sensors_roll=6)) == ["V8.68"]
    assert rules(judge_reaction(hurt, "plot")) == ["V8.68"]
    assert judge_reaction(ship(), sensors_roll=2) == []


@cases("case, proves, unit, refusals", made="unit")
def test_who_may_lie_in_wait(unit: Unit, refusals: list[str]):
    assert rules(judge_reaction(unit, "plot")) == refusals


def answer(intruder: Any, in_zone: bool = True, **given: Any) -> str:
    return answer_to(ship(**{"reacting": True} | given), intruder, in_zone=in_zone)


@cases("case, proves, intruder, given, reacts", made="intruder")
def test_to_whom_it_reacts(intruder: Unit, given: dict[str, Any], reacts: str):
    assert answer(intruder, **given) == reacts


@pytest.mark.rule("border_patrol", "V8.54")
def test_special_sensors_see_it_and_must_react_and_who_stands_beside_may():
    hidden = ship(team="red", hex=FAR, cloaked=True)
    scout = ship("DD", reacting=True, special_sensors_ok=2)
    assert answer_to(scout, hidden, in_zone=True) == "must"
    assert answer_to(scout, hidden, in_zone=False) == "no"
    assert answer_to(scout, ship(team="red", hex=FAR), in_zone=True) == "may"
    beside = ship(reacting=True)
    assert answer_to(beside, hidden, in_zone=True, stack=[beside, scout]) == "may"
    assert answer_to(beside, hidden, in_zone=True, stack=[beside]) == "no"
    scout.hex = "0504"  # no longer together
    assert answer_to(beside, hidden, in_zone=True, stack=[beside, scout]) == "no"
    assert [sees_through_cloaks(ship(reacting=True, special_sensors_ok=left)) for left in (0, 1)] == [False, True]
    scout.crippled = True
    assert not sees_through_cloaks(scout)
    assert answer_to(scout, hidden, in_zone=True) == "no"


@pytest.mark.rule("border_patrol", "V8.26")
def test_who_reacted_into_a_hex_does_not_react_to_those_that_leave_it():
    unit, leaver = ship(reacting=True, reacted_into="0505"), ship(team="red", hex="0506")
    assert answer_to(unit, leaver, in_zone=True, left_hex="0505") == "no"
    assert answer_to(unit, leaver, in_zone=True, left_hex="0606") == "may"
    assert answer_to(unit, leaver, in_zone=True) == "may"
    assert answer_to(ship(reacting=True), leaver, in_zone=True, left_hex="0505") == "may"


@pytest.mark.rule("border_patrol", "V8.62", "V8.61")
def test_only_hexes_on_a_shortest_way_are_entered():
    assert closing_hexes(GRID, "0505", "0502") == ("0504",)
    assert set(closing_hexes(GRID, "0505", "0705")) == {"0604", "0605"}
    assert closing_hexes(GRID, "0505", "0505") == ()


@pytest.mark.rule("border_patrol", "V8.55")
def test_a_monster_turns_from_who_cloaks_to_the_next_nearest_of_any_team():
    monster = ship("MONSTER", hex="0505")
    near, far = ship(id="near", hex="0506"), ship(id="far", team="red", hex="0508")
    assert quarries_of(GRID, monster, [far, near]) == [near]
    order_cloak(near, "all turn")
    assert quarries_of(GRID, monster, [far, near]) == [far]
    end_cloak(near)  # it shows itself again
    assert quarries_of(GRID, monster, [far, near], lost=["near"]) == [far]
    near.hex = "0505"
    order_cloak(near, "all turn")
    assert quarries_of(GRID, monster, [far, near], lost=["near"]) == [near]
    assert quarries_of(GRID, monster, [ship("MONSTER", hex="0506", id="other")]) == []
    alike = [ship(id="b", hex="0504"), ship(id="a", hex="0506")]
    assert [one.id for one in quarries_of(GRID, monster, alike)] == ["a", "b"]


def test_what_is_refused_is_said_in_words_with_what_would_be_right(kept: Kept):
    bad = ship("TUG", name="Ox", emergency=True, orion="leased", crippled=True, warp_ok=0, towing=["x"])
    bad = bad.changed(overhaul_at="x", sensors_damaged=True)
    told = [*judge_reaction(bad, pinned=True), *judge_reaction(ship("TUG", name="Ox", pods=[PodCarried(name="P")]))]
    assert [str(one) for one in told] == kept()


# --- zones -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("border_patrol", "V8.61")
def test_a_unit_notices_its_own_hex_and_the_six_about_it():
    seen = [name for name in GRID.hexes() if is_in_zone(GRID, ship(), name)]
    assert sorted(seen) == ["0404", "0405", "0504", "0505", "0506", "0604", "0605"]


@pytest.mark.rule("border_patrol", "V8.68")
def test_a_restricted_zone_is_the_own_hex_alone():
    assert is_in_zone(GRID, ship(cloaked=True), "0505")
    assert not is_in_zone(GRID, ship(cloaked=True), "0504")
    assert [zone_for_reaction(ship(**{flag: True})) for flag in ("crippled", "sublight", "sensors_damaged")] == [0] * 3


@pytest.mark.rule("border_patrol", "V8.67")
def test_a_working_base_of_the_team_widens_it():
    base = ship("BATS")
    assert (zone_for_reaction(base), zone_for_reaction(ship(), [base])) == (2, 2)
    assert is_in_zone(GRID, ship(), "0507", [base])
    assert not is_in_zone(GRID, ship(), "0508", [base])
    assert zone_for_reaction(ship(), [ship("BATS", hex="0506")]) == 1
    assert zone_for_reaction(ship(), [ship("BATS", team="red")]) == 1
    assert zone_for_reaction(ship(), [ship("BATS", crippled=True)]) == 1
    assert zone_for_reaction(ship(), [ship("BATS", towed_by="tug")]) == 1
    assert zone_for_reaction(ship(cloaked=True), [base]) == 0
    assert zone_for_reaction(ship("BATS", crippled=True)) == 0


@pytest.mark.rule("border_patrol", "V8.67")
def test_a_scenario_may_say_how_far_zones_reach():
    zones = Zones(reach=3, restricted=1, at_bases=5)
    cruiser, station = ship("CA"), ship("BATS")
    assert zone_for_reaction(cruiser, (), zones) == 3
    assert zone_for_reaction(cruiser, [station], zones) == 5
    assert zone_for_reaction(ship("CA", crippled=True), [station], zones) == 1
    assert is_in_zone(GRID, cruiser, "0508", (), zones)
    assert not is_in_zone(GRID, cruiser, "0509", (), zones)
