"""Chapter 9 and Table 1: fuel by hand-worked fractions."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch08_combat.battle import fight_steps
from rules_engine.rulebooks.pq17.ch08_combat.result_form import agree
from rules_engine.rulebooks.pq17.ch10_supply import fuel as ch09_fuel
from rules_engine.rulebooks.pq17.ch10_supply.stores import ENGINE_FUEL, cargo_boxes, held, lose_excess
from rules_engine.rulebooks.pq17.records import battles, forces
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario.invariants import defects
from rules_engine.rulebooks.pq17.tables.operations import Speed
from rules_engine.rulebooks.pq17.tables.supply import PAIR_LIMIT, Goods, worth
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.notation import table, told, world
from tests.rulebooks.pq17.worlds.supply import depot, empty, routine, stores, turn_end, unit

F = Fraction

# --- properties -------------------------------------------------------------------------------------------------------
SHIPS = ("CA", "FT", "DD", "RS", "DR", "OR", "TG")

percent, maybe = st.integers(0, 100), st.booleans()
aboard = st.fixed_dictionaries(
    {"fuel": percent, "thirds": st.integers(0, 2), "supply": percent, "damcon": maybe, "consumables": maybe}
)


def total(state: State) -> Fraction:
    """Everything that all units hold, in supply points; what lies in DAMCON tracks too."""
    units = state.units.values()
    return sum((worth(goods, held(unit, goods)) for unit in units for goods in Goods), F(0)) + sum(
        unit.rp_damcon for unit in units
    )


def stocked(where: str, ships: list[str], loads: list[dict[str, int]]) -> State:
    """A force of these ships in Logistics posture, each with a part of what it could carry (in percent)."""
    state = depot(f"A9 0303 BATS base Haven known\nA1 {where}".replace("SHIPS", "+".join(ships)))
    for unit_id, load in zip(sorted(state.units), loads, strict=False):
        unit = state.units[unit_id]
        kept = dict(unit.stores) if load["consumables"] else {}
        damcon = unit.rp_damcon if load["damcon"] else 0
        full, boxes = unit.power_boxes, cargo_boxes(unit)
        fuel = min(Fraction(full), Fraction(full * load["fuel"], 100) + Fraction(load["thirds"], 3))
        empty(state, unit_id, fuel=fuel, supply=boxes * load["supply"] // 100, rp_damcon=damcon, stores=kept)
    return state


def goes_well(state: State, *, underway: bool) -> None:
    """Plan and carry out one turn of the routine."""
    before = total(state)
    made = routine(state)  # which checks that the sheet it proposes is legal
    turn_end(state)
    assert defects(state) == []
    assert all(one.amount == one.plotted and one.lost == 0 for one in made.done)
    assert total(state) == before
    if underway:
        for group in made.groups:
            for ship in group.docked:
                passed = (one for one in made.done if ship in (one.source, one.target))
                assert sum(worth(one.goods, one.amount) for one in passed) <= PAIR_LIMIT


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(SHIPS), min_size=1, max_size=6), st.lists(aboard, min_size=7, max_size=7))
def test_in_port(ships: list[str], loads: list[dict[str, int]]) -> None:
    goes_well(stocked("0303 SHIPS logistics port A9", ships, loads), underway=False)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(SHIPS), min_size=2, max_size=6), st.lists(aboard, min_size=7, max_size=7))
def test_underway(ships: list[str], loads: list[dict[str, int]]) -> None:
    goes_well(stocked("0404 SHIPS logistics", ships, loads), underway=True)


# --- chapter 10 in battle: goods lost with their boxes, and consumables used up ---------------------------------------
FIGHT = "A1 0405 RS+DR ID1\nC1 0405 CA ID1\nturn 2 impulse 1 half A initiative alliance"
OK: dict[str, Any] = {name: {"fate": fate} for name, fate in (("AT1", "ok"), ("AT2", "ok"), ("DF1", "destroyed"))}
OK["battle"] = {"winner": "alliance", "turns": 4}


def begun(state: State) -> tuple[TurnContext[State], battles.Battle, Any, Any]:
    """A battle in which the freighters of A1 attack C1, up to its result form."""
    at = table(state, 10)
    plain = {"key": "1", "hex": "0405", "attacker": "alliance", "defender": "coalition", "conditions": 1}
    battle = battles.Battle.from_json(plain | {"original": ["C1"], "attackers": ["A1"]})
    state.battles = [battle]
    steps = fight_steps(at, battle)
    batch = next(steps)
    while batch.asks[0].kind != "battle":
        batch = steps.send({ask.id: ask.default for ask in batch.asks})
    return at, battle, batch.asks[0], steps


def settle(state: State, **lines: Any) -> TurnContext[State]:
    """Both sides agree on this result."""
    at, _, ask, steps = begun(state)
    with pytest.raises(StopIteration):
        steps.send({ask.id: ask.answer_from(OK | lines)})
    assert [one for one in defects(state) if "number" not in one] == []
    return at


@pytest.mark.rule("pq17", "10.2.2.2", "9.8")
def test_supply_goes_at_once_with_the_cargo_boxes_that_held_it() -> None:
    """Ten boxes full of supply, four left: six points are lost. With five of eight power boxes 3 of 8 fuel go, with
    seven of ten repair boxes 3 of 10 repair points. The owner is told, the enemy is not."""
    state = depot(FIGHT)
    at = settle(state, AT2={"fate": "ok", "cargo": 4, "warp": 5, "repair": 7})
    assert stores(state, "A1.RS") == "fuel 5, supply 4, rp 7"
    text = "A1.RS lost with its boxes: 3 engine fuel, 3 repair points in repair boxes, 6 supply in cargo."
    assert text in told(at, "alliance")
    assert not any("lost with its boxes" in one for one in told(at, "coalition"))


@pytest.mark.rule("pq17", "10.2.2.2")
def test_boxes_repaired_after_the_battle_bring_nothing_back() -> None:
    state = depot(FIGHT)
    settle(state, AT2={"fate": "ok", "cargo": 0})
    ship = unit(state, "A1.RS")
    ship.cargo = 10
    assert ship.supply == 0


@cases("proves, units, lines, unit_id, left")
def test_what_a_battle_leaves_of_stores(units: str, lines: dict[str, Any], unit_id: str, left: str) -> None:
    """``lines`` of the battle's result, and what of its stores a ship of the winner has afterwards."""
    state = depot(FIGHT.replace("RS+DR", units))
    at = settle(state, **lines)
    assert stores(state, unit_id) == left
    assert not any("lost with its boxes" in one for one in told(at, "coalition"))


