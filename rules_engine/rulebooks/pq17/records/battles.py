"""Records of chapters 7 and 8 that outlive a step: shadowing relations, and the battles being resolved."""

from dataclasses import field
from typing import Annotated

from pydantic import Field

from rules_engine.core.basics.base import Count, HexId, Side
from rules_engine.core.basics.record import Record

BATTLE_LINE = "battle"
"""The line of an account that is about the whole battle, among those of its units."""
NOBODY = "nobody"
"""Who has won, on an account by which both sides are gone (ruling CMB-12)."""


class ShadowLink(Record):
    """A shadowing relation by units, so that it survives the reorganisation of either side. PQ-17 7.5.2, 7.5.4."""

    shadower: list[str]
    target: list[str]


class Battle(Record):
    """One battle to be fought by hand. PQ-17 8.4.6, ruling CMB-4.

    Task forces are named by id; ``names`` gives every unit the neutral name under which both sides speak of it.
    """

    key: str
    hex: HexId
    attacker: Side
    defender: Side
    original: list[str]
    """The Original Defender: one task force, or a base and all in port with it (ruling CMB-5)."""
    attackers: list[str]
    """The attacker's task forces that succeeded against the Original Defender."""
    joiners: dict[str, str] = field(default_factory=dict[str, str])
    """The defender's other task forces in it, each mapped to the attacking force that it attacked (ruling CMB-7)."""
    conditions: Annotated[int, Field(ge=1, le=4)]
    surprised: bool = False
    depth: Count = 0
    """0 for an initial battle, then one more for each pursuit that led here."""
    shadowed: list[Side] = field(default_factory=list[Side])
    """Sides that count as shadowed throughout the sequence (7.3.10, ruling SHD-15)."""
    names: dict[str, str] = field(default_factory=dict[str, str])
    """Neutral name to unit id."""
    speeds: dict[str, str] = field(default_factory=dict[str, str])
    """Unit id to the speed it went at before the battle (8.5.6.4.1)."""
    crippled: list[str] = field(default_factory=list[str])
    """Units that were crippled when it began (T5.note4)."""
    reserve: dict[str, int] = field(default_factory=dict[str, int])
    """Unit id to the battle turn in which it disengaged (8.2.4, 8.5.5.5.4)."""
    turns: Count = 0
    winner: Side = ""
    """The winner; empty while it is fought, and after a battle that nobody won (ruling CMB-12)."""

    def forces(self, side: Side) -> list[str]:
        """That side's task forces in the battle."""
        if side == self.attacker:
            return list(self.attackers)
        return [*self.original, *sorted(self.joiners)]

    def all_forces(self) -> list[str]:
        """Every task force in the battle, the Original Defender first."""
        return [*self.original, *self.attackers, *sorted(self.joiners)]

    def name_of(self, unit_id: str) -> str:
        """The neutral name of a unit."""
        return next(name for name, held in self.names.items() if held == unit_id)
