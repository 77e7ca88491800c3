"""What a sheet may not say: refused with its rule, with what would be legal, all at once, and nothing half applied."""

from fractions import Fraction

import pytest

from rules_engine.rulebooks.jump_lanes.plotting.asking import sheet_ask
from rules_engine.rulebooks.jump_lanes.records.orders import LaneSheet
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import JumpTransit
from tests.expected.kept import Kept, cases
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


@cases("case, text, told, proves", "told")
def test_bad_orders_are_refused_with_what_would_be_legal(text: str, told: str):
    state = busy()
    before = state.to_json()
    assert told in " | ".join(refused(text, state))
    assert state.to_json() == before


@pytest.mark.rule("jump_lanes", "13.1.6")
def test_no_order_of_any_kind_reaches_a_group_in_transit(kept: Kept):
    state = busy()
    hermes = state.squadrons["T1"]
    hermes.at, hermes.transit = "", JumpTransit(lane="L1", origin="sol", goal="wolf", cost=Fraction(2), turns_left=1)
    for order in ("route Ross", "load 1 census", "jettison 1 census", "explore ross?1"):
        assert refused(f"T1: {order}", state) == [
            "line 1: Hermes is in transit until turn 1 and out of communication (13.1.6). Legal: T2, T3, T4, centauri."
        ]
    # A sheet that comes by another way than the form says the same.
    told = sheet_ask(state, TERRAN).check(LaneSheet.model_validate({"T1": {"route": "Ross"}}))
    assert [str(one) for one in told] == kept()


@pytest.mark.rule("jump_lanes", "13.3.2.1")
def test_census_of_a_colony_in_rebellion_neither_embarks_nor_disembarks(kept: Kept):
    state = busy()
    state.colonies["sol"].rebellion = True
    assert refused("T1: load 1 census", state) == kept()


def test_all_defects_are_told_at_once():
    state = busy()
    told = refused(
        "T1: load 3 census; route Vega\nT2: tow Bastion\nT3: explore ross?1; route Barnard\nT4: route Barnard", state
    )
    assert [one.partition(":")[0] for one in told] == ["T2.tow", "T1.route", "T1.load", "T3.explore", "T4.route"]


@pytest.mark.rule("jump_lanes", "13.1.5", "13.4.1")
def test_what_cannot_move_by_itself_moves_in_tow_or_as_cargo(kept: Kept):
    state = busy()
    assert refused("T2: tow Base; route Barnard", state) == []
    assert refused("T4: fleet T2\nT2: tow Base; route Barnard", state) == kept()
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
