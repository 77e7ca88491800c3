"""Logistics sheets written down whole: docking, transfers and construction."""

from typing import Any

import pytest

from rules_engine.core.forms.forms import Form
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.pq17.ch01_forces.construction import carry_out_construction, note_disturbances
from rules_engine.rulebooks.pq17.ch10_supply.routine import routine_plan
from rules_engine.rulebooks.pq17.plotting.logistics_sheet import logistics_ask, logistics_steps
from rules_engine.rulebooks.pq17.plotting.planning_sheet import planning_ask
from rules_engine.rulebooks.pq17.records.forces import Marks
from rules_engine.rulebooks.pq17.records.state import State
from tests.rulebooks.pq17.ch01_forces.test_construction import READY, site
from tests.rulebooks.pq17.playing.written_scenes import answered, heard, put, refused, scene, sheet
from tests.rulebooks.pq17.worlds.notation import asks_of, run, table
from tests.rulebooks.pq17.worlds.supply import depot, empty, unit
from tests.rulebooks.written_texts import compare

Request = pytest.FixtureRequest


def ask_of(state: State) -> AnyAsk:
    return logistics_ask(table(state), "alliance", routine_plan(state, "alliance"))


@pytest.mark.rule("pq17", "10.3.7.1", "10.3.7.2", "10.3.7.4", "10.3.8.1", "SOP.2.a.iv.1", "SOP.2.a.iv.2")
def test_a_base_with_a_freighter_and_a_cruiser_in_port(request: Request) -> None:
    """The freighter brings 40 supply points and lacks 2 fuel; the cruiser lacks 6. The base has 75 boxes, of which
    25 are empty."""
    state = depot("A9 0303 BATS base Haven known\nA1 0303 CA+FT logistics port A9\nC1 0606 CA speed 1")
    empty(state, "A9.BATS", fuel=12, supply=50)
    empty(state, "A1.FT", fuel=4, supply=40, fuel_cargo=1)
    unit(state, "A1.CA").fuel -= 6
    ask = ask_of(state)
    found = [*put(table(state), ask), *answered(ask, ask.default)]
    orders: list[dict[str, Any]] = [
        {"stores": {"plan": "nothing"}},
        {"A9.BATS": {"give": ""}, "A1.FT": {"give": "> A9.BATS 25 supply"}, "dock-A9.BATS": {"ships": ["A1.FT"]}},
        {"A9.BATS": {"give": ""}, "A1.FT": {"give": "> A9.BATS 40 supply"}, "stores": {"lose": True}},
    ]
    for order in orders:
        found += answered(ask, ask.answer_from(order))
    compare(request, found)


@pytest.mark.rule("pq17", "10.3.7.2", "10.3.9")
def test_a_tender_a_drone_ship_and_supply_of_their_own(request: Request) -> None:
    """What finds no room is lost, supply that no order turns into something, and drones that no record covers."""
    state = depot("A1 0405 PT+PF+DR+RS logistics\nA2 0606 FT\nC1 0606 CA speed 1")
    empty(state, "A1.RS", fuel=8, supply=10)
    empty(state, "A1.DR", fuel=15)
    unit(state, "A1.PF").carried_by = "A1.PT"
    ask = ask_of(state)
    found = [*put(table(state), ask), *answered(ask, ask.default)]
    orders: list[dict[str, Any]] = [
        {"A1.RS": {"give": "> A1.DR 4 supply"}},
        {"A1.RS": {"give": "> A1.DR 4 supply as general drones"}},
        {"A1.RS": {"give": "> A1.RS 3 supply as fuel"}},
    ]
    for order in orders:
        found += answered(ask, ask.answer_from(order))
    compare(request, found)


@pytest.mark.rule("pq17", "10.3.10.1")
def test_the_stores_of_a_side_in_planning(request: Request) -> None:
    ask = planning_ask(table(depot("A1 0405 FT\nC1 0606 CA")), "alliance")
    lines = tuple(line for line in ask.form.lines if line.key == "stores")
    compare(request, [*sheet(Form(lines=lines, why_absent=ask.form.why_absent))])


# --- construction -----------------------------------------------------------------------------------------------------


def building(state: State) -> AnyAsk:
    (ask,) = [ask for ask in asks_of(logistics_steps(table(state))) if ask.parties == ("alliance",)]
    return ask


