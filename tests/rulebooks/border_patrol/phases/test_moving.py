"""Moves by the proportional table, in turn, and what stops them."""

from typing import Any

import pytest

from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import cloak_order
from tests.expected.kept import Kept
from tests.rulebooks.border_patrol.plays import Played, Sheets, play, world


@pytest.mark.rule("border_patrol", "V8.15", "V8.92", "V8.93")
def test_each_moves_in_the_phases_of_its_allowance(kept: Kept):
    state = world("blue B1 0505 CA\nred R1 1105 FF")  # 5: phases 2, 4, 5, 7, 8; 6: phases 2, 3, 5, 6, 7, 8
    game = play(state, {"B1": {"route": "0506 0507 0508"}}, {"R1": {"route": "1106 1107 1108"}})
    assert game.moves("blue") == kept()
    assert state.units["B1-CA"].moved_in == {1: 0, 2: 1, 3: 0, 4: 1, 5: 1, 6: 0, 7: 0, 8: 0}


@pytest.mark.rule("border_patrol", "V8.92", "V8.93")
def test_two_hexes_in_a_phase_where_the_table_says_so(kept: Kept):
    state = world("blue B1 0505 FF[warp_ok=24 warp_original=24]")
    game = play(state, {"B1": {"route": "0506 0507 0508 0509"}})
    assert game.moves("red") == kept()


@pytest.mark.rule("border_patrol", "V8.94")
def test_a_phase_that_is_waited_for():
    game = play(world("blue B1 0505 CA"), {"B1": {"route": "P5 0506 P8 0507"}})
    assert [text[:7] for text in game.moves("red")] == ["Phase 5", "Phase 8"]


@pytest.mark.rule("border_patrol", "V8.15")
def test_a_stack_goes_as_its_slowest_unit():
    state = world("blue B1 0505 CA+FF")
    play(state, {"B1": {"route": "0506 0507"}})
    assert state.units["B1-FF"].allowed_in == dict.fromkeys(range(1, 9), 5)


@pytest.mark.rule("border_patrol", "V8.16")
def test_the_lower_initiative_moves_first_and_equal_rolls_fall_again():
    lines = "blue B1 0505 CA\nred R1 0507 CA"
    sheets = ({"B1": {"route": "0506"}}, {"R1": {"route": "0506", "onward": "stop"}})
    assert play(world(lines), *sheets).hexes() == {"B1": "0506", "R1": "0507"}
    # in phase 2 both show 7, and then Blue the more
    dice = {"P2/initiative/blue/1": [3, 4], "P2/initiative/red/1": [2, 5], "P2/initiative/blue/2": [6, 6]}
    dice["P2/initiative/red/2"] = [1, 1]
    assert play(
        world(lines), sheets[0] | {"B1": {"route": "0506", "onward": "stop"}}, sheets[1], dice=dice
    ).hexes() == {"B1": "0505", "R1": "0506"}


@pytest.mark.rule("border_patrol", "V8.15")
def test_the_teams_move_in_turn_one_stack_by_one_hex(kept: Kept):
    fast = "[warp_ok=24 warp_original=24]"
    state = world(f"blue B1 0505 FF{fast}\nblue B2 0305 FF{fast}\nred R1 1105 FF{fast}")
    sheets = {"B1": {"route": "0506 0507"}, "B2": {"route": "0306 0307"}}, {"R1": {"route": "1106 1107"}}
    assert play(state, *sheets).moves("red") == kept()


@pytest.mark.rule("border_patrol", "V8.34")
def test_what_is_in_tow_goes_along():
    state = world("blue B1 0505 CA+DD")
    game = play(state, {"B1": {"tow": ["B1-CA>B1-DD"], "route": "0506 0507 0508"}})
    assert (state.units["B1-DD"].hex, state.units["B1-DD"].towed_by) == ("0508", "B1-CA")
    # 30 boxes for 1.5 and 6: the printed example's 3, in phases 4, 6 and 8
    assert [text[:7] for text in game.moves("red")] == ["Phase 4", "Phase 6", "Phase 8"]


def test_what_is_not_said_stays_as_it_was():
    state = world("blue B1 0505 CA+DD\nblue B2 0303 CA[cloak_cost=10]")
    play(state, {"B1": {"tow": ["B1-CA>B1-DD"], "let_go": "ask"}, "B2": {"cloak": "all turn"}})
    play(state)
    assert state.units["B1-DD"].towed_by == "B1-CA"
    assert state.units["B2-CA"].cloaked
    assert state.stacks["B1"].orders.let_go == "ask"


