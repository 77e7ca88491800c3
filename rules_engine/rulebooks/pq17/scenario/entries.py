"""What ``scenario.toml`` holds: the map and its places, the sides, their task forces and units, and the campaign."""

from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import Frozen, Side, SideLabel
from rules_engine.core.basics.rational import Rational
from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.scenarios.entries import EntryName, EntryTitle
from rules_engine.rulebooks.pq17.orders.standing_words import MOST_CHARACTERS
from rules_engine.rulebooks.pq17.records.forces import BaseRecord
from rules_engine.rulebooks.pq17.records.state import UnsettledEnd
from rules_engine.rulebooks.pq17.scenario.minefields import (
    MinefieldEntry,
)
from rules_engine.rulebooks.pq17.tables.operations import TURNS_A_PERIOD
from rules_engine.rulebooks.pq17.tables.order_of_battle import HexNumber, OrderOfBattle

MOST_UNITS = 1_000
"""Units, or task forces, with which a scenario begins at most; the printed campaign has none but those bought."""


class SheetSize(Frozen):
    """How large the map is; its numbering is the book's."""

    columns: Annotated[int, Field(ge=2, le=99)]
    rows: Annotated[int, Field(ge=2, le=99)]
    stagger: Literal["odd", "even"] = "even"
    """The rows that are shifted half a hex to trailing. Ruling MAP-4."""
    elsewhere: Literal["text", "invented"] = "invented"
    """The source for hexes without an entry being open space. Ruling MAP-7."""

    @rule("1.3.1", "C.map")
    def grid(self) -> Grid:
        """Rows straight, counted from the coreward edge; columns counted from the spinward (right) edge.

        PQ-17 1.3.1, C.map, rulings MAP-1 to MAP-5."""
        return Grid(
            columns=self.columns,
            rows=self.rows,
            orientation="pointy",
            numbering="RRCC",
            origin="top-right",
            stagger=self.stagger,
        )


class TerrainEntry(Frozen):
    """A hex that is not empty space, or is known to be."""

    hex: HexNumber
    terrain: Literal["space", "nebula", "planet"]
    source: Literal["text", "invented"] = "invented"
    note: str = ""


class SettledEntry(Frozen):
    """A settled hex. PQ-17 1.7.1."""

    hex: HexNumber
    side: Side
    name: EntryName
    empire: str = ""
    """Whose local forces raiders meet; one of the raid tables' empires, or none."""
    source: Literal["text", "invented"] = "invented"


class ForceEntry(Frozen):
    """A task force at the start."""

    id: Annotated[str, Field(pattern=r"^[A-Z]{1,2}[1-9]\d{0,2}$")]
    side: Side
    hex: HexNumber
    name: Annotated[str, Field(max_length=24)] = ""
    base: BaseRecord | None = None
    in_port: str = ""


class UnitEntry(Frozen):
    """One unit at the start."""

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,23}$")]
    name: Annotated[EntryName, Field(max_length=32)]
    class_id: str
    task_force: str
    mines: Annotated[int, Field(ge=0, le=999)] = 0
    """Large mines aboard. PQ-17 12.1.4, 12.1.5."""


class ScenarioFile(Frozen):
    """The content of ``scenario.toml``."""

    title: EntryTitle
    turns: Annotated[int, Field(ge=1, le=999)]
    victory_points: Annotated[Rational, Field(gt=0, le=1_000_000)]
    local_conditions: tuple[int, int, int, int] = (11, 59, 78, 100)
    flag_empires: tuple[str, ...] = ()
    shadowed_is_cumulative: bool = False
    battle_notes: str = ""
    special_tables: Literal["", "pq17"] = ""
    raid_table: Literal["", "pq17"] = ""
    unsettled_battles: UnsettledEnd = "attackers leave"
    ghost_turns: Annotated[int, Field(ge=1)] = TURNS_A_PERIOD
    """How many turns after its last sighting a lost contact stays on maps and in lists."""
    map: SheetSize
    side: tuple[SideLabel, ...]
    terrain: tuple[TerrainEntry, ...] = ()
    settled: tuple[SettledEntry, ...] = ()
    task_force: Annotated[tuple[ForceEntry, ...], Field(max_length=MOST_UNITS)] = ()
    unit: Annotated[tuple[UnitEntry, ...], Field(max_length=MOST_UNITS)] = ()
    minefield: tuple[MinefieldEntry, ...] = ()
    minefield_hexes: tuple[HexNumber, ...] = ()
    """Further hexes that may hold minefields. PQ-17 12.1.9."""
    campaign: OrderOfBattle = OrderOfBattle()
    doctrine: dict[Side, Annotated[str, Field(max_length=MOST_CHARACTERS)]] = Field(default_factory=dict[Side, str])
    """The standing orders that a side begins with, as it would write them."""
