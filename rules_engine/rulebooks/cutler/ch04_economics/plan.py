"""Chapter 4.1: a sheet's money worked out: from where to where each CPV of the turn goes, and what does not fit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.ch04_economics.income import income, income_of
from rules_engine.rulebooks.cutler.ch04_economics.stores import carriers, holders, shared_out
from rules_engine.rulebooks.cutler.records.economy_lines import PlaceLine
from rules_engine.rulebooks.cutler.records.orders import TurnSheet
from rules_engine.rulebooks.cutler.records.state import CutlerState
from rules_engine.rulebooks.cutler.records.tables import RESERVE_CAP


@dataclass
class Demand:
    """Something that takes CPV through repair boxes in a hex: ``most`` at most; ``asked`` None: as many as there are.

    ``gets`` is what it is given in the end.
    """

    path: str
    hex: HexId
    most: int
    asked: int | None
    gets: int = 0


@dataclass
class Place:
    """A hex in which a race has a planet, cargo boxes or repair boxes.

    ``made`` are new CPV, ``stored`` those in cargo boxes; ``work`` and ``spare`` go into repair boxes (spent there, and
    not), ``cargo`` are new CPV into cargo boxes, ``ground`` new ones for ground bases.
    """

    hex: HexId
    made: int = 0
    stored: int = 0
    boxes: int = 0
    repair_boxes: int = 0
    cargo: int = 0
    work: int = 0
    spare: int = 0
    ground: int = 0

    @property
    def repair(self) -> int:
        """What goes into repair boxes."""
        return self.work + self.spare

    @property
    @rule("4.1.6.1", "4.1.7")
    def from_store(self) -> int:
        """What repair boxes take out of cargo boxes: all they can. 4.1.6.1, 4.1.7, CU-N41"""
        return min(self.stored, self.repair)

    @property
    def new_used(self) -> int:
        """New CPV that stay in the hex."""
        return self.repair - self.from_store + self.cargo + self.ground

    @property
    def kept(self) -> int:
        """CPV in its cargo boxes when all is done."""
        return self.stored - self.from_store + self.cargo

    @property
    def free(self) -> int:
        """CPV of the hex that nothing takes yet."""
        return self.stored + self.made - self.repair - self.cargo - self.ground


@dataclass
class Plan:
    """A race's money of a turn. ``loads`` is what each unit holds at the end, by unit."""

    new: int
    reserve: int
    pool: int
    places: dict[HexId, Place]
    loads: dict[str, int] = field(default_factory=dict[str, int])
    refusals: list[Refusal] = field(default_factory=list[Refusal])

    @property
    def used(self) -> int:
        """New CPV that stay in their hexes."""
        return sum(place.new_used for place in self.places.values())

    @property
    @rule("4.1.6.1")
    def lost(self) -> int:
        """New CPV that are put nowhere. 4.1.6.1"""
        return self.new - self.reserve - self.pool - self.used

    @property
    def spare(self) -> int:
        """CPV in repair boxes that nothing uses."""
        return sum(place.spare for place in self.places.values())


@rule("4.1.5", "4.1.6")
def places_of(state: CutlerState, race: Side) -> dict[HexId, Place]:
    """The hexes that a race's sheet may speak of, by number. 4.1.5, 4.1.6"""
    found: dict[HexId, Place] = {}
    for planet in state.planets_of(race):
        found.setdefault(planet.hex, Place(planet.hex)).made += income_of(planet, state.turn)
    for unit in state.alive(race):
        if unit.cargo_boxes or (unit.kind == "base" and unit.record.repair):
            place = found.setdefault(unit.hex, Place(unit.hex))
            place.stored += unit.cargo_cpv
            place.boxes += unit.cargo_boxes
            place.repair_boxes += unit.record.repair if unit.kind == "base" else 0
    return {hex_id: found[hex_id] for hex_id in sorted(found)}


@rule("4.1.6", "4.1.6.1")
def make_plan(
    state: CutlerState,
    race: Side,
    sheet: TurnSheet,
    demands: Sequence[Demand] = (),
    ground: Mapping[HexId, int] = MappingProxyType({}),
) -> Plan:
    """Work out a sheet's money. What is named comes first, with ``ground``, the CPV for ground bases by hex; then
    demands that take what there is, in their order; the Base Pool, if it was left blank, takes the rest.

    4.1.6, 4.1.6.1, CU-R80, CU-R81, CU-N40
    """
    line = sheet.economy
    plan = Plan(income(state, race), line.reserve, line.pool or 0, places_of(state, race))
    for hex_id, cpv in ground.items():
        plan.places[hex_id].ground = cpv
    plan.refusals += _read_places(plan.places, sheet.places)
    plan.refusals += _give(plan, sheet.places, demands)
    if line.pool is None:
        plan.pool = max(0, plan.lost)
    plan.refusals += _judge(state, race, plan, sheet.places)
    plan.refusals += _load(state, race, plan, sheet)
    return plan


def _read_places(places: dict[HexId, Place], lines: Mapping[str, PlaceLine]) -> list[Refusal]:
    refusals: list[Refusal] = []
    for key, line in lines.items():
        place = places.get(key[1:])
        if place is None:
            legal = ", ".join(f"H{hex_id}" for hex_id in places) or "none"
            refusals.append(illegal("you have neither a planet nor boxes in this hex", "4.1.6.1", key, legal=legal))
        else:
            place.cargo = line.cargo
    return refusals


