"""The plot movement step: who is asked, what is refused, and what happens to those who cannot keep up."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.forms.routes import PlottedRoute
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.pq17.ch05_movement.movement import move
from rules_engine.rulebooks.pq17.nations.victory_points import score
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders
from rules_engine.rulebooks.pq17.plotting.contact_sheet import ContactLine, all_meetings, contact_ask, orders_from
from rules_engine.rulebooks.pq17.plotting.impulse_plots import has_contact, plot_ask, plot_movement_steps, stay_steps
from rules_engine.rulebooks.pq17.plotting.planning_sheet import planning_ask
from rules_engine.rulebooks.pq17.plotting.routes import read_route, say_route
from rules_engine.rulebooks.pq17.records.forces import TowGroup
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.worlds.campaign import campaign, put
from tests.rulebooks.pq17.worlds.notation import asked_in, asks_of, notation, run, table, told, world

# --- routes and postures as they are read back can be typed -----------------------------------------------------------
WORLD = """
A1 0405 CA
A2 0402 CL port A9
A9 0402 BATS base Haven known
C1 0607 CA
"""


def route(tf: str, text: str) -> PlottedRoute:
    state = world(WORLD)
    return read_route(state, state.task_forces[tf], text, Speed.EFFICIENT, f"{tf}.route")


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


@cases("written, words", "")
def test_a_posture_that_is_read_back_can_be_typed(written: str, words: list[str]) -> None:
    ask = planning_ask(table(world(WORLD)), "alliance")
    read = read_sheet(ask.form, f"A1: posture {written}")
    assert read == {"A1": {"posture": words}}
    shown = "active" if not words else written
    assert any(f", {shown}" in line for line in ask.read_back(ask.answer_from(read)) if line.startswith("A1"))


# --- side line --------------------------------------------------------------------------------------------------------
def said(state: State, line: dict[str, Any], side: str = "alliance") -> tuple[list[str], list[str]]:
    """What is read back and warned of, but for the task force."""
    ask = planning_ask(table(state), side)
    answer = ask.answer_from({"side": line})
    return [one for one in ask.read_back(answer) if "Station" not in one], list(ask.warn(answer))


@pytest.mark.rule("pq17", "4.1.2")
def test_a_bid_of_ninety_nine_is_the_most() -> None:
    ask = planning_ask(table(world("A1 0405 CA")), "alliance")
    ask.answer_from({"side": {"bid": 99}})
    for bid in (100, 99999):
        with pytest.raises(Refused, match="0 to 99"):
            ask.answer_from({"side": {"bid": bid}})


@cases("side, total")
def test_a_bid_is_read_back_and_beyond_ones_points_its_consequence_is_said(side: str, total: int, kept: Kept) -> None:
    state = world("A1 0405 CA\nC1 0607 CA")
    score(table(state), "T5.1", Fraction(total), because("T5"), text="A ship.")
    price = "added to your die and paid whoever wins."
    assert said(state, {"bid": 3}, side) == ([f"Bid for the initiative: 3 victory points, {price}"], [])
    assert said(state, {"bid": 4}, side) == kept()


def test_wishes_to_be_asked_and_stops_are_read_back() -> None:
    state = world("A1 0405 CA")
    assert said(state, {})[0] == []
    assert said(state, {"ask": "always"})[0] == ["You are asked for plots in every impulse."]
    assert said(state, {"stop": "points"})[0] == ["If you let turns go by, they stop at: points."]
    state.doctrine["alliance"].ask_every_impulse = True
    assert said(state, {"ask": "contact"})[0] == ["You are asked for plots only when there is a contact."]


# --- contact proposals ------------------------------------------------------------------------------------------------
@cases("force, contact, orders, proposed")
def test_a_search_is_proposed(force: str, contact: str, orders: str, proposed: str) -> None:
    state = world(f"A1 0405 {force} speed 1\nC1 0405 CA {contact}\nturn 1 impulse 1 half A")
    state.doctrine["alliance"].orders = read_orders(f"ask on contact; {orders}", "side")[0]
    assert contact_ask(state, "alliance", all_meetings(state)).form.prefilled()["A1"]["search"] == proposed


@pytest.mark.rule("pq17", "6.3.2")
def test_one_contact_of_which_there_is_more_to_learn_is_enough() -> None:
    state = world("A1 0405 CA speed 1\nC1 0405 CA ID3\nC2 0405 CA ID1\nturn 1 impulse 1 half A")
    state.doctrine["alliance"].orders = read_orders("ask on contact", "side")[0]
    assert contact_ask(state, "alliance", all_meetings(state)).form.prefilled()["A1"]["search"] == "yes"


@pytest.mark.rule("pq17", "6.3.4.11")
def test_all_the_probes_of_a_great_force_may_be_spent() -> None:
    ships = "+".join(["CA[probes=5]"] * 42)
    state = world(f"A1 0405 {ships} speed 1\nC1 0405 CA ID1\nturn 1 impulse 1 half A")
    state.doctrine["alliance"].orders = read_orders("ask on contact", "side")[0]
    ask = contact_ask(state, "alliance", all_meetings(state))
    (probes,) = (field for field in ask.form.by_key["A1"].fields if field.key == "probes")
    assert probes.most == 210
    assert orders_from(state, state.task_forces["A1"], ContactLine(search="yes", probes=210)).probes == 210


def plot(state: State, sheet: dict[str, Any] | None = None) -> list[AnyAsk]:
    """Play the step; the alliance answers with ``sheet``. Returns what was asked."""
    steps = plot_movement_steps(table(state))
    return asked_in(steps, lambda ask: sheet if ask.parties == ("alliance",) else None)


FREE = "A1 0405 CA speed 2 route 0406\nC1 0607 CA speed 2\nturn 1 impulse 1"


@pytest.mark.rule("pq17", "5.3.2", "SOP.2.b.i.1")
def test_without_a_contact_stored_routes_are_flown_and_nobody_is_asked() -> None:
    state = world(FREE)
    assert plot(state) == []
    assert (state.task_forces["A1"].plot, state.task_forces["C1"].plot) == ("0406", "stay")
    assert state.units["A1.CA"].fuel == 33


@pytest.mark.rule("pq17", "5.3.2")
def test_a_side_that_wishes_is_asked_every_impulse_but_only_where_it_has_a_point() -> None:
    state = world(FREE)
    state.doctrine["alliance"].ask_every_impulse = True
    (ask,) = plot(state, {"A1": {"move": "0404"}})
    assert ask.parties == ("alliance",)
    assert state.task_forces["A1"].plot == "0404"
    state = world(FREE.replace("impulse 1", "impulse 2"))  # a cruise has no point on impulse 2
    state.doctrine["alliance"].ask_every_impulse = True
    assert plot(state) == []


@pytest.mark.rule("pq17", "6.1.1")
def test_a_contact_is_an_enemy_force_on_the_map_or_a_base_in_the_same_hex() -> None:
    assert not has_contact(world("A1 0405 CA\nC1 0405 CA"), "alliance")
    assert has_contact(world("A1 0405 CA\nC1 0607 CA U"), "alliance")
    assert not has_contact(world("A1 0405 CA\nC9 0508 BATS base Lair known"), "alliance")
    assert has_contact(world("A1 0508 CA\nC9 0508 BATS base Lair known"), "alliance")


@cases("sheet, speed, fuel_left")
def test_who_cannot_pay_for_a_hex_goes_slower_from_now_on(sheet: dict[str, Any] | None, speed: str, fuel_left: str):
    """Half a point does not pay a cruise's hex. On impulse 3 speed 1 has no point, so nothing is spent."""
    state = world("A1 0405 CA[fuel=1/2] speed 2 route 0406\nC1 0607 CA\nturn 1 impulse 3")
    at = table(state)
    run(plot_movement_steps(at), lambda ask: sheet)
    tf = state.task_forces["A1"]
    assert (tf.speed, tf.plot, str(state.units["A1.CA"].fuel)) == (Speed[speed], "", fuel_left)
    assert any("9.5" in report.why.rule for report in at.shared.reports if report.why)
    assert told(at, "coalition") == []


