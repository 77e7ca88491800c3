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


def test_who_is_free_leaves_nobody_behind():
    game = leaves("blue B1 0505 CA+DD\nred R1 1105 CA", "break out", ("B1-DD",))
    assert game.state.units["B1-DD"].hex == "0506"
    assert game.texts("blue", "held") == []


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
    lines = "blue B1 0505 CA+DD\nblue B2 0506 DD\nred R1 0506 CA"
    state = world(lines)
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
