"""Chapter 9 and Table 1: fuel by hand-worked fractions."""

from fractions import Fraction

import pytest

from rules_engine.rulebooks.pq17.ch10_supply import fuel as ch09_fuel
from rules_engine.rulebooks.pq17.ch10_supply.stores import ENGINE_FUEL, lose_excess
from rules_engine.rulebooks.pq17.records.forces import TowGroup
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.notation import world

F = Fraction


@pytest.mark.rule("pq17", "T1", "5.1.3", "6.3.2.2", "8.3.4.2", "9.3")
@cases("unit, kind, points", "")
def test_uses_cost_a_multiple_of_the_movement_cost(unit: str, kind: ch09_fuel.FuelUse, points: int | str) -> None:
    state = world("A1 0405 CA+DD+FF+CL")
    assert ch09_fuel.cost(state, state.units[unit], kind) == F(points)


@pytest.mark.rule("pq17", "1.8.3", "1.8.4")
def test_a_base_searches_free_and_fights_for_one_point_while_it_has_reactors() -> None:
    state = world("A9 0303 BATS+DOCK base Haven")
    with_reactors, without = state.units["A9.BATS"], state.units["A9.DOCK"]
    assert ch09_fuel.cost(state, with_reactors, "reconnaissance") == 0
    assert ch09_fuel.cost(state, with_reactors, "combat") == 1
    assert ch09_fuel.cost(state, without, "combat") == 0


@pytest.mark.rule("pq17", "9.6", "6.3.2.1", "8.3.4.1")
def test_one_ship_short_of_fuel_keeps_the_whole_task_force_from_searching() -> None:
    state = world("A1 0405 CA+DD[fuel=1/2]")
    tf = state.task_forces["A1"]
    assert not ch09_fuel.can_pay(state, tf, "reconnaissance")
    assert [unit.id for unit in ch09_fuel.short_of(state, tf, "reconnaissance")] == ["A1.DD"]
    with pytest.raises(ValueError, match=r"A1\.DD"):
        ch09_fuel.pay(state, tf, "reconnaissance")
    assert state.units["A1.CA"].fuel == 34  # nothing was taken from the other: 30 warp + 4 AWR


@pytest.mark.rule("pq17", "8.3.4.3", "9.3")
def test_combat_is_paid_once_an_impulse() -> None:
    state = world("A1 0405 CA+DD")
    tf = state.task_forces["A1"]
    for _ in range(2):
        ch09_fuel.pay(state, tf, "combat")
        assert (state.units["A1.CA"].fuel, state.units["A1.DD"].fuel) == (34 - 4, 16 - 2)


@pytest.mark.rule("pq17", "T1", "5.1.3", "5.3.4", "SOP.2.b.i.7")
@cases("speed, cruiser, frigate", "")
def test_a_movement_point_costs_by_speed(speed: str, cruiser: int | str, frigate: int | str) -> None:
    state = world("A1 0405 CA+FF")
    tf = state.task_forces["A1"]
    ch09_fuel.pay_move(state, tf, Speed[speed])
    assert (state.units["A1.CA"].fuel, state.units["A1.FF"].fuel) == (34 - F(cruiser), 10 - F(frigate))


@pytest.mark.rule("pq17", "5.1.4")
@cases("speed, fuel", "")
def test_a_speed_needs_fuel_for_all_its_points_of_the_turn(speed: str, fuel: int | str) -> None:
    state = world("A1 0405 CA")
    tf, ship = state.task_forces["A1"], state.units["A1.CA"]
    ship.fuel = F(fuel)
    assert ch09_fuel.can_sustain(state, tf, Speed[speed], crawl_turns=0)
    ship.fuel = F(fuel) - F(1, 1000)
    assert not ch09_fuel.can_sustain(state, tf, Speed[speed], crawl_turns=0)


@pytest.mark.rule("pq17", "5.1.4", "T2")
def test_a_warp_crawl_needs_its_sixteenth_only_on_the_turn_it_moves() -> None:
    state = world("A1 0405 CA[fuel=1/20]")
    tf = state.task_forces["A1"]
    assert ch09_fuel.can_sustain(state, tf, Speed.WARP_CRAWL, crawl_turns=1)
    assert not ch09_fuel.can_sustain(state, tf, Speed.WARP_CRAWL, crawl_turns=2)


