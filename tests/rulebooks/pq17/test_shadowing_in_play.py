"""Shadowing where it meets movement, fuel and combat: chains, speeds that changed meanwhile, and points paid for."""

from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol import asks, turn_context
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import drop_unit
from rules_engine.rulebooks.pq17.ch05_movement import movement, speeds
from rules_engine.rulebooks.pq17.ch06_reconnaissance import shadowing
from rules_engine.rulebooks.pq17.contacts import detection, shadow_chains
from rules_engine.rulebooks.pq17.orders.order_sheets import PlanSheet
from rules_engine.rulebooks.pq17.plotting import impulse_plots, planning_sheet
from rules_engine.rulebooks.pq17.records import battles, forces
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.sequence import half_steps, impulse_steps
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.notation import notation, run, table, told, world

F = Fraction
DICE = {"surprise": 2, "conditions": 5, "main roll": 100, "ID roll": 1}
WHY = because("PQ-17 7.4.1")


def plotted(text: str, sheets: dict[str, Any], impulse: int = 1, **labels: int) -> turn_context.TurnContext[State]:
    """The plot movement step, with the sides' answers to its ask."""
    at = table(world(f"{text}\nturn 2 impulse {impulse} initiative alliance"), by_label={**DICE, **labels})
    detection.announce_detections(at)
    at.shared.reports.clear()
    run(impulse_plots.plot_movement_steps(at), lambda ask: sheets.get(ask.parties[0]) if ask.kind == "plot" else None)
    return at


def links(state: State) -> dict[str, str]:
    return {tf.id: tf.shadowing for tf in state.all_task_forces() if tf.shadowing}


# --- chains ----------------------------------------------------------------------------------------------------------
@cases("proves, text, impulse, sheets, after, fuel", "after, fuel")
def test_what_plots_make_of_shadowing(text: str, impulse: int, sheets: dict[str, Any], after: list[str], fuel: str):
    """The forces after the plot movement step, and the fuel of each one's ship."""
    at = plotted(text, sheets, impulse)
    assert notation(at.state).splitlines() == after
    assert ", ".join(f"{tf.id} {at.state.units_of(tf)[0].fuel}" for tf in at.state.all_task_forces()) == fuel


@cases("text, sheets")
def test_shadowing_does_not_end_for_a_point_that_the_target_will_not_have(text: str, sheets: Any) -> None:
    assert links(plotted(text, sheets).state) == {"A1": "C1"}


@pytest.mark.rule("pq17", "7.5.4", "7.3.7")
def test_forces_that_combined_do_not_shadow_each_other_in_a_circle() -> None:
    """A1 shadowed C1 and C2 shadowed A2; A1 and A2 are A1 now, C1 and C2 are C1. The side without the initiative
    assigns first, so that the link of the other one closes the circle and fails."""
    state = world("A1 0405 CA+CA speed 2 shadows C1 U\nC1 0405 CA+CA speed 1 shadows A1 U\nturn 2 initiative alliance")
    at = table(state)
    at.state.shadow_links = [
        battles.ShadowLink(shadower=["A1.CA"], target=["C1.CA"]),
        battles.ShadowLink(shadower=["C1.CA2"], target=["A1.CA2"]),
    ]
    run(shadowing.continue_shadowing_steps(at))
    assert links(at.state) == {"C1": "A1"}
    assert at.state.task_forces["A1"].speed is Speed.CRUISE
    assert shadow_chains.current_speed(at.state, at.state.task_forces["C1"]) is Speed.CRUISE
    assert "E1 no longer shadows your C1." in told(at, "coalition")


def chain_world(chance: Random) -> State:
    """Two to five links in one hex with little fuel, the sides taking turns; sometimes a circle, or a second chain."""
    lines: list[str] = []
    for _ in range(chance.randint(1, 2)):
        first = len(lines) + 1
        length = chance.randint(3, 6)
        names = [f"{'AC'[number % 2]}{first + number}" for number in range(length)]
        target = dict(pairwise(names))
        if length % 2 == 0 and chance.random() < 0.3:
            target[names[-1]] = names[0]
        for name in names:
            ship = chance.choice(["CA", "DD", "FF", "CL"])
            fuel = chance.choice(["0", "1/16", "1/4", "1/2", "1", "2", "5"])
            speed = chance.choice(["0", "IC", "WC", "1", "2", "3"])
            crawl = f" crawl {chance.randint(0, 3)}"
            shadows = f" shadows {target[name]}" if name in target else ""
            lines.append(f"{name} 0405 {ship}[fuel={fuel}] speed {speed}{shadows} U{crawl}")
    return world("\n".join([*lines, "turn 2 initiative " + chance.choice(["alliance", "coalition"])]))


