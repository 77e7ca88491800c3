"""Chapter 11 on the logistics sheet, refits, and the Cost of Repair table."""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refusal, Refused
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.pq17.ch01_forces.sensors import can_be_active
from rules_engine.rulebooks.pq17.ch05_movement import postures, speeds
from rules_engine.rulebooks.pq17.ch06_reconnaissance.declarations import searchers
from rules_engine.rulebooks.pq17.ch08_combat.declarations import why_no_attack
from rules_engine.rulebooks.pq17.ch10_supply.routine import routine_plan
from rules_engine.rulebooks.pq17.ch11_repair import boxes, costs, damage_shown, operational, refits
from rules_engine.rulebooks.pq17.ch11_repair.routine import add_base_repairs, add_repairs, new_refits, routine_boxes
from rules_engine.rulebooks.pq17.contacts.identification import is_scouting, is_warp_on, uses_impulse, uses_warp
from rules_engine.rulebooks.pq17.plotting.logistics_sheet import logistics_ask, logistics_steps
from rules_engine.rulebooks.pq17.records import damage, logistics
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.sequence import tactical_logistics_steps
from rules_engine.rulebooks.pq17.shown.boards import side_board
from rules_engine.rulebooks.pq17.tables.ship_classes import Refit
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.worlds.notation import Speed, asked_in, asks_of, run, table, told
from tests.rulebooks.pq17.worlds.repair import docked, order, unit, yard

UNDERWAY = "A1 0405 CA[warp=20]+RS logistics speed 0"


def sheet_of(state: State) -> AnyAsk:
    (ask,) = asks_of(logistics_steps(table(state)))
    return ask


def turn(state: State, answer: dict[str, Any] | None = None) -> list[AnyAsk]:
    """Plan and repair once, and go on to the next turn; the asks that came."""
    asked = asked_in(logistics_steps(table(state)), lambda _: answer)
    operational.carry_out_repairs(table(state), "alliance")
    state.turn += 1
    return asked


def proposal_for(state: State) -> logistics.LogisticsPlan:
    """What the Alliance's logistics become if nobody says anything."""
    plan = routine_plan(state, "alliance")
    add_repairs(state, "alliance", plan)
    return plan


# --- the sheet --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "SOP.2.a.iv.3", "11.4.9", "11.4.1")
def test_the_sheet_is_filled_in_with_what_matters_most_and_docks_the_damaged_ship() -> None:
    """Thirty boxes, 50 points a warp box: nothing is finished this turn, 30 points go into the first."""
    state = yard(UNDERWAY)
    boxes.destroy(state, state.units["A1.CA"], "hull", 3)
    ask = sheet_of(state)
    line = ask.form.prefilled()["repair-A1.CA"]
    assert (line["by"], line["boxes"]) == ("A1.RS", "warp 10, hull 3")
    said = ask.read_back(ask.default)
    assert "Docked to A1.RS: A1.CA." in said
    assert "A1.RS repairs A1.CA with 30 CDR points: warp begun, 30 of 50 CDR points." in said


@pytest.mark.rule("pq17", "SOP.2.a.iv.3", "11.4.9.5", "11.4.9.6")
def test_an_order_stands_until_it_is_done_and_nobody_is_asked_about_it_again() -> None:
    """Three hull boxes at 5 points come before ten warp boxes at 50: 30 - 15 = 15 points go into the first warp box.
    Next turn, unasked, 30 more finish nothing (45 of 50); the turn after it is done with 5 to spare: 25 over."""
    state = yard(UNDERWAY)
    ship = state.units["A1.CA"]
    boxes.destroy(state, ship, "hull", 3)
    assert len(turn(state, {"repair-A1.CA": {"boxes": "hull 3, warp 10"}})) == 1
    assert (ship.repairs.damage, ship.repairs.in_hand) == ({}, damage.BoxInHand(box="warp", points=15, turn=1))
    assert turn(state) == []
    assert ship.repairs.in_hand == damage.BoxInHand(box="warp", points=45, turn=2)
    assert turn(state) == []
    assert (ship.warp, ship.repairs.in_hand) == (21, damage.BoxInHand(box="warp", points=25, turn=3))


