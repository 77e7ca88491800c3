"""Restrictions on moving hold where a force moves: shadowing, staying after all, driven out of port."""

from typing import Any

import pytest

from rules_engine.core.protocol import asks, turn_context
from rules_engine.rulebooks.pq17.campaign.command_points import charge, must_go_home
from rules_engine.rulebooks.pq17.ch06_reconnaissance.shadowing import end_shadowing
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.plotting.impulse_plots import plot_movement_steps
from rules_engine.rulebooks.pq17.records.forces import PORT, STAY, IdLevel, TaskForce
from rules_engine.rulebooks.pq17.records.progress import CommandAccount, Direct
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.sequence import half_steps
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.rulebooks.pq17.worlds.campaign import campaign, put
from tests.rulebooks.pq17.worlds.notation import run, table, told

BOUND = "BATRON-N"
DICE = {"surprise": 2, "conditions": 5, "main roll": 100, "ID roll": 1}
"""Of bases, which search by themselves."""


def bank(state: State, nation: str, points: int) -> None:
    state.progress.command[nation] = CommandAccount(bank=points)


def spent(state: State, nation: str) -> int:
    return state.progress.command[nation].spent


def sail(state: State, hex_id: str, *kinds: str, tf_id: str = "A1", step: str = "", **fields: Any) -> TaskForce:
    """A force at speed 2, known to the enemy, with a plotted step."""
    given: dict[str, Any] = {"speed": Speed.CRUISE, "plotted": Speed.CRUISE, "id_level": IdLevel.ID0, **fields}
    return put(state, tf_id, hex_id, *kinds, plot=step, **given)


def half(state: State, phasing: str) -> turn_context.TurnContext[State]:
    """One side's half of an impulse, from its moves to its battles; nobody searches, attacks or uses an option."""
    state.turn, state.impulse = 1, 1
    state.half, state.initiative = "A", phasing
    at = table(state, by_label=DICE)
    announce_detections(at)
    at.shared.reports.clear()
    run(half_steps(at, phasing))
    return at


# --- the Kzintis' far hexes: 0807 touches their base in 0806, 0808 is two hexes from it -----------------------------
@pytest.mark.rule("pq17", "C.cp.kzinti", "7.3.2")
@pytest.mark.parametrize(("step", "points"), [("0808", 2), ("0806", 1), (STAY, 1)])
def test_a_kzinti_shadower_pays_for_the_far_hex_it_is_led_into(step: str, points: int) -> None:
    """One point for being out of port, one for 0808; none for a base's own hex, nor for staying."""
    state = campaign()
    bank(state, "kzinti", 2)
    sail(state, "0807", "KZI-FF", shadowing="C1")
    sail(state, "0807", "KLI-DD", tf_id="C1", step=step)
    half(state, "coalition")
    assert state.task_forces["A1"].hex == ("0807" if step == STAY else step)
    assert spent(state, "kzinti") == points


@pytest.mark.rule("pq17", "C.cp.kzinti", "4.2.3", "7.3.2")
def test_a_kzinti_shadower_without_a_point_for_the_far_hex_stays_behind() -> None:
    state = campaign()
    bank(state, "kzinti", 1)
    tf = sail(state, "0807", "KZI-FF", shadowing="C1", plotted=Speed.EFFICIENT)
    sail(state, "0807", "KLI-DD", tf_id="C1", step="0808")
    at = half(state, "coalition")
    assert (tf.hex, state.task_forces["C1"].hex) == ("0807", "0808")
    assert (tf.shadowing, tf.speed) == ("", Speed.EFFICIENT)  # 7.4.4.2: back at the speed it plotted
    assert spent(state, "kzinti") == 1  # for being out of port
    assert state.has_mark(tf, "moved")  # its point is expended in place
    assert "A1 no longer shadows E2; its speed is 1." in told(at, "alliance")
    assert "E6 no longer shadows your C1." in told(at, "coalition")
    assert not any("point" in text for text in told(at, "coalition"))


@pytest.mark.rule("pq17", "C.cp.kzinti", "4.2.3", "7.3.2")
def test_one_point_lets_one_of_two_kzinti_shadowers_follow() -> None:
    state = campaign()
    bank(state, "kzinti", 2)
    sail(state, "0807", "KZI-FF", shadowing="C1")
    sail(state, "0807", "KZI-FF", tf_id="A2", shadowing="C1")
    sail(state, "0807", "KLI-DD", tf_id="C1", step="0808")
    half(state, "coalition")
    assert [state.task_forces[one].hex for one in ("A1", "A2")] == ["0808", "0807"]
    assert spent(state, "kzinti") == 2


