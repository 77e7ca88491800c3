"""Each kind of defect of a scenario's files: what is told, and where."""

import pytest

from tests.rulebooks.vector.scenarios import NAMES, files, refused, with_change

SCENARIO = "scenario.toml"
C1 = 'captain = "courier"\nat = "0625"'

COURIER: list[tuple[str, str, str, str]] = [
    ("turns = 12", "turns = 0", "scenario.toml.turns", "greater than or equal to 1"),
    ("turns = 12", "turns = 12\nturms = 3", "scenario.toml.turms", "Extra inputs"),
    ("pieces = 2", "pieces = 3", "scenario.toml.options.pieces", "1, 2, 4 or 32"),
    ("least = 2\nmost = 4", "least = 2\nmost = 5", "scenario.toml.seats", "4 at most"),
    ("least = 2\nmost = 4", "least = 3\nmost = 2", "scenario.toml.seats", "rising order"),
    ("least = 2", "least = 1", "scenario.toml.seats.least", "greater than or equal to 2"),
    ('key = "coast"', 'key = "revenue"', "scenario.toml.captain", "revenue is given 2 times"),
    ('emblem = "P"', 'emblem = "H"', "scenario.toml.captain.emblem", "H is given 2 times"),
    ('name = "Coast Patrol"', 'name = "Revenue Fleet"', "scenario.toml.captain.name", "revenue fleet is given 2"),
    ('aim = "courier"', 'aim = "pirate"', "scenario.toml.captain.0.aim", "'courier', 'hunter'"),
    ('aim = "courier"', 'aim = "racer"', "scenario.toml.captain", "VM-N20"),
    ('aim = "courier"', 'aim = "hunter"', "scenario.toml.captain", "couriers and hunters among the fewest"),
    ("speed = 8", "speed = 5", "scenario.toml.ship.0.vector", "5 or less: the zone of Silk Road Line"),
    ('at = "0625", within', 'at = "0628", within', "scenario.toml.ship.0.at", "0625 is 3 hexes from 0628"),
    ('at = "0625", within', 'at = "06x5", within', "scenario.toml.captain.0.zone.at", "is no hex"),
    ('id = "P1"', 'id = "H1"', "scenario.toml.ship.id", "H1 is given 2 times"),
    ('id = "P1"', 'id = "Q1"', "scenario.toml.ship.2.id", "P and a number, as in P1"),
    ('id = "P1"', 'id = "P0"', "scenario.toml.ship.2.id", "pattern"),
    ('name = "Warden"', 'name = "Vigilant"', "scenario.toml.ship.name", "vigilant is given 2 times"),
    ('captain = "coast"', 'captain = "cost"', "scenario.toml.ship.2.captain", "Did you mean coast"),
    ('captain = "coast"', 'captain = "revenue"', "scenario.toml.captain.2", "Coast Patrol has 0 ships"),
    ('class_id = "COURIER"', 'class_id = "CURIER"', "scenario.toml.ship.0.class_id", "Did you mean COURIER"),
    ('vector = "6B"', 'vector = "6B"\narrives = 2', "scenario.toml.captain.0", "no ship before turn 2"),
    ('vector = "6B"', 'vector = "6B"\narrives = 13', "scenario.toml.ship.0.arrives", "after turn 12"),
    ('vector = "6B"', 'vector = "6G"', "scenario.toml.ship.0.vector", "no vector"),
    ('vector = "6B"', 'vector = "201B"', "scenario.toml.ship.0.vector", "too fast"),
    (C1, 'captain = "courier"\nat = "1000.5"', "scenario.toml.ship.0.at", "too far off"),
    ('vector = "6B"', 'vector = "B6"', "scenario.toml.ship.0.vector", "no vector"),
    (C1, 'captain = "courier"\nat = "99999"', "scenario.toml.ship.0.at", "no hex"),
    ("column = 150", "column = 6", "scenario.toml.ship.0.at", "before it"),
    ("column = 150", "column = 8", "scenario.toml.ship.0", "the zone of C1 reaches beyond the edge"),
    ("last_row = 45", "last_row = 4", "scenario.toml.edge", "rising order"),
    ("[edge]\ncolumn = 150\nfirst_row = 5\nlast_row = 45\n", "", "scenario.toml.captain", "no way to get away"),
    ('hexes = ["2823"]', 'hexes = ["1814"]', "scenario.toml.ship.1.at", "H1 begins in a planet"),
    ('hexes = ["2823"]', "hexes = []", "scenario.toml.terrain.0.hexes", "at least 1"),
    ('id = "shoals"', 'id = "haven"', "scenario.toml.terrain.id", "haven is given 2 times"),
    ('id = "shoals"', 'id = "edge"', "scenario.toml.terrain.id", "edge is given 2 times"),
    ('kind = "asteroids"', 'kind = "buoy"', "scenario.toml.terrain.1.hexes", "a buoy is in one hex"),
    ('kind = "asteroids"', 'kind = "line"', "scenario.toml.terrain.1.hexes", "two ends"),
    ('kind = "asteroids"', 'kind = "nebula"', "scenario.toml.terrain.1.kind", "'planet'"),
    ("round = 1", "round = 1\nnumber = 1", "scenario.toml.terrain.0.number", "for buoys alone"),
]

