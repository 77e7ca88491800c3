"""Plot sheets of an impulse and the option to stay, written down whole."""

from typing import Any

import pytest

from rules_engine.core.protocol.asks import Steps
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch06_reconnaissance.shadowing import end_shadowing
from rules_engine.rulebooks.pq17.orders.standing_answers import tell_decisions
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders
from rules_engine.rulebooks.pq17.plotting.contact_sheet import all_meetings, contact_ask, contact_steps
from rules_engine.rulebooks.pq17.plotting.impulse_plots import plot_ask, plot_movement_steps, stay_steps
from rules_engine.rulebooks.pq17.plotting.planning_sheet import carry_out_plans, planning_ask
from rules_engine.rulebooks.pq17.plotting.standing_moves import made_by_orders
from rules_engine.rulebooks.pq17.records import forces, progress
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.rulebooks.pq17.playing.written_scenes import answered, heard, refused, refused_as_written, scene
from tests.rulebooks.pq17.playing.written_scenes import put as spell_ask
from tests.rulebooks.pq17.worlds.campaign import campaign, put
from tests.rulebooks.pq17.worlds.notation import table, world
from tests.rulebooks.pq17.worlds.repair import mined
from tests.rulebooks.written_texts import compare

# --- plans and plots for which command points are wanting, and errands that wait for stores: whole texts --------------
Request = pytest.FixtureRequest


def homebound(*, route: tuple[str, ...] = (), step: str = "", **fields: Any) -> State:
    """A Federation dreadnought in 1016, two hexes from Scapa Flow, for which no points are left."""
    state = campaign()
    given: dict[str, Any] = {"speed": Speed.CRUISE, "plotted": Speed.CRUISE, "id_level": forces.IdLevel.ID0, **fields}
    tf = put(state, "A1", "1016", "FED-DN", route=list(route), plot=step, **given)
    state.progress.command["federation"].uncovered = list(tf.units)
    state.turn, state.impulse = 1, 1
    return state


@pytest.mark.rule("pq17", "4.2.3")
def test_a_ship_without_points_must_go_home(request: Request) -> None:
    """Refused as a plan that keeps station, and as a plot that leads elsewhere; a stored route is cut back."""
    state = homebound()
    found = [*refused(planning_ask(table(state), "alliance"), [{"A1": {"speed": "0"}}])]
    state.doctrine["alliance"].ask_every_impulse = True
    plot = plot_ask(table(state), "alliance")
    assert plot is not None
    found += refused(plot, [{"A1": {"move": "0916"}}])
    at = table(homebound(route=("0916",)))
    found += scene(at, plot_movement_steps(at))
    compare(request, found)


@pytest.mark.rule("pq17", "4.2.3", "7.4.4")
def test_a_ship_without_points_shadows_nobody(request: Request) -> None:
    state = homebound(shadowing="C1")
    put(state, "C1", "1016", "KLI-DD", id_level=forces.IdLevel.ID0, speed=Speed.CRUISE)
    at = table(state)
    end_shadowing(at)
    compare(request, [line for report in at.shared.reports for line in heard(at, report)])


@pytest.mark.rule("pq17", "C.schedule.note4")
def test_a_ship_on_transfer_takes_on_stores_first(request: Request) -> None:
    state = campaign(turn=2)
    tf = put(state, "A5", "1217", "FED-CA", in_port="A91")
    unit = state.units[tf.units[0]]
    unit.fuel /= 8
    state.progress.permits[unit.id] = progress.Permit(kind="transfer", hexes=["1722"], key="A5")
    state.progress.errands[unit.id] = progress.Errand(leave="1722")
    at = table(state)
    ask = planning_ask(at, "alliance")
    assert ask.default is not None
    found = [*answered(ask, ask.default)]
    carry_out_plans(at, {"alliance": ask.default})
    compare(request, [*found, *(line for report in at.shared.reports for line in heard(at, report))])


