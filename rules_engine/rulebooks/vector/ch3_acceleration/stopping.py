"""Emergency deceleration, which stops nothing. CJD1.3x"""

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.vector.records.objections import Objection
from rules_engine.rulebooks.vector.records.ships import VectorShip


@rule("CJD1.3x")
def stop_objection(ship: VectorShip, clock: int) -> Objection | None:
    """Why a unit may not decelerate in an emergency: it tumbles, or the pause after the last time still runs. CJD1.3x,
    VM-R20"""
    if ship.tumbling:
        return Objection("it tumbles", "CJD1.431", "an emergency deceleration", ship.tumbles_until)
    if clock < ship.no_thrust_until:
        problem = "it has decelerated in an emergency already"
        return Objection(problem, "CJD1.3x", "an emergency deceleration", ship.no_thrust_until)
    return None


@rule("CJD1.3x")
def stop(ship: VectorShip, clock: int, pause: int, kept: int = 0) -> int:
    """Turn a unit's unused energy of movement into shield reinforcement, but for what is ``kept`` for high energy turns
    that are plotted, and forbid acceleration for ``pause`` impulses; its vector stays. Returns the power for its
    shields. CJD1.3x, VM-R20, VM-R21"""
    warp = min(kept, ship.warp_left)
    impulse = min(kept - warp, ship.impulse_left)
    power = int((ship.warp_left - warp) * ship.figures.move_cost) + ship.impulse_left - impulse
    ship.warp_left, ship.impulse_left = warp, impulse
    ship.no_thrust_until = clock + pause
    return power