@rule("4.1.6", "4.1.6.1")
def _give(plan: Plan, lines: Mapping[str, PlaceLine], demands: Sequence[Demand]) -> list[Refusal]:
    """Give each demand its CPV, those that name a number first. 4.1.6, 4.1.6.1"""
    refusals: list[Refusal] = []
    for demand in demands:
        if demand.asked is not None:
            demand.gets = demand.asked
            plan.places[demand.hex].work += demand.asked
    for key, line in lines.items():
        place = plan.places.get(key[1:])
        if place is None or line.repair is None:
            continue
        if line.repair < place.work:
            text = f"the work in {place.hex} takes {place.work} CPV through its repair boxes"
            refusals.append(illegal(text, "4.1.6", f"{key}.repair", legal=f"{place.work} and more, or blank"))
        place.spare = max(0, line.repair - place.work)
    for demand in demands:
        if demand.asked is None:
            place = plan.places[demand.hex]
            line = lines.get(f"H{demand.hex}")
            if line is not None and line.repair is not None:
                demand.gets = min(demand.most, place.spare)
                place.spare -= demand.gets
            else:
                within = max(0, place.stored - place.repair) + max(0, plan.lost)
                demand.gets = max(0, min(demand.most, place.free, within))
            place.work += demand.gets
    return refusals


@rule("4.1.6", "4.1.6.1", "6.3")
def _judge(state: CutlerState, race: Side, plan: Plan, lines: Mapping[str, PlaceLine]) -> list[Refusal]:
    """Every defect of a plan. 4.1.6, 4.1.6.1, 6.3, CU-R80, CU-R81, CU-R105"""
    refusals: list[Refusal] = []
    room = RESERVE_CAP - state.empires[race].reserve
    if plan.reserve > room:
        text = f"the Intelligence Reserve holds at most {RESERVE_CAP} IP, so {room} more"
        refusals.append(illegal(text, "6.3, CU-R105", "economy.reserve", legal=f"0 to {min(room, plan.new)}"))
    for hex_id, place in plan.places.items():
        key = f"H{hex_id}"
        there = place.stored + place.made - place.ground
        if place.repair > place.repair_boxes:
            text = f"there are {place.repair_boxes} repair boxes in {hex_id}, and each takes one CPV a turn"
            refusals.append(illegal(text, "4.1.6, CU-R81", f"{key}.repair", legal=f"0 to {place.repair_boxes}"))
        elif place.repair > there:
            text = f"repair boxes in {hex_id} would take {place.repair} CPV, {there} are there"
            refusals.append(illegal(text, "4.1.6.1", f"{key}.repair", legal=f"0 to {there}"))
        elif place.cargo > (most := cargo_room(place)):
            text = f"cargo boxes in {hex_id} take {most} of the new CPV made there"
            refusals.append(illegal(text, "4.1.5, 4.1.6.1", f"{key}.cargo", legal=f"0 to {most}"))
    if plan.lost < 0 and not refusals:
        text = f"{plan.new - plan.lost} CPV are allocated, {plan.new} were made"
        refusals.append(illegal(text, "4.1.6.1", "economy", legal=f"{plan.new} in all"))
    return refusals


@rule("4.1.5", "4.1.6.1")
def cargo_room(place: Place) -> int:
    """New CPV that its cargo boxes can take: made in that hex, not in use there, and one to an empty box.

    4.1.5, 4.1.6.1
    """
    made = place.made - (place.repair - place.from_store) - place.ground
    return max(0, min(made, place.boxes - place.stored + place.from_store))


@rule("4.1.5", "4.1.6.1", "4.1.7")
def _load(state: CutlerState, race: Side, plan: Plan, sheet: TurnSheet) -> list[Refusal]:
    """Share out what each hex keeps among its units. 4.1.5, 4.1.6.1, 4.1.7"""
    ships = carriers(state, race)
    refusals: list[Refusal] = []
    fixed: dict[HexId, dict[str, int]] = {}
    paths: dict[HexId, str] = {}
    for key, line in sheet.loads.items():
        ship = ships.get(key)
        if ship is None:
            refusals.append(malformed("you have no such ship with cargo boxes", key, legal=", ".join(ships) or "none"))
        elif line.carry is not None:
            if line.carry > ship.cargo_boxes:
                text = f"{ship.name} has {ship.cargo_boxes} cargo boxes, and a CPV fills one"
                refusals.append(illegal(text, "4.1.5", f"{key}.carry", legal=f"0 to {ship.cargo_boxes}"))
            fixed.setdefault(ship.hex, {})[ship.id] = line.carry
            paths[ship.hex] = f"{key}.carry"
    if refusals or plan.refusals:
        return refusals
    for hex_id, place in plan.places.items():
        units, named = holders(state, race, hex_id), fixed.get(hex_id, {})
        least = place.kept - sum(unit.cargo_boxes for unit in units if unit.id not in named)
        if not least <= sum(named.values()) <= place.kept:
            text = f"cargo boxes in {hex_id} hold {place.kept} CPV in all, so these ships cannot hold that"
            legal = f"{max(0, least)} to {place.kept} together"
            refusals.append(illegal(text, "4.1.6.1, 4.1.7", paths.get(hex_id, f"H{hex_id}"), legal=legal))
        else:
            plan.loads |= shared_out(units, place.kept, named)
    return refusals
