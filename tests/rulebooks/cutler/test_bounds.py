"""How long and how large what people write may be, and what a thing has of which nothing was said.

None of these bounds is a rule: they keep what is typed within what a phone shows and a state holds. They are typed here
so that nobody moves one by accident.
"""

from dataclasses import MISSING, fields
from fractions import Fraction
from importlib import import_module
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from rules_engine.core.basics.base import SideLabel
from rules_engine.core.basics.record import Record
from rules_engine.core.grids.hexes import Grid
from rules_engine.rulebooks.cutler.ch01_setup.systems import Found, SystemLine, SystemSheet, judge_systems
from rules_engine.rulebooks.cutler.ch02_movement.navigators import OUTCOMES
from rules_engine.rulebooks.cutler.ch03_combat.steering import SHIFTS
from rules_engine.rulebooks.cutler.ch04_accessories.orders import AccessoryPlan, cost_of_order
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD
from rules_engine.rulebooks.cutler.records.accessories.holds import layable
from rules_engine.rulebooks.cutler.records.accessories.lines import AccessoryLine, LayLine
from rules_engine.rulebooks.cutler.records.accessories.mines import read_chart
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.combat.work import RepairsDue
from rules_engine.rulebooks.cutler.records.economy import DockWork
from rules_engine.rulebooks.cutler.records.ground import GroundBaseCost
from rules_engine.rulebooks.cutler.records.parts import craft
from rules_engine.rulebooks.cutler.records.parts.empires import Empire, Fleet
from rules_engine.rulebooks.cutler.records.parts.ground_units import ground_classes
from rules_engine.rulebooks.cutler.records.parts.missions import Mission
from rules_engine.rulebooks.cutler.records.parts.planets import Planet
from rules_engine.rulebooks.cutler.records.parts.troops import Landed
from rules_engine.rulebooks.cutler.records.parts.units import Unit
from rules_engine.rulebooks.cutler.records.planetary import garrison
from rules_engine.rulebooks.cutler.records.setup import SetupRules
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import kind_of, world


# --- tables ----------------------------------------------------------------------------------------------------------
def value_in(module: str, name: str) -> Any:
    """Give a figure of the rulebook as tables of cases have it: fractions and ranges in words."""
    value = getattr(import_module(f"rules_engine.rulebooks.cutler.{module}"), name)
    is_written_out = isinstance(value, range) or (isinstance(value, Fraction) and value.denominator > 1)
    return str(value) if is_written_out else value


@cases("module, name, typed")
def test_a_table_is_as_the_book_or_a_ruling_has_it(module: str, name: str, typed: Any) -> None:
    assert value_in(module, name) == typed


@cases("module, name, typed")
def test_an_invented_figure_is_not_changed_by_accident(module: str, name: str, typed: Any) -> None:
    """None of them stands in the book: whoever means to change one changes it here, too."""
    assert value_in(module, name) == typed


def test_the_figures_of_fighters_that_fly_alone() -> None:
    """Shuttles and fighters are of size class 6, and what they cost to move is nobody's to pay. 2.9"""
    assert (craft.FIGHTERS.size_class, craft.FIGHTERS.move_cost, craft.FIGHTERS.kind) == (6, 0, "fighters")


def test_what_a_navigator_makes_of_each_die(kept: Kept) -> None:
    """2.4.1.10: 1 and 2 lost, 3 and 4 delayed, 5 out; by how much he turns directions: 3.6.1.1.1."""
    assert kept() == OUTCOMES
    assert SHIFTS == {-1: "One lower", 0: "As rolled", 1: "One higher"}


# --- bounds ----------------------------------------------------------------------------------------------------------
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
GIVEN: dict[str, dict[str, Any]] = {
    "THING": THING, "CLASS": CLASS, "ARMED": {**CLASS, "drones": ANY}, "RACE": RACE, "PLANET": PLANET, "UNIT": UNIT,
    "MINES": {"item": STANDARD["mines"]},
}  # fmt: skip
"""What the tables say of a model beside the field that they are about."""


def read_model(path: str, given: str | dict[str, Any]) -> tuple[type[BaseModel], dict[str, Any]]:
    """Give the model at a path within the rulebook, and what is said of it."""
    module, _, name = path.rpartition(".")
    found = getattr(import_module(f"rules_engine.rulebooks.cutler.{module}"), name)
    return found, GIVEN[given] if isinstance(given, str) else given


def taken(model: type[BaseModel], rest: dict[str, Any], name: str, value: Any) -> bool:
    """Whether the model takes it, and as it is; if not, it is this field alone that is wrong."""
    try:
        made = model.model_validate({**rest, name: value})
    except ValidationError as error:
        return {one["loc"][0] for one in error.errors()} != {name}
    return getattr(made, name) == value


@cases("path, given, name, least, most", "")
def test_a_text_may_be_so_long(path: str, given: Any, name: str, least: int, most: int | str) -> None:
    """A length of `any` is as long as anybody likes."""
    model, rest = read_model(path, given)
    most = ANY if isinstance(most, str) else most
    for length in (one for one in {least - 1, least, least + 1, most - 1, most, most + 1} if 0 <= one < ANY - 1):
        assert taken(model, rest, name, "x" * length) == (least <= length <= most), length
    if (model, name) == (LayLine, "chart"):  # as long as it may be, it is read to its end
        assert read_chart("A5=1 " * 60, "") == ({"A5": 60}, [])


@cases("path, given, name, least, most", "")
def test_a_number_may_be_so_large(path: str, given: Any, name: str, least: int, most: int | str) -> None:
    """A number of `any` is as large as anybody likes."""
    model, rest = read_model(path, given)
    most = ANY if isinstance(most, str) else most
    for number in (least - 1, least, least + 1, most - 1, most):
        assert taken(model, rest, name, number) == (least <= number <= most), number
    if most != ANY:
        assert not taken(model, rest, name, most + 1)
    if (model, name) == (AccessoryLine, "count"):  # there is no order that is too large to be priced
        assert cost_of_order(STANDARD["drone_1_fast"], ANY, Fraction(0)) == 1_500_000_000


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


@cases("path, given, expected", "")
def test_what_stands_where_nothing_is_said(path: str, given: str | dict[str, Any], expected: dict[str, Any]) -> None:
    model, rest = read_model(path, given)
    made = model.model_validate(rest)
    assert {name: getattr(made, name) for name in expected} == expected
    if isinstance(made, UnitClass):
        assert made.shuttle_room == made.shuttles


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
        {"crew_quality": "normal", "life_support": "full"},
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
