"""The words in which defects of a scenario's files are told to its author: what is wrong, and what would be right."""

import re

import pytest

from tests.rulebooks.border_patrol.scenario.test_defects import (
    BASTION,
    DRAGON,
    GRAIN,
    RESOLVE,
    SCENARIO,
    SHIPS,
    UNITS,
)
from tests.rulebooks.border_patrol.worlds import files, refused, with_change

WHERE = re.compile(r"^(\S+)(?: \((?:ships\.toml, )?line \d+\))?: ")
GORN = 'key = "gorn"\nname = "Gorn"\nteam = "west"'
TWO_ARE_GIVEN = "is given 2 times. Legal: each once."

MAP_WORDS = [
    ("columns = 18", "columns = 17", "1801 is not on the map. Legal: 0101 to 1712."),
    ('key = "east"\n', 'key = "west"\n', f"west {TWO_ARE_GIVEN}"),
    (GORN, GORN.replace("west", "wets"), "wets is no Team. Legal: east, west. Did you mean west?"),
    (GORN, GORN.replace("west", "east"), "east has 3 of them (BP-N13). Legal: 1 to 2 for each Team."),
    ('team = "west"\nhex = "0707"', 'team = "nobody"\nhex = "0707"', "nobody is no Team. Legal: east, west."),
    ('"0104", "0105"', '"0101", "0105"', "0101 is in alder already. Legal: a hex in one province."),
    ('"0101", "0102"', '"0101", "1812"', "1812 touches no hex that is joined to 0101. Legal: hexes in one piece."),
    (
        "restricted = 0",
        "restricted = 2",
        "a zone that is restricted reaches farther. Legal: restricted, reach and at_bases in rising order.",
    ),
    ('title = "The Neutral Zone"', 'title = "   "', "Value error, must be one line, and not blank"),
    ('title = "The Neutral Zone"', 'title = "a\\nb"', "Value error, must be one line, and not blank"),
]
PORTS = "0104, 0109, 0203, 0210, 0503, 0506"
NAMES = "east-four, east-one, east-three, east-two, west-four, west-one and others"
FORCE_WORDS = [
    (
        'captain = "west-two"',
        'captain = "west-tow"',
        f"west-tow is no captain. Legal: {NAMES}. Did you mean west-two or west-one or east-two?",
    ),
    ('captain = "west-two"', 'captain = "east-two"', "F2 is not a stack of that captain's Team. Legal: R1."),
    ('stack = "F6"', 'stack = "F5"', "F6 has no units. Legal: a unit that names it."),
    (
        RESOLVE,
        RESOLVE.replace('"F-CC"', '"X"'),
        "X is no unit class. Legal: AMOEBA, F-BATS, F-CA, F-CC, F-CL, F-DD and others.",
    ),
    (RESOLVE, RESOLVE.replace('"fed"', '"federation"'), "federation is no race. Legal: fed, gorn, kli, rom."),
    (RESOLVE, RESOLVE.replace('race = "fed"\n', ""), "is missing. Legal: the race that it serves."),
    (
        RESOLVE,
        RESOLVE.replace('"fed"', '"rom"'),
        "the stack is of the other Team. Legal: races of west in F1.",
    ),
    (
        RESOLVE,
        RESOLVE.replace('"F1"', '"F9"'),
        "F9 is no stack. Legal: F1, F2, F3, F4, F5, F6 and others.",
    ),
    (RESOLVE, RESOLVE + 'hex = "0602"\n', "must stand in one place. Legal: a stack and no hex for a ship."),
    (RESOLVE, RESOLVE + "pseudo_pods = 1\n", "pseudo-pods are a tug's (V8.81). Legal: 0."),
    (
        RESOLVE,
        RESOLVE + 'towing = ["zzz"]\n',
        "zzz is no unit. Legal: amoeba, anvil, barb, basilisk, bastion, briar and others.",
    ),
    ("flagship = true\n", "", "First western captain has 0 flagships (BP-N14). Legal: one."),
    (BASTION, BASTION + "flagship = true\n", "a base is nobody's flagship (BP-N14). Legal: a warship or a tug."),
    (DRAGON, DRAGON + 'race = "fed"\n', "a monster belongs to no Team (V8.22). Legal: no race."),
    (DRAGON + 'hex = "0903"', DRAGON, "must stand in one place. Legal: a hex and no stack for a monster."),
    ('class_id = "F-FT"', 'class_id = "F-DD"', "brings no cargo. Legal: a stack with a freighter."),
    (GRAIN, GRAIN.replace("F5", "F6"), f"F6 {TWO_ARE_GIVEN}"),
    ("sets_out = 3", "sets_out = 13", "sets out after the last turn. Legal: 1 to 12."),
    ('route = ["0203", ', 'route = ["0202", "0203", ', "begins in 0202. Legal: a way from 0203."),
    (
        'route = ["0203", ',
        'route = ["0203", "0910", ',
        "0203 and 0910 are not next to each other. Legal: one hex after another.",
    ),
    (
        '"0503"]\nsource',
        '"0503", "0502"]\nsource',
        f"ends in 0502, where its Team has neither base nor star system. Legal: {PORTS}.",
    ),
    (
        'unit = "dragon"',
        'unit = "dragom"',
        "dragom is no monster or alien ship. Legal: amoeba, dragon, stranger. Did you mean dragon?",
    ),
    ('unit = "dragon"', 'unit = "dragom"', "nothing says how Moon dragon moves. Legal: [[habits]] of it."),
    ("senses = 3\n", "", "is needed of one that hunts. Legal: 1 hex or more."),
    ("allowance = 4\n", "", "is needed of one that hunts. Legal: 1 to 12 hexes a turn."),
    ('habit = "hunts"', 'habit = "stays"', "means nothing of one that stays. Legal: leave it out."),
    ('habit = "hunts"', 'habit = "follows"', "is needed of one that follows. Legal: a way from where it stands."),
    ('class_ids = ["F-FT", "F-FT"]', 'class_ids = ["F-DD"]', "brings no cargo. Legal: a freighter among them."),
    (
        'class_ids = ["F-FT", "F-FT"]',
        'class_ids = ["F-FT", "F-BATS"]',
        "sails with what does not travel. Legal: ships with warp engines.",
    ),
    (
        "driven_off_by = 250",
        "driven_off_by = 0",
        "must be above 0. Legal: the BPV that drives it off, or by_hand = true.",
    ),
]
CLASS_WORDS = [
    (
        'kind = "tug"\npod_weights = 3',
        'kind = "tug"\npod_weights = 0',
        "pods are what tugs carry, and each tug does (V8.83). "
        "Legal: pod_weights and most_pods above 0 for a tug, 0 for others.",
    ),
    (
        "cloak_cost = 8",
        "cloak_cost = 0",
        "a cloaking device and its cost belong together (V8.51). "
        "Legal: cloak = true and a cloak_cost above 0, or neither.",
    ),
    ("bpv_combat = 140", 'bpv_combat = "1/2"', "must be a whole number"),
    ("move_cost = 1\n", "move_cost = 0\n", "a unit that travels needs a movement cost (V8.12). Legal: above 0."),
    (
        "size_class = 2\nmove_cost = 0",
        "size_class = 2\nmove_cost = 1",
        "a base does not travel by itself (V8.14, BP-R06). Legal: warp = 0 and move_cost = 0.",
    ),
    ("damcon_track = [5", "damcon_track = [-5", "ratings are 0 or more"),
]


def without_places(told: list[str]) -> list[str]:
    return [WHERE.sub("", one) for one in told]


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        *((SCENARIO, *one) for one in MAP_WORDS),
        *((UNITS, *one) for one in FORCE_WORDS),
        *((SHIPS, *one) for one in CLASS_WORDS),
    ],
)
def test_a_defect_is_told_in_these_words(file: str, old: str, new: str, says: str):
    assert says in without_places(refused(with_change(file, old, new)))


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
