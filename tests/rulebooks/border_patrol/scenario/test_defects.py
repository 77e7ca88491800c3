"""Each kind of defect of a scenario's files: what is told, and where."""

import time

import pytest

from tests.rulebooks.border_patrol.worlds import FOLDER, files, refused, with_change

SCENARIO, UNITS, SHIPS = "scenario.toml", "units.toml", "ships.toml"

FIRST_CAPTAIN = '[[captain]]\nkey = "west-one"\nname = "First western captain"\nteam = "west"\n'
RESOLVE = 'id = "resolve"\nname = "Resolve"\nclass_id = "F-CC"\nrace = "fed"\nstack = "F1"\n'
DRAGON = 'id = "dragon"\nname = "Moon dragon"\nclass_id = "MOON"\n'
BASTION = 'class_id = "F-SB"\nrace = "fed"\n'
GRAIN = 'key = "grain"\nstack = "F5"\n'

MAP_DEFECTS: list[tuple[str, str, str, str]] = [
    ("turns = 12", "turns = 0", "scenario.toml.turns", "greater than or equal to 1"),
    ("turns = 12", "turns = 12\nturms = 3", "scenario.toml.turms", "Extra inputs"),
    ('title = "The Neutral Zone"', 'title = "   "', "scenario.toml.title", "not blank"),
    ("columns = 18", "columns = 1800", "scenario.toml.map.columns", "less than or equal to 99"),
    ("columns = 18", "columns = 17", "scenario.toml.province", "1801 is not on the map"),
    ('key = "east"\n', 'key = "west"\n', "scenario.toml.team", "west is given 2 times"),
    ('emblem = "R"', 'emblem = "F"', "scenario.toml.team.emblem", "F is given 2 times"),
    ('name = "Romulan Team"', 'name = "federation team"', "scenario.toml.team.name", "is given 2 times"),
    (
        'key = "gorn"\nname = "Gorn"\nteam = "west"',
        'key = "gorn"\nname = "Gorn"\nteam = "wets"',
        "race.1.team",
        "west?",
    ),
    ('key = "gorn"\nname = "Gorn"\nteam = "west"', 'key = "gorn"\nname = "Gorn"\nteam = "east"', "race", "east has 3"),
    (FIRST_CAPTAIN, FIRST_CAPTAIN.replace('"west"', '"east"'), "scenario.toml.captain", "east has 5"),
    (FIRST_CAPTAIN, FIRST_CAPTAIN + FIRST_CAPTAIN, "scenario.toml.captain", "west-one is given 2 times"),
    ('hex = "0803"', 'hex = "0802"', "scenario.toml.terrain", "0802 is given 2 times"),
    ('hex = "0803"', 'hex = "0899"', "scenario.toml.terrain.1.hex", "0899 is not on the map"),
    ('hex = "0803"', 'hex = "803"', "scenario.toml.terrain.1.hex", "match pattern"),
    ('terrain = "nebula"', 'terrain = "fog"', "scenario.toml.terrain.2.terrain", "'nebula'"),
    ('hex = "0210"', 'hex = "0203"', "scenario.toml.system.hex", "0203 is given 2 times"),
    ('key = "strix"', 'key = "corvus"', "scenario.toml.system", "corvus is given 2 times"),
    ('hex = "1703"\nteam = "east"', 'hex = "1703"\nteam = "eats"', "system.3.team", "Did you mean east"),
    ('hex = "0904"', 'hex = "2004"', "scenario.toml.storm.0.hex", "2004 is not on the map"),
    ("heading = 2", "heading = 6", "scenario.toml.storm.0.heading", "less than or equal to 5"),
    ('team = "west"\nhex = "0707"', 'team = "nobody"\nhex = "0707"', "scenario.toml.post.0.team", "nobody is no Team"),
    ('key = "birch"', 'key = "alder"', "scenario.toml.province", "alder is given 2 times"),
    ('"0101", "0102"', '"0101", "0101"', "scenario.toml.province.0.hexes", "0101 is given 2 times"),
    ('"0104", "0105"', '"0101", "0105"', "scenario.toml.province.1.hexes", "0101 is in alder already"),
    ('"0101", "0102"', '"0101", "1812"', "scenario.toml.province.0.hexes", "1812 touches no hex"),
    ("lead = 25", "lead = -1", "scenario.toml.scoring.lead", "greater than or equal to 0"),
    ("restricted = 0", "restricted = 2", "scenario.toml.zones", "rising order"),
    ('source = "invented"', 'source = ""', "scenario.toml.map.source", "at least 1 character"),
]

