"""Leaving a hex in which others are, as it comes in a turn."""

import pytest

from tests.rulebooks.border_patrol.plays import play, world


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
    assert game.hexes() == {"B1": "0506", "B2": "0505", "R1": "0505"}
    assert game.state.stacks["B2"].units == ["B1-DD"]
    assert game.texts("blue", "held")[0] == "B1-DD stays in 0505 as B2."


@pytest.mark.rule("border_patrol", "V8.24")
def test_a_pin_is_broken_by_the_command_rating():
    """8 against 4: four may leave, the one with 8 among them, and one stays."""
    pinned = "blue B1 0505 CA+DD+FF\nred R1 0505 DD+DD+DD+DD"
    game = leaves(pinned, "break out", ("B1-FF",))
    assert game.hexes() == {"B1": "0506", "B2": "0505", "R1": "0505"}
    assert any("by its Command Rating" in text for text in game.texts("blue", "held"))
    assert leaves(pinned, "stay", ("B1-FF",)).hexes()["B1"] == "0505"
    better = pinned.replace("DD+DD+DD+DD", "CA+DD+DD+DD")
    assert leaves(better, "break out", ("B1-FF",)).hexes()["B1"] == "0505"


@pytest.mark.rule("border_patrol", "V8.25")
class TestWithdrawal:
    LINES = "blue B1 0505 CA\nred R1 0505 CA\nred R2 0505 DD"

    def test_by_standing_orders(self):
        red = {"R1": {"let_go": "let go"}, "R2": {"let_go": "let go"}}
        game = leaves(self.LINES, "withdraw", red=red)
        assert game.hexes()["B1"] == "0506"
        assert game.asked("red", "withdrawal") == []
        assert game.texts("red", "held") == ["The Blue Team asked to leave 0505: it may leave before combat."]

    def test_one_stack_that_refuses_is_enough_and_nobody_is_asked(self):
        red = {"R1": {"let_go": "refuse"}, "R2": {"let_go": "ask"}}
        game = leaves(self.LINES, "withdraw", red=red)
        assert game.hexes()["B1"] == "0505"
        assert game.asked("red", "withdrawal") == []
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
        assert game.hexes()["B1"] == "0505"
        assert game.texts("red", "held") == []


@pytest.mark.rule("border_patrol", "V8.52", "V8.24")
def test_under_cloak_half_as_much_stays_and_nobody_goes_by_command():
    cloak = "[cloak_cost=5]"
    lines = f"blue B1 0505 CA{cloak}\nblue B2 0505 FF\nred R1 0505 DD+DD"
    state = world(lines)
    assert play(state, {"B1": {"route": "0506", "cloak": "all turn"}}).hexes()["B1"] == "0506"
    assert leaves(lines).hexes()["B1"] == "0505"
    three = lines.replace("DD+DD", "DD+DD+DD")
    sheet = {"B1": {"route": "0506", "cloak": "all turn", "held": "break out"}}
    assert play(world(three), sheet).hexes()["B1"] == "0505"
    assert leaves(three, "break out").hexes()["B1"] == "0506", "in the open the flagship leads out"


@pytest.mark.rule("border_patrol", "V8.56", "V8.21")
def test_who_is_hidden_holds_nobody():
    state = world("blue B1 0505 CA\nred R1 0505 CA[cloak_cost=10]+CA[cloak_cost=10]")
    game = play(state, {"B1": {"route": "0506"}}, {"R1": {"cloak": "all turn"}})
    assert game.hexes()["B1"] == "0506"
    assert game.texts("blue", "held") == []


@pytest.mark.rule("border_patrol", "V8.35")
def test_a_tow_does_not_pull_out_of_a_pin():
    state = world("blue B1 0505 CA[towing=B1-DD]+DD\nred R1 0505 CA")
    assert play(state, {"B1": {"route": "0506"}}).hexes()["B1"] == "0505"


@pytest.mark.rule("border_patrol", "V8.21")
def test_its_team_is_told_once_a_turn_that_it_is_held():
    state = world("blue B1 0505 CA\nred R1 0505 CA")
    for _ in range(2):
        game = play(state, {"B1": {"route": "0506"}})
        assert len(game.texts("blue", "held")) == 1, "it has points in five phases"
