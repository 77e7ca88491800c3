"""What stands on a race's map: its own fleets and other units, their courses, and the counters of others."""

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.knowledge.views import Counter, Course
from rules_engine.rulebooks.cutler.ch02_movement.convoys.shown import convoy_courses
from rules_engine.rulebooks.cutler.ch02_movement.movement import fleet_speed
from rules_engine.rulebooks.cutler.ch02_movement.stages import stages_of_fleet, why_it_waits
from rules_engine.rulebooks.cutler.records.conditions.docking import in_own_flight
from rules_engine.rulebooks.cutler.records.conditions.officers import officers_in_words
from rules_engine.rulebooks.cutler.records.conditions.strength import whole_of
from rules_engine.rulebooks.cutler.records.parts.troops import squads_in_words
from rules_engine.rulebooks.cutler.records.planetary import in_words
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fleet, Unit


def generic_counters(state: CutlerState, placed: list[tuple[Side, HexId]]) -> list[Counter]:
    """The counters that everybody sees on the map, which tell only whose they are."""
    return [
        Counter(
            id=f"{race}@{hex_id}",
            hex=hex_id,
            owner=race,
            label=f"{state.name_of(race)} CU",
            level=0,
            level_name="strength unknown",
            grade=0,
        )
        for race, hex_id in placed
    ]


def fleet_counters(state: CutlerState, side: Side) -> list[Counter]:
    """A race's own fleets."""
    docked = {work.ship for work in state.works.values() if work.race == side}
    return [
        Counter(
            id=fleet.key,
            hex=state.place_of(fleet),
            owner=side,
            form="force",
            label=fleet.key,
            sub=_ships_and_speed(state, fleet),
            details=tuple(ship_row(unit) for unit in members),
            ships=len(members),
            whole=whole_of(members),
            docked=not docked.isdisjoint(fleet.units),
        )
        for fleet in present(state, side)
        for members in [state.members(fleet)]
    ]


def present(state: CutlerState, side: Side) -> list[Fleet]:
    """A race's fleets that still have ships: while hexes are fought over, fleets that were lost are not dropped yet."""
    return [fleet for fleet in state.fleets_of(side) if state.members(fleet)]


def _ships_and_speed(state: CutlerState, fleet: Fleet) -> str:
    members = state.members(fleet)
    speed, own = fleet_speed(members), in_own_flight(members)
    docked = len(members) - len(own)
    said = [counted(len(own), "ship")] if own else []
    said += [f"{counted(docked, 'PF')} docked"] if docked else []
    said += [f"speed {speed}" if speed else "stopped", *(["waits"] if _waits(state, fleet) else [])]
    return ", ".join(said)


def fixed_counters(state: CutlerState, side: Side) -> list[Counter]:
    """A race's own units that never move."""
    return [
        Counter(
            id=f"own/{unit.id}",
            hex=unit.hex,
            owner=side,
            form="base" if unit.kind == "base" else "force",
            label=unit.name,
            details=(ship_row(unit),),
            ships=1,
            whole=whole_of([unit]),
        )
        for unit in state.alive(side)
        if not unit.is_mobile and unit.kind != "ground_base"  # these stand on the row of their planet
    ]


def courses_of(state: CutlerState, side: Side) -> tuple[Course, ...]:
    """The last move of its fleets, if it was in this turn (at a turn's start: the one before), and stored courses."""
    courses: list[Course] = []
    turn = state.turn if state.impulse else state.turn - 1
    for fleet in present(state, side):
        first = state.members(fleet)[0]
        forced, came = first.retreat_hex, first.entered_at
        if came is not None and came.turn == turn:
            courses.append(Course(counter=fleet.key, kind="moved", hexes=(first.entered_from, first.hex)))
        way = ([forced] if forced else []) + fleet.course
        if way:
            here, stages = state.place_of(fleet), stages_of_fleet(state, in_own_flight(state.members(fleet)), len(way))
            waits = _waits(state, fleet)
            courses.append(Course(counter=fleet.key, kind="plotted", hexes=(here, *way), stages=stages, waits=waits))
    return (*courses, *convoy_courses(state, side))


def _waits(state: CutlerState, fleet: Fleet) -> str:
    """That a stored course is not begun in this impulse, and why; empty where it is, or was, or none is being plotted.
    CU-R130"""
    units = in_own_flight(state.members(fleet))
    if not state.impulse or not units or units[0].entered_at == state.moment():
        return ""
    reason = why_it_waits(state, fleet.race, units, fleet.course)
    return f"waits in {units[0].hex} this impulse: {reason}" if reason else ""


def ship_row(unit: Unit) -> str:
    """A unit in one line, for its owner."""
    hurt = f", warp {unit.warp_ok} of {unit.record.warp}" if unit.warp_ok < unit.record.warp else ""
    hurt += f", impulse {unit.impulse_ok} of {unit.record.impulse}" if unit.impulse_ok < unit.record.impulse else ""
    hurt += f", life support: {unit.life_support}" if unit.life_support != "full" else ""
    hurt += f", {unit.condition}" if unit.condition else ""
    hurt += f", {officers_in_words(unit)}" if unit.officers else ""
    hurt += ", cloaked" if unit.cloaked else ""
    hurt += ", docked" if unit.docked_at else ""
    prize = ", prize" if unit.captured_from else ""
    flown = f", {unit.fighters} of {unit.record.fighters} fighters" if unit.record.fighters else ""
    troops = f", {in_words(unit.boarding_parties)}{squads_in_words(unit.squads)}" if unit.boarding_parties else ""
    invented = ", invented" if unit.record.invented else ""
    return f"{unit.name}, {unit.record.name} (BPV {unit.record.bpv_economic}{hurt}{flown}{troops}{prize}{invented})"
