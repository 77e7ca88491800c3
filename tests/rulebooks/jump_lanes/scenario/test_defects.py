"""Each kind of defect of a scenario's files: what is told, and where.

``told.txt`` holds what is told of each change in the tables below, word for word and in their order; after one that is
meant, ``python -m tests.rulebooks.jump_lanes.scenario.test_defects`` writes it anew, to be read before it is kept.
"""

import time
from pathlib import Path

import pytest

from tests.rulebooks.jump_lanes.scenarios import files, refused, with_change

SCENARIO, UNITS, SHIPS = "scenario.toml", "units.toml", "ships.toml"

LONG = "a" * 25
SOL_WOLF = 'a = "sol"\nb = "wolf-359"\nlane_class = "minor"\n'
SOL_REGULUS = 'a = "sol"\nb = "regulus"\ndifficulty = "easy"\n'
SOL_EARTH = 'a = "sol"\nb = "sol/earth"\ntype = "interplanetary"\n'
EARTH = 'key = "earth"\nname = "Earth"\nat = "sol/earth"\nempire = "terran"\n'
TERRAN = 'key = "terran"\nname = "Terran Union"\nemblem = "T"\nhome = "sol/earth"\n'
TREATY = '[[treaty]]\nbetween = ["terran", "{}"]\nkind = "{}"\n\n[[empire]]'
DERELICT = '[[derelict]]\nkey = "hulk"\nname = "Hulk"\nat = "{}"\n\n[[empire]]'

