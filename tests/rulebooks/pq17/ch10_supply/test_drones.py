"""Chapter 10.2.6: limited and restricted drones by nation, and implicit supply."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.campaign.arrivals import expect_reinforcements, settle
from rules_engine.rulebooks.pq17.ch01_forces.new_units import new_units, place_units
from rules_engine.rulebooks.pq17.ch10_supply import implicit_supply, routine
from rules_engine.rulebooks.pq17.ch10_supply.drones import (
    conversion_excess,
    inventories,
    nation_of,
    report_compliance,
    report_drones,
)
from rules_engine.rulebooks.pq17.plotting import logistics_lines, logistics_sheet
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.progress import ArrivalKind, Departure
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario.invariants import defects
from rules_engine.rulebooks.pq17.sequence import half_steps
from rules_engine.rulebooks.pq17.special_conditions.preparatory_step import preparatory_steps
from rules_engine.rulebooks.pq17.tables.ship_classes import DroneSpaces
from rules_engine.rulebooks.pq17.tables.supply import Goods
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.worlds.campaign import campaign, put
from tests.rulebooks.pq17.worlds.notation import run, ship_class, table, told
from tests.rulebooks.pq17.worlds.special_conditions import special_world
from tests.rulebooks.pq17.worlds.supply import DEPOT, depot, draft, empty, plan, rules, stores, turn_end, unit

GENERAL, LIMITED, RESTRICTED = Goods.DRONES, Goods.LIMITED_DRONES, Goods.RESTRICTED_DRONES
FLEET = "A1 0404 DR#2+FT+DD logistics"
"""Two drone ships with racks of 20 general, 10 limited, 10 restricted spaces and 40 of reloads each; a destroyer with
4 general ones. All built by one nation: 164 spaces, of which 20+20 (reloads as their racks) a ship are general."""


def drones(state: State, name: str, **counts: int) -> None:
    """Load a ship with these drones and no others."""
    kinds = {"general": GENERAL, "limited": LIMITED, "restricted": RESTRICTED}
    unit(state, name).stores = {kinds[key]: count for key, count in counts.items() if count}


def fleet(racks: dict[str, int], **others: int) -> State:
    """The fleet, with these drones in the racks of its first drone ship, and ``others`` in those of the second."""
    state = depot(FLEET)
    drones(state, "A1.DD")
    drones(state, "A1.DR", **racks)
    drones(state, "A1.DR2", **others)
    return state


@pytest.mark.rule("pq17", "10.2.6.4", "10.2.6.1")
def test_drones_that_are_added_change_their_own_kind_alone_and_without_storage_nothing_is_judged() -> None:
    state = depot("A1 0404 DR+FT logistics")
    drones(state, "A1.DR", general=3, limited=2)
    (one,) = inventories(state, "alliance").values()
    more = one.plus({LIMITED: 4, RESTRICTED: 1})
    assert [more.drones[goods] for goods in (GENERAL, LIMITED, RESTRICTED)] == [3, 6, 1]
    assert more.total == 10
    unrecorded = replace(one, storage=0, shares={}, drones=dict.fromkeys(one.drones, 0) | {GENERAL: 1})
    assert (unrecorded.is_unrecorded, unrecorded.excess()) == (True, [])
    assert not replace(unrecorded, drones=dict.fromkeys(one.drones, 0)).is_unrecorded
    assert not one.is_unrecorded


@pytest.mark.rule("pq17", "10.2.6.1", "10.2.6.2", "10.2.6")
def test_percentages_come_from_undamaged_storage_of_all_units() -> None:
    """General 2 x 40 + 4 = 84, limited 2 x 20 = 40, restricted 40, of 164. Damage and empty racks change nothing."""
    state = depot(FLEET)
    (one,) = inventories(state, "alliance").values()
    assert one.storage == 164
    found = [one.shares[goods] for goods in (GENERAL, LIMITED, RESTRICTED)]
    assert found == [Fraction(84, 164), Fraction(40, 164), Fraction(40, 164)]
    for ship in ("A1.DR", "A1.DR2"):
        drones(state, ship)
        unit(state, ship).warp = 0
    assert inventories(state, "alliance")["Testers"].shares == one.shares


@pytest.mark.rule("pq17", "10.2.6.1")
def test_each_nation_counts_its_own() -> None:
    """A frigate of another nation has its own percentages; pooled by the campaign's nations where it names them."""
    classes = {"KD": ship_class("KD", "1/3", warp=10, empire="Kzinti", drone_spaces={"general": 6, "limited": 2})}
    state = depot(FLEET)
    state.classes |= classes
    state.units["A1.FT"].class_id = "KD"
    found = inventories(state, "alliance")
    assert {name: one.storage for name, one in found.items()} == {"Testers": 164, "Kzinti": 8}
    assert found["Kzinti"].shares[LIMITED] == Fraction(1, 4)
    assert nation_of(state, state.units["A1.FT"]) == "Kzinti"


