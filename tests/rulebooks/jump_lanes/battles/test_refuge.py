"""Where a squadron goes that withdraws, and who holds a place (13.2, JL-N14)."""

from collections.abc import Callable

import pytest

from rules_engine.rulebooks.jump_lanes.battles.outcome import held_by_others, refuge, space_units_at
from rules_engine.rulebooks.jump_lanes.records.places import Colony
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from tests.rulebooks.jump_lanes.frontier import ARGO, CENTAURI, TERRAN, frontier, lane, ship, squadron, standing

Change = Callable[[LanesState], object]


def at_ross() -> LanesState:
    """A Terran ship at Ross, whose lanes lead to Barnard for 1, to Wolf 359 for 1/2, and unexplored to Vega."""
    state = frontier(empires=3)
    squadron(state, "T1", "ross", ship("Hermes"))
    state.colonies = {}
    return state


def guarded(place: str) -> Change:
    """Others stand there."""
    return lambda state: standing(state, ship(f"fort of {place}", CENTAURI, kind="starbase"), place)


def settled(place: str, owner: str = TERRAN) -> Change:
    """A colony is there."""
    return lambda state: state.colonies.update({place: Colony(id=place, name=place, at=place, owner=owner)})


def came_from(place: str) -> Change:
    return lambda state: setattr(state.squadrons["T1"], "came_from", place)


def passage(state: LanesState) -> None:
    """The Terrans and Centauri let each other pass."""
    state.empires[TERRAN].stances[CENTAURI] = state.empires[CENTAURI].stances[TERRAN] = "passage"


CASES: dict[str, tuple[list[Change], str | None]] = {
    "the cheapest lane": ([], "wolf"),
    "an own colony before the cheapest": ([settled("barnard")], "barnard"),
    "not a colony of others": ([settled("barnard", CENTAURI)], "wolf"),
    "back where it came from, however far": ([came_from("perseus")], "perseus"),
    "not back to others": ([came_from("wolf"), guarded("wolf")], "barnard"),
    "back to friends": ([came_from("wolf"), guarded("wolf"), passage], "wolf"),
    "not back to the same place": ([came_from("ross")], "wolf"),
    "not to others": ([guarded("wolf")], "barnard"),
    "nowhere among others": ([guarded("wolf"), guarded("barnard")], None),
    "not over what it does not know": ([lambda s: s.empires[TERRAN].places.remove("wolf")], "barnard"),
    "not over what is unexplored": ([guarded("wolf"), guarded("barnard"), settled("vega")], None),
    "not over what takes several turns": (
        [guarded("wolf"), lambda s: setattr(s.lanes["L3"], "lane_class", "minor")],
        None,
    ),
    "as far as its rating": (
        [
            guarded("wolf"),
            lambda s: setattr(s.lanes["L3"], "lane_class", "minor"),
            lambda s: setattr(s.units["Hermes"], "ftl", 2),
        ],
        "barnard",
    ),
    "not without propulsion": ([lambda s: setattr(s.units["Hermes"], "ftl", 0)], None),
    "not by lanes of another kind": ([lambda s: setattr(s.lanes["L4"], "type", "sector")], "barnard"),
    "of equal ones the first": ([lambda s: setattr(s.lanes["L4"], "lane_class", "normal")], "barnard"),
}


@pytest.mark.rule("jump_lanes", "13.2")
@pytest.mark.parametrize(("changes", "goal"), CASES.values(), ids=CASES)
def test_where_a_squadron_withdraws_to(changes: list[Change], goal: str | None):
    state = at_ross()
    for change in changes:
        change(state)
    assert refuge(state, state.squadrons["T1"]) == goal


@pytest.mark.rule("jump_lanes", "13.2")
def test_a_lane_of_engines_is_one_for_those_that_have_them():
    state = frontier(system_maps=True)
    squadron(state, "T1", "sol/mars", ship("Hermes", engines=1, ftl=9))
    state.colonies = {}
    assert refuge(state, state.squadrons["T1"]) is None, "the lane to Earth costs 2"
    state.units["Hermes"].engines = 2
    assert refuge(state, state.squadrons["T1"]) == "sol/earth"


def test_who_holds_a_place():
    state = at_ross()
    assert not held_by_others(state, TERRAN, "ross")
    assert held_by_others(state, CENTAURI, "ross")
    squadron(state, "A1", "wolf", ship("Argo", ARGO))
    state.put(ship("Pod", ARGO, kind="flight"), aboard="A1")
    standing(state, ship("Guards", ARGO, kind="troop"), "wolf")
    standing(state, ship("Moon", ARGO, kind="satellite"), "wolf")
    assert [one.id for one in space_units_at(state, "wolf")] == ["Argo", "Moon"]
    state.take_out(state.units["Argo"])
    state.take_out(state.units["Moon"])
    assert not held_by_others(state, TERRAN, "wolf"), "who stands on the ground holds nothing"


def test_a_lane_that_is_known_at_one_end_alone_is_no_way_out():
    state = at_ross()
    state.lanes["L9"] = lane("L9", "ross", "vega", "major")
    state.index()
    for place in ("wolf", "barnard"):
        guarded(place)(state)
    assert refuge(state, state.squadrons["T1"]) is None
    state.empires[TERRAN].places.append("vega")
    assert refuge(state, state.squadrons["T1"]) == "vega"
