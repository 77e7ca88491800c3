"""Stacks that lie in wait and to whom they react; monsters, alien ships and convoys, which nobody commands."""

import pytest

from tests.expected.kept import Kept
from tests.rulebooks.border_patrol.plays import is_turned_up, play, refused, world

LINES = "blue B1 0505 CA\nred R1 0508 CA"
"""Both go 5 hexes, in phases 2, 4, 5, 7 and 8. Red comes down to 0506, which is beside 0505, in phase 4."""
COMES = {"R1": {"route": "0507 0506"}}


def waits(react: str = "any", lines: str = LINES, red: object = COMES, **more: object):
    line = {"react": react} | more.pop("line", {})  # type: ignore[operator]
    return play(world(lines), {"B1": line}, red, **more)  # type: ignore[arg-type]


@pytest.mark.rule("border_patrol", "V8.61", "V8.62", "V8.63")
def test_reacts_to_who_comes_into_its_zone_with_held_points_and_forces_an_engagement(kept: Kept):
    game = waits()
    assert game.hexes()["B1"] == "0506"
    unit = game.state.units["B1-CA"]
    assert (unit.moved_in[4], unit.target, unit.left_station) == (1, "", True)
    assert game.texts("blue", "reaction") == kept()
    assert (game.texts("red", "reaction"), len(game.asked("blue", "battle"))) == ([], 1)


@pytest.mark.rule("border_patrol", "V8.63")
def test_points_are_held_and_the_phases_own_goes_first():
    """It holds the points of phases 2, 4, 5 and 7, and spends the one of phase 8: it may carry none, for it moved."""
    unit = waits(red={"R1": {"route": "P7 0507 P8 0506"}}).state.units["B1-CA"]
    assert (unit.moved_in[8], unit.accrued, unit.carried) == (1, 0, 0)


@pytest.mark.rule("border_patrol", "V8.63")
def test_two_held_points_in_a_phase_without_one():
    """With a base its zone reaches two hexes. A frigate comes to 0507 in phase 6, and two points are spent."""
    game = waits(lines="blue B1 0505 CA\nblue base 0505 BATS\nred R1 0508 FF", red={"R1": {"route": "P6 0507"}})
    assert (game.hexes()["B1"], game.state.units["B1-CA"].moved_in[6]) == ("0507", 2)


@pytest.mark.rule("border_patrol", "V8.67")
def test_a_base_widens_its_zone():
    assert waits(lines="blue B1 0505 CA\nred R1 0508 FF", red={"R1": {"route": "P6 0507"}}).hexes()["B1"] == "0505"


@pytest.mark.rule("border_patrol", "V8.61")
class TestStandingOrders:
    def test_what_it_must_alone(self):
        assert waits("must").hexes()["B1"] == "0505"

    def test_not_at_all(self):
        assert waits("no").hexes()["B1"] == "0505"

    def test_those_that_come_alone(self):
        assert waits("lone").hexes()["B1"] == "0506"
        company = f"{LINES}\nred R2 0406 CA"
        assert (waits("lone", company).hexes()["B1"], waits("any", company).hexes()["B1"]) == ("0505", "0506")
        two_hexes_off = f"{LINES}\nred R2 0508 CA"
        assert waits("lone", two_hexes_off).hexes()["B1"] == "0506", "company is what stands beside it"

    def test_no_farther_than_it_is_told(self):
        assert waits(line={"within": 0}).hexes()["B1"] == "0505"
        assert waits(line={"within": 1}).hexes()["B1"] == "0506"

    def test_its_captain_is_asked_and_silence_stays(self):
        game = waits("ask")
        (asked,) = game.asked("blue", "reaction")
        assert [line.key for line in asked.form.lines] == ["B1"]
        assert [(one.label, one.values) for one in asked.asks_for.offers] == [("React", {"B1": {"answer": "react"}})]
        assert game.hexes()["B1"] == "0505"
        assert waits("ask", reaction_blue={"B1": {"answer": "react"}}).hexes()["B1"] == "0506"


@pytest.mark.rule("border_patrol", "V8.62")
def test_a_monster_that_comes_to_a_held_reactor_brings_about_no_battle_with_those_that_hold_it():
    lines = "blue B1 0505 CA\nred R1 0505 CA\nmonster dragon 0508 follows 0507 0506 0505 allowance=8 driven_off_by=999"
    game = waits("must", lines, None)
    assert game.state.units["dragon"].hex == "0505"
    assert "B1 intercepts the Dragon in 0505." in game.texts("blue", "reaction")
    assert game.asked("blue", "battle") == []


