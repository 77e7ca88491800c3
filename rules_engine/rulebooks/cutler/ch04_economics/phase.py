"""Chapter 4: the economics phase. A race's CPV are collected and put where its sheet says."""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import with_article
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import MapNote, because
from rules_engine.rulebooks.cutler.ch04_accessories.minefields import sweep_mines
from rules_engine.rulebooks.cutler.ch04_accessories.orders import AccessoryPlans
from rules_engine.rulebooks.cutler.ch04_economics.accessory_money import make_accessories
from rules_engine.rulebooks.cutler.ch04_economics.building.bases import build_bases, scrap, set_aside
from rules_engine.rulebooks.cutler.ch04_economics.building.ground_bases import build_ground_bases
from rules_engine.rulebooks.cutler.ch04_economics.dock_orders import DockPlan, DockPlans
from rules_engine.rulebooks.cutler.ch04_economics.docks import channel, said
from rules_engine.rulebooks.cutler.ch04_economics.permits import refit_cost
from rules_engine.rulebooks.cutler.ch04_economics.plan import Plan
from rules_engine.rulebooks.cutler.ch04_economics.repairs import cost_of, in_words, mend, repaired_for
from rules_engine.rulebooks.cutler.ch04_economics.sheet import plan_of
from rules_engine.rulebooks.cutler.ch04_economics.stores import carriers
from rules_engine.rulebooks.cutler.records.economy import Spent
from rules_engine.rulebooks.cutler.records.orders import TurnSheet
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Unit


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
    _leave_in_repair_boxes(state, race, plan, whole.docks, whole.accessories)
    text = f"Income {plan.new} CPV: {plan.reserve} to the Intelligence Reserve, {plan.pool} to the Base Pool"
    for hex_id, place in plan.places.items():
        text += f", {place.cargo} into cargo boxes in {hex_id}" if place.cargo else ""
        new = place.repair - place.from_store
        text += f", {new} into repair boxes in {hex_id}" if new else ""
        text += f", {place.ground} into ground bases in {hex_id}" if place.ground else ""
    text += f"; {plan.lost} lost" if plan.lost else ""
    moved = [f"{place.from_store} in {hex_id}" for hex_id, place in plan.places.items() if place.from_store]
    text += f". Out of cargo boxes into repair boxes: {', '.join(moved)}" if moved else ""
    why = because("4.1.4, 4.1.6.1", {"planets": len(state.planets_of(race)), "reserve now": empire.reserve})
    noted = MapNote(topic="Treasury", text=f"Turn {state.turn}: {text}.")
    turn.tell([race], f"{text}.", kind="economy", why=why, facts=[noted])
    sweep_mines(state, race, sheet.swept)
    make_accessories(turn, race, whole.accessories)
    for dock in whole.docks.plans:
        _work_in(turn, dock)
    build_ground_bases(turn, race, whole.ground)
    scrap(turn, whole.bases)
    set_aside(turn, race, whole.bases)
    build_bases(turn, race)


@rule("4.2.1", "4.2.1.1", "4.2.1.3", "4.2.3.3", "4.3")
def _work_in(turn: CutlerTurn, plan: DockPlan) -> None:
    """What is done in one docking bay; a refit may follow on what is completed.

    4.2.1, 4.2.1.1, 4.2.1.3, 4.2.3.3, 4.3
    """
    work = plan.work
    if plan.mends:
        _repair_in(turn, plan, plan.mends)
    elif work is not None and plan.gives_up:
        del turn.state.works[work.key]
        turn.tell([work.race], f"Given up: {said(work)}.", kind="economy", why=because("4.2.1.1"))
    elif work is not None:
        first = min(plan.cpv, work.cost - work.paid)
        unit, rest = channel(turn, work, first), plan.cpv - first
        if unit and plan.then and rest:
            cost = refit_cost(unit.record, plan.then)
            refit = work.changed(into=plan.then, named=unit.name, ship=unit.id, cost=cost, paid=0)
            channel(turn, refit, rest)


@rule("4.3")
def _repair_in(turn: CutlerTurn, plan: DockPlan, unit: Unit) -> None:
    """Repair what the CPV suffice for; what they do not stays in the repair boxes. 4.3, CU-R88, CU-N48"""
    state, base = turn.state, plan.dock.base
    boxes = repaired_for(unit, state.repair_points, plan.cpv)
    cost = cost_of(boxes, state.repair_points)
    mend(unit, boxes)
    base.repair_cpv += plan.cpv - cost
    if cost:
        item = f"repairs of {with_article(unit.record.name)}"
        state.spent.append(Spent(base=base.id, race=unit.race, item=item, cpv=cost))
    text = f"{unit.name} is repaired at {base.name} in {base.hex}: {in_words(boxes)} for {cost} CPV."
    turn.tell([unit.race], text, kind="economy", why=because("4.3, CU-R88"))


@rule("4.1.6.2")
def _leave_in_repair_boxes(
    state: CutlerState, race: Side, plan: Plan, docks: DockPlans, accessories: AccessoryPlans
) -> None:
    """CPV in repair boxes that nothing uses stay there until they are lost. 4.1.6.2"""
    for hex_id, place in plan.places.items():
        left = place.spare
        used = {unit.id: sum(dock.cpv for dock in docks.plans if dock.dock.base is unit) for unit in state.alive(race)}
        used = {key: count + accessories.spent_at(key) for key, count in used.items()}
        for unit in [one for one in state.units_in(hex_id, race) if one.kind == "base"]:
            unit.repair_cpv = min(left, unit.record.repair - used[unit.id])
            left -= unit.repair_cpv