@cases("used, said", "")
def test_more_than_was_aboard_is_refused(used: str, said: str) -> None:
    """Forty general drones were aboard, and no shuttle; fuel and probes are reported elsewhere."""
    _, _, ask, _ = begun(depot(FIGHT))
    wrong = ask.check(ask.model.model_validate(OK | {"AT1": {"fate": "ok", "used": used}}))
    assert [str(one) for one in wrong] == [f"AT1.used: {said}"]


@cases("used", "")
def test_all_that_was_aboard_may_be_used_up(used: str) -> None:
    _, _, ask, _ = begun(depot(FIGHT))
    assert list(ask.check(ask.model.model_validate(OK | {"AT1": {"fate": "ok", "used": used}}))) == []


def test_accounts_agree_when_they_mean_the_same() -> None:
    """Order and spelling do not matter; amounts do."""
    at, battle, ask, _ = begun(depot(FIGHT))
    said = {
        side: ask.model.model_validate(OK | {"AT1": {"fate": "ok", "used": used}})
        for side, used in (("alliance", "5 limited drones, 1 drone"), ("coalition", "1 drones,5 limited drones"))
    }
    assert agree(at, battle, said).settled is not None
    said["coalition"] = ask.model.model_validate(OK | {"AT1": {"fate": "ok", "used": "2 drones, 5 limited drones"}})
    (difference,) = agree(at, battle, said).differences
    assert "1 drones, 5 limited drones" in difference


def test_a_ship_without_stores_has_no_such_field() -> None:
    state = depot(FIGHT)
    empty(state, "A1.RS")
    _, _, ask, _ = begun(state)
    fields = {line.key: {field.key: field for field in line.fields} for line in ask.form.lines}
    used = fields["AT1"]["used"]
    assert (used.label, used.help) == ("Stores used up", "Of 40 drones, 20 limited drones, 20 restricted drones")
    assert "used" not in fields["AT2"]


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


@cases("speed, cruiser, frigate", "")
def test_a_movement_point_costs_by_speed(speed: str, cruiser: int | str, frigate: int | str) -> None:
    state = world("A1 0405 CA+FF")
    ch09_fuel.pay_move(state, state.task_forces["A1"], Speed[speed])
    assert (state.units["A1.CA"].fuel, state.units["A1.FF"].fuel) == (34 - F(cruiser), 10 - F(frigate))


@cases("proves, fuel, speed, crawl_turns, from_impulse, enough")
def test_what_a_speed_needs_for_the_rest_of_the_turn(
    fuel: str, speed: str, *, crawl_turns: int, from_impulse: int, enough: bool
) -> None:
    state = world("A1 0405 CA")
    tf, state.units["A1.CA"].fuel = state.task_forces["A1"], F(fuel)
    found = ch09_fuel.can_sustain(state, tf, Speed[speed], crawl_turns=crawl_turns, from_impulse=from_impulse)
    assert found is enough


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


@cases("left, off, paid")
def test_a_ship_with_hardly_a_box_left_pays_by_those_that_are_on(left: str, off: int, paid: int) -> None:
    """Combat costs 4 fuel in full; without any box there is nothing to share it by."""
    state = world(f"A1 0405 CA[{left}]")
    assert ch09_fuel.reduced_combat_cost(state, state.units["A1.CA"], off) == paid


@pytest.mark.rule("pq17", "5.4.7.1", "5.4.7.2", "5.4.7.3.2")
def test_a_towed_group_shares_the_cost_by_active_warp_boxes() -> None:
    """CA 30 boxes tows DD 15: together MC 3/2, at speed 2 3/2 points: 1 and 1/2. With the DD's engines off, all CA."""
    state = world("A1 0405 CA+DD")
    tf = state.task_forces["A1"]
    tf.tows = [forces.TowGroup(tower="A1.CA", towed=["A1.DD"])]
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
