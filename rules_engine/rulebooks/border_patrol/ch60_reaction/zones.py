"""Chapter V8.60: the Zone of Control in which a waiting unit notices others."""

from collections.abc import Iterable

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.hexes import Grid
from rules_engine.rulebooks.border_patrol.records.settings import Zones
from rules_engine.rulebooks.border_patrol.records.units import Unit

ZONES = Zones()
"""How far zones reach where a scenario does not say otherwise. BP-R33, BP-R34"""


@rule("V8.68")
def is_restricted(unit: Unit) -> bool:
    """Whether a unit's zone is its own hex alone: under cloak, crippled, without working warp engines, or with damaged
    sensors or scanners. V8.68, BP-R33"""
    return unit.cloaked or unit.crippled or unit.sensors_damaged or not unit.has_warp


@rule("V8.67", "V8.68")
def zone_for_reaction(unit: Unit, stack: Iterable[Unit] = (), zones: Zones = ZONES) -> int:
    """How far a unit's zone reaches for reaction; ``stack`` are those that stand in its hex. A working base of its Team
    widens the zone of all that is not restricted. V8.67, V8.68, BP-R33, BP-R34"""
    at_base = any(_is_working_base(one) and one.hex == unit.hex and one.team == unit.team for one in (unit, *stack))
    if _is_working_base(unit):
        return zones.at_bases
    if is_restricted(unit):
        return zones.restricted
    return zones.at_bases if at_base else zones.reach


def _is_working_base(unit: Unit) -> bool:
    return unit.kind == "base" and not (unit.crippled or unit.sensors_damaged or unit.towed_by)


@rule("V8.61", "V8.67")
def is_in_zone(grid: Grid, unit: Unit, hex_id: HexId, stack: Iterable[Unit] = (), zones: Zones = ZONES) -> bool:
    """Whether a hex is in a unit's zone for reaction. V8.61, V8.67"""
    return grid.distance(unit.hex, hex_id) <= zone_for_reaction(unit, stack, zones)
