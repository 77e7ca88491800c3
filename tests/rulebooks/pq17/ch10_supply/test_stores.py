"""Chapter 10: stores, and docking to reach them."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.rulebooks.pq17.ch10_supply import stores as places
from rules_engine.rulebooks.pq17.ch10_supply import transfers
from rules_engine.rulebooks.pq17.ch10_supply.docking import can_join, group_refusals, link_groups, positions, yards
from rules_engine.rulebooks.pq17.ch10_supply.stores import (
    cargo_boxes,
    cargo_free,
    cargo_used,
    lose_excess,
    put,
    room,
    set_in_place,
    take,
)
from rules_engine.rulebooks.pq17.plotting.logistics_sheet import warnings
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.logistics import DockedGroup, GoodsTransfer, LogisticsPlan
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario.invariants import defects
from rules_engine.rulebooks.pq17.tables.supply import PER_POINT, Goods, boxes_for, worth
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.worlds.notation import ship_class
from tests.rulebooks.pq17.worlds.supply import depot, draft, empty, plan, rules, stores, turn_end, unit

F = Fraction

BASE = """
A9 0303 BATS base Haven known
A1 0303 CA logistics port A9
A2 0303 FT logistics port A9
A3 0303 DR+RS+ML+OR logistics port A9
"""


@cases("proves, goods, count", "", made="goods")
def test_what_two_supply_points_become(goods: Goods, count: int) -> None:
    """A freighter turns two of its points into goods for itself: they take up the two boxes that the points left."""
    state = depot("A1 0404 FT speed 2")
    freighter = empty(state, "FT", supply=10, fuel=1)
    plan(state, stores={"sheet": "useful"})
    state.supply_routine["alliance"].sheet = "always"
    plan(state, A1_FT=f"self 2 supply as {goods.value}")
    turn_end(state)
    assert freighter.supply == 8
    assert places.held(freighter, goods) + freighter.rp_damcon - (goods is Goods.FUEL) == 2 * count
    own = goods in (Goods.FUEL, Goods.REPAIR)  # engine boxes and a DAMCON track are where these go first
    assert cargo_used(freighter) == (8 if own else 10)


@pytest.mark.rule("pq17", "10.2.3.6")
def test_a_double_shuttle_costs_two_points_and_two_spaces() -> None:
    """Three points make one double shuttle and leave a half: (3 points) x 1/2 = 1 1/2, of which one fits the bay."""
    state = depot("A1 0404 CA")
    cruiser = empty(state, "CA", stores={Goods.DOUBLE_SHUTTLES: 1})
    assert (worth(Goods.DOUBLE_SHUTTLES, 3), boxes_for(Goods.DOUBLE_SHUTTLES, 3)) == (6, 6)
    assert room(state.class_of(cruiser), cruiser, Goods.SHUTTLES) == 0


@cases("goods, count, boxes")
def test_a_cargo_box_holds_what_a_point_becomes(goods: str, count: int, boxes: int) -> None:
    """One kind to a box; a box begun is filled up before another is taken."""
    state = depot("A1 0404 FT")
    freighter = empty(state, "FT")
    put(state.class_of(freighter), freighter, Goods[goods], F(count))
    assert (freighter.cargo_goods, cargo_used(freighter)) == ({Goods[goods]: count}, boxes)
    freighter.supply = 50 - boxes
    begun = int(boxes * PER_POINT[Goods[goods]]) - count
    assert room(state.class_of(freighter), freighter, Goods[goods]) == begun
    assert put(state.class_of(freighter), freighter, Goods[goods], F(begun + 1)) == 1


@cases("proves, unit_id, fields, goods, amount, left, held", "left, held", made="goods")
def test_goods_go_where_they_belong_and_then_into_cargo(
    unit_id: str, fields: dict[str, Any], goods: Goods, *, amount: int, left: str, held: str
) -> None:
    """Fuel into power boxes, repair points into repair boxes and a DAMCON track, drones into racks; what is left over
    into cargo boxes. ``fields`` are those of the ship, which has nothing else aboard; ``left`` finds no room."""
    state = depot(BASE)
    ship = empty(state, unit_id, **fields)
    assert str(put(state.class_of(ship), ship, goods, F(amount))) == left
    assert f"{stores(state, unit_id)}; {cargo_free(ship)} of {cargo_boxes(ship)} cargo boxes free" == held


@cases("left, kept, lost", "kept")
def test_cargo_that_damage_leaves_no_box_for_is_lost(left: int, kept: str, lost: dict[str, int]) -> None:
    """Six supply, two repair points and eight probes (two boxes) fill ten boxes; supply goes last."""
    state = depot("A1 0404 RS")
    ship = empty(state, "RS", supply=6, rp_cargo=2, cargo_goods={Goods.PROBES: 8})
    ship.cargo = left
    assert lose_excess(ship) == lost
    assert stores(state, "RS") == kept
    assert defects(state) == []


@pytest.mark.rule("pq17", "10.2.2.2", "9.8")
def test_what_lies_in_other_boxes_is_cut_to_them() -> None:
    """Twenty of 34 power boxes, one of two DAMCON boxes of 2, three repair boxes: that much is kept."""
    state = depot("A1 0404 CA+RS")
    cruiser = unit(state, "CA")
    cruiser.warp, cruiser.awr, cruiser.damcon_track = 20, 0, [2, 0]
    assert lose_excess(cruiser) == {"engine fuel": 14, "repair points in the DAMCON track": 2}
    ship = unit(state, "RS")
    ship.repair = 3
    assert lose_excess(ship) == {"repair points in repair boxes": 7}
    ship.repair = 10
    assert (ship.rp_repair, ship.fuel) == (3, 8)  # repairing the boxes brings nothing back


@pytest.mark.rule("pq17", "10.2.7.1")
def test_ships_arrive_with_supply_in_their_cargo_boxes() -> None:
    """Explicit supply: every cargo box holds a point at the start, and the standard consumables are aboard."""
    state = depot(BASE)
    assert stores(state, "FT") == "fuel 6, supply 50, damcon 4"
    assert stores(state, "OR") == "fuel 8, supply 5"
    text = "fuel 34, damcon 4, probes 5, 10 crew units, 8 boarding parties, 2 shuttles, 2 transporter bombs"
    assert stores(state, "CA") == text


@cases("goods", "")
def test_nothing_turns_back_into_supply(goods: str) -> None:
    """Specific goods stay what they are, and do not become other goods either."""
    state = depot("A1 0404 FT+RS logistics")
    empty(state, "FT")
    empty(state, "RS", fuel=8, rp_repair=5, probes=0, cargo_goods={Goods.PROBES: 5})
    assert rules(state, A1_RS=f"> A1.FT 3 {goods} as supply") == ["PQ-17 10.2.4"]
    assert rules(state, A1_RS=f"> A1.FT 3 {goods} as crew units") == ["PQ-17 10.2.4"]
    assert rules(state, A1_RS=f"> A1.FT 3 {goods}") == []


@pytest.mark.rule("pq17", "10.3.5")
def test_supply_without_a_cargo_box_must_become_something() -> None:
    """A cruiser with 31 1/2 of 34 fuel, an empty DAMCON track (4) and one probe of five gets nine points. Two whole
    ones become fuel, four repair points; there is no other whole one to use but the shuttles', of which two fit. The
    ninth tops up the engine with the last half point."""
    state = depot("A1 0404 CA")
    cruiser = empty(state, "CA", fuel="63/2", probes=1, stores={Goods.CREW: 10, Goods.BOARDERS: 8, Goods.T_BOMBS: 2})
    made, lost = transfers.absorb(state, cruiser, F(9))
    assert (made, lost) == ({Goods.FUEL: F(5, 2), Goods.REPAIR: 4, Goods.SHUTTLES: 2}, 0)
    made, lost = transfers.absorb(state, cruiser, F(2))
    assert (made, lost) == ({Goods.PROBES: 4}, 1)


@pytest.mark.rule("pq17", "10.3.5")
def test_supply_with_a_cargo_box_stays_supply() -> None:
    """A freighter that needs fuel keeps what it gets as supply all the same (ruling SUP-12)."""
    state = depot("A1 0404 FT")
    freighter = empty(state, "FT", supply=48)
    assert transfers.absorb(state, freighter, F(2)) == ({Goods.SUPPLY: 2}, 0)
    assert transfers.absorb(state, freighter, F(2)) == ({Goods.FUEL: 2}, 0)


def test_taking_more_than_there_is_changes_nothing() -> None:
    freighter: Unit = empty(depot("A1 0404 FT"), "FT", supply=3)
    with pytest.raises(ValueError, match="has no 4 supply"):
        take(freighter, Goods.SUPPLY, F(4))
    assert freighter.supply == 3


def test_stores_that_no_box_holds_are_impossible(kept: Kept) -> None:
    """The invariants see every place; the freighter's drone is beside its 50 supply in 50 boxes."""
    state = depot("A1 0404 RS+DR+CA+FT")
    unit(state, "FT").cargo_goods = {Goods.DRONES: 1}
    unit(state, "RS").rp_repair = 11
    unit(state, "CA").rp_damcon = 5
    unit(state, "DR").stores = {Goods.DRONES: 81}
    unit(state, "DR").cargo_goods = {Goods.SUPPLY: 1}
    assert sorted(defects(state)) == kept()