# --- contact sheets written down whole: what is proposed, how answers are read back, and what is refused --------------
NOW = "\nturn 2 impulse 1 half A initiative alliance"


def asking(text: str, **orders: str) -> State:
    """A world in which the Alliance is asked on contact, and the Coalition never; ``orders`` by task force."""
    state = world(text + NOW)
    for name, words in {"alliance": "ask on contact", "coalition": "ask on contact; search never; hold"}.items():
        state.doctrine[name].orders = read_orders(words + "; attack never" * (name == "coalition"), name)[0]
    for name, words in orders.items():
        found, wrong = read_orders(words, name)
        assert not wrong
        state.task_forces[name].doctrine = found
    return state


@pytest.mark.rule("pq17", "5.3.2", "6.3.2", "7.2.1", "8.4.2", "6.2.4")
def test_a_scout_and_a_cruiser_without_fuel_meet_two_forces(request: Request) -> None:
    """A1's cruiser has 5 fuel, enough for a search (2) but not for combat (4) after it, so that a search is not
    proposed; A2 has fuel enough. A3 has no fuel for a search. C2 is held at ID1."""
    text = "A1 0405 CA[fuel=5]+SC speed 2\nA2 0405 DD speed 1 passive\nA3 0405 CL[fuel=1] speed 1\n"
    at = table(asking(text + "C1 0405 DD U\nC2 0405 CA ID1"))
    ask = contact_ask(at.state, "alliance", all_meetings(at.state))
    answers = {
        "A1": {"search": "yes", "probes": 3, "shadow": True, "attack": "id2", "ratio": "3/2", "then": "withdraw"},
        "A2": {"search": "no", "attack": "id0", "then": "hold"},
        "A3": {"attack": "ask", "then": "ask"},
    }
    compare(request, [*spell_ask(at, ask), *answered(ask, ask.default), *answered(ask, ask.answer_from(answers))])


@pytest.mark.rule("pq17", "8.4.2", "6.2.4")
def test_who_does_not_search_and_knows_nothing_is_warned_that_it_cannot_attack(request: Request) -> None:
    at = table(asking("A1 0405 CA speed 2\nC1 0405 DD U"))
    compare(request, scene(at, contact_steps(at), {"contact alliance": [{"A1": {"search": "no", "attack": "id0"}}]}))


@pytest.mark.rule("pq17", "8.6.2.1")
def test_a_settled_hex_that_can_be_raided(request: Request) -> None:
    """Only the Coalition gains by raids, and only where a campaign has a table of them. PQ-17 8.6.1."""
    state = world("settled 0405 alliance Ixchel\nC1 0405 CA speed 2\nA1 0405 DD U" + NOW, raid_table="pq17")
    state.doctrine["coalition"].orders = read_orders("ask on contact", "coalition")[0]
    at = table(state)
    compare(request, scene(at, contact_steps(at), {"contact coalition": [{"C1": {"raid": "raid"}}]}))


@pytest.mark.rule("pq17", "5.3.2", "6.3.2", "8.4.2")
def test_standing_orders_are_filled_in(request: Request) -> None:
    """A ratio that is not on offer is shown as the next lower one: 5/2 as twice, 1/3 as half."""
    text = "A1 0405 CA speed 2\nA2 0405 CA speed 2\nA3 0405 CA speed 2\nC1 0405 DD ID0\nC2 0404 DD"
    orders = {
        "A1": "search; probes 2; shadow; attack id3 x2.5; move ask",
        "A2": "search never; attack id0; hold; ask on contact",
        "A3": "search ask; attack id1 x1/3; withdraw",
    }
    compare(request, scene(at := table(asking(text, **orders)), contact_steps(at)))


