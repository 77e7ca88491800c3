"""The state of a tracked battle: what is flown, how far its set-up has come, and what was counted of it.

A unit that is not placed yet is nowhere in here but for the number of its step: so it exists for nobody before it is
seen.
"""

from dataclasses import field
from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import Count, Frozen, HexId, Side, SideLabel
from rules_engine.core.basics.record import Record
from rules_engine.core.grids.space import Way
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.core.tactics.conditions import Code
from rules_engine.core.tactics.tallies import Fate
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.tactical import Tactical
from rules_engine.rulebooks.vector.records.vectors import Vector

MOST_ENDS = 30
"""Turns whose ends are remembered of ranges."""

Begun = Literal["", "positions", "positions seen"]
"""How a battle under way is taken up: positions are typed in, then confirmed; empty once it is flown, and for one that
is set up."""


class TypedPosition(Frozen):
    """Where a captain says that a unit is in a battle under way, or what became of it."""

    at: HexId = ""
    facing: Way = "A"
    vector: Vector = Vector()
    fate: Fate = ""


class TypedFleet(Frozen):
    """What a captain says of its units, and which turn comes next."""

    turn: Annotated[int, Field(ge=1, le=999)]
    units: dict[Code, TypedPosition]


class UnitCount(Record):
    """What was counted of a unit: the turn on which it left the battle (0: none), and its shortest range to an enemy at
    the ends of the last turns."""

    left_on: Count = 0
    closest: list[int] = field(default_factory=list[int])


class RangeCount(Record):
    """What was counted of two forces, by their first sides, see ``RangeTally``."""

    one: Side
    other: Side
    ranges: list[int] = field(default_factory=list[int])
    quiet_turns: Count = 0


class TrackedState(Record):
    """A tracked battle. ``begun`` says how far its taking up is; ``placed`` are the numbers of the steps that are set
    up, and ``unturned`` the units that turn to the nearest enemy once all are placed, with their ``speeds`` (negative
    astern). ``typed`` is what captains have said of a battle under way, ``silent`` who must say it still. ``invented``
    names the figures of a unit that its record lacks. ``asked_over`` is the impulse, counted from the beginning, after
    which it was asked last whether all is over (None: not since two forces were there), ``is_over`` that all said so.
    ``labels`` are its parties' names."""

    battle: Tactical
    forces: list[list[Side]]
    begun: Begun = ""
    placed: list[int] = field(default_factory=list[int])
    unturned: list[Code] = field(default_factory=list[Code])
    speeds: dict[Code, int] = field(default_factory=dict[Code, int])
    typed: dict[Side, TypedFleet] = field(default_factory=dict[Side, TypedFleet])
    silent: list[Side] = field(default_factory=list[Side])
    invented: dict[Code, list[str]] = field(default_factory=dict[Code, list[str]])
    counts: dict[Code, UnitCount] = field(default_factory=dict[Code, UnitCount])
    ranges: list[RangeCount] = field(default_factory=list[RangeCount])
    turns_flown: Count = 0
    asked_over: Count | None = None
    is_over: bool = False
    labels: list[SideLabel] = field(default_factory=list[SideLabel])

    def force_of(self, side: Side) -> int:
        """The number of the force in which a side stands."""
        return next(number for number, force in enumerate(self.forces) if side in force)

    def present_of(self, side: Side) -> list[VectorShip]:
        """A side's units that are there, by id."""
        return [one for one in self.battle.present() if one.side == side]

    def forces_there(self) -> list[int]:
        """The numbers of the forces that have units there."""
        return sorted({self.force_of(one.side) for one in self.battle.present()})


TrackedTurn = TurnContext[TrackedState]
