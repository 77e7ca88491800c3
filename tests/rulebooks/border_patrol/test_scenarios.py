"""Scenarios: each kind of defect in their files, in its words, and both that come with the bot."""

import re
import tomllib
from pathlib import Path

import pytest

from rules_engine.core.grids.hexes import Grid
from rules_engine.rulebooks.border_patrol.allowances import allowance
from rules_engine.rulebooks.border_patrol.invariants import defects
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.scenario.hexes import broken_way, off_map
from rules_engine.rulebooks.border_patrol.scenario.new_units import towed_by
from rules_engine.rulebooks.border_patrol.scenario.opening import set_up
from rules_engine.rulebooks.border_patrol.scenario.reading import read_scenario, sides_of
from tests.expected.kept import Kept, cases, scene_file
from tests.expected.scene_files import path_beside
from tests.quick import at_most
from tests.rulebooks.border_patrol.squadrons import NAMES, SCENARIOS, files, opened, refused, with_change
from tests.rulebooks.scenario_defects import BETWEEN, FOLDER, says_what_would_be_right

SCENARIO, UNITS, SHIPS = "scenario.toml", "units.toml", "ships.toml"


WHERE = re.compile(r"^(\S+)(?: \((?:ships\.toml, )?line \d+\))?: ")


@cases("name, file, old, new, told")
def test_defect_is_told_with_its_place_and_in_these_words(name: str, file: str, old: str, new: str, told: str):
    assert SCENARIOS.told_of(file, old, new, name) == told


def test_most_defects_say_what_would_be_right(kept: Kept):
    """All but three, which say what must be, and those of pydantic, whose own sentence does."""
    rows = scene_file(path_beside(Path(__file__))).rows("test_defect_is_told_with_its_place_and_in_these_words")
    silent = [told for row in rows for told in str(row[-1]).split(BETWEEN) if not says_what_would_be_right(told)]
    assert [told.split(": ")[-1] for told in silent] == kept()


@pytest.mark.parametrize(("reach", "at_bases"), [(0, 0), (2, 2), (1, 2)])
def test_zones_may_be_alike(reach: int, at_bases: int):
    zones = f"reach = {reach}\nrestricted = 0\nat_bases = {at_bases}"
    assert refused(with_change(SCENARIO, "reach = 1\nrestricted = 0\nat_bases = 2", zones)) == []


@pytest.mark.parametrize(("file", "old"), [(SHIPS, "cloak_cost = 8"), (UNITS, "senses = 3")])
def test_one_is_enough_of_it(file: str, old: str):
    assert refused(with_change(file, old, f"{old[:-1]}1")) == []


@pytest.mark.rule("border_patrol", "V8.83")
def test_a_tug_carries_one_pod_of_one_weight_at_least():
    one = with_change(
        SHIPS, 'kind = "tug"\npod_weights = 3\nmost_pods = 2', 'kind = "tug"\npod_weights = 1\nmost_pods = 1'
    )
    assert [told for told in refused(one) if told.startswith("ships.")] == []
    for field in ("pod_weights", "most_pods"):
        none = one[SHIPS].replace(f"{field} = 1", f"{field} = 0", 1)
        assert any("pods are what tugs carry" in told for told in refused(one | {SHIPS: none}))


def test_a_team_without_a_base_or_a_star_system_is_never_in_supply():
    texts = files("intro")
    texts[UNITS] = texts[UNITS].replace('class_id = "R-BATS"\nrace = "rom"', 'class_id = "MOON"')
    texts[SCENARIO] = texts[SCENARIO].replace('hex = "0804"\nteam = "romulan"', 'hex = "0804"')
    assert any("neither a base nor a star system" in one and "team.1" in one for one in refused(texts))


def test_a_captain_needs_something_that_moves():
    texts = with_change(SHIPS, 'class_id = "F-CC"', 'class_id = "F-CC"\nsublight = true')
    for name in ("lance", "halberd", "plenty"):
        stack = "F5" if name == "plenty" else "F1"
        texts[UNITS] = texts[UNITS].replace(f'id = "{name}"', f'id = "{name}-x"')
        old = f'stack = "{stack}"\n'
        at = texts[UNITS].index(old, texts[UNITS].index(f'id = "{name}-x"'))
        texts[UNITS] = texts[UNITS][:at] + 'stack = "F2"\n' + texts[UNITS][at + len(old) :]
    assert any("First western captain commands nothing that moves" in one for one in refused(texts))


