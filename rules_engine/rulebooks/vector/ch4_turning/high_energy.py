"""High energy turns, and tumbling after a breakdown. CJD1.43, CJD1.431"""

from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.space import Way, turned
from rules_engine.rulebooks.vector.records.objections import Objection
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.tables.figures import BREAKDOWN_FACES, FREE_TURNS_FROM


@rule("CJD1.43")
def het_objection(ship: VectorShip, facing: Way | None) -> Objection | None:
    """Why a unit may not make a high energy turn: it tumbles, is too small, or does not say where to. Neither turn mode
    nor movement energy matters. CJD1.43, VM-R21"""
    if ship.tumbling:
        return Objection("it tumbles", "CJD1.431", "a high energy turn", ship.tumbles_until)
    if ship.figures.size_class >= FREE_TURNS_FROM:
        problem = f"size class {ship.figures.size_class} makes no high energy turns"
        return Objection(problem, "CJD1.43", "turn left or right")
    if facing is None:
        return Objection("a high energy turn to which facing?", "CJD1.43", "het A to F")
    return None


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
