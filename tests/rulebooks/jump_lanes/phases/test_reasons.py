"""The rule that each report gives as its reason, what dice are called, and what stands in the ledger."""

from collections.abc import Callable

import pytest

from rules_engine.rulebooks.jump_lanes.battles.ground import invasions_steps
from rules_engine.rulebooks.jump_lanes.campaign.boundaries import close_turn
from rules_engine.rulebooks.jump_lanes.campaign.reinforcements import bring_reinforcements
from rules_engine.rulebooks.jump_lanes.campaign.scoring import score_cargo, score_surveys
from rules_engine.rulebooks.jump_lanes.campaign.victory import ending
from rules_engine.rulebooks.jump_lanes.ch3_cargo.working import CargoWork
from rules_engine.rulebooks.jump_lanes.ch5_exploration.checks import Explored, explore
from rules_engine.rulebooks.jump_lanes.phases.cargo import move_cargo
from rules_engine.rulebooks.jump_lanes.phases.movement import movement_steps
from rules_engine.rulebooks.jump_lanes.plotting.carrying_out import carry_out_sheets
from rules_engine.rulebooks.jump_lanes.records.orders import CargoOrder, LaneSheet, RouteLegOrder
from rules_engine.rulebooks.jump_lanes.records.state import LaneReinforcement, LanesState
from rules_engine.rulebooks.jump_lanes.tables.exploration import peril
from tests.expected.kept import Kept
from tests.rulebooks.jump_lanes.freight import order
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, ship, squadron, standing
from tests.rulebooks.jump_lanes.plays import Play, begin, fates

Playing = Callable[[LanesState], Play]


def treaty(state: LanesState) -> Play:
    play = begin(state)
    sheets = {TERRAN: LaneSheet.model_validate({CENTAURI: {"stance": "war"}})}
    carry_out_sheets(play.turn, sheets)
    return play


def cargo(state: LanesState) -> Play:
    """One order is carried out, one is refused."""
    state.squadrons["T1"].orders.cargo = [order("load", "census", 1), order("jettison", "experience", 1)]
    play = begin(state)
    move_cargo(play.turn)
    return play


def movement(state: LanesState, *legs: tuple[str, str]) -> Play:
    state.squadrons["T1"].orders.legs = [RouteLegOrder(lane=lane, to=to) for lane, to in legs]
    play = begin(state)
    play.run(movement_steps(play.turn, ()), fates())
    return play


def exploration(state: LanesState, *, check: int, struck: int = 1) -> Play:
    squadron(state, "T2", "ross", ship("Probe", science=8), ship("Lens"))
    state.squadrons["T2"].orders.explore = "L6"
    play = begin(state, check=[check], peril=[6], struck=[struck], **{"class": [1]})
    explore(play.turn)
    return play


def invasion(state: LanesState) -> Play:
    squadron(state, "T2", "ross", ship("Hold", cargo=9)).orders.invade = True
    state.put(ship("Team", kind="troop"), aboard="T2")
    play = begin(state)
    play.run(invasions_steps(play.turn), fates())
    return play


def end(state: LanesState) -> Play:
    """Somebody is in supply again, a colony is founded, points are scored, and Centauri is out of play."""
    state.units["Hermes"].out_of_supply = True
    state.colonies["ross"].owner = ""
    standing(state, ship("Base", kind="starbase"), "barnard")
    play = begin(state)
    close_turn(play.turn)
    return play


def reinforcements(state: LanesState) -> Play:
    one = LaneReinforcement(turn=1, empire=TERRAN, at="sol", name="Reserve", units=[ship("Nest")])
    state.reinforcements = [one]
    play = begin(state)
    bring_reinforcements(play.turn)
    return play


def withdrawal(state: LanesState) -> Play:
    squadron(state, "C1", "sol", ship("Raider", CENTAURI))
    play = begin(state)
    play.run(movement_steps(play.turn, ()), fates(Raider="withdrew"))
    return play


CASES: list[tuple[Playing, set[tuple[str, str]]]] = [
    (treaty, {("treaty", "13.2, JL-R19")}),
    (cargo, {("cargo", "13.3.3")}),
    (lambda state: movement(state, ("L2", "barnard")), {("movement", "13.1.5")}),
    (lambda state: movement(state, ("L1", "wolf")), {("movement", "13.1.6")}),
    (lambda state: exploration(state, check=1), {("exploration", "13.5.2, JL-R36"), ("survey", "13.5.2, JL-R41")}),
    (lambda state: exploration(state, check=95), {("exploration", "13.5.2, JL-R36"), ("peril", "13.5.2, JL-R38")}),
    (invasion, {("invasion", "13.3.2.3, JL-N15")}),
    (end, {("supply", "JL-N39"), ("colony", "JL-N41"), ("score", "JL-N44"), ("out of play", "JL-N42")}),
    (reinforcements, {("reinforcements", "JL-N43")}),
    (withdrawal, {("contact", "JL-R42"), ("battle", "13.2"), ("battle", "G-6"), ("movement", "JL-N14")}),
]


