"""Shadowing written down whole: how it begins, goes on into a new turn and ends, and what each side is told of it."""

from typing import Any

import pytest

from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.campaign.command_points import account_of
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import reorganise
from rules_engine.rulebooks.pq17.ch06_reconnaissance import shadowing as ch07
from rules_engine.rulebooks.pq17.ch06_reconnaissance.following import follow
from rules_engine.rulebooks.pq17.plotting.planning_sheet import planning_ask
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.rulebooks.pq17.playing.written_scenes import heard, refused, scene
from tests.rulebooks.pq17.worlds.campaign import campaign, put
from tests.rulebooks.pq17.worlds.notation import asks_of, table, world
from tests.rulebooks.written_texts import compare

Request = pytest.FixtureRequest
BOUND = "BATRON-N"


def reports(at: TurnContext[State]) -> list[str]:
    return [line for report in at.shared.reports for line in heard(at, report)]


@pytest.mark.rule("pq17", "7.2.2", "7.2.2.1")
def test_shadowing_begins_or_not(request: Request) -> None:
    """A1 matches speed 1; A2, a light cruiser, cannot reach 3; A3 would close a circle, which fails (ruling SHD-6)."""
    text = "A1 0405 CA speed 3 U\nC1 0405 CA speed 1 U\nA2 0606 CL speed 2 U\nC2 0606 CA speed 3 U\n"
    at = table(world(text + "A3 0707 CA speed 1 U\nC3 0707 CA speed 1 shadows A3 U"))
    forces = at.state.task_forces
    for number in (1, 2, 3):
        ch07.try_to_shadow(at, forces[f"A{number}"], forces[f"C{number}"])
    compare(request, reports(at))


@pytest.mark.rule("pq17", "7.4.3", "7.4.4", "7.3.2")
def test_shadowing_ends_in_plot_movement(request: Request) -> None:
    """A1 has no fuel for a hex at speed 3; A2's target is gone to another hex; A3 cannot go at speed 3; A4 ceases at
    its owner's order and keeps its speed; A5's target is destroyed."""
    text = "A1 0405 CA[fuel=1] speed 1 shadows C1 U\nC1 0405 CA speed 3 U\n"
    text += "A2 0303 CA speed 2 shadows C2 U\nC2 0304 CA speed 2 U\n"
    text += (
        "A3 0606 CL speed 1 shadows C3 U\nC3 0606 CA speed 3 U\nA4 0707 CA speed 3 shadows C4 U\nC4 0707 CA speed 1 U\n"
    )
    state = world(text + "A5 0808 CA speed 1 shadows C9 U\nturn 2 impulse 1 half A initiative alliance")
    at = table(state)
    ch07.cease(at, state.task_forces["A4"], keep_speed=True)
    ch07.end_shadowing(at)
    compare(request, reports(at))


@pytest.mark.rule("pq17", "7.5", "7.5.2", "7.5.4", "7.5.5", "7.5.6", "7.5.7", "7.3.6", "SOP.2.a.vi.3")
def test_a_target_splits_between_turns(request: Request) -> None:
    """A1 follows one part, A2 is told to end; A3, a light cruiser, cannot keep up with its target's new speed."""
    text = "A1 0405 CA+DD speed 3 shadows C1 U\nC1 0405 CA+DD speed 2 U\n"
    text += "A3 0606 CL speed 1 shadows C3 U\nC3 0606 CA speed 3 U"
    at = table(world(text + "\nturn 3 initiative alliance"))
    ch07.remember_links(at.state)
    reorganise(at.state, "coalition", {"C1": ["C1.CA"], "C2": ["C1.DD"], "C3": ["C3.CA"]})
    reorganise(at.state, "alliance", {"A1": ["A1.CA"], "A2": ["A1.DD"], "A3": ["A3.CL"]})
    found = scene(at, ch07.continue_shadowing_steps(at), {"shadow alliance": [{"A2": {"target": None}}]})
    compare(request, found)


