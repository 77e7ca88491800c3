"""Chapter V8.60: the points of Reactionary Movement: how many are held at most, spent, and carried over."""

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
    return sum(entitled(allowance, one) for one in PHASES if one >= phase) + unit.accrued


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
