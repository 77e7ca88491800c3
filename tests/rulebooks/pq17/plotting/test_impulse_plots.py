"""The plot movement step: who is asked, what is refused, and what happens to those who cannot keep up."""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.pq17.ch05_movement.movement import move
from rules_engine.rulebooks.pq17.plotting.impulse_plots import has_contact, plot_ask, plot_movement_steps, stay_steps
from rules_engine.rulebooks.pq17.records.forces import TowGroup
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.rulebooks.pq17.worlds.notation import asks_of, notation, run, table, told, world


def plot(state: State, sheet: dict[str, Any] | None = None) -> list[AnyAsk]:
    """Play the step; the alliance answers with ``sheet``. Returns what was asked."""
    asked: list[AnyAsk] = []

    def answer(ask: AnyAsk) -> object:
        asked.append(ask)
        return sheet if ask.parties == ("alliance",) else None

    run(plot_movement_steps(table(state)), answer)
    return asked


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


@pytest.mark.parametrize(
    ("line", "sheet", "rule"),
    [
        ("A1 0405 CA speed 2", {"A1": {"move": "0407"}}, "5.3.3"),
        ("A1 0405 CA speed 2", {"A1": {"move": "0101"}}, "5.3.3"),
        ("A1 0405 CA speed 2", {"A1": {"move": "port"}}, "5.5.2"),
        ("A1 0402 CA speed 3", {"A1": {"move": "port"}}, "5.5.2"),
        ("A1 0402 CA speed 2 port A9", {"A1": {"move": "0403"}}, "5.5.3"),
        ("A1 0405 CA[fuel=1/2] speed 2", {"A1": {"speed": "2"}}, "9.5"),
        ("A1 0405 CA[fuel=1/5] speed 2", {"A1": {"speed": "1"}}, "9.5"),
        ("A1 0405 CA speed 2", {"A1": {"speed": "1"}}, ""),
        ("A1 0405 CA speed 2", {"A1": {"shadow": "go on"}}, ""),
        ("A1 0405 CA speed 2", {"C1": {"move": "stay"}}, ""),
        ("A1 0405 CA speed 2", {"A2": {"move": "stay"}}, ""),
        ("A1 0405 CA speed 2", {"A1": {"mvoe": "stay"}}, ""),
    ],
)
@pytest.mark.rule("pq17", "5.3.3", "5.5.2", "5.5.3", "9.5", "5.1.6")
def test_illegal_plots_are_refused(line: str, sheet: dict[str, Any], rule: str) -> None:
    state = world(f"{line}\nA9 0402 BATS base Haven\nC1 0607 CA speed 2 U\nturn 1 impulse 1")
    ask = plot_ask(table(state), "alliance")
    assert ask is not None
    with pytest.raises(Refused) as caught:
        ask.answer_from(sheet)
    assert [one.rule.removeprefix("PQ-17 ") for one in caught.value.refusals] == [rule]


@pytest.mark.rule("pq17", "9.5")
@pytest.mark.parametrize(
    ("sheet", "speed", "fuel_left"),
    [(None, Speed.EFFICIENT, "1/2"), ({"A1": {"speed": "0"}}, Speed.STATION, "1/2")],
)
def test_who_cannot_pay_for_a_hex_goes_slower_from_now_on(
    sheet: dict[str, Any] | None, speed: Speed, fuel_left: str
) -> None:
    """Half a point does not pay a cruise's hex. On impulse 3 speed 1 has no point, so nothing is spent."""
    state = world("A1 0405 CA[fuel=1/2] speed 2 route 0406\nC1 0607 CA\nturn 1 impulse 3")
    at = table(state)
    run(plot_movement_steps(at), lambda ask: sheet)
    tf = state.task_forces["A1"]
    assert (tf.speed, tf.plot, str(state.units["A1.CA"].fuel)) == (speed, "", fuel_left)
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


@pytest.mark.rule("pq17", "5.3.5")
@pytest.mark.parametrize(
    ("marked", "mark"),
    [
        ("", ""),
        ("A1", "searched"),  # the enemy searched it
        ("A1", "attempted_attack"),  # the enemy attacked it in vain
        ("A1", "moved"),  # the enemy expended a point in place
        ("A2", "entered"),  # an enemy came, into another hex
        ("C2", "was_attacked"),  # another force of its own side was attacked
        ("C2", "searched"),  # or searched
        ("C1", "paid_combat"),
    ],
)
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
