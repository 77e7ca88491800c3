"""Paying for acceleration and turns. CJD1:313, and CJD1.31, CJD1.41 for what they cost"""

from fractions import Fraction
from math import ceil
from typing import NamedTuple

from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.vector.ch2_energy.allocating import by_half_speed
from rules_engine.rulebooks.vector.records.objections import Objection
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.tables.figures import MOST_IMPULSE, MOST_WARP

ALONE = Fraction(1)
"""The load of a unit that moves nobody but itself."""


class Price(NamedTuple):
    """What each hex or turn costs: ``points`` of warp movement, ``halves`` of what a launched unit has of half its
    rated speed. ``load`` is how much heavier it is with what it tows; ``what`` one is called, ``rule`` says the
    price."""

    points: int
    halves: int
    what: str
    rule: str
    load: Fraction = ALONE

    def called(self, number: int) -> str:
        """So many of it, in words."""
        return "a turn" if self.what == "turn" else f"{self.what} {number}"

    def warp_for(self, number: int) -> int:
        """The points of warp movement for so many."""
        return ceil(number * self.points * self.load)


class Bill(NamedTuple):
    """What is paid."""

    warp: int = 0
    impulse: int = 0
    half: int = 0


@rule("CJD1:313")
def bill_for(ship: VectorShip, number: int, price: Price, *, by_impulse: bool = False) -> Bill | Objection:
    """What a unit pays for so many hexes or turns, or why it cannot: within its points and the turn's limits. The point
    of impulse power pays one where that is said, and where warp falls short by one. CJD1:313, VM-R12, VM-N01"""
    if by_half_speed(ship.figures):
        half = number * price.halves
        return Bill(half=half) if half <= ship.half_left else _too_much(ship, number, price, by_impulse=by_impulse)
    if by_impulse and not _impulse_there(ship):
        problem = (
            "the point of impulse power is used already"
            if ship.impulse_used
            else "no point of impulse power is allocated"
        )
        return Objection(problem, "CJD1:313" if ship.impulse_used else "CJD1.21", "pay with warp movement")
    warp = _warp_there(ship)
    if not by_impulse and price.warp_for(number) <= warp:
        return Bill(warp=price.warp_for(number))
    if _impulse_there(ship) and price.warp_for(number - 1) <= warp:
        return Bill(warp=price.warp_for(number - 1), impulse=1)
    return _too_much(ship, number, price, by_impulse=by_impulse)


def pay(ship: VectorShip, bill: Bill) -> None:
    """Take what is paid from what the unit has."""
    ship.warp_left -= bill.warp
    ship.warp_used += bill.warp
    ship.impulse_left -= bill.impulse
    ship.impulse_used += bill.impulse
    ship.half_left -= bill.half


def most_of(ship: VectorShip, price: Price) -> int:
    """How many hexes or turns a unit can pay now."""
    if by_half_speed(ship.figures):
        return ship.half_left // price.halves
    return int(_warp_there(ship) / (price.points * price.load)) + (1 if _impulse_there(ship) else 0)


def _warp_there(ship: VectorShip) -> int:
    return min(ship.warp_left, MOST_WARP - ship.warp_used)


def _impulse_there(ship: VectorShip) -> bool:
    return ship.impulse_left > 0 and ship.impulse_used < MOST_IMPULSE


def _too_much(ship: VectorShip, number: int, price: Price, *, by_impulse: bool) -> Objection:
    """Why it cannot be paid, with what could be."""
    most = most_of(ship, price)
    legal = (
        f"{price.what} up to {most}"
        if most
        else "no acceleration"
        if price.what == "accelerate"
        else f"no {price.what}"
    )
    said = f"{price.called(number)} takes"
    if by_half_speed(ship.figures):
        problem = f"{said} {number * price.halves} of half its rated speed, of {ship.half_left} left"
        return Objection(problem, "CJD1.53", legal)
    needed = price.warp_for(number - (1 if by_impulse else 0))
    if needed > MOST_WARP - ship.warp_used:
        used = f", {ship.warp_used} of them used" if ship.warp_used else ""
        problem = f"{said} {counted(needed, 'point')}; a turn's limit is {MOST_WARP} and 1 of impulse{used}"
        return Objection(problem, "CJD1:313", legal)
    problem = f"{said} {counted(needed, 'point')} of warp movement, of {ship.warp_left} left"
    return Objection(problem, price.rule, legal)