@pytest.mark.rule("pq17", "SOP.2.a.iv.3", "11.2.6", "11.4.9.3.3")
def test_a_standing_order_forgets_what_a_battle_has_repaired_or_made_impossible() -> None:
    """Ten warp boxes and one of excess damage were ordered. Eight warp boxes come back by themselves, and a hull box is
    destroyed, for which excess damage has to wait: two warp boxes are left of the order."""
    state = yard(UNDERWAY)
    ship = state.units["A1.CA"]
    boxes.destroy(state, ship, "excess", 1)
    turn(state, {"repair-A1.CA": {"boxes": "warp 10, excess"}})
    ship.warp = 28
    boxes.destroy(state, ship, "hull", 1)
    plan = proposal_for(state)
    assert [order.boxes for order in plan.repairs] == [["warp", "warp"]]
    ask = logistics_ask(table(state), "alliance", plan)
    assert ask.default is not None
    assert list(ask.check(ask.default)) == []


@pytest.mark.rule("pq17", "SOP.2.a.iv.3", "11.3.6")
def test_a_standing_order_whose_boxes_are_all_repaired_makes_way_for_the_routine() -> None:
    state = yard(UNDERWAY)
    ship = state.units["A1.CA"]
    turn(state, {"repair-A1.CA": {"boxes": "warp 10"}})
    ship.warp = 30
    boxes.destroy(state, ship, "hull", 1)
    assert [order.boxes for order in proposal_for(state).repairs] == [["hull"]]


@pytest.mark.rule("pq17", "SOP.2.a.iv.3", "11.4.9.5", "11.4.9.6", "11.4.9.7")
def test_a_standing_order_goes_on_with_the_box_that_was_begun() -> None:
    """Without a repair point, 5 of 30 points are wasted on the hull box and 25 begin a warp box. That one goes on when
    there are repair points again: 55 of 50, and 5 more restore the hull box, which is next."""
    state = yard(UNDERWAY)
    ship, helper = state.units["A1.CA"], unit(state, "A1.RS", rp_repair=0, supply=0)
    boxes.destroy(state, ship, "hull", 1)
    turn(state, {"repair-A1.CA": {"boxes": "hull, warp"}})
    assert ship.repairs.in_hand == damage.BoxInHand(box="warp", points=25, turn=1)
    helper.rp_repair = 2
    assert [order.boxes for order in proposal_for(state).repairs] == [["warp", "hull"]]
    turn(state)
    assert (ship.warp, ship.repairs.damage) == (21, {})


@pytest.mark.rule("pq17", "11.4.9.2.8", "11.4.9.2.7")
def test_a_docked_ship_is_resupplied_and_repaired_in_one_step() -> None:
    """24 power boxes are left and 10 hold fuel: 14 of the base's 25 points. Three of its nine repair boxes lie at each
    docking position. The destroyer lies at another one; both are in the one group of the base."""
    state = yard("A9 0303 BATS base Haven known\nA1 0303 CA[warp=20,fuel=10]+DD[warp=10] logistics speed 0 port A9")
    run(logistics_steps(table(state)))
    (group,) = state.logistics["alliance"].groups
    assert (group.host, sorted(group.docked)) == ("A9.BATS", ["A1.CA", "A1.DD"])
    run(tactical_logistics_steps(table(state)))
    ship = state.units["A1.CA"]
    assert (ship.fuel, state.units["A9.BATS"].supply) == (24, 11)
    assert ship.repairs.in_hand == damage.BoxInHand(box="warp", points=3, turn=1)