@pytest.mark.rule("pq17", "6.3.4.11", "6.2.4", "8.4.2")
def test_contact_sheets_that_are_refused(request: Request) -> None:
    at = table(asking("A1 0405 DD speed 2\nC1 0405 DD U"))
    ask = contact_ask(at.state, "alliance", all_meetings(at.state))
    assert ask is not None
    refused_as_written(request, ask)


def every_impulse(state: State) -> State:
    state.doctrine["alliance"].ask_every_impulse = True
    return state


@pytest.mark.rule("pq17", "5.3.2", "5.4.2", "5.5.2", "5.5.3", "7.4.3", "9.5")
def test_plots_of_many_kinds_of_forces(request: Request) -> None:
    """A shadower, one short of fuel for its speed, one in port, one beside its port and one with a slower ship to tow;
    who has no movement point and bases are not asked, and it is said why."""
    text = "A1 0405 CA speed 1 shadows C1\nA2 0607 CA[fuel=3/4] speed 2\nA3 0303 CL speed 2 port A9\n"
    text += "A4 0303 DD speed 2 route port\nA5 0606 CA+HK speed IC\nA6 0808 CA+CL speed 2 route 0807\nA7 0202 FF\n"
    text += "A9 0303 BATS base Haven known\nC1 0405 DD speed 1 U"
    at = table(every_impulse(world(text + NOW)))
    ask = plot_ask(at, "alliance")
    answers: list[dict[str, Any]] = [
        {"A1": {"shadow": "keep speed", "move": "0406"}, "A2": {"speed": "1", "move": "0606"}, "A3": {"move": "port"}},
        {"A1": {"shadow": "plotted speed", "move": "stay"}, "A4": {"move": "port"}},
    ]
    found = [*spell_ask(at, ask), *(f"absent {one.key}: {one.problem} ({one.rule})" for one in ask.form.absent)]
    found += [line for answer in (ask.default, *map(ask.answer_from, answers)) for line in answered(ask, answer)]
    compare(request, found)


@pytest.mark.rule("pq17", "12.5.3", "5.3.2")
def test_a_minelayer_may_lay_where_it_stands(request: Request) -> None:
    at = table(every_impulse(mined("A9 0405 BATS base Haven known\nA1 0405 ML speed 2", mines={"A1.ML": 200})))
    compare(request, scene(at, plot_movement_steps(at), {"plot alliance": [{"A1": {"move": "lay"}}]}))


@pytest.mark.rule("pq17", "9.5", "5.1.6")
def test_who_runs_short_goes_slower_and_its_owner_is_told(request: Request) -> None:
    at = table(world("A1 0405 CA[fuel=3/4] speed 2 route 0406\nC1 0807 CA speed 1" + NOW))
    compare(request, scene(at, plot_movement_steps(at)))


@pytest.mark.rule("pq17", "5.3.2")
def test_plots_by_standing_orders_are_told(request: Request) -> None:
    """Each in contact: one goes on along its route, one withdraws into port, one lays mines as its route says, one
    leaves port, one holds; the Coalition's hold, too."""
    text = (
        "A9 0303 BATS base Haven known\nA1 0405 CA speed 2 route 0406\nA2 0303 CA speed 2\nA3 0303 ML speed 2 route lay"
    )
    text += "\nA4 0303 CA speed 2 port A9 route port\nA5 0606 CA speed 2 route 0607\n"
    text += "C1 0405 CA speed 1 U\nC2 0303 CA speed 1 U\nC3 0606 CA speed 2 U route 0607"
    state = mined(text, mines={"A3.ML": 200})
    for side in ("alliance", "coalition"):
        state.doctrine[side].orders = read_orders("search never; attack never; go on", side)[0]
    state.task_forces["A2"].doctrine = read_orders("withdraw", "A2")[0]
    state.task_forces["A5"].doctrine = read_orders("hold", "A5")[0]
    at = table(state)
    compare(request, scene(at, plotted_and_told(at)))