MAP_DEFECTS: list[tuple[str, str, str, str]] = [
    ("turns = 6", "turns = 0", "scenario.toml.turns", "greater than or equal to 1"),
    ("turns = 6", "turns = 6\nturms = 3", "scenario.toml.turms", "Extra inputs"),
    ('title = "First Crossing"', 'title = "   "', "scenario.toml.title", "not blank"),
    ('key = "minkar"', 'key = "izar"', "scenario.toml.system", "izar"),
    ('name = "Minkar"', 'name = "IZAR"', "scenario.toml.system.name", "izar is given 2 times"),
    ('name = "Minkar"', 'name = "Haft"', "scenario.toml.system.name", "haft is given 2 times"),
    ('name = "Minkar"', 'name = "naos"', "scenario.toml.system.name", "naos is given 2 times"),
    ('key = "minkar"\nname = "Minkar"', 'key = "minkar"\nname = "Wolf-359"', "system.1.key", "also the name of minkar"),
    ('name = "Minkar"', 'name = "Min > kar"', "scenario.toml.system.2.name", "means something in orders"),
    ('key = "mars"\nname', 'key = "earth"\nname', "scenario.toml.system.0.planet", "earth is given 2 times"),
    ("x = 24\n", "x = -1\n", "scenario.toml.system.1.x", "greater than or equal to 0"),
    ('name = "Minkar"', 'name = "Minkar"\nsector = "orion"', "system.2.sector", "orion is no sector"),
    ("system_maps = true", "system_maps = false", "scenario.toml.system.0.planet", "JL-R06"),
    (SOL_WOLF, SOL_WOLF.replace("wolf-359", "wolf-395"), "scenario.toml.lane.0.b", "Did you mean wolf-359"),
    (SOL_WOLF, SOL_WOLF.replace("wolf-359", "sol"), "scenario.toml.lane.0", "from sol to itself"),
    (SOL_WOLF, SOL_WOLF.replace('"sol"', '"sol/earth"'), "scenario.toml.lane.0.type", "13.1.2"),
    (SOL_WOLF, SOL_WOLF + 'type = "interplanetary"\n', "scenario.toml.lane.0.type", "13.1.1"),
    (SOL_WOLF, SOL_WOLF + 'type = "sector"\n', "scenario.toml.lane.0.type", "13.1.3"),
    (SOL_WOLF, SOL_WOLF + 'type = "intergalactic"\n', "scenario.toml.lane.0.a", "sol is no galaxy"),
    (SOL_WOLF, SOL_WOLF + 'type = "wormhole"\n', "scenario.toml.lane.0.type", "'interstellar'"),
    (SOL_WOLF, SOL_WOLF + 'difficulty = "easy"\n', "scenario.toml.lane.0", "13.5"),
    (SOL_WOLF, SOL_WOLF.replace('lane_class = "minor"\n', ""), "scenario.toml.lane.0", "13.5"),
    (SOL_WOLF, SOL_WOLF.replace("minor", "easy"), "scenario.toml.lane.0.lane_class", "'restricted'"),
    (SOL_WOLF, SOL_WOLF.replace("wolf-359", "minkar"), "scenario.toml.lane", "minkar to sol, interstellar is given 2"),
    (SOL_EARTH, SOL_EARTH.replace("earth", "mars"), "scenario.toml.system.0", "no lanes lead to sol from sol/earth"),
    ("normal = 1\n", "normal = 3\n", "scenario.toml.costs", "rising order"),
    ("normal = 1\n", "normal = 0\n", "scenario.toml.costs.normal", "greater than 0"),
    ("normal = 6", "normal = 10", "scenario.toml.classes", "rising order"),
    ("moderate = 5", "moderate = 50", "scenario.toml.chances", "falling order"),
    ("census = 3\n", "census = 10001\n", "scenario.toml.scoring.census", "less than or equal to 10000"),
    (EARTH + "census = 9", EARTH + "census = 1000", "scenario.toml.colony.0.census", "less than or equal to 999"),
    (EARTH + "census = 9", EARTH + "census = -1", "scenario.toml.colony.0.census", "greater than or equal to 0"),
    ("turns = 6", "turns = 101", "scenario.toml.turns", "less than or equal to 100"),
    ("x = 24\n", "x = 10001\n", "scenario.toml.system.1.x", "less than or equal to 10000"),
    (
        "[[empire]]",
        DERELICT.format("sol").replace("at =", "siz = 100\nat ="),
        "derelict.0.siz",
        "less than or equal to 99",
    ),
    (EARTH, EARTH + "experience = 10000\n", "colony.0.experience", "less than or equal to 9999"),
    ("total = 0", "total = -1", "scenario.toml.scoring.total", "greater than or equal to 0"),
    ('source = "invented"\n\n[rules]', 'source = ""\n\n[rules]', "scenario.toml.source", "at least 1 character"),
    ("[[empire]]\n" + TERRAN, "", "scenario.toml.empire", "too few empires: 1"),
    (TERRAN, TERRAN.replace('"terran"', '"kraz"'), "scenario.toml.empire", "kraz is given 2 times"),
    (TERRAN, TERRAN.replace('"T"', '"K"'), "scenario.toml.empire.emblem", "K is given 2 times"),
    (TERRAN, TERRAN.replace('"T"', '"KF"'), "scenario.toml.empire.0.emblem", "a fleet of K"),
    (TERRAN, TERRAN.replace("Terran Union", "kraz compact"), "scenario.toml.empire.name", "is given 2 times"),
    (TERRAN, TERRAN.replace("sol/earth", "sol/eart"), "scenario.toml.empire.0.home", "Did you mean sol/earth"),
    (TERRAN, TERRAN.replace("sol/earth", "minkar"), "scenario.toml.empire.0.home", "no colony at minkar"),
    (TERRAN, TERRAN.replace("sol/earth", "kraz/anvil"), "scenario.toml.empire.home", "kraz/anvil is given 2 times"),
    ("[[empire]]", "[seats]\nleast = 2\nmost = 3\n\n[[empire]]", "scenario.toml.seats", "2 at most"),
    ("[[empire]]", "[seats]\nleast = 1\nmost = 2\n\n[[empire]]", "scenario.toml.seats.least", "greater than or equal"),
    ("[[empire]]", TREATY.format("karz", "war"), "scenario.toml.treaty.0.between", "Did you mean kraz"),
    ("[[empire]]", TREATY.format("terran", "war"), "scenario.toml.treaty.0.between", "an empire and itself"),
    ("[[empire]]", TREATY.format("kraz", "peace"), "scenario.toml.treaty.0.kind", "'passage' or 'war'"),
    ("[[empire]]", DERELICT.format("nowhere"), "scenario.toml.derelict.0.at", "nowhere is no place"),
    (EARTH, EARTH.replace('"terran"', '"teran"'), "scenario.toml.colony.0.empire", "Did you mean terran"),
    (EARTH, EARTH.replace("sol/earth", "sol/eart"), "scenario.toml.colony.0.at", "Did you mean sol/earth"),
    (EARTH, EARTH.replace("sol/earth", LONG), "scenario.toml.colony.0.at", "match pattern"),
    (EARTH, EARTH.replace("sol/earth", f"sol/{LONG}"), "scenario.toml.colony.0.at", "match pattern"),
    ('key = "minkar"', f'key = "{LONG}"', "scenario.toml.system.2.key", "match pattern"),
    ('name = "Minkar"', f'name = "{LONG}{LONG}"', "scenario.toml.system.2.name", "at most 40 characters"),
    (EARTH, EARTH.replace("sol/earth", "sol"), "scenario.toml.colony.0.at", "outskirts"),
    (EARTH, EARTH.replace("sol/earth", "sol/mars"), "scenario.toml.colony.at", "sol/mars is given 2 times"),
    (EARTH, EARTH.replace('"earth"', '"lair"'), "scenario.toml.colony", "lair is given 2 times"),
    (EARTH, EARTH + "experience = 5\n", "scenario.toml.colony.0.experience", "13.3.2.3"),
    (EARTH, EARTH.replace('empire = "terran"\n', "rebellion = true\n"), "colony.0.rebellion", "rebels against nobody"),
]

