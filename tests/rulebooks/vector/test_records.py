"""What records hold where nothing is said, what must never be true of them, and what judging may go by."""

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.vector import RULEBOOK
from rules_engine.rulebooks.vector.campaign.deeds import Deed
from rules_engine.rulebooks.vector.ch2_energy.paying import Bill
from rules_engine.rulebooks.vector.invariants import defects
from rules_engine.rulebooks.vector.records.happenings import Happened
from rules_engine.rulebooks.vector.records.known import known_to
from rules_engine.rulebooks.vector.records.objections import Objection, impulse_named, worst
from rules_engine.rulebooks.vector.records.plots import PlotCondition, PlotEvent, UnitPlot
from rules_engine.rulebooks.vector.records.reports import UnitReport
from rules_engine.rulebooks.vector.records.ships import FlightFigures, VectorShip
from rules_engine.rulebooks.vector.records.state import VectorCaptain, VectorState, by_code
from rules_engine.rulebooks.vector.records.tactical import Tactical, TacticalTerrain, TractorLink
from rules_engine.rulebooks.vector.records.vectors import Vector
from rules_engine.rulebooks.vector.typed.names import BattleNames
from tests.expected.kept import cases
from tests.expected.spelling import evaluated
from tests.rulebooks.vector.duel import CRUISER, HUNTERS, RACERS, ship, three
from tests.rulebooks.vector.duels import duel
from tests.rulebooks.vector.scenarios import NAMES, opened

EVENT = {"action": "accelerate"}
REPORT = {"by": "H1", "unit": "H1", "what": "lost"}


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
        (), None, "", "", (), None, None,
    )  # fmt: skip
    assert Bill() == (0, 0, 0)
    assert Deed(what="away", unit="C1", impulse=3).number == 0
    assert (PlotEvent.model_validate(EVENT).amount, UnitPlot().warp, UnitPlot().impulse) == (0, None, None)
    report = UnitReport.model_validate(REPORT)
    assert (report.number, report.amount, report.power, report.resistance) == (0, 0, 0, 0)
    condition = PlotCondition(within=3)
    assert (condition.unit, condition.first, condition.last) == ("", 1, 32)


def test_units_are_sorted_by_letters_then_by_number():
    codes = ["T10", "T9", "T2", "S11", "T0", "T29", "T", "T2b", "t1", "T1"]
    assert sorted(codes, key=by_code) == ["t1", "S11", "T", "T0", "T1", "T2", "T2b", "T9", "T10", "T29"]
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


# --- invariants ------------------------------------------------------------------------------------------------------
def world() -> VectorState:
    state = duel("C1 courier 0410 8C | C2 courier 0412 0 | H1 hunter 2020 2A", turn=3, buoys=("0101",))
    state.battle.units["C2"].aboard = "C1"
    return state


def unit(key: str, **values: object) -> Callable[[VectorState], None]:
    def change(state: VectorState) -> None:
        for name, value in values.items():
            setattr(state.battle.units[key], name, value)

    return change


def captain(key: str, **values: object) -> Callable[[VectorState], None]:
    def change(state: VectorState) -> None:
        for name, value in values.items():
            setattr(state.captains[key], name, value)

    return change


def battle(**values: object) -> Callable[[VectorState], None]:
    def change(state: VectorState) -> None:
        for name, value in values.items():
            setattr(state.battle, name, value)

    return change


def links(*pairs: tuple[str, str]) -> Callable[[VectorState], None]:
    return battle(tractors=[TractorLink(one=one, other=other) for one, other in pairs])


NOTATION = {one.__name__: one for one in (PlotCondition, PlotEvent, UnitReport, Vector, battle, captain, links, unit)}


@cases("change, said", "")
def test_what_is_impossible_is_found(change: Callable[[VectorState], None], said: str):
    state = world()
    evaluated(change, NOTATION)(state)
    assert said in defects(state)


def test_nothing_else_is():
    state = world()
    state.battle.units["H1"].warp_used = 30
    state.battle.units["H1"].moved = {"A": 0}
    state.battle.units["H1"].count_from = 32
    state.battle.units["H1"].impulse_used = 1
    state.battle.units["H1"].accelerated_on = state.battle.units["H1"].turned_on = state.battle.clock
    state.captains["c"].passed = {"C1": 1, "C2": 0}
    state.captains["c"].done_on = state.battle.clock
    assert list(defects(state)) == []


@pytest.mark.parametrize("name", NAMES)
def test_what_comes_with_the_bot_is_possible(name: str):
    assert list(defects(opened(name))) == []


# --- known -----------------------------------------------------------------------------------------------------------
def test_of_others_only_what_shows_is_known() -> None:
    battle = three(tractors=[TractorLink(one="H1", other="R1", power={"H1": 3, "R1": 2}, controller="H1")])
    other = battle.units["R1"]
    other.path, other.no_thrust_until, other.accelerated_on, other.half_left = "A", 40, 7, 3
    known = known_to(battle, HUNTERS)
    seen = known.units["R1"]
    assert (seen.at, seen.facing, seen.vector, seen.name, seen.side) == ("1008", "A", other.vector, "Courier", RACERS)
    assert seen.figures == FlightFigures(size_class=CRUISER.size_class, form="ship", move_cost=CRUISER.move_cost)
    assert ((seen.warp_left, seen.warp_used, seen.impulse_left, seen.reserve_left, seen.half_left)) == (0, 0, 0, 0, 0)
    assert (seen.path, seen.no_thrust_until, seen.accelerated_on) == ("", 0, 0)
    assert known.units["H1"] == battle.units["H1"]
    assert known.units["H1"] is not battle.units["H1"]
    assert known.units["D1"].aboard == "H1"
    assert "D1" not in known_to(battle, RACERS).units
    assert [one.power for one in known.tractors] == [{"H1": 3}]
    assert [one.power for one in battle.tractors] == [{"H1": 3, "R1": 2}]


def test_names_are_codes_and_what_no_two_units_are_called() -> None:
    battle = three()
    battle.units |= {"H3": ship("H3", "0101", name="Falcon"), "R2": ship("R2", "0101", aboard="R1", name="Pod")}
    names = BattleNames(battle, HUNTERS)
    assert names.seen == {"h1": "H1", "h2": "H2", "h3": "H3", "r1": "R1", "kestrel": "H1", "courier": "R1"}
    assert (names.friendly, names.aboard) == ({"h1": "H1", "h2": "H2", "h3": "H3", "kestrel": "H1"}, {"d1": "D1"})
    battle.allies = [[HUNTERS, RACERS]]
    assert BattleNames(battle, HUNTERS).friendly["r1"] == "R1"


# --- odds ------------------------------------------------------------------------------------------------------------
def test_nobody_is_asked_for_odds_and_who_asks_is_refused():
    with pytest.raises(Refused) as refused:
        RULEBOOK.odds(opened(), "courier", Knowledge(), "C1", "H1")
    assert [str(one) for one in refused.value.refusals] == ["own: this rulebook has no odds"]
