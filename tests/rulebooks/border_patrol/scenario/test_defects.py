"""Each kind of defect of a scenario's files: what is told, where, and in which words; and what is just right."""

import re
from pathlib import Path

import pytest

from tests.expected.kept import Kept, cases, scene_file
from tests.expected.scene_files import path_beside
from tests.quick import at_most
from tests.rulebooks.border_patrol.worlds import SCENARIOS, files, refused, with_change
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
    "title = " + "[" * 5_000,
    "turns = " + "9" * 6_000,
    "turns = 1e999999999",
    "turns = nan",
    "[map]\ncolumns = true\nrows = 0x7fffffff",
    "\x00",
    "= ",
    "team = 3\nrace = {}\ncaptain = [[[]]]",
    '"\\u202e' + "k" * 50_000 + '" = 1',
    "\ufeff\ufeff",
]


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


def test_defects_of_keys_on_which_nothing_hangs_hide_none_of_the_others():
    texts = with_change(SCENARIO, "turns = 12", "turns = 0\nturms = 12")
    texts[SCENARIO] = texts[SCENARIO].replace("lead = 25", "lead = -1").replace('hex = "0803"', 'hex = "803"')
    texts[UNITS] = texts[UNITS].replace('captain = "west-two"', 'captain = "west-tow"')
    texts[UNITS] = texts[UNITS].replace("sets_out = 3", "sets_out = 0", 1)
    paths = [one.split(" (")[0] for one in refused(texts)]
    assert sorted(paths) == [
        "scenario.toml.scoring.lead",
        "scenario.toml.terrain.1.hex",
        "scenario.toml.turms",
        "scenario.toml.turns",
        "units.toml.convoy.1.sets_out",
        "units.toml.stack.1.captain",
    ]


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
    near = texts[file].splitlines()[max(0, line - 8) : line + 8]
    assert any(new.split("\n", maxsplit=1)[0] in one for one in near)


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
