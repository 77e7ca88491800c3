"""What a record, a scenario's file or a sheet leaves out: nothing, none, no. What is something else is listed here, and
what it may say at all stands in a text."""

from collections.abc import Iterator
from dataclasses import MISSING, fields
from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter

from rules_engine.core.basics.record import Record
from rules_engine.rulebooks.pq17.campaign.emergency_reinforcements import EmergencyLine
from rules_engine.rulebooks.pq17.campaign.period_sheet import PeriodLine
from rules_engine.rulebooks.pq17.campaign.reaction_force import CallLine, CallSheet
from rules_engine.rulebooks.pq17.ch06_reconnaissance.declarations import SearchLine
from rules_engine.rulebooks.pq17.ch06_reconnaissance.search_tables import SearchColumn, SearchTable
from rules_engine.rulebooks.pq17.ch06_reconnaissance.shadowing import Assignment
from rules_engine.rulebooks.pq17.ch08_combat.battle import PowerLine
from rules_engine.rulebooks.pq17.ch08_combat.declarations import AttackLine
from rules_engine.rulebooks.pq17.ch08_combat.raid_forces import RefitLine
from rules_engine.rulebooks.pq17.ch08_combat.regrouping import ReformLine
from rules_engine.rulebooks.pq17.ch08_combat.result_form import BattleLine, UnitLine
from rules_engine.rulebooks.pq17.ch10_supply.end_of_turn import MakeLine
from rules_engine.rulebooks.pq17.ch10_supply.use_in_battle import UsedFields
from rules_engine.rulebooks.pq17.ch11_repair.costs import RepairTable
from rules_engine.rulebooks.pq17.ch11_repair.plan import RepairLine
from rules_engine.rulebooks.pq17.ch11_repair.self_repair import MendFields, RepairFields
from rules_engine.rulebooks.pq17.ch12_mines.damage import DamageLine
from rules_engine.rulebooks.pq17.ch12_mines.screening import ScreenLine
from rules_engine.rulebooks.pq17.contacts.minefields import FieldForce
from rules_engine.rulebooks.pq17.contacts.settled_hexes import SettledForce
from rules_engine.rulebooks.pq17.orders.order_sheets import MovementPlot, PlanLine, ShipFigures, StayLine
from rules_engine.rulebooks.pq17.plotting.construction_lines import WorkLine
from rules_engine.rulebooks.pq17.plotting.contact_sheet import ContactLine
from rules_engine.rulebooks.pq17.plotting.logistics_lines import LogisticsLine
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.construction import BuildOrder, BuiltBase, BuiltPart
from rules_engine.rulebooks.pq17.records.damage import BoxInHand, RefitInHand, RepairOrder, RepairRecord
from rules_engine.rulebooks.pq17.records.forces import (
    BaseRecord,
    IdLevel,
    Marks,
    Posture,
    SettledHex,
    TaskForce,
    TowGroup,
    Unit,
)
from rules_engine.rulebooks.pq17.records.logistics import (
    DockedGroup,
    GoodsDelivery,
    GoodsTransfer,
    LogisticsPlan,
    SupplyRoutine,
)
from rules_engine.rulebooks.pq17.records.minefields import Minefield, Mines, PrintedField
from rules_engine.rulebooks.pq17.records.progress import (
    Arrival,
    Away,
    CommandAccount,
    Errand,
    Freighter,
    PeriodTally,
    Permit,
    Progress,
)
from rules_engine.rulebooks.pq17.records.special_conditions import (
    BaseProject,
    Execution,
    Flotilla,
    PortCount,
    RaidForce,
    RolledCondition,
    RolledEvent,
    SearchTally,
    Shipload,
    Specials,
    Spy,
)
from rules_engine.rulebooks.pq17.records.standing_orders import (
    AttackOrder,
    Run,
    SearchOrder,
    ShadowOrder,
    StandingClauses,
    StandingOrders,
    Stop,
)
from rules_engine.rulebooks.pq17.records.state import MapHex, ScenarioSettings, State, VpLine
from rules_engine.rulebooks.pq17.scenario.minefields import MinefieldEntry
from rules_engine.rulebooks.pq17.scenario.reading import (
    ForceEntry,
    Scenario,
    ScenarioFile,
    SettledEntry,
    SheetSize,
    TerrainEntry,
    UnitEntry,
)
from rules_engine.rulebooks.pq17.special_conditions.flotilla_5 import FlotillaLine
from rules_engine.rulebooks.pq17.special_conditions.intelligence import ChoiceLine
from rules_engine.rulebooks.pq17.special_conditions.preparatory_step import OperationPlot
from rules_engine.rulebooks.pq17.special_conditions.random_events import UseLine
from rules_engine.rulebooks.pq17.special_conditions.suicide_freighters import ConvertLine
from rules_engine.rulebooks.pq17.tables.operations import Speed
from rules_engine.rulebooks.pq17.tables.order_of_battle import (
    Area,
    BaseEntry,
    BuyLine,
    Convoy,
    DeployLine,
    Mandatory,
    Nation,
    OrderOfBattle,
    OrderOfBattleForce,
    ReadyMade,
)
from rules_engine.rulebooks.pq17.tables.schedule import HullTransfer, Reinforcement, Returning, Schedule
from rules_engine.rulebooks.pq17.tables.ship_classes import DroneSpaces, Refit, ShipClass
from tests.rulebooks.written_texts import compare

