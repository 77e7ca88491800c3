"""Chapter 8: the standing orders of scanners. A fleet's stand in its own line; a unit that never moves has one."""

from collections.abc import Mapping, Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Field, Line
from rules_engine.core.grids.hexes import Grid
from rules_engine.rulebooks.cutler.ch08_scanning.sensors import (
    LONGER,
    SHIP_REACH,
    makes_base_scans,
    reach_of,
    scan_limit,
    sensors_of,
    stations,
)
from rules_engine.rulebooks.cutler.records.orders import FleetPlots, read_hexes
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit

HEX = "hex"


def scan_field(units: Sequence[Unit], scans: Sequence[HexId]) -> Field | None:
    """What a fleet is to scan; None if it cannot."""
    sensors = sensors_of(units)
    if not sensors:
        return None
    text = f"Up to {counted(sensors, HEX)}; next door, or two away at long range"
    return _field(scans, text)


def _field(scans: Sequence[HexId], text: str) -> Field:
    return Field(key="scan", label="Scan", kind="text", most=100, optional=True, value=" ".join(scans), help=text)


@rule("8.1", "8.3.1", "8.3.2", "8.3.3")
def judge_scan(grid: Grid, text: str, units: Sequence[Unit], path: str) -> tuple[list[HexId], list[Refusal]]:
    """The hexes of a scan order, and what is wrong with it: one hex for each sensor that may be used.

    8.1, 8.3.1, 8.3.2, 8.3.3
    """
    scans, refusals = read_hexes(grid, text, path)
    sensors = sensors_of(units)
    if len(scans) <= sensors:
        return scans, refusals
    if not sensors and any(unit.special_sensors_ok for unit in units):
        text = "special sensors of PF tenders and of scout PFs make no scans"
        return scans, [*refusals, illegal(text, "8.3.3", path, legal="no scan")]
    law = "8.3.1" if any(map(makes_base_scans, units)) else "8.3.2"
    legal = f"at most {counted(sensors, HEX)}" if sensors else "no scan"
    text = f"{counted(len(scans), HEX)} for {counted(sensors, 'special sensor')}"
    return scans, [*refusals, illegal(text, law, path, legal=legal)]


@rule("8.3.2", "8.4.1")
def too_far(grid: Grid, here: HexId, scans: Sequence[HexId]) -> list[HexId]:
    """The hexes that ships cannot scan from where they are. 8.3.2, 8.4.1"""
    return [hex_id for hex_id in scans if not scan_limit(grid.distance(here, hex_id), SHIP_REACH)]


# --- units that never move -------------------------------------------------------------------------------------------


@rule("8.3.1", "8.3.2", "8.4.1")
def station_lines(state: CutlerState, race: Side) -> list[Line]:
    """A line for each base or police ship that can scan. 8.3.1, 8.3.2, 8.4.1"""
    lines: list[Line] = []
    for key, unit in stations(state, race).items():
        reach = reach_of(unit)
        text = f"Up to {counted(sensors_of([unit]), HEX)}; within {reach}, or {reach + LONGER} at long range"
        field = _field(state.empires[race].station_scans.get(unit.id, ()), text)
        lines.append(Line(key=key, label=f"{key}: {unit.name}", fields=(field,), note=f"at {unit.hex}, scans"))
    return lines


@rule("8.3.1", "8.4.1")
def judge_stations(state: CutlerState, race: Side, sheet: FleetPlots) -> tuple[dict[str, list[HexId]], list[Refusal]]:
    """What each of them will scan, by unit, and every defect. They stay where they are, so that a hex out of reach is
    refused, while a fleet's is only left out. 8.3.1, 8.4.1"""
    able = stations(state, race)
    stored = state.empires[race].station_scans
    judged = {unit.id: list(stored.get(unit.id, ())) for unit in able.values()}
    refusals: list[Refusal] = []
    for key, line in sheet.stations.items():
        if key not in able:
            legal = ", ".join(able) or "no scans by bases"
            refusals.append(malformed("you have no such unit that scans", key, legal=legal, nearest=nearest(key, able)))
        elif line.scan is not None:
            unit, path = able[key], f"{key}.scan"
            judged[unit.id], defects = judge_scan(state.grid, line.scan, [unit], path)
            refusals += defects + _beyond(state.grid, unit, judged[unit.id], path)
    return judged, refusals


def _beyond(grid: Grid, unit: Unit, scans: Sequence[HexId], path: str) -> list[Refusal]:
    reach = reach_of(unit)
    law = f"{'8.3.1' if makes_base_scans(unit) else '8.3.2'}, 8.4.1"
    legal = f"hexes within {reach} of {unit.hex}, or {reach + LONGER} at long range"
    return [
        illegal(f"{hex_id} is {distance} hexes from {unit.name}", law, path, legal=legal)
        for hex_id in dict.fromkeys(scans)
        if not scan_limit(distance := grid.distance(unit.hex, hex_id), reach)
    ]


def read_stations(state: CutlerState, race: Side, scans: Mapping[str, Sequence[HexId]]) -> list[str]:
    """What they will scan, in plain words."""
    return [
        f"{key} ({unit.name}): scans {', '.join(hexes)}."
        for key, unit in stations(state, race).items()
        if (hexes := scans.get(unit.id))
    ]