@pytest.mark.rule("pq17", "11.2.5", "11.2.5.1")
def test_what_lies_in_the_damcon_track_is_not_at_hand() -> None:
    assert places.held(empty(depot(BASE), "CA", rp_damcon=4), Goods.REPAIR) == 0


@cases("fitted, goods, said", "")
def test_each_consumable_has_a_place_that_holds_so_many_and_no_more(fitted: dict[str, int], goods: str, said: str):
    size = 2 if Goods[goods] in (Goods.DOUBLE_SHUTTLES, Goods.LARGE_MINES) else 1
    spaces = int(said.partition(" ")[0])
    state = depot("A1 0404 CA")
    kind = ship_class("CA", "1", warp=30, awr=4, **fitted)
    ship = unit(state, "CA")
    ship.cargo_goods, ship.probes, ship.stores = {}, 0, {}
    set_in_place(ship, Goods[goods], spaces // size)
    assert list(places.defects(kind, ship)) == []
    set_in_place(ship, Goods[goods], spaces // size + 1)
    assert list(places.defects(kind, ship)) == [f"A1.CA has {spaces + size} spaces' worth in {said}"]


# --- docking ----------------------------------------------------------------------------------------------------------
# chapter 10.3.7: docked groups and their limits. Expected numbers are the book's: SB 6, BATS 3, BS 3, others 2.
PORT = """
A9 0303 BATS base Haven known
A1 0303 CA#3 logistics port A9
A2 0303 FT+CA logistics port A9
A3 0303 CA port A9
A4 0404 FT+CA#2+DD logistics
A5 0505 FT+CA logistics speed IC
A6 0606 FT+CA logistics speed 1
"""


def refused(state: State, *groups: str) -> list[str]:
    """The rules by which groups ``host>ship+ship`` are refused; ``>>`` for a tender's links."""
    made: list[DockedGroup] = []
    for text in groups:
        host, _, ships = text.partition(">")
        made.append(DockedGroup(host=host, docked=ships.removeprefix(">").split("+"), links=ships.startswith(">")))
    return [one.rule for one in group_refusals(state, yards(state, "alliance"), made)]


@pytest.mark.rule("pq17", "10.3.2", "10.3.7.1", "10.3.8.1", "10.3.9.1", "SOP.2.a.iv.1", "5.2.3.4", "5.2.3.5")
def test_a_port_and_each_force_underway_is_a_yard_of_its_own() -> None:
    """In port: the base and what is there in Logistics posture. Underway: speed 0 or Impulse Crawl in that posture."""
    state = depot(PORT)
    found = yards(state, "alliance")
    assert [(one.key, one.in_port) for one in found] == [("A9", True), ("A4", False), ("A5", False)]
    assert found[0].units == ("A9.BATS", "A1.CA", "A1.CA2", "A1.CA3", "A2.CA", "A2.FT")
    assert yards(state, "coalition") == []


@pytest.mark.rule("pq17", "10.3.8.1", "5.2.3.5")
def test_in_port_a_crawling_force_cannot_resupply() -> None:
    """In port the speed must be 0; the crawl is for those underway."""
    assert yards(depot("A9 0303 BATS base Haven known\nA1 0303 CA logistics port A9 speed IC"), "alliance") == []


@cases("base, most")
def test_positions_at_a_base(base: str, most: int) -> None:
    """One more ship than there are positions is refused; nine tactical docking points do not help the BATS."""
    state = depot(f"A9 0303 {base} base Haven known\nA1 0303 CA#7 logistics port A9")
    ships = ["A1.CA", *(f"A1.CA{number}" for number in range(2, 8))]
    host = f"A9.{base}"
    assert positions(state, unit(state, host)) == most
    assert refused(state, f"{host}>{'+'.join(ships[:most])}") == []
    rule = "PQ-17 10.3.7.2.3" if most > 2 else "PQ-17 10.3.7.2.4"
    assert refused(state, f"{host}>{'+'.join(ships[: most + 1])}") == [rule]


@cases("pods, places")
def test_a_tug_has_a_position_for_each_pod_and_one_without_any(pods: int, places: int) -> None:
    state = depot("A1 0404 TG+KP#2+CA logistics")
    for pod in ("A1.KP", "A1.KP2")[:pods]:
        unit(state, pod).carried_by = "A1.TG"
    assert positions(state, unit(state, "A1.TG")) == places
    assert positions(state, unit(state, "A1.CA")) == 1


@pytest.mark.rule("pq17", "10.3.7.2.4")
def test_a_base_of_no_named_type_is_an_other_base() -> None:
    state = depot("A9 0303 DOCK base Haven known\nA1 0303 CA#3 logistics port A9")
    state.classes["DOCK"] = state.classes["DOCK"].model_copy(update={"base_type": None})
    assert positions(state, unit(state, "A9.DOCK")) == 2


@cases("proves, text, carried, groups, said", made="text")
def test_who_docks_to_whom(text: str, carried: dict[str, str], groups: list[str], said: list[str]) -> None:
    """``carried`` are pods and boats with what carries them."""
    state = depot(text)
    for one, carrier in carried.items():
        unit(state, one).carried_by = carrier
    assert refused(state, *groups) == said


@pytest.mark.rule("pq17", "10.3.7.2.5")
def test_the_links_of_a_tender_are_a_group_of_their_own() -> None:
    state = depot("A1 0404 PT+PF#3+FT logistics")
    for ship in ("A1.PF", "A1.PF2"):
        unit(state, ship).carried_by = "A1.PT"
    (links,) = link_groups(state, yards(state, "alliance"))
    assert (links.host, links.docked, links.links) == ("A1.PT", ["A1.PF", "A1.PF2"], True)


@pytest.mark.rule("pq17", "10.3.7.2.3", "10.3.7.2")
def test_the_player_names_the_docked_ships() -> None:
    """Five ships at three positions: the sheet must say which (ruling SUP-15); the rest cannot be supplied."""
    state = depot(PORT)
    made = plan(state, dock_A9_BATS="A1.CA+A1.CA3+A2.FT")
    assert [(one.host, one.docked) for one in made.groups] == [("A9.BATS", ["A1.CA", "A1.CA3", "A2.FT"])]
    wrong = draft(state, dock_A9_BATS="A1.CA+A1.CA2+A1.CA3+A2.FT")[1]
    assert [(one.rule, one.path) for one in wrong] == [("PQ-17 10.3.7.2.3", "dock-A9.BATS.ships")]
    text = "> A1.CA 1 supply as fuel, > A1.CA2 1 supply as fuel, > A1.CA3 1 supply as fuel, > A2.CA 1 supply as fuel"
    assert rules(state, A9_BATS=text) == ["PQ-17 10.3.7.3"]


@pytest.mark.rule("pq17", "10.3.7.2", "10.3.7.2.5", "10.3.7.2.6")
def test_a_boat_on_its_tenders_links_may_dock_to_another_besides() -> None:
    state = depot("A1 0404 PT+PF#2+FT logistics")
    on_links = DockedGroup(host="A1.PT", docked=["A1.PF", "A1.PF2"], links=True)
    docked = DockedGroup(host="A1.FT", docked=["A1.PF2"])
    assert can_join(state, [on_links], "A1.FT", "A1.PF")
    assert not can_join(state, [on_links, docked], "A1.PT", "A1.PF2")


@pytest.mark.rule("pq17", "10.3.7.2.6", "SOP.2.a.iv.1")
def test_two_ships_that_name_each_other_are_one_pair_and_a_third_that_names_one_is_refused() -> None:
    one, two, three = "A1.FT", "A1.FT2", "A1.FT3"
    state = depot("A1 0404 FT#3 logistics")
    (pair,) = plan(state, dock_A1_FT=two, dock_A1_FT2=one).groups
    assert pair.members() == [one, two]
    for sheet in ({one: two, three: one}, {one: two, two: f"{one}+{three}"}, {one: f"{two}+{three}", two: one}):
        assert "PQ-17 10.3.7.2.6" in rules(state, **{f"dock_{key.replace('.', '_')}": sheet[key] for key in sheet})


def test_a_plan_for_a_unit_that_is_gone_is_not_warned_about() -> None:
    state = depot("A1 0404 FT+CA logistics")
    for source, target in (("A1.FT", "gone"), ("gone", "A1.FT")):
        line = GoodsTransfer(source=source, target=target, goods=Goods.SUPPLY, amount=Fraction(1))
        assert warnings(state, "alliance", LogisticsPlan(transfers=[line])) == []
