"""In which order the hexes of a vector are moved. CJD1.14, CJD1.141"""

from collections.abc import Mapping

from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.space import WAYS, Way
from rules_engine.rulebooks.vector.records.objections import Objection
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.vectors import Vector


@rule("CJD1.14")
def ways_open(vector: Vector, moved: dict[str, int], last: str) -> tuple[Way, ...]:
    """The elements that the next hex of a count may be moved in: those with hexes left, but not twice running the one
    with strictly less left. CJD1.14, VM-R04"""
    left = hexes_left(vector, moved)
    return tuple(way for way, hexes in left.items() if hexes and not (way == last and hexes < max(left.values())))


def hexes_left(vector: Vector, moved: dict[str, int]) -> dict[Way, int]:
    """What a count has left of each element."""
    return {way: hexes - moved.get(way, 0) for way, hexes in vector.elements.items()}


@rule("CJD1.14")
def usual_way(ship: VectorShip) -> Way:
    """The element that the next hex is moved in where nobody says: at the start of a count the greater one, of equal
    ones the one nearer to the facing; then the two in turn. CJD1.14, VM-R37

    Raises:
        ValueError: for a count of which nothing is left.
    """
    left = hexes_left(ship.vector, ship.moved)
    ways = ways_open(ship.vector, ship.moved, ship.last_way)
    # the other element first, while there is one: to take them in turn is always allowed
    return min(ways, key=lambda way: (way == ship.last_way, -left[way], _off_bow(way, ship.facing)))


def _off_bow(way: Way, facing: Way) -> int:
    apart = (WAYS.index(way) - WAYS.index(facing)) % len(WAYS)
    return min(apart, len(WAYS) - apart)


@rule("CJD1.14")
def path_objection(ship: VectorShip, order: str) -> Objection | None:
    """What is wrong with an order of moves (``BCBCCC``) for what the count has left: a hex that is none of the vector,
    or twice running the lesser element. CJD1.14, VM-R04"""
    moved, last = dict(ship.moved), ship.last_way
    for number, way in enumerate(order, 1):
        ways = ways_open(ship.vector, moved, last)
        if way not in ways:
            return _wrong_way(ship.vector, hexes_left(ship.vector, moved), way, number, ways)
        moved[way], last = moved.get(way, 0) + 1, way
    return None


def _wrong_way(vector: Vector, left: Mapping[Way, int], way: str, number: int, ways: tuple[Way, ...]) -> Objection:
    said = {str(element): hexes for element, hexes in left.items()}.get(way)
    match said:
        case None:
            problem = f"move {number} of the path goes to {way}, which is no part of {vector.says}"
        case 0:
            problem = f"move {number} of the path goes to {way}, of which {vector.says} has no hex left"
        case _:
            problem = (
                f"move {number} of the path goes twice running to {way}, the lesser of what {vector.says} has left"
            )
    return Objection(problem, "CJD1.14", f"{' or '.join(ways)} as move {number}" if ways else f"{number - 1} moves")


@rule("CJD1.141")
def restart(ship: VectorShip, after: int) -> None:
    """Begin a new count with the whole vector after that impulse; what the old one had left is forgotten, and so is its
    last hex. CJD1.141, VM-R05, VM-R08"""
    ship.moved = {}
    ship.last_way = ""
    ship.count_from = after


def move_in(ship: VectorShip, way: Way) -> None:
    """Count a hex as moved in that element."""
    ship.moved[way] = ship.moved.get(way, 0) + 1
    ship.last_way = way
