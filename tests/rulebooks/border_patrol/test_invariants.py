"""Every invariant is broken once and says so, and no state is impossible, whatever two Teams hand in."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import order_cloak, turn_up
from rules_engine.rulebooks.border_patrol.ch60_reaction.waiting import aim_at, begin_reaction, came_by_reaction
from rules_engine.rulebooks.border_patrol.invariants import LEAST, defects
from rules_engine.rulebooks.border_patrol.records.others import Habits
from rules_engine.rulebooks.border_patrol.records.standing import Cloak
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.records.units import PodCarried
from tests.expected.kept import cases
from tests.expected.spelling import evaluated
from tests.rulebooks.border_patrol.plays import play, refused, world
from tests.rulebooks.border_patrol.squadrons import opened

NOTATION = {
    one.__name__: one for one in (Cloak, Habits, PodCarried, aim_at, begin_reaction, came_by_reaction, order_cloak)
}


WORLD = opened()


@cases("case, change, says", "")
def test_what_is_impossible_is_told(change: Callable[[BorderState], object], says: str):
    state = WORLD.copied()
    evaluated(change, NOTATION)(state)
    assert says in defects(state)


@pytest.mark.parametrize("name", LEAST)
def test_no_unit_has_less_than_nothing(name: str):
    state = WORLD.copied()
    setattr(state.units["lance"], name, -1)
    assert f"lance has {name} of -1" in defects(state)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_unit_that_is_moved_alone_is_always_missed(data: st.DataObject):
    """Whatever unit of a stack is put into another hex, or into another stack, or taken away."""
    state = WORLD.copied()
    stack = state.stacks[data.draw(st.sampled_from(sorted(WORLD.stacks)))]
    unit = data.draw(st.sampled_from(stack.units))
    fault = data.draw(st.sampled_from(["hex", "stack", "taken away", "gone"]))
    if fault == "hex":
        state.units[unit].hex = data.draw(st.sampled_from([one for one in state.grid.hexes() if one != stack.hex]))
    elif fault == "stack":
        other = data.draw(st.sampled_from([key for key in sorted(state.stacks) if key != stack.id]))
        state.stacks[other].units.append(unit)
    elif fault == "taken away":
        stack.units.remove(unit)
    else:
        del state.units[unit]
    assert any(unit in one for one in defects(state))


def test_what_is_possible_though_it_looks_odd():
    """Two held points beside those of the table, of a reactor that was crippled on the way; a stack that is followed
    as long as it is turned up; a convoy that is in."""
    state = WORLD.copied()
    lance = state.units["lance"]
    lance.allowed_in, lance.moved_in, lance.left_station = {6: 5}, {6: 2}, True
    for unit in state.members(state.stacks["R1"]):
        unit.cloak_cost = 1
        order_cloak(unit, "all turn")
    turn_up(state.members(state.stacks["R1"]), "caught")
    state.teams["west"].tracks.issue("R1")
    state.convoys["grain"].fate, state.convoys["grain"].gone = "in", 99
    assert defects(state) == []
    lance.moved_in = {6: 3}
    assert defects(state) == ["lance has moved 3 hexes by 0 points"]


# --- any sheets ------------------------------------------------------------------------------------------------------
LINES = """
blue B1 0505 CA[cloak_cost=10 chief_engineer=4 emergency_used=4]+DD+TUG
blue B2 0606 FF[cloak_cost=4]+FF[special_sensors_ok=1]+DD[kind=fighter]
blue B3 0404 FT+TUG[pods=Hospital]
blue B4 0505 TUG[pods=Barracks]+FF
red R1 0506 CA+DD[crippled=yes]
red R2 0708 FF[warp_ok=24 warp_original=24 cloak_cost=4]
red R3 0808 DN
blue pod 0505 Cargo 1
blue pod 0606 Troops 2
blue base 0505 BATS
red base 0708 BATS
convoy blue B3 0404 0505 0506 0507
monster dragon 0607 hunts allowance=4 senses=3 driven_off_by=999
province rim nobody 0606 0607 0507 0506
storm gale 0407
"""

HEXES = st.sampled_from(["0505", "0506", "0507", "0508", "0606", "0607", "0707", "0708", "0407", "P4", "P7", "to 0608"])


PODS = ("cargo", "troops", "barracks")
ORDERS = ["go on", "turn back", "ask ahead", "break out or withdraw", "let go ask", "return", "return ask", "within 1"]


@st.composite
def lines(draw: st.DrawFn, state: BorderState, stack: str) -> dict[str, Any]:
    """A line for a stack, most of it legal by itself."""
    units = state.stacks[stack].units
    some = st.lists(st.sampled_from(units), max_size=2, unique=True)
    pairs = st.lists(
        st.sampled_from([f"{one}>{two}" for one in units for two in units if one != two] or ["a>b"]), max_size=1
    )
    fields: dict[str, st.SearchStrategy[Any]] = {
        "route": st.lists(HEXES, max_size=4).map(" ".join),
        "emergency": some,
        "cloak": st.sampled_from(["no", "all turn", "until it reacts"]),
        "react": st.sampled_from(["no", "must", "lone", "any", "ask"]),
        "within": st.integers(0, 2),
        "onward": st.sampled_from(["go on", "stop", "turn back", "ask"]),
        "held": st.sampled_from(["stay", "withdraw", "break out", "either"]),
        "rearguard": some,
        "let_go": st.sampled_from(["refuse", "let go", "ask"]),
        "tow": pairs,
        "pods": st.lists(st.sampled_from([f"{one}>{pod}" for one in units for pod in PODS]), max_size=2),
        "overhaul": some,
        "detach": some,
        "orders": st.lists(st.sampled_from(ORDERS), max_size=3).map("; ".join),
        "join": st.sampled_from(sorted(state.stacks)),
    }
    chosen = draw(st.lists(st.sampled_from(sorted(fields)), max_size=4, unique=True))
    return {name: draw(fields[name]) for name in chosen}


def legal_sheet(data: st.DataObject, state: BorderState, team: str) -> dict[str, Any]:
    """A sheet line by line: those that are refused say why, and are left out."""
    sheet: dict[str, Any] = {}
    for stack in state.stacks_of(team):
        if state.convoy_of(stack.id) is None:
            tried = {**sheet, stack.id: data.draw(lines(state, stack.id))}
            found = refused(state, tried, team)
            assert all(one.problem and (one.legal or one.nearest or one.rule) for one in found)
            sheet = sheet if found else tried
    return sheet


FATES = st.sampled_from(
    [
        {}, {}, {"fate": "destroyed"}, {"fate": "captured"}, {"fate": "captured", "crippled": True},
        {"fate": "damaged", "crippled": True}, {"fate": "disengaged"},
    ]
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_sheets_are_refused_with_words_or_carried_out_soundly(data: st.DataObject) -> None:
    state, losses = world(LINES), False
    for _ in range(3):
        before = {key: unit.hex for key, unit in state.units.items()}
        lost: list[str] = []

        def account(ask: Any, lost: list[str] = lost) -> dict[str, Any]:
            sheet: dict[str, Any] = {}
            for line in ask.form.lines:
                values = data.draw(FATES)
                tried = {**line.filled_in(), **values}
                filled = {**ask.form.prefilled(), **sheet, line.key: tried}
                try:
                    ask.answer_from(filled)
                except Refused:
                    continue
                sheet[line.key] = tried
                lost += [line.label] if values.get("fate") == "destroyed" else []
            return sheet

        def sheet_of(ask: Any) -> dict[str, Any]:  # when it is asked, for supply is known only then
            return legal_sheet(data, state, *ask.parties)

        play(state, sheet_of, sheet_of, battle=[account] * 30)  # asserts after each step that all is possible
        pods = [pod.name for unit in state.units.values() for pod in unit.pods]
        pods += [pod.name for pod in state.pods_lying.values()]
        assert len(pods) == len({*pods}), "a pod is in one place"
        losses = losses or bool(lost)
        assert losses or {*pods} >= {"Cargo", "Troops", "Barracks"}, "none is lost but with its tug"
        gone = [key for key in before if key not in state.units]
        assert len(gone) <= len(lost) + sum(key in ("dragon", "B2-DD") for key in gone), "a fighter with its ships"
        for key, unit in state.units.items():
            assert state.grid.distance(before[key], unit.hex) <= sum(unit.moved_in.values()) + 12
