"""What may be reported, in which words, and what it does."""

import pytest

from rules_engine.rulebooks.vector.accounts.carrying import carry_out_loss
from rules_engine.rulebooks.vector.accounts.judging import reports_of
from rules_engine.rulebooks.vector.accounts.reading import read_reports, write_report
from rules_engine.rulebooks.vector.accounts.saying import say_report
from rules_engine.rulebooks.vector.records.known import known_to
from rules_engine.rulebooks.vector.records.reports import UnitReport
from rules_engine.rulebooks.vector.records.sheets import PlotLine, PlotSheet
from rules_engine.rulebooks.vector.records.tactical import TractorLink
from rules_engine.rulebooks.vector.typed.names import BattleNames
from tests.expected.kept import cases
from tests.rulebooks.vector.duel import HUNTERS, RACERS, three


@cases("said, written, words")
def test_what_is_reported_is_written_and_read_again(said: str, written: str, words: str) -> None:
    battle = three()
    names = BattleNames(battle, HUNTERS)
    found, refusals = read_reports(names, "H1", said)
    assert refusals == []
    assert [(write_report(one), say_report(battle, one)) for one in found] == [(written, words)]
    assert read_reports(names, "H1", written) == (found, [])


@cases("said, told")
def test_what_cannot_be_so_is_refused(said: str, told: str) -> None:
    battle = known_to(three(), HUNTERS)
    _, refusals = reports_of(battle, HUNTERS, PlotSheet({"H1": PlotLine(report=said)}))
    assert any(told in str(one) for one in refusals), [*map(str, refusals)]


def test_all_that_is_left_may_be_lost_and_each_unit_has_its_own_fate() -> None:
    for said in ("lost 30 warp", "destroyed; R1 disengaged", "shield 3 lost 22"):
        found, refusals = reports_of(known_to(three(), HUNTERS), HUNTERS, PlotSheet({"H1": PlotLine(report=said)}))
        assert (len(found), refusals) == (len(said.split(";")), [])


@pytest.mark.rule("vector", "CJD1.55")
def test_a_unit_in_a_tractor_is_caught_by_no_other_and_let_go_by_name() -> None:
    battle = three(tractors=[TractorLink(one="H1", other="R1", power={"H1": 3, "R1": 1}, controller="H1")])

    def told(unit: str, said: str) -> list[str]:
        _, refusals = reports_of(known_to(battle, HUNTERS), HUNTERS, PlotSheet({unit: PlotLine(report=said)}))
        return [str(one) for one in refusals]

    assert "R1 is in a tractor already (CJD1.55)" in told("H2", "tractor R1 2 to 1")[0]
    assert told("H1", "released H2")[0].startswith(
        "H1.report: H1 is in a tractor with R1. Legal: released R1. Did you "
    )
    assert told("H1", "released R1") == told("H1", "released") == []


@pytest.mark.rule("vector", "CJD1.51")
def test_a_weasel_flies_once() -> None:
    battle = three()
    battle.units["H1"].weasel = "out"

    def told(said: str) -> list[str]:
        _, refusals = reports_of(known_to(battle, HUNTERS), HUNTERS, PlotSheet({"H1": PlotLine(report=said)}))
        return [str(one) for one in refusals]

    assert told("weasel launched") == ["H1.report: H1 has a wild weasel out (CJD1.51). Legal: weasel voided."]
    assert told("weasel voided") == []


@pytest.mark.rule("vector", "CJD1.21")
def test_losses_are_taken_from_figures_and_from_points_not_used() -> None:
    """30 warp at a move cost of 1 are 30 points; 12 used, 18 left: of 10 engines lost, 8 points are left."""
    battle = three()
    ship = battle.units["H1"]
    ship.warp_left, ship.warp_used = 18, 12

    def lose(system: str, amount: int, number: int = 0) -> None:
        fields = {"by": "H1", "unit": "H1", "what": "lost", "system": system, "amount": amount, "number": number}
        carry_out_loss(battle, UnitReport.model_validate(fields))

    lose("warp", 10)
    assert (ship.figures.warp, ship.figures.total_power, ship.warp_left, ship.warp_used) == (20, 26, 8, 12)
    lose("warp", 20)
    assert (ship.figures.warp, ship.figures.total_power, ship.warp_left) == (0, 6, 0)
    lose("impulse", 3)
    assert (ship.figures.impulse, ship.figures.total_power, ship.impulse_left) == (1, 3, 1)
    lose("impulse", 1)
    assert (ship.figures.impulse, ship.figures.total_power, ship.impulse_left) == (0, 2, 0)
    lose("power", 2)
    assert ship.figures.total_power == 0
    ship.figures = ship.figures.with_values(warp=5)
    lose("warp", 2)
    assert (ship.figures.warp, ship.figures.total_power) == (3, 0)
    lose("reserve", 3)
    assert (ship.figures.reserve, ship.reserve_left) == (1, 1)
    lose("shield", 8, 2)
    assert ship.figures.shields == (30, 16, 22, 20, 22, 24)


def test_others_reports_are_of_units_that_their_captains_see() -> None:
    battle = three()
    battle.units["H2"].waits_for = 4
    _, refusals = reports_of(known_to(battle, RACERS), RACERS, PlotSheet({"R1": PlotLine(report="destroyed H2")}))
    assert str(refusals[0]).startswith("R1.report: “destroyed H2”: there is no unit “H2”.")
