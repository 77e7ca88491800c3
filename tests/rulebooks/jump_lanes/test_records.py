"""How large what is written may be, what is looked up in a state, and figures where nothing else is said."""

from fractions import Fraction
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from rules_engine.core.basics.record import Record
from rules_engine.rulebooks.jump_lanes.ch1_movement.equipment import Speeds
from rules_engine.rulebooks.jump_lanes.ch3_cargo.losses import CargoLoss, Lost
from rules_engine.rulebooks.jump_lanes.records import orders, settings, units
from rules_engine.rulebooks.jump_lanes.records.battles import Battle
from rules_engine.rulebooks.jump_lanes.records.orders import GroupOrders
from rules_engine.rulebooks.jump_lanes.records.places import Colony, Derelict, JumpLane, is_planet, system_of
from rules_engine.rulebooks.jump_lanes.records.settings import (
    FrontierScoring,
    LaneClassTable,
    LaneCosts,
    LaneRules,
    SurveyChances,
)
from rules_engine.rulebooks.jump_lanes.records.state import LaneEmpire, LanesState, by_number, names_of
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot, JumpTransit, LaneClassFigures, LaneFleet, Unit
from rules_engine.rulebooks.jump_lanes.scenario import entries
from rules_engine.rulebooks.jump_lanes.scenario.entries import ColonyEntry, DerelictEntry, ScenarioFile, SquadronEntry
from tests.expected.kept import cases
from tests.expected.spelling import evaluated
from tests.rulebooks.jump_lanes.frontier import ARGO, CENTAURI, TERRAN, frontier, lane, ship, squadron, standing


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


@cases("kind, good, bad", "")
def test_texts(kind: Any, good: list[str], bad: list[str]):
    kind = evaluated(kind, NOTATION)
    assert [one for one in good if not takes(kind, one)] == []
    assert [one for one in evaluated(bad, NOTATION) if takes(kind, one)] == []


FORCES: dict[str, Any] = {"squadron": (), "unit": ()}


@cases("kind, given, field, least, most", "")
def test_numbers_of_records(kind: type[Any], given: dict[str, Any], field: str, least: int, most: int):
    found = [takes(evaluated(kind, NOTATION), {**given, field: value}) for value in (least - 1, least, most, most + 1)]
    assert found == [False, True, True, False]


SCENARIO: dict[str, Any] = {"title": "T", "turns": 1, "empire": (), "system": (), "lane": ()}


@cases("kind, given, field, part, bounds", "")
def test_lengths(kind: type[Any], given: dict[str, Any], field: str, part: Any, bounds: tuple[int, int]):
    kind = evaluated(kind, NOTATION)
    given = evaluated(given, NOTATION)
    least, most = bounds
    assert [takes(kind, {**given, field: part * count}) for count in (least, most, most + 1)] == [True, True, False]
    assert least == 0 or not takes(kind, {**given, field: part * (least - 1)})


# --- lookups ---------------------------------------------------------------------------------------------------------
def crowd() -> LanesState:
    """Squadrons with numbers of one and of two figures, two fleets of three, at Sol and at Wolf 359."""
    state = frontier(empires=3)
    for key, at in (("T10", "sol"), ("T2", "sol"), ("T1", "wolf"), ("T11", "sol"), ("T3", "wolf")):
        squadron(state, key, at, ship(f"of {key}"))
    for key, group in (("TF10", ("T10", "T2")), ("TF2", ("T1",))):
        state.fleets[key] = LaneFleet(id=key, empire=TERRAN, name=key)
        for one in group:
            state.squadrons[one].fleet = key
    squadron(state, "C1", "sol", ship("of C1", CENTAURI))
    return state


def test_groups_come_in_the_order_of_their_numbers():
    state = crowd()
    assert [one.id for one in state.squadrons_of(TERRAN)] == ["T1", "T2", "T3", "T10", "T11"]
    assert [one.id for one in state.fleets_of(TERRAN)] == ["TF2", "TF10"]
    assert state.groups_of(TERRAN) == ["TF2", "TF10", "T3", "T11"]
    assert [one.id for one in state.group("TF10")] == ["T2", "T10"]
    assert [one.id for one in state.group("T10")] == ["T10"]
    assert state.group("TF7") == []
    assert [one.id for one in state.squadrons_at("sol")] == ["C1", "T2", "T10", "T11"], "by empire, then by number"
    assert [state.group_of(state.squadrons[key]) for key in ("T2", "T3")] == ["TF10", "T3"]
    assert (by_number("TF12"), by_number("T")) == ((12, "TF12"), (0, "T"))


def test_units_are_found_by_what_holds_them():
    state = crowd()
    state.put(ship("b", kind="troop"), aboard="T2")
    state.put(ship("a", kind="troop"), aboard="T2")
    standing(state, ship("d", kind="troop"), "sol")
    standing(state, ship("c", kind="troop"), "sol")
    assert [one.id for one in state.carried("T2")] == ["a", "b"]
    assert [one.id for one in state.standing("sol")] == ["c", "d"]
    assert [one.id for one in state.members("T2")] == ["of T2"]
    assert (state.members("T9"), state.carried("T9"), state.standing("vega")) == ([], [], [])
    assert names_of(state.carried("T2")) == "a, b"