@pytest.mark.rule("border_patrol", "V8.62")
def test_never_away_from_the_intruder():
    game = waits("ask", "blue B1 0505 CA\nblue base 0505 BATS\nred R1 0508 FF", {"R1": {"route": "P6 0507"}})
    (asked,) = game.asked("blue", "reaction")
    (one,) = asked.check(asked.model.model_validate({"B1": {"answer": "react", "way": "0504"}}))
    assert (one.path, one.rule, one.legal, one.nearest) == ("B1.way", "V8.61, V8.62", "0506", ("0506",))
    assert list(asked.check(asked.model.model_validate({"B1": {"answer": "react", "way": "0506"}}))) == []
    near = asked.check(asked.model.model_validate({"B2": {"answer": "react"}, "B1": {"answer": "run"}}))
    assert [one.path for one in near] == ["B2", "B1.answer"]


@pytest.mark.rule("border_patrol", "V8.62")
def test_monsters_must_be_reacted_to():
    game = waits("must", "blue B1 0505 CA\nmonster dragon 0508 follows 0507 0506 allowance=5 driven_off_by=999", None)
    assert game.hexes()["B1"] == "0506"
    assert game.texts("blue", "reaction")[0] == "B1 at 0505 must react to the Dragon in 0506."


@pytest.mark.rule("border_patrol", "V8.54")
class TestCloaks:
    LINES = "blue B1 0505 CA\nred R1 0508 CA[cloak_cost=10]"
    RED = {"R1": {"cloak": "all turn", "route": "0507 0506 0505"}}  # noqa: RUF012  a sheet

    def test_cloaked_units_are_seen_in_its_own_hex_alone(self):
        game = waits(lines=self.LINES, red=self.RED)
        assert game.hexes()["B1"] == "0505"
        assert game.texts("blue", "reaction")[-1] == "B1 intercepts the Red Team in 0505."
        assert is_turned_up(game.state, "R1")
        assert len(game.asked("red", "battle")) == 1
        short = {"R1": {"cloak": "all turn", "route": "0507 0506"}}
        assert waits(lines=self.LINES, red=short).texts("blue", "reaction") == []

    def test_special_sensors_must_react_in_the_zone(self):
        lines = self.LINES.replace("CA\n", "CA[special_sensors_ok=2]\n")
        game = waits("must", lines, {"R1": {"cloak": "all turn", "route": "0507 0506"}})
        assert (game.hexes()["B1"], len(game.asked("blue", "battle"))) == ("0506", 1)

    @pytest.mark.rule("border_patrol", "V8.63")
    def test_a_stack_under_cloak_until_it_reacts_shows_itself(self):
        lines = "blue B1 0505 CA[cloak_cost=10]\nblue base 0505 BATS\nred R1 0508 FF"
        game = waits(lines=lines, red={"R1": {"route": "P6 0507"}}, line={"cloak": "until it reacts"})
        assert game.hexes()["B1"] == "0505", "a cloak narrows its zone to its hex"
        game = waits(lines=lines, red={"R1": {"route": "P3 0507 P5 0506 P6 0505"}}, line={"cloak": "until it reacts"})
        assert game.texts("blue", "reaction")[-1] == "B1 intercepts the Red Team in 0505."


@pytest.mark.rule("border_patrol", "V8.66")
def test_two_held_points_are_carried_by_who_waits_again():
    state = world("blue B1 0505 CA\nred R1 0508 FF[warp_ok=24 warp_original=24]")
    play(state, {"B1": {"react": "any"}})
    assert state.units["B1-CA"].carried == 2
    game = play(state, {"B1": {"react": "any"}}, {"R1": {"route": "P1 0507 0506"}})
    assert game.hexes()["B1"] == "0506", "in the first phase already"
    assert state.units["B1-CA"].moved_in[1] == 1
    idle = world("blue B1 0505 CA")
    play(idle, {"B1": {"react": "any"}})
    play(idle, {"B1": {"route": "0506"}})
    assert (idle.units["B1-CA"].accrued, idle.units["B1-CA"].reacting) == (0, False)


@pytest.mark.rule("border_patrol", "V8.68")
def test_who_is_pinned_does_not_lie_in_wait_and_its_team_alone_is_told():
    state = world("blue B1 0505 CA\nred R1 0505 CA+CA")
    assert refused(state, {"B1": {"react": "any"}}) == []
    game = play(state, {"B1": {"react": "any"}})
    assert game.texts("blue", "reaction") == ["B1 does not lie in wait: B1-CA is pinned."]
    assert game.texts("red", "reaction") == []
    assert not state.units["B1-CA"].reacting


