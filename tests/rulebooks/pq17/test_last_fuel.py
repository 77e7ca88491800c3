"""Fuel that is spent to the last point: what was paid for still counts, in searches, attacks, battles and moves."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.knowledge.views import Panel
from rules_engine.core.protocol import asks, turn_context
from rules_engine.rulebooks.pq17.ch05_movement.postures import settle_bases, settle_damage
from rules_engine.rulebooks.pq17.ch06_reconnaissance import attempt, step
from rules_engine.rulebooks.pq17.ch08_combat import attack
from rules_engine.rulebooks.pq17.ch08_combat import battle as ch08
from rules_engine.rulebooks.pq17.ch12_mines.shields import power_of
from rules_engine.rulebooks.pq17.contacts import detection, identification
from rules_engine.rulebooks.pq17.orders.order_sheets import PlanSheet
from rules_engine.rulebooks.pq17.plotting import impulse_plots, planning_sheet
from rules_engine.rulebooks.pq17.records import battles, forces
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.notation import run, table, told, world

F = Fraction
NOW = "\nturn 2 impulse 1 half A initiative alliance"
ATTACK: Any = {"A1": {"target": "E1"}}


def met(text: str, *rolls: int, **labels: int) -> turn_context.TurnContext[Any]:
    at = table(world(text + NOW), *rolls, by_label={"/surprise": 2, **labels})
    detection.announce_detections(at)
    at.shared.reports.clear()
    return at


def duel(attackers: str = "A1", original: str = "C1", **fields: Any) -> battles.Battle:
    sides = {"A": "alliance", "C": "coalition"}
    plain: dict[str, Any] = {"key": "1", "hex": "0405", "attacker": sides[attackers[0]], "defender": sides[original[0]]}
    plain |= {"original": original.split(), "attackers": attackers.split(), "conditions": 1}
    return battles.Battle.from_json(plain | fields)


def sheet_of(at: turn_context.TurnContext[Any], battle: battles.Battle, power: Any = None) -> tuple[asks.AnyAsk, Any]:
    """Play up to the battle's sheet; ``power`` answers the Original Defender's."""
    steps = ch08.fight_steps(at, battle)
    (ask,) = next(steps).asks
    if ask.kind == "power":
        (ask,) = steps.send({ask.id: ask.default if power is None else ask.answer_from(power)}).asks
    return ask, steps


def turn_zero(ask: asks.AnyAsk, name: str) -> str:
    panel: Panel = next(panel for panel in ask.setup.panels if panel.title == "Turn zero")
    return next(row for row in panel.rows if row.startswith(f"{name}:"))


# --- the sheet --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "8.3.5.3", "8.3.5.3.2", "8.3.5.3.6", "8.5.5.3.2")
def test_who_paid_its_last_fuel_for_part_of_its_boxes_fights_with_that_part() -> None:
    """5/2 of 4 points buy 5/8 of 32 boxes: 20 on, 12 off, and nothing is left to turn more on."""
    at = met("A1 0405 CA U\nC1 0405 CA[awr=2,fuel=5/2] ID0")
    ask, _ = sheet_of(at, duel())
    assert at.state.units["C1.CA"].fuel == 0
    row = turn_zero(ask, "DF1")
    assert "12 of 32 warp and AWR boxes off, damaged first; no fuel to turn more on (8.3.5.3.2" in row
    assert "no warp or AWR power" not in row
    assert "turn 2" not in row
    (posture,) = [row for panel in ask.setup.panels if panel.title.startswith("Original") for row in panel.rows[:1]]
    assert "warp on" in posture


@cases("proves, text, power, row, left", "row, left")
def test_what_a_defenders_sheet_says_of_the_power_it_paid_for(
    text: str, power: dict[str, Any] | None, row: str, left: str
) -> None:
    """``power`` is the Original Defender's answer to what it keeps on, ``left`` the fuel that it has then."""
    at = met(f"A1 0405 CA U\n{text}")
    (defender,) = list(at.state.all_task_forces("coalition"))
    ask, _ = sheet_of(at, duel(original=defender.id), power)
    assert (turn_zero(ask, "DF1"), str(at.state.units_of(defender)[0].fuel)) == (row, left)


@pytest.mark.rule("pq17", "1.8.3", "5.2.3.2", "1.8.9")
def test_a_base_that_pays_its_last_point_fights_with_its_power_and_is_off_from_the_next_planning() -> None:
    at = met("A1 0405 CA U\nC9 0405 BATS[fuel=1] base Lair known")
    ask, _ = sheet_of(at, duel(original="C9"))
    base = at.state.task_forces["C9"]
    assert at.state.units["C9.BATS"].fuel == 0
    assert "no warp or AWR power" not in turn_zero(ask, "DF1")
    planning_sheet.carry_out_plans(at, {side: PlanSheet({}) for side in ("alliance", "coalition")})
    assert not identification.is_warp_on(at.state, base)
    at.state.units["C9.BATS"].fuel = F(1, 8)
    settle_bases(at.state)
    assert identification.is_warp_on(at.state, base)


