"""Stacks of units that move together, and the movement phases of a turn."""

from dataclasses import field

from rules_engine.core.basics.base import Count, HexId, Side
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.border_patrol.tables.movement import PHASES


class UnitStack(Record):
    """Units of one Team that move as one, by id; ``captain`` is the seat that commands them."""

    id: str
    team: Side
    hex: HexId
    captain: str = ""
    units: list[str] = field(default_factory=list[str])


class MovementPhase(Record):
    """A movement phase. ``initiative`` is each Team's roll of 2d6, ``command_used`` the hexes that each Team left by
    its Command Rating in this phase."""

    turn: Count
    phase: Count = PHASES[0]
    initiative: dict[Side, int] = field(default_factory=dict[Side, int])
    command_used: dict[Side, list[HexId]] = field(default_factory=dict[Side, list[HexId]])

    @rule("V8.24")
    def has_used_command(self, team: Side, hex_id: HexId) -> bool:
        """Whether a Team left a hex by its Command Rating before in this phase. V8.24, BP-R14"""
        return hex_id in self.command_used.get(team, [])

    @rule("V8.24")
    def use_command(self, team: Side, hex_id: HexId) -> None:
        """Note that a Team leaves a hex by its Command Rating. V8.24, BP-R14"""
        self.command_used.setdefault(team, []).append(hex_id)