def test_who_is_put_elsewhere_is_of_nothing_that_it_was():
    state = crowd()
    state.turn = 4
    unit = ship("fly", kind="flight", based_on="of T2", towed=True, tows=True)
    state.put(unit, aboard="T2")
    assert (unit.embarked, unit.aboard, unit.based_on, unit.towed, unit.tows) == (4, "T2", "", False, False)
    state.put(unit, at="sol")
    assert (unit.embarked, unit.aboard, unit.at) == (0, "", "sol")
    state.put(unit, squadron="T2")
    assert (unit.squadron, unit.at, unit.embarked) == ("T2", "", 0)


def test_places_and_where_they_lie():
    state = frontier(system_maps=True)
    assert (state.place_name("sol/earth"), state.place_name("sol")) == ("Earth", "Sol")
    assert (state.sector_of("sol/earth"), state.galaxy_of("sol/earth"), state.galaxy_of("mirach")) == (
        "orion",
        "milky",
        "andromeda",
    )
    state.systems["vega"].sector = ""
    assert (state.sector_of("vega"), state.galaxy_of("vega")) == ("", "")
    assert (system_of("sol/earth"), system_of("sol")) == ("sol", "sol")
    assert (is_planet("sol/earth"), is_planet("sol")) == (True, False)
    assert [one.id for one in state.lanes_at("sol")] == ["L1", "L2", "L5", "L9"]
    assert [one.id for one in state.lanes_at("milky")] == ["L8"]
    assert state.lanes_at("nowhere") == []


def test_lanes_between_galaxies_are_on_no_chart_of_places():
    state = frontier()
    assert {one.kind for one in state.chart.lanes} == {"L1", "L2", "L3", "L4", "L5", "L6", "L7"}
    assert {one.length for one in state.chart.lanes} == {Fraction(1)}
    assert {one.id for one in state.chart.systems} == {*state.systems}


def test_a_lane_has_two_ends_and_a_mark_at_each():
    made = lane("L1", "sol", "wolf", None)
    made.mark_a, made.mark_b = 2, 3
    assert (made.other("sol"), made.other("wolf")) == ("wolf", "sol")
    assert (made.mark("sol"), made.mark("wolf")) == ("sol?2", "wolf?3")


def test_what_empires_grant_and_who_the_others_are():
    state = crowd()
    state.empires[TERRAN].stances[ARGO] = "passage"
    assert [state.stance(TERRAN, one) for one in (ARGO, CENTAURI)] == ["passage", "none"]
    assert (state.stance(ARGO, TERRAN), state.others(CENTAURI)) == ("none", [TERRAN, ARGO])


# --- own figures -----------------------------------------------------------------------------------------------------
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


PLACE_ENTRY: dict[str, object] = {"id": "x", "name": "X", "at": "sol"}


NOTATION = {
    one.__name__: one
    for one in (
        Battle, CargoLoss, Colony, Derelict, Fraction, GroupOrders, HoldLot, JumpLane, JumpTransit, LaneEmpire,
        LanesState, Unit,
    )
} | {
    "FORCES": FORCES, "PLACE_ENTRY": PLACE_ENTRY, "SCENARIO": SCENARIO, "entries": entries, "orders": orders,
    "settings": settings, "units": units,
}  # fmt: skip


@cases("kind, given, found", "")
def test_what_a_record_says_of_which_nothing_else_is_said(
    kind: type[Record], given: dict[str, object], found: dict[str, object]
):
    given = evaluated(given, NOTATION)
    found = evaluated(found, NOTATION)
    made = evaluated(kind, NOTATION).from_json(given)
    assert {name: getattr(made, name) for name in found} == found


def test_who_has_no_propulsion_has_a_rating_of_nothing():
    assert (Speeds().engines, Speeds().ftl, Speeds().intergalactic) == (0, 0, 0)


def test_what_a_scenario_s_file_says_of_which_nothing_is_said():
    read = ScenarioFile.model_validate({"title": "T", "turns": 1, "empire": (), "system": (), "lane": ()})
    assert (read.costs, read.scoring, read.seats) == (LaneCosts(), FrontierScoring(), None)
    colony = ColonyEntry.model_validate({"key": "c", "name": "C", "at": "sol"})
    assert (colony.census, colony.experience, colony.rebellion, colony.empire) == (0, 0, False, None)
    squadron = SquadronEntry.model_validate({"id": "T1", "name": "N", "empire": "e", "at": "sol"})
    assert (squadron.census, squadron.fleet) == (0, None)
    assert DerelictEntry.model_validate({"key": "d", "name": "D", "at": "sol"}).siz == 1
