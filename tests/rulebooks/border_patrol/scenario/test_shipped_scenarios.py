"""Both scenarios that come with the bot: read without a defect, and what they begin with."""

import tomllib

import pytest

from rules_engine.rulebooks.border_patrol.allowances import allowance
from rules_engine.rulebooks.border_patrol.invariants import defects
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.scenario.new_units import towed_by
from rules_engine.rulebooks.border_patrol.scenario.opening import set_up
from rules_engine.rulebooks.border_patrol.scenario.reading import read_scenario, sides_of
from tests.expected.kept import cases
from tests.rulebooks.border_patrol.worlds import NAMES, files, opened, with_change


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_scenario_begins_without_a_defect(name: str):
    state = opened(name)
    assert defects(state) == []
    assert BorderState.from_json(state.to_json()) == state
    assert state.turn == 0
    assert state.phase is None


@pytest.mark.parametrize(("name", "turns", "captains", "races"), [("intro", 3, 1, 1), ("neutral_zone", 12, 4, 2)])
def test_length_seats_and_races(name: str, turns: int, captains: int, races: int):
    state = opened(name)
    assert state.turns == turns
    assert len(state.teams) == 2
    for team in state.teams:
        assert sum(one.team == team for one in state.captains.values()) == captains
        assert sum(one.team == team for one in state.races.values()) == races


@pytest.mark.parametrize("name", NAMES)
def test_every_hex_is_in_one_province_of_one_team_the_other_or_nobody(name: str):
    state = opened(name)
    assert sorted(one for province in state.provinces.values() for one in province.hexes) == list(state.grid.hexes())
    assert {province.owner for province in state.provinces.values()} == {"", *state.teams}


@pytest.mark.parametrize("name", NAMES)
def test_every_part_is_marked_as_invented(name: str):
    """Nothing of either scenario comes from a text: each entry that has a source says so, and the state names it."""
    state = opened(name)
    assert {"map", "scoring", "supply", "zones", "economy"} <= {*state.invented}
    kinds = {"province": state.provinces, "system": state.systems, "convoy": state.convoys, "habits": state.habits}
    assert {f"{what} {key}" for what, held in kinds.items() for key in held} <= {*state.invented}
    classes = tomllib.loads(files(name)["ships.toml"])["class"]
    assert {f"class {one['class_id']}" for one in classes} <= {*state.invented}


def test_what_comes_from_a_text_is_not_called_invented():
    texts = with_change("scenario.toml", 'source = "invented"', 'source = "V9.00, page 3"', "intro")
    state = set_up(read_scenario(texts))
    assert "map" not in state.invented
    assert "scoring" in state.invented


def test_sides_are_the_teams():
    assert [(one.key, one.emblem) for one in sides_of(read_scenario(files()))] == [("west", "F"), ("east", "R")]


def test_units_have_the_figures_of_their_class():
    unit = opened("intro").units["talon"]
    assert (unit.team, unit.race, unit.hex, unit.kind) == ("romulan", "rom", "0602", "ship")
    assert (unit.warp_original, unit.warp_ok, unit.movement_cost, unit.cloak_cost) == (30, 30, 1, 8)
    assert (unit.dcr_original, unit.dcr, unit.command, unit.chief_engineer) == (4, 4, 8, 3)
    assert unit.flagship
    assert unit.in_supply


def test_figures_of_ones_own_are_laid_over():
    own = (
        '[[class]]\nclass_id = "F-CA"\nname = "Cruiser"\nempire = "Federation"\nsource = "my own book"\n'
        "size_class = 3\nmove_cost = 1\nwarp = 24\n"
    )
    state = set_up(read_scenario(files("intro") | {"own_ships.toml": own}))
    assert state.units["resolve"].warp_ok == 24
    assert "class F-CA" not in state.invented


def test_a_tug_begins_with_its_tow_and_another_with_its_pod():
    state = opened()
    assert state.units["ox"].towing == ["relic"]
    assert state.units["relic"].towed_by == "ox"
    assert [pod.name for pod in state.units["porter"].pods] == ["Repair pod"]


def test_whoever_commands_something_can_move():
    state = opened()
    for captain in state.captains:
        own = [state.units[one] for stack in state.stacks.values() if stack.captain == captain for one in stack.units]
        assert any(allowance(unit, towed_by(unit, state.units)) > 0 for unit in own)


def test_provinces_and_units_are_found_by_hex():
    state = opened("intro")
    found = state.province_at("0504")
    assert found is not None
    assert (found.name, found.owner) == ("Ash Reach", "")
    assert [unit.id for unit in state.units_in("0402")] == ["lance", "resolve"]
    assert state.province_at("9999") is None


@cases("old, new, part, figure")
def test_the_figures_of_the_file_are_those_of_the_state(old: str, new: str, part: str, figure: str):
    state = set_up(read_scenario(with_change("scenario.toml", old, new, "intro")))
    assert getattr(getattr(state, part), figure) == 7


def test_places_and_what_else_is_abroad_are_those_of_the_files():
    state = opened()
    storm, post, system = state.storms["squall"], state.posts["ears-east"], state.systems["strix"]
    assert (storm.hex, storm.heading, storm.drift) == ("0904", 2, 1)
    assert (post.team, post.hex) == ("east", "1207")
    assert (system.hex, system.owner, system.original, system.held) == ("1710", "east", "east", True)
    assert (state.terrain["1204"], state.systems["midway"].owner, state.teams["west"].treasury) == (
        "black hole",
        "",
        40,
    )
    convoy, habits = state.convoys["eggs"], state.habits["stranger"]
    assert (convoy.team, convoy.stack, convoy.sets_out, convoy.route) == (
        "west",
        "F6",
        3,
        ["0210", "0310", "0410", "0510"],
    )
    assert (habits.habit, habits.allowance, habits.route[0], habits.route[-1]) == ("follows", 5, "0911", "0901")
    assert (state.stacks["R4"].team, state.stacks["R4"].captain, state.stacks["R4"].units[0]) == (
        "east",
        "east-four",
        "hammer",
    )


@pytest.mark.parametrize("name", NAMES)
def test_no_place_bears_the_name_of_a_unit(name: str):
    state = opened(name)
    places = [one.name for part in (state.provinces, state.systems) for one in part.values()]
    assert not {*places} & {unit.name for unit in state.units.values()}