@pytest.mark.rule("border_patrol", "V8.68")
def test_damaged_sensors_need_a_roll():
    lines = LINES.replace("CA\n", "CA[sensors_damaged=yes]\n")
    for dice, told in (([3, 3], ["B1 does not lie in wait: B1-CA has damaged sensors or scanners."]), ([3, 4], [])):
        game = play(world(lines), {"B1": {"react": "any"}}, None, dice={"sensors": dice})
        assert game.texts("blue", "reaction") == told


@pytest.mark.rule("border_patrol", "V8.68", "V8.62")
def test_who_comes_to_be_held_cannot_react_away():
    state = world("blue B1 0505 CA\nred R1 0405 CA\nred R2 0407 CA")
    game = play(state, {"B1": {"react": "any", "within": 1}}, {"R1": {"route": "0505"}, "R2": {"route": "0406 0506"}})
    assert game.hexes()["B1"] == "0505"
    assert "B1 cannot react: it is held in 0505." in game.texts("blue", "reaction")


@pytest.mark.rule("border_patrol", "V8.26")
def test_no_second_reaction_to_who_leaves_the_hex_it_reacted_into():
    """Red goes on from where it was caught, by what it leaves behind; Blue stays."""
    lines = "blue B1 0505 CA\nred R1 0508 CA+DD+DD"
    red = {"R1": {"route": "0507 0506 0507", "held": "break out", "rearguard": ["R1-DD", "R1-DD2"]}}
    game = play(world(lines), {"B1": {"react": "any"}}, red)
    assert (game.hexes(), len(game.texts("blue", "reaction"))) == ({"B1": "0506", "R1": "0507", "R2": "0506"}, 2)


@pytest.mark.rule("border_patrol", "V8.62", "V8.63")
def test_it_follows_through_later_phases_until_the_turn_ends():
    """A faster intruder passes by; the stack must go on after it, by its own points once the held ones are spent."""
    lines = "blue B1 0505 CA\nred R1 0307 FF[warp_ok=24 warp_original=24]"
    red = {"R1": {"route": "0406 0506 0606 0706 0806 0906 1006 1106"}}
    first = {"initiative/blue": [6] * 16, "initiative/red": [1] * 16}
    game = play(world(lines), {"B1": {"react": "any"}}, red, dice=first)
    unit = game.state.units["B1-CA"]
    assert not any("intercepts" in text for text in game.texts("blue", "reaction"))
    assert sum(unit.moved_in.values()) == 5
    grid = game.state.grid
    assert grid.distance(unit.hex, "1106") == 2, "after a hex south four to the east"


@pytest.mark.rule("border_patrol", "V8.65")
def test_weapon_status_of_who_lies_in_wait_and_of_who_does_not():
    setup = waits(dice={"status": [4, 4]}).asked("blue", "battle")[0].setup
    assert setup is not None
    rows = [setup.secret[side][0].rows[0].split(", ")[0] for side in ("blue", "red")]
    assert rows == ["BU1 B1-CA: Weapon Status 3 (1D6: 4 + 4 in wait)", "RU1 R1-CA: Weapon Status 2 (1D6: 4)"]


@pytest.mark.rule("border_patrol", "V8.62")
def test_of_two_shortest_ways_it_takes_the_one_without_others():
    """From 0505 to 0705 by 0604 or 0605; Red's second stack stands in the first of them."""
    lines = "blue B1 0505 CA\nblue base 0505 BATS\nred R1 0805 FF"
    red = {"R1": {"route": "P6 0705"}}
    assert waits(lines=lines, red=red).state.stacks["B1"].trail == ["0505", "0604"]
    assert waits(lines=f"{lines}\nred R2 0604 CA", red=red).state.stacks["B1"].trail == ["0505", "0605"]


@pytest.mark.rule("border_patrol", "V8.61")
def test_whoever_comes_in_company_is_not_alone_and_its_own_stack_is_no_company():
    lines = "blue B1 0505 CA\nred R1 0508 CA+DD"
    assert waits("lone", lines).hexes()["B1"] == "0506"
    assert waits("lone", f"{lines}\nred base 0606 BATS").hexes()["B1"] == "0505", "a base is company, too"
    assert waits("lone", f"{lines}\nred R2 0308 CA").hexes()["B1"] == "0506", "not from two hexes away"


@pytest.mark.rule("border_patrol", "V8.61")
def test_a_route_of_blanks_is_none():
    assert refused(world(LINES), {"B1": {"react": "any", "route": "  "}}) == []


