"""Chapter V8.40: who may use Emergency Movement, how often, and what a failed attempt costs."""

from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.border_patrol.ch10_movement.figures import hull_allowance
from rules_engine.rulebooks.border_patrol.records.units import Unit

LEAST_SKILL = 2
"""The least skill of a chief engineer who may try: "in excess of one". V8.46, BP-R38"""
BOXES_PER_LOST_BOX = 10
"""A failed attempt costs one original warp engine box of so many. V8.47"""


@rule("V8.43", "V8.44")
def turns_left(unit: Unit) -> int:
    """How many more turns of Emergency Movement a unit has by its Damage Control Rating. V8.43, V8.44, BP-R36"""
    return max(0, unit.dcr - unit.emergency_used)


@rule("V8.46")
def may_try(unit: Unit) -> bool:
    """Whether a unit's chief engineer is skilled enough to try beyond the allotment. V8.46, BP-R38"""
    return unit.chief_engineer >= LEAST_SKILL


@rule("V8.44", "V8.46")
def needs_roll(unit: Unit) -> bool:
    """Whether Emergency Movement in this turn would need the chief engineer's roll. V8.44, V8.46"""
    return turns_left(unit) == 0


@rule("V8.46")
def succeeds(skill: int, roll: int) -> bool:
    """Whether a chief engineer's roll of 2d6 succeeds. V8.46, BP-R38"""
    return skill >= LEAST_SKILL and roll <= skill


@rule("V8.47")
def boxes_at_stake(unit: Unit) -> int:
    """The warp engine boxes that a failed attempt costs: a tenth of the original number, rounded down, as far as so
    many are left. V8.47, BP-R39"""
    return min(unit.warp_ok, unit.warp_original // BOXES_PER_LOST_BOX)


@rule("V8.42", "V8.43", "V8.44", "V8.46", "V8.47", "V8.49", "V8.33", "V8.61", "V8.82")
def judge_emergency(unit: Unit, path: str = "") -> list[Refusal]:
    """Refusals of Emergency Movement in a turn. V8.42, V8.43, V8.44, V8.46, V8.47, V8.49, V8.33, V8.61, V8.82, BP-R05,
    BP-R07, BP-R36"""
    refusals: list[Refusal] = []

    def refuse(text: str, rules: str, legal: str) -> None:
        refusals.append(illegal(f"{unit.name} {text}", rules, path, legal=legal))

    if unit.crippled:
        refuse("is crippled", "V8.42", "an uncrippled unit")
    if not unit.in_supply:
        refuse("is out of supply", "V8.42", "a unit in supply")
    if not unit.dcr_original:
        refuse("has no Damage Control Rating", "V8.43", "a unit with one")
    elif needs_roll(unit) and not may_try(unit):
        used = counted(unit.emergency_used, "turn")
        text = f"used {used} of Emergency Movement, and its Damage Control Rating is {unit.dcr}"
        refuse(text, "V8.44, V8.46", f"an overhaul first, or a chief engineer with a skill of {LEAST_SKILL} or more")
    if unit.emergency_barred:
        refuse("is barred since its chief engineer failed", "V8.47", "an overhaul first")
    if unit.towing or unit.towed_by:
        refuse("tows or is in tow", "V8.33, V8.49", "no tow")
    if unit.is_burdened and not unit.towing:
        refuse("carries pods", "V8.82", "an unburdened tug")
    if unit.reacting:
        refuse("uses Reactionary Movement", "V8.61", "one or the other")
    if unit.overhaul_at:
        refuse("is being overhauled", "V8.45", "the turn after")
    if hull_allowance(unit) < 1:
        refuse("has no allowance without it", "V8.49, BP-R07", "a unit that moves at least 1 hex by itself")
    return refusals


@rule("V8.43", "V8.46", "V8.47")
def begin_emergency(unit: Unit, roll: int | None = None) -> bool:
    """Begin a judged turn of Emergency Movement, with the chief engineer's roll of 2d6 if one is needed, and say
    whether it is used. Each turn of use counts; a failed attempt costs boxes, and bars further ones. V8.43, V8.46,
    V8.47, BP-R36, BP-R39

    Raises:
        ValueError: when a roll is needed and there is none, or the other way about.
    """
    if needs_roll(unit) != (roll is not None):
        raise ValueError("a roll is made when, and only when, the allotment is used up")
    if roll is not None and not succeeds(unit.chief_engineer, roll):
        _fail(unit)
        return False
    unit.emergency, unit.emergency_by_roll = True, roll is not None
    unit.emergency_used += 1
    return True


@rule("V8.48")
def is_endangered(unit: Unit) -> bool:
    """Whether damage took the rating that this turn's Emergency Movement stood on: it would not have been allowed at
    the turn's beginning with what is left. V8.48, BP-R40"""
    return unit.emergency and not unit.emergency_by_roll and unit.dcr < unit.emergency_used


@rule("V8.48", "V8.47", "V8.42")
def keep_emergency(unit: Unit, roll: int | None = None) -> bool:
    """Say whether a unit still uses Emergency Movement after damage, and end it if not: a crippled one does not, one
    whose rating fell too low only by its chief engineer's roll, if ``roll`` is one. A failed roll costs what a failed
    attempt costs. V8.48, V8.47, V8.42, BP-R40, BP-N02"""
    if not unit.emergency:
        return False
    if unit.crippled:
        unit.emergency = False
    elif is_endangered(unit):
        if roll is not None and may_try(unit):
            if succeeds(unit.chief_engineer, roll):
                unit.emergency_by_roll = True
            else:
                _fail(unit)
        else:
            unit.emergency = False
    return unit.emergency


def _fail(unit: Unit) -> None:
    unit.warp_ok -= boxes_at_stake(unit)
    unit.emergency, unit.emergency_by_roll, unit.emergency_barred = False, False, True


def end_emergency(unit: Unit) -> None:
    """What was declared for a turn ends with it."""
    unit.emergency = unit.emergency_by_roll = False
