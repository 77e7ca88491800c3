"""Sideslips. CJD1.142"""

from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.space import Way, turned
from rules_engine.rulebooks.vector.ch1_movement.columns import next_step, steps_on
from rules_engine.rulebooks.vector.records.objections import Objection
from rules_engine.rulebooks.vector.records.plots import IMPULSES
from rules_engine.rulebooks.vector.records.ships import VectorShip


@rule("CJD1.142")
def slip_objection(ship: VectorShip, clock: int) -> Objection | None:
    """Why a unit cannot slip on an impulse: it does not move then, or has moved no straight hex since its last slip.
    CJD1.142, VM-R10"""
    speed = ship.vector.speed
    if not speed:
        return Objection("it does not move, and cannot slip", "CJD1.142", "a turn, or acceleration")
    if not steps_on(speed, (clock - 1) % IMPULSES + 1):
        problem = f"at speed {speed} it moves no hex on this impulse, and cannot slip"
        return Objection(problem, "CJD1.142", "a slip", _slips_from(ship, clock))
    if not ship.slip_ready:
        problem = "it has not moved a straight hex since it last slipped"
        return Objection(problem, "CJD1.142", "a slip", _slips_from(ship, clock))
    return None


def _slips_from(ship: VectorShip, clock: int) -> int:
    """The first impulse from ``clock`` on, on which it may slip: its next move, or the one after a straight hex."""
    following = next_step(ship.vector.speed, clock)
    return following if ship.slip_ready else next_step(ship.vector.speed, following + 1)


@rule("CJD1.142")
def slipped_way(way: Way, hand: str) -> Way:
    """Where a hex leads that is moved in an element with a slip to the left or right: 60 degrees off it. The hex counts
    as that element's, and the vector stays. CJD1.142, VM-R10"""
    return turned(way, -1 if hand == "left" else 1)
