"""What is said of each mistake on a sheet that menus would not let one make, word for word."""

from collections.abc import Callable
from typing import Any

import pytest

from rules_engine.rulebooks.jump_lanes.plotting.asking import sheet_ask
from rules_engine.rulebooks.jump_lanes.plotting.names import Names
from rules_engine.rulebooks.jump_lanes.plotting.routes import MOST_LEGS, read_route
from rules_engine.rulebooks.jump_lanes.records.orders import LaneSheet, RouteLegOrder
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from tests.expected.kept import Kept, cases
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, ship, squadron, standing

Lines = dict[str, dict[str, Any]]


def busy() -> LanesState:
    """Merchants of two ships, a tug with company and a sloop at Sol, a seeker at Ross, and guards at Sol."""
    state = frontier()
    squadron(state, "T1", "sol", ship("hermes", cargo=20, name="Hermes"), ship("iris", name="Iris")).name = "Merchants"
    squadron(state, "T2", "sol", ship("tug", towing=4, ftl=3, name="Tug"), ship("wasp", ftl=2, name="Wasp"))
    squadron(state, "T3", "ross", ship("seeker", science=16, ftl=4, name="Seeker"))
    squadron(state, "T4", "sol", ship("sloop", engines=3, ftl=0, name="Sloop"))
    standing(state, ship("guards", kind="troop", ftl=0, siz=2, name="Guards"), "sol")
    return state


def told(state: LanesState, lines: Lines) -> list[str]:
    """What is refused of a sheet."""
    return [str(one) for one in sheet_ask(state, TERRAN).check(LaneSheet.model_validate(lines))]


UNITS = "Legal: census, experience, or a unit of yours such as Guards, Hermes, Iris or 4 more."


@cases("lines, says")
def test_what_is_refused(lines: Lines, says: str):
    state = busy()
    before = state.to_json()
    assert told(state, lines) == [says]
    assert state.to_json() == before


def without_lanes(state: LanesState) -> None:
    """Nothing leads from Sol as far as the Terrans know."""
    state.empires[TERRAN].places = ["sol", "vega"]


def laden(state: LanesState) -> None:
    """Hermes carries all that the merchants have."""
    state.put(ship("horse", kind="troop", ftl=0, siz=20, name="Horse"), aboard="T1")


CHANGED: list[tuple[Callable[[LanesState], None], Lines, str]] = [
    (
        without_lanes,
        {"T1": {"go": "Vega"}},
        "T1.go: no lanes that you know lead from Sol to Vega (13.1). Legal: from there: no lane from there.",
    ),
    (
        without_lanes,
        {"T1": {"route": "Vega"}},
        "T1.route: no lane that you know leads from Sol to Vega (13.1). Legal: no lane from there.",
    ),
    (
        laden,
        {"T1": {"detach": ("hermes",)}},
        "T1.detach: without them Merchants, left with Iris, carries too much (13.3.1). "
        "Legal: units that its cargo does not need.",
    ),
]


@pytest.mark.parametrize(("change", "lines", "says"), CHANGED)
def test_what_is_refused_otherwise(change: Callable[[LanesState], None], lines: Lines, says: str):
    state = busy()
    change(state)
    assert told(state, lines) == [says]


def test_of_a_place_to_which_no_way_is_known_nothing_else_is_said(kept: Kept):
    """The route that stands is not taken away by a mistake, so that its cargo is no mistake as well."""
    state = busy()
    state.empires[TERRAN].places.append("vega")
    merchants = state.squadrons["T1"]
    merchants.orders.legs = [RouteLegOrder(lane="L2", to="barnard")]
    assert told(state, {"T1": {"go": "Vega", "load": "1 census at Barnard"}}) == kept()


@pytest.mark.rule("jump_lanes", "13.1.2", "13.1.5")
def test_who_cannot_go_a_squadrons_standing_route_does_not_join_it():
    """Hermes has no drive and joins a squadron whose route stands, whether the sheet says more of that one or not."""
    state = busy()
    state.units["hermes"].ftl = 0
    state.squadrons["T2"].orders.legs = [RouteLegOrder(lane="L2", to="barnard")]
    joins: Lines = {"T1": {"join": "T2"}}
    for lines in (joins, {**joins, "T2": {"detach": ()}}):
        assert told(state, lines) == [
            "T2.route: Hermes has no FTL for interstellar lanes (13.1.2). "
            "Legal: units with FTL, or others in tow or as cargo."
        ]


def test_who_is_on_a_planet_is_told_to_go_to_the_outskirts_first():
    state = frontier(system_maps=True)
    squadron(state, "T1", "sol/earth", ship("hermes", intergalactic=1, name="Hermes"))
    for goal, rules in (("Barnard", "13.1.2, 13.1.3"), ("Mirach", "13.1.4")):
        assert told(state, {"T1": {"route": goal}}) == [
            f"T1.route: Earth is a planet, and other systems are reached from the outskirts ({rules}). "
            "Legal: first Sol. Did you mean Sol?"
        ]
    assert told(state, {"T1": {"route": "Sol > Mirach"}}) == []


def test_a_name_of_several_is_refused_with_their_ids():
    names = Names("place", [("Haven", "haven"), ("haven", "old-haven"), ("Haven", "haven"), ("Port", "port")])
    assert names.read("port", "x") == ("port", [])
    found, refusals = names.read("HAVEN", "T1.go")
    assert found == ""
    assert [str(one) for one in refusals] == ["T1.go: “HAVEN” could be several. Did you mean haven or old-haven?"]
    nothing = Names("place", [])
    assert [str(one) for one in nothing.read("x", "T1.go")[1]] == ["T1.go: you know no place “x”"]


def test_a_route_has_sixty_steps_and_no_more():
    state = busy()
    there_and_back = ["Barnard", "Sol"] * (MOST_LEGS // 2)
    read = read_route(state, TERRAN, "sol", " > ".join(there_and_back), "x")
    assert (len(read.legs), read.refusals) == (60, [])
    read = read_route(state, TERRAN, "sol", " > ".join([*there_and_back, "Barnard"]), "x")
    assert [str(one) for one in read.refusals] == ["x: a route has at most 60 steps"]


def test_others_squadrons_are_no_groups_to_command():
    state = busy()
    squadron(state, "C1", "sol", ship("raider", CENTAURI))
    assert told(state, {"C1": {"go": "Sol"}}) == ["C1: you command no such group. Legal: T1, T2, T3, T4."]
