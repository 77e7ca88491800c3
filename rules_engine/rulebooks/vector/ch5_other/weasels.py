"""Wild weasels. CJD1.51"""

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.vector.records.objections import Objection
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.tables.figures import WEASEL_BEARS


@rule("CJD1.51")
def voids_weasel(ship: VectorShip, *, hexes: int = 0, het: bool = False) -> bool:
    """Whether a unit's wild weasel is voided by an acceleration of so many hexes or by a high energy turn; by turning
    or coasting it is not. CJD1.51, VM-R23"""
    return bool(ship.weasel) and (het or hexes > WEASEL_BEARS)


@rule("CJD1.51")
def weasel_objection(ship: VectorShip) -> Objection | None:
    """Why a unit cannot send out a wild weasel: it has one out. CJD1.51"""
    return Objection("a wild weasel of it is out already", "CJD1.51", "one at a time") if ship.weasel else None
