"""A unit's Base Operational Movement Allowance, by whichever of the chapters' formulas holds of it."""

from collections.abc import Sequence

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.border_patrol.ch10_movement.figures import hull_allowance
from rules_engine.rulebooks.border_patrol.ch30_towing.tows import towing_allowance
from rules_engine.rulebooks.border_patrol.ch50_cloaks.cloaks import cloaked_allowance
from rules_engine.rulebooks.border_patrol.ch80_tugs.tugs import pods_factor, tug_allowance
from rules_engine.rulebooks.border_patrol.records.units import Unit


@rule("V8.12", "V8.14", "V8.17", "V8.45", "V8.51", "V8.63")
def allowance(unit: Unit, towed: Sequence[Unit] = ()) -> int:
    """How many hexes a unit may enter in a turn. ``towed`` are the units that it has in tow; who is in tow goes where
    its tower goes, and who is being overhauled nowhere. Whoever cloaks in a turn counts its cloak all through it, also
    while it waits to react; a cloaked tug goes as it does with its pods. V8.12, V8.14, V8.17, V8.45, V8.51, V8.63,
    BP-R42"""
    if unit.towed_by or unit.overhaul_at:
        return 0
    if unit.cloaks:
        return cloaked_allowance(unit, emergency=unit.emergency, burden=pods_factor(unit))
    if unit.kind == "tug":
        return tug_allowance(unit, towed, emergency=unit.emergency)
    return towing_allowance(unit, towed) if towed else hull_allowance(unit, emergency=unit.emergency)


@rule("V8.14")
def cannot_move(unit: Unit) -> bool:
    """Whether a unit cannot move at all: its hull has no allowance, and nobody tows it. One that is being overhauled
    could, so its stack stays with it. V8.14, BP-R59"""
    return not unit.towed_by and hull_allowance(unit) < 1
