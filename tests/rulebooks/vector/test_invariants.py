"""Each thing that must never be true of a duel is found, and nothing else is."""

from collections.abc import Callable

import pytest

from rules_engine.rulebooks.vector.invariants import defects
from rules_engine.rulebooks.vector.records.state import VectorState
from rules_engine.rulebooks.vector.records.tactical import TractorLink
from rules_engine.rulebooks.vector.records.vectors import Vector
from tests.rulebooks.vector.duels import duel
from tests.rulebooks.vector.scenarios import NAMES, opened


def world() -> VectorState:
    state = duel("C1 courier 0410 8C | C2 courier 0412 0 | H1 hunter 2020 2A", turn=3, buoys=("0101",))
    state.battle.units["C2"].aboard = "C1"
    return state


def unit(key: str, **values: object) -> Callable[[VectorState], None]:
    def change(state: VectorState) -> None:
        for name, value in values.items():
            setattr(state.battle.units[key], name, value)

    return change


def captain(key: str, **values: object) -> Callable[[VectorState], None]:
    def change(state: VectorState) -> None:
        for name, value in values.items():
            setattr(state.captains[key], name, value)

    return change


def battle(**values: object) -> Callable[[VectorState], None]:
    def change(state: VectorState) -> None:
        for name, value in values.items():
            setattr(state.battle, name, value)

    return change


def links(*pairs: tuple[str, str]) -> Callable[[VectorState], None]:
    return battle(tractors=[TractorLink(one=one, other=other) for one, other in pairs])


WRONG: list[tuple[Callable[[VectorState], None], str]] = [
    (battle(sides=["h", "c"]), "the battle's sides are not the captains"),
    (battle(turn=13), "turn 13 of 12"),
    (lambda state: setattr(state, "revealed", False), "it is flown, and the set-up is not revealed"),
    (battle(impulse=17), "time stands at impulse 17, within a piece"),
    (links(("C1", "H1"), ("H1", "C2")), "a unit is in two tractors"),
    (links(("C1", "X9")), "X9 is in a tractor and not in play"),
    (unit("H1", id="H2"), "H1 is filed as H2"),
    (unit("H1", side="x"), "H1 is of no captain"),
    (unit("H1", at="20.20", trail=["20.20"]), "H1 is in 20.20, which is written otherwise"),
    (unit("H1", trail=["2019"]), "H1 is in 2020 and its trail ends in 2019"),
    (unit("H1", vector=Vector.model_construct(says="2A+3F")), "H1 has the vector 2A+3F, which is not reduced"),
    (unit("H1", warp_used=31), "H1 has used 31 points of warp in a turn"),
    (unit("H1", impulse_used=2), "H1 has used 2 points of impulse power in a turn"),
    (unit("H1", reserve_left=1), "H1 has more reserve than it can have"),
    (unit("H1", accelerated_on=81), "H1 has accelerated on an impulse to come"),
    (unit("H1", turned_on=81), "H1 has turned on an impulse to come"),
    (unit("H1", count_from=33), "H1 has an impossible count"),
    (unit("H1", moved={"A": -1}), "H1 has an impossible count"),
    (unit("C2", aboard="H1"), "C2 is aboard H1, which is no unit of its captain"),
    (unit("C2", aboard="X1"), "C2 is aboard X1, which is no unit of its captain"),
    (captain("c", id="d"), "c is filed as d"),
    (captain("h", caught=["C1"]), "h has caught C1, which is not caught"),
    (captain("c", away=["C1"]), "c counts C1 as away, which is not"),
    (captain("c", passed={"C1": -1}), "c has passed more buoys than there are"),
    (captain("c", passed={"C1": 2}), "c has passed more buoys than there are"),
    (captain("c", done_on=81), "c has reached its aim on an impulse to come"),
    (captain("c", out=True), "c is out of play and has ships in play"),
]


@pytest.mark.parametrize(("change", "said"), WRONG)
def test_what_is_impossible_is_found(change: Callable[[VectorState], None], said: str):
    state = world()
    change(state)
    assert said in defects(state)


def test_nothing_else_is():
    state = world()
    state.battle.units["H1"].warp_used = 30
    state.battle.units["H1"].moved = {"A": 0}
    state.battle.units["H1"].impulse_used = 1
    state.battle.units["H1"].accelerated_on = state.battle.units["H1"].turned_on = state.battle.clock
    state.captains["c"].passed = {"C1": 1, "C2": 0}
    state.captains["c"].done_on = state.battle.clock
    assert list(defects(state)) == []


@pytest.mark.parametrize("name", NAMES)
def test_what_comes_with_the_bot_is_possible(name: str):
    assert list(defects(opened(name))) == []
