"""Routes and postures as they are read back can be typed."""

import pytest

from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.forms.routes import PlottedRoute
from rules_engine.rulebooks.pq17.plotting.planning_sheet import planning_ask
from rules_engine.rulebooks.pq17.plotting.routes import read_route, say_route
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.notation import table, world

WORLD = """
A1 0405 CA
A2 0402 CL port A9
A9 0402 BATS base Haven known
C1 0607 CA
"""


def route(tf: str, text: str) -> PlottedRoute:
    state = world(WORLD)
    return read_route(state, state.task_forces[tf], text, Speed.EFFICIENT, f"{tf}.route")


@pytest.mark.rule("pq17", "5.5.1")
@cases("tf, written", "")
def test_a_route_that_is_read_back_can_be_typed(tf: str, written: str) -> None:
    found = route(tf, written)
    assert not found.refusals
    said = say_route(found.steps, found.loop, in_port=tf == "A2")
    assert route(tf, said) == found
    assert route(tf, said.upper()) == found


def test_leaving_a_port_in_which_it_is_not_is_refused() -> None:
    assert [one.legal for one in route("A1", "0404 leave port").refusals] == ["enter port"]
    assert [one.legal for one in route("A2", "enter port").refusals] == ["leave port"]
    assert route("A2", "leave port → 0403").steps == ["port", "0403"]


@pytest.mark.rule("pq17", "5.2.2")
@pytest.mark.parametrize(
    ("written", "words"), [("active", []), ("Active", []), ("-", []), ("warp off, passive", ["warp off", "passive"])]
)
def test_a_posture_that_is_read_back_can_be_typed(written: str, words: list[str]) -> None:
    ask = planning_ask(table(world(WORLD)), "alliance")
    read = read_sheet(ask.form, f"A1: posture {written}")
    assert read == {"A1": {"posture": words}}
    shown = "active" if not words else written
    assert any(f", {shown}" in line for line in ask.read_back(ask.answer_from(read)) if line.startswith("A1"))