HERMES = 'id = "hermes"\nname = "Hermes"\nclass_id = "HERMES"\nempire = "terran"\nsquadron = "T1"\n'
LENS = 'class_id = "LENS"\nempire = "terran"\nsquadron = "T2"\nbased_on = "probe"\n'
GUARD = 'class_id = "GUARD"\nempire = "terran"\nat = "sol/earth"\n'
YARD = 'class_id = "YARD"\nempire = "terran"\nat = "sol/earth"\n'
OUTPOST = 'class_id = "OUTPOST"\nempire = "terran"\nat = "sol/earth"\n'
MERCHANTS = 'id = "T1"\nname = "Terran Merchants"\nempire = "terran"\nat = "sol/earth"\n'
RESERVE = 'turn = 3\nempire = "terran"\nname = "Terran Reserve"\nat = "sol/earth"\n'
FLEET = '[[fleet]]\nid = "{}"\nname = "Grand Fleet"\nempire = "{}"\n\n[[squadron]]'

FORCE_DEFECTS: list[tuple[str, str, str, str]] = [
    (MERCHANTS, MERCHANTS.replace("T1", "t1"), "units.toml.squadron.0.id", "match pattern"),
    (MERCHANTS, MERCHANTS.replace("T1", "K9"), "units.toml.squadron.0.id", "K9 is no squadron of terran"),
    (MERCHANTS, MERCHANTS.replace("T1", "T2"), "units.toml.squadron", "T2 is given 2 times"),
    (MERCHANTS, MERCHANTS.replace("Merchants", "Survey"), "units.toml.squadron.name", "terran survey is given 2 times"),
    (MERCHANTS, MERCHANTS.replace('"terran"', '"teran"'), "units.toml.squadron.0.empire", "Did you mean terran"),
    (MERCHANTS, MERCHANTS.replace("sol/earth", "soll"), "units.toml.squadron.0.at", "Did you mean sol"),
    (MERCHANTS, MERCHANTS + 'fleet = "TF1"\n', "units.toml.squadron.0.fleet", "TF1 is no fleet"),
    (MERCHANTS, MERCHANTS + "census = 5\n", "units.toml.squadron.0", "13.3.1"),
    ("[[squadron]]", FLEET.format("TF1", "terran"), "units.toml.fleet.0", "its squadrons are at 0 places"),
    ("[[squadron]]", FLEET.format("KF1", "terran"), "units.toml.fleet.0.id", "KF1 is no fleet of terran"),
    ("[[squadron]]", FLEET.format("TF1", "teran"), "units.toml.fleet.0.empire", "Did you mean terran"),
    (HERMES, HERMES.replace('"hermes"', f'"{LONG}"'), "units.toml.unit.0.id", "match pattern"),
    (MERCHANTS, MERCHANTS.replace("T1", "T1000"), "units.toml.squadron.0.id", "match pattern"),
    (MERCHANTS, MERCHANTS.replace("T1", "TTT1"), "units.toml.squadron.0.id", "match pattern"),
    ("[[squadron]]", FLEET.format("TF1000", "terran"), "units.toml.fleet.0.id", "match pattern"),
    ("[[squadron]]", FLEET.format("TTTF1", "terran"), "units.toml.fleet.0.id", "match pattern"),
    (HERMES, HERMES.replace('"hermes"', '"iris"'), "units.toml.unit", "iris is given 2 times"),
    (HERMES, HERMES.replace('"hermes"', '"osprey"'), "units.toml.unit", "osprey is given 2 times"),
    (HERMES, HERMES.replace('"Hermes"', '"OSPREY"'), "units.toml.unit.name", "osprey is given 2 times"),
    (HERMES, HERMES.replace('"HERMES"', '"HERMS"'), "units.toml.unit.0.class_id", "Did you mean HERMES"),
    (HERMES, HERMES.replace('"terran"', '"teran"'), "units.toml.unit.0.empire", "Did you mean terran"),
    (HERMES, HERMES.replace('"terran"', '"kraz"'), "units.toml.unit.0", "T1 is another empire's"),
    (HERMES, HERMES.replace("T1", "T9"), "units.toml.unit.0.squadron", "T9 is no squadron"),
    (HERMES, HERMES.replace('squadron = "T1"\n', ""), "units.toml.unit.0", "one of squadron, aboard and at"),
    (HERMES, HERMES + 'at = "sol"\n', "units.toml.unit.0", "one of squadron, aboard and at"),
    (HERMES, HERMES + 'based_on = "iris"\n', "units.toml.unit.0.based_on", "not based on others"),
    (HERMES, HERMES + 'based_on = "probe"\n', "units.toml.unit.0.based_on", "probe is no unit of its squadron"),
    (LENS, LENS.replace('based_on = "probe"\n', ""), "units.toml.unit.4.based_on", "based on a carrier"),
    (GUARD, GUARD.replace('at = "sol/earth"', 'squadron = "T1"'), "squadron", "a troop does not move with a squadron"),
    (GUARD, GUARD.replace("sol/earth", "minkar"), "at", "13.3.2.3"),
    (GUARD, GUARD.replace("sol/earth", "kraz/anvil"), "at", "no colony of terran at kraz/anvil"),
    (GUARD, GUARD.replace("sol/earth", "sol/eart"), "at", "Did you mean sol/earth"),
    (GUARD, GUARD.replace('at = "sol/earth"', 'aboard = "T99"'), "aboard", "T99 is no squadron"),
    (GUARD, GUARD.replace('at = "sol/earth"', 'aboard = "T2"'), "units.toml.squadron.1", "13.3.1"),
    (YARD, YARD.replace('at = "sol/earth"', 'aboard = "T1"'), "aboard", "13.3.2"),
    (YARD, YARD + "crippled = true\n", "crippled", "never crippled"),
    (OUTPOST, OUTPOST.replace('at = "sol/earth"', 'squadron = "T3"'), "squadron", "13.1"),
    (RESERVE, RESERVE.replace("turn = 3", "turn = 7"), "units.toml.reinforcement.0.turn", "after the last turn"),
    (RESERVE, RESERVE.replace('"terran"', '"teran"'), "units.toml.reinforcement.0.empire", "Did you mean terran"),
    (
        RESERVE,
        RESERVE.replace("sol/earth", "minkar"),
        "units.toml.reinforcement.0.at",
        "minkar is no place with a colony",
    ),
    ('class_id = "ACHILLES"\n', 'class_id = "ACHILES"\n', "class_id", "Did you mean ACHILLES"),
]

