"""How long and how large what people write may be, and what a thing has of which nothing was said.

None of these bounds is a rule: they keep what is typed within what a phone shows and a state holds. They are typed here
so that nobody moves one by accident.
"""

from dataclasses import MISSING, fields
from fractions import Fraction
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from rules_engine.core.basics.base import SideLabel
from rules_engine.core.basics.record import Record
from rules_engine.core.grids.hexes import Grid
from rules_engine.rulebooks.cutler.ch01_setup.draft import WishLine
from rules_engine.rulebooks.cutler.ch01_setup.forces import ForceLine
from rules_engine.rulebooks.cutler.ch01_setup.planets import PlanetLine
from rules_engine.rulebooks.cutler.ch01_setup.systems import Found, SystemLine, SystemSheet, judge_systems
from rules_engine.rulebooks.cutler.ch04_accessories.orders import AccessoryPlan, cost_of_order
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD, Accessory, Lot
from rules_engine.rulebooks.cutler.records.accessories.holds import layable
from rules_engine.rulebooks.cutler.records.accessories.lines import AccessoryLine, LayLine, SweptLine
from rules_engine.rulebooks.cutler.records.accessories.mines import read_chart
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.combat.work import RepairsDue
from rules_engine.rulebooks.cutler.records.economy import DockWork, RepairPoints
from rules_engine.rulebooks.cutler.records.economy_lines import (
    BaseLine,
    DockLine,
    EconomyLine,
    GroundLine,
    LoadLine,
    PlaceLine,
    ScrapLine,
)
from rules_engine.rulebooks.cutler.records.ground import GroundBaseCost
from rules_engine.rulebooks.cutler.records.orders import CounterLine, FleetLine, GroupLine, MissionLine, StationLine
from rules_engine.rulebooks.cutler.records.parts.empires import Empire, Fleet
from rules_engine.rulebooks.cutler.records.parts.ground_units import ground_classes
from rules_engine.rulebooks.cutler.records.parts.missions import Mission
from rules_engine.rulebooks.cutler.records.parts.planets import Planet
from rules_engine.rulebooks.cutler.records.parts.sorties import InterceptLine, SortieAttackLine, SortieLine
from rules_engine.rulebooks.cutler.records.parts.troops import Landed
from rules_engine.rulebooks.cutler.records.parts.units import Unit
from rules_engine.rulebooks.cutler.records.planetary import garrison
from rules_engine.rulebooks.cutler.records.scenario_entries import MapEntry, Victory
from rules_engine.rulebooks.cutler.records.setup import Limit, RaceOffer, SetupRules, StarSystem
from rules_engine.rulebooks.cutler.records.shipping.convoys import ConvoyLine, DepartureLine
from rules_engine.rulebooks.cutler.records.state import CutlerState
from rules_engine.rulebooks.cutler.scenario import PlanetEntry, RaceEntry, UnitEntry
from tests.rulebooks.cutler.worlds import kind_of, world

ANY = 10**9
"""As much as anybody likes."""