@cases("orders")
def test_a_ship_that_a_base_works_on_keeps_its_position_before_ships_that_lack_more(orders: dict[str, Any]) -> None:
    """A dock has two positions, and 20 repair boxes for a warp box of 50 or a refit of 250. Two cruisers without 14
    points of fuel lack more than the destroyer; but if its work did not go on, the first 20 points would be lost."""
    ships = "A1 0303 CA#2[fuel=20]+DD[warp=14,fuel=15] logistics speed 0 port A9"
    state = yard(f"A9 0303 FRD base Dock known\n{ships}")
    state.classes["DD"] = state.classes["DD"].model_copy(update={"refits": (DRONES,)})
    state.classes["FRD"] = state.classes["FRD"].model_copy(update={"cargo": 50})
    unit(state, "A9.FRD", cargo=50, supply=50)
    sheet = {"dock-A9.FRD": {"ships": ["A1.DD"]}, "A9.FRD": {"give": None}}
    sheet["repair-A1.DD"] = {"by": "A9.FRD", "boxes": None, **orders}
    assert len(turn(state, sheet)) == 1
    turn(state)
    (group,) = state.logistics["alliance"].groups
    assert (group.host, sorted(group.docked)) == ("A9.FRD", ["A1.CA", "A1.DD"])
    records = state.units["A1.DD"].repairs
    assert [one.points for one in (records.in_hand, records.refit) if one is not None] == [40]


@cases("line, said")
def test_illegal_repairs_are_refused_by_rule(line: dict[str, Any], said: tuple[str, str, str, str] | None) -> None:
    """A freighter has no repair boxes. What is done first on the same line counts for what comes after it."""
    state = yard("A1 0405 CA[warp=20]+RS+CB logistics speed 0")
    ship = unit(state, "A1.CA", self_repairs_left=6)
    for box in ("hull", "hull", "excess", "het"):
        boxes.destroy(state, ship, box)
    found: list[Refusal] = []
    try:
        sheet_of(state).answer_from({"repair-A1.CA": line})
    except Refused as refused:
        found += refused.refusals
    wanted = [] if said is None else [(f"repair-A1.CA.{said[0]}", said[1] and f"PQ-17 {said[1]}", *said[2:])]
    assert [(one.path, one.rule, one.problem, one.legal) for one in found] == wanted


@pytest.mark.rule("pq17", "11.4.9.2.3", "11.4.9.2.7")
def test_a_repair_ship_cannot_be_told_to_work_on_two_units() -> None:
    state = yard("A1 0405 CA[warp=20]+RS+DD[warp=10] logistics speed 0")
    ask = sheet_of(state)
    with pytest.raises(Refused, match=r"11\.4\.9\.2\.7"):  # one ship docks to it
        ask.answer_from({f"repair-A1.{one}": {"by": "A1.RS", "boxes": "warp"} for one in ("CA", "DD")})
    unit(state, "A1.RS", warp=6)
    with pytest.raises(Refused, match=r"11\.4\.9\.2\.3"):  # itself or another
        sheet_of(state).answer_from({f"repair-A1.{one}": {"by": "A1.RS", "boxes": "warp"} for one in ("CA", "RS")})


def test_what_was_begun_is_filled_in_first_and_leaving_it_is_warned_of() -> None:
    state = yard(UNDERWAY)
    ship = state.units["A1.CA"]
    boxes.destroy(state, ship, "hull")
    ship.repairs = ship.repairs.with_values(in_hand=damage.BoxInHand(box="hull", points=3, turn=0))
    assert routine_boxes(state, ship)[0] == "hull"
    ask = sheet_of(state)
    answer = ask.answer_from({"repair-A1.CA": {"boxes": "warp"}})
    assert ask.warn(answer) == ["A1.CA loses 3 CDR points in hull unless it comes first."]
    idle = ask.answer_from({"repair-A1.CA": {"by": None, "boxes": None}})
    assert ask.warn(idle) == ["A1.CA loses 3 CDR points in hull unless it comes first."]


