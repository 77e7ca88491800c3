"""Counters of contested hexes: those near each other are placed together, so that each stands in its hex if it can."""

from collections.abc import Callable, Iterator, Sequence
from math import hypot
from typing import NamedTuple

from map_render.theatre.groups import Grouping
from map_render.theatre.pieces import Stand
from map_render.theatre.placing.stand import PlacedGroup, Stander

_MOST_TRIES = 4000
"""How many places are tried for the hexes of a cluster before the best that was found is taken."""


class Contest(NamedTuple):
    """A contested hex, and the ways in which it may be drawn, the best first: in it, and where that has no room
    ``beside`` it in a box."""

    stand: Stand
    ways: list[Grouping]
    beside: Callable[[], list[Grouping]]

    @property
    def reach(self) -> int:
        """Half its width and half its height together, in pixels."""
        boxes = [part.box.moved(part.x, part.y) for part in self.ways[0].parts]
        wide = max(box.right for box in boxes) - min(box.left for box in boxes)
        high = max(box.bottom for box in boxes) - min(box.top for box in boxes)
        return (wide + high) // 2


def place_contests(standing: Stander, contests: Sequence[Contest], *, far: float, weight: float) -> None:
    """Put the counters of all contested hexes where they lie on no other: in their hexes, or beside them in boxes."""
    left: list[Contest] = []
    for cluster in _clusters(standing, contests):
        found = _together(standing, cluster, weight) if len(cluster) > 1 else {}
        for placed in found.values():
            standing.add(placed)
        left += [one for one in cluster if one.stand.hex not in found]
    boxed = [one for one in left if not standing.place_in_hex(one.stand, one.ways, weight)]
    for one in boxed:
        standing.keep_free(one.stand.hex)
    for one in boxed:
        standing.place(one.stand, one.beside(), upward=False, far=far, weight=weight)


def _clusters(standing: Stander, contests: Sequence[Contest]) -> Iterator[list[Contest]]:
    """The hexes whose counters might meet, together."""
    left = list(contests)
    while left:
        cluster = [left.pop(0)]
        for one in cluster:  # it grows while it is walked
            x, y = standing.frame.centres[one.stand.hex]
            for other in list(left):
                to_x, to_y = standing.frame.centres[other.stand.hex]
                if hypot(to_x - x, to_y - y) < one.reach + other.reach + standing.frame.size:
                    cluster.append(other)
                    left.remove(other)
        yield cluster


def _together(standing: Stander, cluster: list[Contest], weight: float) -> dict[str, PlacedGroup]:
    """A place for each hex of a cluster, none on another; of as many as could be found, by hex."""
    places = [standing.places_in_hex(one.stand, one.ways, weight) for one in cluster]
    best: list[PlacedGroup] = []
    tries = 0

    def search(at: int, chosen: list[PlacedGroup]) -> bool:
        nonlocal best, tries
        if len(chosen) > len(best):
            best = list(chosen)
        if at == len(places):
            return len(chosen) == at
        for one in places[at]:
            tries += 1
            if tries > _MOST_TRIES:
                return False
            if not any(one.meets(other) for other in chosen) and search(at + 1, [*chosen, one]):
                return True
        return search(at + 1, chosen) and False

    search(0, [])
    return {placed.hex: placed for placed in best}
