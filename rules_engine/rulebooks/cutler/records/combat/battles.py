"""Battles that are being fought by hand, and escape waves. Chapter 3"""

from dataclasses import field

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.combat.work import BattleKind
from rules_engine.rulebooks.cutler.records.parts.coordination import InForces


class Battle(InForces):
    """A battle being fought by hand. ``lines`` maps the result form's neutral keys to units; ``sides`` names the first
    race of each force; ``feature`` is that of a terrain battle."""

    key: str
    kind: BattleKind
    hex: HexId
    sides: tuple[Side, Side]
    lines: dict[str, str]
    flanking: dict[str, int] = field(default_factory=dict[str, int])
    feature: str = ""

    @property
    def everyone(self) -> tuple[Side, ...]:
        """All races that take part."""
        return self.races_of(*self.sides)


class Wave(Record):
    """An escape wave and the groups sent after it. ``to`` is the feature that it tries to reach, "" to avoid all
    combat; ``caught`` are docked PFs that leave their docks if it is caught. 3.5.5, CU-R23"""

    race: Side
    number: int
    units: list[str]
    to: str = ""
    caught: list[str] = field(default_factory=list[str])
    pursuit: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    @rule("3.3.7.6")
    def in_order(self) -> list[tuple[str, list[str]]]:
        """The groups after it with their ships, in the order of the numbers that the pursuer gave them. 3.3.7.6"""
        return sorted(self.pursuit.items(), key=lambda group: int(group[0]))
