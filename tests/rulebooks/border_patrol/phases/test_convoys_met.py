"""Supply convoys that cloaked stacks come upon, and fight."""

from typing import Any

import pytest

from tests.rulebooks.border_patrol.plays import Played, is_turned_up, play, world

LINES = """
blue B1 0505 CA[cloak_cost=10]+DD[cloak_cost=5]
red R1 1105 CA
red sails FT FT
province rim red 0506 0507 0508
"""


def met(orders: str = "fight convoys", lines: str = LINES, **more: Any) -> Played:
    """Blue goes under cloak to 0506 in phase 4, and comes upon a convoy there."""
    sheet = {"B1": {"cloak": "all turn", "route": "0506", "orders": orders}}
    return play(world(lines), sheet, None, dice={"/found": [1, 1], "/what": [6]}, **more)


CAUGHT = {"RU1": {"fate": "destroyed"}, "RU2": {"fate": "captured"}}


@pytest.mark.rule("border_patrol", "T8.730")
class TestFought:
    def test_it_is_a_battle_hex_with_the_convoys_ships_in_it(self):
        game = met()
        (ask,) = game.asked("blue", "battle")
        assert [line.label for line in ask.form.lines] == [
            "BU1: B1-CA (Blue Team)",
            "BU2: B1-DD (Blue Team)",
            "RU1: Freighter 1 (Red Team)",
            "RU2: Freighter 2 (Red Team)",
        ]
        assert game.texts("blue", "encounter") == ["B1 came upon a convoy in 0506, and fights it."]
        assert game.texts("red", "encounter") == ["A convoy in 0506 is set upon by E1: 2 cloaked, Size Class 3, 4."]

    def test_what_is_left_of_it_sails_on_and_the_stack_is_hidden_again(self):
        game = met(battle={"RU1": {"fate": "destroyed"}})
        assert set(game.state.stacks) == {"B1", "R1"}
        assert not [key for key in game.state.units if key.startswith("r2")]
        assert game.state.convoys == {}
        assert game.texts("red", "convoy") == ["What is left of the convoy sails on from 0506: Freighter 2."]
        assert not is_turned_up(game.state, "B1")
        assert game.texts("red", "contact")[-1] == "E1, cloaked units of the Blue Team in 0506, is lost from sight."
        assert game.state.teams["blue"].score == 6

    def test_with_all_of_it_gone_it_is_caught(self):
        game = met(battle=CAUGHT)
        assert game.state.teams["blue"].score == 6 + 6 + 3 + 1, "the captured ship holds the province"
        assert game.state.convoys == {}
        assert "B2" in game.state.stacks, "the captured one"

    def test_no_way_is_told_when_they_leave(self):
        state = met().state
        game = play(state, {"B1": {"route": "0507"}})
        assert game.texts("red", "contact") == []
        assert game.moves("red") == []

    def test_it_is_gone_as_well_if_it_beats_them(self):
        account = {"BU1": {"fate": "destroyed"}, "BU2": {"fate": "destroyed"}}
        game = met(battle=account)
        assert set(game.state.stacks) == {"R1"}
        assert game.state.convoys == {}


@pytest.mark.rule("border_patrol", "T8.730")
class TestLetRun:
    @pytest.mark.parametrize("orders", ["spare convoys", "stop"])
    def test_it_runs_by_order_and_if_nothing_is_ordered(self, orders: str):
        game = met(orders)
        assert game.asked("blue", "battle") == []
        assert game.asked("blue", "convoy") == []
        assert game.texts("blue", "encounter") == ["B1 came upon a convoy in 0506. It runs, and reports you."]

    def test_its_captain_is_asked_and_silence_lets_it_run(self):
        game = met("convoys ask")
        (ask,) = game.asked("blue", "convoy")
        assert (ask.title, ask.rule, ask.default_says) == ("A convoy before B1", "T8.730", "Let it run.")
        assert ask.text == "B1 came upon it in 0506. It runs, and reports you; who fights it shows itself."
        assert [(one.label, one.values) for one in ask.asks_for.offers] == [("Fight it", {"B1": {"answer": "fight"}})]
        assert game.asked("blue", "battle") == []
        fights = met("convoys ask", convoy_blue={"B1": {"answer": "fight"}})
        assert len(fights.asked("blue", "battle")) == 1

    def test_where_the_scenario_names_no_ships_nobody_is_asked_and_it_runs(self):
        game = met("convoys ask", LINES.replace("red sails FT FT\n", ""))
        assert game.asked("blue", "convoy") == []
        assert game.texts("red", "encounter")[0].startswith("A convoy, which runs, reports E1")

    def test_supply_is_as_it_was_whatever_becomes_of_it(self):
        game = met(battle=CAUGHT)
        assert all(unit.in_supply for unit in game.state.units.values() if unit.team == "red")
