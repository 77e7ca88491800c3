"""Moves by phase (V8.90), and damage in mid-turn."""

import pytest

from rules_engine.rulebooks.border_patrol.ch10_movement.phases import (
    begin_phase,
    begin_turn,
    entitled,
    entitled_in_turn,
    judge_hexes,
    phases_of,
    points_left,
    take_hexes,
)
from rules_engine.rulebooks.border_patrol.tables.movement import PHASES
from tests.rulebooks.border_patrol.fleet import rules, ship


@pytest.mark.rule("border_patrol", "V8.15", "V8.92")
def test_the_faster_unit_moves_in_more_phases_and_the_fastest_twice_in_one():
    assert phases_of(5) == (2, 4, 5, 7, 8)  # the destroyers of the printed example
    assert phases_of(1) == (8,)
    assert phases_of(0) == ()
    assert phases_of(8) == PHASES
    assert [entitled(12, phase) for phase in PHASES] == [2, 1, 2, 1, 2, 1, 2, 1]
    assert [sum(entitled(allowance, phase) for phase in PHASES) for allowance in range(13)] == list(range(13))


@pytest.mark.rule("border_patrol", "V8.94")
def test_what_is_not_used_in_its_phase_is_lost():
    unit = ship()
    for phase in PHASES:
        begin_phase(unit, phase, 12)
        if phase < 5:
            assert points_left(unit, phase) == entitled(12, phase)
    assert points_left(unit, 8) == 1
    take_hexes(unit, 8, 1)
    assert points_left(unit, 8) == 0


@pytest.mark.rule("border_patrol", "V8.94")
def test_no_more_hexes_than_the_phase_gives():
    unit = ship()
    begin_phase(unit, 5, 12)
    assert judge_hexes(unit, 5, 2) == []
    take_hexes(unit, 5, 1)
    assert judge_hexes(unit, 5, 1) == []
    assert rules(judge_hexes(unit, 5, 2, "plot")) == ["V8.93"]
    begin_phase(unit, 6, 5)
    (refused,) = judge_hexes(unit, 6, 1, "plot")
    assert refused.problem == "Ca would enter 1 hex in phase 6"
    assert refused.legal == "0 there; an allowance of 5 moves in the phases 2, 4, 5, 7, 8"
    (refused,) = judge_hexes(unit, 7, 1, "plot")  # a phase that has not begun
    assert (refused.rule, refused.legal) == ("V8.93, V8.94", "none: it does not move")


@pytest.mark.rule("border_patrol", "V8.12", "V8.93")
def test_damage_in_mid_turn_takes_points_from_the_next_phase_on():
    """A cruiser at 9 falls to 4 in phase 3: it keeps its points of phases 1 to 3, and has the later ones of column 4,
    though it had three of four by then."""
    unit = ship(boxes=54)
    for phase in PHASES:
        begin_phase(unit, phase, 9 if phase <= 3 else 4)
    assert [points_left(unit, phase) for phase in PHASES] == [1, 1, 1, 0, 1, 0, 1, 1]
    assert entitled_in_turn(unit.allowed_in) == 6


@pytest.mark.rule("border_patrol", "V8.15")
def test_a_turn_begins_with_nothing_moved():
    unit = ship()
    begin_phase(unit, 8, 5)
    take_hexes(unit, 8, 1)
    begin_turn(unit)
    assert points_left(unit, 8) == 0
    begin_phase(unit, 8, 5)
    assert points_left(unit, 8) == 1
