"""Records of chapter 11: damage that a unit's own counts do not show, unfinished repairs and refits, repair orders.

Counts of undestroyed boxes (warp, cargo …) are fields of the unit; the rest of its record sheet is recorded here.
"""

from dataclasses import field

from pydantic import Field

from rules_engine.core.basics.base import Count, Frozen
from rules_engine.core.basics.record import Record


class BoxInHand(Frozen):
    """A box whose repair is unfinished. PQ-17 11.4.9.6, ruling REP-3."""

    box: str
    points: Count
    """CDR points put into it so far."""
    turn: Count
    """The turn in which the last points were put in; they are lost unless work goes on in the next."""


class RefitInHand(Frozen):
    """An unfinished refit. The ship is inactive meanwhile. PQ-17 11.5.4."""

    name: str
    points: Count
    turn: Count


class RepairRecord(Frozen):
    """What chapter 11 records about one unit."""

    damage: dict[str, Count] = Field(default_factory=dict[str, Count])
    """Destroyed boxes by type, for the types without a field of the unit: hull, shields, weapons …"""
    in_hand: BoxInHand | None = None
    refit: RefitInHand | None = None
    refits: list[str] = Field(default_factory=list[str])
    """Names of finished refits."""
    inactive: bool = False
    """Whether it is a base that was put in place but is not active yet (1.8.12.8)."""
    fought: Count = 0
    """The turn of its last battle."""
    cdr_left: Count | None = None
    """Boxes it may still repair by CDR in the battle sequence it is in; None outside one (11.4.5.3)."""


class RepairOrder(Record):
    """The order to repair one unit in the Tactical Logistics Step. PQ-17 SOP.2.a.iv.3, ruling SOP-5."""

    unit: str
    by: str
    """The unit whose repair boxes are used; ``unit`` itself for repairs to itself (11.4.9.9)."""
    boxes: list[str] = field(default_factory=list[str])
    """Types in the order of repair, one entry for each box (11.4.9.5)."""
    most: Count | None = None
    """The most CDR points to spend on it, so that the rest go to others (11.4.9.2.2)."""
    refit: str = ""
    """The refit to work on instead (11.5)."""
    uncripple: bool = False
    """Whether the unit stops being crippled once a box is restored; its owner decides this."""
