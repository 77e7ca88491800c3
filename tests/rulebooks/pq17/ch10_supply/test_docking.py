"""Chapter 10.3.7: docked groups and their limits. Expected numbers are the book's: SB 6, BATS 3, BS 3, others 2."""

from fractions import Fraction

import pytest

from rules_engine.rulebooks.pq17.ch10_supply.docking import can_join, group_refusals, link_groups, positions, yards
from rules_engine.rulebooks.pq17.plotting.logistics_sheet import warnings
from rules_engine.rulebooks.pq17.records.logistics import DockedGroup, GoodsTransfer, LogisticsPlan
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.supply import Goods
from tests.rulebooks.pq17.worlds.supply import depot, draft, plan, rules, unit

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
    state = depot("A9 0303 BATS base Haven known\nA1 0303 CA logistics port A9 speed IC")
    assert yards(state, "alliance") == []


@pytest.mark.rule("pq17", "10.3.7.2.3", "10.3.7.2.4", "10.3.7.2.7")
@pytest.mark.parametrize(
    ("base", "most"), [("SB", 6), ("BATS", 3), ("BS", 3), ("MB", 2), ("FRD", 2), ("PLAT", 2), ("DOCK", 2)]
)
def test_positions_at_a_base(base: str, most: int) -> None:
    """One more ship than there are positions is refused; nine tactical docking points do not help the BATS."""
    state = depot(f"A9 0303 {base} base Haven known\nA1 0303 CA#7 logistics port A9")
    ships = ["A1.CA", *(f"A1.CA{number}" for number in range(2, 8))]
    host = f"A9.{base}"
    assert positions(state, unit(state, host)) == most
    assert refused(state, f"{host}>{'+'.join(ships[:most])}") == []
    rule = "PQ-17 10.3.7.2.3" if most > 2 else "PQ-17 10.3.7.2.4"
    assert refused(state, f"{host}>{'+'.join(ships[: most + 1])}") == [rule]


@pytest.mark.rule("pq17", "10.3.7.2.2", "10.3.7.2.1")
@pytest.mark.parametrize(("pods", "places"), [(0, 1), (1, 1), (2, 2)])
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


@pytest.mark.rule("pq17", "10.3.7.2.1", "10.3.7.2")
def test_one_ship_docks_to_one_other() -> None:
    """A pair is legal; two ships at one are not."""
    state = depot(PORT)
    assert refused(state, "A4.FT>A4.CA") == []
    assert refused(state, "A4.FT>A4.CA+A4.CA2") == ["PQ-17 10.3.7.2.1"]
    assert refused(state, "A4.FT>A4.FT") == ["PQ-17 10.3.7.2.1"]


@pytest.mark.rule("pq17", "10.3.7.2.6")
def test_a_docked_group_is_closed() -> None:
    """Neither ship of a pair docks to a third; nor does a ship at a base."""
    state = depot(PORT)
    assert refused(state, "A4.FT>A4.CA", "A4.CA2>A4.FT") == ["PQ-17 10.3.7.2.6"]
    assert refused(state, "A4.FT>A4.CA", "A4.CA>A4.DD") == ["PQ-17 10.3.7.2.6"]
    assert refused(state, "A4.FT>A4.CA", "A4.CA2>A4.DD") == []
    assert refused(state, "A9.BATS>A1.CA+A2.FT", "A2.FT>A2.CA") == ["PQ-17 10.3.7.2.6"]


@pytest.mark.rule("pq17", "10.3.7.2.2")
def test_a_tug_takes_a_ship_for_each_pod() -> None:
    """Two pods, two ships; without a pod it is like any other ship. The pods themselves take no position."""
    state = depot("A1 0404 TG+KP#2+CA#3 logistics")
    assert refused(state, "A1.TG>A1.CA+A1.CA2") == ["PQ-17 10.3.7.2.2"]
    for pod in ("A1.KP", "A1.KP2"):
        unit(state, pod).carried_by = "A1.TG"
    assert refused(state, "A1.TG>A1.CA+A1.CA2") == []
    assert refused(state, "A1.TG>A1.CA+A1.CA2+A1.CA3") == ["PQ-17 10.3.7.2.2"]
    assert refused(state, "A1.CA>A1.KP") == ["PQ-17 10.3.7.2"]


@pytest.mark.rule("pq17", "10.3.7.2.5")
def test_a_tender_keeps_its_own_patrol_ships_beside_another_group() -> None:
    """Its links are a group of their own: it may dock to a base or to one ship as well."""
    state = depot("A1 0404 PT+PF#3+FT logistics")
    for ship in ("A1.PF", "A1.PF2"):
        unit(state, ship).carried_by = "A1.PT"
    (links,) = link_groups(state, yards(state, "alliance"))
    assert (links.host, links.docked, links.links) == ("A1.PT", ["A1.PF", "A1.PF2"], True)
    assert refused(state, "A1.PT>>A1.PF+A1.PF2", "A1.FT>A1.PT") == []
    assert refused(state, "A1.PT>>A1.PF3") == ["PQ-17 10.3.7.2.5"]
    assert refused(state, "A1.FT>A1.PF") == ["PQ-17 10.3.7.2"]  # on the links it goes nowhere else


@pytest.mark.rule("pq17", "10.3.2", "10.3.8.1", "10.3.9.1", "10.3.7.2")
def test_only_units_of_one_yard_dock() -> None:
    """Not another force underway, not one in port without the posture, not one that flies."""
    state = depot(PORT)
    assert refused(state, "A4.FT>A5.CA") == ["PQ-17 10.3.9.1"]
    assert refused(state, "A9.BATS>A3.CA") == ["PQ-17 10.3.8.1"]
    assert refused(state, "A6.FT>A6.CA") == ["PQ-17 10.3.7"]
    assert refused(state, "A9.BATS>A4.CA") == ["PQ-17 10.3.8.1"]


@pytest.mark.rule("pq17", "5.2.3.5", "10.3.8.1")
def test_ships_of_different_forces_in_one_port_dock_to_each_other() -> None:
    """A ship in port docks to the base or to one ship of any force there (ruling SUP-14b)."""
    state = depot(PORT)
    assert refused(state, "A2.FT>A1.CA", "A9.BATS>A1.CA2+A1.CA3+A2.CA") == []


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