@pytest.mark.rule("pq17", "9.5", "5.4.7.3.1")
def test_the_chart_is_read_at_the_lower_speed_in_the_same_impulse() -> None:
    state = world("A1 0405 CA[fuel=1/2] speed 3 route 0406\nC1 0607 CA\nturn 1 impulse 2")
    plot(state)
    tf = state.task_forces["A1"]
    assert (tf.speed, tf.plot) == (Speed.EFFICIENT, "0406")  # speed 1 has its point on impulse 2
    assert str(state.units["A1.CA"].fuel) == "1/4"


@pytest.mark.rule("pq17", "7.4.3", "SOP.2.b.i.4", "SOP.2.b.i.6")
def test_a_shadower_may_stop_and_use_the_point_of_its_own_speed() -> None:
    state = world("A1 0405 CA speed 2 shadows C1\nC1 0405 DD speed 2 ID1\nturn 1 impulse 1")
    state.task_forces["A1"].plotted = Speed.SPRINT
    (ask,) = [
        one for one in plot(state, {"A1": {"shadow": "plotted speed", "move": "0406"}}) if "alliance" in one.parties
    ]
    assert {field.key for field in ask.form.lines[0].fields} >= {"shadow", "move"}
    tf = state.task_forces["A1"]
    assert (tf.shadowing, tf.speed, tf.plot) == ("", Speed.SPRINT, "0406")
    assert state.units["A1.CA"].fuel == 32  # 2 for a hex at a sprint


