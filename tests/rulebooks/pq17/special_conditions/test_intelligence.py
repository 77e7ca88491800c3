"""FIS-ULTRA, KIS-B and WHISKERS: what must be revealed, and who chooses it."""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol import asks, turn_context
from rules_engine.rulebooks.pq17.ch10_supply.stores import loaded_boxes
from rules_engine.rulebooks.pq17.contacts.identification import contact_details, status_line
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.logistics import DockedGroup
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.special_conditions import intelligence, suicide_freighters
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.notation import asks_of, run, table, told
from tests.rulebooks.pq17.worlds.special_conditions import event, executes, harbour, holds, seen, special_world


# --- suicide freighters: who may make them, how they are loaded, and what is told of them -----------------------------
def converted(
    state: State, at: turn_context.TurnContext[State] | None = None, *, interrupted: bool = False
) -> turn_context.TurnContext[State]:
    at = at or table(state)
    run(suicide_freighters.conversion_steps(at), lambda ask: {"A1.UFS": {"convert": True}})
    suicide_freighters.dock_conversions(state)
    if interrupted:
        state.logistics["alliance"].interrupted = {"A1.UFS": 2}
    suicide_freighters.carry_out_conversions(at)
    return at


@cases("case, proves, own, base, host, interrupted, boxes, left, said", "boxes, left, said")
def test_what_a_suicide_freighter_is_loaded_with(
    *, own: int, base: int, host: str, interrupted: bool, boxes: int, left: list[int], said: str
) -> None:
    """``host`` is whom it docks to by the plan of logistics; without one nobody was asked for a plan. What is left is
    the freighter's supply and the base's, and whom it lies at afterwards is said."""
    state = harbour(base=base, own=own)
    state.logistics["alliance"].groups = [DockedGroup(host=host, docked=["A1.UFS"])]
    state.logistics = state.logistics if host else {}
    at = converted(state, interrupted=interrupted)
    freighter = state.units["A1.UFS"]
    assert (loaded_boxes(freighter), freighter.module_boxes) == (boxes, boxes)  # nothing else fits there
    assert [freighter.supply, state.units["A90.BATS"].supply] == left
    (group,) = state.logistics["alliance"].groups
    assert f"{group.host}: {told(at, 'alliance')[-1]}" == said
    assert group.docked == ["A1.UFS"]


@pytest.mark.rule("pq17", "C.suicide-freighter")
def test_it_can_be_made_harmless_again_on_a_later_turn() -> None:
    state = harbour(own=25)
    converted(state)
    state.turn = 4
    converted(state)
    freighter = state.units["A1.UFS"]
    assert (loaded_boxes(freighter), freighter.module_boxes, freighter.supply) == (0, 0, 0)


@pytest.mark.rule("pq17", "C.suicide-freighter")
@pytest.mark.parametrize("condition", ["gale force", "clean sweep"])
def test_a_condition_that_allows_it_must_be_held(condition: Any) -> None:
    assert len(asks_of(suicide_freighters.conversion_steps(table(harbour(condition=condition))))) == 1
    for other in (None, "mobile reserves", "gearbox"):
        assert asks_of(suicide_freighters.conversion_steps(table(harbour(condition=other)))) == ()


@pytest.mark.rule("pq17", "C.suicide-freighter")
def test_only_a_freighter_that_can_dock_to_a_base_is_converted() -> None:
    state = harbour()
    (ask,) = asks_of(suicide_freighters.conversion_steps(table(state)))
    assert [line.key for line in ask.form.lines] == ["A1.UFS"]
    with pytest.raises(Refused, match=r"docked at one of your bases.*C\.suicide-freighter.*Legal: A1\.UFS"):
        ask.answer_from({"A2.CA": {"convert": True}})
    state.task_forces["A1"].posture = state.task_forces["A1"].posture.with_values(logistics=False)
    assert asks_of(suicide_freighters.conversion_steps(table(state))) == ()


@pytest.mark.rule("pq17", "C.suicide-freighter")
def test_it_is_asked_once_as_long_as_nothing_changes() -> None:
    state = harbour()
    run(suicide_freighters.conversion_steps(table(state)))
    assert asks_of(suicide_freighters.conversion_steps(table(state))) == ()


@pytest.mark.rule("pq17", "C.suicide-freighter")
@pytest.mark.unseen("pq17", reports=("special",), asks=("suicide freighters",))
def test_the_enemy_learns_of_it_only_from_the_status_sheet() -> None:
    plain, loaded = table(harbour()), table(harbour())
    converted(loaded.state, loaded)
    assert seen(plain, "coalition") == seen(loaded, "coalition")
    tf = loaded.state.task_forces["A1"]
    assert "explosives" not in "".join(contact_details(loaded.state, tf, IdLevel.ID3))
    assert "20 boxes of explosives" in status_line(loaded.state, loaded.state.units["A1.UFS"])


CASES = [("alliance", "fis-ultra", "coalition", "sizilien"), ("coalition", "kis-b", "alliance", "clean sweep")]


def collected(state: State, answers: Any = None) -> tuple[turn_context.TurnContext[State], list[tuple[str, str]]]:
    at = table(state)
    asked: list[tuple[str, str]] = []

    def answer(ask: asks.AnyAsk) -> Any:
        asked.append((ask.parties[0], ask.kind))
        return answers(ask) if answers else None

    run(intelligence.intelligence_steps(at), answer)
    return at, asked