@pytest.mark.rule("pq17", "C.cp.kzinti", "7.3.2")
def test_who_shadows_a_force_that_stays_behind_stays_with_it() -> None:
    """C2 shadows A1, which shadows C1 (ruling MOV-9): without A1 it goes nowhere, its point is expended in place."""
    state = campaign()
    bank(state, "kzinti", 1)
    sail(state, "0807", "KZI-FF", shadowing="C1")
    sail(state, "0807", "KLI-DD", tf_id="C1", step="0808")
    other = sail(state, "0807", "KLI-DN", tf_id="C2", shadowing="A1")
    half(state, "coalition")
    assert (other.hex, other.shadowing) == ("0807", "A1")
    assert state.has_mark(other, "moved")


# --- the bound squadron ---------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "C.oob.klingon.restriction", "7.3.2")
@pytest.mark.parametrize(("released", "ends_in"), [(False, "1715"), (True, "1614")])
def test_the_bound_squadron_is_not_led_out_of_its_hex(released: bool, ends_in: str) -> None:
    state = campaign()
    state.progress.released = released
    tf = sail(state, "1715", "KLI-DN", tf_id="C1", shadowing="A1", tags=[BOUND])
    sail(state, "1715", "FED-DD", step="1614")
    half(state, "alliance")
    assert (tf.hex, state.task_forces["A1"].hex) == (ends_in, "1614")
    assert tf.shadowing == ("A1" if released else "")


@pytest.mark.rule("pq17", "C.oob.klingon.restriction", "7.3.2")
def test_the_bound_squadron_may_shadow_within_its_hex() -> None:
    state = campaign()
    tf = sail(state, "1715", "KLI-DN", tf_id="C1", shadowing="A1", tags=[BOUND])
    sail(state, "1715", "FED-DD", step=STAY)
    half(state, "alliance")
    assert (tf.hex, tf.shadowing) == ("1715", "A1")


# --- the direct way: 1016 and 1116 are two hexes from 1217, 1117 is one, 0916 is three ------------------------------
def reinforcement(state: State, hex_id: str = "1016", **fields: Any) -> TaskForce:
    tf = sail(state, hex_id, "FED-DN", **fields)
    state.progress.direct[tf.units[0]] = Direct(hex="1217", kind="arrival")
    return tf


@pytest.mark.rule("pq17", "C.schedule.note3", "C.cp.reinforcements", "7.3.2")
@pytest.mark.parametrize(("step", "points"), [("1117", 0), ("1116", 1), ("0916", 1), (STAY, 1)])
def test_a_reinforcement_that_shadows_off_its_way_needs_a_point(step: str, points: int) -> None:
    state = campaign()
    tf = reinforcement(state, shadowing="C1")
    sail(state, "1016", "KLI-DD", tf_id="C1", step=step)
    half(state, "coalition")
    assert tf.hex == ("1016" if step == STAY else step)
    assert spent(state, "federation") == points
    assert (tf.units[0] in state.progress.direct) == (points == 0)


@pytest.mark.rule("pq17", "C.schedule.note3", "4.2.3", "7.3.2")
@pytest.mark.parametrize(("step", "ends_in"), [("1117", "1117"), ("0916", "1016"), (STAY, "1016")])
def test_without_points_it_follows_no_further_than_its_way_goes(step: str, ends_in: str) -> None:
    """What it may not follow it does not follow: its point in place is no choice of its own (ruling CP-12)."""
    state = campaign()
    bank(state, "federation", 0)
    tf = reinforcement(state, shadowing="C1")
    sail(state, "1016", "KLI-DD", tf_id="C1", step=step)
    half(state, "coalition")
    assert (tf.hex, tf.shadowing) == (ends_in, "C1" if ends_in == "1117" else "")
    assert tf.units[0] in state.progress.direct
    assert not must_go_home(state, tf)


