"""What a unit has for movement in a turn. CJD1.21, CJD1.22"""

from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.vector.records.objections import Objection
from rules_engine.rulebooks.vector.records.ships import FlightFigures, VectorShip
from rules_engine.rulebooks.vector.tables.figures import MOST_IMPULSE


def by_half_speed(figures: FlightFigures) -> bool:
    """Whether a unit accelerates by half its rated speed a turn instead of by engines: what is launched. CJD1.53"""
    return figures.rated_speed > 0


@rule("CJD1.2", "CJD1.21")
def most_warp(figures: FlightFigures, *, strained: bool = False) -> int:
    """The points of warp movement that the warp engines give: each costs the move cost in power. Those of a tug that is
    ``strained`` give half, rounded up. CJD1.21, VM-R13, VM-N68"""
    warp = (figures.warp + 1) // 2 if strained else figures.warp
    return 0 if by_half_speed(figures) else int(warp / figures.move_cost)


def most_impulse(figures: FlightFigures) -> int:
    """The points of impulse power that may go into movement; half of one, rounded up, is one. CJD1.21"""
    return 0 if by_half_speed(figures) else min(MOST_IMPULSE, figures.impulse)


@rule("CJD1.21")
def allocation_objection(ship: VectorShip, warp: int | None, impulse: int | None) -> Objection | None:
    """Why these points cannot be allocated: the engines give less. CJD1.21, VM-R12"""
    most_of_warp = most_warp(ship.figures, strained=ship.strained)
    for asked, most, kind in ((warp, most_of_warp, "warp"), (impulse, most_impulse(ship.figures), "impulse")):
        if asked is not None and asked > most:
            problem = f"{counted(asked, 'point')} of {kind} movement, and its engines give {most}"
            return Objection(problem, "CJD1.21", f"{kind} 0 to {most}" if most else f"no {kind}")
    return None


@rule("CJD1.21")
def allocate(ship: VectorShip, warp: int | None = None, impulse: int | None = None) -> None:
    """Give a unit its points of a turn: as asked as far as its engines give it, or all that they give. CJD1.21,
    VM-R12"""
    figures = ship.figures
    most, other = most_warp(figures, strained=ship.strained), most_impulse(figures)
    ship.warp_left = most if warp is None else min(warp, most)
    ship.impulse_left = other if impulse is None else min(impulse, other)


@rule("CJD1.22", "CJD1.53")
def refresh(ship: VectorShip) -> None:
    """Begin a turn: nothing is used, the reserve is full, and what is launched has half its rated speed again. CJD1.22,
    CJD1.53, VM-R25"""
    ship.warp_used = ship.impulse_used = 0
    ship.reserve_left = ship.figures.reserve
    ship.half_left = ship.figures.rated_speed // 2


@rule("CJD1.22")
def reserve_objection(ship: VectorShip, points: int, *, by_impulse: bool) -> Objection | None:
    """Why these points cannot be added from reserve: there are not so many, or the point of impulse power is there
    already. CJD1.22, CJD1:313"""
    if not 1 <= points <= ship.reserve_left:
        problem = f"{counted(points, 'point')} from reserve, of {ship.reserve_left} left"
        return Objection(problem, "CJD1.22", f"reserve 1 to {ship.reserve_left}" if ship.reserve_left else "no reserve")
    if by_impulse and (points > MOST_IMPULSE or ship.impulse_left or ship.impulse_used):
        return Objection("only one point of impulse power moves a unit in a turn", "CJD1:313", "reserve as warp")
    return None


@rule("CJD1.22")
def add_reserve(ship: VectorShip, points: int, *, by_impulse: bool) -> None:
    """Add points of movement from reserve, at any moment. CJD1.22"""
    ship.reserve_left -= points
    if by_impulse:
        ship.impulse_left += points
    else:
        ship.warp_left += points
