"""Chapter 4.2 and the campaign's command points, by hand."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.rulebooks.pq17.campaign import command_points as ch04
from rules_engine.rulebooks.pq17.campaign import period_report
from rules_engine.rulebooks.pq17.nations.victory_points import total_for
from rules_engine.rulebooks.pq17.orders.order_sheets import MovementPlot, MovementPlots, PlanLine, PlanSheet
from rules_engine.rulebooks.pq17.plotting import impulse_plots, planning_sheet
from rules_engine.rulebooks.pq17.plotting.unaffordable_orders import (
    keep_within_command,
    plan_refusals,
    plot_refusals,
    within_command,
)
from rules_engine.rulebooks.pq17.records.forces import PORT, STAY, IdLevel
from rules_engine.rulebooks.pq17.records.progress import CommandAccount, Direct, Freighter
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.campaign import campaign, put
from tests.rulebooks.pq17.worlds.notation import table, told

F = Fraction


def bank(state: State, nation: str, points: int) -> None:
    state.progress.command[nation] = CommandAccount(bank=points)


def out(state: State, forces: str) -> None:
    """Put forces on the map: ``A1 1217 FED-DN+FED-CA A91``, the last word being a port."""
    for force in forces.split(", "):
        tf_id, hex_id, ships, *port = force.split()
        put(state, tf_id, hex_id, *ships.split("+"), in_port="".join(port))


def change(state: State, text: str) -> None:
    """Change orders and places: ``A1 at 1618 plot stay``, ``C1 port C91``, ``C1 port none``; or ``turn 31``."""
    for words in map(str.split, filter(None, text.split(", "))):
        if words[0] == "turn":
            state.turn = int(words[1])
            ch04.credit(state)
            continue
        tf = state.task_forces[words[0]]
        for what, where in zip(words[1::2], words[2::2], strict=True):
            match what:
                case "at":
                    state.set_hex(tf, where)
                case "port":
                    state.set_port(tf, "" if where == "none" else where)
                case _:
                    tf.plot = "" if where == "none" else where


def spend(state: State) -> list[str]:
    """Spend what is due now; what the Alliance and the Coalition were told, in one list."""
    at = table(state)
    ch04.expend_command_points(at)
    return [*told(at, "alliance"), *told(at, "coalition")]


@pytest.mark.rule("pq17", "4.2.1", "4.2.2", "C.oob.federation.command-points", "C.oob.kzinti.command-points")
@pytest.mark.rule("pq17", "C.oob.klingon.command-points")
def test_each_nation_gets_its_points_and_keeps_what_it_may() -> None:
    """Federation 8, none kept; Kzinti 2, at most 4; Klingons begin with 1 and get 2, at most 8. Ruling CP-7."""
    state = campaign(turn=1)
    held: list[tuple[int, ...]] = []
    for period in range(5):
        state.turn = 30 * period + 1
        if period:
            ch04.credit(state)
        held.append(tuple(state.progress.command[key].bank for key in ("federation", "kzinti", "klingon")))
    assert held == [(8, 2, 3), (8, 4, 5), (8, 4, 7), (8, 4, 8), (8, 4, 8)]


@cases("proves, forces, patrol, spent")
def test_what_being_out_costs(forces: str, patrol: list[str], spent: str) -> None:
    """``forces`` are out, or in port at a base; ``patrol`` are Patrol White. What is spent costs as many points."""
    state = campaign()
    out(state, forces)
    state.progress.patrol = patrol
    before = {nation: account.bank for nation, account in state.progress.command.items()}
    spend(state)
    accounts = state.progress.command
    assert ", ".join(f"{nation} {accounts[nation].spent}" for nation in before if accounts[nation].spent) == spent
    assert {nation: account.bank + account.spent for nation, account in accounts.items()} == before
    assert total_for(state, "alliance") == -accounts["federation"].spent - accounts["kzinti"].spent


@cases("victory_table, line", "")
def test_each_point_expended_costs_its_side_a_victory_point(victory_table: str, line: str) -> None:
    """Two dreadnoughts of the Federation and one of the Klingons: 2 for the Coalition, 1 for the Alliance. The account
    of the period has them in words, by whichever table is in force."""
    state = campaign(victory_table=victory_table)
    put(state, "A1", "1016", "FED-DN", "FED-DN")
    put(state, "C1", "1410", "KLI-DN")
    spend(state)
    assert [(one.line, one.amount) for one in state.ledger] == [(line, -2), (line, 1)]
    assert list(period_report.ledger_by_line(state, "alliance", 1)) == ["Command points -2"]
    assert list(period_report.ledger_by_line(state, "coalition", 1)) == ["Command points +1"]


@cases("proves, forces, progress, stages", "")
def test_what_is_spent_as_orders_and_places_change(
    forces: str, progress: dict[str, Any], stages: list[tuple[str, str]]
) -> None:
    """``progress`` is set before, such as where arrivals go. Each stage is what changes, and all that has been spent of
    a period after it."""
    state = campaign()
    bank(state, "kzinti", 4)
    out(state, forces)
    state.progress.patrol, state.progress.entered = progress.get("patrol", []), progress.get("entered", {})
    for unit, goal in progress.get("direct", {}).items():
        state.progress.direct[unit] = Direct(hex=goal, kind="arrival")
    before = ""
    for changes, spent in stages:
        change(state, changes)
        before = "" if changes.startswith("turn") else before
        assert bool(spend(state)) is (spent != before), "what is spent is told"
        accounts = state.progress.command.items()
        assert ", ".join(f"{nation} {account.spent}" for nation, account in accounts if account.spent) == spent
        before = spent


@pytest.mark.rule("pq17", "C.vp.12", "SOP.2.b.i.8")
@pytest.mark.unseen("pq17", reports=("victory",))
def test_spent_points_count_against_the_spender_and_stay_secret() -> None:
    state = campaign()
    put(state, "A1", "1016", "FED-DN")
    put(state, "C1", "0810", "KLI-CA", "LYR-CA", "KLI-CA")
    at = table(state)
    ch04.expend_command_points(at)
    assert (total_for(state, "alliance"), total_for(state, "coalition")) == (-1, 2)
    assert state.total() == 1
    assert not any("Klingon" in text for text in told(at, "alliance"))
    assert not any("Federation" in text for text in told(at, "coalition"))


@pytest.mark.rule("pq17", "4.2.3", "C.cp.cruisers-and-dreadnoughts")
def test_no_sortie_without_points() -> None:
    """Ruling CP-4: refused in planning and as a plot, and a stored route is not flown."""
    state = campaign()
    bank(state, "klingon", 0)
    tf = put(state, "C1", "1715", "KLI-CA", in_port="C91", route=["port", "1614"], speed=Speed.CRUISE)
    (wrong,) = plan_refusals(state, "coalition", [tf])
    assert (wrong.rule, wrong.path) == ("PQ-17 C.cp.cruisers-and-dreadnoughts", "C1.route")
    (wrong,) = plot_refusals(state, "coalition", {"C1": "port"})
    assert (wrong.rule, wrong.path) == ("PQ-17 C.cp.cruisers-and-dreadnoughts", "C1.move")
    tf.plot = "port"
    keep_within_command(table(state), "coalition")
    assert tf.plot == "stay"
    bank(state, "klingon", 1)
    assert plan_refusals(state, "coalition", [tf]) == plot_refusals(state, "coalition", {"C1": "port"}) == []


@pytest.mark.rule("pq17", "C.cp.kzinti")
def test_a_far_hex_without_points_is_refused() -> None:
    state = campaign()
    bank(state, "kzinti", 0)
    state.progress.command["kzinti"].out = ["A1.KZI-FF"]
    put(state, "A1", "1106", "KZI-FF")
    state.progress.command["kzinti"].spent = 1
    (wrong,) = plot_refusals(state, "alliance", {"A1": "1107"})
    assert wrong.rule == "PQ-17 C.cp.kzinti"
    assert plot_refusals(state, "alliance", {"A1": "1105"}) == []


@pytest.mark.rule("pq17", "4.2.3")
def test_a_ship_without_points_goes_home_by_the_shortest_way() -> None:
    """Ruling CP-5: it gets the way as its route, other steps are refused, and none of it costs points."""
    state = campaign()
    bank(state, "klingon", 0)
    tf = put(state, "C1", "1515", "KLI-CA", speed=Speed.EFFICIENT)
    at = table(state)
    ch04.expend_command_points(at)
    assert any("must go to port" in text for text in told(at, "coalition"))
    assert (told(at, "alliance"), tf.route[-2:]) == ([], ["1715", "port"])
    assert state.grid.distance(tf.route[0], "1715") == 1
    (wrong,) = plot_refusals(state, "coalition", {"C1": "1414"})
    assert wrong.rule == "PQ-17 4.2.3"
    assert plot_refusals(state, "coalition", {"C1": tf.route[0]}) == []
    tf.speed = Speed.STATION
    assert [one.path for one in plan_refusals(state, "coalition", [tf])] == ["C1.speed"]
    (unit,) = state.units_of(tf)
    unit.fuel = F(0)  # at Impulse Crawl still
    assert [one.path for one in plan_refusals(state, "coalition", [tf])] == ["C1.speed"]
    unit.impulse = 0
    assert plan_refusals(state, "coalition", [tf]) == []


@cases("step", "")
def test_who_is_out_without_points_is_not_refused_a_move_that_needs_no_more(step: str) -> None:
    """Being out is what costs, wherever it goes; that it is not paid for is settled after the plots (ruling CP-5)."""
    state = campaign()
    bank(state, "klingon", 0)
    put(state, "C1", "1515", "KLI-CA", speed=Speed.EFFICIENT)
    assert plot_refusals(state, "coalition", {"C1": step}) == []


@pytest.mark.rule("pq17", "4.2.3")
def test_a_ship_that_must_go_home_is_filled_in_at_the_speed_that_costs_little() -> None:
    """Ruling CP-5: it may not keep station; on defaults it goes by Efficient Cruise, a hex a turn."""
    state = campaign()
    bank(state, "klingon", 0)
    tf = put(state, "C1", "1515", "KLI-CA", speed=Speed.EFFICIENT)
    ch04.expend_command_points(table(state))
    tf.speed = tf.plotted = Speed.STATION
    ask = planning_sheet.planning_ask(table(state), "coalition")
    assert ask.default.root["C1"].speed is Speed.EFFICIENT
    assert not ask.check(ask.default)


@pytest.mark.rule("pq17", "SOP.2.b.i.8", "C.vp.12")
@pytest.mark.unseen("pq17", reports=("victory",))
def test_the_other_side_hears_the_same_whether_points_were_spent_or_not() -> None:
    """Two worlds: a cruiser out of port, and one that is not."""
    heard: list[list[str]] = []
    for port in ("", "C91"):
        state = campaign()
        put(state, "C1", "1715", "KLI-CA", in_port=port, id_level=IdLevel.N)
        at = table(state)
        ch04.expend_command_points(at)
        heard.append(told(at, "alliance"))
    assert heard == [[], []]


@pytest.mark.rule("pq17", "4.2.3", "C.cp.kzinti", "C.cp.cruisers-and-dreadnoughts")
def test_what_is_filled_in_for_a_side_without_points_is_legal() -> None:
    """A silent side is never stuck: with nothing left, stored routes that need points are filled in as staying."""
    state = campaign()
    state.progress.command["kzinti"].bank = state.progress.command["federation"].bank = 0
    put(state, "A1", "1217", "FED-CA", in_port="A91", route=[PORT, "1218"], plotted=Speed.EFFICIENT)
    put(state, "A2", "1009", "KZI-FF", route=["1110", "1111"], plotted=Speed.SPRINT, speed=Speed.SPRINT)
    state.progress.command["kzinti"].out = ["A2.KZI-FF"]
    ask = planning_sheet.planning_ask(table(state), "alliance")
    assert ask.default.root["A1"].speed is Speed.STATION
    assert not ask.check(ask.default)
    moved = PlanSheet({"A1": PlanLine(speed=Speed.EFFICIENT, route="port 1218")})
    assert [one.rule for one in ask.check(moved)] == ["PQ-17 C.cp.cruisers-and-dreadnoughts"]
    state.impulse = 1
    state.doctrine["alliance"].ask_every_impulse = True
    plots = impulse_plots.plot_ask(table(state), "alliance")
    assert plots.default.root["A2"].move == STAY  # 1110 lies beyond range 1 and costs a point
    assert not plots.check(plots.default)
    assert [one.path for one in plots.check(MovementPlots({"A2": MovementPlot(move="1110")}))] == ["A2.move"]


@cases("unit, step, entries")
def test_which_moves_are_entries_of_far_hexes(unit: str, step: str, entries: int) -> None:
    """1107 is two hexes from Arzangel, 1108 three."""
    state = campaign()
    nation = "federation" if unit.startswith("FED") else "kzinti"
    tf = put(state, "A1", "1107", unit, nation=nation)
    if unit == "F-L":
        state.progress.freighters[tf.units[0]] = Freighter(kind="resupply", convoy="x", nation="kzinti", period=1)
    assert ch04.need(state, nation, [tf], {"A1": step}).entries == entries


@pytest.mark.rule("pq17", "4.2.3")
def test_who_must_go_home_but_has_plotted_nothing_is_given_no_move() -> None:
    state = campaign()
    bank(state, "klingon", 0)
    put(state, "C1", "1515", "KLI-CA", speed=Speed.EFFICIENT)
    ch04.expend_command_points(table(state))
    assert within_command(state, "coalition", {}) == {}
    assert within_command(state, "coalition", {"C1": STAY})["C1"] in {"1515", "1615", "1516", "1616", "1614"}
