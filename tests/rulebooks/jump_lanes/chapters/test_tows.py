"""Tugs and tows (13.4), and the book's tables: loads, Towing ratings, surveys and perils."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.rulebooks.jump_lanes.ch1_movement.equipment import slowest
from rules_engine.rulebooks.jump_lanes.ch4_towing import tows
from rules_engine.rulebooks.jump_lanes.records.settings import LaneClassTable, SurveyChances
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import JumpTransit
from rules_engine.rulebooks.jump_lanes.tables import exploration
from rules_engine.rulebooks.jump_lanes.tables.loads import points_requirement, towing_cost, unit_requirement
from tests.expected.kept import Kept, cases
from tests.rulebooks.jump_lanes.freight import Step, after, carry_out, made
from tests.rulebooks.jump_lanes.frontier import rules, ship, standing

HARBOUR = """
S1 sol Ox[towing=2,engines=3,ftl=3,mobility=5]+Mule[towing=2,engines=3,ftl=3,mobility=5]+Lead[ftl=4];
Base starbase[siz=1,ftl=0,engines=0] at sol; Eye satellite[siz=2,ftl=0] at sol; S2 sol Gnat[siz=2,ftl=0]
"""
"""Two tugs of Towing 2, Engines 3 and FTL 3 at Sol, and what may be towed there."""


@pytest.fixture
def state() -> LanesState:
    return made(HARBOUR)


def judged(state: LanesState, tugs: str, towed: str) -> list[str]:
    found = [[state.units[key] for key in keys.split()] for keys in (tugs, towed)]
    return rules(tows.judge_tow(state, state.squadrons["S1"], found[0], found[1], "S1.tow"))


@cases("case, proves, lines, steps, holds", "")
def test_who_tows_what(lines: str, steps: list[Step], holds: dict[str, Any]):
    assert after(lines, steps, holds) == holds


@pytest.mark.rule("jump_lanes", "13.4")
def test_only_working_tugs_are_able_to_tow(state: LanesState):
    state.units["Mule"].crippled = True
    assert [unit.id for unit in tows.able_tugs(state, state.squadrons["S1"])] == ["Ox"]


@pytest.mark.rule("jump_lanes", "13.4.1")
@pytest.mark.parametrize("kind", ["facility", "troop", "aircraft", "seacraft", "installation", "officer"])
def test_what_is_no_unit_of_space_and_facilities_are_not_towed(state: LanesState, kind: str):
    standing(state, ship("Thing", kind=kind), "sol")  # type: ignore[arg-type]
    assert judged(state, "Ox Mule", "Thing") == ["13.4.1"]


@pytest.mark.rule("jump_lanes", "13.1.6")
def test_no_tow_begins_in_a_lane(state: LanesState):
    state.squadrons["S1"].transit = JumpTransit.from_json({"lane": "L1", "origin": "sol", "goal": "wolf", "cost": 2})
    assert judged(state, "Ox Mule", "Base") == ["13.1.6"]


@pytest.mark.rule("jump_lanes", "13.4.1")
def test_tugs_go_at_half_their_ratings_rounded_up_and_what_is_towed_does_not_count(state: LanesState):
    assert slowest(state.members("S1")).ftl == 3
    carry_out(state, "S1 tow Ox Mule > Base")
    assert (slowest(state.members("S1")).ftl, slowest(state.members("S1")).engines) == (2, 1)
    carry_out(state, "S1 tow Ox > Eye")
    state.units["Ox"].engines = 1
    state.units["Lead"].engines = 9
    assert (slowest(state.members("S1")).ftl, slowest(state.members("S1")).engines) == (2, 1)
    assert not state.units["Mule"].tows


@pytest.mark.rule("jump_lanes", "13.4.1")
def test_with_too_few_tugs_left_everything_is_let_go(state: LanesState):
    carry_out(state, "S1 tow Ox Mule > Base")
    assert tows.let_go_what_is_too_much(state, state.squadrons["S1"]) == []
    state.units["Mule"].crippled = True
    assert [unit.id for unit in tows.let_go_what_is_too_much(state, state.squadrons["S1"])] == ["Base"]
    assert state.units["Base"].at == "sol"
    assert not any(unit.tows for unit in state.members("S1"))


def test_tugs_do_not_strain_for_what_was_lost(state: LanesState):
    carry_out(state, "S1 tow Ox Mule > Base")
    state.take_out(state.units["Base"])
    tows.let_go_what_is_too_much(state, state.squadrons["S1"])
    assert not any(unit.tows for unit in state.members("S1"))


def test_a_base_that_is_let_go_in_a_lane_is_lost_and_a_starship_is_not(state: LanesState):
    carry_out(state, "S1 tow Ox Mule > Base")
    state.squadrons["S1"].at = ""
    tows.release(state, state.squadrons["S1"])
    assert "Base" not in state.units
    state.squadrons["S1"].at = "sol"
    carry_out(state, "S1 tow Ox Mule > Gnat")
    state.squadrons["S1"].at = ""
    tows.release(state, state.squadrons["S1"])
    assert state.units["Gnat"].squadron == "S1"


@pytest.mark.rule("jump_lanes", "13.4.2")
def test_a_tow_in_battle_is_a_log_of_formation_and_silence(state: LanesState, kept: Kept):
    tugs, towed = [state.units["Ox"], state.units["Mule"]], [state.units["Base"]]
    assert tows.battle_notes(tugs, towed) == kept()
    assert tows.battle_notes(tugs, []) == []


# --- loads -----------------------------------------------------------------------------------------------------------
@cases("kind, siz, takes")
def test_space_units_as_cargo(kind: str, siz: int, takes: int):
    assert unit_requirement(kind, siz) == takes


@cases("kind, siz, takes")
def test_ground_units_as_cargo(kind: str, siz: int, takes: int):
    assert unit_requirement(kind, siz) == takes


@pytest.mark.rule("jump_lanes", "13.3.2.3-officers")
def test_an_officer_takes_one_and_ten_experience_points_take_one():
    assert unit_requirement("officer", 0) == 1
    assert points_requirement(0, 1) == Fraction(1, 10)
    assert points_requirement(0, 10) == 1
    assert points_requirement(0, 25) == Fraction(5, 2)


@pytest.mark.rule("jump_lanes", "13.3.2.1")
def test_a_census_point_takes_ten():
    assert points_requirement(1, 0) == 10
    assert points_requirement(3, 5) == Fraction(61, 2)


@pytest.mark.rule("jump_lanes", "13.3.2")
def test_facilities_are_no_cargo():
    assert unit_requirement("facility", 1) is None


@cases("kind, siz, takes")
def test_towing_ratings_by_kind(kind: str, siz: int, takes: int):
    assert towing_cost(kind, siz) == takes


@pytest.mark.rule("jump_lanes", "13.4.1")
@pytest.mark.parametrize("kind", ["facility", "troop", "aircraft", "seacraft", "installation", "officer"])
def test_what_the_chart_does_not_name_is_not_towed(kind: str):
    assert towing_cost(kind, 1) is None


# --- exploration tables ----------------------------------------------------------------------------------------------
@pytest.mark.rule("jump_lanes", "13.5.2")
def test_the_printed_example_ten_and_sixteen_are_twenty_six():
    assert exploration.success_chance(SurveyChances().of("easy"), 16, 0) == 26


@cases("base, science, bonus, chance")
def test_a_chance_is_held_between_one_and_ninety_nine(base: int, science: int, bonus: int, chance: int):
    assert exploration.success_chance(base, science, bonus) == chance


@cases("chance, rolled, outcome")
def test_how_a_check_comes_out(chance: int, rolled: int, outcome: exploration.Outcome):
    assert exploration.check_outcome(chance, rolled) == outcome


@pytest.mark.rule("jump_lanes", "13.5.2-peril")
def test_the_peril_table(kept: Kept):
    results = [exploration.peril(rolled) for rolled in range(1, exploration.PERIL_FACES + 1)]
    assert results == kept()
    for rolled in (0, 11):
        with pytest.raises(ValueError, match="1 to 10"):
            exploration.peril(rolled)


@pytest.mark.rule("jump_lanes", "13.5.2")
def test_a_d10_gives_a_surveyed_lane_its_class():
    table = LaneClassTable(major=2, normal=5, minor=8)
    classes = [exploration.surveyed_class(rolled, table) for rolled in range(1, exploration.CLASS_FACES + 1)]
    assert classes == [*["major"] * 2, *["normal"] * 3, *["minor"] * 3, *["restricted"] * 2]
