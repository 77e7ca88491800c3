"""Launched units: shuttles, PFs, drones, plasma torpedoes. CJD1.53"""

from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.space import Way
from rules_engine.rulebooks.vector.ch1_movement.paths import restart
from rules_engine.rulebooks.vector.records.objections import Objection
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.tactical import Tactical


def aboard(battle: Tactical, carrier: str) -> list[VectorShip]:
    """What a unit carries and may launch, by id."""
    return [battle.units[one] for one in sorted(battle.units) if _carried_by(battle.units[one], carrier)]


def _carried_by(unit: VectorShip, carrier: str) -> bool:
    return unit.aboard == carrier and not unit.out


@rule("CJD1.53")
def launch_objection(battle: Tactical, ship: VectorShip, subject: str, added: int) -> Objection | None:
    """Why a unit cannot launch another with so much added speed: it does not carry it, or half its rated speed is less.
    CJD1.53, VM-R24"""
    carried = {one.id: one for one in aboard(battle, ship.id)}
    if subject not in carried:
        return Objection(f"it has no {subject or 'unit'} to launch", "CJD1.53", " or ".join(carried) or "no launch")
    half = carried[subject].figures.rated_speed // 2
    if added > half:
        problem = f"{added} hexes of added speed, and half of {subject}'s rated speed is {half}"
        return Objection(problem, "CJD1.53", f"launch {subject} with 0 to {half}")
    return None


@rule("CJD1.53")
def launch(ship: VectorShip, unit: VectorShip, added: int, way: Way, impulse: int) -> None:
    """Launch a unit on an impulse, before it is moved: with its carrier's vector and up to half its rated speed in one
    direction, which it faces. What is left of that half it may use later. CJD1.53, VM-R24, VM-N05"""
    unit.aboard = ""
    unit.launched_from = ship.id
    unit.at, unit.facing = ship.at, way
    unit.vector = ship.vector.plus(way, added)
    unit.half_left = unit.figures.rated_speed // 2 - added
    unit.trail = [unit.at]
    restart(unit, impulse - 1)
