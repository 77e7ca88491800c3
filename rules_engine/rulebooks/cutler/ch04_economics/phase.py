"""Chapter 4: the economics phase. A race's CPV are collected and put where its sheet says."""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import MapNote, because
from rules_engine.rulebooks.cutler.ch04_economics.dock_orders import DockPlan, DockPlans
from rules_engine.rulebooks.cutler.ch04_economics.docks import channel, said
from rules_engine.rulebooks.cutler.ch04_economics.plan import Plan
from rules_engine.rulebooks.cutler.ch04_economics.sheet import plan_of
from rules_engine.rulebooks.cutler.ch04_economics.stores import carriers
from rules_engine.rulebooks.cutler.records.orders import TurnSheet
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn


@rule("4.1.3", "4.1.4", "4.1.6", "4.1.6.1", "4.4.1", "6.2")
def collect_and_allocate(turn: CutlerTurn, race: Side, sheet: TurnSheet) -> None:
    """Pay the new CPV into the reserve, the pool and boxes, and move stored ones; what is put nowhere is lost.

    4.1.3, 4.1.4, 4.1.6, 4.1.6.1, 4.4.1, 6.2
    """
    state = turn.state
    empire = state.empires[race]
    whole = plan_of(state, race, sheet)
    plan = whole.money
    empire.last_income = plan.new
    empire.reserve += plan.reserve
    empire.base_pool += plan.pool
    for key, ship in carriers(state, race).items():
        line = sheet.loads.get(key)
        if line is not None and line.unload is not None:
            ship.unload = line.unload
    for key, load in plan.loads.items():
        state.units[key].cargo_cpv = load
    _leave_in_repair_boxes(state, race, plan, whole.docks)
    text = f"Income {plan.new} CPV: {plan.reserve} to the Intelligence Reserve, {plan.pool} to the Base Pool"
    for hex_id, place in plan.places.items():
        text += f", {place.cargo} into cargo boxes in {hex_id}" if place.cargo else ""
        new = place.repair - place.from_store
        text += f", {new} into repair boxes in {hex_id}" if new else ""
    text += f"; {plan.lost} lost" if plan.lost else ""
    moved = [f"{place.from_store} in {hex_id}" for hex_id, place in plan.places.items() if place.from_store]
    text += f". Out of cargo boxes into repair boxes: {', '.join(moved)}" if moved else ""
    why = because("4.1.4, 4.1.6.1", {"planets": len(state.planets_of(race)), "reserve now": empire.reserve})
    noted = MapNote(topic="Treasury", text=f"Turn {state.turn}: {text}.")
    turn.tell([race], f"{text}.", kind="economy", why=why, facts=[noted])
    for dock in whole.docks.plans:
        _work_in(turn, dock)


@rule("4.2.1", "4.2.1.1", "4.2.1.3")
def _work_in(turn: CutlerTurn, plan: DockPlan) -> None:
    """What is done in one docking bay. 4.2.1, 4.2.1.1, 4.2.1.3"""
    if plan.work is None:
        return
    if plan.gives_up:
        del turn.state.works[plan.work.key]
        turn.tell([plan.work.race], f"Given up: {said(plan.work)}.", kind="economy", why=because("4.2.1.1"))
    else:
        channel(turn.at(plan.work.race, plan.dock.key), plan.work, plan.cpv)


@rule("4.1.6.2")
def _leave_in_repair_boxes(state: CutlerState, race: Side, plan: Plan, docks: DockPlans) -> None:
    """CPV in repair boxes that nothing uses stay there until they are lost. 4.1.6.2"""
    for hex_id, place in plan.places.items():
        left = place.spare
        used = {unit.id: sum(dock.cpv for dock in docks.plans if dock.dock.base is unit) for unit in state.alive(race)}
        for unit in [one for one in state.units_in(hex_id, race) if one.kind == "base"]:
            unit.repair_cpv = min(left, unit.record.repair - used[unit.id])
            left -= unit.repair_cpv