# --- outsiders -------------------------------------------------------------------------------------------------------
@pytest.mark.rule("border_patrol", "V8.55")
class TestHunters:
    BEAST = "monster dragon 0505 hunts allowance=8 senses=4 driven_off_by=999"

    def test_goes_to_the_nearest_unit_that_it_senses(self):
        game = play(world(f"{self.BEAST}\nblue B1 0508 CA\nred R1 0501 CA"))
        assert (game.state.units["dragon"].hex, game.state.habits["dragon"].quarry) == ("0508", "B1-CA")
        assert play(world(f"{self.BEAST}\nblue B1 0510 CA\nred R1 1101 CA")).state.units["dragon"].hex == "0505"

    def test_of_several_as_near_the_one_that_is_drawn_is_hunted_and_stays_so(self):
        """BP-N08: nothing goes by the order of ids. The dragon stands still between both in the next turn as well."""
        lines = "monster dragon 0505 hunts allowance=1 senses=9 driven_off_by=999\nblue B1 0510 CA\nred R1 0500 CA"
        lines = lines.replace("0500", "1005")
        hunted = {die: play(world(lines), dice={"quarry": [die]}).state for die in (1, 2)}
        assert [state.habits["dragon"].quarry for state in hunted.values()] == ["B1-CA", "R1-CA"]
        again = hunted[2]
        again.units["dragon"].hex = "0505"
        play(again, dice={"quarry": [1]})
        assert again.habits["dragon"].quarry == "R1-CA", "it is after that one already"

    def test_cloaked_units_elsewhere_are_not_hunted(self):
        state = world(f"{self.BEAST}\nblue B1 0404 CA[cloak_cost=10]\nred R1 0508 CA")
        play(state, {"B1": {"cloak": "all turn"}})
        assert state.units["dragon"].hex == "0508"

    def test_who_went_under_cloak_before_it_is_let_go_for_good(self):
        state = world(
            "monster dragon 0505 hunts allowance=1 senses=9 driven_off_by=999\nblue B1 0510 CA[cloak_cost=10]"
        )
        play(state)
        assert (state.units["dragon"].hex, state.habits["dragon"].quarry) == ("0506", "B1-CA")
        play(state, {"B1": {"cloak": "all turn"}})
        play(state, {"B1": {"cloak": "no"}})
        assert (state.units["dragon"].hex, state.habits["dragon"].lost) == ("0506", ["B1-CA"])


def test_those_that_follow_a_route_and_those_that_stay():
    state = world("alien probe 0505 follows 0506 0507 allowance=8\nmonster moon 0909 stays allowance=8")
    game = play(state)
    assert (state.units["probe"].hex, state.units["moon"].hex) == ("0507", "0909")
    assert game.moves("red") == ["Phase 1: Probe 0505 → 0506.", "Phase 2: Probe 0506 → 0507."]


def test_those_that_roam_go_by_the_die_and_stay_on_the_map():
    state = world("monster moon 0101 roams allowance=1")
    play(state, dice={"outsiders/moon": [1, 6, 4]})
    assert state.units["moon"].hex == "0102", "north and north-west are off the map"


class TestDrivenOff:
    def test_by_one_team_alone_with_enough_bpv(self):
        state = world("monster dragon 0505 stays driven_off_by=100\nblue B1 0506 CA[bpv=100]")
        game = play(state, {"B1": {"route": "0505"}})
        assert "dragon" not in state.units
        assert "dragon" not in state.habits
        assert game.texts("red", "monster") == ["The Blue Team drives off the Dragon in 0505."]
        assert state.teams["blue"].score == 4

    @pytest.mark.parametrize("ships", ["CA[bpv=99]", "CA[bpv=100 crippled=yes]"])
    def test_not_by_less(self, ships: str):
        state = world(f"monster dragon 0505 stays driven_off_by=100\nblue B1 0506 {ships}")
        play(state, {"B1": {"route": "0505"}})
        assert "dragon" in state.units

    def test_not_by_both(self):
        lines = "monster dragon 0505 stays driven_off_by=100\nblue B1 0505 CA[bpv=100]\nred R1 0505 CA[bpv=100]"
        state = world(lines)
        play(state)
        assert "dragon" in state.units


