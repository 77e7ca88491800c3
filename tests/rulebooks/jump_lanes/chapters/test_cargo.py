"""Cargo in a turn: whatever is ordered of it, invasions and trade runs, and what is lost with units (13.3.3)."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine.rulebooks.jump_lanes.casualties import lose_unit, settle
from rules_engine.rulebooks.jump_lanes.ch3_cargo.holds import load_of, rating_of
from rules_engine.rulebooks.jump_lanes.ch3_cargo.invasion import end_invasion, invaders, judge_invasion, target_at
from rules_engine.rulebooks.jump_lanes.ch3_cargo.losses import CargoLoss, excess, judge_loss, lose_cargo, usual_loss
from rules_engine.rulebooks.jump_lanes.ch3_cargo.working import trial, work_cargo
from rules_engine.rulebooks.jump_lanes.invariants import defects
from rules_engine.rulebooks.jump_lanes.phases.cargo import move_cargo
from rules_engine.rulebooks.jump_lanes.phases.movement import movement_steps
from rules_engine.rulebooks.jump_lanes.plotting.carrying_out import carry_out_sheets
from rules_engine.rulebooks.jump_lanes.records.orders import CargoOrder, LaneSheet
from rules_engine.rulebooks.jump_lanes.records.places import Colony
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot, LaneFleet, LotKind, UnitKind
from tests.expected.kept import Kept, cases
from tests.rulebooks.jump_lanes.freight import change, made
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, order, rules, ship, squadron, standing, work
from tests.rulebooks.jump_lanes.turns import begin, fates, sheet

SQUADRONS = ("S1", "S2", "S3", "S9")
THINGS = ("census", "experience", "Guard", "Fly", "Base", "Nest", "Mule", "Admiral", "Yard", "Eye", "Raider", "nobody")
KINDS: dict[str, UnitKind] = {
    "Guard": "troop", "Fly": "flight", "Base": "starbase", "Yard": "facility", "Eye": "satellite",
}  # fmt: skip
LOTS: tuple[LotKind, ...] = ("census", "experience")
OTHERS = ("", "", "", "S1", "S2", "S3", "Nest", "Raider", "nobody")

orders = st.builds(
    CargoOrder, action=st.sampled_from(("load", "unload", "jettison")), what=st.sampled_from(THINGS),
    amount=st.one_of(st.none(), st.integers(1, 12)), other=st.sampled_from(OTHERS),
)  # fmt: skip
sheets = st.lists(st.tuples(st.sampled_from(SQUADRONS), orders), max_size=8)
places = st.sampled_from(("sol", "barnard", "wolf"))


def port() -> LanesState:
    """Three squadrons and all kinds of cargo at Sol; colonies there and at Barnard; turn 1."""
    made = frontier()
    made.colonies["barnard"] = Colony(id="barnard", name="Barnard", at="barnard", owner=TERRAN, census=1)
    squadron(made, "S1", "sol", ship("Hermes", cargo=30))
    squadron(made, "S2", "sol", ship("Mule", cargo=12), ship("Nest", basing=2))
    squadron(made, "S3", "sol", ship("Ark", cargo=60))
    squadron(made, "S9", "sol", ship("Raider", CENTAURI, cargo=40))
    for key, kind in KINDS.items():
        standing(made, ship(key, kind=kind), "sol")
    standing(made, ship("Admiral", kind="officer", siz=0), "sol")
    return made


def points(state: LanesState, kind: LotKind) -> int:
    held = sum(lot.amount for one in state.squadrons.values() for lot in one.hold if lot.kind == kind)
    return held + sum(getattr(one, kind) for one in state.colonies.values())


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(sheets, places), min_size=1, max_size=4))
def test_cargo_is_somewhere_once_and_fits(turns: list[tuple[list[tuple[str, CargoOrder]], str]]):
    state = port()
    for wanted, goal in turns:
        own = [one for one in wanted if one[0] != "S9"]
        before = {kind: points(state, kind) for kind in LOTS}
        foreign = state.units["Raider"].copied()
        tried = [str(one) for done in work_cargo(trial(state, TERRAN), own) for one in done.refusals]
        done = work_cargo(state, own)
        assert [str(one) for each in done for one in each.refusals] == tried
        assert (list(defects(state)), state.units["Raider"]) == ([], foreign)
        for one in state.squadrons.values():
            assert load_of(state, one) <= rating_of(state, one)
            assert all(lot.amount > 0 for lot in one.hold)
        thrown = sum(_amount(each.text) for each in done if each.order.action == "jettison" and each.text)
        assert (sum(before.values()) - sum(points(state, kind) for kind in LOTS)) == thrown
        assert sum(each.landed for each in done) <= before["census"]
        state.turn += 1
        for one in state.squadrons.values():
            one.at = goal if one.id == "S1" else one.at


def _amount(text: str) -> int:
    """How many points a text says were thrown out; none of a unit."""
    words = text.partition(" throws ")[2].split()
    return int(words[0]) if words and words[0].isdigit() else 0


@settings(max_examples=150, deadline=None)
@given(sheets, st.integers(0, 60))
def test_what_nobody_chooses_is_a_legal_loss_and_then_all_fits(wanted: list[tuple[str, CargoOrder]], rating: int):
    state = port()
    work_cargo(state, [("S3", order.with_values(action="load", other="")) for _, order in wanted])
    state.units["Ark"].cargo = rating
    squad = state.squadrons["S3"]
    loss = usual_loss(state, squad)
    assert judge_loss(state, squad, loss, "S3") == []
    assert (loss == CargoLoss()) == (excess(state, squad) == 0)
    lose_cargo(state, squad, loss)
    assert excess(state, squad) == 0
    assert list(defects(state)) == []


# --- invasion --------------------------------------------------------------------------------------------------------
@pytest.fixture
def state() -> LanesState:
    """A transport at Sol with a guard beside it; Ross is a colony of the other empire."""
    return made("S1 sol Hermes[cargo=20]; Guard troop at sol; Admiral officer at sol")


def judged(state: LanesState, place: str, *, is_seen: bool = False) -> list[str]:
    return rules(judge_invasion(state, state.squadrons["S1"], place, "S1.invade", is_seen=is_seen))


@pytest.mark.rule("jump_lanes", "13.3.2.3-ground")
def test_units_invade_in_the_turn_in_which_they_embark(state: LanesState):
    assert judged(state, "ross") == ["13.3.2.3"]
    tried = trial(state, TERRAN)
    work_cargo(tried, [("S1", order("load", "Guard"))])
    assert judged(tried, "ross") == []
    assert [unit.id for unit in invaders(tried, tried.squadrons["S1"])] == ["Guard"]


@pytest.mark.rule("jump_lanes", "13.3.2.3-ground")
def test_no_invasion_without_ground_units_or_of_ones_own(state: LanesState):
    work(state, ("S1", order("load", "Admiral")))
    assert judged(state, "ross") == ["13.3.2.3"]
    work(state, ("S1", order("load", "Guard")))
    assert judged(state, "sol") == ["13.3.2.3"]


def test_a_refusal_does_not_tell_where_others_have_colonies(state: LanesState):
    work(state, ("S1", order("load", "Guard")))
    assert judged(state, "barnard") == judged(state, "ross") == judged(state, "ross", is_seen=True) == []
    assert judged(state, "barnard", is_seen=True) == ["13.3.2.3"]
    assert target_at(state, state.squadrons["S1"], "barnard") is None
    assert target_at(state, state.squadrons["S1"], "ross") is state.colonies["ross"]


def test_no_invasion_of_outskirts():
    state = frontier(system_maps=True)
    squadron(state, "S1", "barnard", ship("Hermes", cargo=20))
    state.put(ship("Guard", kind="troop"), aboard="S1")
    assert (judged(state, "sol"), judged(state, "sol/mars")) == (["13.3.2.3"], [])


def test_no_invasion_of_an_empire_with_a_treaty_of_passage(state: LanesState):
    state.empires[TERRAN].stances[CENTAURI] = "passage"
    assert target_at(state, state.squadrons["S1"], "ross") is state.colonies["ross"]
    state.empires[CENTAURI].stances[TERRAN] = "passage"
    assert target_at(state, state.squadrons["S1"], "ross") is None


@pytest.mark.rule("jump_lanes", "13.3.2.3-ground")
def test_who_takes_a_colony_stands_there(state: LanesState):
    work(state, ("S1", order("load", "Guard")))
    state.squadrons["S1"].at = "ross"
    colony = state.colonies["ross"]
    end_invasion(state, colony, invaders(state, state.squadrons["S1"]), winner=CENTAURI)
    assert (colony.owner, state.units["Guard"].aboard) == (CENTAURI, "S1")
    colony.rebellion = True
    end_invasion(state, colony, invaders(state, state.squadrons["S1"]), winner=TERRAN)
    assert (colony.owner, colony.census, colony.rebellion, state.units["Guard"].at) == (TERRAN, 9, False, "ross")


# --- losses ----------------------------------------------------------------------------------------------------------
LADEN = """
S1 barnard Hermes[cargo=20]+Iris[cargo=20]; S1 holds 2 census; S1 holds 30 experience;
Gnat starship[worth=9] aboard S1; Guard troop[siz=2,worth=5] aboard S1; Horse troop[siz=4,worth=6] aboard S1
"""
"""Two freighters of Cargo 20 with 2 census points (20), 30 experience points (3), a starship (10), and two troops of 2
and 4, worth 9, 5 and 6: 39 in all."""


@pytest.fixture
def laden() -> LanesState:
    return made(LADEN)


def judged_loss(state: LanesState, **lost: object) -> list[str]:
    return rules(judge_loss(state, state.squadrons["S1"], CargoLoss.model_validate(lost), "S1"))


@cases("case, proves, changes, too_much, lost, refused", "refused")
def test_what_does_not_fit_is_lost_and_no_more(
    laden: LanesState, changes: dict[str, Any], too_much: int, lost: dict[str, Any], refused: list[str]
):
    change(laden, changes)
    assert (excess(laden, laden.squadrons["S1"]), judged_loss(laden, **lost)) == (too_much, refused)


@pytest.mark.rule("jump_lanes", "13.3.3-loss")
@cases("case, changes, lost", "")
def test_when_nobody_chooses_the_cheapest_goes_first(laden: LanesState, changes: dict[str, Any], lost: dict[str, Any]):
    change(laden, changes)
    assert usual_loss(laden, laden.squadrons["S1"]) == CargoLoss.model_validate(lost)


@pytest.mark.rule("jump_lanes", "13.3.3-loss")
def test_the_usual_loss_is_legal_whatever_is_left(laden: LanesState):
    for rating in range(40):
        laden.units["Hermes"].cargo, laden.units["Iris"].cargo = rating, 0
        assert judge_loss(laden, laden.squadrons["S1"], usual_loss(laden, laden.squadrons["S1"]), "S1") == []


@pytest.mark.rule("jump_lanes", "13.3.3-loss")
def test_what_is_lost_is_out_of_play_and_said(laden: LanesState):
    said = lose_cargo(laden, laden.squadrons["S1"], CargoLoss(units=("Guard", "Gnat"), census=1, experience=30))
    assert said == "Guard, Gnat, 1 census point, 30 experience points"
    assert [unit.id for unit in laden.carried("S1")] == ["Horse"]
    assert laden.squadrons["S1"].hold == [HoldLot(kind="census", amount=1)]
    assert lose_cargo(laden, laden.squadrons["S1"], CargoLoss()) == ""


@pytest.mark.rule("jump_lanes", "13.3.3-loss")
def test_with_the_last_unit_everything_is_lost(laden: LanesState):
    for key in ("Hermes", "Iris"):
        laden.take_out(laden.units[key])
    loss = usual_loss(laden, laden.squadrons["S1"])
    assert loss == CargoLoss(units=("Gnat", "Guard", "Horse"), census=2, experience=30)
    lose_cargo(laden, laden.squadrons["S1"], loss)
    assert (laden.units, laden.squadrons) == ({}, {})


# --- casualties ------------------------------------------------------------------------------------------------------
@pytest.fixture
def based() -> LanesState:
    """Two carriers, of which one bases two flights, at Barnard."""
    return made(
        "S1 barnard Nest[basing=2,cargo=20]+Hive[basing=1]; Fly flight[ftl=0,based_on=Nest] of S1;"
        "Wasp flight[ftl=0,based_on=Nest] of S1; Hawk flight[ftl=2] of S1"
    )


def where(state: LanesState, key: str) -> tuple[str, str, str]:
    unit = state.units[key]
    return unit.squadron, unit.based_on, unit.at


def test_flights_of_a_lost_carrier_find_another_or_stand_where_it_was(based: LanesState):
    lose_unit(based, based.units["Nest"])
    assert (where(based, "Fly"), where(based, "Wasp")) == (("S1", "Hive", ""), ("", "", "barnard"))


def test_flights_that_cross_lanes_by_themselves_stay_with_the_squadron(based: LanesState):
    based.units["Hawk"].based_on = "Nest"
    for key in ("Fly", "Wasp"):
        based.units[key].based_on = "Hive"
    lose_unit(based, based.units["Nest"])
    assert where(based, "Hawk") == ("S1", "", "")


def test_in_a_lane_flights_without_a_berth_are_lost(based: LanesState):
    based.squadrons["S1"].at = ""
    lose_unit(based, based.units["Nest"])
    assert "Wasp" not in based.units
    assert where(based, "Fly") == ("S1", "Hive", "")


def test_a_crippled_carrier_bases_nothing(based: LanesState):
    based.units["Nest"].crippled = True
    assert (settle(based, based.squadrons["S1"]), where(based, "Fly")) == ("", ("S1", "Hive", ""))
    assert where(based, "Wasp") == ("", "", "barnard")


@pytest.mark.rule("jump_lanes", "13.3.3-loss")
def test_cargo_goes_with_its_carriers_unless_the_owner_is_asked(based: LanesState):
    based.squadrons["S1"].hold = [HoldLot(kind="census", amount=2)]
    based.units["Nest"].cargo = 15
    assert settle(based, based.squadrons["S1"], cargo=False) == ""
    assert based.squadrons["S1"].hold == [HoldLot(kind="census", amount=2)]
    assert settle(based, based.squadrons["S1"]) == "cargo lost: 1 census point"


@pytest.mark.rule("jump_lanes", "13.3.3-loss")
def test_a_squadron_without_units_is_struck_off_with_its_fleet_and_its_cargo(based: LanesState):
    based.fleets["F1"] = LaneFleet(id="F1", empire=TERRAN, name="First")
    squadron(based, "S2", "barnard", ship("Last"), fleet="F1")
    squadron(based, "S3", "barnard", ship("Other"), fleet="F1")
    based.put(ship("Guard", kind="troop"), aboard="S2")
    lose_unit(based, based.units["Last"])
    assert settle(based, based.squadrons["S2"], cargo=False) == "cargo lost: Guard"
    assert (sorted(based.squadrons), sorted(based.fleets)) == (["S1", "S3"], ["F1"])
    lose_unit(based, based.units["Other"])
    settle(based, based.squadrons["S3"])
    assert based.fleets == {}


@pytest.mark.rule("jump_lanes", "13.4.1")
def test_what_too_few_tugs_tow_is_let_go(based: LanesState):
    squadron(based, "S2", "barnard", ship("Ox", towing=4, tows=True), ship("Base", kind="starbase", towed=True))
    based.units["Ox"].tows = based.units["Base"].towed = True
    based.units["Ox"].crippled = True
    assert (settle(based, based.squadrons["S2"]), where(based, "Base")) == ("let go: Base", ("", "", "barnard"))


# --- cargo phase -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("jump_lanes", "13.3", "13.3.3-embarking", "13.3.2.1")
def test_a_trade_run_carries_census_turn_by_turn_until_it_is_stopped(kept: Kept):
    """Sol has 9 census points; Hermes, FTL 1 and Cargo 20, takes two at a time to Barnard, one lane of cost 1."""
    state = frontier()
    state.colonies["barnard"] = Colony(id="barnard", name="Barnard", at="barnard", owner=TERRAN)
    squadron(state, "T1", "sol", ship("hermes", cargo=20))
    play = begin(state)
    text = "T1: route loop Sol > Barnard; load 2 census at Sol; unload census at Barnard"
    carry_out_sheets(play.turn, {TERRAN: sheet(text, state)})
    seen: list[tuple[str, int, int]] = []
    for _ in range(6):
        carry_out_sheets(play.turn, {TERRAN: LaneSheet({})})
        move_cargo(play.turn.at(state.turn))
        play.run(movement_steps(play.turn.at(state.turn), ()), fates())
        seen.append((state.squadrons["T1"].at, state.colonies["sol"].census, state.colonies["barnard"].census))
        state.turn += 1
    assert seen == kept()
    assert play.told(CENTAURI) == []


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_an_order_is_done_once_and_what_is_not_possible_any_more_is_told():
    state = frontier()
    squadron(state, "T1", "sol", ship("hermes", cargo=20))
    play = begin(state)
    carry_out_sheets(play.turn, {TERRAN: sheet("T1: load 1 census", state)})
    state.colonies["sol"].rebellion = True
    move_cargo(play.turn)
    assert play.told(TERRAN) == ["Cargo stays as it is: Sol is in rebellion, and no census embarks."]
    assert state.squadrons["T1"].orders.cargo == []
    state.colonies["sol"].rebellion = False
    carry_out_sheets(play.turn, {TERRAN: sheet("T1: load 1 census", state)})
    move_cargo(play.turn)
    move_cargo(play.turn)
    assert state.colonies["sol"].census == 8
