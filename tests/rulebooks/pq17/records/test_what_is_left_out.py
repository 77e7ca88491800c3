"""What a record, a scenario's file or a sheet leaves out: nothing, none, no. What is something else is listed here, and
what it may say at all stands in a text."""

from collections.abc import Iterator
from dataclasses import MISSING, fields
from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter

from rules_engine.core.basics.record import Record
from rules_engine.rulebooks.pq17.campaign import emergency_reinforcements, period_sheet, reaction_force
from rules_engine.rulebooks.pq17.ch06_reconnaissance import search_tables, shadowing
from rules_engine.rulebooks.pq17.ch06_reconnaissance.declarations import SearchLine
from rules_engine.rulebooks.pq17.ch08_combat import battle, raid_forces, regrouping, result_form
from rules_engine.rulebooks.pq17.ch08_combat.declarations import AttackLine
from rules_engine.rulebooks.pq17.ch10_supply import end_of_turn, use_in_battle
from rules_engine.rulebooks.pq17.ch11_repair import costs, plan, self_repair
from rules_engine.rulebooks.pq17.ch12_mines.damage import DamageLine
from rules_engine.rulebooks.pq17.ch12_mines.screening import ScreenLine
from rules_engine.rulebooks.pq17.contacts.minefields import FieldForce
from rules_engine.rulebooks.pq17.contacts.settled_hexes import SettledForce
from rules_engine.rulebooks.pq17.orders.order_sheets import MovementPlot, PlanLine, ShipFigures, StayLine
from rules_engine.rulebooks.pq17.plotting import construction_lines, contact_sheet, logistics_lines
from rules_engine.rulebooks.pq17.records import battles, construction, logistics, progress, standing_orders, state
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
from rules_engine.rulebooks.pq17.records.minefields import Minefield, Mines, PrintedField
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
from rules_engine.rulebooks.pq17.scenario import entries, reading
from rules_engine.rulebooks.pq17.scenario.minefields import MinefieldEntry
from rules_engine.rulebooks.pq17.special_conditions import preparatory_step, random_events, suicide_freighters
from rules_engine.rulebooks.pq17.special_conditions.flotilla_5 import FlotillaLine
from rules_engine.rulebooks.pq17.special_conditions.intelligence import ChoiceLine
from rules_engine.rulebooks.pq17.tables import operations, order_of_battle, schedule
from rules_engine.rulebooks.pq17.tables.ship_classes import DroneSpaces, Refit, ShipClass
from tests.rulebooks.written_texts import compare

SILENT: list[type[BaseModel | Record]] = [
    emergency_reinforcements.EmergencyLine, period_sheet.PeriodLine, reaction_force.CallLine,
    reaction_force.CallSheet, SearchLine, shadowing.Assignment, AttackLine, raid_forces.RefitLine,
    regrouping.ReformLine, result_form.UnitLine, end_of_turn.MakeLine, use_in_battle.UsedFields, plan.RepairLine,
    self_repair.RepairFields, self_repair.MendFields, DamageLine, ShipFigures, PlanLine, MovementPlot, StayLine,
    construction_lines.WorkLine, contact_sheet.ContactLine, logistics_lines.LogisticsLine, battles.Battle,
    construction.BuildOrder, construction.BuiltPart, construction.BuiltBase, RepairRecord, RepairOrder, Marks,
    TowGroup, logistics.DockedGroup, logistics.GoodsTransfer, logistics.GoodsDelivery, logistics.LogisticsPlan, Mines,
    progress.Away, progress.Permit, progress.Freighter, progress.Errand, progress.CommandAccount,
    progress.PeriodTally, RolledCondition, Execution, RolledEvent, SearchTally, PortCount, Shipload, BaseProject,
    RaidForce, Spy, Specials, standing_orders.ShadowOrder, standing_orders.AttackOrder,
    standing_orders.StandingClauses, standing_orders.Stop, standing_orders.StandingOrders, entries.ForceEntry,
    entries.UnitEntry, reading.Scenario, FlotillaLine, ChoiceLine, preparatory_step.OperationPlot,
    suicide_freighters.ConvertLine, order_of_battle.Nation, order_of_battle.Area, order_of_battle.BuyLine,
    order_of_battle.DeployLine, order_of_battle.ReadyMade, schedule.HullTransfer, schedule.Schedule, Refit,
    DroneSpaces,
]  # fmt: skip
"""Of these nothing is anything but nothing."""

AT_REST = {"plotted": operations.Speed.STATION, "speed": operations.Speed.STATION, "id_level": IdLevel.N}
"""A task force does not move and is not known."""
CONDITIONS = (11, 59, 78, 100)
"""The greatest D100 rolls for each of the conditions 1 to 4, in the campaign."""
GHOST_TURNS = 30
"""Turns for which a lost contact is shown: an operational period."""

BY_DEFAULT: dict[type[BaseModel | Record], dict[str, Any]] = {
    costs.RepairTable: {"source": "invented"}, ScreenLine: {"screen": "screen"}, FieldForce: AT_REST,
    SettledForce: AT_REST, TaskForce: AT_REST, SettledHex: {"id_level": IdLevel.U}, Minefield: {"level": IdLevel.N},
    Unit: {"source": "invented", "fate": "in play", "can_power_fire_control": True, "can_power_sensors": True},
    Posture: {"warp": True, "active": True}, BaseRecord: {"known": True}, order_of_battle.BaseEntry: {"known": True},
    logistics.SupplyRoutine: {"sheet": "useful", "refuel": "half"},
    progress.Arrival: {"opens": 1}, progress.Progress: {"reaction": "held"},
    standing_orders.SearchOrder: {"below": 3},
    standing_orders.Run: {"stops": (standing_orders.Stop(kind="contact"), standing_orders.Stop(kind="arrived"))},
    state.MapHex: {"terrain": "space"}, state.VpLine: {"public": True},
    state.ScenarioSettings: {
        "local_conditions": CONDITIONS, "ghost_turns": GHOST_TURNS, "repair_source": "invented",
        "unsettled_battles": "attackers leave",
    },
    entries.ScenarioFile: {
        "local_conditions": CONDITIONS, "ghost_turns": GHOST_TURNS, "unsettled_battles": "attackers leave",
    },
    state.State: {"initiative": "alliance"},
    entries.SheetSize: {"stagger": "even", "elsewhere": "invented"},
    entries.TerrainEntry: {"source": "invented"}, entries.SettledEntry: {"source": "invented"},
    random_events.UseLine: {"again": "new"},
    order_of_battle.OrderOfBattleForce: {"arrives": "deployed"},
    order_of_battle.OrderOfBattle: {"year": 167, "victory_table": "standard", "minelayer_year": 168},
    ShipClass: {"unit_kind": "ship", "service": "military", "size_class": 4, "is_warship": True, "sensor_track": (6,)},
}  # fmt: skip


NOTHING_LEFT_OUT: list[type[BaseModel | Record]] = [
    search_tables.SearchTable, search_tables.SearchColumn, battle.PowerLine, result_form.BattleLine, BoxInHand,
    RefitInHand, PrintedField, Flotilla, MinefieldEntry, order_of_battle.Convoy, order_of_battle.Mandatory,
    schedule.Reinforcement, schedule.Returning,
]  # fmt: skip
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