@pytest.mark.rule("pq17", "5.4.2", "SOP.2.b.i.3")
def test_a_tow_dropped_in_an_impulse_slows_the_force() -> None:
    state = world("A1 0405 CA+DD[warp=4,fuel=4] speed 2\nC1 0607 CA U\nturn 1 impulse 1")
    state.task_forces["A1"].tows = [TowGroup(tower="A1.CA", towed=["A1.DD"])]
    plot(state, {"A1": {"tow": "", "move": "0406"}})
    tf = state.task_forces["A1"]
    assert tf.tows == []
    assert tf.speed.rate < 1
    assert tf.plot == ""


# --- go or stay -------------------------------------------------------------------------------------------------------
MEETING = "A1 0405 CA\nC1 0405 CA speed 2 plot 0406\nturn 1 impulse 1 half B"


@pytest.mark.rule("pq17", "5.3.5.1", "SOP.2.b.vii.1")
def test_the_option_to_stay_is_asked_only_when_it_exists() -> None:
    state = world(MEETING)
    assert asks_of(stay_steps(table(state), "coalition")) == ()
    state.set_mark(state.task_forces["A1"], "entered")
    (ask,) = asks_of(stay_steps(table(state), "coalition"))
    assert (ask.parties, ask.rule) == (("coalition",), "PQ-17 5.3.5.1")
    said = [ask.read_back(ask.answer_from({"C1": {"move": move}})) for move in ("go", "stay")]
    assert said == [["C1 makes its plotted move."], ["C1 stays."]]
    assert run(stay_steps(table(state), "coalition"), lambda ask: {"C1": {"move": "stay"}}) == ["C1"]
    assert run(stay_steps(table(state), "coalition")) == []  # silence makes the plotted move


@pytest.mark.rule("pq17", "5.3.5.3")
@pytest.mark.unseen("pq17", reports=("news",))
def test_a_forced_stay_is_told_to_its_owner_alone() -> None:
    state = world(MEETING)
    state.set_mark(state.task_forces["C1"], "searched")
    at = table(state)
    assert run(stay_steps(at, "coalition")) == []
    assert told(at, "alliance") == []
    assert any("stays in 0405" in text for text in told(at, "coalition"))
    assert notation(state).splitlines()[1] == "C1 0405 CA speed 2 plot 0406"


@cases("marked, mark", "")
def test_a_plotted_move_is_made_whatever_is_no_exception(marked: str, mark: str) -> None:
    """The four exceptions (5.3.5.1 to 5.3.5.4) have tests of their own; nothing else asks, stops or diverts a move."""
    state = world(
        "A1 0405 CA ID0\nA2 0304 CA\nC1 0405 CA speed 2 plot 0406 route 0406,0407 ID0\nC2 0405 DD\n"
        "turn 1 impulse 1 half B initiative alliance"
    )
    if marked:
        state.set_mark(state.task_forces[marked], mark)  # pyright: ignore[reportArgumentType]
    at = table(state)
    assert asks_of(stay_steps(at, "coalition")) == ()
    staying = run(stay_steps(at, "coalition"), lambda ask: pytest.fail(f"{ask.id} was asked"))
    assert [tf.id for tf in move(state, "coalition", staying)] == ["C1"]
    force = state.task_forces["C1"]
    assert (force.hex, force.plot, force.route) == ("0406", "", ["0407"])
    assert told(at, "coalition") == []


