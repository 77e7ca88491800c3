"""Stacks that lie in wait and to whom they react; monsters, alien ships and convoys, which nobody commands."""

from typing import Any

import pytest

from tests.expected.kept import cases
from tests.rulebooks.border_patrol.plays import after, is_turned_up, play, refused, world

LINES = "blue B1 0505 CA\nred R1 0508 CA"
"""Both go 5 hexes, in phases 2, 4, 5, 7 and 8. Red comes down to 0506, which is beside 0505, in phase 4."""
COMES = {"R1": {"route": "0507 0506"}}


def waits(react: str = "any", lines: str = LINES, red: object = COMES, **more: object):
    line = {"react": react} | more.pop("line", {})  # type: ignore[operator]
    return play(world(lines), {"B1": line}, red, **more)  # type: ignore[arg-type]


@cases("case, proves, lines, orders, holds", "")
def test_a_stack_that_lies_in_wait_reacts_to_whom_it_should(lines: str, orders: Any, holds: dict[str, Any]):
    assert after(lines, orders, holds) == holds


@pytest.mark.rule("border_patrol", "V8.61")
def test_its_captain_is_asked_whether_to_react_and_silence_stays():
    game = waits("ask")
    (asked,) = game.asked("blue", "reaction")
    assert [line.key for line in asked.form.lines] == ["B1"]
    assert [(one.label, one.values) for one in asked.asks_for.offers] == [("React", {"B1": {"answer": "react"}})]
    assert game.hexes()["B1"] == "0505"


@pytest.mark.rule("border_patrol", "V8.62")
def test_never_away_from_the_intruder():
    game = waits("ask", "blue B1 0505 CA\nblue base 0505 BATS\nred R1 0508 FF", {"R1": {"route": "P6 0507"}})
    (asked,) = game.asked("blue", "reaction")
    (one,) = asked.check(asked.model.model_validate({"B1": {"answer": "react", "way": "0504"}}))
    assert (one.path, one.rule, one.legal, one.nearest) == ("B1.way", "V8.61, V8.62", "0506", ("0506",))
    assert list(asked.check(asked.model.model_validate({"B1": {"answer": "react", "way": "0506"}}))) == []
    near = asked.check(asked.model.model_validate({"B2": {"answer": "react"}, "B1": {"answer": "run"}}))
    assert [one.path for one in near] == ["B2", "B1.answer"]


@pytest.mark.rule("border_patrol", "V8.54")
def test_cloaked_units_that_are_intercepted_are_turned_up():
    red = {"R1": {"cloak": "all turn", "route": "0507 0506 0505"}}
    game = waits(lines="blue B1 0505 CA\nred R1 0508 CA[cloak_cost=10]", red=red)
    assert game.texts("blue", "reaction")[-1] == "B1 intercepts the Red Team in 0505."
    assert is_turned_up(game.state, "R1")


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


def test_who_is_pinned_may_say_that_it_lies_in_wait_and_a_route_of_blanks_is_none():
    assert refused(world("blue B1 0505 CA\nred R1 0505 CA+CA"), {"B1": {"react": "any"}}) == []
    assert refused(world(LINES), {"B1": {"react": "any", "route": "  "}}) == []


# --- outsiders -------------------------------------------------------------------------------------------------------
@pytest.mark.rule("border_patrol", "V8.55")
def test_of_several_as_near_the_one_that_is_drawn_is_hunted_and_stays_so():
    """BP-N08: nothing goes by the order of ids. The dragon stands still between both in the next turn as well."""
    lines = "monster dragon 0505 hunts allowance=1 senses=9 driven_off_by=999\nblue B1 0510 CA\nred R1 1005 CA"
    hunted = {die: play(world(lines), dice={"quarry": [die]}).state for die in (1, 2)}
    assert [state.habits["dragon"].quarry for state in hunted.values()] == ["B1-CA", "R1-CA"]
    again = hunted[2]
    again.units["dragon"].hex = "0505"
    play(again, dice={"quarry": [1]})
    assert again.habits["dragon"].quarry == "R1-CA", "it is after that one already"


@cases("case, proves, lines, orders, holds", "")
def test_what_monsters_alien_ships_and_convoys_do(lines: str, orders: Any, holds: dict[str, Any]):
    assert after(lines, orders, holds) == holds


def test_the_die_of_one_that_roams_says_what_it_is_for():
    rolls = play(world("monster moon 0505 roams allowance=1")).table.shared.rolls
    assert [roll.purpose for roll in rolls if "outsiders" in roll.label] == ["way of Moon"]


def test_a_monster_that_is_driven_off_has_no_habits_any_more():
    state = world("monster dragon 0505 stays driven_off_by=100\nblue B1 0506 CA[bpv=100]")
    play(state, {"B1": {"route": "0505"}})
    assert ("dragon" in state.units, "dragon" in state.habits) == (False, False)


def test_nobody_commands_a_convoy_before_it_is_in():
    state = world("blue B1 0505 FT\nconvoy blue B1 0505 0506 0507\nred R1 1105 CA")
    assert play(state).asked("blue", "plot") == [], "there is nothing else to command"
    assert [line.key for line in play(state).asked("blue", "plot")[0].form.lines] == ["B1", "B1-ships"]


def test_a_convoy_waits_for_its_turn():
    state = world("blue B1 0505 FT\nconvoy blue B1 0505 0506 0507\nred R1 1105 CA")
    state.convoys["B1"].sets_out = 2
    assert (play(state).hexes()["B1"], play(state).hexes()["B1"]) == ("0505", "0507")


def test_a_convoy_that_has_not_gone_a_hex_finds_no_way_out():
    state = world("blue B1 0505 FT\nconvoy blue B1 0505 0506 0507\nred R1 0606 CA")
    state.convoys["B1"].sets_out = 2
    game = play(state, None, {"R1": {"route": "0506 0505"}}, battle={"BU1": {"fate": "disengaged"}})
    assert (game.hexes()["B1"], state.convoys["B1"].gone) == ("0505", 0)
    assert "B1 disengaged and finds no way out of 0505." in game.texts("blue", "movement")
