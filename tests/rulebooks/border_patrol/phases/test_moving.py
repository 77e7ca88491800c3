"""Moves by the proportional table, in turn, what stops them, and leaving a hex in which others are."""

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
    game = play(world("blue B1 0505 FF[warp_ok=24 warp_original=24]"), {"B1": {"route": "0506 0507 0508 0509"}})
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
    again = play(world(lines), {"B1": {"route": "0506", "onward": "stop"}}, sheets[1], dice=dice)
    assert again.hexes() == {"B1": "0505", "R1": "0506"}
    rolls = [one.total for one in again.table.shared.rolls if "P2/initiative" in one.label]
    assert rolls == [7, 7, 12, 2]


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
    game = play(world("blue B1 0505 CA\nred R1 1105 CA"))
    assert (game.hexes(), game.texts("blue", "movement")) == ({"B1": "0505", "R1": "1105"}, [])


def test_units_that_stay_are_a_stack_of_their_own_and_stacks_join(kept: Kept):
    state = world("blue B1 0505 CA+DD\nblue B2 0505 FF")
    play(state, {"B1": {"detach": ["B1-DD"], "route": "0506"}, "B2": {"join": "B1"}})
    assert {key: (stack.hex, stack.units) for key, stack in state.stacks.items()} == kept()


class TestOthersBefore:
    LINES = "blue B1 0505 CA\nred R1 0508 CA"

    def go(self, onward: str, **more: Any) -> dict[str, str]:
        game = play(world(self.LINES), {"B1": {"route": "0506 0507 0508", "onward": onward}}, **more)
        self.told = game.texts("blue", "onward")
        self.asks = game.asks
        return game.hexes()

    def test_goes_on(self):
        assert (self.go("go on")["B1"], self.told) == ("0508", [])

    def test_stops(self):
        assert (self.go("stop")["B1"], self.told) == ("0507", ["B1 sees the Red Team in 0508 and stops at 0507."])

    def test_turns_back_the_way_it_came(self):
        assert (self.go("turn back")["B1"], self.told) == ("0505", ["B1 sees the Red Team in 0508 and turns back."])

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
        assert (game.hexes()["B1"], game.texts("blue", "engines")) == ("0512", [])
        assert not state.units["B1-DD"].emergency  # it ends with the turn

    @pytest.mark.rule("border_patrol", "V8.46")
    def test_beyond_it_the_chief_engineer_rolls(self):
        game = play(world(self.LINES), FAST, dice={"engineer": [3, 4]})
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


def test_some_stay_while_the_others_join_another_stack(kept: Kept):
    state = world("blue B1 0505 CA+DD\nblue B2 0505 FF")
    play(state, {"B1": {"detach": ["B1-DD"], "join": "B2"}, "B2": {"route": "0506"}})
    assert {key: (stack.hex, sorted(stack.units)) for key, stack in state.stacks.items()} == kept()


def test_those_that_part_keep_the_cloak_of_the_stack_whatever_that_does():
    state = world("blue B1 0505 CA[cloak_cost=10]+DD[cloak_cost=5]")
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
    assert (len(game.asked("blue", "onward")), game.hexes()["B1"]) == (1, "0505")


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


@pytest.mark.rule("border_patrol", "V8.23")
def test_leaves_where_enough_stay():
    assert leaves("blue B1 0505 CA\nblue B2 0505 DD\nred R1 0505 CA").hexes()["B1"] == "0506"
    assert leaves("blue B1 0505 CA\nblue B2 0505 DD[crippled=yes]\nred R1 0505 CA").hexes()["B1"] == "0505"


@pytest.mark.rule("border_patrol", "V8.23")
def test_a_rearguard_stays_as_a_stack_of_its_own():
    game = leaves("blue B1 0505 CA+DD\nred R1 0505 CA", "break out", ("B1-DD",))
    assert (game.hexes(), game.state.stacks["B2"].units) == ({"B1": "0506", "B2": "0505", "R1": "0505"}, ["B1-DD"])
    assert game.texts("blue", "held")[0] == "B1-DD stays in 0505 as B2."


