"""Pursuit out of port is a sortie: it needs command points like a plotted one. Ruling CP-4."""

from typing import Any

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.progress import CommandAccount
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.sequence import half_steps
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.rulebooks.pq17.worlds.campaign import campaign, put
from tests.rulebooks.pq17.worlds.notation import run, table

DICE = {"surprise": 2, "conditions": 5, "main roll": 100, "ID roll": 1}


def beaten_off(points: int, ships: tuple[str, ...] = ("KLI-DN",), port: str = "C91", **account: Any) -> State:
    """A destroyer attacks Kiel while a squadron is in port there, or beside it."""
    state = campaign(turn=30)
    state.progress.command["klingon"] = CommandAccount(bank=points, **account)
    put(state, "C1", "1715", *ships, in_port=port, id_level=IdLevel.ID0)
    put(state, "A1", "1715", "FED-DD", id_level=IdLevel.ID0, speed=Speed.EFFICIENT)
    state.impulse, state.half, state.initiative = 3, "B", "coalition"
    return state


def pursuit(state: State, sheet: dict[str, Any], *, silent: bool = False) -> list[tuple[str, str, str]]:
    """Play the half; the defenders win and the destroyer flees. Gives the refusals of the winner's ``sheet``, where the
    destroyer is called ``quarry``; a legal sheet is sent. ``silent``: standing orders decide, and nobody answers."""
    refused: list[tuple[str, str, str]] = []

    def answer(ask: AnyAsk) -> Any:
        if ask.kind == "attack" and ask.parties == ("alliance",):
            return {"A1": {"target": state.tracks["alliance"].current["C91"]}}
        if ask.kind == "battle":
            fates = {line.key: {"fate": "ok"} for line in ask.form.lines if line.key.startswith("DF")}
            fled = {"AT1": {"fate": "disengaged", "turn": 2}}
            return {"battle": {"winner": "coalition", "turns": 3}, **fates, **fled}
        if ask.kind == "reform" and "Pursuit" in ask.title and not silent:
            prey = state.tracks["coalition"].current["A1"]
            given = {
                key: {name: prey if value == "quarry" else value for name, value in line.items()}
                for key, line in sheet.items()
            }
            found = ask.check(ask.model.model_validate(given))
            refused.extend((one.path, one.rule, one.problem) for one in found)
            return None if found else given
        return None

    at = table(state, by_label=DICE)
    announce_detections(at)
    run(half_steps(at, "alliance"), answer)
    return refused


SHORT = "this needs 1 more command point than the Klingon has"
RULE = "PQ-17 C.cp.cruisers-and-dreadnoughts"


@pytest.mark.rule("pq17", "4.2.3", "8.5.6.2", "C.cp.cruisers-and-dreadnoughts")
def test_a_dreadnought_does_not_pursue_out_of_port_without_a_point() -> None:
    state = beaten_off(0)
    assert pursuit(state, {"force 1": {"pursue": "quarry", "speed": "1"}}) == [("force 1.pursue", RULE, SHORT)]
    assert (state.task_forces["C1"].in_port, state.progress.command["klingon"].spent) == ("C91", 0)


@pytest.mark.rule("pq17", "4.2.3", "8.5.6.2", "C.cp.cruisers-and-dreadnoughts")
def test_pursuit_out_of_port_in_the_last_half_impulse_of_a_period_is_paid_for() -> None:
    state = beaten_off(1)
    assert pursuit(state, {"force 1": {"pursue": "quarry", "speed": "1"}}) == []
    account = state.progress.command["klingon"]
    assert (account.bank, account.spent, account.out) == (0, 1, ["C1.KLI-DN"])


@pytest.mark.rule("pq17", "4.2.3", "8.5.6.2", "C.cp.cruisers-and-dreadnoughts")
def test_who_was_out_this_period_or_needs_no_point_pursues_without_one() -> None:
    """A dreadnought that has been out this period, and a destroyer."""
    pursue = {"force 1": {"pursue": "quarry", "speed": "1"}}
    assert pursuit(beaten_off(0, out=["C1.KLI-DN"], spent=1), pursue) == []
    assert pursuit(beaten_off(0, ships=("KLI-DD",)), pursue) == []


@pytest.mark.rule("pq17", "4.2.3", "8.5.6.2", "C.cp.cruisers-and-dreadnoughts")
def test_the_ships_split_off_for_a_pursuit_are_those_that_need_the_point() -> None:
    sheet: dict[str, Any] = {"C1.KLI-DD": {"force": 2}, "force 2": {"pursue": "quarry", "speed": "1"}}
    assert pursuit(beaten_off(0, ships=("KLI-DN", "KLI-DD")), sheet) == []
    sheet = {"C1.KLI-DN": {"force": 2}, "force 2": {"pursue": "quarry", "speed": "1"}}
    found = pursuit(beaten_off(0, ships=("KLI-DN", "KLI-DD")), sheet)
    assert found == [("force 2.pursue", RULE, SHORT)]
    sheet["force 1"] = sheet["force 2"]  # both pursue, and only the dreadnought is refused
    found = pursuit(beaten_off(0, ships=("KLI-DN", "KLI-DD")), sheet)
    assert found == [("force 2.pursue", RULE, SHORT)]


@pytest.mark.rule("pq17", "4.2.3", "8.5.6.2")
def test_standing_orders_to_pursue_do_not_lead_out_of_port_without_a_point() -> None:
    state = beaten_off(0)
    state.doctrine["coalition"].orders = read_orders("regroup keep; pursue battle", "", of_side=True)[0]
    pursuit(state, {}, silent=True)
    assert state.task_forces["C1"].in_port == "C91"
    state = beaten_off(1)
    state.doctrine["coalition"].orders = read_orders("regroup keep; pursue battle", "", of_side=True)[0]
    pursuit(state, {}, silent=True)
    assert state.task_forces["C1"].in_port == ""
