"""Worlds for chapter 10: bases with cargo, freighters, tugs with pods, tenders and drone ships."""

from fractions import Fraction
from typing import Any

from rules_engine.core.basics.refusals import Refusal, Refused
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch10_supply.end_of_turn import supply_steps
from rules_engine.rulebooks.pq17.ch10_supply.routine import routine_of, routine_plan
from rules_engine.rulebooks.pq17.plotting import logistics_lines, logistics_sheet
from rules_engine.rulebooks.pq17.records import forces, logistics
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario.invariants import defects
from rules_engine.rulebooks.pq17.tables.supply import Goods
from tests.rulebooks.pq17.worlds.notation import CLASSES, run, ship_class, table, world

BASE: dict[str, Any] = {"unit_kind": "base", "impulse": 0, "damcon_track": ()}
RACKS = {"general": 20, "limited": 10, "restricted": 10}
ARMS = {"shuttles": 2, "crew_units": 10, "boarding_parties": 8, "tbombs": 2}

DEPOT: dict[str, Any] = dict(CLASSES) | {
    one.class_id: one
    for one in (
        ship_class("CA", "1", warp=30, awr=4, probes=5, **ARMS),  # DAMCON 2+2: four repair points
        ship_class("TG", "1", warp=30, is_tug=True, pod_slots=2, damcon_track=()),
        ship_class("KP", "1/4", unit_kind="pod", cargo=25, impulse=0, damcon_track=()),
        ship_class("PT", "1/2", warp=12, mech_links=2, damcon_track=()),
        ship_class("PF", "1/5", warp=4, table8_category="PF", damcon_track=()),
        ship_class("RS", "1/2", warp=8, repair=10, cargo=10, damcon_track=()),
        ship_class("OR", "1/2", warp=8, cargo=3, orion_cargo=5, damcon_track=()),
        ship_class("ML", "1/2", warp=8, cargo=10, mine_capacity=40, damcon_track=()),
        ship_class("DD", "1/2", warp=15, awr=1, drone_spaces={"general": 4}, damcon_track=()),
        ship_class("DR", "1/2", warp=15, cargo=2, reload_spaces=40, drone_spaces=RACKS, damcon_track=()),
        ship_class("BATS", "0", **BASE, base_type="BATS", awr=12, cargo=75).model_copy(update={"docking_points": 9}),
        ship_class("SB", "0", **BASE, base_type="SB", awr=30, cargo=200),
        ship_class("BS", "0", **BASE, base_type="BS", cargo=20),
        ship_class("MB", "0", **BASE, base_type="MB", cargo=20),
        ship_class("FRD", "0", **BASE, base_type="FRD", cargo=20),
        ship_class("PLAT", "0", **BASE, base_type="platform", cargo=20),
        ship_class("DOCK", "0", **BASE, base_type="SAMS", awr=0, cargo=20),
    )
}


def depot(text: str, **settings: Any) -> State:
    """A world in which supply can be moved; no unit refuels by itself unless a test says so."""
    state = world(text, classes=DEPOT, **settings)
    for side in ("alliance", "coalition"):
        state.supply_routine[side] = logistics.SupplyRoutine(refuel="never")
    return state


def unit(state: State, unit_id: str) -> forces.Unit:
    """A unit by id, ``A1.`` left out where only one fits."""
    (found,) = [one for one in state.units.values() if unit_id in (one.id, one.id.partition(".")[2])]
    return found


def sheet(state: State, side: str = "alliance", **lines: Any) -> logistics_lines.LogisticsSheet:
    """A sheet with these lines and nothing else: ``give`` texts by unit, ``dock_X`` lists, ``stores`` for the side.

    Units are named with ``_`` for the dot: ``A1_FT="> A9.BATS 20 supply"``."""
    form = logistics_lines.logistics_form(state, side, routine_plan(state, side))
    filled: dict[str, dict[str, Any]] = {
        line.key: {field.key: [] if field.key == "ships" else None for field in line.fields}
        for line in form.lines
        if line.key != "stores"
    }
    for key, value in lines.items():
        name = key.replace("_", ".") if key != "stores" else key
        if name.startswith("dock."):
            filled[f"dock-{name.removeprefix('dock.')}"] = {"ships": value.split("+")}
        elif name == "stores":
            filled[name] = value
        else:
            filled[name] = {"give": value}
    return logistics_lines.LogisticsSheet.model_validate(filled)


def draft(state: State, side: str = "alliance", **lines: Any) -> tuple[logistics.LogisticsPlan, list[Refusal]]:
    """The plan of such a sheet, and what is illegal about it."""
    form = logistics_lines.logistics_form(state, side, routine_plan(state, side))
    return logistics_sheet.draft_plan(state, side, form, sheet(state, side, **lines))


def plan(state: State, side: str = "alliance", **lines: Any) -> logistics.LogisticsPlan:
    """The plan of a sheet that must be legal, stored for the turn."""
    made, wrong = draft(state, side, **lines)
    if wrong:
        raise Refused(wrong)
    state.logistics[side] = made
    return made


def rules(state: State, side: str = "alliance", **lines: Any) -> list[str]:
    """The rules by which a sheet is refused."""
    return [one.rule for one in draft(state, side, **lines)[1]]


def routine(state: State, side: str = "alliance") -> logistics.LogisticsPlan:
    """The routine's plan, stored for the turn after its sheet was found legal."""
    ask = logistics_sheet.logistics_ask(table(state), side, routine_plan(state, side))
    assert ask.default is not None
    assert not list(ask.check(ask.default)), [str(one) for one in ask.check(ask.default)]
    state.logistics[side] = logistics_sheet.draft_plan(state, side, ask.form, ask.default)[0]
    wanted = routine_plan(state, side)
    for part in ("groups", "transfers", "repairs"):  # the sheet has an order of its own
        assert sorted(map(repr, getattr(state.logistics[side], part))) == sorted(map(repr, getattr(wanted, part)))
    return state.logistics[side]


def turn_end(state: State, answer: Any = None) -> TurnContext[State]:
    """Carry out both sides' plans; the state must stay possible."""
    at = table(state)
    run(supply_steps(at), answer)
    assert defects(state) == []
    return at


def stores(state: State, unit_id: str) -> str:
    """A unit's fuel and stores by place, in words: ``fuel 34, supply 20, cargo 12 drones``."""
    one = unit(state, unit_id)
    parts = [f"fuel {one.fuel}"] if one.fuel else []
    values = {"supply": one.supply, "cargo fuel": one.fuel_cargo, "rp": one.rp_repair, "cargo rp": one.rp_cargo}
    values |= {"damcon": one.rp_damcon, "probes": one.probes}
    parts += [f"{name} {value}" for name, value in values.items() if value]
    parts += [f"{count} {goods.value}" for goods, count in one.stores.items()]
    parts += [f"cargo {count} {goods.value}" for goods, count in one.cargo_goods.items()]
    return ", ".join(parts)


def empty(state: State, unit_id: str, **fields: Any) -> forces.Unit:
    """A unit with nothing aboard except what is given: ``fuel``, ``supply``, ``stores`` …"""
    one = unit(state, unit_id)
    one.fuel = one.fuel_cargo = Fraction(0)
    one.supply = one.rp_repair = one.rp_cargo = one.rp_damcon = one.probes = 0
    one.stores, one.cargo_goods = {}, {}
    for key, value in fields.items():
        setattr(one, key, Fraction(value) if key.startswith("fuel") else value)
    return one


__all__ = ["Goods", "depot", "draft", "empty", "plan", "routine", "routine_of", "rules", "sheet", "stores", "turn_end"]
