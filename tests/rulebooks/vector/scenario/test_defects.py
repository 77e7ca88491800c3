"""Each kind of defect of a scenario's files: what is told, and where."""

import pytest

from tests.expected.kept import cases
from tests.rulebooks.vector.scenarios import NAMES, files, refused, with_change

SCENARIO = "scenario.toml"
C1 = 'captain = "courier"\nat = "0625"'

COURIER: list[tuple[str, str, str, str]] = [
    ("turns = 12", "turns = 0", "scenario.toml.turns", "greater than or equal to 1"),
    ("turns = 12", "turns = 12\nturms = 3", "scenario.toml.turms", "Extra inputs"),
    ("pieces = 2", "pieces = 3", "scenario.toml.options.pieces", "1, 2, 4 or 32"),
    (
        "least = 2\nmost = 4",
        "least = 2\nmost = 5",
        "scenario.toml.seats",
        "more may play than there are captains. Legal: least and most in rising order, 4 at most, for so many "
        "captains are in the file.",
    ),
    (
        "least = 2\nmost = 4",
        "least = 3\nmost = 2",
        "scenario.toml.seats",
        "fewer than 3 may play. Legal: least and most in rising order, 4 at most, for so many "
        "captains are in the file.",
    ),
    ("least = 2", "least = 1", "scenario.toml.seats.least", "greater than or equal to 2"),
    ('key = "coast"', 'key = "revenue"', "scenario.toml.captain", "revenue is given 2 times. Legal: each once."),
    ('emblem = "P"', 'emblem = "H"', "scenario.toml.captain.emblem", "H is given 2 times. Legal: each once."),
    (
        'name = "Coast Patrol"',
        'name = "Revenue Fleet"',
        "scenario.toml.captain.name",
        "revenue fleet is given 2 times. Legal: each once.",
    ),
    ('aim = "courier"', 'aim = "pirate"', "scenario.toml.captain.0.aim", "'courier', 'hunter'"),
    (
        'aim = "courier"',
        'aim = "racer"',
        "scenario.toml.captain",
        "these aims do not go together: hunter, racer (VM-N20). Legal: couriers and hunters among the fewest "
        "that may play; else all racers, or all squadrons.",
    ),
    (
        'aim = "courier"',
        'aim = "hunter"',
        "scenario.toml.captain",
        "these aims do not go together: hunter (VM-N20). Legal: couriers and hunters among the fewest that may "
        "play; else all racers, or all squadrons.",
    ),
    (
        "speed = 8",
        "speed = 5",
        "scenario.toml.ship.0.vector",
        "speed 6 (VM-N26). Legal: 5 or less: the zone of Silk Road Line.",
    ),
    (
        'at = "0625", within',
        'at = "0628", within',
        "scenario.toml.ship.0.at",
        "0625 is 3 hexes from 0628 (VM-N26). Legal: 2 hexes or fewer: the zone of Silk Road Line.",
    ),
    ('at = "0625", within', 'at = "06x5", within', "scenario.toml.captain.0.zone.at", "is no hex"),
    ('id = "P1"', 'id = "H1"', "scenario.toml.ship.id", "H1 is given 2 times. Legal: each once."),
    (
        'id = "P1"',
        'id = "Q1"',
        "scenario.toml.ship.2.id",
        "Q1 is not named after Coast Patrol. Legal: P and a number, as in P1.",
    ),
    ('id = "P1"', 'id = "P0"', "scenario.toml.ship.2.id", "pattern"),
    (
        'name = "Warden"',
        'name = "Vigilant"',
        "scenario.toml.ship.name",
        "vigilant is given 2 times. Legal: each once.",
    ),
    (
        'captain = "coast"',
        'captain = "cost"',
        "scenario.toml.ship.2.captain",
        "cost is no captain. Legal: coast, consul, courier, revenue. Did you mean coast or consul?",
    ),
    (
        'captain = "coast"',
        'captain = "revenue"',
        "scenario.toml.captain.2",
        "Coast Patrol has 0 ships. Legal: 1 to 4.",
    ),
    (
        'class_id = "COURIER"',
        'class_id = "CURIER"',
        "scenario.toml.ship.0.class_id",
        "CURIER is no class. Legal: COURIER, CRUISER, CUTTER. Did you mean COURIER or CRUISER or CUTTER?",
    ),
    (
        'vector = "6B"',
        'vector = "6B"\narrives = 2',
        "scenario.toml.captain.0",
        "Silk Road Line has no ship before turn 2. Legal: a ship that is there from the beginning.",
    ),
    (
        'vector = "6B"',
        'vector = "6B"\narrives = 13',
        "scenario.toml.ship.0.arrives",
        "arrives after turn 12, the last. Legal: an earlier turn, or 0.",
    ),
    ('vector = "6B"', 'vector = "6G"', "scenario.toml.ship.0.vector", "no vector"),
    ('vector = "6B"', 'vector = "201B"', "scenario.toml.ship.0.vector", "too fast"),
    (C1, 'captain = "courier"\nat = "1000.5"', "scenario.toml.ship.0.at", "too far off"),
    ('vector = "6B"', 'vector = "B6"', "scenario.toml.ship.0.vector", "no vector"),
    (C1, 'captain = "courier"\nat = "99999"', "scenario.toml.ship.0.at", "no hex"),
    ("column = 150", "column = 6", "scenario.toml.ship.0.at", "C1 begins beyond the edge. Legal: a hex before it."),
    (
        "column = 150",
        "column = 8",
        "scenario.toml.ship.0",
        "the zone of C1 reaches beyond the edge (VM-N26). Legal: a zone before it.",
    ),
    (
        "last_row = 45",
        "last_row = 4",
        "scenario.toml.edge",
        "the rows go back. Legal: first_row and last_row in rising order.",
    ),
    (
        "[edge]\ncolumn = 150\nfirst_row = 5\nlast_row = 45\n",
        "",
        "scenario.toml.captain",
        "a courier has no way to get away (VM-N21). Legal: an [edge], or a course of buoys.",
    ),
    (
        'hexes = ["2823"]',
        'hexes = ["1814"]',
        "scenario.toml.ship.1.at",
        "H1 begins in a planet. Legal: a hex beside it.",
    ),
    ('hexes = ["2823"]', "hexes = []", "scenario.toml.terrain.0.hexes", "at least 1"),
    ('id = "shoals"', 'id = "haven"', "scenario.toml.terrain.id", "haven is given 2 times. Legal: each once."),
    ('id = "shoals"', 'id = "edge"', "scenario.toml.terrain.id", "edge is given 2 times. Legal: each once."),
    ('kind = "asteroids"', 'kind = "buoy"', "scenario.toml.terrain.1.hexes", "a buoy is in one hex. Legal: one hex."),
    (
        'kind = "asteroids"',
        'kind = "line"',
        "scenario.toml.terrain.1.hexes",
        "a line has two ends. Legal: the first and the last hex of the line.",
    ),
    ('kind = "asteroids"', 'kind = "nebula"', "scenario.toml.terrain.1.kind", "'planet'"),
    (
        "round = 1",
        "round = 1\nnumber = 1",
        "scenario.toml.terrain.0.number",
        "buoys have a number, and nothing else has. Legal: 1, 2 … for buoys alone.",
    ),
]

