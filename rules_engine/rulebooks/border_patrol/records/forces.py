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

    ``trail`` are the hexes that it left in this turn; ``refused_in`` the hex in which others would not let it go in
    this turn, ``told_held`` that in which its Team was told that it is held; ``moves_on`` is that it reacts no longer
    to anybody and may go somewhere else by what points it has left (V8.69), ``goes_on`` before whom and where its
    captain said in this turn that it goes on.
    """

    id: str
    team: Side
    hex: HexId
    captain: str = ""
    units: list[str] = field(default_factory=list[str])
    orders: StackOrders = field(default_factory=StackOrders)
    trail: list[HexId] = field(default_factory=list[HexId])
    refused_in: HexId = ""
    told_held: Annotated[HexId, Field(exclude_if=lambda hex_id: not hex_id)] = ""
    goes_on: Annotated[str, Field(exclude_if=lambda said: not said)] = ""
    moves_on: Annotated[bool, Field(exclude_if=lambda goes: not goes)] = False


class MovementPhase(Record):
    """A movement phase. ``initiative`` is each Team's roll of 2d6, ``command_used`` the hexes that each Team left by
    its Command Rating in this phase, ``let_go`` those that the others let it leave.

    ``moved`` counts the hexes of each stack, ``done`` are stacks that move no more, ``entered`` the hexes into which
    somebody came, ``seen`` the moves that everybody saw, in words, ``own`` the same by Team, which names its
    stacks, ``hidden`` those under cloak by Team, ``asked`` how
    often each Team was asked something.
    """

    turn: Count
    phase: Count = PHASES[0]
    initiative: dict[Side, int] = field(default_factory=dict[Side, int])
    command_used: dict[Side, list[HexId]] = field(default_factory=dict[Side, list[HexId]])
    let_go: dict[Side, list[HexId]] = field(default_factory=dict[Side, list[HexId]])
    moved: dict[str, int] = field(default_factory=dict[str, int])
    done: list[str] = field(default_factory=list[str])
    entered: list[HexId] = field(default_factory=list[HexId])
    seen: list[str] = field(default_factory=list[str])
    own: dict[Side, list[str]] = field(default_factory=dict[Side, list[str]])
    hidden: dict[Side, list[str]] = field(default_factory=dict[Side, list[str]])
    asked: dict[Side, int] = field(default_factory=dict[Side, int])

    @rule("V8.25")
    def may_withdraw(self, team: Side, hex_id: HexId) -> bool:
        """Whether the others let a Team's units leave a hex in this phase. V8.25"""
        return hex_id in self.let_go.get(team, [])

    @rule("V8.25")
    def let_withdraw(self, team: Side, hex_id: HexId) -> None:
        """Note that the others let a Team's units leave a hex. V8.25"""
        self.let_go.setdefault(team, []).append(hex_id)

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