FORCE_DEFECTS: list[tuple[str, str, str, str]] = [
    ('captain = "west-two"', 'captain = "west-tow"', "units.toml.stack.1.captain", "Did you mean west-two"),
    ('captain = "west-two"', 'captain = "east-two"', "units.toml.stack.1.id", "F2 is not a stack of that captain's"),
    ('id = "F1"', 'id = "f1"', "units.toml.stack.0.id", "match pattern"),
    ('id = "F5"', 'id = "F1"', "units.toml.stack", "F1 is given 2 times"),
    ('hex = "0602"', 'hex = "6002"', "units.toml.stack.0.hex", "6002 is not on the map"),
    ('stack = "F6"', 'stack = "F5"', "units.toml.stack.5", "F6 has no units"),
    ('id = "lance"', 'id = "resolve"', "units.toml.unit", "resolve is given 2 times"),
    ('name = "Lance"', 'name = "resolve"', "units.toml.unit.name", "resolve is given 2 times"),
    ('class_id = "F-CC"', 'class_id = "F-CCC"', "units.toml.unit.0.class_id", "Did you mean F-CC"),
    (RESOLVE, RESOLVE.replace('"fed"', '"federation"'), "units.toml.unit.0.race", "federation is no race"),
    (RESOLVE, RESOLVE.replace('race = "fed"\n', ""), "units.toml.unit.0.race", "is missing"),
    (RESOLVE, RESOLVE.replace('"fed"', '"rom"'), "units.toml.unit.0.stack", "the stack is of the other Team"),
    (RESOLVE, RESOLVE.replace('"F1"', '"F9"'), "units.toml.unit.0.stack", "F9 is no stack"),
    (RESOLVE, RESOLVE.replace('stack = "F1"\n', ""), "units.toml.unit.0", "a stack and no hex for a ship"),
    (RESOLVE, RESOLVE + 'hex = "0602"\n', "units.toml.unit.0", "a stack and no hex for a ship"),
    (RESOLVE, RESOLVE + "pseudo_pods = 1\n", "units.toml.unit.0.pseudo_pods", "V8.81"),
    (RESOLVE, RESOLVE + 'towing = ["lnace"]\n', "units.toml.unit.0.towing", "Did you mean lance"),
    (RESOLVE, RESOLVE + 'towing = ["vigil"]\n', "units.toml.unit.0.towing", "V8.34"),
    (RESOLVE, RESOLVE + 'towing = ["lance", "halberd"]\n', "units.toml.unit.0.towing", "V8.37"),
    ("flagship = true\n", "", "scenario.toml.captain.0", "First western captain has 0 flagships"),
    (BASTION, BASTION + "flagship = true\n", "flagship", "a base is nobody's flagship"),
    (DRAGON, DRAGON + 'race = "fed"\n', "units.toml.unit.41.race", "a monster belongs to no Team"),
    (DRAGON + 'hex = "0903"', DRAGON, "units.toml.unit.41", "a hex and no stack for a monster"),
    (DRAGON + 'hex = "0903"', DRAGON + 'hex = "9903"', "units.toml.unit.41.hex", "9903 is not on the map"),
    ("weight = 1", "weight = 4", "units.toml.unit.26.pods.0.weight", "less than or equal to 3"),
    ("weight = 1", 'weight = 3\n[[unit.pods]]\nname = "x"', "units.toml.unit.26.pods", "at most 3"),
    ('towing = ["relic"]', 'towing = ["relic", "anvil"]', "units.toml.unit.27.towing", "V8.34"),
    ('class_id = "F-FT"', 'class_id = "F-DD"', "units.toml.convoy.0.stack", "brings no cargo"),
    (GRAIN, GRAIN.replace("F5", "F8"), "units.toml.convoy.0.stack", "F8 is no stack"),
    (GRAIN, GRAIN.replace("F5", "F6"), "units.toml.convoy.stack", "F6 is given 2 times"),
    ("sets_out = 3", "sets_out = 13", "units.toml.convoy.1.sets_out", "after the last turn"),
    ('route = ["0203", ', 'route = ["0202", "0203", ', "units.toml.convoy.0.route", "begins in 0202"),
    ('route = ["0203", ', 'route = ["0203", "0910", ', "units.toml.convoy.0.route", "0203 and 0910 are not next"),
    ('route = ["0203", ', 'route = ["0203", "0099", ', "units.toml.convoy.0.route", "0099 is not on the map"),
    ('"0503"]\nsource', '"0503", "0502"]\nsource', "units.toml.convoy.0.route", "neither base nor star system"),
    ('unit = "dragon"', 'unit = "dragom"', "units.toml.habits.0.unit", "Did you mean dragon"),
    ('unit = "dragon"', 'unit = "dragom"', "units.toml.unit.41", "nothing says how Moon dragon moves"),
    ('unit = "dragon"', 'unit = "resolve"', "units.toml.habits.0.unit", "resolve is no monster"),
    ('unit = "dragon"', 'unit = "amoeba"', "units.toml.habits", "amoeba is given 2 times"),
    ("senses = 3\n", "", "units.toml.habits.0.senses", "is needed of one that hunts"),
    ('habit = "hunts"', 'habit = "stays"', "units.toml.habits.0.allowance", "means nothing of one that stays"),
    ('habit = "hunts"', 'habit = "follows"', "units.toml.habits.0.route", "is needed of one that follows"),
    ("allowance = 4", "allowance = 13", "units.toml.habits.0.allowance", "less than or equal to 12"),
    ("driven_off_by = 250", "driven_off_by = 0", "units.toml.habits.1.driven_off_by", "above 0"),
]

