"""Chapter 10.2: what supply is worth, where goods may lie, and what damage loses. Figures are worked out by hand."""

from fractions import Fraction

import pytest

from rules_engine.rulebooks.pq17.ch10_supply import stores as places
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
from rules_engine.rulebooks.pq17.ch10_supply.transfers import absorb
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.scenario.invariants import defects
from rules_engine.rulebooks.pq17.tables.supply import PER_POINT, Goods, boxes_for, worth
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.notation import ship_class
from tests.rulebooks.pq17.worlds.supply import depot, empty, plan, rules, stores, turn_end, unit

F = Fraction

BASE = """
A9 0303 BATS base Haven known
A1 0303 CA logistics port A9
A2 0303 FT logistics port A9
A3 0303 DR+RS+ML+OR logistics port A9
"""


@pytest.mark.rule("pq17", "10.2.3", "10.2.5", "10.3.4")
@pytest.mark.parametrize(
    ("goods", "count"),
    [
        pytest.param(Goods.FUEL, 1, marks=pytest.mark.rule("pq17", "10.2.3.1")),
        pytest.param(Goods.REPAIR, 1, marks=pytest.mark.rule("pq17", "10.2.3.2")),
        pytest.param(Goods.DRONES, 8, marks=pytest.mark.rule("pq17", "10.2.3.3")),
        pytest.param(Goods.LIMITED_DRONES, 8, marks=pytest.mark.rule("pq17", "10.2.3.3")),
        pytest.param(Goods.RESTRICTED_DRONES, 8, marks=pytest.mark.rule("pq17", "10.2.3.3")),
        pytest.param(Goods.CREW, 1, marks=pytest.mark.rule("pq17", "10.2.3.4")),
        pytest.param(Goods.BOARDERS, 2, marks=pytest.mark.rule("pq17", "10.2.3.4")),
        pytest.param(Goods.DECK_CREWS, 2, marks=pytest.mark.rule("pq17", "10.2.3.4")),
        pytest.param(Goods.PPTS, 1, marks=pytest.mark.rule("pq17", "10.2.3.5")),
        pytest.param(Goods.SHUTTLES, 1, marks=pytest.mark.rule("pq17", "10.2.3.6")),
        pytest.param(Goods.PROBES, 5, marks=pytest.mark.rule("pq17", "10.2.3.7")),
        pytest.param(Goods.LARGE_MINES, 4, marks=pytest.mark.rule("pq17", "10.2.3.8")),
        pytest.param(Goods.SMALL_MINES, 8, marks=pytest.mark.rule("pq17", "10.2.3.8")),
        pytest.param(Goods.T_BOMBS, 8, marks=pytest.mark.rule("pq17", "10.2.3.8")),
        pytest.param(Goods.UIMS, 1, marks=pytest.mark.rule("pq17", "10.2.3.9")),
        pytest.param(Goods.DROGUES, 1, marks=pytest.mark.rule("pq17", "10.2.3.10")),
        pytest.param(Goods.FIGHTER_PODS, 12, marks=pytest.mark.rule("pq17", "10.2.3.11")),
        pytest.param(Goods.WARP_BOOSTERS, 2, marks=pytest.mark.rule("pq17", "10.2.3.12")),
    ],
)
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
    state = depot("A1 0404 CA+FT logistics")
    cruiser = empty(state, "CA")
    empty(state, "FT", supply=10)
    assert rules(state, A1_FT="> A1.CA 4 supply as double shuttles") == ["PQ-17 10.3.3"]  # a bay of two spaces
    plan(state, A1_FT="> A1.CA 2 supply as double shuttles")
    turn_end(state)
    assert cruiser.stores == {Goods.DOUBLE_SHUTTLES: 1}
    assert (worth(Goods.DOUBLE_SHUTTLES, 3), boxes_for(Goods.DOUBLE_SHUTTLES, 3)) == (6, 6)
    assert room(state.class_of(cruiser), cruiser, Goods.SHUTTLES) == 0


@pytest.mark.rule("pq17", "10.2.1", "10.2.2", "10.3.3.1")
def test_a_point_of_supply_in_each_undestroyed_cargo_box() -> None:
    """A freighter of fifty boxes, ten of them destroyed, holds forty points; it holds no point more."""
    state = depot("A1 0404 FT")
    freighter = empty(state, "FT", cargo=40)
    kind = state.class_of(freighter)
    assert put(kind, freighter, Goods.SUPPLY, F(45)) == 5
    assert (freighter.supply, cargo_free(freighter)) == (40, 0)
    freighter.supply = 41
    assert any("cargo" in one for one in defects(state))


@pytest.mark.rule("pq17", "10.2.2.1")
@pytest.mark.parametrize(("orion", "holds"), [(0, 3), (1, 3), (2, 4), (5, 5)])
def test_two_orion_boxes_hold_one_point(orion: int, holds: int) -> None:
    """Three plain boxes and five Orion ones hold 3 + floor(5/2) = 5 points."""
    state = depot("A1 0404 OR")
    ship = empty(state, "OR", orion_cargo=orion)
    assert cargo_boxes(ship) == holds
    assert put(state.class_of(ship), ship, Goods.SUPPLY, F(9)) == 9 - holds


@pytest.mark.rule("pq17", "10.3.3.4")
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


