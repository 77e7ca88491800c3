"""The hexes that an entry of terrain, or an edge, stands for."""

from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.space import WAYS, elements_of, hex_at, lattice_of, stepped, turned
from rules_engine.rulebooks.vector.records.aims import FarEdge
from rules_engine.rulebooks.vector.scenario.entries import TacticalTerrainEntry


def hexes_of(entry: TacticalTerrainEntry) -> tuple[HexId, ...]:
    """All hexes of it, each once."""
    if entry.kind == "line":
        return row_of_hexes(*entry.hexes)
    return tuple(dict.fromkeys(place for one in entry.hexes for place in disc(one, entry.round)))


def row_of_hexes(one: HexId, other: HexId) -> tuple[HexId, ...]:
    """The straight row from a hex to another, both among them; in two legs where no straight row joins them."""
    row = [one]
    for way, hexes in elements_of(lattice_of(other).plus(lattice_of(one), -1)):
        for _ in range(hexes):
            row.append(stepped(row[-1], way))
    return tuple(row)


def disc(centre: HexId, within: int) -> tuple[HexId, ...]:
    """All hexes at most so far from one, itself first, then ring by ring."""
    found = [centre]
    for ring in range(1, within + 1):
        spot = stepped(centre, "A", ring)
        for way in WAYS:
            for _ in range(ring):
                spot = stepped(spot, turned(way, 2))
                found.append(spot)
    return tuple(found)


def edge_hexes(edge: FarEdge) -> tuple[HexId, ...]:
    """The hexes of an edge's column, from its first row to its last."""
    # column and row number are those of the sheet; where they lie is what the lattice says
    return tuple(hex_at(lattice_of(f"{edge.column}.{row}")) for row in range(edge.first_row, edge.last_row + 1))
