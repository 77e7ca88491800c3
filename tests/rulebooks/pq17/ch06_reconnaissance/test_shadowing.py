"""Chapter 7: beginning to shadow, what it does, how it ends, and across turns."""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol import asks, turn_context
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import reorganise
from rules_engine.rulebooks.pq17.ch05_movement.movement import current_speed
from rules_engine.rulebooks.pq17.ch06_reconnaissance import shadowing as ch07
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.notation import asks_of, reports_to, run, situation, table, told, world

PAIR = "A1 0405 CA speed 3 U\nC1 0405 CA speed 1 U"


def attempted(text: str, shadower: str = "A1", target: str = "C1") -> tuple[bool, turn_context.TurnContext[State]]:
    at = table(world(text))
    state = at.state
    return ch07.try_to_shadow(at, state.task_forces[shadower], state.task_forces[target]), at


# --- beginning --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "7.1.1", "7.2.1", "7.2.2", "7.3.1", "7.2.2.2")
def test_who_can_match_the_speed_shadows_at_that_speed() -> None:
    begun, at = attempted(PAIR)
    tf = at.state.task_forces["A1"]
    assert begun
    assert (tf.shadowing, tf.speed, tf.plotted) == ("C1", Speed.EFFICIENT, Speed.SPRINT)
    assert (tf.posture.active, tf.posture.warp, tf.posture.cloak) == (True, True, False)
    assert told(at, "alliance") == ["E1 in 0405 announces speed 1: A1 shadows it from now on."]
    assert told(at, "coalition") == ["E1 in 0405 shadows your C1."]


@pytest.mark.rule("pq17", "7.2.2", "7.2.2.1")
@cases("shadower", "")
def test_who_cannot_match_fails_but_learns_the_speed(shadower: str) -> None:
    begun, at = attempted(f"{shadower}\nC1 0405 CA speed 3 U")
    assert (begun, at.state.task_forces["A1"].shadowing) == (False, "")
    assert told(at, "alliance") == ["E1 in 0405 announces speed 3: A1 cannot shadow it."]


@cases("case, proves, forces, begins", "begins")
def test_whether_shadowing_begins(forces: str, begins: str) -> None:
    begun, at = attempted(forces)
    tf = at.state.task_forces["A1"]
    (crawled,) = {unit.crawl_turns for unit in at.state.units_of(tf)}
    assert ("begins" if begun else "fails") + (f" in turn {crawled} of crawling" if crawled else "") == begins
    assert at.state.has_mark(tf, "declared_shadowing")


@pytest.mark.rule("pq17", "7.2.2")
def test_a_circle_fails() -> None:
    begun, at = attempted("A1 0405 CA U shadows C2\nC1 0405 CA U\nC2 0405 CA shadows A2 U\nA2 0405 CA U", "A2", "C2")
    assert not begun
    assert "circle" in (at.shared.reports[0].why.rule if at.shared.reports[0].why else "")


@pytest.mark.rule("pq17", "7.3.2", "7.3.1")
def test_a_chain_goes_at_the_speed_of_its_end() -> None:
    state = world("A1 0405 CA shadows C1 U\nC1 0405 CA shadows A2 U\nA2 0405 CA speed 2 U")
    assert current_speed(state, state.task_forces["A1"]) is Speed.CRUISE


# --- ending -----------------------------------------------------------------------------------------------------------
def plot_step(text: str, impulse: int = 2) -> turn_context.TurnContext[State]:
    at = table(world(f"{text}\nturn 2 impulse {impulse}"))
    ch07.end_shadowing(at)
    return at


@cases("case, proves, forces, impulse, afterwards, coalition", "afterwards, coalition")
def test_how_the_plot_step_ends_shadowing(forces: str, impulse: int, afterwards: str, coalition: list[str]) -> None:
    at = plot_step(forces, impulse)
    assert (situation(at.state), told(at, "coalition")) == (afterwards, coalition)


