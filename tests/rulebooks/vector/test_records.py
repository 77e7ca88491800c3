"""What records hold where nothing is said, and how far their figures go."""

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from rules_engine.rulebooks.vector.campaign.deeds import Deed
from rules_engine.rulebooks.vector.ch2_energy.paying import Bill
from rules_engine.rulebooks.vector.records.happenings import Happened
from rules_engine.rulebooks.vector.records.objections import Objection, impulse_named, worst
from rules_engine.rulebooks.vector.records.plots import PlotCondition, PlotEvent, UnitPlot
from rules_engine.rulebooks.vector.records.reports import UnitReport
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.state import VectorCaptain, by_code
from rules_engine.rulebooks.vector.records.tactical import Tactical, TacticalTerrain
from rules_engine.rulebooks.vector.records.vectors import Vector
from tests.expected.kept import cases

EVENT = {"action": "accelerate"}
REPORT = {"by": "H1", "unit": "H1", "what": "lost"}

NUMBERS: list[tuple[type[BaseModel], dict[str, Any], str, int, int]] = [
    (PlotCondition, {"within": 3}, "first", 1, 32),
    (PlotCondition, {"within": 3}, "last", 1, 32),
    (PlotEvent, EVENT, "impulse", 1, 32),
    (UnitReport, REPORT, "amount", 0, 999),
    (UnitReport, REPORT, "power", 0, 999),
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


def test_a_unit_of_which_nothing_is_said_is_there_at_rest_and_has_done_nothing():
    ship = VectorShip(id="H1", side="h", name="One", at="0101")
    numbers = (
        *("count_from", "accelerated_on", "turned_on", "no_thrust_until", "warp_left", "warp_used", "impulse_left"),
        *("impulse_used", "reserve_left", "hets", "tumbles_until", "half_left", "waits_for"),
    )
    assert {name: getattr(ship, name) for name in numbers} == dict.fromkeys(numbers, 0)
    texts = ("class_id", "last_way", "path", "tumbles_to", "weasel", "launched_from", "out", "aboard", "friction_from")
    assert {name: getattr(ship, name) for name in texts} == dict.fromkeys(texts, "")
    assert (ship.facing, ship.vector.says, ship.slip_ready, ship.tumbling) == ("A", "0", False, False)
    assert (ship.moved, ship.trail) == ({}, [])


def test_a_battle_begins_before_its_first_turn():
    battle = Tactical()
    assert (battle.turn, battle.impulse, battle.clock, battle.piece_end) == (0, 0, 0, 16)
    assert battle.clock_of(5) == 5, "nothing is before the first turn"
    assert TacticalTerrain(id="p", kind="planet", hexes=("0101",)).number == 0
    assert VectorCaptain(id="h", name="H", emblem="H", aim="hunter").done_on == 0


def test_what_is_not_said_of_what_happened_is_nothing():
    one = Happened(turn=1, impulse=2, unit="H1", side="h", what="moved", hex="0101", facing="A", vector="0")
    assert (one.amount, one.speed, one.times, one.damage, one.shield, one.legal_on) == (0, 0, 1, 0, 0, 0)
    assert (one.to, one.way, one.other, one.rule, one.dice, one.refusal, one.event) == (
        (),
        None,
        "",
        "",
        (),
        None,
        None,
    )
    assert Bill() == (0, 0, 0)
    assert Deed(what="away", unit="C1", impulse=3).number == 0
    assert (PlotEvent.model_validate(EVENT).amount, UnitPlot().warp, UnitPlot().impulse) == (0, None, None)
    report = UnitReport.model_validate(REPORT)
    assert (report.number, report.amount, report.power, report.resistance) == (0, 0, 0, 0)
    condition = PlotCondition(within=3)
    assert (condition.unit, condition.first, condition.last) == ("", 1, 32)


def test_units_are_sorted_by_letters_then_by_number():
    codes = ["T10", "T9", "T2", "S11", "T29", "T", "T2b", "t1", "T1"]
    assert sorted(codes, key=by_code) == ["t1", "S11", "T", "T1", "T2", "T2b", "T9", "T10", "T29"]
    assert by_code("AB90") == ("AB", 90, "AB90")


@pytest.mark.rule("vector", "CJD1.11")
@pytest.mark.parametrize("says", ["99999A", "99999F+99999A", "1F+1A", " 12 C ", "3A + 9B"])
def test_numbers_of_a_vector_have_one_to_five_digits(says: str):
    """The text knows no greatest speed; five digits are more than anybody flies."""
    assert Vector(says=says).says == says.replace(" ", "")


@pytest.mark.parametrize("says", ["A", "100000A", "1A+B", "1A+100000B", "1A+", "+1A", "1A1B", "1", "00", "10", ""])
def test_what_is_no_vector_is_none(says: str):
    with pytest.raises(ValidationError, match="is no vector: hexes and direction, as in 19D or 3A\\+9B, or 0"):
        Vector(says=says)


@cases("clock, turn, said")
def test_an_impulse_is_named_with_its_turn_where_that_is_another(clock: int, turn: int, said: str):
    assert impulse_named(clock, turn) == said


def test_what_time_does_not_end_is_worse_than_what_it_does():
    soon, late, never = Objection("a", "r", "", 9), Objection("b", "r", "", 900), Objection("c", "r")
    assert worst([soon, late]) == worst([late, soon]) == late
    assert worst([late, never, soon]) == never
    assert worst([soon]) == soon
    assert worst([]) is None
