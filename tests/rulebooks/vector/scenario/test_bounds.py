"""How far a scenario's entries may go: the least and the most that is read, and what is refused beyond."""

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from rules_engine.rulebooks.vector.records.aims import DuelRules, FarEdge, SetUpZone
from rules_engine.rulebooks.vector.records.ships import FlightFigures
from rules_engine.rulebooks.vector.scenario.entries import (
    DuelFile,
    DuelSeats,
    TacticalShipEntry,
    TacticalTerrainEntry,
    ZoneEntry,
)
from tests.expected.kept import Kept, cases
from tests.rulebooks.vector.scenarios import files, refused, with_change

SHIP = {"id": "C1", "name": "One", "class_id": "CUTTER", "captain": "courier"}
DUEL = {"title": "Duel", "under": "A duel", "turns": 9, "captain": (), "ship": ()}
EDGE = {"column": 5}
ZONE = {"within": 2, "speed": 8}
SEATS = {"least": 2, "most": 6}

NUMBERS: list[tuple[type[BaseModel], dict[str, Any], str, int, int]] = [
    (DuelFile, DUEL, "turns", 1, 100),
    (DuelSeats, SEATS, "least", 2, 6),
    (DuelSeats, SEATS, "most", 2, 6),
    (DuelRules, {}, "match_range", 0, 30),
    (DuelRules, {}, "match_speed", 0, 30),
    (DuelRules, {}, "pass_range", 0, 30),
    (FarEdge, EDGE, "column", -999, 999),
    (FarEdge, EDGE, "first_row", -999, 999),
    (FarEdge, EDGE, "last_row", -999, 999),
    (ZoneEntry, ZONE, "within", 0, 30),
    (SetUpZone, ZONE, "within", 0, 30),
    (FlightFigures, {}, "warp", 0, 999),
    (FlightFigures, {}, "reserve", 0, 999),
]


@pytest.mark.parametrize(("model", "rest", "name", "least", "most"), NUMBERS)
def test_a_figure_has_a_least_and_a_most(
    model: type[BaseModel], rest: dict[str, Any], name: str, least: int, most: int
):
    for number in (least, most):
        assert getattr(model.model_validate({**rest, name: number}), name) == number
    for number in (least - 1, most + 1):
        with pytest.raises(ValidationError, match=name):
            model.model_validate({**rest, name: number})


LEGAL: list[tuple[str, str, str]] = [
    ("id", "A1", "A1"),
    ("id", "AB9", "AB9"),
    ("aboard", "AB9", "AB9"),
    ("at", "999.999", "999.999"),
    ("at", "-999.-999", "-999.-999"),
    # twelve and forty characters: the longest that are looked at
    ("at", "-00000.00003", "0003"),
    ("vector", "200B", "200B"),
    ("vector", "10A+10D+1A+1A+1A+1A+1A+1A+1A+1A+1A+1A+1A", "11A"),
]
ILLEGAL = [
    ("id", "1"),
    ("id", "A"),
    ("id", "A0"),
    ("id", "A10"),
    ("id", "ABC1"),
    ("id", "a1"),
    ("at", "1000.1"),
    ("at", "-1000.1"),
    ("at", "1.1000"),
    ("at", "1.-1000"),
    ("vector", "201B"),
    ("vector", "10A+10D+10A+1A+1A+1A+1A+1A+1A+1A+1A+1A+1A"),
]


@pytest.mark.parametrize(("name", "said", "read"), LEGAL)
def test_what_is_just_legal_is_read(name: str, said: str, read: str):
    assert getattr(TacticalShipEntry.model_validate({**SHIP, name: said}), name) == read


@pytest.mark.parametrize(("name", "said"), ILLEGAL)
def test_what_goes_beyond_is_refused(name: str, said: str):
    with pytest.raises(ValidationError, match=name):
        TacticalShipEntry.model_validate({**SHIP, name: said})


def test_hexes_and_vectors_are_of_twelve_and_forty_characters_at_most():
    for name, said, most in (("at", "-000000.00003", 12), ("vector", f"10A+10D+{'1A+' * 10}10A", 40)):
        with pytest.raises(ValidationError, match=f"at most {most} characters"):
            TacticalShipEntry.model_validate({**SHIP, name: said})


def test_six_captains_have_nine_units_each_at_most():
    ships = [{**SHIP, "at": "0101"}] * 54
    assert len(DuelFile.model_validate({**DUEL, "ship": ships}).ship) == 54
    with pytest.raises(ValidationError, match="at most 54 items"):
        DuelFile.model_validate({**DUEL, "ship": [*ships, ships[0]]})
    captain = {"key": "courier", "name": "Line", "emblem": "C", "aim": "courier"}
    with pytest.raises(ValidationError, match="at most 6 items"):
        DuelFile.model_validate({**DUEL, "captain": [captain] * 7})


def test_what_a_scenario_does_not_say():
    """Of which the page for authors tells: no friction, turns in two pieces, pauses of sixteen impulses."""
    file = DuelFile.model_validate(DUEL)
    assert file.options.model_dump() == {
        "pieces": 2,
        "friction": False,
        "tractor_literal": False,
        "thrust_pause": 16,
        "tumble_pause": 16,
        "tumble_step": 4,
    }
    rules = file.rules
    assert (rules.match_range, rules.match_speed, rules.match_before, rules.pass_range) == (1, 2, 12, 1)
    edge = FarEdge.model_validate(EDGE)
    assert (edge.leads, edge.first_row, edge.last_row) == ("right", 1, 30)
    ship = TacticalShipEntry.model_validate(SHIP)
    assert (ship.facing, ship.vector, ship.arrives) == ("A", "0", 0)
    buoy = TacticalTerrainEntry.model_validate({"id": "rock", "kind": "planet", "hexes": ["0101"]})
    assert (buoy.name, buoy.round, buoy.number) == ("", 0, 0)
    assert (file.seats, file.edge, file.terrain) == (None, None, ())


def test_what_a_class_does_not_say():
    figures = FlightFigures().model_dump()
    numbers = ("rated_speed", "warp", "impulse", "total_power", "reserve")
    assert {name: figures.pop(name) for name in numbers} == dict.fromkeys(numbers, 0)
    assert figures.pop("shields") == (0, 0, 0, 0, 0, 0)
    assert figures.pop("move_cost") == "1"
    assert figures == {"size_class": 3, "form": "ship", "turn_mode": "C", "nimble": False, "breakdown": 5}


def test_where_the_last_turn_is_not_known_ships_may_arrive_on_any():
    """One key with a defect brings no others about: the hundredth turn is the last that any duel has."""
    broken = with_change("scenario.toml", "turns = 12", "turns = 101")
    arrives = {"scenario.toml": broken["scenario.toml"].replace('vector = "6C"', 'vector = "6C"\narrives = 100')}
    assert [one.partition(" (line")[0] for one in refused(broken | arrives)] == [
        "scenario.toml.turns",
        "scenario.toml.captain.1",
    ]


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
