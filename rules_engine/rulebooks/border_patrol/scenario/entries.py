"""What a scenario's files hold: ``scenario.toml`` (map, Teams, places, scoring) and ``units.toml`` (forces)."""

from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import Frozen
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.scenarios.entries import EntryKey, EntryName, EntryTitle, Marked, UnsettledBattles
from rules_engine.rulebooks.border_patrol.records.classes import BorderClass
from rules_engine.rulebooks.border_patrol.records.others import Habit
from rules_engine.rulebooks.border_patrol.records.places import Heading, Terrain
from rules_engine.rulebooks.border_patrol.records.settings import (
    Allowance,
    Option,
    Points,
    Reach,
    Scoring,
    Supply,
    TeamIncome,
    Turn,
    Zones,
)
from rules_engine.rulebooks.border_patrol.records.units import CrewQuality

SCENARIO = "scenario.toml"
UNITS = "units.toml"

StackId = Annotated[str, Field(pattern=r"^[A-Z]{1,2}[1-9][0-9]{0,2}$")]
HexNumber = Annotated[str, Field(pattern=r"^[0-9]{4}$")]
ClassId = Annotated[str, Field(min_length=1, max_length=40)]
Skill = Annotated[int, Field(ge=0, le=20)]


class MapExtent(Marked):
    """The map's size: hexes numbered column and row from the top left, even columns half a hex down."""

    columns: Annotated[int, Field(ge=2, le=99)]
    rows: Annotated[int, Field(ge=2, le=99)]

    def grid(self) -> Grid:
        """The map."""
        return Grid(columns=self.columns, rows=self.rows)


class TeamEntry(Frozen):
    """A Team: its name, the letters that its stacks' ids begin with, and its first economic points."""

    key: EntryKey
    name: EntryName
    emblem: Annotated[str, Field(pattern=r"^[A-Z]{1,2}$")]
    treasury: Points = 0


class ServingRace(Frozen):
    """A race that serves a Team."""

    key: EntryKey
    name: EntryName
    team: EntryKey


class CaptainEntry(Frozen):
    """A captain's seat."""

    key: EntryKey
    name: EntryName
    team: EntryKey


class TerrainOnMap(Marked):
    """A hex that is not empty space."""

    hex: HexNumber
    terrain: Terrain


class ProvinceEntry(Marked):
    """A province; without ``team`` it is unclaimed."""

    key: EntryKey
    name: EntryName
    hexes: Annotated[tuple[HexNumber, ...], Field(min_length=1, max_length=200)]
    team: EntryKey | None = None
    disrupted: bool = False


class SystemEntry(Marked):
    """A star system; without ``team`` it is nobody's."""

    key: EntryKey
    name: EntryName
    hex: HexNumber
    team: EntryKey | None = None


class StormEntry(Marked):
    """An ion storm."""

    key: EntryKey
    hex: HexNumber
    heading: Heading = 0
    drift: Reach = 0


class PostEntry(Marked):
    """A forward listening post."""

    key: EntryKey
    team: EntryKey
    hex: HexNumber


class ScenarioFile(Frozen):
    """The content of ``scenario.toml``."""

    title: EntryTitle
    turns: Turn
    map: MapExtent
    scoring: Scoring
    supply: Supply = Supply()
    zones: Zones = Zones()
    economy: TeamIncome = TeamIncome()
    options: Annotated[tuple[Option, ...], Field(max_length=4)] = ()
    unsettled_battles: UnsettledBattles = "all stay"
    team: Annotated[tuple[TeamEntry, ...], Field(max_length=10)]
    race: Annotated[tuple[ServingRace, ...], Field(max_length=20)]
    captain: Annotated[tuple[CaptainEntry, ...], Field(max_length=20)]
    terrain: Annotated[tuple[TerrainOnMap, ...], Field(max_length=2_000)] = ()
    province: Annotated[tuple[ProvinceEntry, ...], Field(max_length=300)] = ()
    system: Annotated[tuple[SystemEntry, ...], Field(max_length=300)] = ()
    storm: Annotated[tuple[StormEntry, ...], Field(max_length=50)] = ()
    post: Annotated[tuple[PostEntry, ...], Field(max_length=100)] = ()


class StackEntry(Frozen):
    """A stack at the start."""

    id: StackId
    captain: EntryKey
    hex: HexNumber


class PodEntry(Frozen):
    """A pod on a tug."""

    name: EntryName
    weight: Annotated[int, Field(ge=1, le=3)] = 1


class LyingPodEntry(PodEntry):
    """A pod that lies in a hex and waits for a tug of its Team."""

    team: EntryKey
    hex: HexNumber


class UnitEntry(Frozen):
    """One unit at the start. It stands in a ``stack``, or, if it is a base, a monster or an alien ship, in a ``hex``.
    ``race`` is empty of monsters and alien ships; ``towing`` are the ids of what it has in tow."""

    id: EntryKey
    name: EntryName
    class_id: ClassId
    race: EntryKey | None = None
    stack: StackId | None = None
    hex: HexNumber | None = None
    flagship: bool = False
    crew_quality: CrewQuality = "normal"
    chief_engineer: Skill = 0
    helmsman: Skill = 0
    orion: Literal["none", "leased"] = "none"
    pods: Annotated[tuple[PodEntry, ...], Field(max_length=6)] = ()
    pseudo_pods: Annotated[int, Field(ge=0, le=2)] = 0
    towing: Annotated[tuple[EntryKey, ...], Field(max_length=4)] = ()


class ConvoyEntry(Marked):
    """A convoy: a stack, the turn in which it sets out, and its way from the stack's hex to a port of its Team: the
    hexes that it enters, which may follow the one in which it stands. BP-R64"""

    key: EntryKey
    stack: StackId
    sets_out: Turn = 1
    route: Annotated[tuple[HexNumber, ...], Field(min_length=1, max_length=100)]


class SupplyConvoyEntry(Marked):
    """The ships of a Team's supply convoys that cloaked units may come upon, by their classes."""

    team: EntryKey
    class_ids: Annotated[tuple[ClassId, ...], Field(min_length=1, max_length=6)]


class HabitsEntry(Marked):
    """How a monster or an alien ship moves. ``route`` is of one that follows it, hex by hex as it
    enters them, ``senses`` of one that hunts."""

    unit: EntryKey
    habit: Habit
    allowance: Allowance = 0
    senses: Reach = 0
    route: Annotated[tuple[HexNumber, ...], Field(max_length=100)] = ()
    driven_off_by: Points = 0
    by_hand: bool = False


class ForcesFile(Frozen):
    """The content of ``units.toml``."""

    stack: Annotated[tuple[StackEntry, ...], Field(max_length=200)]
    unit: Annotated[tuple[UnitEntry, ...], Field(max_length=500)]
    convoy: Annotated[tuple[ConvoyEntry, ...], Field(max_length=50)] = ()
    habits: Annotated[tuple[HabitsEntry, ...], Field(max_length=50)] = ()
    supply_convoy: Annotated[tuple[SupplyConvoyEntry, ...], Field(max_length=10)] = ()
    pod: Annotated[tuple[LyingPodEntry, ...], Field(max_length=100)] = ()


class BorderScenario(Frozen):
    """A scenario without defects, as it is kept. ``classes`` are by id."""

    file: ScenarioFile
    units: ForcesFile
    classes: dict[str, BorderClass]