def built(state: State, *, disturbed: bool = False, **order: Any) -> list[str]:
    """Plan a construction, let it be disturbed by a search or not, and carry it out: what is read back and told."""
    at = table(state)
    found = scene(at, logistics_steps(at), {"logistics alliance": [{"build-A1": order}]}, brief=("logistics",))
    state.units["A1.TG"].marks = Marks(searched=disturbed)
    state.impulse = 2
    note_disturbances(state)
    state.impulse, state.units["A1.TG"].marks = 0, Marks()
    at = table(state)
    carry_out_construction(at, "alliance")
    state.logistics, state.turn = {}, state.turn + 1
    return [*found, *(line for report in at.shared.reports for line in heard(at, report))]


@pytest.mark.rule("pq17", "1.8.12.4", "1.8.12.7", "1.8.12.9", "1.8.12.10")
def test_a_base_can_be_built(request: Request) -> None:
    """Of two core pods, with a repair pod more, beside an old base."""
    ask = building(state := site("A9 0405 BATS base Haven known LC2\n" + READY + "\nC1 0405 CA ID0"))
    lines = tuple(line for line in ask.form.lines if line.key == "build-A1")
    orders = [
        {"build": "MB", "near": "A9", "place": "12 hexes, direction C", "parts": ["A1.RP"]},
        {"build": "MB", "conditions": "3"},
    ]
    found = [*sheet(Form(lines=lines, why_absent=ask.form.why_absent))]
    found += [line for order in orders for line in answered(ask, ask.answer_from({"build-A1": order}))]
    compare(request, [*found, *built(state, **orders[0])])


@pytest.mark.rule("pq17", "1.8.12.4", "1.8.12.7", "1.8.12.8")
def test_a_base_is_built_put_to_work_and_extended(request: Request) -> None:
    state = site(READY)
    found = built(state, build="MB", disturbed=True)
    (base,) = [one for one in state.units.values() if one.class_id.startswith("MB")]
    lines = tuple(line for line in building(state).form.lines if line.key == "build-A1")
    found += sheet(Form(lines=lines, why_absent=building(state).form.why_absent))
    found += built(state, build=f"activate {base.id}", disturbed=True)
    found += built(state, build=f"activate {base.id}")
    found += built(state, build=f"extend {base.id}", parts=["A1.RP"], disturbed=True)
    found += built(state, build=f"extend {base.id}", parts=["A1.RP"])
    compare(request, found)


@pytest.mark.rule("pq17", "1.8.11", "1.8.12.9")
def test_in_a_nebula_conditions_are_terrible(request: Request) -> None:
    ask = building(site("nebula 0405\n" + READY))
    lines = tuple(line for line in ask.form.lines if line.key == "build-A1")
    found = [*sheet(Form(lines=lines, why_absent=ask.form.why_absent))]
    compare(request, [*found, *answered(ask, ask.answer_from({"build-A1": {"build": "MB"}}))])


@pytest.mark.rule("pq17", "1.8.12.2", "1.8.12.4", "1.8.12.7", "1.8.12.8", "1.8.12.10")
def test_constructions_that_are_refused(request: Request) -> None:
    state = site("A9 0405 BATS base Haven known LC2\nA1 0405 TG+MP#4+RP#3 logistics speed 0")
    built(state, build="MB")
    (base,) = [one for one in state.units.values() if one.class_id.startswith("MB")]
    wrong: list[dict[str, Any]] = [
        {"build": "BATS"}, {"build": "MB", "parts": ["A1.RP", "A1.RP2", "A1.RP3"]}, {"build": "MB", "parts": ["A1.TG"]},
        {"build": "MB", "near": "A1"}, {"build": "MB", "near": "A9"}, {"build": f"extend {base.id}"},
        {"build": f"activate {base.id}"},
    ]  # fmt: skip
    compare(request, [*refused(building(state), [{"build-A1": one} for one in wrong])])


@pytest.mark.rule("pq17", "1.8.12.7")
def test_who_is_driven_off_builds_nothing(request: Request) -> None:
    state = site()
    run(logistics_steps(table(state)), lambda _: {"build-A1": {"build": "MB"}})
    state.task_forces["A1"].posture = state.task_forces["A1"].posture.with_values(logistics=False)
    at = table(state)
    carry_out_construction(at, "alliance")
    compare(request, [line for report in at.shared.reports for line in heard(at, report)])