def plotted_and_told(at: TurnContext[State]) -> Steps[None]:
    """The plots, and what is told of those by standing orders as they are carried out."""
    by_orders = yield from plot_movement_steps(at)
    for side in at.sides:
        tell_decisions(at, side, "PQ-17 5.3.2", made_by_orders(at.state, side, (), by_orders))


@pytest.mark.rule("pq17", "5.3.5", "5.3.5.1", "5.3.5.2", "SOP.2.b.vii.1")
def test_who_may_stay_is_asked_and_who_must_is_told(request: Request) -> None:
    """The Coalition moves second: C1's enemy came into its hex, C2 was attacked, C3 has searched, C4 attacked."""
    text = "A1 0405 CA speed 2 U\nA2 0606 CA speed 2 U\nA3 0202 CA U\nA4 0808 CA U\nC1 0405 CA speed 2 plot 0406 U\n"
    text += "C2 0606 CA speed 2 plot 0607 U\nC3 0202 CA speed 2 plot 0203 U\nC4 0808 CA speed 2 plot 0807 U"
    state = world(text + "\nturn 2 impulse 1 half B initiative coalition")
    state.set_mark(state.task_forces["A1"], "entered")
    state.set_mark(state.task_forces["C2"], "was_attacked")
    state.set_mark(state.task_forces["C3"], "searched")
    state.set_mark(state.task_forces["C4"], "attempted_attack")
    at = table(state)
    compare(request, scene(at, stay_steps(at, "coalition"), {"stay coalition": [{"C1": {"move": "stay"}}]}))


@pytest.mark.rule("pq17", "5.3.5")
def test_standing_orders_decide_who_stays(request: Request) -> None:
    text = "A1 0405 CA speed 2 U\nC1 0405 CA speed 2 plot 0406 U\nC2 0405 CA speed 2 plot 0404 U"
    state = world(text + "\nturn 2 impulse 1 half B initiative coalition")
    state.set_mark(state.task_forces["A1"], "entered")
    for tf_id, words in (("C1", "hold"), ("C2", "go on")):
        state.task_forces[tf_id].doctrine = read_orders(words, tf_id)[0]
    at = table(state)
    compare(request, scene(at, stay_steps(at, "coalition")))


@pytest.mark.rule("pq17", "5.1.6", "5.3.2", "5.3.3", "5.3.4", "5.4.1", "5.5.1", "5.5.3", "5.5.4", "7.4.3", "9.5")
def test_plots_that_are_refused(request: Request) -> None:
    text = (
        "A1 0405 CA speed 2\nA2 0303 CA speed 2 port A9\nA3 0303 CA speed 3\nA4 0606 CA[fuel=3/4] speed 2\nA5 0202 FF\n"
    )
    text += "A6 0808 CA speed 1 shadows C2\nA9 0303 BATS base Haven known\nC1 0607 CA U\nC2 0808 CA speed IC U"
    ask = plot_ask(table(every_impulse(world(text + NOW))), "alliance")
    assert ask is not None
    refused_as_written(request, ask)


@pytest.mark.rule("pq17", "12.5.1", "12.5.2", "12.5.3.3", "12.5.3.4")
def test_mines_that_cannot_be_laid(request: Request) -> None:
    """A1 lays no mines, A2 has none, A3 is where none may lie, A4 lacks the fuel to lay, and A5 the fuel for the
    movement point besides: 5/4 is enough for laying (1) or for the hex (1/2), but not for both."""
    text = "A9 0303 BATS base Haven known\nA1 0303 CL speed 2\nA2 0303 ML speed 2\nA3 0405 ML speed 2\n"
    text += "A4 0303 ML[fuel=3/4] speed 2\nA5 0303 ML[fuel=5/4] speed 2"
    ask = plot_ask(table(every_impulse(mined(text, mines={"A3.ML": 200, "A4.ML": 200, "A5.ML": 200}))), "alliance")
    assert ask is not None
    refused_as_written(request, ask)