# --- every refusal says why -------------------------------------------------------------------------------------------
def refused_plot(text: str, sheet: dict[str, Any], impulse: int = 1) -> list[tuple[str, str, str, str]]:
    """The alliance's refusals: where, which rule, what is wrong, and what would be right."""
    state = world(f"{text}\nA9 0402 BATS base Haven\nC1 0607 CA speed 2 U\nturn 1 impulse {impulse}")
    ask = plot_ask(table(state), "alliance")
    assert ask is not None
    with pytest.raises(Refused) as caught:
        ask.answer_from(sheet)
    return [(one.path, one.rule.removeprefix("PQ-17 "), one.problem, one.legal) for one in caught.value.refusals]


@cases("proves, text, impulse, sheet, refusals")
def test_illegal_plots_are_refused_and_it_is_said_why(
    text: str, impulse: int, sheet: dict[str, Any], refusals: list[tuple[str, str, str, str]]
) -> None:
    """Each with its place, the rule, what is wrong, and what would be right. Row 04 is even: above and below it lie
    columns 05 and 06 (ruling MAP-4). An enemy's name is as unknown as any."""
    assert refused_plot(text, sheet, impulse) == refusals


@pytest.mark.rule("pq17", "5.3.3")
def test_typed_orders_are_told_so_too() -> None:
    state = world("A1 0405 CA speed 3\nA2 0304 DD speed 2\nC1 0607 CA speed 2 U\nturn 1 impulse 2")
    ask = plot_ask(table(state), "alliance")
    assert ask is not None
    with pytest.raises(Refused) as caught:
        read_sheet(ask.form, "A2: move 0303")
    (found,) = caught.value.refusals
    assert (found.path, found.rule) == ("line 1", "PQ-17 5.3.3")
    assert found.problem == "A2 has no movement point on impulse 2 at Military Cruise (2)"


@cases("text, rule, problem")
def test_a_typed_step_that_cannot_be_made_is_explained_like_one_in_a_file(text: str, rule: str, problem: str) -> None:
    ask = plot_ask(table(world("A1 0405 CA speed 3\nC1 0607 CA speed 2 U\nturn 1 impulse 2")), "alliance")
    assert ask is not None
    with pytest.raises(Refused) as caught:
        read_sheet(ask.form, text, ask.refusals_of)
    assert [(one.rule, one.problem) for one in caught.value.refusals] == [(f"PQ-17 {rule}", problem)]


@cases("impulse")
def test_who_cannot_pay_for_its_hex_may_be_taken_in_tow_with_its_engines_off(impulse: int) -> None:
    """At Sprint the destroyer pays half a point a hex and has a quarter; in tow the cruiser pays all: 1 + 1/2."""
    state = world(f"A1 0405 CA+DD[fuel=1/4] speed 3\nC1 0607 CA speed 2 U\nturn 1 impulse {impulse}")
    line = plot_ask(table(state), "alliance").form.line("A1")
    assert [field.key for field in line.fields] == ["speed", "move", "tow"]


@pytest.mark.rule("pq17", "C.oob.klingon.restriction")
def test_the_bound_squadron_is_told_what_binds_it() -> None:
    state = campaign()
    put(state, "C1", "1715", "KLI-CA", speed=Speed.CRUISE, plotted=Speed.CRUISE, tags=["BATRON-N"])
    state.impulse = 1
    state.doctrine["coalition"].ask_every_impulse = True
    ask = plot_ask(table(state), "coalition")
    assert ask is not None
    with pytest.raises(Refused) as caught:
        ask.answer_from({"C1": {"move": "1614"}})
    (found,) = caught.value.refusals
    assert (found.path, found.rule) == ("C1.move", "PQ-17 C.oob.klingon.restriction")
    assert found.problem == "C1 may not leave 1715: no Federation warship is identified away from base"
    assert found.legal == "stay, port"
    with pytest.raises(Refused, match=r"C1 may not leave 1715.*C\.oob\.klingon\.restriction"):
        read_sheet(ask.form, "C1: move 1614", ask.refusals_of)


@pytest.mark.parametrize(("move", "meant"), [("to 0404", ("0404",)), ("STAY", ("stay",)), ("040", ("0406", "0404"))])
def test_what_was_meant_by_a_step_is_offered(move: str, meant: tuple[str, ...]) -> None:
    """A step in other words is that step alone; of what is no step, those that are most like it."""
    ask = plot_ask(table(world("A1 0405 CA speed 2\nC1 0607 CA speed 2 U\nturn 1 impulse 1")), "alliance")
    assert ask is not None
    with pytest.raises(Refused) as caught:
        ask.answer_from({"A1": {"move": move}})
    assert caught.value.refusals[0].nearest[: len(meant)] == meant
    assert move == "040" or len(caught.value.refusals[0].nearest) == 1
