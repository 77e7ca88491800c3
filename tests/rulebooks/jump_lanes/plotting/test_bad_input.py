"""What a sheet may not say: refused with its rule, with what would be legal, all at once, and nothing half applied."""

from fractions import Fraction

import pytest

from rules_engine.rulebooks.jump_lanes.plotting.asking import sheet_ask
from rules_engine.rulebooks.jump_lanes.records.orders import LaneSheet
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import JumpTransit
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, ship, squadron, standing
from tests.rulebooks.jump_lanes.sheets import refused, said


def busy() -> LanesState:
    """Hermes, which carries; tugs; an explorer at Ross; a base and a dock at Sol; others there as well."""
    state = frontier()
    squadron(state, "T1", "sol", ship("hermes", cargo=20, name="Hermes")).name = "Hermes"
    squadron(state, "T2", "sol", ship("tug", towing=4, ftl=3, name="Tug"), ship("wasp", ftl=2, name="Wasp"))
    squadron(state, "T3", "ross", ship("seeker", science=16, ftl=4, name="Seeker"))
    squadron(state, "T4", "sol", ship("sloop", engines=3, ftl=0, name="Sloop"))
    standing(state, ship("base", kind="starbase", siz=1, ftl=0, engines=0, name="Base"), "sol")
    standing(state, ship("bastion", kind="starbase", siz=2, ftl=0, engines=0, name="Bastion"), "sol")
    standing(state, ship("dock", kind="facility", ftl=0, name="Dock"), "sol")
    standing(state, ship("guards", kind="troop", ftl=0, siz=2, name="Guards"), "sol")
    squadron(state, "C1", "sol", ship("c1", CENTAURI, name="Stranger"))
    standing(state, ship("c2", CENTAURI, kind="troop", name="Strangers"), "sol")
    return state


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param(
            "T4: route Barnard",
            "T4.route: Sloop has no FTL for interstellar lanes (13.1.2). "
            "Legal: units with FTL, or others in tow or as cargo.",
            marks=pytest.mark.rule("jump_lanes", "13.1.2"),
            id="a lane without the equipment",
        ),
        pytest.param(
            "T4: route Perseus",
            "T4.route: Sloop has no FTL for sector lanes (13.1.3). "
            "Legal: units with FTL, or others in tow or as cargo.",
            marks=pytest.mark.rule("jump_lanes", "13.1.3"),
            id="a sector lane without the equipment",
        ),
        pytest.param(
            "T1: go Mirach",
            "T1.go: Hermes has no Intergalactic for intergalactic lanes (13.1.4). "
            "Legal: units with Intergalactic, or others in tow or as cargo.",
            marks=pytest.mark.rule("jump_lanes", "13.1.4"),
            id="an intergalactic lane without the equipment",
        ),
        pytest.param(
            "T3: route Vega",
            "T3.route: you know no place “Vega”. Legal: a place such as Sol, Wolf 359, Barnard or 3 more.",
            id="a place that is not known",
        ),
        pytest.param(
            "T3: route ross?1",
            "T3.route: an unexplored lane cannot be crossed (13.5). Legal: an exploration order for it.",
            marks=pytest.mark.rule("jump_lanes", "13.5"),
            id="an unexplored lane",
        ),
        pytest.param(
            "T1: go wolf; route Barnard",
            "T1.go: a group has one movement order in a turn (13.1.5, 13.1.6). "
            "Legal: a place to go to, or a route in words.",
            marks=pytest.mark.rule("jump_lanes", "13.1.5", "13.1.6"),
            id="a second order in an extended jump",
        ),
        pytest.param(
            "T1: load 3 census",
            "T1.load: Hermes: 3 census points would take Cargo rating 30, and there is 20 left (13.3.1). "
            "Legal: at most 2.",
            marks=pytest.mark.rule("jump_lanes", "13.3.1"),
            id="too much cargo",
        ),
        pytest.param(
            "T1: load 1 census; unload 1 census",
            "T1.unload: census would be embarked and disembarked in the same turn (13.3.3). "
            "Legal: disembarking from the next turn on.",
            marks=pytest.mark.rule("jump_lanes", "13.3.3-embarking"),
            id="unloading in the turn of loading",
        ),
        pytest.param(
            "T1: load Guards; unload Guards",
            "T1.unload: Guards would be embarked and disembarked in the same turn (13.3.3). "
            "Legal: disembarking from the next turn on.",
            marks=pytest.mark.rule("jump_lanes", "13.3.3-embarking"),
            id="unloading a unit in the turn of loading",
        ),
        pytest.param(
            "T2: tow Dock",
            "line 1, T2.tow: Dock is a facility and cannot be towed (13.4.1). "
            "Legal: flights, satellites, starships, starbases.",
            marks=pytest.mark.rule("jump_lanes", "13.4.1"),
            id="a facility towed",
        ),
        pytest.param(
            "T2: tow Bastion",
            "T2.tow: Bastion in tow takes Towing rating 8, and Tug has 4 (13.4.1). Legal: at most 4, or more tugs.",
            marks=pytest.mark.rule("jump_lanes", "13.4.1"),
            id="tugs too weak",
        ),
        pytest.param(
            "T1: tow Base",
            "line 1: Hermes has no tug (13.4). Legal: go, route, take, load, unload, jettison, fleet, join, invade.",
            marks=pytest.mark.rule("jump_lanes", "13.4"),
            id="no tug",
        ),
        pytest.param(
            "T3: explore ross?1; route Barnard",
            "T3.explore: Squadron T3 explores and would also move (13.5.1). Legal: exploration or movement in a turn.",
            marks=pytest.mark.rule("jump_lanes", "13.5.1"),
            id="explorers that also move",
        ),
        pytest.param(
            "T1: explore ross?1",
            "line 1: Hermes has no Science rating (13.5). "
            "Legal: go, route, take, load, unload, jettison, fleet, join, invade.",
            marks=pytest.mark.rule("jump_lanes", "13.5"),
            id="explorers without Science",
        ),
        pytest.param(
            "T3: explore ross?2",
            "line 1, T3.explore: you know no unexplored lane “ross?2” at Ross (13.5.1, JL-R34). Legal: ross?1. "
            "Did you mean ross?1?",
            marks=pytest.mark.rule("jump_lanes", "13.5.1"),
            id="a lane that is not there",
        ),
        pytest.param(
            "T1: load 1 census at Ross",
            "T1.load: Hermes does not come to Ross. Legal: Sol, or a place of its route.",
            id="cargo where it does not come",
        ),
        pytest.param(
            "T1: load 2 Guards",
            "T1.load: Guards is one unit, and not counted. Legal: Guards.",
            id="a unit counted",
        ),
        pytest.param(
            "T1: load Guard",
            "T1.load: you know no unit of yours “Guard”. "
            "Legal: census, experience, or a unit of yours such as Base, Bastion, Dock or 6 more. Did you mean Guards?",
            id="cargo that is not there",
        ),
        pytest.param(
            "T1: load Strangers",
            "T1.load: you know no unit of yours “Strangers”. "
            "Legal: census, experience, or a unit of yours such as Base, Bastion, Dock or 6 more.",
            id="cargo of others",
        ),
        pytest.param(
            "T1: join T3",
            "line 1, T1.join: “T3” is not possible here. Legal: T2, T4, or - for none.",
            id="joining who is elsewhere",
        ),
        pytest.param("T2: detach tug, wasp", "T2.detach: nobody would be left in Squadron T2", id="all detached"),
        pytest.param(
            "T1: invade yes",
            "T1.invade: Hermes carries no ground units (13.3.2.3). "
            "Legal: ground units aboard, which may embark in this turn.",
            marks=pytest.mark.rule("jump_lanes", "13.3.2.3-ground"),
            id="an invasion without troops",
        ),
        pytest.param(
            "C1: route Barnard",
            "line 1: there is no line “C1”. Legal: T1, T2, T3, T4, centauri.",
            id="others' squadrons",
        ),
    ],
)
def test_bad_orders_are_refused_with_what_would_be_legal(text: str, told: str):
    state = busy()
    before = state.to_json()
    assert told in " | ".join(refused(text, state))
    assert state.to_json() == before