def test_fighters_need_a_ship_to_be_aboard_of():
    fighter = (
        '[[class]]\nclass_id = "F-18"\nname = "Fighters"\nempire = "Federation"\nsource = "invented"\n'
        'kind = "fighter"\nsize_class = 6\nmove_cost = "1/6"\n'
    )
    one = '[[unit]]\nid = "wing"\nname = "Wing"\nclass_id = "F-18"\nrace = "fed"\nstack = "{}"\n'
    texts = files("intro") | {"own_ships.toml": fighter}
    aboard = texts | {UNITS: texts[UNITS] + "\n" + one.format("F1")}
    assert refused(aboard) == []
    new_stack = '[[stack]]\nid = "F9"\ncaptain = "blue-one"\nhex = "0302"\n\n'
    alone = aboard | {UNITS: texts[UNITS] + "\n" + new_stack + one.format("F9")}
    assert any("moves only aboard others" in told and "V8.18" in told for told in refused(alone))


def test_no_points_for_anything_is_no_campaign():
    texts = files("intro")
    head, rest = texts[SCENARIO].split("[scoring]")
    scoring, rest = rest.split("[supply]")
    zeroed = "\n".join(f"{line.split('=')[0]}= 0" if line[-1:].isdigit() else line for line in scoring.split("\n"))
    texts[SCENARIO] = f"{head}[scoring]{zeroed}[supply]{rest}"
    assert any("nothing scores a point" in one for one in refused(texts))


def test_all_defects_of_all_files_are_told_at_once():
    texts = with_change(SCENARIO, 'key = "birch"', 'key = "alder"')
    texts[UNITS] = texts[UNITS].replace('captain = "west-two"', 'captain = "west-tow"')
    texts[SHIPS] = texts[SHIPS].replace("cloak_cost = 8", "cloak_cost = 0", 1)
    texts["shps.toml"] = ""
    told = refused(texts)
    for says in ("alder is given 2 times", "west-tow is no captain", "ships.R-CC", "not part of a scenario"):
        assert any(says in one for one in told), says


@pytest.mark.parametrize("missing", [SCENARIO, UNITS, SHIPS])
def test_a_missing_file_is_named(missing: str):
    texts = files()
    del texts[missing]
    assert any(missing in one for one in refused(texts))


