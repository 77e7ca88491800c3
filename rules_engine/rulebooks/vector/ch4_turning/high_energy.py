"""High energy turns, and tumbling after a breakdown. CJD1.43, CJD1.431"""

from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.space import Way, turned
from rules_engine.rulebooks.vector.ch2_energy.allocating import by_half_speed
from rules_engine.rulebooks.vector.ch2_energy.paying import Bill
from rules_engine.rulebooks.vector.records.objections import Objection
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.tables.figures import BREAKDOWN_FACES, FREE_TURNS_FROM, HET_ENERGY


@rule("CJD1.43")
def het_bill(ship: VectorShip, energy: int | None) -> Bill | Objection:
    """What a high energy turn takes from the energy that acceleration is paid from, warp first, or why it cannot: there
    is not so much left. The limit of points used in a turn does not count it. CJD1.43, VM-R12, VM-R21"""
    needed = HET_ENERGY if energy is None else energy
    if by_half_speed(ship.figures):
        return Bill(half=needed) if needed <= ship.half_left else _too_little(ship.half_left, needed)
    warp = min(needed, ship.warp_left)
    bill = Bill(warp=warp, impulse=needed - warp)
    return bill if bill.impulse <= ship.impulse_left else _too_little(ship.warp_left + ship.impulse_left, needed)


def _too_little(left: int, needed: int) -> Objection:
    problem = f"a high energy turn takes {counted(needed, 'point')} of energy, of {left} left"
    return Objection(problem, "CJD1.43", "reserve, or less thrust")


@rule("CJD1.43")
def het_objection(ship: VectorShip, facing: Way | None, energy: int | None = None) -> Objection | None:
    """Why a unit may not make a high energy turn: it tumbles, is too small, does not say where to, or has not the
    energy. Turn mode does not matter. CJD1.43, VM-R21"""
    if ship.tumbling:
        return Objection("it tumbles", "CJD1.431", "a high energy turn", ship.tumbles_until)
    if ship.figures.size_class >= FREE_TURNS_FROM:
        problem = f"size class {ship.figures.size_class} makes no high energy turns"
        return Objection(problem, "CJD1.43", "turn left or right")
    if facing is None:
        return Objection("a high energy turn to which facing?", "CJD1.43", "het A to F")
    billed = het_bill(ship, energy)
    return billed if isinstance(billed, Objection) else None


def pay_het(ship: VectorShip, energy: int | None) -> None:
    """Take a high energy turn's energy from what a unit has. CJD1.43, VM-R21

    Raises:
        ValueError: where there is not so much.
    """
    bill = het_bill(ship, energy)
    if not isinstance(bill, Bill):
        raise ValueError(bill.problem)
    ship.warp_left -= bill.warp
    ship.impulse_left -= bill.impulse
    ship.impulse_used += bill.impulse
    ship.half_left -= bill.half


@rule("CJD1.43")
def breaks_down(ship: VectorShip, rolled: int) -> bool:
    """Whether a high energy turn with that D6 breaks the unit down. CJD1.43, VM-R21"""
    return rolled >= ship.figures.breakdown


@rule("CJD1.43")
def het(ship: VectorShip, facing: Way) -> None:
    """Turn a unit to any facing; its vector and the interval of its turns stay. CJD1.43"""
    ship.facing = facing
    ship.hets += 1


@rule("CJD1.43", "CJD1.431")
def begin_tumbling(ship: VectorShip, clock: int, pause: int, rolled: int) -> None:
    """Break a unit down in a high energy turn: it keeps its vector and tumbles for ``pause`` impulses, to the left by a
    D6 of 1 to 3. CJD1.431, VM-R22, VM-N06"""
    ship.hets += 1
    ship.tumbling = True
    ship.tumbles_until = clock + pause
    ship.tumbles_to = "left" if rolled <= BREAKDOWN_FACES // 2 else "right"


@rule("CJD1.431")
def tumble(ship: VectorShip, clock: int, pause: int, step: int) -> bool:
    """Go on tumbling on an impulse: the facing turns by a sixth every ``step`` impulses until the time is over; the
    movement goes on. Returns whether anything changed. CJD1.431, VM-N06"""
    if clock >= ship.tumbles_until:
        recover(ship)
        return True
    if (clock - (ship.tumbles_until - pause)) % step:
        return False
    ship.facing = turned(ship.facing, -1 if ship.tumbles_to == "left" else 1)
    return True


def recover(ship: VectorShip) -> None:
    """End a unit's tumbling; it may accelerate and turn again."""
    ship.tumbling = False
    ship.tumbles_until = 0
    ship.tumbles_to = ""