@cases("points, lost", "")
def test_a_refit_left_out_is_warned_of_where_a_job_is_begun(points: int, lost: str | None) -> None:
    """A shield altered is 250 points, a job that is kept once it is done."""
    state = refitting()
    open_now = SHIELDED.model_copy(update={"year": 160})
    state.classes["CA"] = state.classes["CA"].model_copy(update={"refits": (open_now,)})
    refit = damage.RefitInHand(name="shields", points=points, turn=0)
    state.units["A1.CA"].repairs = state.units["A1.CA"].repairs.with_values(refit=refit)
    ask = logistics_ask(table(state), "alliance", proposal_for(state))
    assert ask.warn(ask.default) == []
    left_out = ask.answer_from({"repair-A1.CA": {"by": None, "boxes": None, "refit": None}})
    said = [f"A1.CA loses {lost} in its refit shields unless that goes on."] if lost else []
    assert ask.warn(left_out) == said


@pytest.mark.rule("pq17", "11.4.9.9", "11.1")
def test_a_damaged_base_sees_to_itself_without_a_question() -> None:
    """Nine repair boxes and nobody docked: nine points, a hull box at five and four for the next."""
    state = yard("A9 0303 BATS base Haven known")
    base = state.units["A9.BATS"]
    boxes.destroy(state, base, "hull", 2)
    assert turn(state) == []
    assert (base.repairs.damage, base.repairs.in_hand) == ({"hull": 1}, damage.BoxInHand(box="hull", points=4, turn=1))


@cases("kept")
def test_a_base_repairs_itself_with_what_its_work_on_others_leaves(kept: bool) -> None:
    """Nine boxes at four docking positions, 3, 2, 2 and 2: three for the cruiser, at the first, and six for the base,
    though that lacks more and would use them all. So it is in the next turn, when the cruiser's order stands."""
    state = yard("A9 0303 BATS base Haven known\nA1 0303 CA[warp=28] logistics speed 0 port A9")
    boxes.destroy(state, state.units["A9.BATS"], "hull", 20)
    for _ in range(2 if kept else 1):
        proposal = proposal_for(state)
        ask = logistics_ask(table(state), "alliance", proposal)
        repaired = [line.partition(":")[0] for line in ask.read_back(ask.answer_from({})) if " repairs " in line]
        assert repaired == ["A9.BATS repairs A1.CA with 3 CDR points", "A9.BATS repairs itself with 6 CDR points"]
        state.logistics["alliance"] = proposal


@pytest.mark.rule("pq17", "11.4.9.2.4")
def test_a_dock_gives_limited_orders_points_first_and_the_default_orders_none_that_gets_nothing(kept: Kept):
    """Twenty points, of which three hull boxes take 15. But last turn's order for a warp box has a limit of 20 and
    comes first, and leaves nothing for the hull."""
    state = yard("A9 0303 FRD base Dock known\nA1 0303 CA+CA[warp=29] logistics speed 0 port A9")
    boxes.destroy(state, state.units["A1.CA"], "hull", 3)
    docked(state, "A9.FRD>A1.CA+A1.CA2", port="A9")
    order(state, "A1.CA", "A9.FRD", *["hull"] * 3)
    order(state, "A1.CA2", "A9.FRD", "warp", most=20)
    proposal = proposal_for(state)
    (alone,) = proposal.repairs
    assert alone.unit == "A1.CA2"
    ask = logistics_ask(table(state), "alliance", proposal)
    share = {"repair-A1.CA2": {"most": 8}, "repair-A1.CA": {"by": "A9.FRD", "boxes": "hull 3"}}
    said = ask.read_back(ask.answer_from({"dock-A9.FRD": {"ships": ["A1.CA", "A1.CA2"]}} | share))
    assert [line.partition(":")[0] for line in said if " repairs " in line] == kept()