@pytest.mark.rule("pq17", "10.3.3.2", "10.3.3.3", "10.3.3.5", "10.3.3", "11.2.4", "11.2.4.1", "11.2.4.2")
def test_goods_go_where_they_belong_and_then_into_cargo() -> None:
    """Fuel into power boxes, repair points into repair boxes, drones into racks; what is left over into cargo boxes."""
    state = depot(BASE)
    ship = empty(state, "RS", fuel=6)  # 8 power boxes, 10 repair boxes, 10 cargo boxes, no DAMCON track
    kind = state.class_of(ship)
    assert put(kind, ship, Goods.FUEL, F(5)) == 0
    assert put(kind, ship, Goods.REPAIR, F(12)) == 0
    assert stores(state, "RS") == "fuel 8, cargo fuel 3, rp 10, cargo rp 2"
    assert put(kind, ship, Goods.SUPPLY, F(6)) == 1
    drones = empty(state, "DR", fuel=3)  # 80 drone spaces, two cargo boxes for 8 each
    assert put(state.class_of(drones), drones, Goods.DRONES, F(100)) == 4
    assert stores(state, "DR") == "fuel 3, 80 drones, cargo 16 drones"


@pytest.mark.rule("pq17", "10.3.3.3", "10.3.3", "11.2.5", "11.2.5.1")
def test_the_damcon_track_takes_repair_points_and_keeps_them() -> None:
    """DAMCON boxes of 2 and 2 hold four points; a cruiser without repair or cargo boxes loses the fifth."""
    state = depot(BASE)
    cruiser = empty(state, "CA", fuel=1)
    assert put(state.class_of(cruiser), cruiser, Goods.REPAIR, F(5)) == 1
    assert stores(state, "CA") == "fuel 1, damcon 4"
    assert places.held(cruiser, Goods.REPAIR) == 0


@pytest.mark.rule("pq17", "10.2.2.2")
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


@pytest.mark.rule("pq17", "9.9", "10.1.1", "10.3.1")
def test_supply_fuel_and_repair_points_pass_between_units() -> None:
    """A freighter gives a base supply and a cruiser supply as fuel; the cruiser gives fuel points as they are."""
    state = depot("A1 0404 CA+FT+DD logistics")
    empty(state, "CA", fuel=30)
    empty(state, "DD", fuel="1/2")
    plan(state, A1_CA="> A1.DD 10 1/2 fuel")
    turn_end(state)
    assert (stores(state, "CA"), stores(state, "DD")) == ("fuel 39/2", "fuel 11")
    plan(state, A1_FT="> A1.CA 12 supply as fuel")
    turn_end(state)
    assert (stores(state, "CA"), unit(state, "FT").supply) == ("fuel 63/2", 38)


@pytest.mark.rule("pq17", "10.2.4", "11.2.2")
@pytest.mark.parametrize("goods", ["fuel", "repair points", "probes"])
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
    made, lost = absorb(state, cruiser, F(9))
    assert (made, lost) == ({Goods.FUEL: F(5, 2), Goods.REPAIR: 4, Goods.SHUTTLES: 2}, 0)
    made, lost = absorb(state, cruiser, F(2))
    assert (made, lost) == ({Goods.PROBES: 4}, 1)


@pytest.mark.rule("pq17", "10.3.5")
def test_supply_with_a_cargo_box_stays_supply() -> None:
    """A freighter that needs fuel keeps what it gets as supply all the same (ruling SUP-12)."""
    state = depot("A1 0404 FT")
    freighter = empty(state, "FT", supply=48)
    assert absorb(state, freighter, F(2)) == ({Goods.SUPPLY: 2}, 0)
    assert absorb(state, freighter, F(2)) == ({Goods.FUEL: 2}, 0)


def test_taking_more_than_there_is_changes_nothing() -> None:
    state = depot("A1 0404 FT")
    freighter: Unit = empty(state, "FT", supply=3)
    with pytest.raises(ValueError, match="has no 4 supply"):
        take(freighter, Goods.SUPPLY, F(4))
    assert freighter.supply == 3


def test_stores_that_no_box_holds_are_impossible() -> None:
    """The invariants see every place."""
    state = depot("A1 0404 RS+DR+CA")
    unit(state, "RS").rp_repair = 11
    unit(state, "CA").rp_damcon = 5
    unit(state, "DR").stores = {Goods.DRONES: 81}
    unit(state, "DR").cargo_goods = {Goods.SUPPLY: 1}
    assert set(defects(state)) >= {
        "A1.RS has 11 repair points in 10 repair boxes",
        "A1.CA has more repair points in its DAMCON track than that holds",
        "A1.DR has 81 spaces' worth in 80 spaces of its drone storage",
        "A1.DR keeps supply among its consumables",
    }


def test_more_cargo_than_boxes_is_impossible() -> None:
    state = depot("A1 0404 FT")
    unit(state, "FT").cargo_goods = {Goods.DRONES: 1}  # beside its 50 supply in 50 boxes
    assert "A1.FT carries more than its cargo boxes hold" in defects(state)


@pytest.mark.rule("pq17", "10.3.3.5", "12.1.5")
@cases("fitted, goods, said", "")
def test_each_consumable_has_a_place_that_holds_so_many_and_no_more(
    fitted: dict[str, int], goods: str, said: str
) -> None:
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
