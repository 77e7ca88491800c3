"""The units of a battle as a tracker flies them: their figures, damage included, and their speeds at the start."""

from collections.abc import Iterable

from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rules import rule
from rules_engine.core.tactics.battles import FlightRecord, TacticalShip, turn_mode_of
from rules_engine.rulebooks.cutler.records.state import Unit
from rules_engine.rulebooks.cutler.records.tables import PFS

MOST_WARP_SPEED = 30
"""The fastest that warp engines alone make a unit on a tactical map. CU-N153"""
IMPULSE_SPEED = 1
"""What impulse engines add to it. CU-N153"""
MOST_SPEED = MOST_WARP_SPEED + IMPULSE_SPEED
TERRAIN_SPEED = 6
"""The speed at which defenders of a terrain point begin. 3.5.9"""
_MOST_POINTS, _MOST_COST = 999, 10


def is_vessel(unit: Unit) -> bool:
    """Whether it is a ship, PF or interceptor: neither a base nor fighters."""
    return not unit.is_station and unit.kind != "fighters"


def stays(unit: Unit) -> bool:
    """Whether it is a base that has no engines of its own."""
    return unit.is_station and not unit.is_mobile


@rule("3.4.4")
def full_speed(unit: Unit) -> int | None:
    """Its maximum speed on a tactical map, by its engines as they are; None where its record does not tell, as of
    fighters. 3.4.4, CU-N153"""
    if stays(unit):
        return 0
    cost = unit.record.move_cost
    if unit.kind == "fighters" or not cost:
        return None
    by_warp = min(MOST_WARP_SPEED, int(unit.warp_ok / cost))
    return by_warp + (IMPULSE_SPEED if unit.impulse_ok else 0)


@rule("3.4.4")
def slowest(units: Iterable[Unit]) -> int | None:
    """The maximum speed of the slowest ship or PF of a force; None where it has neither. 3.4.4"""
    speeds = [full_speed(unit) for unit in units if is_vessel(unit)]
    return min((MOST_SPEED if speed is None else speed for speed in speeds), default=None)


def flight_of(unit: Unit) -> FlightRecord:
    """What movement goes by: what its record has, with what damage has left of it. Of fighters it has no figures."""
    record = unit.record
    source = "invented" if record.invented else record.source
    if unit.kind == "fighters":
        return FlightRecord(size_class=record.size_class, form="shuttle", source=source)
    is_pf = unit.kind in PFS
    return FlightRecord(
        size_class=record.size_class,
        form="PF" if is_pf else "ship",
        move_cost=record.move_cost if 0 < record.move_cost <= _MOST_COST else None,
        turn_mode=turn_mode_of(record.turn_mode),
        warp=min(unit.warp_ok, _MOST_POINTS),
        impulse=min(unit.impulse_ok, _MOST_POINTS),
        stays=stays(unit),
        source=source,
    )


@rule("3.4.4", "3.6", "3.7.6")
def tactical_ship(
    code: str, unit: Unit, *, status: int, speed: int | None = None, arrives: int = 0, after: int = 0
) -> TacticalShip:
    """A unit that begins at this ``speed``, or at its own maximum. No record says how fast fighters are: their owner
    does, up to that speed. 3.4.4, 3.6, 3.7.6, CU-N154"""
    own = full_speed(unit)
    most = MOST_SPEED if own is None else own
    begins = most if speed is None else min(most, speed)
    return TacticalShip(
        code=code,
        side=unit.race,
        name=unit.name,
        kind=counted(unit.fighters, "fighter") if unit.kind == "fighters" else unit.record.name,
        flight=flight_of(unit),
        least_speed=0 if own is None else begins,
        most_speed=begins,
        weapon_status=status,
        arrives=arrives,
        arrives_after=after,
    )
