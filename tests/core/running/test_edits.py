"""What a referee's edit sets, and what it refuses: then the state is as it was, and the reason names the path."""

from dataclasses import field
from typing import Annotated, Any

import pytest
from pydantic import AfterValidator, Field

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.running.edits import assign
from tests.expected.kept import cases


class Ship(Record):
    fuel: Annotated[int, Field(ge=0)]
    name: str = "Ship"


def with_flagship(ships: dict[str, Ship]) -> dict[str, Ship]:
    if "A1" not in ships:
        raise ValueError("the flagship A1 is missing")
    return ships


class Settings(Frozen):
    costs: dict[str, int]


class Campaign(Record):
    turn: Annotated[int, Field(ge=1)] = 1
    ships: Annotated[dict[str, Ship], AfterValidator(with_flagship)] = field(default_factory=dict)
    scores: dict[str, int] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    hexes: list[str] = field(default_factory=list)
    settings: Settings = Settings(costs={"hull": 1})


def campaign() -> Campaign:
    return Campaign(ships={"A1": Ship(fuel=3), "A2": Ship(fuel=0)}, scores={"red": 1}, hexes=["0101"])


def refused(state: Campaign, path: str, value: Any, *, remove: bool = False) -> str:
    """The refusal's words; nothing was changed."""
    before = state.to_json()
    with pytest.raises(Refused) as caught:
        assign(state, path, value, remove=remove)
    assert state.to_json() == before
    (refusal, *_) = caught.value.refusals
    return f"{refusal.path}: {refusal.problem}"


def test_a_field_a_part_of_an_entry_and_an_entry_are_set_in_place() -> None:
    state = campaign()
    ships, flagship = state.ships, state.ships["A1"]
    assign(state, "turn", 7)
    assign(state, "ships.A1.fuel", 9)
    assign(state, "scores.red", 4)
    assign(state, "scores.blue", 2)
    assert (state.turn, flagship.fuel, state.scores) == (7, 9, {"red": 4, "blue": 2})
    assert state.ships is ships, "who looks at it sees the change"


def test_a_new_entry_is_of_the_kind_of_its_table() -> None:
    state = campaign()
    assign(state, "ships.A3", {"fuel": 5, "name": "Lark"})
    assert state.ships["A3"] == Ship(fuel=5, name="Lark")
    assign(state, "notes.first", "a word")
    assert state.notes == {"first": "a word"}, "and of a table with nothing in it, whatever may stand there"


def test_a_frozen_value_is_replaced_with_the_table_in_it() -> None:
    """What was kept of the state before shares it."""
    state = campaign()
    before = state.settings
    assign(state, "settings.costs.hull", 2)
    assign(state, "settings.costs.cargo", 1)
    assert state.settings.costs == {"hull": 2, "cargo": 1}
    assert before.costs == {"hull": 1}
    assign(state, "settings.costs.hull", None, remove=True)
    assert state.settings.costs == {"cargo": 1}


def test_an_entry_is_removed() -> None:
    state = campaign()
    assign(state, "ships.A2", None, remove=True)
    assert list(state.ships) == ["A1"]


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("turn", 0, "turn"),
        ("turn", "soon", "turn"),
        ("ships.A1.fuel", -1, "ships.A1.fuel"),
        ("ships.A3", {"fuel": -1}, "ships.A3"),
        ("ships.A3", "Lark", "ships.A3"),
        ("scores.red", "many", "scores.red"),
        ("turns", 1, "turns"),
        ("ships.A9.fuel", 1, "ships.A9"),
        ("turn.first", 1, "turn.first"),
        ("hexes.2", "0102", "hexes.2: there is nothing of that name in the state"),
        ("hexes.0.0", "0102", "hexes.0.0: this is a single value, so no path leads on from it"),
    ],
)
def test_what_does_not_fit_is_refused(path: str, value: Any, said: str) -> None:
    assert said in refused(campaign(), path, value)


@cases("path, said")
def test_what_cannot_be_removed_is_refused(path: str, said: str) -> None:
    assert said in refused(campaign(), path, None, remove=True)