@pytest.mark.rule("pq17", "10.2.6.3")
def test_the_inventory_is_what_is_there_in_racks_and_in_cargo() -> None:
    """Racks of one ship, cargo of another; spaces without drones do not count."""
    state = fleet({"general": 10, "limited": 5}, restricted=1)
    empty(state, "FT", cargo_goods={LIMITED: 9, GENERAL: 8})
    (one,) = inventories(state, "alliance").values()
    assert dict(one.drones) == {GENERAL: 18, LIMITED: 14, RESTRICTED: 1}


@cases("limited, restricted, excess", made="excess")
def test_compliance_is_by_the_share_of_all_drones(limited: int, restricted: int, excess: list[Goods]) -> None:
    """Of 82 drones at most 82 x 40/164 = 20 may be limited, and as many restricted, on whichever ship they are."""
    state = fleet({"limited": limited, "restricted": restricted}, general=82 - limited - restricted)
    (one,) = inventories(state, "alliance").values()
    assert one.excess() == excess
    assert one.is_compliant == (not excess)


@cases("proves, racks, give, broken")
def test_conversions_are_free_while_the_result_complies(racks: dict[str, int], give: str, broken: list[str]) -> None:
    """``racks`` are the drones of the fleet; the freighter gives supply to the other drone ship."""
    state = fleet(racks)
    empty(state, "A1.DR2", fuel=1)
    assert rules(state, A1_FT=give) == broken


@pytest.mark.rule("pq17", "10.2.6.6")
def test_the_line_is_named_in_which_a_conversion_is_too_much() -> None:
    """Eight general drones; eight limited ones would be half of all."""
    state = fleet({"general": 8})
    empty(state, "A1.DR2", supply=1)
    empty(state, "FT", supply=20)
    (wrong,) = draft(state, A1_FT="> A1.DR2 1 supply", A1_DR2="> A1.FT 1 supply as limited drones")[1]
    problem = "Testers would have more limited drones than its share of all drones"
    assert str(wrong) == f"A1.DR2.give: {problem} (PQ-17 10.2.6.6). Legal: drones (general availability)."


@pytest.mark.rule("pq17", "10.2.6.9", "10.2.6.6")
def test_where_it_cannot_comply_only_general_drones_are_made() -> None:
    """Forty limited drones and nothing else: no conversion brings the share down to 24%, so all must be general."""
    state = fleet({"limited": 40})
    assert rules(state, A1_FT="> A1.DR2 1 supply as restricted drones") == ["PQ-17 10.2.6.6"]
    plan(state, A1_FT="> A1.DR2 2 supply as drones")
    at = turn_end(state)
    assert unit(state, "A1.DR2").stores == {GENERAL: 16}
    assert "too many limited drones" in told(at, "alliance")[-1]
    assert told(at, "coalition") == []


