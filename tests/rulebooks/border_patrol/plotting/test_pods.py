"""Pods: taken up and set down by a sheet, what they cost, and what may not be carried."""

from typing import Any

import pytest

from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.border_patrol import RULEBOOK
from rules_engine.rulebooks.border_patrol.plotting.asking import plot_ask
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from tests.expected.kept import cases
from tests.rulebooks.border_patrol.plays import after, play, refused, world

LINES = """
blue B1 0505 TUG+CA
blue pod 0505 Cargo 1
blue pod 0505 Troops 2
blue pod 0505 Cargo 1
blue pod 0506 Hospital 1
red R1 1010 CA
"""


@pytest.mark.rule("border_patrol", "V8.83")
@cases("case, lines, choices")
def test_what_lies_there_is_offered_to_each_tug_by_a_word_of_its_own(lines: str, choices: list[Any]):
    line = plot_ask(world(lines), "blue").form.by_key["B1-ships"]
    field = next(one for one in line.fields if one.key == "pods")
    assert ([(one.value, one.label) for one in field.choices], field.value) == (choices, [])


@cases("case, proves, lines, orders, holds", "")
def test_pods_are_taken_up_set_down_and_lost(lines: str, orders: Any, holds: dict[str, Any]):
    assert after(lines, orders, holds) == holds


@pytest.mark.rule("border_patrol", "V8.83", "V8.86")
def test_what_is_taken_up_is_read_back_with_how_far_it_lets_the_stack_go():
    ask = plot_ask(world(LINES), "blue")
    answer = ask.answer_from({"B1-ships": {"pods": ["B1-TUG>cargo"]}})
    assert ask.read_back(answer) == ["B1: holds at 0505, could go 4 hexes; B1-TUG carries Cargo"]


@pytest.mark.rule("border_patrol", "V8.83")
class TestWhoCarriesCargo:
    @pytest.fixture
    def state(self) -> BorderState:
        return play(world(LINES), {"B1-ships": {"pods": ["B1-TUG>cargo"]}}).state

    def test_it_is_read_back_what_is_set_down(self, state: BorderState):
        ask = plot_ask(state, "blue")
        assert ask.form.prefilled()["B1-ships"]["pods"] == ["B1-TUG>cargo"]
        answer = ask.answer_from({"B1-ships": {"pods": []}})
        assert ask.read_back(answer) == ["B1: holds at 0505, could go 5 hexes; sets down Cargo"]

    def test_its_own_team_alone_sees_where_pods_lie(self, state: BorderState):
        own = RULEBOOK.side_board(state, "blue", Knowledge()).panel("Pods set down, Blue Team")
        assert own is not None
        assert own.rows == ("0505: Troops, 2 pod weights", "0505: Cargo, 1 pod weight", "0506: Hospital, 1 pod weight")
        assert "Hospital" not in RULEBOOK.side_board(state, "red", Knowledge()).model_dump_json()
        assert "Hospital" not in RULEBOOK.public_board(state).model_dump_json()


@pytest.mark.rule("border_patrol", "V8.82", "V8.83")
def test_what_a_captured_pod_held_is_its_own_teams_to_know():
    state = world(LINES.replace("red R1 1010", "red R1 0508"))
    game = play(
        state, {"B1-ships": {"pods": ["B1-TUG>cargo"]}}, {"R1": {"route": "0507 0506 0505"}},
        battle={"BU2": {"fate": "captured", "crippled": True}},
    )  # fmt: skip
    own = [one.name for one in state.pods_at("blue", "0505")]
    assert (own.count("Cargo"), state.pods_at("red", "0505")) == (2, [])
    assert "Cargo" not in game.seen_by("red")


TWO = """
blue B1 0505 TUG[pods=Cargo]+TUG+CA
blue B2 0505 TUG[pods=Troops]+DD
blue pod 0505 Hospital 1
red R1 1010 CA
"""


@cases("case, sheet, carried")
def test_pods_beside_parting_and_joining(sheet: Any, carried: dict[str, list[str]]):
    """No pod is lost, and none is there twice."""
    state = play(world(TWO), sheet).state
    found = {key: [pod.name for pod in unit.pods] for key, unit in state.units.items() if unit.kind == "tug"}
    found["lying"] = [one.name for _, one in sorted(state.pods_lying.items())]
    assert sorted(name for names in found.values() for name in names) == ["Cargo", "Hospital", "Troops"]
    assert {key: names for key, names in found.items() if names} == carried


@cases("case, proves, lines, sheet, says")
def test_what_is_refused_of_pods(lines: str, sheet: Any, says: list[str]):
    assert [str(one) for one in refused(world(lines), sheet)] == says


def test_where_nothing_could_be_carried_it_is_said_why():
    absent = {(one.key, one.field): one.problem for one in plot_ask(world("blue B1 0505 CA"), "blue").form.absent}
    assert absent["B1", "pods"] == "B1 has no tug, or no pod is in 0505"