@pytest.mark.rule("pq17", "C.random.fis-ultra", "C.random.kis-b")
@pytest.mark.parametrize(("side", "name", "enemy", "condition"), CASES)
def test_the_one_condition_is_revealed_and_whether_it_is_carried_out(side: str, name: Any, enemy: str, condition: Any):
    for now in (True, False):
        state = special_world("turn 1")
        event(state, side, name)
        (executes if now else holds)(state, enemy, condition)
        at, asked = collected(state)
        assert asked == []
        said = told(at, side)[0]
        assert "Rolled in period 1: Operation" in said
        assert said.endswith("is carried out in this period." if now else "is not carried out in this period.")
        assert told(at, enemy) == [f"The other side's {said}"]
        assert state.special.conditions[0].revealed


@pytest.mark.rule("pq17", "C.random.fis-ultra", "C.random.kis-b")
@pytest.mark.parametrize(("side", "name", "enemy", "condition"), CASES)
def test_first_the_revealing_side_chooses_and_none_is_no_condition(side: str, name: Any, enemy: str, condition: Any):
    state = special_world("turn 31")
    event(state, side, name, 2)
    holds(state, enemy, "none", 1)
    holds(state, enemy, "reinforcements", 1)
    holds(state, enemy, condition, 2)
    at, asked = collected(state, lambda ask: {"choice": {"choice": "reinforcements"}})
    assert asked == [(enemy, "revelation")]
    assert "Reinforcements" in told(at, side)[0]
    assert [one.revealed for one in state.special.conditions] == [False, True, False]


@pytest.mark.rule("pq17", "C.random.fis-ultra", "C.random.kis-b")
@pytest.mark.parametrize(("side", "name", "enemy", "condition"), CASES)
def test_later_the_asking_side_chooses_between_something_new_and_an_execution(
    side: str, name: Any, enemy: str, condition: Any
) -> None:
    def made() -> State:
        state = special_world("turn 31")
        event(state, side, name, 1).spent = True
        event(state, side, name, 2)
        executes(state, enemy, condition, period=2)
        state.special.conditions[0].revealed = True
        holds(state, enemy, "reinforcements", 1)
        return state

    def first(ask: asks.AnyAsk) -> object:
        return {"choice": {"choice": ask.form.lines[0].fields[0].value}}

    left_out = told(collected(made(), lambda _: {"choice": {}})[0], side)
    assert left_out == told(collected(made(), first)[0], side)
    at, asked = collected(made(), lambda ask: {"choice": {"choice": f"is {condition}"}})
    assert left_out != told(at, side), "the first is something new"
    assert asked == [(side, "collection")]
    assert told(at, side)[0].endswith("is carried out in this period.")
    at, asked = collected(made())
    assert asked == [(side, "collection")]
    assert "Reinforcements" in told(at, side)[0]


@pytest.mark.rule("pq17", "C.random.fis-ultra", "C.random.kis-b")
@pytest.mark.parametrize(("side", "name", "enemy", "condition"), CASES)
def test_nothing_to_reveal_has_no_effect(side: str, name: Any, enemy: str, condition: Any) -> None:
    state = special_world("turn 1")
    event(state, side, name)
    holds(state, enemy, "none")
    at, asked = collected(state)
    assert asked == []
    assert told(at, side)[0].endswith("Nothing that is not known has been rolled.")


@pytest.mark.rule("pq17", "C.random.fis-ultra", "C.random.kis-b")
def test_a_revelation_of_what_was_not_rolled_is_refused() -> None:
    state = special_world("turn 1 / event alliance: fis-ultra / holds coalition: sizilien")
    holds(state, "coalition", "reinforcements")
    (ask,) = asks_of(intelligence.intelligence_steps(table(state)))
    with pytest.raises(Refused, match=r"C\.random\.fis-ultra.*Legal: sizilien, reinforcements"):
        ask.answer_from({"choice": {"choice": "breakout"}})


@pytest.mark.rule("pq17", "C.random.whiskers")
@cases("rolled, now, said", "")
def test_whiskers_answers_for_the_port_strike_alone(rolled: bool, now: bool, said: str) -> None:
    state = special_world("turn 1 / event alliance: whiskers / holds coalition: sizilien")
    if rolled:
        (executes(state, "coalition", "port strike", "Murzank") if now else holds(state, "coalition", "port strike"))
    at, asked = collected(state)
    assert (asked, told(at, "alliance")) == ([], [f"WHISKERS Collection: {said}"])
    assert not any("Murzank" in text for text in told(at, "alliance"))


@pytest.mark.rule("pq17", "C.random.whiskers", "C.random.fis-ultra", "C.random.kis-b")
@pytest.mark.parametrize("name", ["fis-ultra", "whiskers"])
@pytest.mark.unseen("pq17", reports=("special",))
def test_what_is_not_revealed_stays_unseen(name: Any) -> None:
    def played(other: Any) -> turn_context.TurnContext[State]:
        state = special_world("turn 1")
        event(state, "alliance", name)
        holds(state, "coalition", "port strike")
        holds(state, "coalition", other)
        return collected(state)[0]

    assert seen(played("sizilien"), "alliance") == seen(played("breakout"), "alliance")


@pytest.mark.rule("pq17", "1.5.2", "C.random.fis-ultra", "C.random.kis-b")
def test_each_collection_is_made_once() -> None:
    state = special_world("turn 1 / event alliance: fis-ultra / holds coalition: sizilien")
    collected(state)
    at, _ = collected(state)
    assert told(at, "alliance") == []
