"""FIS-ULTRA, KIS-B and WHISKERS: what must be revealed, and who chooses it."""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.special_conditions.intelligence import intelligence_steps
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.notation import asks_of, run, table, told
from tests.rulebooks.pq17.worlds.special_conditions import event, executes, holds, seen, special_world

CASES = [("alliance", "fis-ultra", "coalition", "sizilien"), ("coalition", "kis-b", "alliance", "clean sweep")]


def collected(state: State, answers: Any = None) -> tuple[TurnContext[State], list[tuple[str, str]]]:
    at = table(state)
    asked: list[tuple[str, str]] = []

    def answer(ask: AnyAsk) -> Any:
        asked.append((ask.parties[0], ask.kind))
        return answers(ask) if answers else None

    run(intelligence_steps(at), answer)
    return at, asked


@pytest.mark.rule("pq17", "C.random.fis-ultra", "C.random.kis-b")
@pytest.mark.parametrize(("side", "name", "enemy", "condition"), CASES)
def test_the_one_condition_is_revealed_and_whether_it_is_carried_out(
    side: str, name: Any, enemy: str, condition: Any
) -> None:
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
def test_first_the_revealing_side_chooses_and_none_is_no_condition(
    side: str, name: Any, enemy: str, condition: Any
) -> None:
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

    def first(ask: AnyAsk) -> object:
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
    state = special_world("turn 1")
    event(state, "alliance", "fis-ultra")
    holds(state, "coalition", "sizilien")
    holds(state, "coalition", "reinforcements")
    (ask,) = asks_of(intelligence_steps(table(state)))
    with pytest.raises(Refused, match=r"C\.random\.fis-ultra.*Legal: sizilien, reinforcements"):
        ask.answer_from({"choice": {"choice": "breakout"}})


@pytest.mark.rule("pq17", "C.random.whiskers")
@cases("rolled, now, said", "")
def test_whiskers_answers_for_the_port_strike_alone(rolled: bool, now: bool, said: str) -> None:
    state = special_world("turn 1")
    event(state, "alliance", "whiskers")
    holds(state, "coalition", "sizilien")
    if rolled:
        (executes(state, "coalition", "port strike", "Murzank") if now else holds(state, "coalition", "port strike"))
    at, asked = collected(state)
    assert (asked, told(at, "alliance")) == ([], [f"WHISKERS Collection: {said}"])
    assert not any("Murzank" in text for text in told(at, "alliance"))


@pytest.mark.rule("pq17", "C.random.whiskers", "C.random.fis-ultra", "C.random.kis-b")
@pytest.mark.parametrize("name", ["fis-ultra", "whiskers"])
@pytest.mark.unseen("pq17", reports=("special",))
def test_what_is_not_revealed_stays_unseen(name: Any) -> None:
    def played(other: Any) -> TurnContext[State]:
        state = special_world("turn 1")
        event(state, "alliance", name)
        holds(state, "coalition", "port strike")
        holds(state, "coalition", other)
        return collected(state)[0]

    assert seen(played("sizilien"), "alliance") == seen(played("breakout"), "alliance")


@pytest.mark.rule("pq17", "1.5.2", "C.random.fis-ultra", "C.random.kis-b")
def test_each_collection_is_made_once() -> None:
    state = special_world("turn 1")
    event(state, "alliance", "fis-ultra")
    holds(state, "coalition", "sizilien")
    collected(state)
    at, _ = collected(state)
    assert told(at, "alliance") == []
