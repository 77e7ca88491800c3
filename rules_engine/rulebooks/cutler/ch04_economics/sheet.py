"""Chapter 4: the part of a turn's sheet that is about CPV. Its lines, its defects, and how it is read back."""

from dataclasses import dataclass

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Field, Line, number_field, text_field
from rules_engine.rulebooks.cutler.ch04_accessories.minefields import judge_swept, say_swept, swept_lines
from rules_engine.rulebooks.cutler.ch04_accessories.order_lines import accessory_lines
from rules_engine.rulebooks.cutler.ch04_accessories.orders import AccessoryPlans, judge_room, say_order
from rules_engine.rulebooks.cutler.ch04_economics.accessory_money import accessories_beside, demands_of
from rules_engine.rulebooks.cutler.ch04_economics.building.base_orders import (
    base_lines,
    judge_bases,
    read_bases,
    warn_bases,
)
from rules_engine.rulebooks.cutler.ch04_economics.building.bases import BasePlan
from rules_engine.rulebooks.cutler.ch04_economics.building.ground_bases import (
    GroundPlan,
    ground_lines,
    judge_ground,
    read_ground,
)
from rules_engine.rulebooks.cutler.ch04_economics.dock_orders import (
    DockPlan,
    DockPlans,
    judge_docks,
    then_choices,
    work_choices,
)
from rules_engine.rulebooks.cutler.ch04_economics.docks import Dock, docks_of, said
from rules_engine.rulebooks.cutler.ch04_economics.income import income
from rules_engine.rulebooks.cutler.ch04_economics.officers import people_fields
from rules_engine.rulebooks.cutler.ch04_economics.plan import Place, Plan, make_plan, places_of
from rules_engine.rulebooks.cutler.ch04_economics.repairs import cost_of, in_words, repaired_for
from rules_engine.rulebooks.cutler.ch04_economics.stores import carriers
from rules_engine.rulebooks.cutler.records.economy_lines import LONGEST_NAME
from rules_engine.rulebooks.cutler.records.orders import TurnSheet
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit
from rules_engine.rulebooks.cutler.records.tables import RESERVE_CAP

STORES, DOCKS = "Stores", "Docks"


@dataclass
class EconomyPlan:
    """All of a sheet that is about CPV, worked out."""

    money: Plan
    docks: DockPlans
    bases: BasePlan
    ground: GroundPlan
    accessories: AccessoryPlans

    @property
    def refusals(self) -> list[Refusal]:
        """Every defect. What does not add up is told when all else fits."""
        parts = (self.docks, self.bases, self.ground, self.accessories)
        orders = [one for part in parts for one in part.refusals]
        if orders or self.money.refusals:
            return orders or self.money.refusals
        return [*self.bases.short, *judge_room(self.accessories, self.money.loads)]


def plan_of(state: CutlerState, race: Side, sheet: TurnSheet) -> EconomyPlan:
    """Work out what a sheet says of CPV."""
    docks = judge_docks(state, race, sheet)
    ground = judge_ground(state, race, sheet)
    accessories = accessories_beside(state, race, sheet, docks)
    demands = [*docks.demands, *demands_of(accessories)]
    money = make_plan(state, race, sheet, demands, ground.spent)
    bases = judge_bases(state, race, sheet, pool=money.pool, docks=docks.plans)
    return EconomyPlan(money, docks, bases, ground, accessories)


# --- the form --------------------------------------------------------------------------------------------------------


def economy_lines(state: CutlerState, race: Side) -> list[Line]:
    """New CPV, the stores of each hex, docking bays, bases, ground bases, the loads of ships, accessories, and
    minefields after battles."""
    places = places_of(state, race)
    lines = [_economy_line(state, race)]
    lines += [_place_line(place) for place in places.values() if _place_fields(place)]
    lines += [_dock_line(state, race, dock) for dock in docks_of(state, race).values()]
    lines += [*base_lines(state, race), *ground_lines(state, race)]
    lines += [_load_line(key, ship, places[ship.hex]) for key, ship in carriers(state, race).items()]
    lines += [*accessory_lines(state, race), *swept_lines(state, race)]
    return lines


def _economy_line(state: CutlerState, race: Side) -> Line:
    new, empire = income(state, race), state.empires[race]
    room = min(new, RESERVE_CAP - empire.reserve)
    fields = (
        number_field("reserve", "To Intelligence", range(room + 1), 0, "IP, 1 for 1"),
        number_field("pool", "To the Base Pool", range(new + 1), None, "blank: all the rest", optional=True),
    )
    note = f"{new} new CPV; Reserve {empire.reserve} of {RESERVE_CAP}, Base Pool {empire.base_pool}"
    return Line(key="economy", label="New CPV", fields=fields, note=note)


def _place_fields(place: Place) -> tuple[Field, ...]:
    fields: list[Field] = []
    if most := min(place.made, place.boxes):
        fields.append(number_field("cargo", "New CPV into cargo boxes", range(most + 1), 0))
    if most := min(place.repair_boxes, place.made + place.stored):
        text = "blank: what the work there takes; more is lost"
        fields.append(number_field("repair", "CPV into repair boxes", range(most + 1), None, text, optional=True))
    return tuple(fields)


def _place_line(place: Place) -> Line:
    note = f"makes {place.made}, stores {place.stored} in {place.boxes} boxes"
    return Line(key=f"H{place.hex}", label=f"CPV in {place.hex}", fields=_place_fields(place), note=note, group=STORES)


