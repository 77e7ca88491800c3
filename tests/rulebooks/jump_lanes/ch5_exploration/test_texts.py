"""What is said of refused exploration orders, tows and losses, word for word."""

import pytest

from rules_engine.rulebooks.jump_lanes.ch3_cargo.invasion import judge_invasion
from rules_engine.rulebooks.jump_lanes.ch3_cargo.losses import CargoLoss, judge_loss
from rules_engine.rulebooks.jump_lanes.ch4_towing.tows import judge_tow
from rules_engine.rulebooks.jump_lanes.ch5_exploration.forces import judge_exploration
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot, JumpTransit
from tests.expected.kept import Kept
from tests.rulebooks.jump_lanes.frontier import TERRAN, frontier, ship, squadron, standing


@pytest.fixture
def state() -> LanesState:
    """A survey ship, a tug and a freighter at Ross, and what might be towed."""
    made = frontier()
    squadron(made, "S1", "ross", ship("Probe", science=8), ship("Ox", towing=2), ship("Hermes", cargo=10))
    squadron(made, "S2", "ross", ship("Gnat", siz=2, cargo=10), ship("Bee"))
    standing(made, ship("Base", kind="starbase"), "ross")
    standing(made, ship("Guard", kind="troop"), "ross")
    return made


def explores(state: LanesState, lane: str, *, moves: bool = False) -> list[str]:
    return [str(one) for one in judge_exploration(state, state.squadrons["S1"], state.lanes[lane], "S1", moves=moves)]


IN_TRANSIT = (
    "S1: Squadron S1 is in transit and out of communication (13.1.6). Legal: orders from the turn after its arrival on."
)


@pytest.mark.rule("jump_lanes", "13.5.1")
def test_what_is_said_of_exploration(state: LanesState, kept: Kept):
    assert explores(state, "L4") == ["S1: that lane is explored already (13.5.1). Legal: ross?1."]
    assert explores(state, "L6", moves=True) == kept("explores(state, L6, moves=True)")
    state.units["Probe"].science = 0
    assert explores(state, "L1") == kept("explores(state, L1)")
    state.units["Probe"].science = 8
    state.empires[TERRAN].sights = []
    assert explores(state, "L6") == kept("explores(state, L6)")
    state.squadrons["S1"].transit = JumpTransit.from_json({"lane": "L1", "origin": "sol", "goal": "wolf", "cost": 2})
    assert explores(state, "L6") == [IN_TRANSIT]


def tows(state: LanesState, tugs: str, *towed: str) -> list[str]:
    pulling, pulled = [state.units[key] for key in tugs.split()], [state.units[key] for key in towed]
    return [str(one) for one in judge_tow(state, state.squadrons["S1"], pulling, pulled, "S1")]


@pytest.mark.rule("jump_lanes", "13.4", "13.4.1")
def test_what_is_said_of_tows(state: LanesState, kept: Kept):
    too_weak = "S1: Base in tow takes Towing rating 4, and {} (13.4.1). Legal: at most {}, or more tugs."
    assert tows(state, "Ox", "Base") == [too_weak.format("Ox has 2", 2)]
    assert tows(state, "", "Base") == [too_weak.format("no tug has 0", 0)]
    assert tows(state, "Ox", "Base", "Bee") == kept("tows(state, Ox, Base, Bee)")
    assert tows(state, "Probe Ox", "Bee") == ["S1: Probe has no Towing equipment (13.4). Legal: Ox."]
    state.units["Ox"].crippled = True
    assert tows(state, "Ox")[:1] == []
    assert tows(state, "Ox", "Bee")[0] == "S1: Ox is crippled (13.4). Legal: no tow by this squadron."
    state.units["Ox"].crippled = False
    assert (
        tows(state, "Gnat", "Bee")[0]
        == "S1: Gnat is not of Squadron S1 (13.4.1). Legal: tugs of the squadron that tows."
    )
    assert tows(state, "Ox", "Guard") == kept("tows(state, Ox, Guard)")
    assert tows(state, "", "Guard") == tows(state, "Ox", "Guard"), "it takes no Towing rating"
    assert tows(state, "Ox", "Ox") == ["S1: Ox cannot tow itself (13.4.1). Legal: another unit."]
    assert tows(state, "Ox", "Bee", "Bee")[-1] == "S1: a unit is named twice (13.4.1). Legal: each once."
    state.units["Bee"].towed = True
    assert tows(state, "Ox", "Bee") == kept("tows(state, Ox, Bee)")
    state.units["Bee"].towed, state.units["Bee"].tows = False, True
    assert tows(state, "Ox", "Bee") == kept("tows(state, Ox, Bee) #4")
    state.squadrons["S2"].at = "wolf"
    there = "Legal: units at the same place that are no cargo."
    assert tows(state, "Ox", "Bee") == [f"S1: Bee is not at Ross (13.4.1). {there}"]
    state.put(state.units["Bee"], aboard="S1")
    assert tows(state, "Ox", "Bee") == [f"S1: Bee is cargo (13.4.1). {there}"]
    state.squadrons["S1"].transit = JumpTransit.from_json({"lane": "L1", "origin": "sol", "goal": "wolf", "cost": 2})
    assert tows(state, "Ox", "Base") == [IN_TRANSIT]


@pytest.mark.rule("jump_lanes", "13.4.1")
def test_what_is_said_of_who_leaves_too_little_behind(state: LanesState, kept: Kept):
    state.squadrons["S2"].hold = [HoldLot(kind="census", amount=1)]
    state.units["Ox"].towing = 4
    assert tows(state, "Ox", "Gnat") == kept()
    state.units["Bee"].cargo = 10
    assert tows(state, "Ox", "Gnat") == []
    state.units["Bee"].based_on = "Gnat"  # it would go, too
    assert tows(state, "Ox", "Gnat") != []


def loses(state: LanesState, **lost: object) -> list[str]:
    found = judge_loss(state, state.squadrons["S1"], CargoLoss.model_validate(lost), "S1")
    return [str(one) for one in found]


@pytest.mark.rule("jump_lanes", "13.3.3-loss")
def test_what_is_said_of_losses(state: LanesState, kept: Kept):
    state.squadrons["S1"].hold = [HoldLot(kind="census", amount=2), HoldLot(kind="experience", amount=9)]
    state.put(state.units["Guard"], aboard="S1")
    assert loses(state, census=1) == kept()
    could = "S1: {} could stay aboard (13.3.3). Legal: no more than must be lost."
    assert loses(state, census=1, units=("Guard",), experience=9) == []
    assert loses(state, census=2, units=("Guard",)) == [could.format("Guard")]
    assert loses(state, census=2, experience=2) == [could.format("2 experience points")]
    state.squadrons["S1"].hold = [HoldLot(kind="census", amount=3)]
    state.units["Hermes"].cargo = 15
    assert loses(state, census=3) == [could.format("1 census point")]
    assert loses(state, census=4) == ["S1: Squadron S1 carries 3 census. Legal: at most 3."]
    assert loses(state, units=("Gaurd",)) == ["S1: Gaurd is not aboard Squadron S1. Legal: Guard. Did you mean Guard?"]
    assert loses(state, units=("Guard", "Guard")) == ["S1: a unit is named twice. Legal: each once."]


@pytest.mark.rule("jump_lanes", "13.3.2.3-ground")
def test_what_is_said_of_invasions(state: LanesState, kept: Kept):
    found = judge_invasion(state, state.squadrons["S1"], "sol", "S1", is_seen=True)
    assert [str(one) for one in found] == kept()