@pytest.mark.rule("pq17", "7.4.3", "7.4.4", "9.5", "SOP.2.b.i.7")
@pytest.mark.parametrize("seed", range(50))
def test_no_chain_of_shadowing_with_little_fuel_stops_an_impulse(seed: int) -> None:
    """Any orders of stopping, going on, moving and slowing down, in three impulses: nobody pays what it has not."""
    chance = Random(seed)
    state = chain_world(chance)
    at = table(state, by_label=DICE)
    for tf in state.all_task_forces():
        state.doctrine[tf.side].ask_every_impulse = True
    detection.announce_detections(at)

    def answer(ask: asks.AnyAsk) -> Any:
        if ask.kind != "plot":
            return None
        chosen: dict[str, dict[str, Any]] = {}
        for line in ask.form.lines:
            chosen[line.key] = {
                field.key: chance.choice(field.choices).value for field in line.fields if field.kind == "one"
            }
        return chosen

    for impulse in (1, 2, 3):
        run(impulse_steps(at, impulse), answer)
        assert all(unit.fuel >= 0 for unit in state.units.values())
        for tf in state.all_task_forces():
            assert not tf.shadowing or state.task_forces[tf.shadowing].hex == tf.hex
            assert tf.plot == ""


# --- the speed and the point that remain ------------------------------------------------------------------------------
FOLLOWED = "A1 0405 CA speed 2 shadows C1 U\nC1 0405 CA speed 1 U\nturn 2 impulse 2 initiative alliance"


def slowed_down(text: str = FOLLOWED) -> turn_context.TurnContext[State]:
    """A1 began to shadow C1 at speed 1; since then C1 has gone over to a crawl, for its second turn."""
    at = table(world(text))
    state = at.state
    shadowing.take_up(state, state.task_forces["A1"], state.task_forces["C1"])
    speeds.set_speed(state, state.task_forces["C1"], Speed.IMPULSE_CRAWL)
    state.units["C1.CA"].crawl_turns = 2
    at.shared.reports.clear()
    return at


@pytest.mark.rule("pq17", "7.4.3.2", "7.3.1")
def test_who_keeps_its_speed_on_ceasing_keeps_the_speed_it_shadows_at_now() -> None:
    at = slowed_down()
    tf = at.state.task_forces["A1"]
    shadowing.cease(at, tf, keep_speed=True)
    assert (tf.speed, at.state.units["A1.CA"].crawl_turns) == (Speed.IMPULSE_CRAWL, 2)
    assert "its speed is 1/2." in told(at, "alliance")[0]


@pytest.mark.rule("pq17", "7.4.1", "7.4.2")
def test_shadowing_lost_in_combat_or_with_the_target_leaves_the_speed_it_had_last() -> None:
    at = slowed_down()
    tf = at.state.task_forces["A1"]
    shadowing.lose_shadowing(at, tf, WHY)
    assert (tf.shadowing, tf.speed) == ("", Speed.IMPULSE_CRAWL)


@pytest.mark.rule("pq17", "7.4.3.2", "1.6.1", "6.4.1")
def test_a_target_that_is_lost_leaves_its_shadower_at_the_speed_of_now_and_without_its_point() -> None:
    at = slowed_down()
    tf = at.state.task_forces["A1"]
    at.state.task_forces["C1"].plot = "0406"  # paid for by both, and not made yet
    drop_unit(at.state, "C1.CA")
    assert (tf.shadowing, tf.speed, tf.plot) == ("", Speed.IMPULSE_CRAWL, forces.STAY)


@pytest.mark.rule("pq17", "7.5.2", "7.5.3")
def test_who_does_not_go_on_shadowing_in_a_new_turn_goes_at_the_speed_it_plots() -> None:
    at = table(world("A1 0405 CA speed 1 shadows C1 U\nC1 0405 CA speed 3 U\nturn 2 initiative alliance"))
    detection.announce_detections(at)
    sheet = PlanSheet.model_validate({"A1": {"shadow": False, "speed": "2"}})
    planning_sheet.carry_out_plans(at, {"alliance": sheet, "coalition": PlanSheet({})})
    tf = at.state.task_forces["A1"]
    assert (tf.shadowing, tf.plotted, tf.speed) == ("", Speed.CRUISE, Speed.CRUISE)


@cases("fuel, goes_on")
def test_into_a_new_turn_a_ship_without_any_fuel_cannot_match(fuel: str, goes_on: bool) -> None:
    """A1 has warp on by its CA; its DD decides."""
    at = table(world(f"A1 0405 CA+DD[fuel={fuel}] speed 0 shadows C1 U\nC1 0405 CA speed 1 U\nturn 2"))
    at.state.shadow_links = [battles.ShadowLink(shadower=["A1.CA", "A1.DD"], target=["C1.CA"])]
    run(shadowing.continue_shadowing_steps(at))
    assert bool(links(at.state)) is goes_on


@pytest.mark.rule("pq17", "7.4.3.2")
def test_the_plot_sheet_names_the_speed_that_would_be_kept() -> None:
    at = slowed_down()
    detection.announce_detections(at)
    ask = impulse_plots.plot_ask(at, "alliance")
    assert [(line.key, line.note) for line in ask.form.lines] == [("A1", Speed.IMPULSE_CRAWL.label)]


