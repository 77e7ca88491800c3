"""Planning sheets written down whole: the form, what is read back, what a side is warned of, and what is refused."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.forms.forms import Form
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.pq17.ch10_supply.stores import cargo_room
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders
from rules_engine.rulebooks.pq17.plotting import planning_sheet, running_on
from rules_engine.rulebooks.pq17.records.progress import Errand, Permit
from rules_engine.rulebooks.pq17.records.standing_orders import Run, Stop
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.supply import Goods
from tests.rulebooks.pq17.playing.written_scenes import (
    answered,
    heard,
    put,
    refused,
    refused_as_written,
    sheet,
    written_orders,
)
from tests.rulebooks.pq17.worlds.campaign import EDGE, MURZANK, campaign, convoy
from tests.rulebooks.pq17.worlds.campaign import put as put_force
from tests.rulebooks.pq17.worlds.notation import table, world
from tests.rulebooks.pq17.worlds.repair import mined
from tests.rulebooks.written_texts import compare

Request = pytest.FixtureRequest


def ask_of(state: State, side: str = "alliance") -> AnyAsk:
    return planning_sheet.planning_ask(table(state), side)


def absences(ask: AnyAsk) -> list[str]:
    return [f"absent {one.key}: {one.problem} ({one.rule})" for one in ask.form.absent]


@pytest.mark.rule("pq17", "1.6.4", "1.6.5.1", "1.6.5.2", "1.6.7.1", "4.1.3", "5.1", "5.2.3", "5.4.1", "SOP.2.a.i.1")
@pytest.mark.rule("pq17", "SOP.2.a.ii", "SOP.2.a.iii")
def test_a_planning_sheet(request: Request) -> None:
    """Two ships that could be regrouped, of which one could tow the other; one alone that can cloak; one in port."""
    text = (
        "A1 0405 CA+CL speed 2 route 0406,0407\nA2 0606 CW\nA3 0303 DD[fuel=3] port A9\nA4 0707 CA shadows C1 speed 1\n"
    )
    state = world(text + "A9 0303 BATS base Haven known\nC1 0707 CA speed 1 ID0")
    ask = ask_of(state)
    compare(request, [*put(table(state), ask), *absences(ask), *answered(ask, ask.default)])


@pytest.mark.rule("pq17", "5.1.4", "5.2.3", "5.4.1", "7.5.2", "4.1.3")
def test_a_plan_is_read_back_with_what_its_owner_may_regret(request: Request) -> None:
    """A1's hulk has no warp engines and so no fuel for combat. A crawl has a movement point every second turn."""
    text = "A1 0405 CA[fuel=10]+HK speed 2\nA2 0606 CW\nA3 0303 DD port A9\nA4 0707 CA shadows C1 speed 1\n"
    ask = ask_of(world(text + "A5 0505 CA#7\nA6 0101 FF\nA9 0303 BATS base Haven known\nC1 0707 CA speed 1 ID0"))
    orders: dict[str, Any] = {
        "side": {
            "bid": 2,
            "doctrine": "search; withdraw",
            "run": "3",
            "stop": "contact id2; A3 at 0405; fuel<8; points",
        },
        "A1": {"tow": "A1.CA>A1.HK", "speed": "2", "route": "loop 0406 0405", "name": "Tow"},
        "A2": {"posture": ["cloak", "passive"], "speed": "1", "route": "0605 stay"},
        "A3": {"speed": "1", "route": "port 0304 0303 port"},
        "A4": {"shadow": False, "doctrine": "attack id1 x2"},
        "A5": {"posture": ["warp off"], "route": "0506"},
        "A8": {"speed": "2", "route": "to 0508"},
        "A6": {"speed": "warp crawl"},
    }
    still = {"A5": {"speed": "2", "route": "stop"}, "side": {"run": "on", "stop": "arrived"}}
    answers = [orders, still, {"side": {"run": "10", "stop": ""}}]
    compare(request, [line for one in answers for line in answered(ask, ask.answer_from(one))])


@pytest.mark.rule("pq17", "1.6.4")
def test_many_forces_at_rest_share_a_line(request: Request) -> None:
    text = "\n".join(f"A{number} 0{number}05 FF" for number in range(1, 6)) + "\nA6 0303 FF port A9\nA7 0707 FF speed 2"
    ask = ask_of(world(text + "\nA9 0303 BATS base Haven known\nC1 0101 CA"))
    compare(request, [*answered(ask, ask.default)])