THING: dict[str, Any] = {"name": "Net", "kind": "mines", "source": "invented"}
CLASS: dict[str, Any] = {
    "class_id": "x", "name": "X", "empire": "any", "source": "invented", "hull_type": "CA", "move_cost": 1,
    "shuttles": ANY, "repair": ANY, "marks": ["minesweeper"],
}  # fmt: skip
RACE = {"name": "Hydran", "emblem": "H"}
PLANET = {"name": "Rock", "kind": "minor", "hex": "0101", "race": "hydran"}
UNIT = {"race": "hydran", "name": "Ajax", "type": "ca", "hex": "0101"}
LONG: list[tuple[type[BaseModel], dict[str, Any], str, int, int]] = [  # of a text: its model, least and most characters
    (Accessory, THING, "name", 1, 40),
    (Accessory, THING, "flies", 0, 60),
    (Accessory, THING, "source", 1, ANY),
    (RepairPoints, {}, "source", 1, ANY),
    (GroundBaseCost, {}, "source", 1, ANY),
    (AccessoryLine, {}, "item", 0, 60),
    (AccessoryLine, {}, "origin", 0, 120),
    (AccessoryLine, {}, "to", 0, 120),
    (LayLine, {}, "around", 0, 80),
    (LayLine, {}, "chart", 0, 300),
    (BaseLine, {}, "type", 0, 120),
    (BaseLine, {}, "at", 0, 20),
    (BaseLine, {}, "name", 0, 40),
    (ScrapLine, {}, "base", 0, 60),
    (DockLine, {}, "work", 0, 120),
    (DockLine, {}, "name", 0, 40),
    (DockLine, {}, "then", 0, 60),
    (FleetLine, {}, "course", 0, 300),
    (FleetLine, {}, "scan", 0, 100),
    (FleetLine, {}, "escort", 0, 20),
    (StationLine, {}, "scan", 0, 100),
    (MissionLine, {}, "target", 0, 60),
    (MissionLine, {}, "other", 0, 60),
    (DepartureLine, {}, "to", 0, 20),
    (DepartureLine, {}, "course", 0, 300),
    (ConvoyLine, {}, "to", 0, 20),
    (ConvoyLine, {}, "course", 0, 300),
    (WishLine, {}, "first", 0, 40),
    (WishLine, {}, "second", 0, 40),
    (WishLine, {}, "third", 0, 40),
    (ForceLine, {}, "ships", 0, 400),
    (PlanetLine, {}, "hex", 0, 12),
    (PlanetLine, {}, "name", 0, 30),
    (SystemLine, {}, "moons", 0, 60),
    (SystemLine, {}, "giant_moons", 0, 120),
    (RaceOffer, RACE, "name", 1, 40),
    (RaceOffer, RACE, "emblem", 1, 2),
    (Limit, {"says": "scouts", "most": 1}, "says", 1, 60),
    (RaceEntry, RACE, "name", 1, 40),
    (RaceEntry, RACE, "emblem", 1, 2),
    (UnitEntry, UNIT, "name", 1, 40),
]
LARGE: list[tuple[type[BaseModel], dict[str, Any], str, int, int]] = [  # of a number: its model, the least and the most
    (Accessory, THING, "price", 0, ANY),
    (Accessory, THING, "a_box", 1, ANY),
    (Accessory, THING, "size_class", 1, 7),
    (Accessory, THING, "mines", 0, ANY),
    (Accessory, THING, "credit", 0, ANY),
    (Lot, {"item": STANDARD["mines"]}, "count", 1, ANY),
    (AccessoryLine, {}, "count", 1, ANY),
    (AccessoryLine, {}, "turned_in", 0, ANY),
    (LayLine, {}, "cpv", 1, ANY),
    (SweptLine, {}, "lost", 0, ANY),
    *((UnitClass, CLASS, name, 0, ANY) for name in ("docks", "mine_room", "drones", "ready_racks", "transporters")),
    (UnitClass, {**CLASS, "drones": ANY}, "special_drones", 0, ANY),
    (UnitClass, CLASS, "reload_boxes", 0, ANY),
    *((RepairPoints, {}, name, 1, ANY) for name in ("warp", "impulse", "cargo")),
    (GroundBaseCost, {}, "cpv", 1, ANY),
    *((GroundBaseCost, {}, name, 0, ANY) for name in ("shuttles", "boarding_parties", "crew_units")),
    (EconomyLine, {}, "reserve", 0, ANY),
    (EconomyLine, {}, "pool", 0, ANY),
    (PlaceLine, {}, "cargo", 0, ANY),
    (PlaceLine, {}, "repair", 0, ANY),
    (LoadLine, {}, "carry", 0, ANY),
    (GroundLine, {}, "build", 0, 100),
    (GroundLine, {}, "on_moons", 0, 100),
    (DockLine, {}, "cpv", 0, ANY),
    (FleetLine, {}, "parties", 1, ANY),
    (FleetLine, {}, "crews", 1, ANY),
    (FleetLine, {}, "shuttles", 0, ANY),
    (CounterLine, {}, "points", 0, ANY),
    (GroupLine, {}, "group", 0, 999),
    (SortieLine, {}, "fighters", 1, ANY),
    (InterceptLine, {}, "fighters", 1, ANY),
    (SortieAttackLine, {}, "fighters", 0, ANY),
    (Victory, {}, "turn", 1, 100),
    (MapEntry, {"rows": 9}, "columns", 1, 99),
    (MapEntry, {"columns": 9}, "rows", 1, 99),
    (Limit, {"says": "scouts"}, "most", 0, ANY),
    (SetupRules, {"races": ()}, "points", 0, 100_000),
    (SetupRules, {"races": ()}, "each_class", 1, ANY),
    (SetupRules, {"races": ()}, "freighter_share", 0, 100),
    (RaceEntry, RACE, "reserve", 0, 300),  # 6.3
    (RaceEntry, RACE, "base_pool", 0, ANY),
    *((PlanetEntry, PLANET, name, 0, ANY) for name in ("boarding_parties", "crew_units", "gcv", "ground_bases")),
    (UnitEntry, UNIT, "boarding_parties", 0, ANY),
]


