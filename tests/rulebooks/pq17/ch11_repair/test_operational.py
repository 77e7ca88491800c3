"""Chapter 11.4.9 and 11.4.10: repairs by repair boxes at the end of a turn. Costs as in yards.COSTS, times five."""

from typing import Any

import pytest

from rules_engine.rulebooks.pq17.ch01_forces.task_forces import drop_unit
from rules_engine.rulebooks.pq17.ch11_repair.berths import may_work_on, workshop
from rules_engine.rulebooks.pq17.ch11_repair.boxes import all_destroyed, destroy, destroyed, operational_cost, restore
from rules_engine.rulebooks.pq17.ch11_repair.operational import (
    Stock,
    are_together,
    carry_out_repairs,
    may_repair,
    stock_of,
    work_on,
)
from rules_engine.rulebooks.pq17.records import damage, forces
from rules_engine.rulebooks.pq17.records.state import State
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.notation import table, told
from tests.rulebooks.pq17.worlds.repair import docked, order, unit, yard

UNDERWAY = "A1 0405 CA[warp=20]+RS logistics speed 0"
"""A cruiser short of ten warp boxes (50 CDR points each) beside a repair ship of 30 repair boxes."""
IN_PORT = "A9 0303 BATS base Haven known\nA1 0303 CA[warp=20]+DD[warp=10] logistics speed 0 port A9"


# --- what may be repaired, and its price ------------------------------------------------------------------------------
@cases("box, points")
def test_a_box_costs_five_times_the_table_and_fifty_where_it_lists_none(box: str, points: int) -> None:
    assert operational_cost(yard(UNDERWAY), box) == points


@pytest.mark.rule("pq17", "11.4.9.3.3", "11.4.9.3.4")
def test_excess_damage_waits_for_all_hull_and_the_het_bonus_for_both() -> None:
    state = yard(UNDERWAY)
    ship = state.units["A1.CA"]
    for box in ("hull", "excess", "het"):
        assert destroy(state, ship, box) == 1
    assert [may_repair(state, ship, box) for box in ("hull", "excess", "het")] == [True, False, False]
    restore(state, ship, "hull")
    assert [may_repair(state, ship, box) for box in ("excess", "het")] == [True, False]
    restore(state, ship, "excess")
    assert may_repair(state, ship, "het")


@pytest.mark.rule("pq17", "11.4.9.3.3", "11.4.9.5")
def test_boxes_are_worked_off_in_the_order_given_and_what_may_not_be_repaired_yet_is_passed_over() -> None:
    """Hull 5 and excess 15 points: excess before hull is passed over, after it is done."""
    state = yard(UNDERWAY)
    ship = state.units["A1.CA"]
    destroy(state, ship, "hull")
    destroy(state, ship, "excess")
    done = work_on(state, ship, ["excess", "hull", "excess"], 20, stock_of(state, ship_of(state)), interrupted=False)
    assert done.restored == ["hull", "excess"]


@pytest.mark.unseen("pq17", reports=("logistics",))
@cases("proves, text, hurt, groups, orders, said, begun", "said, begun")
def test_who_is_repaired_by_whom_and_what_is_told_of_it(
    text: str, hurt: dict[str, list[str]], groups: list[str], *, orders: list[list[str]], said: list[str], begun: str
) -> None:
    """``hurt`` are boxes destroyed, ``orders`` name unit, repairing unit and boxes, ``begun`` is work in hand."""
    state = yard(f"{text}\nC1 0405 CA ID0")
    for unit_id, destroyed_boxes in hurt.items():
        for box in destroyed_boxes:
            destroy(state, state.units[unit_id], box)
    docked(state, *groups, port="A9" if "A9" in state.task_forces else "")
    for order_given in orders:
        order(state, *order_given)
    at = table(state)
    carry_out_repairs(at, "alliance")
    assert (told(at, "alliance"), told(at, "coalition")) == (said, [])
    works = [(one.id, one.repairs.in_hand) for one in state.units.values()]
    assert ", ".join(f"{ship} {work.box} {work.points}" for ship, work in works if work is not None) == begun


def ship_of(state: State) -> forces.Unit:
    return state.units["A1.RS"]


@pytest.mark.rule("pq17", "11.4.9.3.5")
def test_a_repaired_box_comes_back_empty() -> None:
    state = yard("A1 0405 CB+RS logistics speed 0")
    ship = unit(state, "A1.CB", cargo=40, supply=40, warp=6, fuel=6)
    done = work_on(state, ship, ["cargo", "cargo", "warp"], 60, stock_of(state, ship_of(state)), interrupted=False)
    assert done.restored == ["cargo", "cargo", "warp"]
    assert (ship.cargo, ship.supply, ship.warp, ship.fuel) == (42, 40, 7, 6)