@pytest.mark.rule("pq17", "7.5.2", "7.4.1", "1.6.5.7", "1.6.8", "5.2.3")
def test_plans_are_carried_out_and_told(request: Request) -> None:
    """A1 splits in sight of the enemy, A2 ceases to shadow, C2 and C3 join."""
    text = "A1 0405 CA+DD U\nA2 0707 CA shadows C1 speed 1 U\nC1 0707 CA speed 1 ID0\nC2 0606 CA ID1\nC3 0606 DD U"
    at = table(world(text))
    sheets = {
        "alliance": {"A1.DD": {"task_force": "A3"}, "A2": {"shadow": False}},
        "coalition": {"C3.DD": {"task_force": "C2"}},
    }
    answers = {side: planning_sheet.planning_ask(at, side).answer_from(sheet) for side, sheet in sheets.items()}
    planning_sheet.announce_plans(at, planning_sheet.carry_out_plans(at, answers))
    compare(request, [line for report in at.shared.reports for line in heard(at, report)])


@pytest.mark.rule("pq17", "1.6.5.1", "1.6.7.1", "5.1.2", "5.1.4", "5.2.3", "5.4.1", "5.5.4", "5.5.5", "5.5.6")
def test_plans_that_are_refused(request: Request) -> None:
    text = "A1 0405 CA+DD[fuel=1/2]+CL\nA2 0405 FF speed 1\nA3 0303 CL port A9\nA4 0707 CW shadows C1 speed 1\n"
    text += "A5 0606 CW+CA\nA6 0808 HK#2\nA9 0303 BATS base Haven known\nC1 0707 CA speed 1 ID0"
    refused_as_written(request, ask_of(world(text)))


@pytest.mark.rule("pq17", "5.3.3", "5.5.1", "5.5.3", "5.5.4", "12.5.1", "12.5.2", "12.5.3.3", "12.5.3.4")
def test_routes_that_are_refused(request: Request) -> None:
    text = "A1 0405 CA speed 2\nA2 0303 CA port A9\nA3 0303 CA\nA4 0303 ML\nA5 0303 ML[fuel=3/4]\nA6 0405 ML\n"
    state = mined(text + "A9 0303 BATS base Haven known\nC1 0607 CA", mines={"A5.ML": 200, "A6.ML": 200})
    refused_as_written(request, ask_of(state))


@pytest.mark.rule("pq17", "5.5.2")
def test_routes_are_read_back_in_words(request: Request) -> None:
    text = "A1 0405 CA speed 2\nA2 0303 CA port A9\nA3 0303 ML speed 1\nA9 0303 BATS base Haven known\nC1 0607 CA"
    ask = ask_of(mined(text, mines={"A3.ML": 200}))
    routes = [("A1", "0406 stay 0405"), ("A1", "0406 loop 0407 0406"), ("A1", "loop 0406 0405"), ("A1", "to 0408")]
    routes += [("A2", "port 0304 0303 port"), ("A2", "loop port 0304 0303 port"), ("A3", "lay port")]
    found: list[str] = []
    for key, route in routes:
        said = ask.read_back(ask.answer_from({key: {"route": route, "speed": "1"}}))
        found += [one for one in said if one.startswith(key)]
    compare(request, found)


# --- running on -------------------------------------------------------------------------------------------------------
def test_stop_conditions_that_are_refused(request: Request) -> None:
    ask = ask_of(world("A1 0405 CA\nA9 0303 BATS base Haven known\nC1 0607 CA"))
    alone = ask_of(world("A9 0303 BATS base Haven known\nC1 0607 CA"))
    *orders, last = written_orders(request)
    compare(request, [*refused(ask, orders), *refused(alone, [last])])


def test_why_a_side_no_longer_runs_on(request: Request) -> None:
    """Everything that can stop a side at once, and to nobody else; and the beginning of a period."""
    at = table(state := world("A1 0405 CA[fuel=5]\nA2 0606 DD\nC1 0405 CA ID1\nturn 6"))
    stops, _ = running_on.read_stops(state, "alliance", "contact; contact id1; arrived; A2 at 0606; fuel<8; points", "")
    stops = (*stops, Stop(kind="at", task_force="A8", hex="0606"))
    state.doctrine["alliance"].run = Run(on=True, until=6, since=2, stops=stops, under_way=["A2"], points=Fraction(1))
    found = [f"waited for: {', '.join(running_on.sides_to_ask(at))}"]
    found += [line for report in at.shared.reports for line in heard(at, report)]
    at = table(state := world("A1 0405 CA\nC1 0607 CA\nturn 31"))
    state.doctrine["coalition"].run = Run(on=True, since=30)
    found += [f"waited for: {', '.join(running_on.sides_to_ask(at))}"]
    found += [line for report in at.shared.reports for line in heard(at, report)]
    compare(request, found)