@pytest.mark.parametrize(("play", "reasons"), CASES)
def test_reports_say_by_which_rule(play: Playing, reasons: set[tuple[str, str]]):
    state = frontier()
    squadron(state, "T1", "sol", ship("Hermes", cargo=20))
    found = {(one.kind, one.why.rule) for one in play(state).turn.shared.reports if one.why is not None}
    assert found == reasons


def test_cargo_that_stays_as_it_is_is_told_by_which_rule():
    """Of what is not aboard no rule says anything but that of all cargo."""
    state = frontier()
    squadron(state, "T1", "sol", ship("Hermes", cargo=20))
    state.colonies["sol"].rebellion = True
    state.squadrons["T1"].orders.cargo = [order("unload", "guards"), order("load", "census", 1)]
    play = begin(state)
    move_cargo(play.turn)
    assert [(one.text, one.why.rule) for one in play.turn.shared.reports if one.why is not None] == [
        ("Cargo stays as it is: guards is not aboard Squadron T1.", "13.3.3"),
        ("Cargo stays as it is: Sol is in rebellion, and no census embarks.", "13.3.2.1"),
    ]


def test_who_is_stopped_is_told_by_which_rules():
    state = frontier()
    squadron(state, "T1", "sol", ship("Hermes"))
    squadron(state, "C1", "barnard", ship("Raider", CENTAURI))
    reports = movement(state, ("L2", "barnard")).turn.shared.reports
    assert [one.why.rule for one in reports if one.kind == "movement" and one.why is not None] == ["13.1.5, 13.2"]


def test_a_survey_that_another_completed_in_the_same_turn_has_its_own_reason():
    state = frontier()
    squadron(state, "T1", "ross", ship("Probe", science=8)).orders.explore = "L6"
    squadron(state, "C1", "vega", ship("Lens", CENTAURI, science=8)).orders.explore = "L6"
    play = begin(state, check=[1, 1], **{"class": [1]})
    explore(play.turn)
    reasons = [one.why.rule for one in play.turn.shared.reports if one.kind == "survey" and one.why is not None]
    assert reasons == ["13.5.2, JL-R41", "13.5.2, JL-N40"]


def test_what_dice_are_called():
    state = frontier()
    squadron(state, "T1", "sol", ship("Hermes"))
    found = {one.purpose: (one.label.lstrip("/"), one.faces) for one in exploration(state, check=95).turn.shared.rolls}
    assert found == {
        "exploration of ross?1": ("check/terran/ross?1", 100),
        "peril": ("peril/terran/ross?1", 10),
        "which unit": ("struck/terran/ross?1", 2),
    }
    state = frontier()
    found = {one.purpose: (one.label.lstrip("/"), one.faces) for one in exploration(state, check=1).turn.shared.rolls}
    assert found["class of the lane from Ross to Vega"] == ("class/ross/vega", 10)


def test_the_dice_of_those_who_pass_each_other():
    state = frontier()
    state.rules = state.rules.with_values(passing_encounters=True)
    squadron(state, "T1", "sol", ship("Hermes")).orders.legs = [RouteLegOrder(lane="L2", to="barnard")]
    squadron(state, "C1", "barnard", ship("Raider", CENTAURI)).orders.legs = [RouteLegOrder(lane="L2", to="sol")]
    play = begin(state, passing=[6])
    play.run(movement_steps(play.turn, ()), fates())
    (roll,) = play.turn.shared.rolls
    assert (roll.purpose, roll.label.lstrip("/"), roll.faces, roll.seen_by) == (
        "passing encounter",
        "passing/L2/T1/C1",
        10,
        frozenset(),
    )


def test_what_stands_in_the_ledger(kept: Kept):
    state = frontier()
    squadron(state, "T1", "sol", ship("Hermes", cargo=20))
    standing(state, ship("Base", kind="starbase"), "barnard")
    score_surveys(state, [Explored(TERRAN, "major success", "minor"), Explored(TERRAN, "minor success")])
    score_cargo(state, [CargoWork("T1", CargoOrder(action="unload", what="census"), "sol", landed=2)])
    play = begin(state)
    close_turn(play.turn)
    own = [(one.what, one.points, one.turn) for one in state.ledger if one.empire == TERRAN]
    assert own == kept()
    assert play.told(TERRAN, "score") == [
        "Terran scores 11 points in turn 1: 2 for survey of a minor lane, 2 for census at Sol, 2 for 2 systems held, "
        "5 for starbase at Barnard. Now 11."
    ]


def test_where_all_are_out_of_play_nobody_has_won():
    state = frontier()
    for empire in state.empires.values():
        empire.out = True
    found = ending(state)
    assert found is not None
    assert (found.winners, found.text, found.rule) == ((), "Everybody is out of play. Nobody has won.", "JL-N42")


@pytest.mark.parametrize("rolled", [0, 11])
def test_the_peril_table_has_nothing_else(rolled: int):
    with pytest.raises(ValueError, match=f"the table goes from 1 to 10, and has no {rolled}"):
        peril(rolled)