RACE: list[tuple[str, str, str, str]] = [
    ("number = 2", "number = 3", "scenario.toml.terrain", "numbered 1, 3, 3"),
    ("number = 2", "number = 0", "scenario.toml.terrain.1.number", "buoys have a number"),
    ('hexes = ["0810", "0834"]', 'hexes = ["0810", "1034"]', "scenario.toml.terrain.3.hexes", "no row of hexes joins"),
    ('kind = "line"', 'kind = "dust"', "scenario.toml.terrain", "a race needs a course"),
    ("[rules]", "[edge]\ncolumn = 90\n\n[rules]", "scenario.toml.edge", "nobody leaves by the edge"),
    ('aim = "racer"', 'aim = "squadron"', "scenario.toml.captain", "do not go together: racer, squadron"),
]


@pytest.mark.parametrize(
    ("name", "old", "new", "where", "said"),
    [("courier", *one) for one in COURIER] + [("race", *one) for one in RACE],
)
def test_a_defect_is_told_with_its_place(name: str, old: str, new: str, where: str, said: str):
    found = refused(with_change(SCENARIO, old, new, name))
    assert any(one.startswith(where) and said in one for one in found), found
    assert all("(line " in one for one in found if "scenario.toml" in one and "is missing" not in one), found


AMBUSH: list[tuple[str, str, str, str]] = [
    ('aboard = "R1"', 'aboard = "R9"', "scenario.toml.ship.11.aboard", "R9 is no ship of its captain"),
    ('aboard = "R1"', 'aboard = "T1"', "scenario.toml.ship.11.aboard", "T1 is no ship of its captain"),
    ('aboard = "R1"', 'aboard = "R1"\nat = "2922"', "scenario.toml.ship.11.at", "either at or aboard"),
    ('aboard = "R1"\n', "", "scenario.toml.ship.11.at", "either at or aboard"),
    ('aboard = "R1"', 'aboard = "R1"\narrives = 2', "scenario.toml.ship.11.arrives", "arrives with its ship"),
]


@pytest.mark.parametrize(("old", "new", "where", "said"), AMBUSH)
def test_what_is_aboard_is_aboard_an_own_ship_and_nowhere_else(old: str, new: str, where: str, said: str):
    found = refused(with_change(SCENARIO, old, new, "ambush"))
    assert any(one.startswith(where) and said in one for one in found), found


def test_the_last_seats_may_not_want_something_else():
    text = with_change(SCENARIO, 'emblem = "G"\naim = "hunter"', 'emblem = "G"\naim = "racer"')
    assert any("the aims of all captains do not go together" in one for one in refused(text))


def test_a_squadron_of_one_ship_cannot_gather():
    text = files("rendezvous")
    ships = text[SCENARIO].split("\n[[ship]]")
    kept = [one for one in ships if not any(f'id = "N{number}"' in one for number in (2, 3, 4))]
    found = refused(text | {SCENARIO: "\n[[ship]]".join(kept)})
    assert any("North Squadron is one ship" in one for one in found), found


def test_a_captain_has_four_ships_at_most():
    fifth = '\n[[ship]]\nid = "N5"\nname = "Fifth"\nclass_id = "TENDER"\ncaptain = "north"\nat = "0805"\nfacing = "D"\n'
    text = files("rendezvous")
    found = refused(text | {SCENARIO: text[SCENARIO] + fifth})
    assert [one for one in found if "North Squadron has 5 ships" in one and "1 to 4" in one], found


def test_one_captain_is_too_few():
    text = files()
    first = text[SCENARIO].index("[[captain]]", text[SCENARIO].index("[[captain]]") + 1)
    after = text[SCENARIO].index("[[ship]]")
    found = refused(text | {SCENARIO: text[SCENARIO][:first] + text[SCENARIO][after:]})
    assert any("too few captains: 1" in one for one in found), found


def test_all_defects_are_told_at_once():
    text = with_change(SCENARIO, "turns = 12", "turns = 0")
    text[SCENARIO] = text[SCENARIO].replace('captain = "coast"', 'captain = "cost"').replace("number = 1", "")
    text["ships.toml"] = text["ships.toml"].replace('turn_mode = "A"', 'turn_mode = "Z"')
    found = refused({**text, "more.toml": ""})
    for said in ("scenario.toml.turns", "cost is no captain", "turn_mode", "more.toml"):
        assert any(said in one for one in found), (said, found)


def test_classes_that_are_not_ships_are_no_ships():
    text = with_change("ships.toml", 'source = "invented"\n', 'source = "invented"\nform = "drone"\n')
    assert any("COURIER is no ship" in one for one in refused(text))


@pytest.mark.parametrize("name", NAMES)
def test_what_comes_with_the_bot_has_no_defects(name: str):
    assert refused(files(name)) == []