@pytest.mark.rule("pq17", "11.2.6", "11.4.9.7", "11.4.9.8", "11.2.4.3", "11.2.1", "11.4.9.4")
def test_each_finished_box_takes_a_repair_point_of_the_repairing_unit_and_without_one_the_work_is_lost() -> None:
    """One point in the repair boxes, one in cargo, one supply: three of five boxes; 2 x 50 points are gone for
    nothing. The cruiser's own points in its DAMCON track are not touched."""
    state = yard(UNDERWAY)
    ship, helper = state.units["A1.CA"], unit(state, "A1.RS", rp_repair=1, rp_cargo=1, supply=1)
    done = work_on(state, ship, ["warp"] * 5, 250, stock_of(state, helper), interrupted=False)
    assert (done.restored, done.wasted) == (["warp"] * 3, 100)
    assert (ship.warp, ship.rp_damcon) == (23, 8)
    assert (helper.rp_repair, helper.rp_cargo, helper.supply) == (0, 0, 0)


@pytest.mark.rule("pq17", "11.4.9.8", "11.2.4.3")
def test_repair_points_come_from_repair_boxes_before_cargo_before_supply() -> None:
    helper = unit(yard(UNDERWAY), "A1.RS", rp_repair=1, rp_cargo=1, supply=1)
    stock, seen = Stock((helper,)), []
    while stock.take():
        seen.append((helper.rp_repair, helper.rp_cargo, helper.supply))
    assert seen == [(0, 1, 1), (0, 0, 1), (0, 0, 0)]


@pytest.mark.rule("pq17", "11.3.4", "11.3.5", "11.3.6")
def test_self_repairs_come_back_at_125_each_without_a_repair_point_and_no_further_than_the_damcon_left() -> None:
    """DAMCON 4, 2, 2, 0 with the 4 destroyed: four self-repairs at most. 300 points restore two and begin a third."""
    state = yard(UNDERWAY)
    ship = unit(state, "A1.CA", damcon_track=[2, 2, 0], self_repairs_left=1)
    helper = unit(state, "A1.RS", rp_repair=0, supply=0)
    done = work_on(state, ship, ["self-repair"] * 5, 300, stock_of(state, helper), interrupted=False)
    assert (ship.self_repairs_left, done.begun, done.begun_points) == (3, "self-repair", 50)
    state.turn += 1
    done = work_on(state, ship, ["self-repair"] * 5, 300, stock_of(state, helper), interrupted=False)
    assert (ship.self_repairs_left, done.begun) == (4, "")
    helper.rp_repair = 1
    work_on(state, ship, ["damcon", "self-repair"], 145, stock_of(state, helper), interrupted=False)
    assert (ship.damcon_track, ship.self_repairs_left) == ([4, 2, 2, 0], 5)


# --- over several turns -----------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "11.4.9.6", "11.4.9.7", "11.3.1")
def test_what_is_left_unfinished_goes_on_next_turn_and_is_lost_if_it_does_not() -> None:
    """30 points a turn for a warp box of 50: begun, then finished with 10 to spare for the next."""
    state = yard(UNDERWAY)
    docked(state, "A1.RS>A1.CA")
    order(state, "A1.CA", "A1.RS", "warp", "warp")
    ship, helper = state.units["A1.CA"], state.units["A1.RS"]
    carry_out_repairs(table(state), "alliance")
    assert ship.warp == 20
    assert ship.repairs.in_hand == damage.BoxInHand(box="warp", points=30, turn=1)
    assert helper.rp_repair == 30  # a repair point is used when the box is restored, not when it is begun
    state.turn = 2
    carry_out_repairs(table(state), "alliance")
    assert (ship.warp, helper.rp_repair) == (21, 29)
    assert ship.repairs.in_hand == damage.BoxInHand(box="warp", points=10, turn=2)
    state.turn = 3
    state.logistics["alliance"].repairs = []
    at = table(state)
    carry_out_repairs(at, "alliance")
    assert ship.repairs.in_hand is None
    assert told(at, "alliance") == ["A1.CA loses 10 CDR points in warp: the work did not go on."]


@pytest.mark.rule("pq17", "11.4.9.5", "11.4.9.6")
def test_points_serve_the_same_box_only() -> None:
    state = yard(UNDERWAY)
    ship = state.units["A1.CA"]
    destroy(state, ship, "hull", 3)
    ship.repairs = ship.repairs.with_values(in_hand=damage.BoxInHand(box="warp", points=45, turn=0))
    done = work_on(state, ship, ["hull", "warp"], 10, stock_of(state, ship_of(state)), interrupted=False)
    assert (done.carried, done.lost, done.restored) == (0, 45, ["hull"])
    assert ship.repairs.in_hand == damage.BoxInHand(box="warp", points=5, turn=1)


