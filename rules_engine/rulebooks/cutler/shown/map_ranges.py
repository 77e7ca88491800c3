"""What a race's own units reach, which its map draws when asked: what they can scan, and where ships are maintained."""

from collections.abc import Iterator

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.glance import DETECTION, SUPPLY, Range
from rules_engine.rulebooks.cutler.ch08_scanning.sensors import LONGER, SHIP_REACH, reach_of, sensors_of, stations
from rules_engine.rulebooks.cutler.records.conditions.towing import is_deployed
from rules_engine.rulebooks.cutler.records.state import CutlerState

LONG_RANGE = "long-range"
"""The word for what only a long-range scan reaches."""


def map_ranges(state: CutlerState, side: Side) -> tuple[Range, ...]:
    """The ranges of a race, without those that reach nothing."""
    scanners = {*_scanners(state, side)}
    found = {
        DETECTION: {hex_id for here, reach in scanners for hex_id in state.grid.within(here, reach)},
        LONG_RANGE: {hex_id for here, reach in scanners for hex_id in state.grid.within(here, reach + LONGER)},
        SUPPLY: {*_ports(state, side)},
    }
    return tuple(Range(kind=kind, hexes=tuple(sorted(hexes))) for kind, hexes in found.items() if hexes)


@rule("8.3.1", "8.3.2", "8.4.1")
def _scanners(state: CutlerState, side: Side) -> Iterator[tuple[HexId, int]]:
    """Where its units stand that can scan, and how far they reach. 8.3.1, 8.3.2, 8.4.1, CU-R117"""
    for fleet in state.fleets_of(side):
        members = state.members(fleet)
        if sensors_of(unit for unit in members if not unit.cloaked):
            yield state.place_of(fleet), SHIP_REACH
    yield from ((unit.hex, reach_of(unit)) for unit in stations(state, side).values())


@rule("7.2", "4.1.6")
def _ports(state: CutlerState, side: Side) -> Iterator[HexId]:
    """The hexes of its bases that stand there, with which ships are in port. 7.2, 4.1.6, CU-R114, CU-N144"""
    yield from (unit.hex for unit in state.alive(side) if unit.kind == "base" and is_deployed(state, unit))
