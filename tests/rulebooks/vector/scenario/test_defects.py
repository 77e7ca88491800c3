"""Each kind of defect of a scenario's files: what is told, where, and in which words; and what is just right."""

import pytest

from tests.expected.kept import cases
from tests.rulebooks.scenario_defects import BETWEEN
from tests.rulebooks.vector.scenarios import NAMES, SCENARIOS, files, refused, with_change

SCENARIO = "scenario.toml"


BEYOND = "the zone of C1 reaches beyond the edge (VM-N26). Legal: a zone before it."


@cases("name, file, old, new, told")
def test_defect_is_told_with_its_place_and_in_these_words(name: str, file: str, old: str, new: str, told: str):
    assert SCENARIOS.told_of(file, old, new, name) == told
    found = [line for line in told.split(BETWEEN) if "scenario.toml" in line and "is missing" not in line]
    assert all("(line " in line for line in found)


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
