"""Acceleration, forward and in reverse. CJD1.31, CJD1:312, CJD1.32"""

from fractions import Fraction

from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.space import Way, opposite
from rules_engine.rulebooks.vector.ch1_movement.paths import restart
from rules_engine.rulebooks.vector.ch2_energy.paying import ALONE, Bill, Price, bill_for, pay
from rules_engine.rulebooks.vector.records.objections import Objection, worst
from rules_engine.rulebooks.vector.records.plots import IMPULSES
from rules_engine.rulebooks.vector.records.ships import FlightFigures, VectorShip
from rules_engine.rulebooks.vector.tables.figures import (
    FORWARD_POINTS,
    NIMBLE_THRUST_INTERVAL,
    REVERSE_POINTS,
    THRUST_INTERVAL,
)


@rule("CJD1.3", "CJD1.31", "CJD1:312")
def thrust_price(*, reverse: bool, load: Fraction = ALONE) -> Price:
    """What a hex of acceleration costs: 2 points of warp movement, 4 in reverse, either or 1 of impulse power. CJD1.31,
    CJD1:312, VM-R14"""
    if reverse:
        return Price(REVERSE_POINTS, 2, "reverse", "CJD1:312", load)
    return Price(FORWARD_POINTS, 1, "accelerate", "CJD1.31", load)


@rule("CJD1.32")
def thrust_interval(figures: FlightFigures) -> int:
    """Impulses from one acceleration to the next: 8, and 6 of nimble units. CJD1.32"""
    return NIMBLE_THRUST_INTERVAL if figures.nimble else THRUST_INTERVAL


@rule("CJD1.32")
def thrust_from(ship: VectorShip) -> int:
    """The first impulse, counted from the battle's beginning, on which a unit may accelerate: 8 after its last
    acceleration, 6 if it is nimble, and not before the pause after an emergency deceleration ends. CJD1.32, VM-R15"""
    interval = thrust_interval(ship.figures)
    return max(ship.accelerated_on + interval if ship.accelerated_on else 0, ship.no_thrust_until)


@rule("CJD1.32", "CJD1.3x", "CJD1.431")
def timing_objection(ship: VectorShip, clock: int) -> Objection | None:
    """Why a unit may not accelerate on an impulse: it has too lately, has stopped in an emergency, or tumbles. CJD1.32,
    CJD1.3x, CJD1.431, VM-R20, VM-R22"""
    found: list[Objection] = []
    if ship.tumbling:
        found.append(Objection("it tumbles", "CJD1.431", "acceleration", ship.tumbles_until))
    if clock < ship.no_thrust_until:
        problem = "it has decelerated in an emergency, and may not accelerate yet"
        found.append(Objection(problem, "CJD1.3x", "acceleration", ship.no_thrust_until))
    again = ship.accelerated_on + thrust_interval(ship.figures)
    if ship.accelerated_on and clock < again:
        ago = clock - ship.accelerated_on
        since = f"{counted(ago, 'impulse')} ago" if ago else "on this impulse already"
        problem = f"it accelerated {since}, and accelerates once in {thrust_interval(ship.figures)} impulses"
        found.append(Objection(problem, "CJD1.32", "acceleration", again))
    return worst(found)


@rule("CJD1.31", "CJD1.32")
def thrust_objection(
    ship: VectorShip, clock: int, hexes: int, *, reverse: bool, by_impulse: bool, load: Fraction = ALONE
) -> Objection | None:
    """Why a unit may not accelerate by so many hexes on an impulse: it is not the moment, or cannot be paid. CJD1.31,
    CJD1.32"""
    price = thrust_price(reverse=reverse, load=load)
    if hexes < 1:
        return Objection(f"{price.what} by how many hexes?", price.rule, f"{price.what} 1 or more")
    billed = bill_for(ship, hexes, price, by_impulse=by_impulse)
    return timing_objection(ship, clock) or (billed if isinstance(billed, Objection) else None)


@rule("CJD1.12", "CJD1.31", "CJD1.32", "CJD1.141")
def accelerate(
    ship: VectorShip, clock: int, hexes: int, *, reverse: bool, by_impulse: bool, load: Fraction = ALONE
) -> Way:
    """Accelerate a unit the way it faces, or the other way in reverse, and begin its count anew. Returns that way.
    CJD1.12, CJD1.31, CJD1.32, CJD1.141

    Raises:
        ValueError: where ``thrust_objection`` has one.
    """
    bill = bill_for(ship, hexes, thrust_price(reverse=reverse, load=load), by_impulse=by_impulse)
    if not isinstance(bill, Bill):
        raise ValueError(bill.problem)
    pay(ship, bill)
    way = opposite(ship.facing) if reverse else ship.facing
    push(ship, clock, way, hexes)
    return way


def push(ship: VectorShip, clock: int, way: Way, hexes: int) -> None:
    """Change a unit's vector on an impulse, before it moves, and begin its count anew."""
    ship.vector = ship.vector.plus(way, hexes)
    ship.accelerated_on = clock
    restart(ship, (clock - 1) % IMPULSES)