def test_a_side_that_runs_on_is_filled_in(request: Request) -> None:
    at = table(state := world("A1 0405 CA\nC1 0607 CA\nturn 3"))
    state.doctrine["alliance"].orders = read_orders("search; hold", "side")[0]
    state.doctrine["alliance"].ask_every_impulse = True
    stops = (Stop(kind="contact", level=2), Stop(kind="points"))
    state.doctrine["alliance"].run = Run(on=True, since=2, until=5, stops=stops)
    ask = planning_sheet.planning_ask(at, "alliance", awaited=False)
    side = Form(lines=ask.form.lines[:1])
    compare(
        request, [*sheet(side), *answered(ask, ask.default), *answered(ask, ask.answer_from({"side": {"run": "ask"}}))]
    )


# --- the campaign -----------------------------------------------------------------------------------------------------
def transfer(state: State, tf_id: str, hex_id: str, errand: Errand, **fields: Any) -> None:
    tf = put_force(state, tf_id, hex_id, "FED-CA", **fields)
    state.progress.permits[tf.units[0]] = Permit(kind="transfer", hexes=[EDGE], key=tf_id)
    state.progress.errands[tf.units[0]] = errand


@pytest.mark.rule("pq17", "C.vp.10", "C.schedule.note3", "10.3.8.1")
def test_errands_of_convoys_and_ships_on_transfer(request: Request) -> None:
    """One convoy on its way out, one that unloads, one on its way back, one whose base is full, one that is sent
    elsewhere; a ship on transfer that must first take on stores, one that leaves, and an escort that sails to port."""
    state = campaign(turn=20)
    convoy(state, "A1", "0810")
    convoy(state, "A2", "0806", in_port=MURZANK)
    convoy(state, "A3", "0810", stage="back")
    convoy(state, "A4", "0812")
    transfer(state, "A5", "0720", Errand(leave=EDGE))
    transfer(state, "A6", "0812", Errand(port=MURZANK))
    at = table(state)
    ask = planning_sheet.planning_ask(at, "alliance")
    orders: dict[str, Any] = {"A4": {"speed": "1", "route": "0811"}}
    notes = [f"{line.key}: {line.note}" for line in ask.form.lines if line.key in ("A1", "A2", "A3", "A4", "A5", "A6")]
    told = [*answered(ask, ask.default), *answered(ask, ask.answer_from(orders))]
    planning_sheet.carry_out_plans(at, {"alliance": ask.answer_from(orders)})
    told += [line for report in at.shared.reports for line in heard(at, report)]
    compare(request, [*notes, *told])


@pytest.mark.rule("pq17", "C.vp.10")
def test_a_convoy_waits_for_room_at_a_full_base(request: Request) -> None:
    state = campaign(turn=20)
    convoy(state, "A2", "0806", in_port=MURZANK)
    (base,) = state.units_of(state.task_forces[MURZANK])
    for unit_id in state.task_forces["A2"].units:
        state.progress.freighters[unit_id].kind = "resupply"
        state.progress.freighters[unit_id].nation = "kzinti"
    base.supply += int(cargo_room(base, Goods.SUPPLY))
    at = table(state)
    ask = planning_sheet.planning_ask(at, "alliance")
    assert ask.default is not None
    planning_sheet.carry_out_plans(at, {"alliance": ask.default})
    compare(request, [*answered(ask, ask.default), *(line for one in at.shared.reports for line in heard(at, one))])


@pytest.mark.rule("pq17", "5.3", "5.5.3", "C.schedule.note3")
def test_routes_off_the_map(request: Request) -> None:
    """A5 may leave by 0722 and is beside it; nothing follows on leaving; elsewhere it may not leave."""
    state = campaign(turn=20)
    transfer(state, "A5", "0721", Errand(leave="0101"))
    ask = planning_sheet.planning_ask(table(state), "alliance")
    found = [
        line for line in ask.read_back(ask.answer_from({"A5": {"speed": "2", "route": "0722 exit"}})) if "A5" in line
    ]
    routes = ["0722 exit 0721", "0720 exit"]
    compare(request, [*found, *refused(ask, [{"A5": {"speed": "2", "route": route}} for route in routes])])
