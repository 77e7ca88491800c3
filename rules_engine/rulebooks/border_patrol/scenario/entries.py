"""What a scenario's files hold: ``scenario.toml`` (map, Teams, places, scoring) and ``units.toml`` (forces)."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.plain_text import unfit_character
from rules_engine.core.grids.hexes import Grid
from rules_engine.rulebooks.border_patrol.records.classes import BorderClass
from rules_engine.rulebooks.border_patrol.records.others import Habit
from rules_engine.rulebooks.border_patrol.records.places import Heading, Terrain
from rules_engine.rulebooks.border_patrol.records.settings import (
    Allowance,
    Marked,
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

Key = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,23}$")]
StackId = Annotated[str, Field(pattern=r"^[A-Z]{1,2}[1-9][0-9]{0,2}$")]
HexNumber = Annotated[str, Field(pattern=r"^[0-9]{4}$")]
Skill = Annotated[int, Field(ge=0, le=20)]


def _shown(text: str) -> str:
    """A text that a screen can show on one line."""
    unfit = unfit_character(text)
    if unfit is not None:
        raise ValueError(f"may not hold {unfit}")
    if not text.strip() or len(text.splitlines()) > 1:
        raise ValueError("must be one line, and not blank")
    return " ".join(text.split())


Name = Annotated[str, Field(max_length=40), AfterValidator(_shown)]
Title = Annotated[str, Field(max_length=80), AfterValidator(_shown)]


class MapExtent(Marked):
    """The map's size: hexes numbered column and row from the top left, even columns half a hex down."""

    columns: Annotated[int, Field(ge=2, le=99)]
    rows: Annotated[int, Field(ge=2, le=99)]

    def grid(self) -> Grid:
        """The map."""
        return Grid(columns=self.columns, rows=self.rows)


class TeamEntry(Frozen):
    """A Team: its name, the letters that its stacks' ids begin with, and its first economic points."""

    key: Key
    name: Name
    emblem: Annotated[str, Field(pattern=r"^[A-Z]{1,2}$")]
    treasury: Points = 0


class ServingRace(Frozen):
    """A race that serves a Team."""

    key: Key
    name: Name
    team: Key


class CaptainEntry(Frozen):
    """A captain's seat."""

    key: Key
    name: Name
    team: Key


class TerrainOnMap(Marked):
    """A hex that is not empty space."""

    hex: HexNumber
    terrain: Terrain


class ProvinceEntry(Marked):
    """A province; without ``team`` it is unclaimed."""

    key: Key
    name: Name
    hexes: Annotated[tuple[HexNumber, ...], Field(min_length=1, max_length=200)]
    team: Key | None = None
    disrupted: bool = False


class SystemEntry(Marked):
    """A star system; without ``team`` it is nobody's."""

    key: Key
    name: Name
    hex: HexNumber
    team: Key | None = None


class StormEntry(Marked):
    """An ion storm."""

    key: Key
    hex: HexNumber
    heading: Heading = 0
    drift: Reach = 0


class PostEntry(Marked):
    """A forward listening post."""

    key: Key
    team: Key
    hex: HexNumber


class ScenarioFile(Frozen):
    """The content of ``scenario.toml``."""

    title: Title
    turns: Turn
    map: MapExtent
    scoring: Scoring
    supply: Supply = Supply()
    zones: Zones = Zones()
    economy: TeamIncome = TeamIncome()
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
    captain: Key
    hex: HexNumber


class PodEntry(Frozen):
    """A pod on a tug."""

    name: Name
    weight: Annotated[int, Field(ge=1, le=3)] = 1


class UnitEntry(Frozen):
    """One unit at the start. It stands in a ``stack``, or, if it is a base, a monster or an alien ship, in a ``hex``.
    ``race`` is empty of monsters and alien ships; ``towing`` are the ids of what it has in tow."""

    id: Key
    name: Name
    class_id: Annotated[str, Field(min_length=1, max_length=40)]
    race: Key | None = None
    stack: StackId | None = None
    hex: HexNumber | None = None
    flagship: bool = False
    crew_quality: CrewQuality = "normal"
    chief_engineer: Skill = 0
    helmsman: Skill = 0
    orion: Literal["none", "leased"] = "none"
    pods: Annotated[tuple[PodEntry, ...], Field(max_length=6)] = ()
    pseudo_pods: Annotated[int, Field(ge=0, le=2)] = 0
    towing: Annotated[tuple[Key, ...], Field(max_length=4)] = ()


class ConvoyEntry(Marked):
    """A convoy: a stack, the turn in which it sets out, and its way, from the stack's hex to a port of its Team."""

    key: Key
    stack: StackId
    sets_out: Turn = 1
    route: Annotated[tuple[HexNumber, ...], Field(min_length=2, max_length=100)]


class HabitsEntry(Marked):
    """How a monster or an alien ship moves. ``route`` is of one that follows it, ``senses`` of one that hunts."""

    unit: Key
    habit: Habit
    allowance: Allowance = 0
    senses: Reach = 0
    route: Annotated[tuple[HexNumber, ...], Field(max_length=100)] = ()
    driven_off_by: Points


class ForcesFile(Frozen):
    """The content of ``units.toml``."""

    stack: Annotated[tuple[StackEntry, ...], Field(max_length=200)]
    unit: Annotated[tuple[UnitEntry, ...], Field(max_length=500)]
    convoy: Annotated[tuple[ConvoyEntry, ...], Field(max_length=50)] = ()
    habits: Annotated[tuple[HabitsEntry, ...], Field(max_length=50)] = ()


class BorderScenario(Frozen):
    """A scenario without defects, as it is kept. ``classes`` are by id."""

    file: ScenarioFile
    units: ForcesFile
    classes: dict[str, BorderClass]