BUOY = "a buoy is in one hex. Legal: one hex."
BEYOND = "the zone of C1 reaches beyond the edge (VM-N26). Legal: a zone before it."

RACE: list[tuple[str, str, str, str]] = [
    ("number = 2", "number = 2\nround = 1", "scenario.toml.terrain.1.hexes", BUOY),
    ('hexes = ["2014"]', 'hexes = ["2014", "2015"]', "scenario.toml.terrain.0.hexes", BUOY),
    (
        "number = 2",
        "number = 3",
        "scenario.toml.terrain",
        "the buoys are numbered 1, 3, 3. Legal: 1, 2, 3 …, each once.",
    ),
    (
        "number = 2",
        "number = 0",
        "scenario.toml.terrain.1.number",
        "buoys have a number, and nothing else has. Legal: 1, 2 … for buoys alone.",
    ),
    (
        'hexes = ["0810", "0834"]',
        'hexes = ["0810", "1034"]',
        "scenario.toml.terrain.3.hexes",
        "no row of hexes joins 0810 and 1034. Legal: ends in one straight row of hexes, or in one column.",
    ),
    (
        'kind = "line"',
        'kind = "dust"',
        "scenario.toml.terrain",
        "a race needs a course (VM-N23). Legal: buoys and a line.",
    ),
    (
        "[rules]",
        "[edge]\ncolumn = 90\n\n[rules]",
        "scenario.toml.edge",
        "nobody leaves by the edge (VM-N21). Legal: a courier, or no edge.",
    ),
    (
        'aim = "racer"',
        'aim = "squadron"',
        "scenario.toml.captain",
        "these aims do not go together: racer, squadron (VM-N20). Legal: couriers and hunters among the fewest "
        "that may play; else all racers, or all squadrons.",
    ),
]


