"""Monsters, alien ships and convoys, which nobody commands."""

import pytest

from tests.rulebooks.border_patrol.plays import play, world


@pytest.mark.rule("border_patrol", "V8.55")
class TestHunters:
    BEAST = "monster dragon 0505 hunts allowance=8 senses=4 driven_off_by=999"

    def test_goes_to_the_nearest_unit_that_it_senses(self):
        game = play(world(f"{self.BEAST}\nblue B1 0508 CA\nred R1 0501 CA"))
        assert game.state.units["dragon"].hex == "0508"
        assert game.state.habits["dragon"].quarry == "B1-CA"
        assert play(world(f"{self.BEAST}\nblue B1 0510 CA\nred R1 1101 CA")).state.units["dragon"].hex == "0505"

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
        assert (state.convoys["B1"].fate, state.convoys["B1"].gone) == ("in", 2)
        assert state.teams["blue"].score == 2
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
        assert play(state).hexes()["B1"] == "0505"
        assert play(state).hexes()["B1"] == "0507"

    def test_one_that_is_caught_scores_for_the_others(self):
        state = world("blue B1 0505 FT\nconvoy blue B1 0505 0506 0507 0508 0509\nred R1 0606 CA")
        game = play(state, None, {"R1": {"route": "P2 0506"}}, battle={"BU1": {"fate": "destroyed"}})
        assert state.convoys["B1"].fate == "caught"
        assert state.teams["red"].score == 3 + 6
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
        lines = "blue B1 0505 FT+FT\nconvoy blue B1 0505 0506 0507 0508 0509 0510 0511 0512\nred R1 0610 CA"
        state = world(lines)
        play(state, None, {"R1": {"route": "P8 0511"}}, battle={"BU1": {"fate": "disengaged"}})
        assert (state.stacks["B1"].hex, state.convoys["B1"].gone) == ("0511", 6)
