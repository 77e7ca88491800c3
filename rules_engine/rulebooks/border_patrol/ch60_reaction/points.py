"""Chapter V8.60: the points of Reactionary Movement: held, spent, lost and carried over."""

from typing import Literal

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.border_patrol.ch10_movement.phases import entitled, points_left
from rules_engine.rulebooks.border_patrol.records.units import Unit
from rules_engine.rulebooks.border_patrol.tables.movement import PHASES

MOST_CARRIED = 2
"""Points that are carried from one turn to the next. V8.66"""
MOST_HELD_SPENT = 2
"""Held points that are spent in a phase in which the unit would not move. V8.63"""
HELD_BESIDE_NORMAL = 1
"""Held points that are spent in a phase in which the unit moves by itself as well. V8.63"""

STATUS_BONUS = 4
"""What Reactionary Movement adds to a roll for Weapon Status. V8.65"""


@rule("V8.63")
def hold_points(unit: Unit, phase: int) -> None:
    """Hold what a waiting unit did not use of a phase's points, as the phase ends. Nobody else holds any. V8.63,
    BP-R47"""
    if unit.reacting and not unit.left_station:
        unit.accrued += points_left(unit, phase)


@rule("V8.63")
def held_to_spend(unit: Unit, phase: int) -> int:
    """How many held points a reacting unit may spend in a phase: one in which it would have moved anyway one, in any
    other two. V8.63, BP-R47"""
    if not unit.reacting:
        return 0
    own = entitled(unit.allowed_in[phase], phase)
    rate = HELD_BESIDE_NORMAL if own else MOST_HELD_SPENT
    spent = max(0, unit.moved_in[phase] - own)
    return min(rate - spent, unit.accrued)


@rule("V8.63")
def reach(unit: Unit, phase: int) -> int:
    """The hexes that a reacting unit may still enter in a phase: what it may move as any, and held points. V8.63,
    BP-R47"""
    return points_left(unit, phase) + held_to_spend(unit, phase)


@rule("V8.63", "V8.69")
def points_to_come(unit: Unit, phase: int) -> int:
    """The hexes that a unit may still enter from the beginning of a phase to the turn's end, at the most: by points of
    the phases, and by those that it holds as it reacts. V8.63, V8.69"""
    allowance = unit.allowed_in.get(phase, 0)
    return sum(entitled(allowance, one) for one in PHASES if one >= phase) + (unit.accrued if unit.reacting else 0)


@rule("V8.63")
def spend(unit: Unit, phase: int, hexes: int) -> None:
    """Move in reaction: the phase's own points go first, then held ones. V8.63

    Raises:
        ValueError: for more than it may move.
    """
    if hexes > reach(unit, phase):
        raise ValueError(f"{unit.name} may enter {reach(unit, phase)} hexes in phase {phase}, and not {hexes}")
    held = max(0, hexes - points_left(unit, phase))
    unit.accrued -= held
    unit.carried = min(unit.carried, unit.accrued)
    unit.moved_in[phase] += hexes
    unit.left_station = unit.left_station or hexes > 0


@rule("V8.66")
def end_of_turn(unit: Unit, *, declared_again: bool) -> int:
    """End a unit's turn, and say what points it has for the next: two held ones at most, if it waited all through this
    turn and reacts in the next as well; everything else is lost. V8.66, BP-R48"""
    waited = unit.reacting and not unit.left_station and not unit.crippled
    unit.carried = unit.accrued = min(MOST_CARRIED, unit.accrued) if waited and declared_again else 0
    unit.reacting, unit.target, unit.reacted_into, unit.left_station = False, "", "", False
    return unit.carried


@rule("V8.64")
def end_by_crippling(unit: Unit) -> None:
    """A crippled unit reacts no more: it moves as others do for the rest of the turn, and what it held is lost. V8.64,
    BP-R49"""
    if unit.crippled:
        unit.reacting, unit.target, unit.accrued, unit.carried = False, "", 0, 0


@rule("V8.69")
def intercept(unit: Unit, target: Unit) -> bool:
    """Note that a unit caught what it reacted to, and say whether it did: it is bound to it no more, and may use what
    points it has left. V8.69"""
    if not unit.reacting or unit.target != target.id or unit.hex != target.hex:
        return False
    unit.target, unit.reacted_into = "", unit.hex
    return True


WeaponStatus = Literal[0, 1, 2, 3]


@rule("V8.65")
def weapon_status(roll: int, *, by_reaction: bool) -> WeaponStatus:
    """The Weapon Status by a roll of 1d6, with what Reactionary Movement adds. V8.65, BP-R55"""
    total = roll + (STATUS_BONUS if by_reaction else 0)
    if total >= 7:
        return 3
    if total >= 4:
        return 2
    return 0 if total <= 2 else 1
