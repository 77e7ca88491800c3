"""Restrictions on moving hold where a force moves: shadowing, staying after all, driven out of port."""

from typing import Any

import pytest

from rules_engine.core.protocol import asks, turn_context
from rules_engine.rulebooks.pq17.campaign.command_points import charge, must_go_home
from rules_engine.rulebooks.pq17.ch06_reconnaissance.shadowing import end_shadowing
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.plotting.impulse_plots import plot_movement_steps
from rules_engine.rulebooks.pq17.records.forces import PORT, IdLevel, TaskForce
from rules_engine.rulebooks.pq17.records.progress import CommandAccount, Direct
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.sequence import half_steps
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.battles import detected
from tests.rulebooks.pq17.worlds.campaign import campaign, put
from tests.rulebooks.pq17.worlds.notation import SPEEDS, run, table, told

DICE = {"surprise": 2, "conditions": 5, "main roll": 100, "ID roll": 1}
"""Of bases, which search by themselves."""


NATIONS = ("federation", "kzinti")
"""Whose command points these tests count."""


def bank(state: State, nation: str, points: int) -> None:
    state.progress.command[nation] = CommandAccount(bank=points)


def spent(state: State, nation: str) -> int:
    return state.progress.command[nation].spent


def sail(state: State, hex_id: str, *kinds: str, tf_id: str = "A1", step: str = "", **fields: Any) -> TaskForce:
    """A force at speed 2, known to the enemy, with a plotted step."""
    given: dict[str, Any] = {"speed": Speed.CRUISE, "plotted": Speed.CRUISE, "id_level": IdLevel.ID0, **fields}
    return put(state, tf_id, hex_id, *kinds, plot=step, **given)


def fleet(text: str, **banks: int) -> State:
    """Forces of the campaign at speed 2, known to the enemy: ``A1 0807 KZI-FF shadows C1 / C1 0807 KLI-DD plot 0808``.
    Words after the ship: ``plot``, ``shadows``, ``speed`` and ``plotted``; ``tags`` of the ship; ``mark`` for what it
    has done; ``bound`` with a reinforcement's goal; ``is patrol`` of Patrol White, ``is uncovered`` without a point."""
    state = campaign()
    for nation, points in banks.items():
        bank(state, nation, points)
    for line in text.split(" / "):
        tf_id, hex_id, kind, *words = line.split()
        said = dict(zip(words[::2], words[1::2], strict=True))
        fields: dict[str, Any] = {key: SPEEDS[said[key]] for key in ("speed", "plotted") if key in said}
        fields |= {"shadowing": said.get("shadows", ""), "tags": [said["tags"]] if "tags" in said else []}
        tf = sail(state, hex_id, kind, tf_id=tf_id, step=said.get("plot", ""), **fields)
        if "bound" in said:
            state.progress.direct[tf.units[0]] = Direct(hex=said["bound"], kind="arrival")
        if "mark" in said:
            state.set_mark(tf, said["mark"])  # pyright: ignore[reportArgumentType]
        if said.get("is") == "patrol":
            state.progress.patrol = list(tf.units)
        if said.get("is") == "uncovered":
            state.progress.command["federation"].uncovered = list(tf.units)
    return state


def in_words(state: State, tf: TaskForce) -> str:
    """Where a force is, whom it shadows, whether it is still bound for its goal and must go home."""
    words = [tf.id, tf.hex, *(["shadows", tf.shadowing] if tf.shadowing else [])]
    words += ["bound"] if tf.units[0] in state.progress.direct else []
    words += ["must go home"] if must_go_home(state, tf) else []
    return " ".join([*words, *(["moved"] if state.has_mark(tf, "moved") else [])])


@cases("case, proves, forces, banks, released, phasing, spent, afterwards", "spent, afterwards")
def test_who_follows_whom_and_what_it_costs(
    *, forces: str, banks: dict[str, int], released: bool, phasing: str, spent: str, afterwards: str
) -> None:
    """0807 touches the Kzinti base in 0806, 0808 is two hexes from it; 1016 and 1116 are two hexes from 1217, 1117 is
    one, 0916 is three."""
    state = fleet(forces, **banks)
    state.progress.released = released
    half(state, phasing)
    points = [f"{nation} {points}" for nation in NATIONS if (points := state.progress.command[nation].spent)]
    assert (", ".join(points) or "nothing") == spent
    ships = [tf for tf in state.all_task_forces() if not tf.is_base]
    assert " / ".join(in_words(state, tf) for tf in ships) == afterwards