@pytest.mark.rule("border_patrol", "V8.94", "V8.15")
def test_a_silent_side_holds():
    state = world("blue B1 0505 CA\nred R1 1105 CA")
    game = play(state)
    assert game.hexes() == {"B1": "0505", "R1": "1105"}
    assert game.texts("blue", "movement") == []


def test_units_that_stay_are_a_stack_of_their_own_and_stacks_join():
    state = world("blue B1 0505 CA+DD\nblue B2 0505 FF")
    play(state, {"B1": {"detach": ["B1-DD"], "route": "0506"}, "B2": {"join": "B1"}})
    assert {key: (stack.hex, stack.units) for key, stack in state.stacks.items()} == {
        "B1": ("0506", ["B1-CA", "B2-FF"]),
        "B3": ("0505", ["B1-DD"]),
    }


class TestOthersBefore:
    LINES = "blue B1 0505 CA\nred R1 0508 CA"

    def go(self, onward: str, **more: Any) -> dict[str, str]:
        game = play(world(self.LINES), {"B1": {"route": "0506 0507 0508", "onward": onward}}, **more)
        self.told = game.texts("blue", "onward")
        self.asks = game.asks
        return game.hexes()

    def test_goes_on(self):
        assert self.go("go on")["B1"] == "0508"
        assert self.told == []

    def test_stops(self):
        assert self.go("stop")["B1"] == "0507"
        assert self.told == ["B1 sees the Red Team in 0508 and stops at 0507."]

    def test_turns_back_the_way_it_came(self):
        assert self.go("turn back")["B1"] == "0505"
        assert self.told == ["B1 sees the Red Team in 0508 and turns back."]

    def test_asks_its_captain(self):
        assert self.go("ask")["B1"] == "0507"
        (asked,) = [ask for ask in self.asks if ask.kind == "onward"]
        assert [line.key for line in asked.form.lines] == ["B1"]
        assert self.go("ask", onward_blue={"B1": {"answer": "go on"}})["B1"] == "0508"
        assert self.go("ask", onward_blue={"B1": {"answer": "turn back"}})["B1"] == "0505"

    def test_bases_and_those_under_cloak_stop_nobody(self):
        base = world("blue B1 0505 CA\nred base 0506 BATS")
        assert play(base, {"B1": {"route": "0506", "onward": "stop"}}).hexes()["B1"] == "0506"
        hidden = world("blue B1 0505 CA\nred R1 0506 CA[cloak_cost=10]")
        sheets = {"B1": {"route": "0506", "onward": "stop"}}, {"R1": {"cloak": "all turn"}}
        assert play(hidden, *sheets).hexes()["B1"] == "0506"


FAST = {"B1": {"emergency": ["B1-DD"], "route": "0506 0507 0508 0509 0510 0511"}}


class TestEngineers:
    LINES = "blue B1 0505 DD[emergency_used=2 chief_engineer=7]"

    @pytest.mark.rule("border_patrol", "V8.42", "V8.43")
    def test_within_the_allotment_no_roll_is_made(self):
        state = world("blue B1 0505 DD")
        game = play(state, {"B1": {"emergency": ["B1-DD"], "route": "0506 0507 0508 0509 0510 0511 0512"}})
        assert state.units["B1-DD"].allowed_in[1] == 8  # the printed example
        assert state.units["B1-DD"].emergency_used == 1
        assert game.hexes()["B1"] == "0512"
        assert game.texts("blue", "engines") == []
        assert not state.units["B1-DD"].emergency  # it ends with the turn

    @pytest.mark.rule("border_patrol", "V8.46")
    def test_beyond_it_the_chief_engineer_rolls(self):
        state = world(self.LINES)
        game = play(state, FAST, dice={"engineer": [3, 4]})
        assert game.hexes()["B1"] == "0511"
        assert game.texts("blue", "engines") == ["B1-DD uses Emergency Movement beyond its allotment."]
        assert game.texts("red", "engines") == []

    @pytest.mark.rule("border_patrol", "V8.47")
    def test_a_failure_costs_a_tenth_of_the_engines_and_the_way_ends_earlier(self):
        state = world(self.LINES)
        game = play(state, FAST, dice={"engineer": [4, 4]})
        unit = state.units["B1-DD"]
        assert (unit.warp_ok, unit.emergency_barred) == (14, True)
        assert game.hexes()["B1"] == "0509"  # 14 boxes for 3: 4 hexes
        assert "fails" in game.texts("blue", "engines")[0]


@pytest.mark.rule("border_patrol", "V8.45")
def test_an_overhaul_takes_the_turn():
    state = world("blue B1 0101 DD[emergency_used=2 emergency_barred=yes]")
    game = play(state, {"B1": {"overhaul": ["B1-DD"]}})
    unit = state.units["B1-DD"]
    assert (unit.emergency_used, unit.emergency_barred, unit.overhaul_at) == (0, False, "")
    assert game.texts("blue", "engines") == ["The engines of B1-DD are overhauled."]


