"""What is said of refused orders for cargo, exploration and tows, and of losses, word for word."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from rules_engine.rulebooks.jump_lanes.ch3_cargo.invasion import judge_invasion
from rules_engine.rulebooks.jump_lanes.ch3_cargo.losses import CargoLoss, judge_loss
from rules_engine.rulebooks.jump_lanes.ch4_towing.tows import judge_tow
from rules_engine.rulebooks.jump_lanes.ch5_exploration.forces import judge_exploration
from rules_engine.rulebooks.jump_lanes.records.orders import CargoOrder
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot, JumpTransit
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.rulebooks.jump_lanes.frontier import TERRAN, frontier, order, refusals, ship, squadron, standing, work

Change = Callable[[LanesState], None]


def harbour() -> LanesState:
    """Four squadrons, of which one is elsewhere, and what stands at Sol; turn 2."""
    made = frontier()
    made.turn = 2
    squadron(made, "S1", "sol", ship("Hermes", cargo=15), ship("Iris", cargo=15))
    squadron(made, "S2", "sol", ship("Argos", cargo=5))
    squadron(made, "S3", "wolf", ship("Gnat", basing=1))
    squadron(made, "S4", "sol", ship("Nest", basing=1), ship("Ox", towing=2), ship("Tow"))
    standing(made, ship("Yard", kind="facility"), "sol")
    standing(made, ship("Base", kind="starbase", siz=3), "sol")
    standing(made, ship("Guard", kind="troop"), "sol")
    for key, kind, siz, embarked in (("Fly", "flight", 2, 1), ("Team", "troop", 2, 2), ("Wing", "aircraft", 1, 1)):
        made.put(ship(key, kind=kind, siz=siz), aboard="S1")  # type: ignore[arg-type]
        made.units[key].embarked = embarked
    made.squadrons["S1"].hold = [
        HoldLot(kind="census", amount=1, embarked=1),
        HoldLot(kind="experience", amount=5, embarked=2),
    ]
    return made


def loads(*given: object, by: str = "S1") -> tuple[str, CargoOrder]:
    return by, order("load", *given)  # type: ignore[arg-type]


def unloads(*given: object) -> tuple[str, CargoOrder]:
    return "S1", order("unload", *given)  # type: ignore[arg-type]


def throws(*given: object) -> tuple[str, CargoOrder]:
    return "S1", order("jettison", *given)  # type: ignore[arg-type]


NO_SQUADRON = "S1: Squadron {} is no other squadron at Sol (13.3.3). Legal: S2, S4."


@cases("wanted, says", "")
def test_what_is_refused_at_sol(wanted: tuple[str, CargoOrder], says: str):
    says = evaluated(says, NOTATION)
    assert [str(one) for one in refusals(harbour(), evaluated(wanted, NOTATION))] == ([says] if says else [])


def at_barnard(state: LanesState) -> None:
    state.squadrons["S1"].at = "barnard"


def in_rebellion(state: LanesState) -> None:
    state.colonies["sol"].rebellion = True


def without_experience(state: LanesState) -> None:
    state.rules = state.rules.with_values(experience=False)


def with_tows(state: LanesState) -> None:
    state.units["Argos"].cargo = 50
    state.units["Ox"].tows = state.units["Tow"].towed = True


def with_a_flight(state: LanesState) -> None:
    state.put(ship("Bee", kind="flight"), squadron="S4")
    state.units["Bee"].based_on = "Nest"


def in_a_lane(state: LanesState) -> None:
    state.squadrons["S1"].at = ""
    state.squadrons["S1"].transit = JumpTransit(lane="L1", origin="sol", goal="wolf", cost=Fraction(2))


def full(state: LanesState) -> None:
    state.squadrons["S1"].hold[0].amount = 2
    state.units["Nest"].cargo = 50


def overfull(state: LanesState) -> None:
    state.units["Argos"].cargo = 0
    state.put(ship("Spare", kind="troop"), aboard="S2")


def empty(state: LanesState) -> None:
    state.squadrons["S1"].hold = []


NOTATION = {
    one.__name__: one
    for one in (
        at_barnard, empty, full, in_a_lane, in_rebellion, loads, overfull, throws, unloads, with_a_flight, with_tows,
        without_experience,
    )
} | {"NO_SQUADRON": NO_SQUADRON}  # fmt: skip


@cases("change, wanted, says", "")
def test_what_is_refused_elsewhere_and_otherwise(change: Change, wanted: tuple[str, CargoOrder], says: str):
    state = harbour()
    evaluated(change, NOTATION)(state)
    assert [str(one) for one in refusals(state, evaluated(wanted, NOTATION))] == [says]


def test_of_many_squadrons_six_are_named(kept: Kept):
    state = harbour()
    for number in range(5, 11):
        squadron(state, f"S{number}", "sol", ship(f"Ship {number}"))
    assert [str(one) for one in refusals(state, loads("census", 1, "T2"))] == kept()


def test_what_another_squadron_cannot_take_and_what_an_empty_one_has(kept: Kept):
    state = harbour()
    state.put(ship("Horse", kind="troop", siz=6), aboard="S1")
    state.units["Horse"].embarked = 1
    assert [str(one) for one in refusals(state, unloads("Horse", None, "S2"))] == kept("#1")
    state.units["Horse"].siz = 5
    assert refusals(state, unloads("Horse", None, "S2")) == []
    assert [str(one) for one in refusals(state, ("S2", order("jettison", "Wing")))] == kept("#2")


@pytest.mark.rule("jump_lanes", "13.3")
def test_what_is_done_is_said(kept: Kept):
    state = harbour()
    state.units["Argos"].cargo = 50
    state.put(ship("Eye", kind="satellite"), aboard="S1")
    state.put(ship("Spare"), aboard="S1")
    state.turn = 3
    done = work(
        state, loads("Guard"), throws("census"), throws("Wing"), unloads("experience", 2),
        unloads("experience", 1, "S2"), unloads("Team", None, "S2"), unloads("Eye"), unloads("Spare"),
        loads("census", 2, by="S2"),
    )  # fmt: skip
    assert [one.text for one in done] == kept()


def test_orders_to_a_squadron_that_is_no_more_are_told():
    state = harbour()
    state.units["Argos"].cargo = 50
    found = refusals(state, loads("Nest", by="S2"), loads("Gnat", by="S5"))
    assert [str(one) for one in found] == ["S5: the squadron is no more (13.3.3). Legal: orders to another squadron."]


# --- texts -----------------------------------------------------------------------------------------------------------
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
    return [str(one) for one in judge_loss(state, state.squadrons["S1"], CargoLoss.model_validate(lost), "S1")]


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
    assert [str(one) for one in judge_invasion(state, state.squadrons["S1"], "sol", "S1", is_seen=True)] == kept()