def half(state: State, phasing: str) -> turn_context.TurnContext[State]:
    """One side's half of an impulse, from its moves to its battles; nobody searches, attacks or uses an option."""
    state.turn, state.impulse = 1, 1
    state.half, state.initiative = "A", phasing
    at = detected(table(state, by_label=DICE))
    run(half_steps(at, phasing))
    return at


# --- the Kzintis' far hexes: 0807 touches their base in 0806, 0808 is two hexes from it -----------------------------
@pytest.mark.rule("pq17", "C.cp.kzinti", "4.2.3", "7.3.2")
def test_a_kzinti_shadower_without_a_point_for_the_far_hex_stays_behind() -> None:
    state = fleet("A1 0807 KZI-FF shadows C1 plotted 1 / C1 0807 KLI-DD plot 0808", kzinti=1)
    tf = state.task_forces["A1"]
    at = half(state, "coalition")
    assert (tf.hex, state.task_forces["C1"].hex) == ("0807", "0808")
    assert (tf.shadowing, tf.speed) == ("", Speed.EFFICIENT)  # 7.4.4.2: back at the speed it plotted
    assert spent(state, "kzinti") == 1  # for being out of port
    assert state.has_mark(tf, "moved")  # its point is expended in place
    assert "A1 no longer shadows E2; its speed is 1." in told(at, "alliance")
    assert "E6 no longer shadows your C1." in told(at, "coalition")
    assert not any("point" in text for text in told(at, "coalition"))


# --- the direct way: 1016 and 1116 are two hexes from 1217, 1117 is one, 0916 is three ------------------------------
def met_by_an_enemy(state: State) -> turn_context.TurnContext[State]:
    """The second half of an impulse in which C1 has entered A1's hex."""
    state.impulse, state.half, state.initiative = 1, "B", "coalition"
    at = table(state)
    announce_detections(at)
    return at


CAME = "A1 1016 FED-DN plot 1117 bound 1217 / C1 1016 KLI-DD mark entered"


@pytest.mark.rule("pq17", "C.schedule.note3", "5.3.5.1")
@pytest.mark.parametrize(("choice", "points", "ends_in"), [("stay", 1, "1016"), ("go", 0, "1117")])
def test_a_reinforcement_that_stays_because_an_enemy_came_needs_a_point(choice: str, points: int, ends_in: str) -> None:
    state = fleet(CAME)
    answer = {"A1": {"move": choice}}
    run(half_steps(met_by_an_enemy(state), "alliance"), lambda ask: answer if ask.kind == "stay" else None)
    assert (state.task_forces["A1"].hex, spent(state, "federation")) == (ends_in, points)


@pytest.mark.rule("pq17", "C.schedule.note3", "4.2.3", "5.3.5.1")
def test_staying_is_refused_to_a_reinforcement_without_points() -> None:
    state = fleet(CAME, federation=0)
    found: list[tuple[str, str, str]] = []

    def answer(ask: asks.AnyAsk) -> None:
        if ask.kind == "stay":
            found.extend((one.path, one.rule, one.problem) for one in ask.check(ask.model({"A1": {"move": "stay"}})))

    run(half_steps(met_by_an_enemy(state), "alliance"), answer)
    problem = "this needs 1 more command point than the Federation has"
    assert found == [("A1.move", "PQ-17 C.cp.cruisers-and-dreadnoughts", problem)]


@pytest.mark.rule("pq17", "C.schedule.note3", "C.cp.reinforcements")
def test_a_port_on_the_way_is_not_the_goal() -> None:
    """A reinforcement bound for Scapa Flow that puts in at Aikashi leaves its way; at Scapa Flow it arrives."""
    for hex_id, points in (("0419", 1), ("1217", 0)):
        state = fleet(f"A1 {hex_id} FED-DN plot {PORT} bound 1217")
        charge(table(state), {"A1": PORT})
        assert spent(state, "federation") == points, hex_id


@pytest.mark.rule("pq17", "C.schedule.note3", "C.cp.reinforcements")
def test_leaving_a_port_on_the_way_costs_no_exemption() -> None:
    """A transfer begins in some port, and the way out of it is no detour."""
    state = fleet("A1 0419 FED-DN bound 1217")
    state.set_port(state.task_forces["A1"], "A92")
    assert state.task_forces["A92"].hex == "0419"
    charge(table(state), {"A1": PORT})
    assert spent(state, "federation") == 0


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
    at = detected(table(state, by_label=DICE))
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
