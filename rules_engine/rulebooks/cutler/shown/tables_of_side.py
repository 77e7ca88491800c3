"""The tables that a race can look up: its ships, its forces, its stores, and its planets."""

from collections.abc import Sequence

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.side_tables import SideTable
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.cutler.ch02_movement.movement import fleet_speed, top_speed
from rules_engine.rulebooks.cutler.ch04_economics.income import income_of
from rules_engine.rulebooks.cutler.ch04_economics.plan import places_of
from rules_engine.rulebooks.cutler.records.accessories.holds import aboard
from rules_engine.rulebooks.cutler.records.planetary import base_rate, in_words, number
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit
from rules_engine.rulebooks.cutler.records.tables import RESERVE_CAP
from rules_engine.rulebooks.cutler.shown.map_pieces import present
from rules_engine.rulebooks.cutler.standing.patrols import loop_of, orders_of_fleet, write_patrol
from rules_engine.rulebooks.cutler.standing.words import write_orders


def side_tables(state: CutlerState, side: Side, knowledge: Knowledge) -> Sequence[SideTable]:
    """All tables of a race, from what is its own."""
    del knowledge
    return (_ships(state, side), _forces(state, side), _stores(state, side), _planets(state, side))


@rule("2.4")
def _ships(state: CutlerState, side: Side) -> SideTable:
    """Every unit, with what is left of it. 2.4"""
    fleet_of = {key: fleet.key for fleet in present(state, side) for key in fleet.units}
    rows = [_ship_row(unit, fleet_of.get(unit.id, "")) for unit in state.alive(side)]
    return SideTable(
        key="ships",
        title="Ships and bases",
        columns=("Unit", "Class", "Fleet", "Hex", "Speed", "Warp", "Impulse", "BPV", "Condition", "Aboard"),
        rows=tuple(rows),
    )


def _ship_row(unit: Unit, fleet: str) -> tuple[str, ...]:
    kind = unit.record
    return (
        unit.name,
        f"{kind.name}{', invented' if kind.invented else ''}",
        fleet,
        unit.hex,
        str(top_speed(unit)),
        f"{unit.warp_ok} of {kind.warp}",
        f"{unit.impulse_ok} of {kind.impulse}",
        number(kind.bpv_economic),
        ", ".join([*([unit.condition] if unit.condition else []), *(["docked"] if unit.docked_at else [])]),
        ", ".join(aboard(unit)),
    )


def _forces(state: CutlerState, side: Side) -> SideTable:
    """Every fleet, with its course and its own standing orders."""
    rows = [
        (
            fleet.key,
            state.place_of(fleet),
            str(len(state.members(fleet))),
            str(fleet_speed(state.members(fleet))),
            write_patrol(fleet.course, loop_of(state, fleet)) or "holds",
            ", ".join(unit.name for unit in state.members(fleet)),
            write_orders(orders_of_fleet(state, fleet)),
        )
        for fleet in present(state, side)
    ]
    return SideTable(
        key="forces",
        title="Forces",
        columns=("Fleet", "Hex", "Ships", "Speed", "Course", "Who", "Standing orders"),
        rows=tuple(rows),
    )


@rule("4.1.5", "6.3")
def _stores(state: CutlerState, side: Side) -> SideTable:
    """CPV in boxes, hex by hex, then the pools. 4.1.5, 6.3"""
    empire = state.empires[side]
    rows = [
        (place.hex, "CPV", str(place.stored), f"{place.boxes} cargo boxes")
        for place in places_of(state, side).values()
        if place.boxes
    ]
    rows += [
        ("", "Base Pool", str(empire.base_pool), ""),
        ("", "Intelligence Reserve", str(empire.reserve), f"{RESERVE_CAP} at the end of a turn"),
        ("", "Counter-intelligence", str(empire.counter_pool), ""),
    ]
    return SideTable(
        key="stores", title="Stores and pools", columns=("Hex", "What", "Amount", "Room"), rows=tuple(rows)
    )


@rule("4.1.4")
def _planets(state: CutlerState, side: Side) -> SideTable:
    """Its planets, with what they make in the next turn and who is on them. 4.1.4"""
    rows = [
        (
            planet.name,
            planet.kind,
            planet.hex,
            str(income_of(planet, state.turn + 1)),
            number(base_rate(planet)),
            number(planet.razed),
            in_words(planet.boarding_parties),
        )
        for planet in state.planets_of(side)
    ]
    columns = ("Planet", "Kind", "Hex", "CPV next turn", "CPV at most", "Razed", "Troops")
    return SideTable(key="planets", title="Planets", columns=columns, rows=tuple(rows))
