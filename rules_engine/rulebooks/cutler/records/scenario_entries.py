"""What scenarios of both kinds have in common: those that bring everything, and those that players set up."""

from typing import Literal, cast

from pydantic import Field

from rules_engine.core.basics.base import Frozen, HexId, Json, Side
from rules_engine.core.basics.refusals import Refusal, malformed, nearest
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.scenarios.entries import EntryName, EntryTitle
from rules_engine.core.scenarios.files import defaults
from rules_engine.rulebooks.cutler.records.accessories.catalogue import Accessory
from rules_engine.rulebooks.cutler.records.conditions.officers import Officer
from rules_engine.rulebooks.cutler.records.economy import RepairPoints
from rules_engine.rulebooks.cutler.records.ground import GroundBaseCost
from rules_engine.rulebooks.cutler.records.parts.troops import Squads
from rules_engine.rulebooks.cutler.records.setup import GAS_GIANT_SIZES, GasGiantSizes, StarSystem
from rules_engine.rulebooks.cutler.records.tables import RESERVE_CAP, PlanetKind, Terrain

MOST_UNITS = 1_000
"""Units with which a campaign begins at most."""


class Victory(Frozen):
    """When the campaign ends, and what breaks a tie. CU-R125"""

    turn: int = Field(ge=1, le=100)
    tie_break: Literal["none", "fleet_value"] = "none"


class MapEntry(Frozen):
    """The map's size, its terrain, and its unsurveyed hexes."""

    columns: int = Field(ge=1, le=99)
    rows: int = Field(ge=1, le=99)
    terrain: dict[HexId, Terrain] = Field(default_factory=dict[HexId, Terrain])
    unsurveyed: tuple[HexId, ...] = ()


class RaceEntry(Frozen):
    """A race: its name, emblem, first treasury and home hexes."""

    name: EntryName
    emblem: str = Field(min_length=1, max_length=2)
    reserve: int = Field(default=0, ge=0, le=RESERVE_CAP)
    base_pool: int = Field(default=0, ge=0)
    territory: tuple[HexId, ...] = ()


class PlanetEntry(Frozen):
    """A planet and what stands on it."""

    name: EntryName
    kind: PlanetKind
    hex: HexId
    race: Side
    boarding_parties: int = Field(default=0, ge=0)
    crew_units: int = Field(default=0, ge=0)
    gcv: int = Field(default=0, ge=0)
    squads: Squads = Field(default_factory=Squads)
    """Those of its boarding parties that are of other kinds."""
    ground_bases: int = Field(default=0, ge=0)


class ScenarioFile(Frozen):
    """``scenario.toml``. ``systems`` are what else is in planets' hexes, by hex (1.1.2.4)."""

    title: EntryTitle
    source: str
    victory: Victory
    map: MapEntry
    races: dict[Side, RaceEntry]
    planets: dict[str, PlanetEntry]
    systems: dict[HexId, StarSystem] = Field(default_factory=dict[HexId, StarSystem])
    gas_giants: GasGiantSizes = GAS_GIANT_SIZES
    """The least and the greatest size of gas giants that are found."""
    repair_points: RepairPoints = RepairPoints()
    ground_base_cost: GroundBaseCost = GroundBaseCost()
    accessories: dict[str, Accessory] = Field(default_factory=dict[str, Accessory])
    """Accessories beside the usual ones, or instead of them."""


class UnitEntry(Frozen):
    """One unit; ships of one ``fleet`` begin together with one course. ``boarding_parties`` are those of its class if
    none are given; ``officers`` are the legendary ones aboard; ``orbit`` is the body that a base orbits (``giant``,
    ``moon1``, ``giantmoon1`` …); else it orbits the planet of its hex, or with ``apart`` nothing (3.5).
    ``docked_on`` is the key of the unit on which a PF begins docked (2.4.1.7)."""

    race: Side
    name: EntryName
    type: str
    hex: HexId
    fleet: str = ""
    crew_quality: Literal["outstanding", "normal", "poor"] = "normal"
    boarding_parties: int | None = Field(default=None, ge=0)
    squads: Squads = Field(default_factory=Squads)
    officers: tuple[Officer, ...] = ()
    holds: dict[str, int] = Field(default_factory=dict[str, int])
    """Accessories in its own boxes beside those that its class comes with; of the same kind: instead of them."""
    stowed: dict[str, int] = Field(default_factory=dict[str, int])
    orbit: str = ""
    docked_on: str = ""


class UnitsFile(Frozen):
    """``units.toml``."""

    units: dict[str, UnitEntry] = Field(max_length=MOST_UNITS)


STAND_INS = defaults(
    ScenarioFile,
    title="Untitled",
    source="",
    victory=Victory(turn=100),
    map=MapEntry(columns=99, rows=99),
    races={},
    planets={},
)


def off_map(grid: Grid, hex_id: HexId, path: str) -> list[Refusal]:
    """That a hex is not on the map, if it is not."""
    if hex_id in grid:
        return []
    return [malformed(f"{hex_id!r} is not a hex of this map", path, nearest=nearest(hex_id, grid.hexes()))]


def as_table(document: Json) -> dict[str, Json]:
    """A part of a document that is one."""
    return cast("dict[str, Json]", document)