@pytest.mark.rule("border_patrol", "V8.24")
def test_a_pin_is_broken_by_the_command_rating():
    """8 against 4: four may leave, the one with 8 among them, and one stays."""
    pinned = "blue B1 0505 CA+DD+FF\nred R1 0505 DD+DD+DD+DD"
    game = leaves(pinned, "break out", ("B1-FF",))
    assert game.hexes() == {"B1": "0506", "B2": "0505", "R1": "0505"}
    assert any("by its Command Rating" in text for text in game.texts("blue", "held"))
    assert leaves(pinned, "stay", ("B1-FF",)).hexes()["B1"] == "0505"
    assert leaves(pinned.replace("DD+DD+DD+DD", "CA+DD+DD+DD"), "break out", ("B1-FF",)).hexes()["B1"] == "0505"


@pytest.mark.rule("border_patrol", "V8.25")
class TestWithdrawal:
    LINES = "blue B1 0505 CA\nred R1 0505 CA\nred R2 0505 DD"

    def test_by_standing_orders(self):
        red = {"R1": {"let_go": "let go"}, "R2": {"let_go": "let go"}}
        game = leaves(self.LINES, "withdraw", red=red)
        assert (game.hexes()["B1"], game.asked("red", "withdrawal")) == ("0506", [])
        assert game.texts("red", "held") == ["The Blue Team asked to leave 0505: it may leave before combat."]

    def test_one_stack_that_refuses_is_enough_and_nobody_is_asked(self):
        red = {"R1": {"let_go": "refuse"}, "R2": {"let_go": "ask"}}
        game = leaves(self.LINES, "withdraw", red=red)
        assert (game.hexes()["B1"], game.asked("red", "withdrawal")) == ("0505", [])
        assert len([text for text in game.texts("red", "held") if "may not leave" in text]) == 1, "once a turn"

    def test_captains_are_asked_for_their_stacks_alone_and_silence_refuses(self):
        red = {"R1": {"let_go": "let go"}, "R2": {"let_go": "ask"}}
        game = leaves(self.LINES, "withdraw", red=red)
        (asked,) = game.asked("red", "withdrawal")
        assert [line.key for line in asked.form.lines] == ["R2"]
        assert game.hexes()["B1"] == "0505"
        game = leaves(self.LINES, "withdraw", red=red, withdrawal_red={"R2": {"answer": "let go"}})
        assert game.hexes()["B1"] == "0506"

    def test_monsters_never_let_go(self):
        game = leaves("blue B1 0505 CA\nmonster dragon 0505 stays driven_off_by=999", "withdraw")
        assert (game.hexes()["B1"], game.texts("red", "held")) == ("0505", [])


@pytest.mark.rule("border_patrol", "V8.52", "V8.24")
def test_under_cloak_half_as_much_stays_and_nobody_goes_by_command():
    cloak = "[cloak_cost=5]"
    lines = f"blue B1 0505 CA{cloak}\nblue B2 0505 FF\nred R1 0505 DD+DD"
    assert play(world(lines), {"B1": {"route": "0506", "cloak": "all turn"}}).hexes()["B1"] == "0506"
    assert leaves(lines).hexes()["B1"] == "0505"
    three = lines.replace("DD+DD", "DD+DD+DD")
    sheet = {"B1": {"route": "0506", "cloak": "all turn", "held": "break out"}}
    assert play(world(three), sheet).hexes()["B1"] == "0505"
    assert leaves(three, "break out").hexes()["B1"] == "0506", "in the open the flagship leads out"


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


@pytest.mark.rule("border_patrol", "V8.56", "V8.21")
def test_who_is_hidden_holds_nobody():
    state = world("blue B1 0505 CA\nred R1 0505 CA[cloak_cost=10]+CA[cloak_cost=10]")
    game = play(state, {"B1": {"route": "0506"}}, {"R1": {"cloak": "all turn"}})
    assert (game.hexes()["B1"], game.texts("blue", "held")) == ("0506", [])


@pytest.mark.rule("border_patrol", "V8.35")
def test_a_tow_does_not_pull_out_of_a_pin():
    state = world("blue B1 0505 CA[towing=B1-DD]+DD\nred R1 0505 CA")
    assert play(state, {"B1": {"route": "0506"}}).hexes()["B1"] == "0505"


def test_who_is_free_leaves_nobody_behind():
    game = leaves("blue B1 0505 CA+DD\nred R1 1105 CA", "break out", ("B1-DD",))
    assert (game.state.units["B1-DD"].hex, game.texts("blue", "held")) == ("0506", [])


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

    def test_whose_orders_say_to_stay_is_held_though_its_rating_would_lead_it_out(self):
        game = play(world(self.LINES), {"B1": {"route": "0506", "held": "stay"}})
        assert game.hexes()["B1"] == "0505"
        assert {text.partition(":")[0] for text in game.texts("blue", "held")} == {"B1 is held in 0505"}