@pytest.mark.rule("pq17", "1.8.12.8", "5.2.3.3", "1.8.9")
def test_a_base_that_is_inactive_has_neither_power_nor_sensors_from_planning_on_until_it_works() -> None:
    at = met("A1 0405 CA U\nC9 0405 BATS base Lair known")
    base, unit = at.state.task_forces["C9"], at.state.units["C9.BATS"]
    for inactive in (True, False):
        unit.repairs = unit.repairs.with_values(inactive=inactive)
        settle_bases(at.state)
        assert (base.posture.warp, base.posture.active) == (not inactive, not inactive)


# --- surprise, and attempts -------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "8.5.3.1", "T7", "5.2.4")
def test_an_attacker_that_paid_its_last_fuel_is_heard_coming_under_warp() -> None:
    at = met("A1 0405 CA[fuel=0] U\nC1 0405 CA ID0")
    assert ch08.surprise_facts(at.state, duel()).attacker_warp_on
    at.state.task_forces["A1"].posture = at.state.task_forces["A1"].posture.with_values(warp=False)
    assert not ch08.surprise_facts(at.state, duel()).attacker_warp_on


@cases("units, fuel")
def test_paying_for_an_attack_does_not_slow_it(units: str, fuel: int) -> None:
    """In good conditions 43 is row 0 for a force of speed 3; three columns to the right it fails."""
    at = met(f"A1 0405 {units} speed 1\nC1 0405 CA ID0", 5, 43)
    (ask,) = next(steps := attack.combat_steps(at, "alliance")).asks
    with_paid = steps.send({ask.id: ask.answer_from(ATTACK)})
    assert at.state.units["A1.CA"].fuel == fuel
    assert [one.kind for one in with_paid.asks] == ["power"]  # it succeeded, and C1 is attacked


@pytest.mark.rule("pq17", "6.3.4.3", "6.3.2.2", "7.2.3", "7.2.2")
def test_paying_for_a_search_neither_slows_it_nor_keeps_it_from_shadowing() -> None:
    """38 is row U in good conditions for a force of speed 3. Fuel 2 of 2 is spent; no fuel is needed to shadow."""
    at = met("A1 0405 CA[fuel=2] speed 1\nC1 0405 CA speed 3", 5, 38, 1)
    orders = {"A1": {"target": "E1", "shadow": True}}
    run(step.reconnaissance_steps(at, "alliance"), lambda ask: orders if ask.parties == ("alliance",) else None)
    tf = at.state.task_forces["A1"]
    assert at.state.units["A1.CA"].fuel == 0
    assert (tf.shadowing, tf.speed) == ("C1", Speed.SPRINT)


@pytest.mark.rule("pq17", "5.2.3.2", "5.2.4", "6.2.4.1")
def test_a_target_without_fuel_has_warp_on_until_its_next_planning() -> None:
    at = met("A1 0405 CA\nC1 0405 CA[fuel=0] ID0\nC2 0405 CA[warp=0,awr=0,fuel=0] ID0")
    state = at.state
    assert not attempt.quarry_of(state, state.task_forces["C1"], 0).warp_off
    assert attempt.quarry_of(state, state.task_forces["C2"], 0).warp_off  # nothing is left that could give power
    planning_sheet.carry_out_plans(at, {side: PlanSheet({}) for side in ("alliance", "coalition")})
    assert attempt.quarry_of(state, state.task_forces["C1"], 0).warp_off


# --- moving and damage ------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "9.5", "5.1.6")
def test_a_force_slows_down_when_its_move_is_called_for_and_not_before() -> None:
    """At speed 2 a CA pays its last point in impulse 1; the chart calls for no move in 2, and for one in 3."""
    state = world("A1 0405 CA[fuel=1] speed 2\nturn 2 impulse 1")
    tf = state.task_forces["A1"]
    run(impulse_plots.plot_movement_steps(table(state)))
    assert state.units["A1.CA"].fuel == 0
    tf.plot = ""
    state.impulse = 2
    assert not impulse_plots.is_short(state, tf)
    run(impulse_plots.plot_movement_steps(table(state)))
    assert tf.speed is Speed.CRUISE
    state.impulse = 3
    assert impulse_plots.is_short(state, tf)
    run(impulse_plots.plot_movement_steps(table(state)))
    assert tf.speed is Speed.IMPULSE_CRAWL


