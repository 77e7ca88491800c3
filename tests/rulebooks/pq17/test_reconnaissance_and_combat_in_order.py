"""The reconnaissance and combat steps as a whole: everything in the order of the sequence of play."""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch06_reconnaissance.step import reconnaissance_steps
from rules_engine.rulebooks.pq17.ch08_combat.attack import combat_steps
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.state import State
from tests.rulebooks.pq17.worlds.notation import ask_for, asks_of, run, table, told, world

NOW = "\nturn 2 impulse 1 half A initiative alliance"


def met(text: str, *rolls: int) -> TurnContext[State]:
    at = table(world(text + NOW), *rolls)
    announce_detections(at)
    at.shared.reports.clear()
    return at


def dice(at: TurnContext[State]) -> list[str]:
    """What was rolled, in order, without the place."""
    return [label.removeprefix("T1/") for label in at.shared.dice.asked]  # type: ignore[attr-defined]


@pytest.mark.rule("pq17", "SOP.2.b.v.1", "SOP.2.b.v.2", "SOP.2.b.v.3", "SOP.2.b.v.4", "SOP.2.b.v.5", "SOP.2.b.v.7")
@pytest.mark.rule(
    "pq17", "SOP.2.b.v.6.a.i", "SOP.2.b.v.6.a.ii", "SOP.2.b.v.6.a.iii", "SOP.2.b.v.6.b.i", "SOP.2.b.v.6.b.ii"
)
def test_the_reconnaissance_step_in_its_order() -> None:
    text = "A1 0405 CA speed 3\nA2 0405 DD speed 3\nC1 0405 CA speed 1"
    at = met(text, 5, 10, 44, 99, 10, 60)
    order: list[tuple[str, ...]] = []

    def answer(ask: AnyAsk) -> Any:
        order.append(ask.parties)
        assert dice(at) == []  # both declare before anything is rolled
        assert at.state.units["C1.CA"].fuel == 34  # and before anybody pays
        if ask.parties == ("coalition",):
            return {"C1": {"target": "E1"}}
        return {"A1": {"target": "E1"}, "A2": {"target": "E1", "shadow": True}}

    run(reconnaissance_steps(at, "alliance"), answer)
    assert order == [("coalition",), ("alliance",)]
    assert dice(at) == [
        "0405/local conditions",
        "0405/search/C1>E1/main roll",  # the side that is not phasing resolves first
        "0405/search/C1>E1/ID roll",
        "0405/search/A1>E1/main roll",
        "0405/search/A2>E1/main roll",
        "0405/search/A2>E1/ID roll",
    ]
    heard = told(at, "alliance")
    speeds = next(n for n, text in enumerate(heard) if "announces speed 1: A2 shadows it" in text)
    levels = next(n for n, text in enumerate(heard) if text.startswith("E1 in 0405, ID1"))
    tried = next(n for n, text in enumerate(heard) if text.startswith("A2 searched E1"))
    assert tried < speeds < levels  # shadowing and levels only after the last attempt against the target
    assert at.state.task_forces["A1"].id_level is IdLevel.ID1  # Table 6b, column 1: 44 is +2


def _won(winner: str, **units: Any) -> dict[str, Any]:
    sheet: dict[str, Any] = {"battle": {"winner": winner, "turns": 2}}
    for name, fate in units.items():
        sheet[name] = {"fate": "disengaged", "turn": fate} if isinstance(fate, int) else {"fate": fate}
    return sheet


@pytest.mark.rule("pq17", "1.7.6")
def test_a_settled_hex_cannot_shadow() -> None:
    at = met("settled 0405 alliance\nA1 0405 CA\nC1 0405 CA")
    ask = ask_for(asks_of(reconnaissance_steps(at, "coalition")), "alliance")
    with pytest.raises(Refused, match=r"settled hex cannot shadow.*1\.7\.6"):
        ask.answer_from({"settled 0405": {"target": "all", "shadow": True}})


@pytest.mark.rule("pq17", "8.3.5.2")
def test_a_force_that_attempted_an_attack_has_no_power_to_choose() -> None:
    # A1 fails against C1 and is attacked by it: it has paid in full, and is not asked
    at = met("A1 0405 CA speed 2 ID0\nC1 0405 CA speed 2 ID0", 5, 99, 10, 3)
    kinds: list[str] = []
    sheets: list[Any] = [
        {"A1": {"target": "E1"}},
        {"C1": {"target": "E1"}},
        _won("coalition", AT1="ok", DF1="destroyed"),
    ]

    def answer(ask: AnyAsk) -> Any:
        kinds.append(ask.kind)
        return sheets.pop(0) if sheets else None

    run(combat_steps(at, "alliance"), answer)
    assert kinds == ["attack", "attack", "battle", "reform"]