@pytest.mark.rule("border_patrol", "V8.23")
def test_a_rearguard_that_is_all_that_is_left_does_not_leave_itself_behind():
    """The leader is destroyed in phase 2; what was to stay behind has the rest of the way, and is held."""
    state = world("blue B1 0505 CA+DD\nblue B2 0506 DD\nred R1 0506 CA")
    sheet = {"B1": {"route": "0506 0507", "held": "break out", "rearguard": ["B1-DD"]}}
    game = play(state, sheet, battle={"BU1": {"fate": "destroyed"}})
    assert "B1-CA" not in state.units
    assert game.hexes() == {"B1": "0507", "B2": "0506", "R1": "0506"}, "B2 is enough against Red"


@pytest.mark.rule("border_patrol", "V8.23")
def test_a_rearguard_that_is_all_that_is_left_does_not_go_without_itself():
    """The leader is destroyed in phase 2; the rearguard would be strength enough to stay behind, but who would go?"""
    sheet = {"B1": {"route": "0506 0507", "held": "break out", "rearguard": ["B1-DD"]}}
    game = play(world("blue B1 0505 CA+DD\nred R1 0506 FF"), sheet, battle={"BU1": {"fate": "destroyed"}})
    assert game.hexes() == {"B1": "0506", "R1": "0506"}
    assert game.texts("blue", "held")[0].startswith("B1 is held in 0506")


@pytest.mark.rule("border_patrol", "V8.18")
@pytest.mark.parametrize("fighter", ["CA", "DD"])
def test_a_fighter_that_is_all_that_is_left_neither_goes_nor_stays_without_a_ship(fighter: str):
    """A ship is destroyed in phase 2: what the orders would part then is a ship and a fighter."""
    of_ships = {"CA": "CA+CA[kind=fighter]+DD", "DD": "CA+DD[kind=fighter]+DD"}[fighter]
    stays = {"CA": ["B1-DD"], "DD": ["B1-DD", "B1-DD2"]}[fighter]
    lost = {"CA": "BU1", "DD": "BU3"}[fighter]
    sheet = {"B1": {"route": "0506 0507", "held": "break out", "rearguard": stays}}
    state = world(f"blue B1 0505 {of_ships}\nred R1 0506 FF+FF")
    game = play(state, sheet, battle={lost: {"fate": "destroyed"}})
    assert game.hexes() == {"B1": "0506", "R1": "0506"}
    assert len(state.stacks["B1"].units) == 2
    assert game.texts("blue", "held")[0].startswith("B1 is held in 0506")


@pytest.mark.rule("border_patrol", "V8.25", "V8.56")
def test_a_hidden_stack_has_no_say_in_who_may_leave():
    lines = "blue B1 0505 CA\nred R1 0505 CA\nred R2 0505 DD[cloak_cost=5]"
    red = {"R1": {"let_go": "let go"}, "R2": {"cloak": "all turn", "let_go": "refuse"}}
    assert leaves(lines, "withdraw", red=red).hexes()["B1"] == "0506"
    elsewhere = "blue B1 0505 CA\nred R1 0505 CA\nred R2 0808 DD"
    red = {"R1": {"let_go": "let go"}, "R2": {"let_go": "refuse"}}
    assert leaves(elsewhere, "withdraw", red=red).hexes()["B1"] == "0506"


@pytest.mark.rule("border_patrol", "V8.25")
def test_who_may_do_either_breaks_out_first_and_asks_then():
    lines = "blue B1 0505 CA+DD\nred R1 0505 CA"
    out = leaves(lines, "either", ("B1-DD",))
    assert (out.hexes()["B1"], out.texts("red", "held")) == ("0506", [])
    asked = leaves(lines, "either", red={"R1": {"let_go": "let go"}})
    assert (asked.hexes()["B1"], len(asked.state.stacks["B1"].units)) == ("0506", 2)


@pytest.mark.rule("border_patrol", "V8.21")
def test_its_team_is_told_once_a_turn_that_it_is_held():
    state = world("blue B1 0505 CA\nred R1 0505 CA")
    for _ in range(2):
        game = play(state, {"B1": {"route": "0506"}})
        assert len(game.texts("blue", "held")) == 1, "it has points in five phases"