@pytest.mark.rule("pq17", "10.2.6.6", "10.2.6.9", "10.2.6.5.1")
def test_an_interruption_that_breaks_compliance_makes_them_general() -> None:
    """Plotted: 24 limited and 16 general beside 64 general, 24 of 104. A third ship's general ones are cut to nothing
    by an interruption: 24 of 88 would be too many (21.5), so the limited ones become general."""
    state = depot("A1 0404 DR#2+FT#2 logistics")
    for name in ("A1.DR", "A1.DR2"):
        drones(state, name)
    drones(state, "A1.DR", general=64)
    made = plan(state, A1_FT="> A1.DR2 3 supply as limited drones", A1_FT2="> A1.DR 2 supply as drones")
    made.interrupted = {"A1.FT2": 1}
    turn_end(state)
    assert unit(state, "A1.DR2").stores == {GENERAL: 24}
    assert unit(state, "A1.DR").stores == {GENERAL: 64}


def joining(*, kind: ArrivalKind = "reinforcement", **drones_there: int) -> tuple[TurnContext[State], Unit]:
    """A drone ship comes on for the Federation, which has another one with these drones; both have racks of 20 general,
    10 limited and 10 restricted spaces, and 40 of reloads."""
    state = campaign()
    spaces = {"general": 20, "limited": 10, "restricted": 10}
    state.classes = state.classes | {
        "FED-DR": ship_class("FED-DR", "1/2", warp=15, empire="Federation", drone_spaces=spaces, reload_spaces=40)
    }
    put(state, "A1", "1217", "FED-DR")
    drones(state, "A1.FED-DR", **drones_there)
    (made,) = new_units(state, "federation", "FED-DR")
    expect_reinforcements(state, "federation", [made], 1)
    (arrival,) = state.progress.arrivals
    settle(state, arrival)
    arrival.kind = kind
    state.impulse, state.half = 1, "A"
    return table(state), made


@cases("there, brings", made="brings")
def test_reinforcements_are_loaded_within_the_percentages_as_they_come_on(
    there: dict[str, int], brings: dict[Goods, int]
) -> None:
    at, newcomer = joining(**there)
    run(half_steps(at, "alliance"))
    assert newcomer.stores == brings
    told_of_it = [report for report in at.shared.reports if "general drones" in report.text]
    text = f"{newcomer.name} brings general drones for others of which federation would have too many."
    assert [(report.to, report.text) for report in told_of_it] == ([(("alliance",), text)] if there else [])
    assert defects(at.state) == []


@cases("kind, brings", made="brings")
def test_ships_that_come_on_again_bring_what_they_left_with_and_returning_ones_are_full(
    kind: ArrivalKind, brings: dict[Goods, int]
) -> None:
    at, ship = joining(kind=kind)
    ship.stores = {GENERAL: 3}
    gone = Departure(unit=ship.id, kind="special", key="x", hex="1720", turn=1, fit=True)
    at.state.progress.departures.append(gone)
    run(half_steps(at, "alliance"))
    assert ship.stores == brings


@pytest.mark.rule("pq17", "10.2.6.7", "C.special.flotilla-5", "C.special.coalition-convoy")
def test_ships_that_a_special_condition_brings_are_loaded_like_others() -> None:
    """Where the Klingons have too many limited drones, the convoy's escort has general ones only."""
    state = special_world("turn 1")
    spaces = {"general": 2, "limited": 2}
    for name in ("KLI-DD", "KLI-E4B"):
        state.classes[name] = state.classes[name].model_copy(update={"drone_spaces": DroneSpaces(**spaces)})
    (ship,) = new_units(state, "klingon", "KLI-DD")
    place_units(state, "coalition", [ship], "1715")
    drones(state, ship.id, limited=40)
    run(preparatory_steps(table(state, by_label={"condition/": 80, "event/": 4})))
    escort = next(unit for unit in state.units.values() if unit.class_id == "KLI-E4B")
    assert LIMITED not in escort.stores
    assert escort.stores[GENERAL] == 4 + state.class_of(escort).reload_spaces