def _dock_line(state: CutlerState, race: Side, dock: Dock) -> Line:
    """A bay: what is begun there, or how it goes on."""
    ways, thens = work_choices(state, race, dock), then_choices(state, race, dock)
    cpv = number_field("cpv", "CPV into it", range(dock.boxes + 1), None, "blank: as many as there are", optional=True)
    then = (Field("then", "Then refit into", "one", thens, optional=True, help="in the same turn"),) if thens else ()
    if dock.work:
        work = Field("work", "Change", "one", ways, optional=True, help="blank: it goes on")
        fields, note = (work, cpv, *then), said(dock.work)
    else:
        work = Field("work", "Begin", "one", ways, optional=True, help="blank: nothing")
        fields = (work, text_field("name", "Name", LONGEST_NAME, None, "blank: one is found"), cpv, *then)
        fields += people_fields(state, race, dock)
        note = "free"
    label = f"{dock.key}: {dock.title}"
    return Line(dock.key, label, fields, f"{dock.base.hex}, {dock.boxes} repair boxes: {note}", DOCKS)


def _load_line(key: str, ship: Unit, place: Place) -> Line:
    most = min(ship.cargo_boxes, place.made + place.stored)
    fields = (
        number_field("carry", "CPV to hold", range(most + 1), None, "blank: as it comes", optional=True),
        Field(key="unload", label="Unload into bases it comes upon", kind="flag", value=ship.unload),
    )
    note = f"at {ship.hex}, {ship.cargo_cpv} CPV in {ship.cargo_boxes} boxes"
    return Line(key=key, label=f"Load of {ship.name}", fields=fields, note=note, group=STORES)


# --- judging and reading back ----------------------------------------------------------------------------------------


def judge_economy(state: CutlerState, race: Side, sheet: TurnSheet) -> list[Refusal]:
    """Every defect of the money of a sheet."""
    return [*plan_of(state, race, sheet).refusals, *judge_swept(state, race, sheet.swept)]


def read_economy(state: CutlerState, race: Side, sheet: TurnSheet) -> list[str]:
    """The money of a sheet in plain words."""
    whole = plan_of(state, race, sheet)
    plan = whole.money
    told = [f"{plan.reserve} CPV to the Reserve, {plan.pool} to the Base Pool, {plan.lost} lost."]
    for hex_id, place in plan.places.items():
        parts = [f"{place.cargo} new CPV into cargo boxes"] if place.cargo else []
        parts += [f"{place.repair} CPV into repair boxes"] if place.repair else []
        told += [f"In {hex_id}: {', '.join(parts)}."] if parts else []
    told += [*read_bases(whole.bases), *read_ground(state, whole.ground)]
    told += [text for dock in whole.docks.plans if (text := _read_dock(state, dock))]
    told += [f"{plan.key}: {say_order(plan)}." for plan in whole.accessories.plans]
    told += say_swept(state, race, sheet.swept)
    for key, ship in carriers(state, race).items():
        line = sheet.loads.get(key)
        if line is not None and line.carry is not None:
            told.append(f"{ship.name} holds {line.carry} CPV.")
        if line is not None and line.unload is not None and line.unload != ship.unload:
            told.append(f"{ship.name} {'unloads' if line.unload else 'no longer unloads'} into bases it comes upon.")
    return told


def _read_dock(state: CutlerState, plan: DockPlan) -> str:
    work, key = plan.work, plan.dock.key
    if plan.mends:
        boxes = repaired_for(plan.mends, state.repair_points, plan.cpv)
        return f"{key}: repairs {plan.mends.name}: {in_words(boxes)} for {cost_of(boxes, state.repair_points)} CPV."
    if work is None:
        return ""
    if plan.gives_up:
        return f"{key}: {said(work)}: given up."
    paid = work.paid + plan.cpv
    done = "done" if paid >= work.cost else f"then {paid} of {work.cost}"
    more = f"; then {max(0, paid - work.cost)} CPV into a refit into {plan.then.name}" if plan.then else ""
    post = f" for {state.planets[work.post].name}" if work.post else ""
    return (
        f"{key}: {'goes on with' if plan.dock.work else 'begins'} {work.title}{post} with {plan.cpv} CPV, {done}{more}."
    )


def warn_economy(state: CutlerState, race: Side, sheet: TurnSheet) -> list[str]:
    """What a race would probably regret of the money of its sheet."""
    whole = plan_of(state, race, sheet)
    plan = whole.money
    told = [f"{plan.lost} CPV are allocated nowhere and will be lost (4.1.6.1)."] if plan.lost else []
    if plan.spare:
        told.append(f"{plan.spare} CPV in repair boxes are used by nothing and will be lost (4.1.6.2).")
    told += warn_bases(state, race, whole.bases, plan.loads)
    for dock in whole.docks.plans:
        work, key = dock.work, dock.dock.key
        if dock.mends:
            boxes = repaired_for(dock.mends, state.repair_points, dock.cpv)
            if idle := dock.cpv - cost_of(boxes, state.repair_points):
                told.append(f"{key}: {idle} CPV repair no whole box and will be lost (4.3).")
        elif work and dock.then and work.paid + dock.cpv <= work.cost:
            told.append(f"{key}: the refit does not begin, for nothing is left for it (4.2.3.3).")
    return told


@rule("4.2.2")
def economy_losses(state: CutlerState, race: Side, sheet: TurnSheet) -> list[str]:
    """What a race loses by the money of its sheet, idle docking bays among it: starts are not saved. 4.2.2"""
    whole = plan_of(state, race, sheet)
    idle = [plan.dock for plan in whole.docks.plans if not plan.cpv]
    boxes = sum(dock.boxes for dock in idle)
    keys = ", ".join(dock.key for dock in idle)
    told = [f"Nothing is done in {keys}: {boxes} repair boxes stand idle, and starts are not saved (4.2.2)."]
    return warn_economy(state, race, sheet) + (told if idle else [])