def test_a_tow_goes_on_when_a_third_unit_stays_behind():
    state = world("blue B1 0505 CA[towing=B1-DD]+DD+FF")
    play(state, {"B1": {"detach": ["B1-FF"], "route": "0506"}})
    assert (state.units["B1-CA"].towing, state.units["B1-DD"].towed_by) == (["B1-DD"], "B1-CA")
    assert (state.units["B1-DD"].hex, state.units["B1-FF"].hex) == ("0506", "0505")
    play(state, {"B1": {"detach": ["B1-DD"], "route": "0507"}})
    assert (state.units["B1-CA"].towing, state.units["B1-DD"].towed_by) == ([], ""), "what stays is let go"


def test_some_stay_while_the_others_join_another_stack():
    state = world("blue B1 0505 CA+DD\nblue B2 0505 FF")
    play(state, {"B1": {"detach": ["B1-DD"], "join": "B2"}, "B2": {"route": "0506"}})
    assert {key: (stack.hex, sorted(stack.units)) for key, stack in state.stacks.items()} == {
        "B2": ("0506", ["B1-CA", "B2-FF"]),
        "B3": ("0505", ["B1-DD"]),
    }


def test_those_that_part_keep_the_cloak_of_the_stack_whatever_that_does():
    lines = "blue B1 0505 CA[cloak_cost=10]+DD[cloak_cost=5]"
    state = world(lines)
    play(state, {"B1": {"cloak": "all turn"}})
    play(state, {"B1": {"detach": ["B1-DD"], "route": "0506", "cloak": "no"}})
    assert [state.units[key].cloaked for key in ("B1-CA", "B1-DD")] == [False, True]
    assert cloak_order(state.members(state.stacks["B2"])) == "all turn"
    play(state)
    assert [state.units[key].cloaked for key in ("B1-CA", "B1-DD")] == [False, True], "until somebody says otherwise"


def test_those_that_part_from_a_stack_that_goes_under_cloak_stand_open_as_before():
    state = world("blue B1 0505 CA[cloak_cost=10]+FF")
    play(state, {"B1": {"detach": ["B1-FF"], "route": "0506", "cloak": "until it reacts"}})
    assert [state.units[key].cloaked for key in ("B1-CA", "B1-FF")] == [True, False]
    assert cloak_order(state.members(state.stacks["B1"])) == "until it reacts"


@pytest.mark.rule("border_patrol", "V8.94")
def test_captain_is_asked_once_about_the_same_others_ahead_when_the_stack_is_held_phase_after_phase():
    """Red holds it in 0505, so it goes on in none of its five phases."""
    lines = "blue B1 0505 CA\nred R1 0505 CA\nred R2 0506 CA"
    sheet = {"B1": {"route": "0506", "orders": "ask ahead"}}
    game = play(world(lines), sheet, onward_blue={"B1": {"answer": "go on"}})
    assert len(game.asked("blue", "onward")) == 1
    assert game.hexes()["B1"] == "0505"


class TestTurningBack:
    def go(self, lines: str, red: Sheets | None = None) -> Played:
        return play(world(lines), {"B1": {"route": "0506 0507 0508", "onward": "turn back"}}, red)

    def test_who_has_come_no_way_yet_stops(self):
        game = self.go("blue B1 0505 CA\nred R1 0506 CA")
        assert game.texts("blue", "onward") == ["B1 sees the Red Team in 0506 and stops at 0505."]

    def test_who_sees_others_on_the_way_back_too_stops(self):
        """Red's second stack comes to 0506 behind Blue, which sees the first in 0508."""
        game = self.go("blue B1 0505 CA\nred R1 0508 CA\nred R2 0606 CA", {"R2": {"route": "P5 0506"}})
        assert game.texts("blue", "onward") == [
            "B1 sees the Red Team in 0508 and turns back.",
            "B1 sees the Red Team in 0506 and stops at 0507.",
        ]
        assert game.hexes()["B1"] == "0507"


def test_standing_words_and_how_far_it_reacts_stand_until_they_are_changed():
    state = world("blue B1 0505 CA")
    play(state, {"B1": {"within": 1, "onward": "ask", "held": "either", "let_go": "let go"}})
    play(state, {"B1": {"route": "0506"}})
    orders = state.stacks["B1"].orders
    assert (orders.within, orders.onward, orders.held, orders.let_go) == (1, "ask", "either", "let go")
    play(state, {"B1": {"within": 0}})
    assert state.stacks["B1"].orders.within == 0