@pytest.mark.rule("jump_lanes", "13.1.6")
def test_no_order_of_any_kind_reaches_a_group_in_transit():
    state = busy()
    hermes = state.squadrons["T1"]
    hermes.at, hermes.transit = "", JumpTransit(lane="L1", origin="sol", goal="wolf", cost=Fraction(2), turns_left=1)
    for order in ("route Ross", "load 1 census", "jettison 1 census", "explore ross?1"):
        assert refused(f"T1: {order}", state) == [
            "line 1: Hermes is in transit until turn 1 and out of communication (13.1.6). Legal: T2, T3, T4, centauri."
        ]
    # A sheet that comes by another way than the form says the same.
    told = sheet_ask(state, TERRAN).check(LaneSheet.model_validate({"T1": {"route": "Ross"}}))
    assert [str(one) for one in told] == [
        "T1.route: Hermes is in transit and out of communication (13.1.6). Legal: orders from turn 2 on."
    ]


@pytest.mark.rule("jump_lanes", "13.3.2.1")
def test_census_of_a_colony_in_rebellion_neither_embarks_nor_disembarks():
    state = busy()
    state.colonies["sol"].rebellion = True
    assert refused("T1: load 1 census", state) == [
        "T1.load: Sol is in rebellion, and no census embarks (13.3.2.1). Legal: a colony that is not in rebellion."
    ]


