"""How large and how long what a scenario and a sheet say may be: the last value that is taken, and the first that is
not."""

from fractions import Fraction
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from rules_engine.rulebooks.jump_lanes.ch3_cargo.losses import CargoLoss, Lost
from rules_engine.rulebooks.jump_lanes.records import orders, settings, units
from rules_engine.rulebooks.jump_lanes.scenario import entries


def takes(kind: Any, value: object) -> bool:
    try:
        TypeAdapter(kind).validate_python(value)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize(
    ("kind", "least", "most"),
    [
        (settings.LanePoints, 0, 10_000),
        (units.Rating, 0, 999),
        (Lost, 0, 9_999),
        (entries.Census, 0, 999),
        (entries.LastTurn, 1, 100),
        (entries.Coordinate, 0, 10_000),
    ],
)
def test_numbers(kind: Any, least: int, most: int):
    assert [takes(kind, value) for value in (least - 1, least, most, most + 1)] == [False, True, True, False]


def test_a_lane_costs_something_and_no_more_than_99_points():
    costs = (Fraction(0), Fraction(1, 9), Fraction(99), Fraction(991, 10))
    assert [takes(settings.LaneCost, value) for value in costs] == [False, True, True, False]


LETTERS: list[tuple[Any, list[str], list[str]]] = [
    (
        entries.PlaceKey,
        ["a", "z", "a0", "a9", "a-", "a" * 24, "z/a", "z/z", "a/a0", "a/a9", "a/a-", f"{'a' * 24}/{'a' * 24}"],
        ["", "0", "A", "a_", "a" * 25, "a/", "a/0", f"a/{'a' * 25}", "a/b/c", "aA", "a/aA"],
    ),
    (
        entries.SquadronId,
        ["A1", "Z9", "AZ10", "ZA999", "A100", "A109", "A190", "A900", "A20"],
        ["", "A", "1", "A0", "A1000", "ABC1", "a1", "A01", "A1a"],
    ),
    (
        entries.FleetId,
        ["AF1", "ZF9", "AZF10", "ZAF999", "AF100", "AF109", "AF190", "AF900", "FF1", "AF20"],
        ["", "F1", "AF", "AF0", "AF1000", "ABCF1", "aF1", "AF01", "A1", "AF1a"],
    ),
    (entries.OrderName, ["x", "x" * 40], ["", " ", "x" * 41, "a\nb", *(f"a{sign}b" for sign in ",;:>?*")]),
]
"""A kind of text, what is taken and what is not."""


@pytest.mark.parametrize(("kind", "good", "bad"), LETTERS)
def test_texts(kind: Any, good: list[str], bad: list[str]):
    assert [one for one in good if not takes(kind, one)] == []
    assert [one for one in bad if takes(kind, one)] == []


PLACE = {"key": "p", "name": "P"}
COLONY = {**PLACE, "at": "p"}
FORCES: dict[str, Any] = {"squadron": (), "unit": ()}
FIELDS: list[tuple[type[Any], dict[str, Any], str, int, int]] = [
    (entries.ColonyEntry, COLONY, "experience", 0, 9_999),
    (entries.DerelictEntry, COLONY, "siz", 0, 99),
    (entries.SeatsOpen, {"most": 8}, "least", 2, 8),
    (entries.SeatsOpen, {"least": 2}, "most", 2, 8),
    (settings.LaneClassTable, {}, "major", 0, 10),
    (settings.LaneClassTable, {}, "normal", 0, 10),
    (settings.LaneClassTable, {}, "minor", 0, 10),
    (settings.SurveyChances, {}, "easy", -100, 100),
    (settings.SurveyChances, {}, "moderate", -100, 100),
    (settings.SurveyChances, {}, "hard", -100, 100),
    (settings.SurveyChances, {}, "extreme", -100, 100),
    (settings.LaneRules, {}, "supply_reach", 0, 99),
    (units.LaneClassFigures, {}, "siz", 0, 99),
    (units.LaneClassFigures, {}, "worth", 0, 9_999),
    (orders.CargoOrder, {"action": "load", "what": "census"}, "amount", 1, 9_999),
    (CargoLoss, {}, "census", 0, 9_999),
]
"""A record, what else it needs, a number in it, the least and the most."""