CLASS_DEFECTS: list[tuple[str, str, str, str]] = [
    ('kind = "tug"\npod_weights = 3', 'kind = "tug"\npod_weights = 0', "ships.F-TUG.pod_weights", "V8.83"),
    ("cloak_cost = 8", "cloak_cost = 0", "ships.R-CC.cloak_cost", "V8.51"),
    ("bpv_combat = 140", 'bpv_combat = "1/2"', "ships.F-CC.bpv_combat", "whole number"),
    ("move_cost = 1\n", "move_cost = 0\n", "ships.F-CC.move_cost", "V8.12"),
    ("size_class = 2\nmove_cost = 0", "size_class = 2\nmove_cost = 1", "ships.F-BATS.move_cost", "V8.14"),
    ("damcon_track = [5", "damcon_track = [-5", "ships.F-CC.damcon_track", "0 or more"),
    ("size_class = 3", "size_class = 9", "ships.toml", "size_class"),
    ("size_class = 3", "sise_class = 3", "ships.toml", "did you mean size_class"),
]


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


@pytest.mark.parametrize(
    ("file", "old", "new", "path", "says"),
    [
        *((SCENARIO, *one) for one in MAP_DEFECTS),
        *((UNITS, *one) for one in FORCE_DEFECTS),
        *((SHIPS, *one) for one in CLASS_DEFECTS),
    ],
)
def test_a_defect_is_told_with_its_place(file: str, old: str, new: str, path: str, says: str):
    told = refused(with_change(file, old, new))
    assert any(path in one.split(": ")[0] and says in one for one in told), told


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
    begin = time.process_time()
    assert len(refused(texts)) > 1_000
    assert time.process_time() - begin < 5


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


def test_most_defects_say_what_would_be_right():
    """All but those of pydantic, whose own sentence does, say what is legal or what may have been meant."""
    for file, old, new, path, _ in [
        *((SCENARIO, *one) for one in MAP_DEFECTS),
        *((UNITS, *one) for one in FORCE_DEFECTS),
    ]:
        for told in refused(with_change(file, old, new)):
            if path in told.split(": ")[0]:
                own_words = ("Input should", "Extra inputs", "should match", "should have", "must be one line")
                assert "Legal: " in told or "Did you mean" in told or any(one in told for one in own_words), told


def test_the_page_for_authors_shows_what_is_told():
    page = (FOLDER.parents[2] / "docs" / "border_patrol_scenarios.md").read_text(encoding="utf-8")
    shown = [line.removeprefix("• ") for line in page.splitlines() if line.startswith("• ")]
    texts = with_change(SCENARIO, "turns = 3", "turns = 0", "intro")
    texts[SCENARIO] = texts[SCENARIO].replace('hex = "0503"', 'hex = "9903"', 1)
    texts[UNITS] = texts[UNITS].replace('captain = "blue-one"', 'captain = "blue-oen"', 1)
    texts[SHIPS] = texts[SHIPS].replace("cloak_cost = 8", "cloak_cost = 0", 1)
    assert sorted(shown) == sorted(refused(texts))
    assert len(shown) == 4