SILENT: list[type[BaseModel | Record]] = [
    EmergencyLine,
    PeriodLine,
    CallLine,
    CallSheet,
    SearchLine,
    Assignment,
    AttackLine,
    RefitLine,
    ReformLine,
    UnitLine,
    MakeLine,
    UsedFields,
    RepairLine,
    RepairFields,
    MendFields,
    DamageLine,
    ShipFigures,
    PlanLine,
    MovementPlot,
    StayLine,
    WorkLine,
    ContactLine,
    LogisticsLine,
    Battle,
    BuildOrder,
    BuiltPart,
    BuiltBase,
    RepairRecord,
    RepairOrder,
    Marks,
    TowGroup,
    DockedGroup,
    GoodsTransfer,
    GoodsDelivery,
    LogisticsPlan,
    Mines,
    Away,
    Permit,
    Freighter,
    Errand,
    CommandAccount,
    PeriodTally,
    RolledCondition,
    Execution,
    RolledEvent,
    SearchTally,
    PortCount,
    Shipload,
    BaseProject,
    RaidForce,
    Spy,
    Specials,
    ShadowOrder,
    AttackOrder,
    StandingClauses,
    Stop,
    StandingOrders,
    ForceEntry,
    UnitEntry,
    Scenario,
    FlotillaLine,
    ChoiceLine,
    OperationPlot,
    ConvertLine,
    Nation,
    Area,
    BuyLine,
    DeployLine,
    ReadyMade,
    HullTransfer,
    Schedule,
    Refit,
    DroneSpaces,
]
"""Of these nothing is anything but nothing."""

AT_REST = {"plotted": Speed.STATION, "speed": Speed.STATION, "id_level": IdLevel.N}
"""A task force does not move and is not known."""
CONDITIONS = (11, 59, 78, 100)
"""The greatest D100 rolls for each of the conditions 1 to 4, in the campaign."""
GHOST_TURNS = 30
"""Turns for which a lost contact is shown: an operational period."""

