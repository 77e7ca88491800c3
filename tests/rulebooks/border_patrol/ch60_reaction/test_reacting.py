"""Who may lie in wait, and to whom such a unit reacts (V8.54, V8.55, V8.60)."""

from typing import Any

import pytest

from rules_engine.core.grids.hexes import Grid
from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import end_cloak, order_cloak
from rules_engine.rulebooks.border_patrol.ch60_reaction.reacting import (
    answer_to,
    closing_hexes,
    judge_reaction,
    quarry_of,
    sees_through_cloaks,
)
from rules_engine.rulebooks.border_patrol.records.units import PodCarried
from tests.expected.kept import Kept
from tests.rulebooks.border_patrol.fleet import rules, ship

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


@pytest.mark.rule("border_patrol", "V8.82")
def test_no_burdened_tug():
    assert refused("TUG", pods=[PodCarried(name="P")]) == ["V8.82"]
    assert refused("TUG") == []


def test_nobody_under_overhaul():
    assert refused(overhaul_at="port") == ["V8.45"]


def answer(intruder: Any, in_zone: bool = True, **given: Any) -> str:
    return answer_to(ship(**{"reacting": True} | given), intruder, in_zone=in_zone)


@pytest.mark.rule("border_patrol", "V8.61")
def test_it_may_react_to_a_player_in_its_zone_and_to_nobody_else():
    intruder = ship(team="red", hex=FAR)
    assert answer(intruder) == "may"
    assert answer(intruder, in_zone=False) == "no"
    assert answer(intruder, reacting=False) == "no"
    assert answer(ship(hex=FAR, id="friend")) == "no"
    assert answer(ship(orion="normal", team="", hex=FAR)) == "no"
    assert answer(intruder, target="another") == "no"  # it is after that one until it has it


@pytest.mark.rule("border_patrol", "V8.62")
def test_it_must_react_to_monsters_and_alien_ships():
    assert answer(ship("MONSTER", hex=FAR)) == "must"
    assert answer(ship(kind="alien ship", team="", hex=FAR)) == "must"


@pytest.mark.rule("border_patrol", "V8.54")
def test_not_to_a_cloaked_unit_unless_it_enters_the_hex():
    assert answer(ship(team="red", hex=FAR, cloaked=True)) == "no"
    assert answer(ship(team="red", hex="0505", cloaked=True)) == "may"
    assert answer(ship("MONSTER", hex=FAR, cloaked=True)) == "no"


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
    assert quarry_of(GRID, monster, [far, near]) is near
    order_cloak(near, "all turn")
    assert quarry_of(GRID, monster, [far, near]) is far
    end_cloak(near)  # it shows itself again
    assert quarry_of(GRID, monster, [far, near], lost="near") is far
    near.hex = "0505"
    order_cloak(near, "all turn")
    assert quarry_of(GRID, monster, [far, near], lost="near") is near
    assert quarry_of(GRID, monster, [ship("MONSTER", hex="0506", id="other")]) is None
    twin = ship(id="b", hex="0504")
    assert quarry_of(GRID, monster, [twin, ship(id="a", hex="0506")]).id == "a"


def test_what_is_refused_is_said_in_words_with_what_would_be_right(kept: Kept):
    bad = ship("TUG", name="Ox", emergency=True, orion="leased", crippled=True, warp_ok=0, towing=["x"])
    bad = bad.changed(overhaul_at="x", sensors_damaged=True)
    told = [*judge_reaction(bad, pinned=True), *judge_reaction(ship("TUG", name="Ox", pods=[PodCarried(name="P")]))]
    assert [str(one) for one in told] == kept()
