"""The map of a campaign: a ring of empires about a neutral core, generated or supplied and checked. 1.1.2

A generated map is a hexagon. The hexes about its core are cut into wedges in the order of their direction from the
centre, which is exact: a hex's place on its ring divided by the ring's length.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import chain, pairwise

from rules_engine.core.basics.base import Frozen, HexId
from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.hexes import Grid

LEAST_ACROSS, MOST_ACROSS = 12, 15
"""Hexes from end to end of an empire, both ends counted. 1.1.2.1"""
SIZES_APART = Fraction(1, 20)
"""By how much of the larger one two empires may differ in size. CU-R02"""
CORE_APART = Fraction(1, 4)
"""By how much of an empire the core may differ from it. CU-R02"""
RADII: Mapping[int, tuple[int, int]] = {2: (4, 7), 3: (3, 7), 4: (4, 10), 5: (5, 12), 6: (5, 14), 7: (5, 15)}
"""The radii of the core and of the whole map by the number of players: as large as an empire's 15 hexes across allow,
so that capitals are as far from each other, and no planet is within a turn's move of another race's. CU-N185"""


class StarMap(Frozen):
    """A map divided into empires and the neutral core."""

    grid: Grid
    empires: tuple[tuple[HexId, ...], ...]
    core: tuple[HexId, ...]


@rule("1.1.2", "1.1.2.1")
def generated(players: int, turned: int) -> StarMap:
    """The map for two to seven players, its borders ``turned`` by so many sixths. 1.1.2, 1.1.2.1, CU-R02

    Raises:
        ValueError: for another number of players.
    """
    if players not in RADII:
        raise ValueError(f"no map for {players} players")
    return _drawn(players, turned, *RADII[players])


def _drawn(players: int, turned: int, core_radius: int, radius: int) -> StarMap:
    width = 2 * radius + 1
    sheet = Grid(columns=width, rows=width + 1)
    centre = sheet.number(radius + 1, radius + 1)
    inside = set(sheet.within(centre, radius))
    grid = Grid(columns=width, rows=width + 1, holes=tuple(one for one in sheet.hexes() if one not in inside))
    around = sorted(
        ((Fraction(place, 6 * far) - Fraction(turned, 6)) % 1, far, one)
        for far in range(core_radius + 1, radius + 1)
        for place, one in enumerate(_walk(grid, centre, far))
    )
    cuts = [len(around) * number // players for number in range(players + 1)]
    empires = tuple(tuple(sorted(one for _, _, one in around[start:end])) for start, end in pairwise(cuts))
    return StarMap(grid=grid, empires=empires, core=tuple(sorted(grid.within(centre, core_radius))))


def _walk(grid: Grid, centre: HexId, far: int) -> list[HexId]:
    """The hexes of a ring, clockwise."""
    here, walked = centre, list[HexId]()
    for way in (*[4] * far, *(way for way in range(6) for _ in range(far))):
        near = grid.neighbour(here, way)
        assert near is not None
        walked.append(near)
        here = near
    return walked[far:]


@rule("1.1.2", "1.1.2.1")
def defects(star_map: StarMap) -> list[str]:
    """What is not as it should be: sizes, neighbours, hexes across, empires and the core in one piece.

    1.1.2, 1.1.2.1, CU-R02. A supplied map is warned of, not refused.
    """
    grid, empires, core = star_map.grid, star_map.empires, star_map.core
    found: list[str] = []
    sizes = [len(empire) for empire in empires]
    if max(sizes) - min(sizes) > SIZES_APART * max(sizes):
        found.append(f"the empires have {min(sizes)} to {max(sizes)} hexes: they should be of one size within 5 %")
    if any(abs(len(core) - size) > CORE_APART * size for size in sizes):
        found.append(f"the core has {len(core)} hexes: it should be as large as an empire within 25 %")
    due = 1 if len(empires) == 2 else 2
    for number, empire in enumerate(empires, 1):
        across = _across(grid, empire)
        if not LEAST_ACROSS <= across <= MOST_ACROSS:
            found.append(f"empire {number} is {across} hexes across: it should be {LEAST_ACROSS} to {MOST_ACROSS}")
        others = sum(_touch(grid, empire, other) for other in empires if other is not empire)
        if others != due:
            found.append(f"empire {number} borders on {others} others: it should on {due}")
        if not _touch(grid, empire, core):
            found.append(f"empire {number} does not border on the core")
    for what, hexes in (*((f"empire {number}", one) for number, one in enumerate(empires, 1)), ("the core", core)):
        if not _in_one_piece(grid, hexes):
            found.append(f"{what} is not in one piece")
    return found


def _across(grid: Grid, hexes: Sequence[HexId]) -> int:
    """Hexes on the longest straight way from one hex to another, both counted."""
    edge = [one for one in hexes if any(near not in set(hexes) for near in grid.neighbours(one))] or hexes
    return 1 + max(grid.distance(one, other) for one in edge for other in edge)


def _touch(grid: Grid, one: Sequence[HexId], other: Sequence[HexId]) -> bool:
    theirs = set(other)
    return any(near in theirs for near in chain.from_iterable(map(grid.neighbours, one)))


def _in_one_piece(grid: Grid, hexes: Sequence[HexId]) -> bool:
    left = set(hexes)
    waiting = [left.pop()] if left else []
    while waiting:
        near = left.intersection(grid.neighbours(waiting.pop()))
        left -= near
        waiting += near
    return not left
