"""Whose space a hex is, where a book prints no borders: it is drawn around the places that a reader knows of."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rules_engine.core.basics.base import HexId, Owner
from rules_engine.core.grids.places import MapPlaces

NOBODY: Owner = ""


class Held(NamedTuple):
    """A place that somebody holds, and how many hexes around it count as theirs."""

    hex: HexId
    owner: Owner
    radius: int


def territory_around(places: MapPlaces, held: Iterable[Held]) -> dict[HexId, Owner]:
    """The hexes around these places, each with the owner of the nearest; where two are equally near, nobody's."""
    nearest: dict[HexId, tuple[int, Owner]] = {}
    for hex_id, owner, radius in held:
        for far, ring in enumerate(_rings(places, hex_id, radius)):
            for other in ring:
                found = nearest.get(other)
                if found is None or far < found[0]:
                    nearest[other] = far, owner
                elif far == found[0] and owner != found[1]:
                    nearest[other] = far, NOBODY
    return {hex_id: owner for hex_id, (_, owner) in nearest.items() if owner != NOBODY}


def _rings(places: MapPlaces, start: HexId, radius: int) -> Iterator[list[HexId]]:
    """The hexes at each distance from a hex, by the ways that there are on the map."""
    seen = {start}
    ring = [start]
    yield ring
    for _ in range(radius):
        around = dict.fromkeys(other for one in ring for other in places.neighbours(one))
        ring = [other for other in around if other not in seen]
        seen.update(ring)
        yield ring