@pytest.mark.parametrize(
    ("name", "old", "new", "where", "said"),
    [("courier", *one) for one in COURIER] + [("race", *one) for one in RACE],
)
def test_a_defect_is_told_with_its_place(name: str, old: str, new: str, where: str, said: str):
    found = refused(with_change(SCENARIO, old, new, name))
    assert any(one.startswith(where) and said in one for one in found), found
    assert all("(line " in one for one in found if "scenario.toml" in one and "is missing" not in one), found


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [("number = 3", "number = 0", 2), ('hexes = ["0810", "0834"]', 'hexes = ["0810", "0834"]\nnumber = 1', 3)],
)
def test_of_a_number_at_the_wrong_place_nothing_else_is_said(old: str, new: str, place: int):
    (found,) = refused(with_change(SCENARIO, old, new, "race"))
    assert found.startswith(f"scenario.toml.terrain.{place}.number")
    assert found.endswith("buoys have a number, and nothing else has. Legal: 1, 2 … for buoys alone.")


def test_a_zone_is_measured_to_the_edge_from_its_own_middle():
    found = refused(with_change(SCENARIO, 'at = "0625", within', 'at = "148.25", within'))
    assert any(BEYOND in one for one in found), found
    found = refused(with_change(SCENARIO, 'at = "0625", within', 'at = "147.25", within') | {"more.toml": ""})
    assert not any(BEYOND in one for one in found), found


@cases("old, new, where, said")
def test_what_is_aboard_is_aboard_an_own_ship_and_nowhere_else(old: str, new: str, where: str, said: str):
    found = refused(with_change(SCENARIO, old, new, "ambush"))
    assert any(one.startswith(where) and said in one for one in found), found


def test_the_last_seats_may_not_want_something_else():
    text = with_change(SCENARIO, 'emblem = "G"\naim = "hunter"', 'emblem = "G"\naim = "racer"')
    told = "the aims of all captains do not go together (VM-N20). Legal: those of the first."
    assert any(told in one for one in refused(text))


def test_a_squadron_of_one_ship_cannot_gather():
    text = files("rendezvous")
    ships = text[SCENARIO].split("\n[[ship]]")
    kept = [one for one in ships if not any(f'id = "N{number}"' in one for number in (2, 3, 4))]
    found = refused(text | {SCENARIO: "\n[[ship]]".join(kept)})
    told = "North Squadron is one ship (VM-N24). Legal: 2 ships or more to gather."
    assert any(told in one for one in found), found


def test_a_captain_has_four_ships_at_most():
    fifth = '\n[[ship]]\nid = "N5"\nname = "Fifth"\nclass_id = "TENDER"\ncaptain = "north"\nat = "0805"\nfacing = "D"\n'
    text = files("rendezvous")
    found = refused(text | {SCENARIO: text[SCENARIO] + fifth})
    assert [one for one in found if one.endswith("North Squadron has 5 ships. Legal: 1 to 4.")], found


def test_one_captain_is_too_few():
    text = files()
    first = text[SCENARIO].index("[[captain]]", text[SCENARIO].index("[[captain]]") + 1)
    after = text[SCENARIO].index("[[ship]]")
    found = refused(text | {SCENARIO: text[SCENARIO][:first] + text[SCENARIO][after:]})
    assert any(one.endswith("too few captains: 1. Legal: 2 or more.") for one in found), found


def test_all_defects_are_told_at_once():
    text = with_change(SCENARIO, "turns = 12", "turns = 0")
    text[SCENARIO] = text[SCENARIO].replace('captain = "coast"', 'captain = "cost"').replace("number = 1", "")
    text["ships.toml"] = text["ships.toml"].replace('turn_mode = "A"', 'turn_mode = "Z"')
    found = refused({**text, "more.toml": ""})
    for said in ("scenario.toml.turns", "cost is no captain", "turn_mode", "more.toml"):
        assert any(said in one for one in found), (said, found)


def test_classes_that_are_not_ships_are_no_ships():
    text = with_change("ships.toml", 'source = "invented"\n', 'source = "invented"\nform = "drone"\n')
    told = "COURIER is no ship. Legal: a class of ship or PF, or aboard a ship."
    assert any(told in one for one in refused(text))


@pytest.mark.parametrize("name", NAMES)
def test_what_comes_with_the_bot_has_no_defects(name: str):
    assert refused(files(name)) == []
