"""How far a scenario's entries may go, each kind of defect of its files, and the scenarios that come with the bot."""

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from rules_engine.core.grids.space import hexes_between
from rules_engine.core.protocol.seats import SeatRange
from rules_engine.rulebooks.vector.records.aims import EDGE, DuelRules, FarEdge, SetUpZone
from rules_engine.rulebooks.vector.records.ships import FlightFigures
from rules_engine.rulebooks.vector.scenario import entries
from rules_engine.rulebooks.vector.scenario.ground import disc, row_of_hexes
from rules_engine.rulebooks.vector.scenario.opening import set_up
from rules_engine.rulebooks.vector.scenario.reading import read_scenario, seats, sides_of, with_seats
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.rulebooks.scenario_defects import BETWEEN, FOLDER
from tests.rulebooks.vector.scenarios import NAMES, SCENARIOS, files, opened, refused, with_change

NOTATION = {
    one.__name__: one
    for one in (entries.DuelFile, DuelRules, entries.DuelSeats, FarEdge, FlightFigures, SetUpZone, entries.ZoneEntry)
}


SHIP = {"id": "C1", "name": "One", "class_id": "CUTTER", "captain": "courier"}
DUEL = {"title": "Duel", "under": "A duel", "turns": 9, "captain": (), "ship": ()}
FAR_EDGE = {"column": 5}


@cases("model, rest, name, least, most", "")
def test_a_figure_has_a_least_and_a_most(
    model: type[BaseModel], rest: dict[str, Any], name: str, least: int, most: int
):
    model = evaluated(model, NOTATION)
    for number in (least, most):
        assert getattr(model.model_validate({**rest, name: number}), name) == number
    for number in (least - 1, most + 1):
        with pytest.raises(ValidationError, match=name):
            model.model_validate({**rest, name: number})


@cases("name, said, read")
def test_what_is_just_legal_is_read(name: str, said: str, read: str):
    assert getattr(entries.TacticalShipEntry.model_validate({**SHIP, name: said}), name) == read


@cases("name, said", "")
def test_what_goes_beyond_is_refused(name: str, said: str):
    with pytest.raises(ValidationError, match=name):
        entries.TacticalShipEntry.model_validate({**SHIP, name: said})


def test_hexes_and_vectors_are_of_twelve_and_forty_characters_at_most():
    for name, said, most in (("at", "-000000.00003", 12), ("vector", f"10A+10D+{'1A+' * 10}10A", 40)):
        with pytest.raises(ValidationError, match=f"at most {most} characters"):
            entries.TacticalShipEntry.model_validate({**SHIP, name: said})


def test_six_captains_have_nine_units_each_at_most():
    ships = [{**SHIP, "at": "0101"}] * 54
    assert len(entries.DuelFile.model_validate({**DUEL, "ship": ships}).ship) == 54
    with pytest.raises(ValidationError, match="at most 54 items"):
        entries.DuelFile.model_validate({**DUEL, "ship": [*ships, ships[0]]})
    captain = {"key": "courier", "name": "Line", "emblem": "C", "aim": "courier"}
    with pytest.raises(ValidationError, match="at most 6 items"):
        entries.DuelFile.model_validate({**DUEL, "captain": [captain] * 7})


def test_what_a_scenario_does_not_say(kept: Kept):
    """Of which the page for authors tells: no friction, turns in two pieces, pauses of sixteen impulses."""
    file = entries.DuelFile.model_validate(DUEL)
    assert file.options.model_dump() == kept()
    rules = file.rules
    assert (rules.match_range, rules.match_speed, rules.match_before, rules.pass_range) == (1, 2, 12, 1)
    edge = FarEdge.model_validate(FAR_EDGE)
    assert (edge.leads, edge.first_row, edge.last_row) == ("right", 1, 30)
    ship = entries.TacticalShipEntry.model_validate(SHIP)
    assert (ship.facing, ship.vector, ship.arrives) == ("A", "0", 0)
    buoy = entries.TacticalTerrainEntry.model_validate({"id": "rock", "kind": "planet", "hexes": ["0101"]})
    assert (buoy.name, buoy.round, buoy.number) == ("", 0, 0)
    assert (file.seats, file.edge, file.terrain) == (None, None, ())


def test_what_a_class_does_not_say():
    figures = FlightFigures().model_dump()
    numbers = ("rated_speed", "warp", "impulse", "total_power", "reserve")
    assert {name: figures.pop(name) for name in numbers} == dict.fromkeys(numbers, 0)
    assert (figures.pop("shields"), figures.pop("move_cost")) == ((0, 0, 0, 0, 0, 0), "1")
    assert figures == {"size_class": 3, "form": "ship", "turn_mode": "C", "nimble": False, "breakdown": 5}


