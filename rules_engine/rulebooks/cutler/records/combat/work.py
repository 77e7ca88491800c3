"""What is recorded of the work between and after the battles of an impulse. 3.9"""

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Literal

from rules_engine.core.basics.base import Frozen, Side
from rules_engine.core.basics.record import Record

BattleKind = Literal["main", "escape", "terrain", "sortie"]


class LastBattle(Frozen):
    """The last battle of a unit in this impulse: of which kind, and against which races."""

    kind: BattleKind
    against: tuple[Side, ...]


class RepairsDue(Record):
    """What D9.4 repairs of a unit once all combat in its hex is over: at most the ``boxes`` that it has lost in this
    impulse, by kind, for so many ``points``. 3.9, CU-R76"""

    points: int = 0
    boxes: dict[str, int] = field(default_factory=dict[str, int])

    def add(self, points: int, boxes: Mapping[str, int]) -> None:
        """Add what another battle brought."""
        self.points += points
        for kind, count in boxes.items():
            if count:
                self.boxes[kind] = self.boxes.get(kind, 0) + count


class WorkOfImpulse(Record):
    """``last`` is the last battle of each unit that has fought in this impulse; ``repairs`` are those that are made
    once all combat in its hex is over, by unit. 3.9"""

    last: dict[str, LastBattle] = field(default_factory=dict[str, LastBattle])
    repairs: dict[str, RepairsDue] = field(default_factory=dict[str, RepairsDue])

    def will_repair(self, unit: str, points: int, boxes: Mapping[str, int]) -> None:
        """Note what a battle brought of a unit's repairs, with what was noted before."""
        if points or any(boxes.values()):
            self.repairs.setdefault(unit, RepairsDue()).add(points, boxes)

    def take_in(self, other: "WorkOfImpulse", taken: Iterable[str]) -> None:
        """Add what went on in one hex. Nothing of units that were ``taken`` is repaired."""
        self.last |= other.last
        for unit, due in other.repairs.items():
            self.will_repair(unit, due.points, due.boxes)
        for unit in taken:
            self.repairs.pop(unit, None)