HOSTILE = [
    "title = " + "[" * 5_000, "turns = " + "9" * 6_000, "turns = 1e999999999", "turns = nan",
    "[map]\ncolumns = true\nrows = 0x7fffffff", "\x00", "= ", "team = 3\nrace = {}\ncaptain = [[[]]]",
    '"\\u202e' + "k" * 50_000 + '" = 1', "\ufeff\ufeff",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("file", [SCENARIO, UNITS, SHIPS])
def test_hostile_texts_are_refused_in_words_that_can_be_shown(file: str, text: str):
    told = refused(files() | {file: text})
    assert told
    assert all(len(one) < 800 and "\u202e" not in one and "\x00" not in one for one in told)


@pytest.mark.parametrize("name", ["Re\u202esolve", "Two\\nlines", "x" * 41, "Nul\\u0000"])
def test_names_that_no_screen_keeps_are_refused(name: str):
    assert any("units.toml.unit.0.name" in one for one in refused(with_change(UNITS, '"Resolve"', f'"{name}"')))


def test_very_many_defects_are_told_in_time():
    texts = files()
    unit = '[[unit]]\nid = "u{0}"\nname = "U{0}"\nclass_id = "F-XX"\nrace = "feds"\nstack = "Q{0}"\ntowing = ["q{0}"]\n'
    texts[UNITS] += "\n".join(["", *(unit.format(number) for number in range(100, 500))])
    with at_most(5):
        assert len(refused(texts)) > 1_000


def test_defects_of_keys_on_which_nothing_hangs_hide_none_of_the_others(kept: Kept):
    texts = with_change(SCENARIO, "turns = 12", "turns = 0\nturms = 12")
    texts[SCENARIO] = texts[SCENARIO].replace("lead = 25", "lead = -1").replace('hex = "0803"', 'hex = "803"')
    texts[UNITS] = texts[UNITS].replace('captain = "west-two"', 'captain = "west-tow"')
    texts[UNITS] = texts[UNITS].replace("sets_out = 3", "sets_out = 0", 1)
    paths = [one.split(" (")[0] for one in refused(texts)]
    assert sorted(paths) == kept()


def test_where_the_last_turn_is_not_known_a_convoy_may_set_out_late():
    """One key with a defect brings no others about."""
    texts = with_change(UNITS, "sets_out = 3", "sets_out = 100") | {
        SCENARIO: with_change(SCENARIO, "turns = 12", "turns = 0")[SCENARIO]
    }
    assert [one.split(" (")[0] for one in refused(texts)] == ["scenario.toml.turns"]


@pytest.mark.parametrize(("what", "key", "most"), [("race", "rom", 2), ("captain", "red-one", 4)])
def test_a_team_without_a_race_or_captain_is_told_so(what: str, key: str, most: int):
    texts = files("intro")
    entries = texts[SCENARIO].split(f"[[{what}]]")
    texts[SCENARIO] = f"[[{what}]]".join(
        one.replace('"romulan"', '"federation"', 1) if f'key = "{key}"' in one else one for one in entries
    )
    says = f"romulan has 0 of them (BP-N13). Legal: 1 to {most} for each Team."
    assert any(one.startswith(f"scenario.toml.{what} ") and one.endswith(says) for one in refused(texts)), refused(
        texts
    )


def test_ships_of_a_supply_convoy_serve_a_race_of_its_team():
    state = opened()
    assert {team: [(one.name, one.race) for one in convoy.ships] for team, convoy in state.supply_convoys.items()} == {
        "west": [("Federation freighter 1", "fed"), ("Federation freighter 2", "fed")],
        "east": [("Romulan freighter 1", "rom"), ("Romulan freighter 2", "rom")],
    }


LINES = [
    (SCENARIO, "turns = 12", "turns = 0", "scenario.toml.turns"),
    (SCENARIO, "columns = 18", "columns = 1800", "scenario.toml.map.columns"),
    (SCENARIO, 'hex = "0904"', 'hex = "2004"', "scenario.toml.storm.0.hex"),
    (UNITS, 'captain = "west-two"', 'captain = "west-tow"', "units.toml.stack.1.captain"),
    (UNITS, 'class_id = "F-CC"', 'class_id = "F-CCC"', "units.toml.unit.0.class_id"),
    (UNITS, "weight = 1", "weight = 4", "units.toml.unit.26.pods.0.weight"),
    (UNITS, 'habit = "hunts"', 'habit = "stays"', "units.toml.habits.0.allowance"),
]


@pytest.mark.parametrize(("file", "old", "new", "path"), LINES)
def test_a_defect_is_told_with_its_line(file: str, old: str, new: str, path: str):
    texts = with_change(file, old, new)
    (where,) = (one.split(": ")[0] for one in refused(texts) if one.startswith(f"{path} "))
    line = int(where.removeprefix(f"{path} (line ").removesuffix(")"))
    key = path.rpartition(".")[2]
    assert texts[file].splitlines()[line - 1].startswith(f"{key} =")
    assert any(new.split("\n", maxsplit=1)[0] in one for one in texts[file].splitlines()[max(0, line - 8) : line + 8])


def test_a_defect_of_a_class_is_told_with_the_line_of_the_class():
    texts = with_change(SHIPS, "bpv_combat = 140", 'bpv_combat = "1/2"')
    at = next(n for n, one in enumerate(texts[SHIPS].splitlines(), 1) if one == 'class_id = "F-CC"')
    assert any(one.startswith(f"ships.F-CC.bpv_combat (ships.toml, line {at}): ") for one in refused(texts))


def test_the_page_for_authors_shows_what_is_told():
    page = (FOLDER.parents[1] / "docs" / "border_patrol_scenarios.md").read_text(encoding="utf-8")
    shown = [line.removeprefix("• ") for line in page.splitlines() if line.startswith("• ")]
    texts = with_change(SCENARIO, "turns = 3", "turns = 0", "intro")
    texts[SCENARIO] = texts[SCENARIO].replace('hex = "0503"', 'hex = "9903"', 1)
    texts[UNITS] = texts[UNITS].replace('captain = "blue-one"', 'captain = "blue-oen"', 1)
    texts[SHIPS] = texts[SHIPS].replace("cloak_cost = 8", "cloak_cost = 0", 1)
    assert sorted(shown) == sorted(refused(texts))
    assert len(shown) == 4


def without_places(told: list[str]) -> list[str]:
    return [WHERE.sub("", one) for one in told]


def test_of_files():
    texts = files() | {"xyz": "", SCENARIO: "title = "}
    del texts[UNITS]
    told = refused(texts)
    assert told[0] == "xyz: this file is not part of a scenario"
    assert told[1].startswith("scenario.toml: this is not TOML: ")
    assert told[2] == "units.toml: this file is missing"


def test_of_a_team_that_is_never_in_supply_and_of_a_scenario_without_points():
    texts = files("intro")
    texts[UNITS] = texts[UNITS].replace('class_id = "R-BATS"\nrace = "rom"', 'class_id = "MOON"')
    texts[SCENARIO] = texts[SCENARIO].replace('hex = "0804"\nteam = "romulan"', 'hex = "0804"')
    head, rest = texts[SCENARIO].split("[scoring]")
    scoring, rest = rest.split("[supply]")
    texts[SCENARIO] = f"{head}[scoring]{re.sub(r'= [0-9]+', '= 0', scoring)}[supply]{rest}"
    told = without_places(refused(texts))
    says = "has neither a base nor a star system, and nobody of it is ever in supply (BP-R32)."
    assert f"Romulan Team {says} Legal: a base or a star system." in told
    assert "nothing scores a point. Legal: a figure above 0." in told


@pytest.mark.rule("border_patrol", "V8.18")
def test_of_fighters_without_a_ship():
    fighter = (
        '[[class]]\nclass_id = "F-18"\nname = "Fighters"\nempire = "Federation"\nsource = "invented"\n'
        'kind = "fighter"\nsize_class = 6\nmove_cost = "1/6"\n'
    )
    one = '\n[[unit]]\nid = "wing"\nname = "Wing"\nclass_id = "F-18"\nrace = "fed"\nstack = "F9"\n'
    stack = '\n[[stack]]\nid = "F9"\ncaptain = "blue-one"\nhex = "0302"\n'
    texts = files("intro") | {"own_ships.toml": fighter}
    texts[UNITS] += stack + one
    told = without_places(refused(texts))
    assert "a fighter moves only aboard others (V8.18, BP-R09). Legal: a stack with a ship." in told


def test_of_a_captain_with_nothing_that_moves():
    texts = files("intro")
    texts[SHIPS] = re.sub(r'(?m)^(class_id = "F-.*")$', r"\1\nsublight = true", texts[SHIPS])
    told = without_places(refused(texts))
    assert any(one.endswith("commands nothing that moves. Legal: a stack with a ship.") for one in told), told


@pytest.mark.parametrize(("old", "new"), [('"0101", "0102"', '"9901", "0102"'), ('"0302", "0303"', '"0302", "9901"')])
def test_of_a_hex_off_the_map_it_is_not_said_that_it_is_apart(old: str, new: str):
    told = without_places(refused(with_change(SCENARIO, old, new)))
    assert told == ["9901 is not on the map. Legal: 0101 to 1812."]


# --- hexes -----------------------------------------------------------------------------------------------------------
GRID = Grid(columns=4, rows=3)


def test_ways_and_hexes(kept: Kept):
    assert [str(one) for one in off_map(["0101", "0403", "0404"], GRID, "p")] == kept("#1")
    assert list(broken_way(["0101", "0102"], "0101", GRID, "p")) == []
    assert list(broken_way(["0102", "0103"], "0101", GRID, "p")) == [], "or with the hex that is entered first"
    assert [str(one) for one in broken_way(["0101"], "0101", GRID, "p")] == kept("#3")
    assert list(broken_way(["0101", "0102"], None, GRID, "p")) == []
    assert list(broken_way([], "0101", GRID, "p")) == []
    assert [str(one) for one in broken_way(["0103", "0102", "0402", "0402"], "0101", GRID, "p")] == kept("#2")


def test_a_refusal_is_as_long_as_a_screen_takes():
    """Three hundred letters of what a file holds, and a hundred and twenty of a path."""
    (told,) = (one for one in refused(files() | {"x" * 400: ""}) if one.startswith("xxx"))
    assert told.partition(":")[0] == "x" * 120
    key = "k" * 400
    texts = files()
    texts["scenario.toml"] += f"\n[{key}]\n[{key}]\n"
    (long,) = refused(texts)
    assert long.startswith("scenario.toml: this is not TOML: Cannot declare ('kkk")
    assert len(long.removeprefix("scenario.toml: ")) == 300


# --- pods in files ---------------------------------------------------------------------------------------------------
POD = '\n[[pod]]\nname = "Cargo"\nweight = 2\nteam = "romulan"\nhex = "0805"\n'


def with_pod(text: str = POD) -> dict[str, str]:
    texts = files("intro")
    return texts | {"units.toml": texts["units.toml"] + text}


def test_a_pod_lies_where_the_file_says():
    (pod,) = set_up(read_scenario(with_pod())).pods_lying.values()
    assert (pod.id, pod.team, pod.hex, pod.name, pod.weight) == ("P1", "romulan", "0805", "Cargo", 2)


@cases("old, new, where, words")
def test_what_is_wrong_with_one_is_said(old: str, new: str, where: str, words: str):
    (told,) = refused(with_pod(POD.replace(old, new)))
    assert where in told
    assert words in told


# --- shipped scenarios -----------------------------------------------------------------------------------------------
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
    assert (state.turns, len(state.teams)) == (turns, 2)
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
    assert (state.units["ox"].towing, state.units["relic"].towed_by) == (["relic"], "ox")
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
    assert getattr(getattr(set_up(read_scenario(with_change("scenario.toml", old, new, "intro"))), part), figure) == 7


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
        "west", "F6", 3, ["0210", "0310", "0410", "0510"],
    )  # fmt: skip
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