def taken(model: type[BaseModel], rest: dict[str, Any], name: str, value: Any) -> bool:
    """Whether the model takes it, and as it is; if not, it is this field alone that is wrong."""
    try:
        made = model.model_validate({**rest, name: value})
    except ValidationError as error:
        return {one["loc"][0] for one in error.errors()} != {name}
    return getattr(made, name) == value


@pytest.mark.rule("cutler", "4.2.4.5.1")
@pytest.mark.parametrize(("model", "rest", "name", "least", "most"), LONG)
def test_a_text_may_be_so_long(model: type[BaseModel], rest: Any, name: str, least: int, most: int) -> None:
    lengths = {least - 1, least, least + 1, most - 1, most, most + 1}
    for length in (one for one in lengths if 0 <= one < ANY - 1):
        assert taken(model, rest, name, "x" * length) == (least <= length <= most), length
    if (model, name) == (LayLine, "chart"):  # as long as it may be, it is read to its end
        assert read_chart("A5=1 " * 60, "") == ({"A5": 60}, [])


@pytest.mark.rule("cutler", "4.2.4")
@pytest.mark.parametrize(("model", "rest", "name", "least", "most"), LARGE)
def test_a_number_may_be_so_large(
    model: type[BaseModel], rest: dict[str, Any], name: str, least: int, most: int
) -> None:
    for number in (least - 1, least, least + 1, most - 1, most):
        assert taken(model, rest, name, number) == (least <= number <= most), number
    if most != ANY:
        assert not taken(model, rest, name, most + 1)
    if (model, name) == (AccessoryLine, "count"):  # there is no order that is too large to be priced
        assert cost_of_order(STANDARD["drone_1_fast"], ANY, Fraction(0)) == 1_500_000_000


@pytest.mark.rule("cutler", "1.1.2.4.1")
@pytest.mark.parametrize(("sizes", "fits"), [((1, 1), True), ((2, 1), True), ((0, 1), False), ((1, 0), False)])
def test_gas_giants_have_a_size(sizes: tuple[int, int], fits: bool) -> None:
    assert taken(SetupRules, {"races": ()}, "gas_giants", sizes) == fits
    found = {"p": Found(moons=0, gas_giant=True, giant_moons=0, rings=False, asteroid_field=False)}
    assert judge_systems((1, 1), found, SystemSheet({"p": SystemLine(giant=1)})) == []


@pytest.mark.parametrize(("count", "fits"), [(0, False), (1, True), (99, True), (100, False)])
def test_a_ready_made_force_has_some_of_each_class(count: int, fits: bool) -> None:
    assert taken(SetupRules, {"races": ()}, "ready_made", {"frigate": count}) == fits


@pytest.mark.parametrize(("parties", "fits"), [(-1, False), (0, True), (1, True)])
def test_planets_may_begin_without_a_garrison(parties: int, fits: bool) -> None:
    assert taken(SetupRules, {"races": ()}, "garrisons", {"major": parties}) == fits


SAID: list[tuple[type[BaseModel], dict[str, Any], dict[str, Any]]] = [  # what stands where a model is told nothing
    (Accessory, THING, {"price": None, "a_box": 10, "size_class": 7, "mines": 0, "credit": 0, "flies": ""}),
    (SweptLine, {}, {"lost": 0}),
    (
        UnitClass,
        CLASS,
        {
            "docks": 0, "mine_room": 0, "drones": 0, "special_drones": 0, "ready_racks": 0, "transporters": 0,
            "reload_boxes": None, "kind": "ship", "docking_bays": (), "hybrid": False,
        },
    ),
    (RepairPoints, {}, {"warp": 10, "impulse": 5, "cargo": 1, "source": "invented"}),
    (GroundBaseCost, {}, {"cpv": 20, "shuttles": 1, "boarding_parties": 0, "crew_units": 0, "source": "invented"}),
    (EconomyLine, {}, {"reserve": 0, "pool": None}),
    (PlaceLine, {}, {"cargo": 0, "repair": None}),
    (GroundLine, {}, {"build": 0, "on_moons": 0}),
    (CounterLine, {}, {"points": 0}),
    (GroupLine, {}, {"group": 0, "early": False}),
    (SortieAttackLine, {}, {"fighters": 0, "force": True}),
    (
        SetupRules,
        {"races": ()},
        {"points": 2000, "each_class": 3, "freighter_share": 25, "gas_giants": (2, 5), "limits": (), "garrisons": {}},
    ),  # 1.1.3: 2000 points; CU-R11: three of a class, a quarter in freighters
    (StarSystem, {}, {"moons": (), "gas_giant": 0, "giant_moons": (), "rings": False, "asteroid_field": False}),
    (RaceEntry, RACE, {"reserve": 0, "base_pool": 0, "territory": ()}),
    (PlanetEntry, PLANET, {"boarding_parties": 0, "crew_units": 0, "gcv": 0, "squads": {}, "ground_bases": 0}),
    (UnitEntry, UNIT, {"boarding_parties": None, "officers": (), "holds": {}, "stowed": {}, "crew_quality": "normal"}),
]  # fmt: skip