@pytest.mark.rule("pq17", "7.5.4")
def test_assignments_that_are_refused(request: Request) -> None:
    at = table(world("A1 0405 CA speed 3 shadows C1 U\nC1 0405 CA+DD speed 2 U\nturn 3"))
    ch07.remember_links(at.state)
    reorganise(at.state, "coalition", {"C1": ["C1.CA"], "C2": ["C1.DD"]})
    (ask,) = asks_of(ch07.continue_shadowing_steps(at))
    wrong: list[dict[str, Any]] = [{"A1": {"target": "E9"}}, {"A5": {"target": "E1"}}]
    compare(request, [*refused(ask, wrong)])


@pytest.mark.rule("pq17", "7.5.2", "SOP.2.a.vi.1")
def test_reorganisations_that_close_a_circle(request: Request) -> None:
    """A1 shadows C1 and C2 shadows A2; both pairs combine. The Coalition assigns first, so that A1's fails (SHD-6)."""
    text = (
        "A1 0405 CA speed 1 U shadows C1\nA2 0405 CA speed 2 U\nC1 0405 CA speed 1 U\nC2 0405 CA speed 2 U shadows A2"
    )
    at = table(world(text + "\nturn 3 initiative alliance"))
    ch07.remember_links(at.state)
    reorganise(at.state, "alliance", {"A1": ["A1.CA", "A2.CA"]})
    reorganise(at.state, "coalition", {"C2": ["C1.CA", "C2.CA"]})
    compare(request, scene(at, ch07.continue_shadowing_steps(at)))


@pytest.mark.rule("pq17", "4.2.3", "C.cp.kzinti", "7.3.1", "7.3.2")
def test_shadowers_that_may_not_follow(request: Request) -> None:
    """The Kzinti A1 has no command point for 0808, which its target goes to; A2 has come to its leader in this impulse
    and has no fuel for the hex that it must pay for now."""
    state = campaign()
    account_of(state, "kzinti").bank = 0
    fields: dict[str, Any] = {"speed": Speed.CRUISE, "plotted": Speed.EFFICIENT, "id_level": IdLevel.ID0}
    put(state, "A1", "0807", "KZI-FF", shadowing="C1", **fields)
    put(state, "A2", "1010", "FED-FF", shadowing="C2", **fields)
    put(state, "C1", "0807", "KLI-DD", plot="0808", **fields)
    put(state, "C2", "1010", "KLI-DD", plot="1011", **fields)
    state.turn, state.impulse, state.half, state.initiative = 1, 1, "A", "coalition"
    state.units["A2.FED-FF"].fuel *= 0
    state.set_mark(state.task_forces["A2"], "declared_shadowing")
    at = table(state)
    follow(at, "coalition")
    compare(request, reports(at))


@pytest.mark.rule("pq17", "4.2.3", "7.3.2", "7.4.4")
def test_a_shadower_that_must_go_home(request: Request) -> None:
    state = campaign()
    account = account_of(state, "kzinti")
    account.bank, account.spent = 0, 0
    fields: dict[str, Any] = {"speed": Speed.CRUISE, "plotted": Speed.EFFICIENT, "id_level": IdLevel.ID0}
    put(state, "A1", "0808", "KZI-FF", shadowing="C1", **fields)
    put(state, "C1", "0808", "KLI-DD", **fields)
    state.turn, state.impulse = 1, 1
    at = table(state)
    ch07.end_shadowing(at)
    compare(request, reports(at))


@pytest.mark.rule("pq17", "C.oob.klingon.restriction", "7.3.2")
def test_the_bound_squadron_is_not_led_away(request: Request) -> None:
    """Nor may it plot so: no Federation warship has been identified away from its bases."""
    state = campaign()
    fields: dict[str, Any] = {"speed": Speed.CRUISE, "plotted": Speed.CRUISE, "id_level": IdLevel.ID0}
    put(state, "A1", "1715", "FED-DD", plot="1614", **fields)
    put(state, "C1", "1715", "KLI-DN", shadowing="A1", tags=[BOUND], **fields)
    put(state, "C2", "1715", "KLI-DN", tags=[BOUND], **fields)
    state.turn, state.impulse, state.half, state.initiative = 1, 1, "A", "alliance"
    at = table(state)
    follow(at, "alliance")
    wrong = refused(planning_ask(table(state), "coalition"), [{"C2": {"speed": "2", "route": "1614"}}])
    compare(request, [*reports(at), *wrong])