@cases("impulse, hull")
def test_interrupted_work_gives_nothing_a_quarter_or_half_and_nothing_is_carried(impulse: int, hull: int) -> None:
    """30 points: 0, 7 and 15, at 5 a hull box. The 7 leave 2 over, which are lost; so are points brought over."""
    state = yard(UNDERWAY)
    plan = docked(state, "A1.RS>A1.CA")
    plan.interrupted = {"A1.CA": impulse, "A1.RS": impulse}
    ship = state.units["A1.CA"]
    destroy(state, ship, "hull", 8)
    ship.repairs = ship.repairs.with_values(in_hand=damage.BoxInHand(box="hull", points=4, turn=0))
    order(state, "A1.CA", "A1.RS", *["hull"] * 8)
    at = table(state)
    carry_out_repairs(at, "alliance")
    assert destroyed(state, ship, "hull") == 8 - hull
    assert ship.repairs.in_hand is None
    assert at.shared.reports[-1].why.rule == "PQ-17 11.4.10"


# --- who repairs whom -------------------------------------------------------------------------------------------------
@cases("proves, text, carried, host, gives, offers")
def test_what_a_workshop_gives_and_offers(
    text: str, carried: list[str], host: str, *, gives: list[tuple[Any, ...]], offers: list[tuple[Any, ...]]
) -> None:
    """``gives``: to whom, at which position, points wanted and given. ``offers``: what is left for whom, and where."""
    state = yard(text)
    for pod in carried:
        unit(state, pod, carried_by=host)
    shop = workshop(state, state.units[host])
    assert [(*one[:3], shop.give(*one[:3])) for one in gives] == gives
    assert [(*one[:2], shop.offer(*one[:2])) for one in offers] == offers


@pytest.mark.rule("pq17", "11.4.9.2.2")
def test_a_repair_module_divides_its_points_between_the_two_positions_beside_it_as_its_owner_likes() -> None:
    """A starbase: two boxes at each of the first four positions, and a module of 12 between the second and third."""
    state = yard("A9 0303 SB base Rock known\nA1 0303 CA#2[warp=20] logistics speed 0 port A9")
    shop = workshop(state, state.units["A9.SB"])
    assert [shop.offer("A1.CA", berth) for berth in range(6)] == [2, 14, 14, 2, 0, 0]
    docked(state, "A9.SB>A1.DD+A1.CA+A1.CA2", port="A9")
    order(state, "A1.CA", "A9.SB", "warp", most=9)
    order(state, "A1.CA2", "A9.SB", "warp")
    carry_out_repairs(table(state), "alliance")
    points = [state.units[one].repairs.in_hand for one in ("A1.CA", "A1.CA2")]
    assert [held.points if held else 0 for held in points] == [9, 7]  # 2 + 7 of the module, then 2 + its other 5


@pytest.mark.rule("pq17", "11.4.9.2.1")
def test_a_base_that_repairs_itself_takes_no_more_positions_than_it_needs() -> None:
    state = yard("A9 0303 SB base Rock known\nA1 0303 CA#2 logistics speed 0 port A9")
    shop = workshop(state, state.units["A9.SB"])
    whole = [shop.offer("A1.CA", position) for position in range(4)]
    assert min(whole) > 1
    assert shop.give("A9.SB", None, 1) == 1
    assert [shop.offer("A1.CA", position) for position in range(4)] == [0, *whole[1:]]


@pytest.mark.rule("pq17", "11.4.9.2.6", "11.4.9.9")
def test_a_tender_repairs_only_its_own_fast_patrol_ships_and_never_itself() -> None:
    state = yard("A1 0405 PT+PF#2+RS+CA logistics speed 0")
    tender, ship, boat = (state.units[f"A1.{one}"] for one in ("PT", "CA", "PF"))
    groups = docked(state, "A1.PT>>A1.PF", "A1.PT>A1.CA").groups
    assert may_work_on(state, tender, boat, groups)
    assert not may_work_on(state, tender, state.units["A1.PF2"], groups)
    assert not may_work_on(state, tender, ship, groups)
    assert not may_work_on(state, tender, tender, groups)
    assert may_work_on(state, state.units["A1.RS"], state.units["A1.RS"], groups)


def test_damage_is_listed_by_importance() -> None:
    state = yard(UNDERWAY)
    ship = state.units["A1.CA"]
    for box in ("het", "hull", "phaser-1", "shield-2", "damcon", "awr"):
        destroy(state, ship, box)
    assert list(all_destroyed(state, ship)) == ["warp", "awr", "damcon", "shield-2", "phaser-1", "hull", "het"]


@cases("what", "")
def test_who_is_lost_taken_or_elsewhere_is_not_repaired(what: str) -> None:
    state = yard("A1 0405 CA[warp=20]+RS logistics speed 0\nA2 0405 DD\nC1 0405 DD")
    plan = docked(state, "A1.RS>A1.CA")
    host, ship = state.units["A1.RS"], state.units["A1.CA"]
    if what:
        lost = host if what == "host lost" else ship
        drop_unit(state, lost.id)
        if what == "ship captured":
            ship.side = "coalition"
        if what in ("apart", "ship captured"):
            taker = state.task_forces["A2" if what == "apart" else "C1"]
            state.set_units(taker, [*taker.units, ship.id])
    assert are_together(state, host, ship, plan) is (not what)