CLASS_DEFECTS: list[tuple[str, str, str, str]] = [
    ("siz = 1\nengines = 1", "siz = 0\nengines = 1", "ships.HERMES.siz", "above 0"),
    ('kind = "installation"\nsiz = 1\n', 'kind = "installation"\nsiz = 1\nftl = 1\n', "ships.FORT", "13.1"),
    (
        'kind = "facility"\nsiz = 3\n',
        'kind = "facility"\nsiz = 3\nengines = 1\n',
        "ships.YARD",
        "a facility does not",
    ),
    ("siz = 1\nengines = 1", "siz = 1\nengins = 1", "ships.toml", "did you mean engines"),
    ("siz = 1\nengines = 1", "siz = 1\nengines = -1", "ships.toml", "engines"),
    ('kind = "troop"', 'kind = "army"', "ships.toml", "kind"),
]


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


SECTORS: list[tuple[str, str, str, str]] = [
    (
        'key = "orion"\nname = "Orion Reach"',
        'key = "cygnus"\nname = "Orion Reach"',
        "sector",
        "cygnus is given 2 times",
    ),
    ('name = "Cygnus Rift"', 'name = "orion reach"', "scenario.toml.sector.name", "orion reach is given 2 times"),
    ('galaxy = "spiral"', 'galaxy = "spirale"', "scenario.toml.sector.0.galaxy", "Did you mean spiral"),
    ('galaxy = "spiral"', "", "scenario.toml.sector.0.galaxy", "is missing"),
    ('name = "The Veil"', 'name = "the spiral"', "scenario.toml.galaxy.name", "the spiral is given 2 times"),
    ('key = "veil"', 'key = "spiral"', "scenario.toml.galaxy", "spiral is given 2 times"),
    ('name = "Sol"\nsector = "orion"\n', 'name = "Sol"\n', "scenario.toml.system.0.sector", "is missing"),
    ('key = "sol"\nname', 'key = "lyra"\nname', "scenario.toml", "lyra is given 2 times"),
    ('a = "sol"\nb = "wolf-359"', 'a = "sol"\nb = "porrima"', "scenario.toml.lane.0.type", "two systems of one sector"),
    ('a = "spiral"\nb = "veil"', 'a = "spiral"\nb = "spiral"', "scenario.toml.lane.87", "from spiral to itself"),
    ('a = "spiral"\nb = "veil"', 'a = "spiral"\nb = "vail"', "scenario.toml.lane.87.b", "Did you mean veil"),
    (
        '\n[[lane]]\na = "spiral"\nb = "veil"\ntype = "intergalactic"\nlane_class = "normal"\n',
        "",
        "system",
        "to mirach",
    ),
    ('b = "alamak"\ntype = "sector"\nlane', 'b = "sol"\ntype = "sector"\nlane', "type", "two sectors of one galaxy"),
]


