"""Loads: pods on a tug and modules in cargo are not ships, whether their force is searched, mined, moved or lost."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.basics import base, refusals
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.pq17.campaign.period_sheet import period_ask
from rules_engine.rulebooks.pq17.ch05_movement.postures import settle_damage
from rules_engine.rulebooks.pq17.ch06_reconnaissance.attempt import seeker_of
from rules_engine.rulebooks.pq17.ch08_combat import battle, standing_attacks
from rules_engine.rulebooks.pq17.ch10_supply.fuel import can_pay
from rules_engine.rulebooks.pq17.ch12_mines.attacks import minefield_attack_steps
from rules_engine.rulebooks.pq17.contacts.identification import contact_details
from rules_engine.rulebooks.pq17.nations.homes import exit_refusal
from rules_engine.rulebooks.pq17.plotting import impulse_plots, planning_sheet
from rules_engine.rulebooks.pq17.records import forces, minefields, progress
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario.invariants import defects
from rules_engine.rulebooks.pq17.sequence import half_steps
from rules_engine.rulebooks.pq17.special_conditions.preparatory_step import preparatory_steps
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.expected.kept import cases
from tests.rulebooks.pq17.ch08_combat.test_withdrawal import met, play
from tests.rulebooks.pq17.worlds.battles import account, battle_of
from tests.rulebooks.pq17.worlds.notation import asked_in, run, table, told, world
from tests.rulebooks.pq17.worlds.repair import mined
from tests.rulebooks.pq17.worlds.special_conditions import special_world

NOW = "\nturn 2 impulse 1 half A initiative coalition"
TUG = "TUG+POD#2[carried_by=C1.TUG]"
MINED_TUG = "A1 0405 TUG+POD#2[carried_by=A1.TUG]+SH speed 2"


def refused(ask: AnyAsk, sheet: base.Json) -> list[refusals.Refusal]:
    """The refusals of a sheet; none if it is legal."""
    try:
        ask.answer_from(sheet)
    except refusals.Refused as found:
        return list(found.refusals)
    return []


# --- reports ----------------------------------------------------------------------------------------------------------
@cases("proves, text, phasing, said")
def test_what_is_told_of_a_force_with_loads(text: str, phasing: str, said: list[str]) -> None:
    """One side moves, and what the Alliance is told of 0405."""
    at = table(world(f"{text}{NOW}"))
    run(half_steps(at, phasing))
    assert [one for one in told(at, "alliance") if "0405" in one] == said


@pytest.mark.rule("pq17", "6.2.5", "1.8.12.5")
def test_modules_in_cargo_and_pods_of_another_builder_are_not_seen() -> None:
    state = world(f"C1 0405 {TUG}+FT+MOD#2[carried_by=C1.FT] ID2\nA1 0405 CA{NOW}")
    state.classes["POD"] = state.classes["POD"].model_copy(update={"empire": "Kzinti"})
    at = table(state)
    run(half_steps(at, "alliance"))
    (text,) = [one for one in told(at, "alliance") if "ID2" in one]
    assert "movement cost 2 in all. Testers: 2 using warp." in text  # 1 + 2/4 + 1/2
    assert "Kzinti" not in text


@pytest.mark.rule("pq17", "8.4.2", "6.2.4")
def test_standing_orders_weigh_a_contact_by_the_cost_it_shows() -> None:
    """A tug and two pods show 1 1/2 from ID1 on, and hide nothing else."""
    state = world(f"C1 0405 {TUG} ID1{NOW}")
    assert standing_attacks.shown_cost(state, state.task_forces["C1"]) == Fraction(3, 2)


# --- searching, posture, fuel -----------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "6.3.4.7", "5.2.3.3", "5.2.3.2")
def test_a_pod_lends_its_tug_neither_sensors_nor_an_active_posture_nor_warp() -> None:
    state = world(f"A1 0405 TUG[sensor_track=0,fuel=0]+POD[carried_by=A1.TUG]{NOW}")
    pod = state.units["A1.POD"]
    pod.sensor_track, pod.awr, pod.fuel = [6], 2, Fraction(2)
    assert seeker_of(state, state.task_forces["A1"]).sensor_rating == 0
    wrong = refused(planning_sheet.planning_ask(table(state), "alliance"), {"A1": {"posture": []}})
    assert {one.rule for one in wrong} == {"PQ-17 5.2.3.3", "PQ-17 5.2.3.2"}


@pytest.mark.rule("pq17", "5.2.3.3", "6.3.4.2")
def test_a_pod_with_special_sensors_makes_no_scout_of_its_tug() -> None:
    state = world(f"A1 0405 CA\nC1 0405 TUG+POD[carried_by=C1.TUG,special_sensors=4] U{NOW}")
    force = state.task_forces["C1"]
    assert seeker_of(state, force).kind == "FORCE"
    assert "Sensors active, no scout" in contact_details(state, force, forces.IdLevel.U)
    state.units["C1.POD"].carried_by = ""
    assert seeker_of(state, force).kind == "SCOUT"


@pytest.mark.rule("pq17", "5.2.4", "1.6.3.2")
def test_a_pods_boxes_do_not_keep_the_warp_of_its_tug_on() -> None:
    state = world(f"A1 0405 TUG[warp=0,awr=0,fuel=0]+POD[carried_by=A1.TUG,awr=2] speed 1{NOW}")
    settle_damage(state, state.task_forces["A1"])
    assert not state.task_forces["A1"].posture.warp


@pytest.mark.rule("pq17", "8.3.5", "8.3.5.3.3", "1.8.12.5")
def test_a_load_is_not_asked_for_the_boxes_that_it_keeps_on() -> None:
    """It pays nothing, so that nothing is saved; a power module in cargo gives no power anyway."""
    state = world(f"A1 0405 CA U\nC1 0405 FT+MOD[carried_by=C1.FT,awr=10]+TUG+POD[carried_by=C1.TUG,awr=2] U{NOW}")
    at = table(state, 5)
    plain: dict[str, Any] = {"original": ["C1"], "attackers": ["A1"], "attacker": "alliance", "defender": "coalition"}
    (ask,) = next(battle.fight_steps(at, Battle.from_json({"key": "1", "hex": "0405", "conditions": 1, **plain}))).asks
    assert ask.kind == "power"
    assert sorted(line.label.partition(" ")[2] for line in ask.form.lines) == ["C1.FT", "C1.TUG"]


@cases("proves, text, line, broken")
def test_what_may_be_planned_for_a_force_with_loads(text: str, line: dict[str, Any], broken: list[str]) -> None:
    """``broken`` are the rules by which the line is refused."""
    ask = planning_sheet.planning_ask(table(world(f"A1 0405 {text}{NOW}")), "alliance")
    assert sorted({one.rule for one in refused(ask, {"A1": line})}) == broken


@pytest.mark.rule("pq17", "9.3", "6.3.2.1")
def test_least_fuel_is_that_of_a_ship() -> None:
    state = world(f"A1 0405 TUG[fuel=9]+POD[carried_by=A1.TUG]{NOW}")
    assert can_pay(state, state.task_forces["A1"], "combat")
    assert "Least fuel of a ship: 9" in planning_sheet.planning_ask(table(state), "alliance").form.line("A1").note


@pytest.mark.rule("pq17", "5.4.1")
def test_a_pod_on_its_tug_is_not_towed_and_calls_for_no_towing() -> None:
    state = world(f"A1 0405 TUG+POD[carried_by=A1.TUG]{NOW}")
    ask = planning_sheet.planning_ask(table(state), "alliance")
    assert "tow" not in {field.key for field in ask.form.line("A1").fields}
    state = world(f"A1 0405 TUG+POD[carried_by=A1.TUG]+HK{NOW}")
    ask = planning_sheet.planning_ask(table(state), "alliance")
    (wrong,) = refused(ask, {"A1": {"tow": "A1.TUG>A1.POD"}})
    assert (wrong.rule, wrong.legal) == ("PQ-17 5.4.1", "tow A1.TUG")


@pytest.mark.rule("pq17", "T2", "10.3.7.2.2")
def test_a_pod_taken_up_does_not_begin_the_count_of_crawling_again() -> None:
    """The tug has crawled for two turns and moves now; the pod has not."""
    state = world("A1 0405 TUG[crawl_turns=2]+POD[carried_by=A1.TUG] speed WC plot 0406\nturn 2 impulse 2 half A")
    state.doctrine["alliance"].ask_every_impulse = True
    assert [ask.kind for ask in asked_in(impulse_plots.plot_movement_steps(table(state)))] == ["plot"]


@pytest.mark.rule("pq17", "5.4.4")
def test_towing_a_tug_takes_its_pods_along() -> None:
    """30 and 30 boxes for 1 + 1 1/2: practical speed 24, Cruise and no more."""
    state = world(f"A1 0405 CA+TUG+POD#2[carried_by=A1.TUG]{NOW}")
    state.task_forces["A1"].tows = [forces.TowGroup(tower="A1.CA", towed=["A1.TUG"])]
    ask = planning_sheet.planning_ask(table(state), "alliance")
    assert refused(ask, {"A1": {"speed": Speed.CRUISE.value}}) == []
    assert refused(ask, {"A1": {"speed": Speed.SPRINT.value}}) != []


# --- mines ------------------------------------------------------------------------------------------------------------
def struck(state: State, answer: Any, *dice: int) -> tuple[list[str], list[str]]:
    """Let the minefield attack A1; what each side is told."""
    state.mines.transits = [minefields.Transit(task_force="A1", start="0405", end="0405")]
    at = table(state, *dice)
    run(minefield_attack_steps(at), lambda ask: answer if ask.kind == "mine damage" else None)
    return told(at, "alliance"), told(at, "coalition")


@pytest.mark.rule("pq17", "12.7.4")
def test_mines_fall_on_ships_and_never_on_pods() -> None:
    """Of four units two are ships: the die has two faces. Attacks: 1 of the die, 1 of the strength."""
    texts, _ = struck(mined(f"mines 0405 coalition 1\n{MINED_TUG}"), None, 1, 2, 1, 8, 8, 1, 1)
    assert texts[0] == "A1 met the minefield in 0405: 2 mine attacks, hits A1.TUG on shield #1, A1.SH on shield #1."


@pytest.mark.rule("pq17", "12.7.8", "12.7.4")
def test_minesweepers_alone_with_their_pods_are_not_asked_to_screen() -> None:
    state = mined("mines 0405 coalition 1\nA1 0405 MS+POD[carried_by=A1.MS] speed 2")
    state.mines.transits = [minefields.Transit(task_force="A1", start="0405", end="0405")]
    assert asked_in(minefield_attack_steps(table(state, 1, 1))) == []


@cases("proves, text, answer, dice, units, points", "points")
def test_what_mines_take_of_ships_and_their_loads(
    text: str, answer: dict[str, Any], dice: tuple[int, ...], units: list[str], points: list[str]
) -> None:
    """What is left of A1, and what each loss is worth."""
    state = mined(f"mines 0405 coalition 1\nA1 0405 {text} speed 2 ID1")
    _, enemy = struck(state, answer, *dice)
    assert (state.task_forces["A1"].units if "A1" in state.task_forces else []) == units
    assert {unit.fate for unit in state.units.values() if unit.id not in units} <= {"destroyed"}
    assert [str(line.amount) for line in state.ledger] == points
    assert ("Contact E1 is no more." in enemy) is (not units)


@pytest.mark.rule("pq17", "1.6.3.2", "5.2.3.3")
def test_a_force_that_mines_leave_without_a_working_sensor_becomes_passive() -> None:
    state = mined("mines 0405 coalition 1\nA1 0405 SH+TUG[sensor_track=0] speed 2")
    struck(state, {"A1.SH": {"fate": "destroyed"}}, 1, 1, 1, 8, 1, 1)
    assert state.task_forces["A1"].units == ["A1.TUG"]
    assert not state.task_forces["A1"].posture.active


# --- leaving and coming on --------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "C.schedule.note3")
def test_a_tug_takes_its_pods_over_the_edge_and_on_its_errand() -> None:
    """Neither permit nor errand names the pods."""
    state = world(f"A1 0401 TUG+POD[carried_by=A1.TUG] speed 2 plot exit{NOW}")
    state.progress.permits["A1.TUG"] = progress.Permit(kind="transfer", hexes=["0401"], key="away")
    state.progress.errands["A1.TUG"] = progress.Errand(leave="0401")
    assert exit_refusal(state, state.task_forces["A1"], "0401") is None
    assert planning_sheet.planning_ask(table(state), "alliance").form.prefilled()["A1"]["route"] == "exit"
    run(half_steps(table(state), "alliance"))
    assert "A1" not in state.task_forces
    found = {key: away.state for key, away in state.progress.away.items()}
    assert found == {"A1.TUG": "transferred", "A1.POD": "transferred"}


@pytest.mark.rule("pq17", "C.special.gearbox", "C.schedule.note5")
def test_gearbox_brings_four_ships_on_and_what_comes_apart_takes_its_loads() -> None:
    state = special_world("turn 1")
    run(preparatory_steps(table(state, by_label={"condition/": 30, "event/": 4})))
    (arrival,) = [one for one in state.progress.arrivals if one.key.startswith("special")]
    line = period_ask(table(state), "alliance").form.line(arrival.key)
    assert line.label.endswith(": 4 ships")
    (apart,) = [field for field in line.fields if field.key == "apart"]
    assert len(apart.choices) == 4


# --- chapter 8.5.7 with 1.8.12.5: modules in a ship's cargo when task forces form anew after a battle -----------------
LADEN = "A1 0405 CA+FT[module_boxes=12]+MOD[carried_by=A1.FT] speed 2 U\nC1 0405 CA speed 1 U"
RESULT = account("alliance", 1, AT1="ok", AT2="ok", AT3="ok", DF1="destroyed")


@pytest.mark.rule("pq17", "1.8.12.5", "8.5.7.2")
def test_after_a_battle_a_module_goes_where_the_ship_goes_that_has_it_in_its_cargo() -> None:
    at = met(LADEN)
    play(at, battle_of(at), RESULT, {"A1.FT": {"force": 2}})
    assert {tf.id: tf.units for tf in at.state.all_task_forces()} == {"A1": ["A1.CA"], "A2": ["A1.FT", "A1.MOD"]}
    assert list(defects(at.state)) == []


@cases("ship, legal", "")
def test_a_module_in_cargo_cannot_be_sent_elsewhere_than_its_ship(ship: dict[str, dict[str, int]], legal: str) -> None:
    at = met(LADEN)
    with pytest.raises(refusals.Refused) as refused:
        play(at, battle_of(at), RESULT, {**ship, "A1.MOD": {"force": 3}})
    assert "is cargo of" in str(refused.value)
    assert "1.8.12.5" in str(refused.value)
    assert [one.legal for one in refused.value.refusals] == [legal]


@pytest.mark.rule("pq17", "1.8.12.5")
def test_a_module_may_be_named_where_its_ship_goes() -> None:
    at = met(LADEN)
    play(at, battle_of(at), RESULT, {"A1.FT": {"force": 2}, "A1.MOD": {"force": 2}})
    assert at.state.task_forces["A2"].units == ["A1.FT", "A1.MOD"]