@pytest.mark.rule("pq17", "C.schedule.note3", "5.3.5.3", "5.3.5.4")
@pytest.mark.parametrize("mark", ["searched", "attempted_attack", "declared_shadowing"])
def test_a_reinforcement_that_searches_instead_of_sailing_on_needs_a_point(mark: Any) -> None:
    """It plotted the direct way, and what it chose to do keeps it where it is."""
    state = campaign()
    tf = reinforcement(state, step="1117")
    state.set_mark(tf, mark)
    half(state, "alliance")
    assert tf.hex == "1016"
    assert spent(state, "federation") == 1


@pytest.mark.rule("pq17", "C.schedule.note3", "5.3.5.4")
def test_a_reinforcement_that_has_begun_to_shadow_before_its_move_needs_a_point() -> None:
    state = campaign()
    tf = reinforcement(state, step="1117", shadowing="C1")
    sail(state, "1016", "KLI-DD", tf_id="C1", speed=Speed.STATION)
    half(state, "alliance")
    assert tf.hex == "1016"
    assert spent(state, "federation") == 1


@pytest.mark.rule("pq17", "C.schedule.note3", "5.3.5.1")
@pytest.mark.parametrize(("choice", "points", "ends_in"), [("stay", 1, "1016"), ("go", 0, "1117")])
def test_a_reinforcement_that_stays_because_an_enemy_came_needs_a_point(choice: str, points: int, ends_in: str) -> None:
    state = campaign()
    tf = reinforcement(state, step="1117")
    state.set_mark(sail(state, "1016", "KLI-DD", tf_id="C1"), "entered")
    state.impulse, state.half, state.initiative = 1, "B", "coalition"
    at = table(state)
    announce_detections(at)
    run(half_steps(at, "alliance"), lambda ask: {"A1": {"move": choice}} if ask.kind == "stay" else None)
    assert (tf.hex, spent(state, "federation")) == (ends_in, points)


@pytest.mark.rule("pq17", "C.schedule.note3", "4.2.3", "5.3.5.1")
def test_staying_is_refused_to_a_reinforcement_without_points() -> None:
    state = campaign()
    bank(state, "federation", 0)
    reinforcement(state, step="1117")
    state.set_mark(sail(state, "1016", "KLI-DD", tf_id="C1"), "entered")
    state.impulse, state.half, state.initiative = 1, "B", "coalition"
    found: list[tuple[str, str, str]] = []

    def answer(ask: asks.AnyAsk) -> None:
        if ask.kind == "stay":
            found.extend((one.path, one.rule, one.problem) for one in ask.check(ask.model({"A1": {"move": "stay"}})))

    at = table(state)
    announce_detections(at)
    run(half_steps(at, "alliance"), answer)
    problem = "this needs 1 more command point than the Federation has"
    assert found == [("A1.move", "PQ-17 C.cp.cruisers-and-dreadnoughts", problem)]


@pytest.mark.rule("pq17", "C.schedule.note3", "C.cp.reinforcements")
def test_a_port_on_the_way_is_not_the_goal() -> None:
    """A reinforcement bound for Scapa Flow that puts in at Aikashi leaves its way; at Scapa Flow it arrives."""
    for hex_id, points in (("0419", 1), ("1217", 0)):
        state = campaign()
        reinforcement(state, hex_id, step=PORT)
        charge(table(state), {"A1": PORT})
        assert spent(state, "federation") == points, hex_id


@pytest.mark.rule("pq17", "C.schedule.note3", "C.cp.reinforcements")
def test_leaving_a_port_on_the_way_costs_no_exemption() -> None:
    """A transfer begins in some port, and the way out of it is no detour."""
    state = campaign()
    reinforcement(state, "0419", in_port="A92")
    assert state.task_forces["A92"].hex == "0419"
    charge(table(state), {"A1": PORT})
    assert spent(state, "federation") == 0


@pytest.mark.rule("pq17", "C.cp.patrol-white", "7.3.2")
@pytest.mark.parametrize(("step", "points"), [("0719", 0), ("0819", 1)])
def test_patrol_white_pays_where_shadowing_leads_it_out_of_its_area(step: str, points: int) -> None:
    """0719 is three hexes from 0419, 0819 four."""
    state = campaign()
    tf = sail(state, "0719" if step == "0819" else "0619", "FED-CA", shadowing="C1")
    state.progress.patrol = list(tf.units)
    sail(state, tf.hex, "KLI-DD", tf_id="C1", step=step)
    half(state, "coalition")
    assert (tf.hex, spent(state, "federation")) == (step, points)