@pytest.mark.parametrize(("kind", "given", "field", "least", "most"), FIELDS)
def test_numbers_of_records(kind: type[Any], given: dict[str, Any], field: str, least: int, most: int):
    found = [takes(kind, {**given, field: value}) for value in (least - 1, least, most, most + 1)]
    assert found == [False, True, True, False]


UNIT = {"id": "u", "name": "U", "class_id": "X", "empire": "e"}
LATER = {"id": "u", "name": "U", "class_id": "X"}
COMES = {"turn": 1, "empire": "e", "name": "N", "at": "p"}
SQUADRON = {"id": "A1", "name": "N", "empire": "e", "at": "p"}
STAR = {**PLACE, "x": 0, "y": 0}
SCENARIO: dict[str, Any] = {"title": "T", "turns": 1, "empire": (), "system": (), "lane": ()}
LENGTHS: list[tuple[type[Any], dict[str, Any], str, Any, tuple[int, int]]] = [
    (entries.UnitEntry, UNIT, "class_id", "x", (1, 40)),
    (entries.LaterUnitEntry, LATER, "class_id", "x", (1, 40)),
    (entries.ReinforcementEntry, COMES, "unit", [LATER], (1, 30)),
    (entries.TreatyEntry, {"kind": "war"}, "between", ["e"], (2, 2)),
    (entries.StarEntry, STAR, "planet", [STAR], (0, 12)),
    (entries.EmpireEntry, {**PLACE, "home": "p"}, "emblem", "A", (1, 2)),
    (entries.FrontierForces, FORCES, "fleet", [{"id": "AF1", "name": "N", "empire": "e"}], (0, 100)),
    (entries.FrontierForces, FORCES, "squadron", [SQUADRON], (0, 200)),
    (entries.FrontierForces, FORCES, "unit", [UNIT], (0, 1_000)),
    (entries.FrontierForces, FORCES, "reinforcement", [{**COMES, "unit": [LATER]}], (0, 200)),
    (entries.ScenarioFile, SCENARIO, "title", "x", (1, 80)),
    (entries.ScenarioFile, SCENARIO, "source", "x", (1, 80)),
    (entries.ScenarioFile, SCENARIO, "empire", [{**PLACE, "home": "p", "emblem": "A"}], (0, 8)),
    (entries.ScenarioFile, SCENARIO, "galaxy", [PLACE], (0, 9)),
    (entries.ScenarioFile, SCENARIO, "sector", [PLACE], (0, 60)),
    (entries.ScenarioFile, SCENARIO, "system", [STAR], (0, 400)),
    (entries.ScenarioFile, SCENARIO, "lane", [{"a": "p", "b": "q"}], (0, 2_000)),
    (entries.ScenarioFile, SCENARIO, "colony", [COLONY], (0, 400)),
    (entries.ScenarioFile, SCENARIO, "treaty", [{"between": ("a", "b"), "kind": "war"}], (0, 60)),
    (entries.ScenarioFile, SCENARIO, "derelict", [COLONY], (0, 100)),
    (orders.GroupLineOrders, {}, "route", "x", (0, 400)),
]
"""A record, what else it needs, a text or a list in it, one part of that, and how many it has at least and at most."""


@pytest.mark.parametrize(("kind", "given", "field", "part", "bounds"), LENGTHS)
def test_lengths(kind: type[Any], given: dict[str, Any], field: str, part: Any, bounds: tuple[int, int]):
    least, most = bounds
    assert [takes(kind, {**given, field: part * count}) for count in (least, most, most + 1)] == [True, True, False]
    assert least == 0 or not takes(kind, {**given, field: part * (least - 1)})
