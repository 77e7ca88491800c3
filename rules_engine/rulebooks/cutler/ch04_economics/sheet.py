"""Chapter 4: the part of a turn's sheet that is about CPV. Its lines, its defects, and how it is read back."""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal
from rules_engine.core.forms.forms import Field, Line, number_field
from rules_engine.rulebooks.cutler.ch04_economics.income import income
from rules_engine.rulebooks.cutler.ch04_economics.plan import Place, Plan, make_plan, places_of
from rules_engine.rulebooks.cutler.ch04_economics.stores import carriers
from rules_engine.rulebooks.cutler.records.orders import TurnSheet
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit
from rules_engine.rulebooks.cutler.records.tables import RESERVE_CAP

STORES = "Stores"


def plan_of(state: CutlerState, race: Side, sheet: TurnSheet) -> Plan:
    """A sheet's money, worked out."""
    return make_plan(state, race, sheet)


# --- the form --------------------------------------------------------------------------------------------------------


def economy_lines(state: CutlerState, race: Side) -> list[Line]:
    """New CPV, the stores of each hex, and the loads of ships."""
    places = places_of(state, race)
    lines = [_economy_line(state, race)]
    lines += [_place_line(place) for place in places.values() if _place_fields(place)]
    lines += [_load_line(key, ship, places[ship.hex]) for key, ship in carriers(state, race).items()]
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
    return plan_of(state, race, sheet).refusals


def read_economy(state: CutlerState, race: Side, sheet: TurnSheet) -> list[str]:
    """The money of a sheet in plain words."""
    plan = plan_of(state, race, sheet)
    said = [f"{plan.reserve} CPV to the Reserve, {plan.pool} to the Base Pool, {plan.lost} lost."]
    for hex_id, place in plan.places.items():
        parts = [f"{place.cargo} new CPV into cargo boxes"] if place.cargo else []
        parts += [f"{place.repair} CPV into repair boxes"] if place.repair else []
        said += [f"In {hex_id}: {', '.join(parts)}."] if parts else []
    for key, ship in carriers(state, race).items():
        line = sheet.loads.get(key)
        if line is not None and line.carry is not None:
            said.append(f"{ship.name} holds {line.carry} CPV.")
        if line is not None and line.unload is not None and line.unload != ship.unload:
            said.append(f"{ship.name} {'unloads' if line.unload else 'no longer unloads'} into bases it comes upon.")
    return said


def warn_economy(state: CutlerState, race: Side, sheet: TurnSheet) -> list[str]:
    """What a race would probably regret of the money of its sheet."""
    plan = plan_of(state, race, sheet)
    said = [f"{plan.lost} CPV are allocated nowhere and will be lost (4.1.6.1)."] if plan.lost else []
    if plan.spare:
        said.append(f"{plan.spare} CPV in repair boxes are used by nothing and will be lost (4.1.6.2).")
    return said
