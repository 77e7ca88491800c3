"""Suicide freighters: who may make them, how they are loaded, and what is told of them."""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch10_supply.stores import loaded_boxes
from rules_engine.rulebooks.pq17.contacts.identification import contact_details, status_line
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.logistics import DockedGroup, LogisticsPlan
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.special_conditions.suicide_freighters import (
    carry_out_conversions,
    conversion_steps,
    dock_conversions,
)
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.notation import asks_of, run, table, told
from tests.rulebooks.pq17.worlds.special_conditions import holds, seen, special_world


def harbour(*, condition: Any = "gale force", base_supply: int = 0, own_supply: int = 20) -> State:
    """A freighter of 25 boxes docked to Scapa Flow, whose cargo boxes are its own of this test."""
    state = special_world("A1 1217 UFS port A90 logistics\nA2 1217 CA port A90 logistics\nturn 3")
    if condition:
        holds(state, "alliance", condition)
    freighter, base = state.units["A1.UFS"], state.units["A90.BATS"]
    freighter.cargo, freighter.supply = 25, own_supply
    base.cargo, base.supply = 50, base_supply
    state.logistics["alliance"] = LogisticsPlan(groups=[DockedGroup(host=base.id, docked=[freighter.id, "A2.CA"])])
    return state


def converted(state: State, at: TurnContext[State] | None = None) -> TurnContext[State]:
    at = at or table(state)
    run(conversion_steps(at), lambda ask: {"A1.UFS": {"convert": True}})
    dock_conversions(state)
    carry_out_conversions(at)
    return at


@pytest.mark.rule("pq17", "C.suicide-freighter")
@cases("own, base, boxes, left")
def test_a_freighter_is_loaded_with_one_supply_point_a_box(
    own: int, base: int, boxes: int, left: tuple[int, int]
) -> None:
    state = harbour(base_supply=base, own_supply=own)
    converted(state)
    freighter = state.units["A1.UFS"]
    assert loaded_boxes(freighter) == boxes
    assert (freighter.supply, state.units["A90.BATS"].supply) == left
    assert freighter.module_boxes == boxes  # nothing else fits there


@pytest.mark.rule("pq17", "C.suicide-freighter")
def test_it_can_be_made_harmless_again_on_a_later_turn() -> None:
    state = harbour(own_supply=25)
    converted(state)
    state.turn = 4
    converted(state)
    freighter = state.units["A1.UFS"]
    assert (loaded_boxes(freighter), freighter.module_boxes, freighter.supply) == (0, 0, 0)


@pytest.mark.rule("pq17", "C.suicide-freighter")
@pytest.mark.parametrize("condition", ["gale force", "clean sweep"])
def test_a_condition_that_allows_it_must_be_held(condition: Any) -> None:
    assert len(asks_of(conversion_steps(table(harbour(condition=condition))))) == 1
    for other in (None, "mobile reserves", "gearbox"):
        assert asks_of(conversion_steps(table(harbour(condition=other)))) == ()


@pytest.mark.rule("pq17", "C.suicide-freighter")
def test_only_a_freighter_that_can_dock_to_a_base_is_converted() -> None:
    state = harbour()
    (ask,) = asks_of(conversion_steps(table(state)))
    assert [line.key for line in ask.form.lines] == ["A1.UFS"]
    with pytest.raises(Refused, match=r"docked at one of your bases.*C\.suicide-freighter.*Legal: A1\.UFS"):
        ask.answer_from({"A2.CA": {"convert": True}})
    state.task_forces["A1"].posture = state.task_forces["A1"].posture.with_values(logistics=False)
    assert asks_of(conversion_steps(table(state))) == ()


@pytest.mark.rule("pq17", "C.suicide-freighter")
def test_it_docks_by_itself_where_the_logistics_plan_leaves_a_position() -> None:
    state = harbour()
    state.logistics = {}  # nobody was asked for a plan
    converted(state)
    assert loaded_boxes(state.units["A1.UFS"]) == 20
    assert state.logistics["alliance"].groups == [DockedGroup(host="A90.BATS", docked=["A1.UFS"])]


@pytest.mark.rule("pq17", "C.suicide-freighter")
def test_one_that_is_docked_to_a_ship_by_the_plan_is_not_converted_and_its_owner_hears_why() -> None:
    state = harbour()
    state.logistics["alliance"].groups = [DockedGroup(host="A2.CA", docked=["A1.UFS"])]
    at = converted(state)
    assert loaded_boxes(state.units["A1.UFS"]) == 0
    assert told(at, "alliance")[-1] == "A1.UFS could not be converted: it was not docked to a base."


@pytest.mark.rule("pq17", "C.suicide-freighter")
def test_an_interruption_prevents_it() -> None:
    state = harbour()
    at = table(state)
    run(conversion_steps(at), lambda ask: {"A1.UFS": {"convert": True}})
    state.logistics["alliance"].interrupted = {"A1.UFS": 2}
    carry_out_conversions(at)
    assert loaded_boxes(state.units["A1.UFS"]) == 0
    assert any("interrupted" in text for text in told(at, "alliance"))


@pytest.mark.rule("pq17", "C.suicide-freighter")
def test_it_is_asked_once_as_long_as_nothing_changes() -> None:
    state = harbour()
    run(conversion_steps(table(state)))
    assert asks_of(conversion_steps(table(state))) == ()


@pytest.mark.rule("pq17", "C.suicide-freighter")
@pytest.mark.unseen("pq17", reports=("special",), asks=("suicide freighters",))
def test_the_enemy_learns_of_it_only_from_the_status_sheet() -> None:
    plain, loaded = table(harbour()), table(harbour())
    converted(loaded.state, loaded)
    assert seen(plain, "coalition") == seen(loaded, "coalition")
    tf = loaded.state.task_forces["A1"]
    below = "".join(contact_details(loaded.state, tf, IdLevel.ID3))
    assert "explosives" not in below
    assert "20 boxes of explosives" in status_line(loaded.state, loaded.state.units["A1.UFS"])