def test_a_base_that_has_orders_is_not_ordered_twice() -> None:
    state = yard("A9 0303 BATS base Haven known")
    boxes.destroy(state, state.units["A9.BATS"], "hull", 2)
    plan = logistics.LogisticsPlan()
    add_base_repairs(state, "alliance", plan)
    add_base_repairs(state, "alliance", plan)
    assert [one.unit for one in plan.repairs] == ["A9.BATS"]


@pytest.mark.rule("pq17", "11.4.9.1")
def test_nobody_without_damage_or_repair_boxes_is_asked() -> None:
    assert asks_of(logistics_steps(table(yard("A1 0405 CA+CA logistics speed 0")))) == ()
    assert asks_of(logistics_steps(table(yard("A1 0405 CA[warp=20] logistics speed 0")))) == ()


@pytest.mark.unseen("pq17")
def test_the_owner_sees_damage_and_repairs_and_the_enemy_sees_the_same_board_whatever_they_are() -> None:
    """Two worlds that differ in the damage of a ship of which the enemy knows only that it is there."""
    boards = []
    for hull in (0, 4):
        state = yard("A1 0405 CA+RS logistics speed 0 ID1\nC1 0405 CA ID1")
        boxes.destroy(state, state.units["A1.CA"], "hull", hull)
        boards.append(side_board(state, "coalition", Knowledge()))
        panels = [one.title for one in side_board(state, "alliance", Knowledge()).panels]
        assert ("Damage and repair" in panels) == bool(hull)
    assert boards[0] == boards[1]


def test_invariants_know_the_record(kept: Kept) -> None:
    state = yard(UNDERWAY)
    ship = state.units["A1.CA"]
    assert list(damage_shown.repair_defects(state, ship)) == []
    ship.warp, ship.self_repairs_left = 31, 9
    ship.repairs = ship.repairs.with_values(damage={"hull": 13})
    assert list(damage_shown.repair_defects(state, ship)) == kept()
    ship.warp, ship.self_repairs_left, ship.cargo = 30, 8, 1
    ship.repairs = ship.repairs.with_values(damage={})
    assert list(damage_shown.repair_defects(state, ship)) == ["A1.CA has 1 cargo boxes of 0"]


def test_a_track_has_no_more_boxes_than_its_record_even_if_that_has_none() -> None:
    state = yard(UNDERWAY)
    ship = state.units["A1.CA"]
    state.classes["CA"] = state.classes["CA"].model_copy(update={"damcon_track": ()})
    ship.damcon_track, ship.self_repairs_left = [2], 0
    assert list(damage_shown.repair_defects(state, ship)) == ["A1.CA has more damcon boxes than its record"]


# --- refits -----------------------------------------------------------------------------------------------------------
PLUS = Refit(name="plus", year=165, bpv="8", boxes_added={"battery": 2}, boxes_changed={"2 phaser-2": "phaser-1"})
SHIELDED = Refit(name="shields", year=170, bpv="4", shields_changed=(1, 2))
DRONES = Refit(name="reloads", year=160, bpv="2", boxes_changed={"drone-a": "drone-a"})


def refitting(host: str = "FRD") -> State:
    state = yard(f"A9 0303 {host} base Dock known\nA1 0303 CA+DD logistics speed 0 port A9\nC1 0303 CA ID0")
    state.classes["CA"] = state.classes["CA"].model_copy(update={"refits": (PLUS, SHIELDED, DRONES)})
    docked(state, f"A9.{host}>A1.CA", port="A9")
    return state


@cases("refit, points", made="refit, points")
def test_a_refit_costs_by_box_added_box_changed_and_shield(refit: Refit, points: int) -> None:
    assert refits.refit_cost(refit) == points


@pytest.mark.rule("pq17", "11.5.3")
def test_only_refits_of_the_campaigns_year_are_open() -> None:
    state = refitting()
    assert state.settings.campaign.year == 167
    assert [one.name for one in refits.refits_open(state, state.units["A1.CA"])] == ["plus", "reloads"]
    ask = sheet_of(state)
    with pytest.raises(Refused, match=r"11\.5\.3"):
        ask.answer_from({"repair-A1.CA": {"by": "A9.FRD", "refit": "shields"}})
    ask.answer_from({"repair-A1.CA": {"by": "A9.FRD", "refit": "plus"}})