@pytest.mark.rule("pq17", "1.6.3", "5.2.4", "12.7.7")
def test_damage_takes_away_what_the_ships_can_no_longer_do_and_not_what_they_have_no_fuel_for() -> None:
    state = world("A1 0405 CA[fuel=0] speed 2\nA2 0405 CA[warp=0,awr=0,fuel=0] speed 2")
    for tf_id, warp, speed, power in (("A1", True, Speed.CRUISE, 36), ("A2", False, Speed.IMPULSE_CRAWL, 2)):
        tf = state.task_forces[tf_id]
        state.units[f"{tf_id}.CA"].boxes_off = 9
        settle_damage(state, tf)
        assert state.units[f"{tf_id}.CA"].boxes_off == (9 if warp else 0)
        assert (tf.posture.warp, tf.speed) == (warp, speed)
        assert power_of(tf, state.units[f"{tf_id}.CA"]) == power  # 34 warp and AWR, 2 impulse


# --- two battles in one impulse ---------------------------------------------------------------------------------------
HALF_POWER = {"DF1": {"boxes_on": 16}}


def fought(at: turn_context.TurnContext[Any], battle: battles.Battle, power: Any, **lines: Any) -> asks.AnyAsk:
    """Fight a battle that the defenders hold or leave in turn 1; returns its ask."""
    ask, steps = sheet_of(at, battle, power)
    given: dict[str, Any] = {name: {"fate": "ok"} for name in battle.names} | lines
    result = {"battle": {"winner": given.pop("winner", battle.defender), "turns": 1}, **given}
    with pytest.raises(StopIteration):
        steps.send({ask.id: ask.answer_from(result)})
    return ask


GONE = {"AT1": {"fate": "disengaged", "turn": 1}}


@pytest.mark.rule("pq17", "8.3.5.3", "8.3.4.3", "8.3.5.3.2")
def test_boxes_that_were_not_paid_for_stay_off_in_a_second_battle_of_the_impulse() -> None:
    at = met("A1 0405 CA ID0\nA2 0405 CA ID0\nC1 0405 CA[awr=2,fuel=32] ID0")
    fought(at, duel(), HALF_POWER, **GONE)
    ship = at.state.units["C1.CA"]
    assert (ship.boxes_off, ship.fuel) == (16, 30)  # 32 boxes and points; 16 of 32 cost 2
    ask, _ = sheet_of(at, duel("A2", key="2"))
    assert ask.kind == "battle"  # it has paid: nothing more is asked or taken
    assert "16 of 32 warp and AWR boxes off" in turn_zero(ask, "DF1")
    assert ship.fuel == 30
    detection.start_impulse(at)
    assert ship.boxes_off == 0


@cases("line, off, fuel, more", "")
def test_in_a_pursuit_it_operates_with_the_power_it_paid_for_less_damage(
    line: dict[str, Any], off: int, fuel: int, more: int | str
) -> None:
    """It began with 32 boxes, 16 on for 2 of its 32 points; fuel above the boxes left is lost (9.8)."""
    at = met("A1 0405 CA ID0\nC1 0405 CA[awr=2,fuel=32] ID0")
    first = duel()
    fled = {"DF1": {"fate": "disengaged", "turn": 1, **line}, "winner": "alliance"}
    fought(at, first, HALF_POWER, **fled)
    ship = at.state.units["C1.CA"]
    assert (ship.boxes_off, ship.fuel) == (off, fuel)
    ask, steps = sheet_of(at, duel(depth=1, key="1.1"))
    shown = f"{off} of {ship.power_boxes} warp and AWR boxes off" if off else "turn 1: "
    assert shown in turn_zero(ask, "DF1")
    before = ship.fuel
    result: dict[str, Any] = {"battle": {"winner": "coalition", "turns": 1}, "AT1": {"fate": "destroyed"}}
    result["DF1"] = {"fate": "ok", "boxes_on": ship.power_boxes} if off else {"fate": "ok"}
    with pytest.raises(StopIteration):
        steps.send({ask.id: ask.answer_from(result)})
    assert before - ship.fuel == F(more)


@pytest.mark.rule("pq17", "8.5.6.9.3")
def test_a_defender_that_won_pursues_with_the_power_it_paid_for() -> None:
    at = met("A1 0405 CA ID0\nC1 0405 CA[awr=2,fuel=32] ID0")
    fought(at, duel(), HALF_POWER, **GONE)
    at.state.units["A1.CA"].marks = forces.Marks(paid_combat=True)
    ask, _ = sheet_of(at, duel("C1", "A1", depth=1, key="1.1"))
    assert "16 of 32 warp and AWR boxes off" in turn_zero(ask, "AT1")


def test_nobody_else_is_told_that_fuel_has_run_out() -> None:
    """The price of another box, or that there is no fuel for one, stands on a sheet that both read at ID4, where fuel
    is known anyway; a search tells nothing of it."""
    at = met("A1 0405 CA[fuel=2] speed 1\nC1 0405 CA speed 3", 5, 38, 1)
    orders = {"A1": {"target": "E1", "shadow": True}}
    run(step.reconnaissance_steps(at, "alliance"), lambda ask: orders if ask.parties == ("alliance",) else None)
    assert not [text for text in told(at, "coalition") if "fuel" in text]
