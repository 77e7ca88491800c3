"""Moves by the proportional table, in turn, what stops them, and leaving a hex in which others are."""

from typing import Any

import pytest

from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import cloak_order
from tests.expected.kept import cases
from tests.rulebooks.border_patrol.plays import after, play, world


@cases("case, proves, lines, orders, holds", "")
def test_a_stack_goes_as_its_orders_and_its_allowance_say(lines: str, orders: Any, holds: dict[str, Any]):
    assert after(lines, orders, holds) == holds


@pytest.mark.rule("border_patrol", "V8.16")
def test_the_lower_initiative_moves_first_and_equal_rolls_fall_again():
    lines = "blue B1 0505 CA\nred R1 0507 CA"
    sheets = ({"B1": {"route": "0506"}}, {"R1": {"route": "0506", "onward": "stop"}})
    assert play(world(lines), *sheets).hexes() == {"B1": "0506", "R1": "0507"}
    # in phase 2 both show 7, and then Blue the more
    dice = {"P2/initiative/blue/1": [3, 4], "P2/initiative/red/1": [2, 5], "P2/initiative/blue/2": [6, 6]}
    dice["P2/initiative/red/2"] = [1, 1]
    again = play(world(lines), {"B1": {"route": "0506", "onward": "stop"}}, sheets[1], dice=dice)
    assert again.hexes() == {"B1": "0505", "R1": "0506"}
    rolls = [one.total for one in again.table.shared.rolls if "P2/initiative" in one.label]
    assert rolls == [7, 7, 12, 2]


def test_a_captain_is_asked_whether_to_go_on_before_others():
    game = play(world("blue B1 0505 CA\nred R1 0508 CA"), {"B1": {"route": "0506 0507 0508", "onward": "ask"}})
    (asked,) = game.asked("blue", "onward")
    assert ([line.key for line in asked.form.lines], game.hexes()["B1"]) == (["B1"], "0507")


def test_a_tow_goes_on_when_a_third_unit_stays_behind():
    state = world("blue B1 0505 CA[towing=B1-DD]+DD+FF")
    play(state, {"B1": {"detach": ["B1-FF"], "route": "0506"}})
    assert (state.units["B1-CA"].towing, state.units["B1-DD"].towed_by) == (["B1-DD"], "B1-CA")
    assert (state.units["B1-DD"].hex, state.units["B1-FF"].hex) == ("0506", "0505")
    play(state, {"B1": {"detach": ["B1-DD"], "route": "0507"}})
    assert (state.units["B1-CA"].towing, state.units["B1-DD"].towed_by) == ([], ""), "what stays is let go"


def test_those_that_part_keep_the_cloak_of_the_stack_whatever_that_does():
    state = world("blue B1 0505 CA[cloak_cost=10]+DD[cloak_cost=5]")
    play(state, {"B1": {"cloak": "all turn"}})
    play(state, {"B1": {"detach": ["B1-DD"], "route": "0506", "cloak": "no"}})
    assert [state.units[key].cloaked for key in ("B1-CA", "B1-DD")] == [False, True]
    assert cloak_order(state.members(state.stacks["B2"])) == "all turn"
    play(state)
    assert [state.units[key].cloaked for key in ("B1-CA", "B1-DD")] == [False, True], "until somebody says otherwise"


# --- leaving ---------------------------------------------------------------------------------------------------------
def leaves(lines: str, held: str = "stay", rearguard: tuple[str, ...] = (), **more: object):
    state = world(lines)
    sheet = {"B1": {"route": "0506", "held": held, "rearguard": list(rearguard)}}
    return play(state, sheet, more.pop("red", None), **more)  # type: ignore[arg-type]


@pytest.mark.rule("border_patrol", "V8.21", "V8.23")
def test_held_by_as_many_with_nobody_left_behind():
    game = leaves("blue B1 0505 CA\nred R1 0505 CA")
    assert game.hexes()["B1"] == "0505"
    (told, *_) = game.told("blue", "held")
    assert told.text.startswith("B1 is held in 0505: 1 unit would leave")
    assert told.why is not None
    assert told.why.rule == "V8.23, V8.24"
    assert "Legal: as much strength stays as the others have" in told.text
    assert game.texts("red", "held") == []


@cases("case, proves, lines, orders, holds", "")
def test_who_leaves_a_hex_with_others_and_who_is_held(lines: str, orders: Any, holds: dict[str, Any]):
    assert after(lines, orders, holds) == holds


@pytest.mark.rule("border_patrol", "V8.25")
def test_captains_are_asked_for_their_stacks_alone_whether_others_may_leave():
    red = {"R1": {"let_go": "let go"}, "R2": {"let_go": "ask"}}
    game = leaves("blue B1 0505 CA\nred R1 0505 CA\nred R2 0505 DD", "withdraw", red=red)
    (asked,) = game.asked("red", "withdrawal")
    assert ([line.key for line in asked.form.lines], game.hexes()["B1"]) == (["R2"], "0505")


@pytest.mark.rule("border_patrol", "V8.23", "V8.24")
def test_who_leaves_because_enough_stays_does_not_use_the_command_of_that_phase():
    """The frigate leaves two behind against two; the cruiser, with a rating above theirs, leads itself out after it."""
    lines = "blue B1 0505 FF\nblue B2 0505 CA\nblue B3 0505 DD\nred R1 0505 DD+DD"
    sheet = {"B1": {"route": "0506"}, "B2": {"route": "0506", "orders": "break out"}}
    game = play(world(lines, options=["equal_may_use_command"]), sheet)
    assert game.texts("blue", "held") == [
        "B1 leaves 0505: enough stays behind.", "B2 leaves 0505: by its Command Rating.",
    ]  # fmt: skip
    assert {one.when.label for one in game.told("blue", "held")} == {"Turn 1, phase 4"}


@pytest.mark.rule("border_patrol", "V8.24")
class TestOneOfTwoStacksByCommand:
    """Both have a 10 beside Red's 4, which pins them and cuts their supply: they could move in phases 4 and 8."""

    LINES = """
    blue B1 0505 CA[command_rating=10]
    blue B2 0505 CA[command_rating=10]
    blue B3 0505 FF
    red R1 0505 DD+DD+DD+DD+DD
    """

    def test_the_second_stays_for_the_phase(self):
        line = {"route": "0506", "held": "break out"}
        game = play(world(self.LINES), {"B1": line, "B2": line})
        told = game.told("blue", "held")
        assert [(one.when.step, one.text.partition(":")[0]) for one in told] == [
            (40, "B1 leaves 0505"),
            (40, "B2 is held in 0505"),
            (80, "B2 leaves 0505"),
        ]
        assert told[1].text.startswith("B2 is held in 0505: 1 unit would leave, and a strength of 1 stays")
        assert game.hexes() == {"B1": "0506", "B2": "0506", "B3": "0505", "R1": "0505"}