class TestConvoys:
    LINES = "blue B1 0505 FT\nconvoy blue B1 0505 0506 0507\nred R1 1105 CA"

    def test_they_go_their_way_and_score_when_they_come_in(self):
        state = world(self.LINES)
        game = play(state)
        assert game.hexes()["B1"] == "0507"
        assert (state.convoys["B1"].fate, state.convoys["B1"].gone, state.teams["blue"].score) == ("in", 2, 2)
        assert "The convoy B1 has come in to 0507." in game.texts("blue", "convoy")
        assert game.texts("red", "convoy") == []

    def test_nobody_commands_them_before_they_are_in(self):
        state = world(self.LINES)
        game = play(state)
        assert game.asked("blue", "plot") == [], "there is nothing else to command"
        assert [line.key for line in play(state).asked("blue", "plot")[0].form.lines] == ["B1", "B1-ships"]

    def test_they_wait_for_their_turn(self):
        state = world(self.LINES)
        state.convoys["B1"].sets_out = 2
        assert (play(state).hexes()["B1"], play(state).hexes()["B1"]) == ("0505", "0507")

    def test_one_that_is_caught_scores_for_the_others(self):
        state = world("blue B1 0505 FT\nconvoy blue B1 0505 0506 0507 0508 0509\nred R1 0606 CA")
        game = play(state, None, {"R1": {"route": "P2 0506"}}, battle={"BU1": {"fate": "destroyed"}})
        assert (state.convoys["B1"].fate, state.teams["red"].score) == ("caught", 3 + 6)
        assert game.hexes() == {"R1": "0506"}

    def test_one_that_disengages_goes_back_along_its_way(self):
        way = "0505 0506 0507 0508 0509 0510 0511 0512"
        state = world(f"blue B1 0505 FT\nconvoy blue B1 {way}\nred R1 0610 CA")
        play(state, None, {"R1": {"route": "P8 0511"}}, battle={"BU1": {"fate": "disengaged"}})
        assert (state.stacks["B1"].hex, state.convoys["B1"].gone) == ("0510", 5)


@pytest.mark.rule("border_patrol", "V8.55")
class TestWhatAHunterSenses:
    def at(self, lines: str, sheet: object = None) -> str:
        state = world(lines)
        play(state, sheet)  # type: ignore[arg-type]
        return state.units["dragon"].hex

    def test_as_far_as_its_senses_reach_and_no_farther(self):
        beast = "monster dragon 0505 hunts allowance=8 senses={} driven_off_by=999"
        assert self.at(f"{beast.format(4)}\nblue B1 0509 CA") == "0509"
        assert self.at(f"{beast.format(3)}\nblue B1 0509 CA") == "0505"

    def test_who_goes_under_cloak_in_its_own_hex_is_not_lost(self):
        state = world(
            "monster dragon 0505 hunts allowance=8 senses=4 driven_off_by=999\nblue B1 0506 CA[cloak_cost=10]"
        )
        play(state)
        assert (state.units["dragon"].hex, state.habits["dragon"].quarry) == ("0506", "B1-CA")
        play(state, {"B1": {"cloak": "all turn"}})
        assert (state.habits["dragon"].lost, state.habits["dragon"].quarry) == ([], "B1-CA")


def test_who_is_under_cloak_drives_nothing_off_and_is_no_second_team():
    lines = "monster dragon 0505 stays driven_off_by=100\nblue B1 0506 CA[bpv=100 cloak_cost=10]"
    state = world(lines)
    play(state, {"B1": {"cloak": "all turn", "route": "0505"}})
    assert "dragon" in state.units
    state = world(f"{lines}\nred R1 0505 CA[bpv=999 cloak_cost=10]")
    play(state, {"B1": {"route": "0505"}}, {"R1": {"cloak": "all turn"}})
    assert "dragon" not in state.units


class TestConvoysThatDisengage:
    def test_not_before_they_have_gone_a_hex(self):
        state = world("blue B1 0505 FT\nconvoy blue B1 0505 0506 0507\nred R1 0606 CA")
        state.convoys["B1"].sets_out = 2
        game = play(state, None, {"R1": {"route": "0506 0505"}}, battle={"BU1": {"fate": "disengaged"}})
        assert (game.hexes()["B1"], state.convoys["B1"].gone) == ("0505", 0)
        assert "B1 disengaged and finds no way out of 0505." in game.texts("blue", "movement")

    def test_not_a_part_of_one(self):
        state = world("blue B1 0505 FT+FT\nconvoy blue B1 0505 0506 0507 0508 0509 0510 0511 0512\nred R1 0610 CA")
        play(state, None, {"R1": {"route": "P8 0511"}}, battle={"BU1": {"fate": "disengaged"}})
        assert (state.stacks["B1"].hex, state.convoys["B1"].gone) == ("0511", 6)
