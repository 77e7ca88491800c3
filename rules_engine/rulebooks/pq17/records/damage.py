"""Records of chapter 11: damage that no count of a unit shows, repairs and refits begun, and what is ordered.

Counts of undestroyed boxes (warp, cargo …) stand on the unit itself; here stands what else its record sheet has.
"""

from pydantic import Field

from rules_engine.core.basics.base import Count, Mutable


class BoxInHand(Mutable):
    """A box whose repair was begun and not finished. PQ-17 11.4.9.6, ruling REP-3."""

    box: str
    points: Count
    """CDR points put into it so far."""
    turn: Count
    """The turn in which the last of them were; they keep until the next."""


class RefitInHand(Mutable):
    """A refit begun and not finished: the ship is inactive meanwhile. PQ-17 11.5.4."""

    name: str
    points: Count
    turn: Count


class RepairRecord(Mutable):
    """What chapter 11 notes of one unit."""

    damage: dict[str, Count] = Field(default_factory=dict[str, Count])
    """Destroyed boxes by type, of all types that the unit does not count itself: hull, shields, weapons …"""
    in_hand: BoxInHand | None = None
    refit: RefitInHand | None = None
    refits: list[str] = Field(default_factory=list[str])
    """Names of finished refits."""
    inactive: bool = False
    """Whether it is a base that was put in place and does not work yet (1.8.12.8)."""
    fought: Count = 0
    """The turn of its last battle."""
    cdr_left: Count | None = None
    """Boxes it may still repair by CDR in the battle sequence it is in; None outside one (11.4.5.3)."""


class RepairOrder(Mutable):
    """What one unit is to have repaired in the Tactical Logistics Step. PQ-17 SOP.2.a.iv.3, ruling SOP-5."""

    unit: str
    by: str
    """The unit whose repair boxes are used; ``unit`` itself where it repairs itself (11.4.9.9)."""
    boxes: list[str] = Field(default_factory=list[str])
    """Types in the order of their repair, one entry a box (11.4.9.5)."""
    most: Count | None = None
    """The most CDR points it is to get, so that another gets the rest (11.4.9.2.2)."""
    refit: str = ""
    """The refit to work on instead (11.5)."""
    uncripple: bool = False
    """Whether its owner will no longer call it crippled once a box is restored."""