@pytest.mark.rule("pq17", "11.5.2")
def test_a_repair_ship_cannot_refit() -> None:
    state = yard("A9 0303 FRD base Dock known\nA1 0303 CA+RS logistics speed 0 port A9")
    state.classes["CA"] = state.classes["CA"].model_copy(update={"refits": (PLUS,)})
    with pytest.raises(Refused, match=r"11\.5\.2"):
        sheet_of(state).answer_from({"repair-A1.CA": {"by": "A1.RS", "refit": "plus"}})
    sheet_of(state).answer_from({"repair-A1.CA": {"by": "A9.FRD", "refit": "plus"}})


@cases("units, found")
def test_refits_are_open_where_a_yard_is(units: list[str], found: list[str]) -> None:
    assert new_refits(refitting(), logistics.LogisticsPlan(units=units)) == found


@pytest.mark.rule("pq17", "11.5.4", "5.2.3.2", "5.2.3.3", "6.3.4.2", "6.2.4.1", "6.2.4.2")
def test_a_ship_in_a_refit_gives_its_force_neither_warp_nor_sensors_nor_a_scout(kept: Kept) -> None:
    """Its scout, with sensors and fuel of its own, is in the refit; the freighter beside it has power alone."""
    state = yard("A1 0405 SC+FT speed IC")
    state.classes["SC"] = state.classes["SC"].model_copy(update={"special_sensors": 2})
    scout, freighter, force = state.units["A1.SC"], state.units["A1.FT"], state.task_forces["A1"]
    scout.special_sensors, freighter.can_power_fire_control = 2, False
    assert is_scouting(state, force)
    assert can_be_active(state, force)
    assert uses_warp(state, force, scout)
    scout.repairs = scout.repairs.with_values(refit=damage.RefitInHand(name="late", points=10, turn=state.turn))
    assert not is_scouting(state, force)
    assert not can_be_active(state, force)
    assert not uses_warp(state, force, scout)
    assert not uses_impulse(state, force, scout)
    assert is_warp_on(state, force)
    assert postures.can_warp(state, force)
    freighter.fuel = 0
    assert not postures.can_warp(state, force)
    assert [str(one) for one in postures.posture_refusals(state, force, "A1.posture")] == kept()
    freighter.warp = 0
    assert not is_warp_on(state, force)


@pytest.mark.rule("pq17", "11.5.1", "11.5.4")
def test_a_refit_counts_when_all_of_it_is_done_and_the_ship_is_inactive_until_then() -> None:
    """250 points at 20 a turn: after twelve turns 240, and the ship is idle; the thirteenth finishes."""
    state = refitting()
    ship, force = state.units["A1.CA"], state.task_forces["A1"]
    order(state, "A1.CA", "A9.FRD", refit="reloads")
    for _ in range(12):
        operational.carry_out_repairs(table(state), "alliance")
        state.turn += 1
    assert ship.repairs.refit == damage.RefitInHand(name="reloads", points=240, turn=12)
    assert refits.is_inactive(ship)
    force.posture = force.posture.with_values(logistics=False)
    state.set_port(force, "")
    assert speeds.fastest(state, force) is Speed.STATION
    force.speed = Speed.EFFICIENT
    assert not speeds.can_keep_speed(state, force), "one that was under way stops"
    force.speed = Speed.STATION
    assert not any(one.is_ships for one in searchers(state, "alliance"))
    assert why_no_attack(state, force)
    force.posture = force.posture.with_values(logistics=True)
    state.set_port(force, "A9")
    at = table(state)
    operational.carry_out_repairs(at, "alliance")
    assert ship.repairs.refits == ["reloads"]
    assert not refits.is_inactive(ship)
    assert told(at, "alliance") == ["A9.FRD refits A1.CA: reloads is complete; it is active again."]
    assert told(at, "coalition") == []


