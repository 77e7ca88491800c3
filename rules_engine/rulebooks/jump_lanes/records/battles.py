"""Battles in a system, at a planet or in a lane, and points that were scored."""

from dataclasses import field
from typing import ClassVar, Literal

from rules_engine.core.basics.base import Count, Side
from rules_engine.core.basics.record import Record

BattleKind = Literal["space", "ground"]


class Battle(Record):
    """A battle at the place, or in the lane, ``where``, called ``name``. ``lines`` are its units by neutral codes, so
    that no form shows an owner's own ids; ``sides`` the empires that fight, of a battle on the ground the invader
    first. ``placed_first`` are the forces that fight in space by their first sides, in the order in which they are set
    up where the battle is tracked. 13.2, JL-N17"""

    key: str
    where: str
    name: str
    in_lane: bool = False
    kind: BattleKind = "space"
    sides: list[Side] = field(default_factory=list[Side])
    lines: dict[str, str] = field(default_factory=dict[str, str])
    placed_first: list[Side] = field(default_factory=list[Side])

    LATER: ClassVar[frozenset[str]] = frozenset({"placed_first"})

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
