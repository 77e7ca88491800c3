"""What happens in a battle, and who may know it. VM-R38"""

from typing import Literal

from rules_engine.core.basics.base import Frozen, HexId, Side
from rules_engine.core.basics.dice import Roll
from rules_engine.core.basics.refusals import Refusal
from rules_engine.core.grids.space import Way

What = Literal[
    "moved",
    "slipped",
    "entered",
    "accelerated",
    "turned",
    "high energy turn",
    "tumbling",
    "recovered",
    "launched",
    "landed",
    "weasel",
    "voided",
    "slowed",
    "caught",
    "released",
    "controls",
    "fired",
    "stopped",
    "reserve",
    "kept",
    "refused",
]
"""``fired``: a condition came about; ``stopped``: an emergency deceleration; ``slowed``: warp friction; ``kept``: there
was nothing to turn."""


class Happened(Frozen):
    """One thing that happened to a unit, and where it left the unit. ``to`` are the sides that may know it; none named:
    everybody.

    ``amount`` counts what ``what`` counts: hexes of acceleration, sixths of a turn clockwise, points. ``way`` is the
    direction of it, ``other`` the unit or terrain that it has to do with, ``speed`` that at which terrain or web was
    met and ``times`` the multiple of damage that it does; ``damage`` and ``shield`` (1 to 6, clockwise from the bow)
    what friction does. ``legal_on`` is the first impulse, counted from the battle's beginning, on which what is refused
    would be legal (0: time does not help). ``event`` is its place in the unit's plot.
    """

    turn: int
    impulse: int
    unit: str
    side: Side
    what: What
    hex: HexId
    facing: Way
    vector: str
    to: tuple[Side, ...] = ()
    amount: int = 0
    way: Way | None = None
    other: str = ""
    speed: int = 0
    times: int = 1
    damage: int = 0
    shield: int = 0
    rule: str = ""
    dice: tuple[Roll, ...] = ()
    refusal: Refusal | None = None
    legal_on: int = 0
    event: int | None = None