@pytest.mark.rule("pq17", "11.5.1", "11.5.4", "11.5.5.1")
def test_boxes_that_a_refit_adds_are_there_and_empty_when_it_is_complete() -> None:
    state = refitting()
    ship = state.units["A1.CA"]
    assert (boxes.full_boxes(state, ship, "battery"), ship.battery) == (2, 2)
    refits.work_on_refit(state, ship, "plus", 749, interrupted=False)
    assert (boxes.full_boxes(state, ship, "battery"), ship.battery) == (2, 2)
    refits.work_on_refit(state, ship, "plus", 1, interrupted=False)
    assert (boxes.full_boxes(state, ship, "battery"), ship.battery) == (4, 4)


@cases("whole, left")
def test_boxes_that_a_refit_takes_away_are_gone_and_never_fewer_than_none(whole: int, left: int) -> None:
    """Two batteries become phasers; those that were destroyed before cannot be taken away once more."""
    state = refitting()
    ship = state.units["A1.CA"]
    trade = Refit(name="trade", year=165, bpv="2", boxes_changed={"2 battery": "phaser-1"})
    state.classes["CA"] = state.classes["CA"].model_copy(update={"refits": (trade,)})
    ship.battery = whole
    refits.work_on_refit(state, ship, "trade", refits.refit_cost(trade), interrupted=False)
    assert ship.repairs.refits == ["trade"]
    assert (boxes.full_boxes(state, ship, "battery"), ship.battery) == (0, left)


@pytest.mark.rule("pq17", "11.4.10", "11.4.9.6")
def test_an_interrupted_refit_keeps_what_is_finished_and_loses_the_rest() -> None:
    """Boxes at 125: of 200 points the first box stays, 75 are lost; interrupted, 60 new points begin nothing."""
    state = refitting()
    ship = state.units["A1.CA"]
    refits.work_on_refit(state, ship, "plus", 200, interrupted=False)
    state.turn += 1
    refits.work_on_refit(state, ship, "plus", 60, interrupted=True)
    assert ship.repairs.refit == damage.RefitInHand(name="plus", points=125, turn=2)


# --- the Cost of Repair table -----------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "11.4.9.3", "11.4.9.3.6")
def test_the_table_is_read_with_all_its_defects_at_once_and_counts_five_times_in_the_logistics_step_only() -> None:
    state = yard(UNDERWAY)
    assert (boxes.table_value(state, "warp"), boxes.operational_cost(state, "warp")) == (10, 50)
    read, wrong = costs.read_repair_table({"repair.toml": 'source = "My book, page 9"\n[cost]\nwarp = 10\nshield = 2'})
    assert (read.source, read.cost, wrong) == ("My book, page 9", {"warp": 10, "shield": 2}, [])
    assert costs.read_repair_table({})[0].cost == {}
    _, wrong = costs.read_repair_table({"repair.toml": "[cost]\nshield-2 = 2\nWarp = 3\nself-repair = 9"})
    assert [one.path for one in wrong] == [f"repair.toml.cost.{one}" for one in ("Warp", "self-repair", "shield-2")]
    _, wrong = costs.read_repair_table({"repair.toml": "[cost]\nwarp = 0\n[price]\n"})
    assert sorted(one.path for one in wrong) == ["repair.toml.cost.warp", "repair.toml.price"]


@pytest.mark.rule("pq17", "SOP.2.a.iv.3")
def test_where_only_one_ship_has_repair_boxes_nobody_has_to_name_it() -> None:
    state = yard(UNDERWAY)
    turn(state, {"repair-A1.CA": {"boxes": "warp 1", "by": None}})
    (made,) = state.logistics["alliance"].repairs
    assert (made.unit, made.by, made.boxes) == ("A1.CA", "A1.RS", ["warp"])
