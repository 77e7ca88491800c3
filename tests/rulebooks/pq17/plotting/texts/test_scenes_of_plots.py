"""Plot sheets of an impulse and the option to stay, written down whole."""

from typing import Any

import pytest

from rules_engine.rulebooks.pq17.orders.standing_words import read_orders
from rules_engine.rulebooks.pq17.plotting.impulse_plots import plot_ask, plot_movement_steps, stay_steps
from rules_engine.rulebooks.pq17.records.state import State
from tests.rulebooks.pq17.playing.written_scenes import answered, put, refused, scene
from tests.rulebooks.pq17.worlds.minefields import mined
from tests.rulebooks.pq17.worlds.notation import table, world
from tests.rulebooks.written_texts import compare

Request = pytest.FixtureRequest
NOW = "\nturn 2 impulse 1 half A initiative alliance"


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
    found = [*put(at, ask), *(f"absent {one.key}: {one.problem} ({one.rule})" for one in ask.form.absent)]
    found += [line for answer in (ask.default, *map(ask.answer_from, answers)) for line in answered(ask, answer)]
    compare(request, found)


@pytest.mark.rule("pq17", "12.5.3", "5.3.2")
def test_a_minelayer_may_lay_where_it_stands(request: Request) -> None:
    state = every_impulse(mined("A9 0405 BATS base Haven known\nA1 0405 ML speed 2", mines={"A1.ML": 200}))
    at = table(state)
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
    compare(request, scene(at, plot_movement_steps(at)))


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
    at = table(every_impulse(world(text + NOW)))
    ask = plot_ask(at, "alliance")
    assert ask is not None
    lines = [
        ("A1", "0407"), ("A1", "0101"), ("A1", "port"), ("A1", "lay"), ("A1", "0406 0407"), ("A1", "0405"),
        ("A1", "northward"), ("A1", "exit"), ("A2", "0304"), ("A2", "exit"), ("A3", "port"), ("A5", "0203"),
        ("A9", "0304"),
        ("C1", "0608"),
    ]  # fmt: skip
    wrong: list[Any] = [{key: {"move": step}} for key, step in lines]
    wrong += [
        {"A1": {"speed": "1"}},
        {"A1": {"shadow": "go on"}},
        {"A1": {"tow": "A1.CA>A1.CA"}},
        {"A4": {"speed": "2"}},
    ]
    compare(request, [*refused(ask, wrong)])


@pytest.mark.rule("pq17", "12.5.1", "12.5.2", "12.5.3.3", "12.5.3.4")
def test_mines_that_cannot_be_laid(request: Request) -> None:
    """A1 lays no mines, A2 has none, A3 is where none may lie, A4 lacks the fuel to lay, and A5 the fuel for the
    movement point besides: 5/4 is enough for laying (1) or for the hex (1/2), but not for both."""
    text = "A9 0303 BATS base Haven known\nA1 0303 CL speed 2\nA2 0303 ML speed 2\nA3 0405 ML speed 2\n"
    text += "A4 0303 ML[fuel=3/4] speed 2\nA5 0303 ML[fuel=5/4] speed 2"
    state = every_impulse(mined(text, mines={"A3.ML": 200, "A4.ML": 200, "A5.ML": 200}))
    ask = plot_ask(table(state), "alliance")
    assert ask is not None
    compare(request, [*refused(ask, [{f"A{number}": {"move": "lay"}} for number in range(1, 6)])])
