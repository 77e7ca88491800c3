"""How strong counters are: the ships of a force, and what damage has left of them."""

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.ch11_repair.boxes import (
    COUNTED,
    HULL,
    SHIELDS,
    TRACKS,
    all_destroyed,
    full_boxes,
    is_as_printed,
)
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit
from rules_engine.rulebooks.pq17.records.state import State

WHOLE = 100
"""Percent of a force without damage."""


@rule("1.8.12.5")
def ships_in(state: State, tf: TaskForce) -> int:
    """How many ships or bases a force has; its loads are none. PQ-17 1.8.12.5."""
    return len(state.separate_units(tf))


def whole_of(state: State, tf: TaskForce) -> int:
    """The percent of a force's boxes that are not destroyed, 100 only if nothing is lost. A crippled unit has lost half
    of its boxes, if its sheet does not say more."""
    units = state.separate_units(tf)
    hurt = [unit for unit in units if unit.crippled or not is_as_printed(state, unit)]
    lost = sum(_lost(state, unit) for unit in hurt)
    if not lost:
        return WHOLE
    boxes = sum(_boxes_of(state, unit) for unit in units)
    return max(1, WHOLE * (boxes - lost) // boxes)


def _lost(state: State, unit: Unit) -> int:
    """How many of a unit's boxes are lost, or count as lost."""
    boxes = _boxes_of(state, unit)
    least = (boxes + 1) // 2 if unit.crippled else 0
    return min(boxes, max(least, sum(all_destroyed(state, unit).values())))


def _boxes_of(state: State, unit: Unit) -> int:
    """How many boxes a unit has on its undamaged record, refits included."""
    kind = state.class_of(unit)
    if not unit.repairs.refits:  # the usual case
        return kind.box_count
    types = dict.fromkeys((*COUNTED, *TRACKS, HULL, *SHIELDS, *kind.boxes))
    return sum(full_boxes(state, unit, box) or 0 for box in types)