# --- ships without points -------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "4.2.3", "7.4.4")
def test_a_ship_that_must_go_home_shadows_nobody_any_more() -> None:
    state = campaign()
    tf = sail(state, "1016", "FED-DN", shadowing="C1", route=["1117", "1217", PORT])
    sail(state, "1016", "KLI-DD", tf_id="C1")
    state.progress.command["federation"].uncovered = list(tf.units)
    state.impulse = 1
    at = table(state)
    announce_detections(at)
    run(plot_movement_steps(at))
    assert (tf.shadowing, tf.plot) == ("", "1117")


@pytest.mark.rule("pq17", "4.2.3", "7.4.4")
def test_a_ship_with_points_goes_on_shadowing() -> None:
    state = campaign()
    tf = sail(state, "1016", "FED-DN", shadowing="C1")
    sail(state, "1016", "KLI-DD", tf_id="C1")
    state.impulse = 1
    at = table(state)
    announce_detections(at)
    end_shadowing(at)
    assert tf.shadowing == "C1"


@pytest.mark.rule("pq17", "4.2.3", "7.3.2")
@pytest.mark.parametrize(("step", "ends_in"), [("1117", "1117"), ("0916", "1016")])
def test_a_ship_that_must_go_home_follows_on_the_way_home_only(step: str, ends_in: str) -> None:
    state = campaign()
    tf = sail(state, "1016", "FED-DN", shadowing="C1")
    sail(state, "1016", "KLI-DD", tf_id="C1", step=step)
    state.progress.command["federation"].uncovered = list(tf.units)
    half(state, "coalition")
    assert tf.hex == ends_in


@pytest.mark.rule("pq17", "4.2.3", "C.cp.cruisers-and-dreadnoughts")
def test_a_ship_sent_home_needs_a_point_to_leave_port_again() -> None:
    state = campaign()
    tf = put(state, "A1", "1217", "FED-DN", in_port="A91")
    state.progress.command["federation"].uncovered = list(tf.units)
    charge(table(state))
    assert spent(state, "federation") == 0
    charge(table(state), {"A1": PORT})
    assert spent(state, "federation") == 1


# --- driven out of port ---------------------------------------------------------------------------------------------
def driven_out(state: State) -> tuple[TaskForce, turn_context.TurnContext[State]]:
    """Klingons attack Downbelow in the very last half of a period, win, and stay; the ship in port withdraws."""
    tf = put(state, "A1", "0617", "FED-DN", in_port="A93")
    assert state.task_forces["A93"].hex == "0617"
    sail(state, "0617", "KLI-DD", tf_id="C1", speed=Speed.STATION)

    def answer(ask: asks.AnyAsk) -> Any:
        if ask.kind == "attack" and ask.parties == ("coalition",):
            return {"C1": {"target": state.tracks["coalition"].current["A93"]}}
        if ask.kind == "battle":
            fates = {"AT1": {"fate": "ok"}, "DF1": {"fate": "destroyed"}, "DF2": {"fate": "disengaged", "turn": 2}}
            return {"battle": {"winner": "coalition", "turns": 3}, **fates}
        return None

    state.turn, state.impulse, state.half, state.initiative = 30, 3, "B", "alliance"
    at = table(state, by_label=DICE)
    announce_detections(at)
    at.shared.reports.clear()
    run(half_steps(at, "coalition"), answer)
    return tf, at


@pytest.mark.rule("pq17", "C.cp.cruisers-and-dreadnoughts", "4.2.3", "8.5.6.1")
def test_a_dreadnought_driven_out_of_port_in_the_last_half_impulse_of_a_period_costs_its_point() -> None:
    state = campaign(turn=30)
    tf, at = driven_out(state)
    assert tf.in_port == ""
    assert spent(state, "federation") == 1
    assert "Victory points: -1 to the Alliance total. Federation: 1 command point expended." in told(at, "alliance")


@pytest.mark.rule("pq17", "C.cp.cruisers-and-dreadnoughts", "4.2.3", "8.5.6.1")
def test_driven_out_of_port_without_points_it_must_go_home() -> None:
    state = campaign(turn=30)
    bank(state, "federation", 0)
    tf, _ = driven_out(state)
    assert tf.in_port == ""
    assert spent(state, "federation") == 0
    assert must_go_home(state, tf)
