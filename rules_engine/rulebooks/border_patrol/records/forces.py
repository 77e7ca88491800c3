"""Stacks of units that move together, and the movement phases of a turn."""

from dataclasses import field
from typing import Annotated

from pydantic import Field

from rules_engine.core.basics.base import Count, HexId, Side
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.border_patrol.records.orders import StackOrders
from rules_engine.rulebooks.border_patrol.tables.movement import PHASES


class UnitStack(Record):
    """Units of one Team that move as one, by id; ``captain`` is the seat that commands them.

    ``trail`` are the hexes that it left in this turn; ``upturned`` is that it stands open on the map, by an encounter
    or because it was intercepted under cloak; ``refused_in`` the hex in which others would not let it go in this turn,
    ``told_held`` that in which its Team was told that it is held; ``moves_on`` is that it reacts no longer to anybody
    and may go somewhere else by what points it has left. V8.69
    """

    id: str
    team: Side
    hex: HexId
    captain: str = ""
    units: list[str] = field(default_factory=list[str])
    orders: StackOrders = field(default_factory=StackOrders)
    trail: list[HexId] = field(default_factory=list[HexId])
    upturned: bool = False
    refused_in: HexId = ""
    told_held: Annotated[HexId, Field(exclude_if=lambda hex_id: not hex_id)] = ""
    moves_on: Annotated[bool, Field(exclude_if=lambda goes: not goes)] = False


class MovementPhase(Record):
    """A movement phase. ``initiative`` is each Team's roll of 2d6, ``command_used`` the hexes that each Team left by
    its Command Rating in this phase.

    ``moved`` counts the hexes of each stack, ``done`` are stacks that move no more, ``entered`` the hexes into which
    somebody came, ``seen`` the moves that everybody saw, in words, ``hidden`` those under cloak by Team, ``asked`` how
    often each Team was asked something.
    """

    turn: Count
    phase: Count = PHASES[0]
    initiative: dict[Side, int] = field(default_factory=dict[Side, int])
    command_used: dict[Side, list[HexId]] = field(default_factory=dict[Side, list[HexId]])
    moved: dict[str, int] = field(default_factory=dict[str, int])
    done: list[str] = field(default_factory=list[str])
    entered: list[HexId] = field(default_factory=list[HexId])
    seen: list[str] = field(default_factory=list[str])
    hidden: dict[Side, list[str]] = field(default_factory=dict[Side, list[str]])
    asked: dict[Side, int] = field(default_factory=dict[Side, int])

    @rule("V8.24")
    def has_used_command(self, team: Side, hex_id: HexId) -> bool:
        """Whether a Team left a hex by its Command Rating before in this phase. V8.24, BP-R14"""
        return hex_id in self.command_used.get(team, [])

    def next_question(self, team: Side) -> int:
        """The number of the next thing that a Team is asked in this phase; it counts what was asked of it alone."""
        self.asked[team] = self.asked.get(team, 0) + 1
        return self.asked[team]

    @rule("V8.24")
    def use_command(self, team: Side, hex_id: HexId) -> None:
        """Note that a Team leaves a hex by its Command Rating. V8.24, BP-R14"""
        self.command_used.setdefault(team, []).append(hex_id)
