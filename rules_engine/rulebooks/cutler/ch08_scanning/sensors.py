"""Chapter 8: who may scan, how far, and with what chance."""

from collections.abc import Iterable

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit
from rules_engine.rulebooks.cutler.records.tables import PFS, BaseType

SHIP_REACH, BASE_REACH = 1, 3
"""Hexes of a ship-scan and of a base-scan. 8.3.1, 8.3.2"""
LONGER = 1
"""Hexes by which a long-range scan reaches farther. 8.4.1"""
NORMAL_LIMIT, LONG_LIMIT = 3, 1
"""The highest D6 results at which a scan and a long-range scan succeed. 8.4, 8.4.1"""
CLOAK_LIMIT = 1
"""The highest D6 result at which a scan finds cloaked ships; a long-range scan never does. 8.6"""
NO_BASE_SCANS: frozenset[BaseType] = frozenset({"SAMS", "FRD"})
"""Bases that make ship-scans: a SAMS by the book, a repair dock since it is not named among the others. CU-N21"""


@rule("8.3.3")
def is_barred(unit: Unit) -> bool:
    """Whether its special sensors make no scans at all: those of PF tenders and of scout PFs. 8.3.3"""
    return unit.record.is_pf_tender or unit.kind in PFS


@rule("8.3.1")
def makes_base_scans(unit: Unit) -> bool:
    """Whether its scans are base-scans: those of ground bases are, too. 8.3.1, CU-N21"""
    return unit.is_station and unit.record.base_type not in NO_BASE_SCANS


@rule("8.3", "8.3.1", "8.3.2")
def reach_of(unit: Unit) -> int:
    """Hexes of its ordinary scans. 8.3, 8.3.1, 8.3.2"""
    return BASE_REACH if makes_base_scans(unit) else SHIP_REACH


@rule("8.1", "8.3.1", "8.3.2", "8.3.3")
def sensors_of(units: Iterable[Unit]) -> int:
    """How many scans these units make together in an impulse: one with each operative special sensor.

    8.1, 8.3.1, 8.3.2, 8.3.3, CU-R117
    """
    return sum(unit.special_sensors_ok for unit in units if not is_barred(unit))


@rule("8.3.1", "8.3.2", "8.4", "8.4.1")
def scan_limit(distance: int, reach: int) -> int:
    """The highest D6 result at which a scan succeeds; 0: out of reach. Its own hex is no exception.

    8.3.1, 8.3.2, 8.4, 8.4.1, CU-R117, CU-R118
    """
    if distance <= reach:
        return NORMAL_LIMIT
    return LONG_LIMIT if distance <= reach + LONGER else 0


@rule("8.3.1", "8.3.2")
def stations(state: CutlerState, race: Side) -> dict[str, Unit]:
    """A race's units that never move and can scan, bases and police ships, by the keys of their lines. 8.3.1, 8.3.2"""
    able = [unit for unit in state.alive(race) if not unit.is_mobile and sensors_of([unit])]
    return {f"S{number}": unit for number, unit in enumerate(able, 1)}
