"""What captains of a duel want: to get away, to catch, to win a race, to bring a squadron together."""

from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import Frozen, HexId
from rules_engine.core.scenarios.entries import Marked

Aim = Literal["courier", "hunter", "racer", "squadron"]

EDGE = "edge"
"""The id under which the far edge is drawn as terrain. No race ends there."""

Column = Annotated[int, Field(ge=-999, le=999)]
Near = Annotated[int, Field(ge=0, le=30)]


class DuelRules(Marked):
    """Figures of victory, all invented. Two units match that are at most ``match_range`` hexes apart and whose vectors
    differ by ``match_speed`` at most; ``match_before`` is the first turn in which nobody is caught any more (0: never).
    A buoy is passed at ``pass_range`` hexes or less. VM-N20, VM-N22"""

    match_range: Near = 1
    match_speed: Near = 2
    match_before: Annotated[int, Field(ge=0, le=100)] = 12
    pass_range: Near = 1


class FarEdge(Frozen):
    """A column of the sheet beyond which couriers are away: at it or to its right, or to its left. It is drawn from one
    row to another, and has no end. VM-N21"""

    column: Column
    leads: Literal["right", "left"] = "right"
    first_row: Column = 1
    last_row: Column = 30

    def is_behind(self, column: int) -> bool:
        """Whether somebody in a column has left by it."""
        return column >= self.column if self.leads == "right" else column <= self.column


class SetUpZone(Frozen):
    """Where a captain may set up: within so many hexes of ``at``, or of where the scenario has each ship, at that speed
    or less, in any direction and with any facing. VM-N26"""

    at: HexId = ""
    within: Near
    speed: Annotated[int, Field(ge=0, le=60)]
