"""What a tracked battle has counted: what a rulebook fills its account in with, and what captains read."""

from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import Count, Frozen, Side
from rules_engine.core.tactics.conditions import Code

Fate = Literal["", "destroyed", "disengaged", "left the map"]


class ShipTally(Frozen):
    """A unit: what became of it (empty: it is still there), on which turn (0: none), and how fast it was then, or is
    now. ``closest`` is the shortest range to an enemy at the ends of the last turns, oldest first; ``in_tow`` the tug
    that has it in tow, or had when both left, empty for none."""

    code: Code
    side: Side
    fate: Fate = ""
    turn: Count = 0
    speed: Annotated[int, Field(ge=0)] = 0
    closest: tuple[int, ...] = ()
    in_tow: Code | Literal[""] = ""


class RangeTally(Frozen):
    """Two forces, by their first sides: the shortest range between them at the end of each of the last turns, oldest
    first, and for how many turns in a row, up to the last, no range between their units has shrunk."""

    one: Side
    other: Side
    ranges: tuple[int, ...] = ()
    quiet_turns: Count = 0


class TacticalTally(Frozen):
    """A battle so far: turns that are flown to their ends, its ships, and its ranges. Only what all parties may know:
    units that have not arrived are not in it."""

    turns: Count = 0
    ships: tuple[ShipTally, ...] = ()
    ranges: tuple[RangeTally, ...] = ()

    def ship(self, code: Code) -> ShipTally | None:
        """What was counted of a unit, None if it was never there."""
        return next((one for one in self.ships if one.code == code), None)
