"""Records of chapter 12: operational minefields, mines laid towards the next strength point, and this turn's events.

A minefield is a task force by itself (12.3.1) without units, so it has a record of its own; ``contacts.minefields``
presents it to the chapters on searching and attacking as a task force. Minefields are filed by :func:`field_key`.
"""

from dataclasses import field
from typing import Annotated

from pydantic import Field

from rules_engine.core.basics.base import Count, Frozen, HexId, Side
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.rules import rule

MINES_A_POINT = 200
"""Large mines that make one strength point. PQ-17 12.2.1, 12.5.3.4."""


class Minefield(Record):
    """One side's minefield in a hex. PQ-17 12.1.9, 12.2.1, 12.2.3."""

    side: Side
    hex: HexId
    strength: Annotated[int, Field(ge=1)]
    level: Annotated[int, Field(ge=-2, le=3)] = -2
    """How well the enemy knows it, as task forces are known: -2 not at all, -1 U, 0 to 3."""
    known_strength: Count | None = None
    """The strength as the enemy last learned it (12.4.4)."""
    seen_laid: bool = False
    """Whether it learned that by seeing the minefield laid (12.5.3.10), and has not searched it since."""
    attacked: bool = False
    """Whether it made a mine attack this turn (12.6.2)."""


class PrintedField(Frozen):
    """A minefield that the scenario announces to everybody. Ruling MIN-10."""

    side: Side
    hex: HexId
    strength: Annotated[int, Field(ge=1)]


class Transit(Frozen):
    """A movement point that a task force expended in the present half impulse: from where, to where.

    ``start`` is empty for one that was placed on the map, ``end`` for one that left it. Rulings MIN-2, MIN-17, MOV-6.
    """

    task_force: str
    start: HexId
    end: HexId

    def hexes(self) -> tuple[HexId, ...]:
        """The hexes whose minefields it meets: the one it leaves and the one it enters, or the one it stays in."""
        return tuple(dict.fromkeys(one for one in (self.start, self.end) if one))


class Mines(Record):
    """All of chapter 12 that is part of a campaign's state."""

    fields: dict[str, Minefield] = field(default_factory=dict[str, Minefield])
    """By key. One that has lost all strength is removed (12.2.2)."""
    loads: dict[str, Count] = field(default_factory=dict[str, Count])
    """Mines laid by a side in a hex that do not yet make a strength point (12.5.3.9)."""
    printed: list[PrintedField] = field(default_factory=list[PrintedField])
    gone: dict[Side, list[HexId]] = field(default_factory=dict[Side, list[HexId]])
    """By viewer: hexes of the enemy's printed minefields that it has found empty."""
    transits: list[Transit] = field(default_factory=list[Transit])
    """Movement points of the present half impulse whose mine attacks are still due (SOP 2.b.iv)."""
    swept: list[str] = field(default_factory=list[str])
    """Minefields successfully swept in the present impulse, each once; this counts at its end (SOP 2.b.ix.2)."""


@rule("12.1.9")
def field_key(side: Side, hex_id: HexId) -> str:
    """The key of a minefield: a side has at most one in a hex. PQ-17 12.1.9."""
    return f"{side} {hex_id}"