def test_all_defects_are_told_at_once():
    state = busy()
    told = refused(
        "T1: load 3 census; route Vega\nT2: tow Bastion\nT3: explore ross?1; route Barnard\nT4: route Barnard", state
    )
    assert [one.partition(":")[0] for one in told] == ["T2.tow", "T1.route", "T1.load", "T3.explore", "T4.route"]


@pytest.mark.rule("jump_lanes", "13.1.5", "13.4.1")
def test_what_cannot_move_by_itself_moves_in_tow_or_as_cargo():
    state = busy()
    assert refused("T2: tow Base; route Barnard", state) == []
    assert refused("T4: fleet T2\nT2: tow Base; route Barnard", state) == [
        "TF1.route: Sloop has no FTL for interstellar lanes (13.1.2). "
        "Legal: units with FTL, or others in tow or as cargo."
    ]
    # A starship of SIZ 1 takes Cargo rating 10.
    assert refused("T1: load Sloop; route Barnard", state) == []


@pytest.mark.rule("jump_lanes", "13.3.2.3-ground")
def test_troops_may_embark_and_invade_in_the_same_turn():
    state = busy()
    state.units["hermes"].ftl = 4
    assert refused("T1: load Guards; route to Ross; invade yes", state) == []
    assert "there is no colony to invade at Sol" in refused("T1: load Guards; invade yes", state)[0]
    # What is at Barnard is not known before somebody is there, and no refusal tells.
    assert refused("T1: load Guards; route Barnard; invade yes", state) == []
    squadron(state, "T5", "barnard", ship("picket"))
    assert "there is no colony to invade at Barnard" in refused("T1: load Guards; route Barnard; invade yes", state)[0]


def test_the_default_is_legal_and_standing_orders_that_became_impossible_refuse_no_other_order():
    state = busy()
    assert sheet_ask(state, TERRAN).check(LaneSheet({})) == []
    assert said("T1: route to Ross; load 2 census", state)[0] == (
        "T1: goes Sol > Barnard (turn 1) > Ross (turn 2); loads 2 census at Sol"
    )