@pytest.mark.rule("pq17", "10.2.6.5.2", "10.2.6.5")
def test_the_owner_alone_hears_at_a_periods_end() -> None:
    """Compliant: no word. With 21 of 41 limited: told, with the figures."""
    state = depot(FLEET)
    at = table(state)
    report_drones(at)
    assert at.shared.reports == []
    at = table(fleet({"general": 20, "limited": 21}))
    report_drones(at)
    (report,) = at.shared.reports
    assert report.to == ("alliance",)
    assert report.why.inputs == (("limited drones", "21"), ("of all drones", "41"), ("allowed", "10/41"))


@pytest.mark.rule("pq17", "10.2.6.1", "10.2.6.4")
def test_without_figures_it_is_a_matter_of_honour() -> None:
    """Drones in the hold of a freighter whose nation records no storage: nothing is refused, and the owner is told so
    (ruling SUP-7)."""
    state = depot("A1 0404 FT#2 logistics")
    empty(state, "A1.FT", supply=5)
    empty(state, "A1.FT2", cargo_goods={RESTRICTED: 8})
    assert rules(state, A1_FT="> A1.FT2 1 supply as limited drones") == []
    ask = logistics_sheet.logistics_ask(table(state), "alliance", routine.routine_plan(state, "alliance"))
    sheet = logistics_lines.LogisticsSheet.model_validate(
        ask.form.prefilled() | {"A1.FT": {"give": "> A1.FT2 1 supply as limited drones"}}
    )
    assert ask.warn(sheet) == ["No drone storage is recorded for Testers: its drones are on your honour."]
    at = table(state)
    report_compliance(at, "alliance")
    found = told(at, "alliance")[0]
    assert found == "Testers: no drone storage is recorded for its classes, so its drones are on your honour."


def test_a_kind_that_is_not_made_is_not_to_blame() -> None:
    state = depot(FLEET)
    drones(state, "A1.DR", limited=80)
    (one,) = inventories(state, "alliance").values()
    assert conversion_excess(one, {RESTRICTED: Fraction(8)}) == [RESTRICTED]
    assert conversion_excess(one, {GENERAL: Fraction(8)}) == []


# --- implicit supply --------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "10.2.7.2")
def test_implicit_supply_fills_the_base_and_what_is_in_port(kept: Kept) -> None:
    """Base: 5 empty cargo boxes. In port: a repair ship with 4 cargo and 3 repair boxes empty, a cruiser with DAMCON
    room for 2; outside a freighter that gets nothing. Of 20 points 5 + 4 + 3 + 2 = 14 are stored and 6 lost."""
    state = depot("A9 0303 BATS base Haven known\nA1 0303 RS+CA port A9 speed 2\nA2 0303 FT")
    empty(state, "A9.BATS", supply=70)
    empty(state, "A1.RS", supply=6, rp_repair=7)
    empty(state, "A1.CA", fuel=1, rp_damcon=2)
    empty(state, "A2.FT")
    assert implicit_supply.receive(state, state.task_forces["A9"], 20) == 6
    assert [stores(state, one) for one in ("A9.BATS", "A1.RS", "A1.CA", "A2.FT")] == kept()
    assert defects(state) == []


@pytest.mark.rule("pq17", "10.2.7.2", "10.2.7")
def test_only_bases_that_the_scenario_supplies_get_any() -> None:
    """Eight points a turn for one base, of which five find room; the owner is told, the enemy is not."""
    state = depot("A9 0303 BATS base Haven known\nC9 0505 BATS base Grim known")
    record = state.task_forces["A9"].base
    record.supply = 8
    empty(state, "A9.BATS", supply=70)
    empty(state, "C9.BATS")
    at = table(state)
    implicit_supply.deliver_implicit_supply(at)
    assert (unit(state, "A9.BATS").supply, unit(state, "C9.BATS").supply) == (75, 0)
    assert told(at, "alliance") == ["Haven received 8 supply points; 3 found no room and were lost."]
    assert told(at, "coalition") == []


def test_every_class_of_these_tests_has_shares_that_make_a_whole() -> None:
    for one in DEPOT.values():
        assert sum(one.drone_share(level) for level in ("general", "limited", "restricted")) == 1
