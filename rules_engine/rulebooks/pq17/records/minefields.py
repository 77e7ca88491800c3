"""Records of chapter 12: operational minefields, mines laid towards them, and what is going on with them this turn.

A minefield is a task force by itself (12.3.1) without units, so it has a record of its own; ``ch12_minefields`` shows
it to the chapters on searching and attacking as the task force that it is. Minefields are filed by :func:`field_key`.
"""

from typing import Annotated

from pydantic import Field

from rules_engine.core.basics.base import Count, Frozen, HexId, Mutable, Side

MINES_A_POINT = 200
"""Large mines that make one strength point. PQ-17 12.2.1, 12.5.3.4."""


class Minefield(Mutable):
    """One side's minefield in a hex. PQ-17 12.1.9, 12.2.1, 12.2.3."""

    side: Side
    hex: HexId
    strength: Annotated[int, Field(ge=1)]
    level: Annotated[int, Field(ge=-2, le=3)] = -2
    """How well the enemy knows it, as task forces are known: -2 not at all, -1 U, 0 to 3."""
    known_strength: Count | None = None
    """The strength as the enemy last learned it (12.4.4)."""
    attacked: bool = False
    """Whether it made a mine attack this turn (12.6.2)."""


class PrintedField(Frozen):
    """A minefield that the scenario prints for everybody to read. Ruling MIN-10."""

    side: Side
    hex: HexId
    strength: Annotated[int, Field(ge=1)]


class Transit(Frozen):
    """A movement point that a task force expended in the half in hand: from where, to where.

    ``start`` is empty for one that was placed on the map, ``end`` for one that left it. Rulings MIN-2, MIN-17, MOV-6.
    """

    task_force: str
    start: HexId
    end: HexId

    def hexes(self) -> tuple[HexId, ...]:
        """The hexes whose minefields it meets: the one it leaves and the one it enters, or the one it stays in."""
        return tuple(dict.fromkeys(one for one in (self.start, self.end) if one))


class Mines(Mutable):
    """Everything of chapter 12 that a campaign's state holds."""

    fields: dict[str, Minefield] = Field(default_factory=dict[str, Minefield])
    """Only those that exist: without strength there is none (12.2.2)."""
    loads: dict[str, Count] = Field(default_factory=dict[str, Count])
    """Mines laid by a side in a hex that do not yet make a strength point (12.5.3.9)."""
    printed: list[PrintedField] = Field(default_factory=list[PrintedField])
    gone: dict[Side, list[HexId]] = Field(default_factory=dict[Side, list[HexId]])
    """By viewer: hexes of the enemy's printed minefields that it has found without one."""
    transits: list[Transit] = Field(default_factory=list[Transit])
    """Movement points of the half in hand whose mine attacks are still to be made (SOP 2.b.iv)."""
    swept: list[str] = Field(default_factory=list[str])
    """Successful sweeps of the impulse in hand, once each, by minefield; they count at its end (SOP 2.b.ix.2)."""


def field_key(side: Side, hex_id: HexId) -> str:
    """What a minefield is filed under: a side has at most one in a hex. PQ-17 12.1.9."""
    return f"{side} {hex_id}"
