"""Plots that a battle overtakes: between plotting and the second side's moves ships come out of port, join others, or
are damaged. What binds a move binds it where it is made."""

from collections.abc import Callable
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol import asks, turn_context
from rules_engine.rulebooks.pq17.campaign.departures import leave_map
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import come_out_of_port, reorganise
from rules_engine.rulebooks.pq17.ch05_movement import movement, postures
from rules_engine.rulebooks.pq17.ch06_reconnaissance import following, shadowing
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.plotting.impulse_plots import stay_steps
from rules_engine.rulebooks.pq17.records.forces import EXIT, PORT, STAY, IdLevel, TaskForce
from rules_engine.rulebooks.pq17.records.progress import CommandAccount, Direct, Permit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.sequence import half_steps
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.campaign import campaign, put
from tests.rulebooks.pq17.worlds.notation import run, table, told, world

HALF_B = "\nturn 2 impulse 1 half B initiative alliance"
DICE = {"surprise": 2, "conditions": 5, "main roll": 100, "ID roll": 1}
"""Every search and pursuit fails; a known base is attacked without a roll."""


# --- out of port ------------------------------------------------------------------------------------------------------
def raid_on_kiel(
    *, pursues: bool, plot: str = PORT, look: Callable[[asks.AnyAsk, str], None] = lambda _ask, _quarry: None
) -> State:
    """In half A a destroyer attacks Kiel, where another in port has plotted to leave it for 1614. The attacker flees,
    the other pursues it or not, and makes its move in half B."""
    state = campaign(turn=1)
    given: dict[str, Any] = {"in_port": "C91", "speed": Speed.CRUISE, "plotted": Speed.CRUISE}
    put(state, "C1", "1715", "KLI-DD", id_level=IdLevel.ID0, plot=plot, route=[PORT, "1614"], **given)
    put(state, "A1", "1715", "FED-DD", id_level=IdLevel.ID0, speed=Speed.EFFICIENT)

    def answer(ask: asks.AnyAsk) -> Any:
        if ask.kind == "attack" and ask.parties == ("alliance",):
            return {"A1": {"target": state.tracks["alliance"].current["C91"]}}
        if ask.kind == "battle":
            fates = {line.key: {"fate": "ok"} for line in ask.form.lines if line.key.startswith("DF")}
            return {"battle": {"winner": "coalition", "turns": 3}, **fates, "AT1": {"fate": "disengaged", "turn": 2}}
        if ask.kind == "reform" and "Pursuit" in ask.title and pursues:
            look(ask, state.tracks["coalition"].current["A1"])
            return {"force 1": {"pursue": state.tracks["coalition"].current["A1"], "speed": "2"}}
        return None

    state.impulse, state.initiative = 1, "alliance"
    for half, side in (("A", "alliance"), ("B", "coalition")):
        state.half = half  # pyright: ignore[reportAttributeAccessIssue]
        at = table(state, by_label=DICE)
        announce_detections(at)
        run(half_steps(at, side), answer)
    return state


@cases("pursues")
def test_who_plotted_to_leave_port_is_out_of_it_also_if_a_pursuit_led_it_out_before(pursues: bool) -> None:
    tf = raid_on_kiel(pursues=pursues).task_forces["C1"]
    assert (tf.in_port, tf.speed, tf.plot, tf.route) == ("", Speed.CRUISE, "", ["1614"])


@pytest.mark.rule("pq17", "5.3.5", "5.5.3", "6.4.1", "8.5.6.2")
def test_the_point_for_leaving_port_is_expended_by_who_pursued_out_of_it() -> None:
    state = raid_on_kiel(pursues=True)
    assert state.has_mark(state.task_forces["C1"], "moved")


@pytest.mark.rule("pq17", "5.5.3", "8.5.6.2")
def test_a_stored_route_out_of_port_does_not_lead_back_into_it_after_a_pursuit() -> None:
    """Without a point in this impulse: with the next one it goes to 1614."""
    state = raid_on_kiel(pursues=True, plot="")
    tf = state.task_forces["C1"]
    assert (tf.in_port, tf.route, movement.next_step(state, tf)) == ("", ["1614"], "1614")


@pytest.mark.rule("pq17", "5.5.3")
def test_of_a_route_only_the_step_out_of_port_is_behind_a_force_that_came_out() -> None:
    state = world("A1 0405 CA port A9 speed 2 plot stay route stay,port,0406,0405,port")
    (tf,) = state.all_task_forces()
    come_out_of_port(state, tf)
    assert (tf.in_port, tf.plot, tf.route) == ("", STAY, [STAY, "0406", "0405", PORT])
    come_out_of_port(state, tf)  # it is out: the last step leads into port
    assert tf.route == [STAY, "0406", "0405", PORT]


