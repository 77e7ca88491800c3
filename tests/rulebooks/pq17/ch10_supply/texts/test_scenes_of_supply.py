"""What is told of supply, written down whole: transfers and conversions at the end of a turn, and drones."""

import pytest

from rules_engine.rulebooks.pq17.ch10_supply.drones import report_compliance
from rules_engine.rulebooks.pq17.ch10_supply.end_of_turn import supply_steps
from rules_engine.rulebooks.pq17.ch10_supply.transfers import note_interruptions
from tests.rulebooks.pq17.playing.written_scenes import scene
from tests.rulebooks.pq17.worlds.notation import table
from tests.rulebooks.pq17.worlds.supply import Goods, depot, empty, plan, unit
from tests.rulebooks.written_texts import compare

Request = pytest.FixtureRequest
PAIR = "A1 0404 FT#2+CA#2+DR logistics"


@pytest.mark.rule("pq17", "10.3.6", "10.3.9.3", "T4")
def test_transfers_are_told_with_what_an_interruption_left_of_them(request: Request) -> None:
    lines: list[str] = []
    for impulse in (0, 1, 2):
        state = depot(PAIR)
        empty(state, "A1.FT2")
        empty(state, "A1.FT", supply=23, fuel=6, fuel_cargo=7)
        plan(state, A1_FT="> A1.FT2 23 supply, > A1.FT2 7 fuel")
        at = table(state)
        if impulse:
            state.impulse = impulse
            state.set_mark(state.task_forces["A1"], "searched")
            note_interruptions(state)
            state.impulse = 0
        lines += [f"-- interrupted in impulse {impulse}" if impulse else "-- undisturbed", *scene(at, supply_steps(at))]
    compare(request, lines)


@pytest.mark.rule("pq17", "10.2.4", "10.3.3", "10.3.6", "10.3.10.1")
def test_what_supply_became_and_what_was_lost_is_told(request: Request) -> None:
    state = depot(PAIR)
    empty(state, "A1.FT2", supply=48)
    plan(state, A1_FT="> A1.FT2 10 supply", stores={"lose": True})
    at = table(state)
    lines = ["-- more than there is room for", *scene(at, supply_steps(at))]
    state = depot("A9 0303 BATS base Haven known\nA1 0303 CA+FT logistics port A9")
    empty(state, "A1.CA", fuel=30)
    empty(state, "A1.FT", fuel=2, supply=20)
    empty(state, "A9.BATS", fuel=12, supply=60)
    plan(state, A1_FT="> A9.BATS 5 supply, self 2 supply as fuel", A9_BATS="> A1.CA 3 supply as fuel")
    at = table(state)
    compare(request, [*lines, "-- turned into fuel", *scene(at, supply_steps(at))])


@pytest.mark.rule("pq17", "10.2.3", "10.3.5", "10.3.7.5")
def test_a_side_decides_at_the_end_what_its_supply_becomes(request: Request) -> None:
    state = depot(PAIR)
    empty(state, "A1.FT2", supply=45)
    plan(state, A1_FT="> A1.FT2 10 supply", stores={"convert": True, "lose": True})
    at = table(state)
    sheet = {"A1.FT2": {"make": "3 fuel, 16 drones"}, "A1.FT": {"make": ""}}
    compare(request, scene(at, supply_steps(at), {"conversions alliance": [sheet]}))


@pytest.mark.rule("pq17", "10.2.6.1", "10.2.6.4", "10.2.6.5")
def test_drones_beyond_a_share_are_told_of(request: Request) -> None:
    state = depot("A1 0404 FT#2 logistics\nA2 0405 DR")
    empty(state, "A1.FT2", cargo_goods={Goods.RESTRICTED_DRONES: 8})
    unit(state, "A2.DR").stores = {Goods.DRONES: 20, Goods.LIMITED_DRONES: 21}
    at = table(state)
    report_compliance(at, "alliance")
    lines = [f"{report.kind}: {report.text}" for report in at.shared.reports]
    state = depot("A1 0404 FT#2 logistics")
    empty(state, "A1.FT2", cargo_goods={Goods.RESTRICTED_DRONES: 8})
    at = table(state)
    report_compliance(at, "alliance")
    compare(request, [*lines, *(f"{report.kind}: {report.text}" for report in at.shared.reports)])