@pytest.mark.rule("cutler", "4.2.4.2.2")
@pytest.mark.parametrize(("model", "given", "expected"), SAID)
def test_what_stands_where_nothing_is_said(
    model: type[BaseModel], given: dict[str, Any], expected: dict[str, Any]
) -> None:
    made = model.model_validate(given)
    assert {name: getattr(made, name) for name in expected} == expected
    if isinstance(made, UnitClass):
        assert made.shuttle_room == made.shuttles


@pytest.mark.rule("cutler", "4.4.9")
def test_the_usual_ground_base_is_small_and_stands_still() -> None:
    state = world("turn 1")
    state.ground_base_cost = GroundBaseCost(cpv=25, shuttles=2, boarding_parties=3, crew_units=4)
    (kind,) = ground_classes(state, "hydran").values()
    assert (kind.size_class, kind.move_cost, kind.cpv, kind.bpv_combat) == (6, 0, 25, 25)
    assert (kind.shuttles, kind.boarding_parties, kind.crew_units, kind.kind) == (2, 3, 4, "ground_base")


CA = kind_of("CA")
BARE: list[tuple[Record, dict[str, Any]]] = [  # a record of which only the least is said, and what is not nothing of it
    (
        Unit(id="a", race="hydran", name="A", record=CA, warp_ok=30, impulse_ok=4, hex="0101"),
        {"crew_quality": "normal"},
    ),
    (Planet(key="p", name="P", kind="minor", hex="0101", race="hydran", owner="hydran"), {"feature": "planet"}),
    (Empire(race="hydran"), {"cards": "ask", "asking": "contact", "lurking": "ask"}),
    (Fleet(key="F1", race="hydran", units=["a"]), {}),
    (Landed(), {}),
    (RepairsDue(), {}),
    (
        Mission(
            line="M1", spy="hydran", kind="ship", against="lyran", target="0101", aimed="hex", said="a hex", ip=10
        ),
        {"status": "plotted"},
    ),
    (DockWork(base="b", bay=1, race="hydran", into=CA, named="A", cost=125), {"manned": "normal"}),
    (
        CutlerState(
            title="T", turns=3, sides=(SideLabel(key="hydran", name="H", emblem="H"),),
            grid=Grid(columns=2, rows=2), empires={}, planets={}, units={},
        ),
        {"tie_break": "none", "gas_giants": (2, 5), "invented": True, "accessories": STANDARD},
    ),
]  # fmt: skip


@pytest.mark.rule("cutler", "2.6.2", "2.10", "4.2.4.5.1", "5.3.3")
@pytest.mark.parametrize(("made", "told"), BARE, ids=lambda one: type(one).__name__)
def test_of_what_nothing_is_said_there_is_nothing(made: Record, told: dict[str, Any]) -> None:
    unsaid = [one for one in fields(made) if one.default is not MISSING or one.default_factory is not MISSING]  # type: ignore[arg-type]
    found = {one.name: getattr(made, one.name) for one in unsaid}
    assert {name: value for name, value in found.items() if name in told} == told
    there = {name for name, value in found.items() if name not in told and value not in (0, "", None, (), [], {})}
    # Records of their own, whose fields are looked at above or are empty, too.
    assert there <= {"tracks", "repair_points", "ground_base_cost", "coordination", "work"}
    match made:
        case Unit():
            assert (layable(made), made.fighters, made.condition) == (0, 0, "")
        case Planet():
            assert garrison(made) == 0
        case CutlerState():
            assert (made.counters(), made.command_rating("hydran", "0101")) == ([], 0)
        case _:
            pass


def test_an_order_of_accessories_costs_nothing_until_it_is_bought() -> None:
    unit = BARE[0][0]
    assert isinstance(unit, Unit)
    plan = AccessoryPlan("A1", "mines", STANDARD["mines"], 1, unit, "own")
    assert (plan.cpv, plan.turned_in, plan.origin, plan.base) == (0, 0, None, None)
