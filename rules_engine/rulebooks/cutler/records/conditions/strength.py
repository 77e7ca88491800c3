"""How strong units are, as their owner's map shows it: how many, and what damage has left of them."""

from collections.abc import Iterable

from rules_engine.rulebooks.cutler.records.parts.units import Unit

WHOLE = 100
"""Percent of units without damage."""


def whole_of(units: Iterable[Unit]) -> int:
    """The percent of the boxes of some units that are not destroyed, of the kinds that campaigns count: warp and
    impulse engines, special sensors, cargo. 100 only if nothing is lost."""
    full, left = 0, 0
    for unit in units:
        record = unit.record
        full += record.warp + record.impulse + record.special_sensors + record.cargo
        left += unit.warp_ok + unit.impulse_ok + unit.special_sensors_ok + unit.whole_cargo_boxes
    if left >= full:
        return WHOLE
    return max(1, WHOLE * left // full)
