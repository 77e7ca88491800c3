"""What is said of each refusal of cargo, word for word."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from rules_engine.rulebooks.jump_lanes.records.orders import CargoOrder
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot, JumpTransit
from tests.expected.kept import Kept
from tests.rulebooks.jump_lanes.freight import order, refusals, work
from tests.rulebooks.jump_lanes.frontier import frontier, ship, squadron, standing

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
NO_CARGO = "S1: Gaurd is not aboard Squadron S1. Legal: Fly, Team, Wing, census, experience."
NEXT = "Legal: its unloading from the next turn on."
SAID: list[tuple[tuple[str, CargoOrder], str]] = [
    (loads("Yard"), "S1: Yard is a facility, which cannot be cargo (13.3.2). Legal: another kind of unit."),
    (
        loads("Base"),
        "S1: Squadron S1: Base would take Cargo rating 45, and there is 14 1/2 (14.5) left (13.3.1). "
        "Legal: cargo of at most 14 1/2 (14.5).",
    ),
    (loads("Fly"), "S1: Fly is aboard Squadron S1 already (13.3.3). Legal: what is not aboard."),
    (loads("Gnat"), "S1: Gnat is not at Sol (13.3.3). Legal: what a colony or a squadron of yours has there."),
    (
        loads("Guard", None, "S3"),
        "S1: Guard is not at Sol with S3 (13.3.3). Legal: what a colony or a squadron of yours has there.",
    ),
    (loads("Gaurd"), "S1: Gaurd is no unit of yours. Did you mean Guard or Yard?"),
    (
        loads("census", 9),
        "S1: Squadron S1: 9 census points would take Cargo rating 90, and there is 14 1/2 (14.5) left (13.3.1). "
        "Legal: at most 1.",
    ),
    (loads("census", 10), "S1: 9 census points can be embarked there (13.3.3). Legal: at most 9."),
    (loads("census", 1, "S3"), NO_SQUADRON.format("S3")),
    (loads("census", 1, "S1"), NO_SQUADRON.format("S1")),
    (
        loads("census", 1, "S2"),
        "S1: 0 census points can be embarked there (13.3.3). Legal: a colony or squadron that has some to give.",
    ),
    (loads("census", 1, "T2"), "S1: T2 is no squadron of yours. Legal: S2, S4."),
    (loads("Fly", by="S2"), ""),
    (loads("Team", by="S2"), f"S2: Team cannot leave S1: embarked in this turn (13.3.3). {NEXT}"),
    (unloads("census", 2), "S1: Squadron S1 has 1 census point to disembark (13.3.3). Legal: at most 1."),
    (
        unloads("experience", 1),
        f"S1: the experience points aboard Squadron S1 cannot leave: embarked in this turn (13.3.3). {NEXT}",
    ),
    (
        unloads("census", 1, "S2"),
        "S1: Squadron S2: 1 census point would take Cargo rating 10, and there is 5 left (13.3.1). Legal: at most 0.",
    ),
    (unloads("Team"), f"S1: Team cannot leave Squadron S1: embarked in this turn (13.3.3). {NEXT}"),
    (
        unloads("Fly", None, "Nest"),
        "S1: Nest has basing capacity for 1, and Fly takes 2 (13.3.3). Legal: a carrier with capacity left.",
    ),
    (
        unloads("Wing", None, "Nest"),
        "S1: Wing is an aircraft, and carriers base flights (13.3.3). Legal: a squadron or the colony.",
    ),
    (
        unloads("Fly", None, "Gnat"),
        "S1: Gnat is in no squadron at Sol (13.3.3). Legal: a carrier of yours in a squadron there.",
    ),
    (unloads("Gaurd"), NO_CARGO),
    (throws("Gaurd"), NO_CARGO),
    (throws("census", 2), "S1: Squadron S1 carries 1 census point (13.3.3). Legal: at most 1."),
]


@pytest.mark.rule("jump_lanes", "13.3")
@pytest.mark.parametrize(("wanted", "says"), SAID)
def test_what_is_refused_at_sol(wanted: tuple[str, CargoOrder], says: str):
    assert [str(one) for one in refusals(harbour(), wanted)] == ([says] if says else [])


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


ELSEWHERE = "Legal: a colony of yours, or another squadron of yours there."
CHANGED: list[tuple[Change, tuple[str, CargoOrder], str]] = [
    (at_barnard, loads("census", 1), f"S1: there is no colony of yours at Barnard (13.3.3). {ELSEWHERE}"),
    (at_barnard, unloads("census", 1), f"S1: there is no colony of yours at Barnard (13.3.2.1). {ELSEWHERE}"),
    (
        at_barnard,
        loads("census", 1, "S2"),
        "S1: Squadron S2 is no other squadron at Barnard (13.3.3). "
        "Legal: the colony, for no other squadron of yours is there.",
    ),
    (
        at_barnard,
        unloads("Wing"),
        "S1: Wing cannot land: there is no colony of yours at Barnard (13.3.2.3). "
        "Legal: a colony of yours, another squadron there, or for ground units an invasion.",
    ),
    (
        at_barnard,
        unloads("Fly"),
        "S1: Fly has nowhere to be based at Barnard (13.3.3). "
        "Legal: a colony of yours, or a carrier there with basing capacity.",
    ),
    (
        in_rebellion,
        loads("census", 1),
        "S1: Sol is in rebellion, and no census embarks (13.3.2.1). Legal: a colony that is not in rebellion.",
    ),
    (
        in_rebellion,
        unloads("census", 1),
        "S1: Sol is in rebellion, and no census disembarks (13.3.2.1). Legal: a colony that is not in rebellion.",
    ),
    (
        without_experience,
        loads("experience", 1),
        "S1: experience points are not carried in this campaign (13.3.2.3). Legal: units, officers and census.",
    ),
    (
        with_tows,
        loads("Ox", by="S2"),
        "S2: Ox has units in tow (13.4.1). Legal: units that neither tow nor are in tow.",
    ),
    (with_tows, loads("Tow", by="S2"), "S2: Tow is in tow (13.4.1). Legal: units that neither tow nor are in tow."),
    (
        with_a_flight,
        loads("Nest"),
        "S1: flights are based on Nest, and cargo carries nothing (13.3.3, JL-R26). "
        "Legal: its flights somewhere else first.",
    ),
    (
        in_a_lane,
        loads("Guard"),
        "S1: Squadron S1 is in transit and out of communication (13.1.6). "
        "Legal: orders from the turn after its arrival on.",
    ),
    (
        full,
        loads("Iris", by="S4"),
        "S4: without Iris, Squadron S1 carries 25 1/2 (25.5) with a Cargo rating of 15 (13.3.1). "
        "Legal: what Squadron S1 carries somewhere else first.",
    ),
    (
        overfull,
        loads("census", 1, by="S2"),
        "S2: Squadron S2: 1 census point would take Cargo rating 10, and there is 0 left (13.3.1). Legal: at most 0.",
    ),
    (empty, unloads("census"), "S1: Squadron S1 has 0 census points to disembark (13.3.3). Legal: what is aboard."),
    (empty, throws("census"), "S1: Squadron S1 carries 0 census points (13.3.3). Legal: what is aboard."),
]


@pytest.mark.rule("jump_lanes", "13.3")
@pytest.mark.parametrize(("change", "wanted", "says"), CHANGED)
def test_what_is_refused_elsewhere_and_otherwise(change: Change, wanted: tuple[str, CargoOrder], says: str):
    state = harbour()
    change(state)
    assert [str(one) for one in refusals(state, wanted)] == [says]


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
        state,
        loads("Guard"),
        throws("census"),
        throws("Wing"),
        unloads("experience", 2),
        unloads("experience", 1, "S2"),
        unloads("Team", None, "S2"),
        unloads("Eye"),
        unloads("Spare"),
        loads("census", 2, by="S2"),
    )
    assert [one.text for one in done] == kept()


def test_orders_to_a_squadron_that_is_no_more_are_told():
    state = harbour()
    state.units["Argos"].cargo = 50
    found = refusals(state, loads("Nest", by="S2"), loads("Gnat", by="S5"))
    assert [str(one) for one in found] == ["S5: the squadron is no more (13.3.3). Legal: orders to another squadron."]