@pytest.mark.rule("pq17", "5.5.2", "8.5.6.1")
def test_a_plot_to_enter_port_stands_for_who_was_driven_from_a_battle_outside() -> None:
    state = world("A1 0405 CA speed 2 plot port route port")
    (tf,) = state.all_task_forces()
    come_out_of_port(state, tf)
    assert (tf.plot, tf.route) == (PORT, [PORT])


@pytest.mark.rule("pq17", "C.schedule.note3", "C.cp.reinforcements", "C.cp.cruisers-and-dreadnoughts", "8.5.6.2")
def test_a_reinforcement_that_has_reached_its_port_pays_for_coming_out_in_the_same_half_impulse() -> None:
    """It enters Scapa Flow, its goal; Klingons attack the base at once, and it withdraws from the battle."""
    state = campaign(turn=1)
    given: dict[str, Any] = {"speed": Speed.CRUISE, "plotted": Speed.CRUISE}
    tf = put(state, "A1", "1217", "FED-DN", plot=PORT, **given)
    put(state, "C1", "1217", "KLI-DN", id_level=IdLevel.ID0)
    state.progress.direct["A1.FED-DN"] = Direct(hex="1217", kind="arrival")
    state.progress.command["federation"] = CommandAccount(bank=3)

    def answer(ask: asks.AnyAsk) -> Any:
        if ask.kind == "attack" and ask.parties == ("coalition",):
            return {"C1": {"target": state.tracks["coalition"].current["A91"]}}
        if ask.kind == "battle":
            fates = {"AT1": {"fate": "ok"}, "DF1": {"fate": "destroyed"}, "DF2": {"fate": "disengaged", "turn": 2}}
            return {"battle": {"winner": "coalition", "turns": 3}, **fates}
        return None

    state.impulse, state.half, state.initiative = 1, "A", "alliance"
    at = table(state, by_label=DICE)
    announce_detections(at)
    run(half_steps(at, "alliance"), answer)
    assert (state.task_forces["A1"].in_port, state.task_forces["A1"].hex) == ("", "1217")
    assert (tf.units, state.progress.command["federation"].out) == (["A1.FED-DN"], ["A1.FED-DN"])
    assert state.progress.command["federation"].spent == 1


# --- ships that joined ------------------------------------------------------------------------------------------------
def joined(state: State, leader: str, other: str) -> TaskForce:
    """The force that ``leader`` is after a battle in which the ships of ``other`` have joined it. Ruling CMB-19."""
    forces = state.task_forces
    units = [*forces[leader].units, *forces[other].units]
    reorganise(state, forces[leader].side, {leader: units})
    state.impulse, state.half = 1, "B"
    return state.task_forces[leader]


CRUISING: dict[str, Any] = {"speed": Speed.CRUISE, "plotted": Speed.CRUISE}


def moves(state: State) -> turn_context.TurnContext[State]:
    """The Coalition's half: who must stay is told, and the others move."""
    at = table(state)
    staying = run(stay_steps(at, "coalition"))
    movement.move(state, "coalition", staying, following.follow(at, "coalition", staying))
    return at


@cases("released, ends_in", "")
def test_the_bound_squadron_does_not_leave_by_a_plot_of_ships_that_it_has_joined(released: bool, ends_in: str) -> None:
    state = campaign()
    state.progress.released = released
    put(state, "C1", "1715", "KLI-DD", plot="1614", **CRUISING)
    put(state, "C2", "1715", "KLI-DN", tags=["BATRON-N"], **CRUISING)
    tf = joined(state, "C1", "C2")
    at = moves(state)
    assert (tf.hex, tf.plot) == (ends_in, "")
    assert state.has_mark(tf, "moved")  # its point is expended in place
    said = "C1 does not make its plotted move and stays in 1715."
    found = [report.why.rule for report in at.shared.reports if report.text == said and report.why]
    assert found == ([] if released else ["PQ-17 C.oob.klingon.restriction"])


@cases("both")
def test_nobody_leaves_the_map_without_leave_by_a_plot_of_ships_that_have_it(both: bool) -> None:
    state = campaign()
    put(state, "C1", "1715", "KLI-DD", plot=EXIT, **CRUISING)
    put(state, "C2", "1715", "KLI-FF", **CRUISING)
    for unit in ("C1.KLI-DD", "C2.KLI-FF") if both else ("C1.KLI-DD",):
        state.progress.permits[unit] = Permit(kind="convoy", key="one", hexes=["1715"])
    tf = joined(state, "C1", "C2")
    assert (EXIT in movement.destinations(state, tf)) is both
    at = moves(state)
    assert tf.plot == (EXIT if both else "")
    assert len(leave_map(at, "coalition")) == (2 if both else 0)
    found = [report.why.rule for report in at.shared.reports if report.why and "stays in" in report.text]
    assert found == ([] if both else ["PQ-17 C.schedule.note3"])