BY_DEFAULT: dict[type[BaseModel | Record], dict[str, Any]] = {
    RepairTable: {"source": "invented"},
    ScreenLine: {"screen": "screen"},
    FieldForce: AT_REST,
    SettledForce: AT_REST,
    TaskForce: AT_REST,
    SettledHex: {"id_level": IdLevel.U},
    Minefield: {"level": IdLevel.N},
    Unit: {"source": "invented", "fate": "in play", "can_power_fire_control": True, "can_power_sensors": True},
    Posture: {"warp": True, "active": True},
    BaseRecord: {"known": True},
    BaseEntry: {"known": True},
    SupplyRoutine: {"sheet": "useful", "refuel": "half"},
    Arrival: {"opens": 1},
    Progress: {"reaction": "held"},
    SearchOrder: {"below": 3},
    Run: {"stops": (Stop(kind="contact"), Stop(kind="arrived"))},
    MapHex: {"terrain": "space"},
    VpLine: {"public": True},
    ScenarioSettings: {"local_conditions": CONDITIONS, "ghost_turns": GHOST_TURNS, "repair_source": "invented"},
    ScenarioFile: {"local_conditions": CONDITIONS, "ghost_turns": GHOST_TURNS},
    State: {"initiative": "alliance"},
    SheetSize: {"stagger": "even", "elsewhere": "invented"},
    TerrainEntry: {"source": "invented"},
    SettledEntry: {"source": "invented"},
    UseLine: {"again": "new"},
    OrderOfBattleForce: {"arrives": "deployed"},
    OrderOfBattle: {"year": 167, "victory_table": "standard", "minelayer_year": 168},
    ShipClass: {"unit_kind": "ship", "service": "military", "size_class": 4, "is_warship": True, "sensor_track": (6,)},
}


NOTHING_LEFT_OUT: list[type[BaseModel | Record]] = [
    SearchTable,
    SearchColumn,
    PowerLine,
    BattleLine,
    BoxInHand,
    RefitInHand,
    PrintedField,
    Flotilla,
    MinefieldEntry,
    Convoy,
    Mandatory,
    Reinforcement,
    Returning,
]
"""Records of which every field must be given."""

BOUNDS = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern")
"""What the schema of a value says of how small, large or long it may be, and of what it looks like."""
WITHIN = ("anyOf", "items", "prefixItems", "additionalProperties", "propertyNames")


def given(model: type[BaseModel | Record]) -> dict[str, Any]:
    """What a record has where nothing is said: all of it that is not nothing, except for records within it."""
    if issubclass(model, Record):
        values = {one.name: one.default for one in fields(model) if one.default is not MISSING}
        values |= {one.name: one.default_factory() for one in fields(model) if one.default_factory is not MISSING}
    else:
        optional = {name: field for name, field in model.model_fields.items() if not field.is_required()}
        values = {name: field.get_default(call_default_factory=True) for name, field in optional.items()}
    return {name: value for name, value in values.items() if value and not isinstance(value, BaseModel | Record)}


@pytest.mark.parametrize("model", SILENT, ids=lambda model: model.__name__)
def test_what_is_left_out_is_nothing(model: type[BaseModel | Record]):
    assert given(model) == {}


@pytest.mark.parametrize("model", BY_DEFAULT, ids=lambda model: model.__name__)
def test_what_is_left_out_is_what_is_usual(model: type[BaseModel | Record]):
    assert given(model) == BY_DEFAULT[model]


def bounds(schema: Any) -> Iterator[str]:
    """Each bound of a value, and of the values within it."""
    parts = schema if isinstance(schema, list) else [schema] if isinstance(schema, dict) else []
    for part in parts:
        yield from (f"{name} {part[name]}" for name in BOUNDS if name in part)
        for name in WITHIN:
            yield from bounds(part.get(name))


def test_how_small_and_large_values_may_be(request: pytest.FixtureRequest) -> None:
    found: list[str] = []
    for model in sorted({*SILENT, *BY_DEFAULT, *NOTHING_LEFT_OUT}, key=lambda one: one.__name__):
        known = TypeAdapter(model).json_schema().get("properties", {})
        said = {name: list(dict.fromkeys(bounds(field))) for name, field in known.items()}
        found += [f"{model.__name__}.{name}: {', '.join(words)}" for name, words in said.items() if words]
    compare(request, found)