def test_where_the_last_turn_is_not_known_ships_may_arrive_on_any(kept: Kept):
    """One key with a defect brings no others about: the hundredth turn is the last that any duel has."""
    broken = with_change("scenario.toml", "turns = 12", "turns = 101")
    arrives = {"scenario.toml": broken["scenario.toml"].replace('vector = "6C"', 'vector = "6C"\narrives = 100')}
    assert [one.partition(" (line")[0] for one in refused(broken | arrives)] == kept()


def test_a_course_may_be_of_lines_in_every_direction():
    """Both along the columns and along the slanting rows, to either side."""
    for ends in ('"0810", "0834"', '"0810", "1009"', '"0810", "1011"', '"0810", "0611"', '"0810", "0609"'):
        assert refused(with_change("scenario.toml", '"0810", "0834"', ends, "race")) == [], ends
    assert refused(files("race")) == []


@cases("name, old, new")
def test_what_just_fits_has_no_defects(name: str, old: str, new: str):
    assert refused(with_change("scenario.toml", old, new, name)) == []


def test_a_zone_may_not_reach_an_edge_to_the_left(kept: Kept):
    found = refused(with_change("scenario.toml", "column = 150", 'column = 4\nleads = "left"'))
    assert [one.partition("): ")[2] for one in found] == kept()


def test_a_ship_may_arrive_in_the_last_turn(kept: Kept):
    found = refused(with_change("scenario.toml", 'vector = "6B"', 'vector = "6B"\narrives = 12'))
    assert [one.partition("): ")[2] for one in found] == kept()


# --- defects ---------------------------------------------------------------------------------------------------------
SCENARIO = "scenario.toml"


BEYOND = "the zone of C1 reaches beyond the edge (VM-N26). Legal: a zone before it."


@cases("name, file, old, new, told")
def test_defect_is_told_with_its_place_and_in_these_words(name: str, file: str, old: str, new: str, told: str):
    assert SCENARIOS.told_of(file, old, new, name) == told
    found = [line for line in told.split(BETWEEN) if "scenario.toml" in line and "is missing" not in line]
    assert all("(line " in line for line in found)


@cases("old, new, place")
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


# --- shipped scenarios -----------------------------------------------------------------------------------------------
def test_no_scenario_is_left_out():
    assert sorted(one.name for one in (FOLDER / "vector").iterdir()) == sorted(NAMES)


@cases("name, least, most, ships")
def test_how_many_may_play(name: str, least: int, most: int, ships: int):
    document = read_scenario(files(name))
    assert seats(document) == SeatRange(least=least, most=most)
    assert len(opened(name).battle.units) == ships
    fewest = with_seats(document, least)
    assert len(sides_of(fewest)) == least
    state = opened(name, least)
    assert list(state.captains) == state.battle.sides == [one.key for one in sides_of(fewest)]
    assert {one.side for one in state.battle.units.values()} == {*state.captains}, "ships of others are not there"


@pytest.mark.parametrize("name", NAMES)
def test_the_first_line_says_what_it_is_in_a_hundred_letters(name: str):
    first = files(name)["scenario.toml"].splitlines()[0]
    assert first.startswith("# ")
    assert len(first) <= 100


@pytest.mark.parametrize("name", NAMES)
def test_all_figures_are_invented_and_say_so(name: str):
    assert {"scenario", "rules", "ships", "terrain"} <= {*opened(name).invented}


def test_the_far_edge_is_drawn_as_a_column():
    edge = next(one for one in opened("courier").battle.terrain if one.id == EDGE)
    assert (edge.kind, edge.hexes[0], edge.hexes[-1], len(edge.hexes)) == ("line", "150.5", "150.45", 41)


def test_in_a_chase_the_hunters_are_no_enemies_of_each_other():
    battle = opened("courier").battle
    assert battle.friends("revenue", "coast")
    assert not battle.friends("revenue", "courier")
    assert opened("race").battle.allies == []


def test_a_row_of_hexes_joins_its_ends():
    assert row_of_hexes("0410", "0413") == ("0410", "0411", "0412", "0413")
    assert row_of_hexes("0410", "0410") == ("0410",)


def test_a_disc_holds_each_hex_once():
    found = disc("0410", 2)
    assert (found[0], len(found), len({*found})) == ("0410", 19, 19)
    assert all(hexes_between("0410", one) <= 2 for one in found)


def test_late_ships_are_there_later():
    late = {key: one.waits_for for key, one in opened("ambush").battle.units.items() if one.waits_for}
    assert late == {"R2": 2, "W2": 3}


def test_hunters_are_a_force_where_there_are_several():
    assert opened("courier", 2).battle.allies == []
    assert opened("courier").battle.allies == [["revenue", "coast", "consul"]]


def test_figures_that_have_a_source_are_not_called_invented():
    texts = files("courier")
    sourced = {name: text.replace('source = "invented"', 'source = "A book, 3"') for name, text in texts.items()}
    assert set_up(read_scenario(sourced)).invented == ("ships", "terrain")
    assert opened("courier").invented[:4] == ("scenario", "rules", "ships", "terrain")
    assert opened("courier").invented[4:] == ("class COURIER", "class CRUISER", "class CUTTER")