@pytest.mark.rule("pq17", "7.4.3", "7.4.3.1", "7.4.3.2", "7.4.3.5")
@pytest.mark.parametrize(("keep", "speed"), [(True, Speed.EFFICIENT), (False, Speed.CRUISE)])
def test_by_choice_it_keeps_the_speed_or_takes_the_plotted_one(keep: bool, speed: Speed) -> None:
    at = table(world("A1 0405 CA speed 2 shadows C1 U\nC1 0405 CA speed 1 U\nturn 2 impulse 2"))
    tf = at.state.task_forces["A1"]
    tf.speed = Speed.EFFICIENT
    ch07.cease(at, tf, keep_speed=keep)
    assert (tf.shadowing, tf.speed) == ("", speed)


@pytest.mark.rule("pq17", "7.4.3.3", "7.4.3.4")
def test_a_speed_that_cannot_be_kept_gives_way_to_the_other_or_to_the_highest_that_can() -> None:
    # impulses 2 and 3 at speed 3 cost 4, at speed 2 cost 1, at speed 1 cost 1/4
    state = world("A1 0405 CA[fuel=1] speed 3 shadows C1 U\nC1 0405 CA speed 2 U\nturn 2 impulse 2")
    tf = state.task_forces["A1"]
    state.set_target(tf, "")
    tf.speed = Speed.CRUISE
    assert ch07.speeds_after(state, tf, keep=True) is Speed.CRUISE
    state.units["A1.CA"].fuel = type(state.units["A1.CA"].fuel)(1, 2)
    assert ch07.speeds_after(state, tf, keep=True) is Speed.EFFICIENT


@pytest.mark.rule("pq17", "7.4.1", "7.4.2")
def test_losing_it_in_combat_leaves_the_speed_and_tells_both() -> None:
    at = table(world("A1 0405 CA speed 1 shadows C1 U\nC1 0405 CA speed 1 U"))
    ch07.lose_shadowing(at, at.state.task_forces["A1"], because("PQ-17 7.4.1"))
    assert at.state.task_forces["A1"].shadowing == ""
    assert at.state.task_forces["A1"].speed is Speed.EFFICIENT
    assert told(at, "alliance") == ["A1 no longer shadows E1; its speed is 1."]
    assert told(at, "coalition") == ["E1 no longer shadows your C1."]


@pytest.mark.rule("pq17", "7.4.3")
def test_the_targets_owner_hears_neither_reason_nor_new_speed() -> None:
    said: list[object] = []
    for text in ("A1 0405 CA[fuel=1] speed 1 shadows C1 U", "A1 0405 CA[warp=9,fuel=9] speed 1 shadows C1 U"):
        at = plot_step(f"{text}\nC1 0405 CA speed 3 U")
        said.append(reports_to(at, "coalition"))
    assert said[0] == said[1] != []


# --- across turns -----------------------------------------------------------------------------------------------------
def carry_over(at: turn_context.TurnContext[State], sheet: Any = None) -> list[asks.AnyAsk]:
    asked: list[asks.AnyAsk] = []

    def answer(ask: asks.AnyAsk) -> Any:
        asked.append(ask)
        return sheet

    run(ch07.continue_shadowing_steps(at), answer)
    return asked


def next_turn(text: str, **groups: dict[str, list[str]]) -> turn_context.TurnContext[State]:
    """The beginning of turn 3 in that world, where each side has reorganised into its ``groups``."""
    at = table(world(f"{text}\nturn 3 initiative alliance"))
    ch07.remember_links(at.state)
    for side, forces in groups.items():
        reorganise(at.state, side, forces)
    return at