@cases("goal, points")
def test_a_reinforcement_that_joined_a_force_on_another_way_needs_a_point(goal: str, points: int) -> None:
    """1614 lies on the way to 1613; to 1217 it is five hexes from it, and five from 1715."""
    state = campaign()
    state.progress.command["klingon"] = CommandAccount(bank=3)
    put(state, "C1", "1715", "KLI-DD", plot="1614", **CRUISING)
    put(state, "C2", "1715", "KLI-DN", **CRUISING)
    state.progress.direct["C2.KLI-DN"] = Direct(hex=goal, kind="arrival")
    tf = joined(state, "C1", "C2")
    moves(state)
    assert (tf.hex, state.progress.command["klingon"].spent) == ("1614", points)


@cases("plot, expended")
def test_ships_that_joined_a_force_without_a_point_expend_theirs_in_place(plot: str, expended: bool) -> None:
    """C2 has paid for its point, which the force that it joins at speed 0 does not have (ruling MOV-2)."""
    state = world(f"C1 0405 CA speed 0 ID3\nC2 0405 CA speed 2{f' plot {plot}' if plot else ''} ID3{HALF_B}")
    tf = joined(state, "C1", "C2")
    movement.move(state, "coalition")
    assert (tf.hex, tf.plot, state.has_mark(tf, "moved")) == ("0405", "", expended)


# --- damage -----------------------------------------------------------------------------------------------------------
@cases("left, speed, ends_in", "")
def test_who_is_damaged_below_a_speed_with_a_point_stays_and_its_point_is_spent(left: str, speed: str, ends_in: str):
    """Own ruling PQ-29: it drops at once to what it can; ruling MOV-2: the point is expended in place."""
    state = world(f"C1 0405 CA[{left}] speed 3 plot 0406 ID3{HALF_B}")
    tf = state.task_forces["C1"]
    postures.settle_damage(state, tf)
    at = moves(state)
    assert (tf.speed, tf.hex, tf.plot) == (Speed[speed], ends_in, "")
    assert state.has_mark(tf, "moved")
    assert ("C1 does not make its plotted move and stays in 0405." in told(at, "coalition")) is (ends_in == "0405")


@cases("impulse, enters")
def test_a_wreck_without_a_point_does_not_enter_port(impulse: int, enters: bool) -> None:
    """At speed 1, to which it has dropped, there is a point on impulse 2 alone."""
    now = HALF_B.replace("impulse 1", f"impulse {impulse}")
    state = world(f"C9 0405 DOCK base Lair known\nC1 0405 CA[warp=12] speed 2 plot port ID3{now}")
    tf = state.task_forces["C1"]
    postures.settle_damage(state, tf)
    moves(state)
    assert bool(tf.in_port) is enters


# --- chains -----------------------------------------------------------------------------------------------------------
CHAIN = "A1 0405 CA speed 2 shadows C1 ID2\nC1 0405 CA speed 2 plot 0406 shadows A2 ID2\nA2 0405 CA speed 2 ID2"


@cases("late")
def test_the_point_of_a_force_that_began_to_shadow_is_that_of_its_own_shadowers_too(late: bool) -> None:
    """A1 and C1 have paid for C1's point; then, in half A, C1 begins to shadow A2, which has moved. A1 has paid, unless
    it began in the same half (PQ-191)."""
    state = world(CHAIN + HALF_B)
    state.set_mark(state.task_forces["C1"], "declared_shadowing")
    if late:
        state.set_mark(state.task_forces["A1"], "declared_shadowing")
    assert sorted(tf.id for tf in movement.move(state, "coalition")) == (["C1"] if late else ["A1", "C1"])
    assert {tf.hex for tf in state.all_task_forces()} == {"0405"}


@cases("late")
def test_who_fights_its_target_after_that_expends_the_point_in_place_too(late: bool) -> None:
    at = table(world(CHAIN + HALF_B.replace("half B", "half A")))
    state = at.state
    tf = state.task_forces["A1"]
    state.set_mark(state.task_forces["C1"], "declared_shadowing")
    if late:
        state.set_mark(tf, "declared_shadowing")
    shadowing.lose_shadowing(at, tf, because("PQ-17 7.4.1"))
    state.half = "B"
    movement.move(state, "coalition")
    assert state.has_mark(tf, "moved") is not late
    assert tf.plot == ""


@cases("pursues")
def test_only_who_pursues_out_of_port_may_plan_a_speed_that_nobody_has_in_port(pursues: bool) -> None:
    """In port at most speed 2 may be planned; a pursuit leads out of it."""
    refused: list[str] = []

    def tried(ask: asks.AnyAsk, quarry: str) -> None:
        line = {"speed": "3"} | ({"pursue": quarry} if pursues else {})
        try:
            ask.answer_from({"force 1": line})
        except Refused as wrong:
            refused.extend(one.rule for one in wrong.refusals)

    raid_on_kiel(pursues=True, look=tried)
    assert refused == ([] if pursues else ["PQ-17 5.5.5"])
