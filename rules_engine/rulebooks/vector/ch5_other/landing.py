"""Landing without a tractor. CJD1.531"""

from fractions import Fraction
from typing import NamedTuple

from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.space import opposite
from rules_engine.rulebooks.vector.ch2_energy.paying import ALONE, bill_for
from rules_engine.rulebooks.vector.ch3_acceleration.thrust import thrust_price
from rules_engine.rulebooks.vector.records.objections import Objection
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.vectors import Vector

LANDING_FORMS = ("shuttle", "weasel", "PF")


class LastThrust(NamedTuple):
    """The acceleration, in the segment of landing, that makes both vectors the same; of no hexes where they are."""

    hexes: int = 0
    reverse: bool = False


@rule("CJD1.531")
def last_thrust(ship: VectorShip, host: VectorShip) -> LastThrust | None:
    """The acceleration along its facing that gives a landing unit its host's vector; None if there is none. CJD1.531,
    VM-R27"""
    gap = Vector.of(host.vector.lattice.plus(ship.vector.lattice, -1))
    match list(gap.elements.items()):
        case []:
            return LastThrust()
        case [(way, hexes)] if way in (ship.facing, opposite(ship.facing)):
            return LastThrust(hexes, way != ship.facing)
        case _:
            return None


@rule("CJD1.531")
def lander_objection(ship: VectorShip, host: VectorShip | None) -> Objection | None:
    """Why a unit can never land on a host: it is neither a shuttle nor a PF, or there is no such host. CJD1.531,
    VM-N07"""
    if ship.figures.form not in LANDING_FORMS:
        return Objection(f"a {ship.figures.form} does not land", "CJD1.531", "shuttles and PFs land")
    if host is None or host.id == ship.id:
        return Objection("land on which unit?", "CJD1.531", "a friendly ship in the same hex")
    return None


@rule("CJD1.531")
def landing_objection(ship: VectorShip, host: VectorShip, load: Fraction = ALONE) -> Objection | None:
    """Why a unit cannot land on a host now: it is not in the same hex, or not of the same vector, and no acceleration
    that it can pay in this segment makes it so. CJD1.531, VM-R27"""
    if host.at != ship.at:
        problem = f"{host.id} is in {host.at}, and it in {ship.at}"
        return Objection(problem, "CJD1.531", "landing in the same hex with the same vector")
    thrust = last_thrust(ship, host)
    if thrust is None:
        problem = f"its vector {ship.vector.says} is not {host.id}'s {host.vector.says}, nor made so along its facing"
        return Objection(problem, "CJD1.531", f"a vector of {host.vector.says}, or one off it along the facing")
    if ship.tumbling and thrust.hexes:
        return Objection("it tumbles", "CJD1.431", "a landing", ship.tumbles_until)
    price = thrust_price(reverse=thrust.reverse, load=load)
    billed = bill_for(ship, thrust.hexes, price) if thrust.hexes else None
    return billed if isinstance(billed, Objection) else None


@rule("CJD1.531")
def land(ship: VectorShip, host: str) -> None:
    """Take a unit that has landed out of play: its host's end is its own from now on. CJD1.531, VM-N07, VM-N41"""
    ship.out, ship.landed_on = "landed", host