@pytest.mark.rule("pq17", "SOP.2.a.vi.2", "SOP.2.a.vi.4", "SOP.2.a.vi.5")
@pytest.mark.rule("pq17", "7.5", "7.5.1", "7.5.2", "7.5.5", "7.5.6")
def test_shadowing_goes_on_without_a_prompt_and_the_speed_is_announced() -> None:
    at = next_turn("A1 0405 CA speed 3 shadows C1 U\nC1 0405 CA speed 2 U")
    assert carry_over(at) == []
    assert at.state.task_forces["A1"].speed is Speed.CRUISE
    assert at.state.task_forces["A1"].plotted is Speed.SPRINT  # 7.5.3: kept to revert to
    assert told(at, "alliance") == ["E1 announces speed 2 for this turn; A1 goes on shadowing it."]


@pytest.mark.rule("pq17", "SOP.2.a.vi.6")
@pytest.mark.rule("pq17", "7.5.3", "7.5.7")
def test_who_cannot_match_the_new_speed_drops_out_at_its_plot() -> None:
    at = next_turn("A1 0405 CL speed 1 shadows C1 U\nC1 0405 CA speed 3 U")
    carry_over(at)
    tf = at.state.task_forces["A1"]
    assert (tf.shadowing, tf.speed) == ("", Speed.EFFICIENT)
    assert "E1 no longer shadows your C1." in told(at, "coalition")


def split_world() -> turn_context.TurnContext[State]:
    theirs, ours = {"C1": ["C1.CA"], "C2": ["C1.DD"]}, {"A1": ["A1.CA"], "A2": ["A1.DD"]}
    text = "A1 0405 CA+DD speed 3 shadows C1 U\nC1 0405 CA+DD speed 2 U"
    return next_turn(text, coalition=theirs, alliance=ours)


@cases("case, proves, sheet, shadowing")
def test_whom_a_split_shadower_follows_of_a_split_target(sheet: dict[str, Any], shadowing: list[str]) -> None:
    at = split_world()
    assert [ask.parties for ask in carry_over(at, sheet)] == [("alliance",)]
    assert [at.state.task_forces[tf_id].shadowing for tf_id in ("A1", "A2")] == shadowing


@pytest.mark.rule("pq17", "7.3.7", "1.6.8.1")
def test_a_target_that_combines_stays_shadowed_without_a_prompt() -> None:
    at = next_turn("A1 0405 CA shadows C1 U\nC1 0405 CA U\nC2 0405 CA U", coalition={"C2": ["C1.CA", "C2.CA"]})
    assert carry_over(at) == []
    assert at.state.task_forces["A1"].shadowing == "C2"


@pytest.mark.rule("pq17", "SOP.2.a.vi.1", "SOP.2.a.vi.3")
@pytest.mark.rule("pq17", "7.5.4")
def test_the_side_without_the_initiative_assigns_first() -> None:
    text = "A1 0405 CA shadows C1 U\nC1 0405 CA#2 U\nC3 0303 CA shadows A3 U\nA3 0303 CA#2 U"
    theirs, ours = {"C1": ["C1.CA"], "C2": ["C1.CA2"]}, {"A3": ["A3.CA"], "A4": ["A3.CA2"]}
    at = next_turn(text, coalition=theirs, alliance=ours)
    assert [ask.parties for ask in carry_over(at)] == [("coalition",), ("alliance",)]


@pytest.mark.rule("pq17", "7.5.4")
@cases("sheet, path")
def test_illegal_assignments_are_refused(sheet: Any, path: str) -> None:
    (ask,) = asks_of(ch07.continue_shadowing_steps(split_world()))
    with pytest.raises(Refused) as refused:
        ask.answer_from(sheet)
    assert [one.path for one in refused.value.refusals] == [path]


@pytest.mark.rule("pq17", "7.5.2")
def test_logistics_and_port_cannot_go_on_shadowing() -> None:
    state = world("A1 0405 CA logistics shadows C1 U\nC1 0405 CA U\nturn 3")
    ch07.remember_links(state)
    assert ch07.may_continue_on(state, state.task_forces["A1"]) == []