@pytest.mark.parametrize(("old", "new", "path", "says"), SECTORS)
def test_a_defect_of_sectors_and_galaxies_is_told(old: str, new: str, path: str, says: str):
    told = refused(with_change(SCENARIO, old, new, "long-frontier"))
    assert any(path in one.split(": ")[0] and says in one for one in told), told


TOLD = Path(__file__).with_name("told.txt")


def all_told() -> str:
    """What is told of every change, a block of lines each."""
    changed = [
        with_change(file, old, new)
        for file, rows in ((SCENARIO, MAP_DEFECTS), (UNITS, FORCE_DEFECTS), (SHIPS, CLASS_DEFECTS))
        for old, new, _, _ in rows
    ]
    changed += [with_change(SCENARIO, old, new, "long-frontier") for old, new, _, _ in SECTORS]
    blocks = ["\n".join(sorted(refused(texts))[:6]) for texts in changed]
    return "\n\n".join(blocks) + "\n"


def test_what_is_told_is_so_word_for_word():
    assert all_told().split("\n\n") == TOLD.read_text(encoding="utf-8").split("\n\n")


def test_a_sector_needs_a_system():
    texts = with_change(
        SCENARIO,
        "[[sector]]",
        '[[sector]]\nkey = "void"\nname = "Void"\ngalaxy = "veil"\n\n[[sector]]',
        "long-frontier",
    )
    assert any("scenario.toml.sector.0" in one and "Void has no system" in one for one in refused(texts))


