"""Why a posture, a speed or towing is illegal: whole refusals, as a side reads them."""

import pytest

from rules_engine.core.forms.forms import Form, Line
from rules_engine.rulebooks.pq17.ch05_movement.may_lay import lay_refusal
from rules_engine.rulebooks.pq17.ch05_movement.postures import posture_refusals, speed_refusals, tow_refusals
from rules_engine.rulebooks.pq17.ch05_movement.ship_figures import (
    ShipFigures,
    figure_fields,
    figure_refusals,
    give_figures,
    say_figures,
)
from rules_engine.rulebooks.pq17.records.forces import Posture, TowGroup
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.playing.written_scenes import sheet
from tests.rulebooks.pq17.worlds import notation, repair


@pytest.mark.rule("pq17", "5.2.1", "5.2.3.1", "5.2.3.2", "5.2.3.3", "5.2.3.4", "5.5.8", "1.6.3.2")
@cases("force, posture, said")
def test_postures_that_are_refused(force: str, posture: dict[str, bool], said: list[str]) -> None:
    state = notation.world(f"A1 0405 {force}\nA9 0405 BATS base Haven known\nC1 0405 CA ID0")
    tf = state.task_forces["A1"]
    tf.posture = Posture(**posture)
    assert [str(one) for one in posture_refusals(state, tf, "A1.posture")] == [f"A1.posture: {one}" for one in said]


@pytest.mark.rule("pq17", "5.1.2", "5.1.4", "5.1.5", "5.2.3.2", "5.2.3.4", "5.5.5", "5.5.6")
@cases("force, speed, said", "")
def test_speeds_that_are_refused(force: str, speed: str, said: str) -> None:
    state = notation.world(f"A1 0405 {force}\nA9 0405 BATS base Haven known")
    (found,) = speed_refusals(state, state.task_forces["A1"], notation.SPEEDS[speed], "A1.speed")
    assert str(found) == f"A1.speed: {said}"


@pytest.mark.rule("pq17", "5.4.1", "5.4.3", "5.4.4", "5.4.7.3.2")
@cases("tows, said")
def test_towing_that_is_refused(tows: list[tuple[str, list[str]]], said: list[str]) -> None:
    state = notation.world("A1 0405 CA+CL+DD+TUG+POD\nA2 0405 FF")
    state.units["A1.POD"].carried_by = "A1.TUG"
    tf = state.task_forces["A1"]
    tf.tows = [TowGroup(tower=tower, towed=towed) for tower, towed in tows]
    found = [str(one).partition(" Did you mean")[0] for one in tow_refusals(state, tf, "A1.tow")]
    assert found == [f"A1.tow: {one}" for one in said]


@pytest.mark.rule("pq17", "5.4.7.3.2")
def test_no_more_boxes_are_off_than_there_are() -> None:
    state = notation.world("A1 0405 CA+DD")
    tf = state.task_forces["A1"]
    tf.tows = [TowGroup(tower="A1.CA", towed=["A1.DD"], boxes_off={"A1.CA": 31})]
    (found,) = tow_refusals(state, tf, "A1.tow")
    assert str(found) == "A1.tow: 31 warp boxes of A1.CA cannot be off (PQ-17 5.4.7.3.2). Legal: at most its 30."


@pytest.mark.rule("pq17", "5.1.5", "5.2.3.3", "6.3.4.2")
def test_figures_of_ships_are_read_back_or_refused(kept: Kept) -> None:
    """A CL's 16 warp boxes at 2/3 give a practical speed of 24; it has no special sensors. PQ-17 T1."""
    state = notation.world("A1 0405 CL")
    unit = state.units["A1.CL"]
    line = ShipFigures(practical_speed=25, unpowered=("special sensors",))
    assert [str(one) for one in figure_refusals(state, unit, line, "A1.CL")] == kept()
    line = ShipFigures(practical_speed=20, unpowered=("fire control",))
    assert [*say_figures(state, unit, line)] == ["practical speed 20", "fire control cannot be powered"]
    unit.can_power_fire_control = False
    assert [*say_figures(state, unit, ShipFigures(unpowered=()))] == ["fire control can be powered"]


@pytest.mark.rule("pq17", "5.2.3.3", "1.8.12.8")
def test_a_base_that_cannot_power_its_fire_control_is_passive_until_it_can() -> None:
    """Nobody plans its posture."""
    state = notation.world("A9 0303 BATS base Haven known")
    base, haven = state.units["A9.BATS"], state.task_forces["A9"]
    for unpowered, active in ((("fire control",), False), ((), True)):
        give_figures(state, base, ShipFigures(unpowered=unpowered), 0)
        assert haven.posture.active is active


@pytest.mark.rule("pq17", "5.1.5", "5.2.3.3", "6.3.4.2")
@cases("ship, said")
def test_the_figures_that_an_owner_enters(ship: str, said: list[str]) -> None:
    """PQ-17 5.1.5, 5.2.3.3, 6.3.4.2; rulings SPD-2, PST-5, BAS-6."""
    state = notation.world(f"A1 0405 {ship}")
    (unit,) = state.units.values()
    line = Line(key=unit.id, label=unit.name, fields=tuple(figure_fields(state, unit)))
    assert list(sheet(Form(lines=(line,))))[1:] == said


@pytest.mark.rule("pq17", "12.5.1", "12.5.2", "12.5.3.3", "12.5.3.4")
@cases("tf_id, said", "")
def test_who_cannot_lay_mines(tf_id: str, said: str) -> None:
    text = "A9 0303 BATS base Haven known\nA1 0303 CL\nA2 0303 ML\nA3 0405 ML\nA4 0303 ML[fuel=3/4]"
    state = repair.mined(text, mines={"A3.ML": 200, "A4.ML": 200})
    tf = state.task_forces[tf_id]
    assert str(lay_refusal(state, tf, tf.hex, "A1.route")) == f"A1.route: {said}"
