"""Defects of terrain and of the far edge, and ships that begin where none can be."""

from collections.abc import Iterator

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.core.grids.space import column_row, lattice_of
from rules_engine.core.scenarios.names import doubled
from rules_engine.rulebooks.vector.records.aims import EDGE, FarEdge
from rules_engine.rulebooks.vector.scenario.entries import SCENARIO, DuelFile, TacticalTerrainEntry, ZoneEntry
from rules_engine.rulebooks.vector.scenario.ground import hexes_of

LINE_ENDS = 2


def ground_defects(file: DuelFile) -> Iterator[Refusal]:
    """Every defect, each with its path."""
    yield from doubled((EDGE, *(one.id for one in file.terrain)), f"{SCENARIO}.terrain.id")
    for index, one in enumerate(file.terrain):
        yield from _sign_defects(one, f"{SCENARIO}.terrain.{index}")
    yield from _course_defects(file)
    yield from _edge_defects(file)
    planets = {place for one in file.terrain if one.kind == "planet" for place in hexes_of(one)}
    for index, one in enumerate(file.ship):
        if one.at in planets:
            yield malformed(f"{one.id} begins in a planet", f"{SCENARIO}.ship.{index}.at", legal="a hex beside it")


def _sign_defects(one: TacticalTerrainEntry, path: str) -> Iterator[Refusal]:
    if one.kind == "line" and len(one.hexes) != LINE_ENDS:
        yield malformed("a line has two ends", f"{path}.hexes", legal="the first and the last hex of the line")
    elif one.kind == "line" and not _is_straight(*one.hexes):
        legal = "ends in one straight row of hexes, or in one column"
        yield malformed(f"no row of hexes joins {one.hexes[0]} and {one.hexes[1]}", f"{path}.hexes", legal=legal)
    if one.kind == "buoy" and (len(one.hexes) > 1 or one.round):
        yield malformed("a buoy is in one hex", f"{path}.hexes", legal="one hex")
    if (one.kind == "buoy") != bool(one.number):
        yield malformed("buoys have a number, and nothing else has", f"{path}.number", legal="1, 2 … for buoys alone")


def _is_straight(one: HexId, other: HexId) -> bool:
    gap = lattice_of(other).plus(lattice_of(one), -1)
    return 0 in (gap.c, gap.d, gap.c + gap.d)


def _course_defects(file: DuelFile) -> Iterator[Refusal]:
    numbers = sorted(one.number for one in file.terrain if one.kind == "buoy" and one.number)
    if numbers != list(range(1, len(numbers) + 1)):
        said = ", ".join(map(str, numbers))
        yield malformed(f"the buoys are numbered {said}", f"{SCENARIO}.terrain", legal="1, 2, 3 …, each once")


def _edge_defects(file: DuelFile) -> Iterator[Refusal]:
    edge = file.edge
    if edge is None:
        return
    if edge.first_row > edge.last_row:
        yield malformed("the rows go back", f"{SCENARIO}.edge", legal="first_row and last_row in rising order")
    couriers = {one.key for one in file.captain if one.aim == "courier"}
    if not couriers:
        yield illegal("nobody leaves by the edge", "VM-N21", f"{SCENARIO}.edge", legal="a courier, or no edge")
    for index, one in enumerate(file.ship):
        if one.captain in couriers and one.at is not None and edge.is_behind(column_row(lattice_of(one.at))[0]):
            yield malformed(f"{one.id} begins beyond the edge", f"{SCENARIO}.ship.{index}.at", legal="a hex before it")
    zones = {one.key: one.zone for one in file.captain if one.aim == "courier" and one.zone is not None}
    for index, one in enumerate(file.ship):
        zone = zones.get(one.captain)
        if zone is not None and one.at is not None and edge.is_behind(_furthest(edge, zone, one.at)):
            text = f"the zone of {one.id} reaches beyond the edge"
            yield illegal(text, "VM-N26", f"{SCENARIO}.ship.{index}", legal="a zone before it")


def _furthest(edge: FarEdge, zone: ZoneEntry, at: HexId) -> int:
    """The column of a zone that is next to the edge, or farthest beyond it."""
    column = column_row(lattice_of(zone.at or at))[0]
    return column + zone.within if edge.leads == "right" else column - zone.within