def test_lines_are_told():
    texts = with_change(SCENARIO, "turns = 6", "turns = 0")
    number = texts[SCENARIO].splitlines().index("turns = 0") + 1
    assert any(one.startswith(f"scenario.toml.turns (line {number}):") for one in refused(texts))


def test_all_defects_of_all_files_are_told_at_once():
    texts = with_change(SCENARIO, "turns = 6", "turns = 0")
    texts[SCENARIO] = texts[SCENARIO].replace(SOL_WOLF, SOL_WOLF.replace("wolf-359", "wolf-395"))
    texts[UNITS] = texts[UNITS].replace(HERMES, HERMES.replace("T1", "T9"))
    texts[SHIPS] = texts[SHIPS].replace("siz = 1\nengines = 1", "siz = 0\nengines = 1")
    told = refused(texts)
    for path in ("scenario.toml.turns", "scenario.toml.lane.0.b", "units.toml.unit.0.squadron", "ships.HERMES.siz"):
        assert any(one.startswith(path) for one in told), path


def test_figures_that_score_nothing_are_no_campaign():
    texts = files("intro")
    start = texts[SCENARIO].index("[scoring]")
    end = texts[SCENARIO].index("source", start)
    zeros = "".join(
        f"{name} = 0\n" for name in ["major", "normal", "minor", "restricted", "census", "system", "starbase"]
    )
    texts[SCENARIO] = texts[SCENARIO][:start] + "[scoring]\n" + zeros + texts[SCENARIO][end:]
    assert any("scenario.toml.scoring" in one and "nothing scores a point" in one for one in refused(texts))


def test_an_empire_needs_something_that_leaves_a_system():
    texts = files("intro")
    kept = [one for one in texts[UNITS].split("\n\n") if 'empire = "kraz"\nsquadron' not in one]
    kept = [one for one in kept if "reinforcement" not in one and not one.startswith('[[squadron]]\nid = "K')]
    told = refused(texts | {UNITS: "\n\n".join(kept) + "\n"})
    (one,) = told
    assert one.startswith(
        "scenario.toml.empire.1 (line 54): Kraz Compact has nothing that crosses lanes between systems."
    )


def test_flights_fill_a_carriers_basing_capacity():
    extra = '\n[[unit]]\nid = "lens-2"\nname = "Lens 2"\n' + LENS
    told = refused(files("intro") | {UNITS: files("intro")[UNITS] + extra})
    assert any("flights of 2 are based on probe" in one and "at most 1" in one for one in told)


def test_files_that_are_no_toml_or_hostile_are_told_and_never_raise():
    for text in ("[[", "x = " + "9" * 5000, "a = " + "[" * 2000, "\x00", "title = '\u202e'"):
        assert refused(files("intro") | {SCENARIO: text})
        assert refused(files("intro") | {UNITS: text})


def test_the_largest_scenario_is_read_quickly():
    texts = files()
    started = time.process_time()
    refused(texts)
    assert time.process_time() - started < 2


if __name__ == "__main__":
    TOLD.write_text(all_told(), encoding="utf-8")