@pytest.mark.rule("pq17", "5.1.4", "7.4.3.3")
def test_after_the_first_impulse_only_the_rest_of_the_turn_counts() -> None:
    state = world("A1 0405 CA[fuel=1]")
    tf = state.task_forces["A1"]
    assert not ch09_fuel.can_sustain(state, tf, Speed.CRUISE, crawl_turns=0, from_impulse=1)
    assert ch09_fuel.can_sustain(state, tf, Speed.CRUISE, crawl_turns=0, from_impulse=2)


@pytest.mark.rule("pq17", "8.3.5.2.1", "8.3.5.3.3", "9.7")
def test_an_original_defender_pays_by_the_boxes_it_leaves_on() -> None:
    """34 boxes, 4 points in full: 17 off halves it. With 1 point, floor(34 x 1/4) = 8 may stay on: 26 must go."""
    state = world("A1 0405 CA")
    ship = state.units["A1.CA"]
    assert ch09_fuel.reduced_combat_cost(state, ship, 17) == 2
    assert ch09_fuel.least_boxes_off(state, ship) == 0
    ship.fuel = F(1)
    assert ch09_fuel.least_boxes_off(state, ship) == 26
    assert ch09_fuel.reduced_combat_cost(state, ship, 26) == F(4 * 8, 34)
    assert ch09_fuel.reduced_combat_cost(state, ship, 25) > 1


@pytest.mark.rule("pq17", "8.3.5.3.3")
@pytest.mark.parametrize(
    ("left", "off", "paid"), [("warp=1,awr=0", 1, 0), ("warp=2,awr=0", 1, 2), ("warp=0,awr=0", 0, 4)]
)
def test_a_ship_with_hardly_a_box_left_pays_by_those_that_are_on(left: str, off: int, paid: int) -> None:
    """Combat costs 4 fuel in full; without any box there is nothing to share it by."""
    state = world(f"A1 0405 CA[{left}]")
    assert ch09_fuel.reduced_combat_cost(state, state.units["A1.CA"], off) == paid


@pytest.mark.rule("pq17", "5.4.7.1", "5.4.7.2", "5.4.7.3.2")
def test_a_towed_group_shares_the_cost_by_active_warp_boxes() -> None:
    """CA 30 boxes tows DD 15: together MC 3/2, at speed 2 3/2 points: 1 and 1/2. With the DD's engines off, all CA."""
    state = world("A1 0405 CA+DD")
    tf = state.task_forces["A1"]
    tf.tows = [TowGroup(tower="A1.CA", towed=["A1.DD"])]
    paid = [ch09_fuel.hex_cost(state, tf, state.units[one], Speed.CRUISE) for one in ("A1.CA", "A1.DD")]
    assert paid == [F(1), F(1, 2)]
    tf.tows[0].engines_off = ["A1.DD"]
    paid = [ch09_fuel.hex_cost(state, tf, state.units[one], Speed.CRUISE) for one in ("A1.CA", "A1.DD")]
    assert paid == [F(3, 2), F(0)]


@pytest.mark.rule("pq17", "8.5.6.4.1")
def test_raising_speed_after_a_battle_costs_the_difference_of_one_hex() -> None:
    state = world("A1 0405 CA")
    tf, ship = state.task_forces["A1"], state.units["A1.CA"]
    assert ch09_fuel.acceleration_cost(state, tf, ship, Speed.EFFICIENT, Speed.SPRINT) == F(7, 4)
    assert ch09_fuel.acceleration_cost(state, tf, ship, Speed.STATION, Speed.CRUISE) == 1
    assert ch09_fuel.acceleration_cost(state, tf, ship, Speed.CRUISE, Speed.EFFICIENT) == 0


@pytest.mark.rule("pq17", "9.1", "9.2", "9.4", "9.8", "10.2.2.2")
def test_damage_cuts_fuel_and_cargo_to_what_is_left_and_repair_brings_nothing_back() -> None:
    state = world("A1 0405 CA+FT")
    cruiser, freighter = state.units["A1.CA"], state.units["A1.FT"]
    assert (cruiser.fuel, freighter.fuel, freighter.supply) == (34, 6, 50)
    cruiser.warp, cruiser.awr, freighter.cargo = 20, 4, 30
    assert lose_excess(cruiser) == {ENGINE_FUEL: 10}
    assert ENGINE_FUEL not in lose_excess(freighter)
    assert (cruiser.fuel, freighter.supply) == (24, 30)
    cruiser.warp = 30
    assert lose_excess(cruiser) == {}
    assert cruiser.fuel == 24
