"""Battles in a system, at a planet or in a lane, and points that were scored."""

from dataclasses import field
from typing import Literal

from rules_engine.core.basics.base import Count, Side
from rules_engine.core.basics.record import Record

BattleKind = Literal["space", "ground"]


class Battle(Record):
    """A battle at the place, or in the lane, ``where``, called ``name``. ``lines`` are its units by neutral codes, so
    that no form shows an owner's own ids; ``sides`` the empires that fight, of a battle on the ground the invader
    first. 13.2"""

    key: str
    where: str
    name: str
    in_lane: bool = False
    kind: BattleKind = "space"
    sides: list[Side] = field(default_factory=list[Side])
    lines: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def title(self) -> str:
        """What its parties call it."""
        what = "Ground battle" if self.kind == "ground" else "Battle"
        return f"{what} {'in' if self.in_lane else 'at'} {self.name}"


class ScoreLine(Record):
    """Points that an empire scored, in which turn and for what."""

    empire: Side
    turn: Count
    points: int
    what: str
