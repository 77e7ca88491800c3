"""Cargo that is lost after combat (13.3.3, Cargo Loss)."""

import pytest

from rules_engine.rulebooks.jump_lanes.ch3_cargo.losses import CargoLoss, excess, judge_loss, lose_cargo, usual_loss
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot
from tests.rulebooks.jump_lanes.freight import rules
from tests.rulebooks.jump_lanes.frontier import frontier, ship, squadron


@pytest.fixture
def state() -> LanesState:
    """Two freighters of Cargo 20 with 2 census points (20), 30 experience points (3), a starship (10), and two troops
    of 2 and 4, worth 9, 5 and 6."""
    made = frontier()
    squadron(made, "S1", "barnard", ship("Hermes", cargo=20), ship("Iris", cargo=20))
    made.squadrons["S1"].hold = [HoldLot(kind="census", amount=2), HoldLot(kind="experience", amount=30)]
    made.put(ship("Gnat", worth=9), aboard="S1")
    made.put(ship("Guard", kind="troop", siz=2, worth=5), aboard="S1")
    made.put(ship("Horse", kind="troop", siz=4, worth=6), aboard="S1")
    return made


def judged(state: LanesState, **lost: object) -> list[str]:
    return rules(judge_loss(state, state.squadrons["S1"], CargoLoss.model_validate(lost), "S1"))


@pytest.mark.rule("jump_lanes", "13.3.3-loss")
def test_nothing_is_lost_while_all_of_it_fits(state: LanesState):
    assert excess(state, state.squadrons["S1"]) == 0
    assert not usual_loss(state, state.squadrons["S1"])
    assert judged(state) == []
    assert judged(state, census=1) == ["13.3.3"]


@pytest.mark.rule("jump_lanes", "13.3.3-loss")
def test_what_does_not_fit_the_adjusted_rating_must_go(state: LanesState):
    state.units["Iris"].crippled = True  # 39 in 20
    assert excess(state, state.squadrons["S1"]) == 19
    assert judged(state, census=1) == ["13.3.3"]
    assert judged(state, census=2) == []
    assert judged(state, units=("Gnat", "Guard", "Horse"), experience=30) == []  # 10, 2, 4 and 3
    assert judged(state, units=("Gnat", "Guard", "Horse"), experience=29) == ["13.3.3"]


@pytest.mark.rule("jump_lanes", "13.3.3-loss")
def test_no_more_than_must_be_lost(state: LanesState):
    state.units["Iris"].crippled = True
    assert judged(state, census=2, units=("Guard",)) == ["13.3.3"]
    assert judged(state, census=2, experience=1) == ["13.3.3"]
    assert judged(state, census=1, units=("Gnat",)) == []
    state.units["Iris"].crippled, state.units["Iris"].cargo = False, 18  # 39 in 38
    assert judged(state, units=("Guard",)) == []
    assert judged(state, experience=10) == []
    assert judged(state, experience=11) == ["13.3.3"]
    assert judged(state, census=2) == ["13.3.3"]


def test_only_what_is_aboard(state: LanesState):
    state.units["Iris"].crippled = True
    assert judged(state, units=("Gaurd",)) == ["malformed"]
    assert judged(state, units=("Guard", "Guard"), census=2) == ["malformed"]
    assert judged(state, census=3) == ["malformed"]
    assert judged(state, experience=31) == ["malformed"]


@pytest.mark.rule("jump_lanes", "13.3.3-loss")
def test_when_nobody_chooses_the_cheapest_goes_first(state: LanesState):
    state.units["Iris"].cargo = 18  # 39 in 38: ten of the experience points
    assert usual_loss(state, state.squadrons["S1"]) == CargoLoss(experience=10)
    state.squadrons["S1"].hold = []
    state.units["Iris"].cargo = 0
    state.units["Hermes"].cargo = 15  # 16 in 15
    assert usual_loss(state, state.squadrons["S1"]) == CargoLoss(units=("Guard",))
    state.units["Hermes"].cargo = 13  # Guard is not enough, and with Horse it could have stayed
    assert usual_loss(state, state.squadrons["S1"]) == CargoLoss(units=("Horse",))
    state.units["Hermes"].cargo = 10
    assert usual_loss(state, state.squadrons["S1"]) == CargoLoss(units=("Guard", "Horse"))


@pytest.mark.rule("jump_lanes", "13.3.3-loss")
def test_the_usual_loss_is_legal_whatever_is_left(state: LanesState):
    for rating in range(40):
        state.units["Hermes"].cargo, state.units["Iris"].cargo = rating, 0
        assert judge_loss(state, state.squadrons["S1"], usual_loss(state, state.squadrons["S1"]), "S1") == []


@pytest.mark.rule("jump_lanes", "13.3.3-loss")
def test_what_is_lost_is_out_of_play_and_said(state: LanesState):
    said = lose_cargo(state, state.squadrons["S1"], CargoLoss(units=("Guard", "Gnat"), census=1, experience=30))
    assert said == "Guard, Gnat, 1 census point, 30 experience points"
    assert [unit.id for unit in state.carried("S1")] == ["Horse"]
    assert state.squadrons["S1"].hold == [HoldLot(kind="census", amount=1)]
    assert lose_cargo(state, state.squadrons["S1"], CargoLoss()) == ""


@pytest.mark.rule("jump_lanes", "13.3.3-loss")
def test_with_the_last_unit_everything_is_lost(state: LanesState):
    for key in ("Hermes", "Iris"):
        state.take_out(state.units[key])
    loss = usual_loss(state, state.squadrons["S1"])
    assert loss == CargoLoss(units=("Gnat", "Guard", "Horse"), census=2, experience=30)
    lose_cargo(state, state.squadrons["S1"], loss)
    assert (state.units, state.squadrons) == ({}, {})
