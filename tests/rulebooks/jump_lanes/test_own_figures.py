"""Figures that stand where nothing else is said: of units, of classes of units, of what scores, of lanes, and of what a
campaign begins with."""

from fractions import Fraction

import pytest

from rules_engine.core.basics.record import Record
from rules_engine.rulebooks.jump_lanes.ch1_movement.equipment import Speeds
from rules_engine.rulebooks.jump_lanes.records.battles import Battle
from rules_engine.rulebooks.jump_lanes.records.orders import GroupOrders
from rules_engine.rulebooks.jump_lanes.records.places import Colony, Derelict, JumpLane
from rules_engine.rulebooks.jump_lanes.records.settings import (
    FrontierScoring,
    LaneClassTable,
    LaneCosts,
    LaneRules,
    SurveyChances,
)
from rules_engine.rulebooks.jump_lanes.records.state import LaneEmpire, LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot, JumpTransit, LaneClassFigures, Unit
from rules_engine.rulebooks.jump_lanes.scenario.entries import ColonyEntry, DerelictEntry, ScenarioFile, SquadronEntry

EQUIPMENT = ("engines", "ftl", "intergalactic", "mobility", "cargo", "towing", "science", "basing", "worth")


def test_a_unit_of_which_nothing_is_said_has_no_equipment():
    unit = Unit.from_json({"id": "hulk", "empire": "terran", "name": "Hulk"})
    assert (unit.kind, unit.siz, unit.experience) == ("starship", 1, 0)
    assert [getattr(unit, name) for name in EQUIPMENT] == [0] * len(EQUIPMENT)


def test_nor_has_a_class():
    figures = LaneClassFigures()
    assert (figures.kind, figures.siz) == ("starship", 1)
    assert [getattr(figures, name) for name in EQUIPMENT] == [0] * len(EQUIPMENT)


def test_what_scores_where_a_scenario_says_nothing():
    scoring = FrontierScoring()
    assert (scoring.major, scoring.normal, scoring.minor, scoring.restricted) == (4, 3, 2, 1)
    assert (scoring.census, scoring.system, scoring.starbase, scoring.destroyed, scoring.total) == (1, 1, 5, 0, 0)


def test_what_lanes_cost_and_how_they_turn_out_where_a_scenario_says_nothing():
    """JL-R03, JL-R35, JL-N31"""
    costs, table, chances = LaneCosts(), LaneClassTable(), SurveyChances()
    assert (costs.major, costs.normal, costs.minor, costs.restricted) == (Fraction(1, 2), 1, 2, 4)
    assert (table.major, table.normal, table.minor) == (1, 6, 9)
    assert (chances.easy, chances.moderate, chances.hard, chances.extreme) == (10, 5, 0, -10)


def test_which_choices_hold_where_a_scenario_makes_none():
    rules = LaneRules()
    assert (rules.system_maps, rules.passing_encounters, rules.experience) == (False, False, False)
    assert rules.supply_reach == 2


PLACE: dict[str, object] = {"id": "x", "name": "X", "at": "sol"}
BEGINNINGS: list[tuple[type[Record], dict[str, object], dict[str, object]]] = [
    (LanesState, {"title": "T", "turns": 6}, {"turn": 0, "derelicts_made": 0, "moving": False, "invented": ()}),
    (
        LaneEmpire,
        {"id": "e", "name": "E", "emblem": "E"},
        {"score": 0, "squadrons_made": 0, "fleets_made": 0, "out": False, "home": ""},
    ),
    (Unit, PLACE | {"empire": "e"}, {"embarked": 0, "crippled": False, "out_of_supply": False, "towed": False}),
    (HoldLot, {"kind": "census", "amount": 1}, {"embarked": 0}),
    (JumpTransit, {"lane": "L1", "origin": "sol", "goal": "wolf", "cost": "2"}, {"paid": Fraction(0), "turns_left": 0}),
    (GroupOrders, {}, {"gone": 0, "again_from": None, "fresh": False, "explore": "", "invade": False}),
    (
        JumpLane,
        {"id": "L1", "a": "sol", "b": "wolf"},
        {"mark_a": 0, "mark_b": 0, "surveyed_in": 0, "explored": True, "difficulty": "easy", "type": "interstellar"},
    ),
    (Colony, PLACE, {"census": 0, "experience": 0, "rebellion": False, "owner": ""}),
    (Derelict, PLACE | {"kind": "starship"}, {"siz": 0}),
    (Battle, {"key": "b", "where": "sol", "name": "Sol"}, {"in_lane": False, "kind": "space"}),
]
"""A record, what it needs, and what else it says then."""


@pytest.mark.parametrize(("kind", "given", "found"), BEGINNINGS)
def test_what_a_record_says_of_which_nothing_else_is_said(
    kind: type[Record], given: dict[str, object], found: dict[str, object]
):
    made = kind.from_json(given)
    assert {name: getattr(made, name) for name in found} == found


def test_who_has_no_propulsion_has_a_rating_of_nothing():
    assert (Speeds().engines, Speeds().ftl, Speeds().intergalactic) == (0, 0, 0)


def test_what_a_scenario_s_file_says_of_which_nothing_is_said():
    file = {"title": "T", "turns": 1, "empire": (), "system": (), "lane": ()}
    read = ScenarioFile.model_validate(file)
    assert (read.costs, read.scoring, read.seats) == (LaneCosts(), FrontierScoring(), None)
    colony = ColonyEntry.model_validate({"key": "c", "name": "C", "at": "sol"})
    assert (colony.census, colony.experience, colony.rebellion, colony.empire) == (0, 0, False, None)
    squadron = SquadronEntry.model_validate({"id": "T1", "name": "N", "empire": "e", "at": "sol"})
    assert (squadron.census, squadron.fleet) == (0, None)
    assert DerelictEntry.model_validate({"key": "d", "name": "D", "at": "sol"}).siz == 1