@cases("joined")
def test_who_was_set_free_by_combat_expends_in_place_the_point_it_paid_for(joined: bool) -> None:
    """A1 has paid for C1's point and C3, which shadows A1, too; then A1 attacks. A shadower that began in this impulse
    has paid for none."""
    text = "A1 0405 CA speed 2 shadows C1 ID2\nC3 0405 CA shadows A1 ID2\nC1 0405 CA speed 2 plot 0406 ID2"
    at = table(world(text + "\nturn 2 impulse 1 half A initiative alliance"))
    state = at.state
    one, other = state.task_forces["A1"], state.task_forces["C3"]
    if joined:
        state.set_mark(one, "declared_shadowing")
    shadowing.lose_shadowing(at, one, WHY)
    state.half = "B"
    assert sorted(tf.id for tf in movement.move(state, "coalition")) == (["C1"] if joined else ["A1", "C1", "C3"])
    assert state.has_mark(one, "moved") is not joined
    assert state.has_mark(other, "moved") is not joined
    assert (one.hex, other.hex, one.plot, other.plot) == ("0405", "0405", "", "")


# --- declaring --------------------------------------------------------------------------------------------------------
PORT_WORLD = "A1 0405 CA speed 3 U\nC9 0405 DOCK base Lair known\nC1 0405 CL[warp=9] speed 1 plot port ID0"


@cases("plot", "")
def test_a_failed_declaration_cancels_every_plotted_move_that_is_not_made_yet(plot: str) -> None:
    """C1 reaches speed 1 and cannot shadow a sprinter; it neither enters port nor goes anywhere, and hears of it."""
    text = PORT_WORLD.replace("plot port", f"plot {plot}")
    at = table(world(text + "\nturn 2 impulse 2 half A initiative alliance"))
    state = at.state
    tf = state.task_forces["C1"]
    assert not shadowing.try_to_shadow(at, tf, state.task_forces["A1"])
    state.half = "B"
    assert run(impulse_plots.stay_steps(at, "coalition")) == []
    assert [tf.id for tf in movement.move(state, "coalition")] == ["C1"]
    assert (tf.hex, tf.in_port, tf.plot) == ("0405", "", "")
    assert "C1 does not make its plotted move and stays in 0405." in told(at, "coalition")


@pytest.mark.rule("pq17", "5.3.5.3", "5.5.2")
def test_a_search_alone_does_not_keep_a_force_out_of_port() -> None:
    state = world(PORT_WORLD + "\nturn 2 impulse 2 half B initiative alliance")
    tf = state.task_forces["C1"]
    state.set_mark(tf, "searched")
    movement.move(state, "coalition")
    assert tf.in_port == "C9"


# --- following in the half in which the target moves ------------------------------------------------------------------
def second_half(text: str, *orders: Any) -> turn_context.TurnContext[State]:
    """Half B of impulse 1 after A1 has declared shadowing in half A; ``orders`` change nothing else."""
    at = table(world(text + "\nturn 2 impulse 1 half A initiative alliance"), by_label=DICE)
    state = at.state
    detection.announce_detections(at)
    assert shadowing.try_to_shadow(at, state.task_forces["A1"], state.task_forces["C1"])
    at.shared.reports.clear()
    state.half = "B"
    run(half_steps(at, "coalition"))
    return at


@cases("proves, text, after, fuel, alliance, coalition", "after, fuel, alliance, coalition")
def test_who_follows_its_target_in_the_second_half(
    text: str, after: list[str], fuel: str, *, alliance: list[str], coalition: list[str]
) -> None:
    """A1 has declared shadowing in half A: the forces after half B, their fuel and whether they moved; what is told."""
    at = second_half(text)
    assert notation(at.state).splitlines() == after
    present = at.state.all_task_forces()
    moved = {tf.id: " moved" * at.state.has_mark(tf, "moved") for tf in present}
    assert ", ".join(f"{tf.id} {at.state.units_of(tf)[0].fuel}{moved[tf.id]}" for tf in present) == fuel
    said = [[text for text in told(at, side) if "shadow" in text] for side in ("alliance", "coalition")]
    assert said == [alliance, coalition]
    assert not any("fuel" in text for text in told(at, "coalition"))


@pytest.mark.rule("pq17", "7.3.1", "SOP.2.b.i.7")
def test_who_shadowed_before_has_paid_in_the_plot_step_and_pays_nothing_more() -> None:
    at = table(
        world(
            "A1 0405 CA[fuel=1] speed 1 shadows C1 U\nC1 0405 CA speed 2 plot 0406 U\n"
            "turn 2 impulse 1 half B initiative alliance"
        ),
        by_label=DICE,
    )
    detection.announce_detections(at)
    run(half_steps(at, "coalition"))
    assert (at.state.task_forces["A1"].hex, at.state.units["A1.CA"].fuel) == ("0406", 1)
