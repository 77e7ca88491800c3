"""What a side's own forces reach, drawn on its map when asked: where they would find somebody, where they get stores.

In this book nobody sees beyond his own hex.
"""

from collections.abc import Iterator

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.glance import DETECTION, SUPPLY, Range
from rules_engine.rulebooks.pq17.contacts.minefields import all_fields
from rules_engine.rulebooks.pq17.records.state import State


def map_ranges(state: State, side: Side) -> tuple[Range, ...]:
    """The ranges of a side, without those that reach nothing."""
    found = {DETECTION: sorted({*_watched(state, side)}), SUPPLY: sorted({*_supplied(state, side)})}
    return tuple(Range(kind=kind, hexes=tuple(hexes)) for kind, hexes in found.items() if hexes)


@rule("6.2.2", "1.7.2", "12.3.6")
def _watched(state: State, side: Side) -> Iterator[HexId]:
    """The hexes in which an enemy would be detected: those of its forces, bases, settled hexes and minefields. PQ-17
    6.2.2, 1.7.2, 12.3.6."""
    yield from (tf.hex for tf in state.all_task_forces(side))
    yield from (settled.hex for settled in state.settled.values() if settled.side == side)
    yield from (field.hex for field in all_fields(state, side))


@rule("5.5.1", "10.2.7")
def _supplied(state: State, side: Side) -> Iterator[HexId]:
    """The hexes of its bases, in whose ports ships load. PQ-17 5.5.1, 10.2.7."""
    yield from (tf.hex for tf in state.all_task_forces(side) if tf.is_base)
