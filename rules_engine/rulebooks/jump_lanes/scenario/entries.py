"""What a scenario's files hold: ``scenario.toml`` (the map, empires, figures) and ``units.toml`` (the forces)."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from rules_engine.core.basics.base import Count, Frozen
from rules_engine.core.basics.rational import Rational
from rules_engine.core.scenarios.entries import EntryKey, EntryName, EntryTitle, Marked, UnsettledBattles
from rules_engine.rulebooks.jump_lanes.records.places import Difficulty, LaneClass, LaneType
from rules_engine.rulebooks.jump_lanes.records.settings import (
    FrontierScoring,
    LaneClassTable,
    LaneCosts,
    LaneRules,
    SurveyChances,
)
from rules_engine.rulebooks.jump_lanes.records.units import LaneUnitClass, UnitKind

SCENARIO = "scenario.toml"
UNITS = "units.toml"

PlaceKey = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,23}(/[a-z][a-z0-9-]{0,23})?$")]
SquadronId = Annotated[str, Field(pattern=r"^[A-Z]{1,2}[1-9][0-9]{0,2}$")]
FleetId = Annotated[str, Field(pattern=r"^[A-Z]{1,2}F[1-9][0-9]{0,2}$")]
Census = Annotated[int, Field(ge=0, le=999)]
LastTurn = Annotated[int, Field(ge=1, le=100)]
Coordinate = Annotated[Rational, Field(ge=0, le=10_000)]

NAME_SIGNS = ",;:>?*\n"
"""Signs that mean something in orders, and are in no name."""


def _orderable(text: str) -> str:
    """A name that orders can use."""
    for sign in NAME_SIGNS:
        if sign in text:
            raise ValueError(f"may not hold {sign!r}, which means something in orders")
    return text


OrderName = Annotated[EntryName, AfterValidator(_orderable)]


class GalaxyEntry(Frozen):
    """A galaxy."""

    key: EntryKey
    name: OrderName


class SectorEntry(Frozen):
    """A sector; ``galaxy`` may be left out where there is none."""

    key: EntryKey
    name: OrderName
    galaxy: EntryKey | None = None


class WorldEntry(Frozen):
    """A planet of a system map; ``x`` and ``y`` are for drawing within it."""

    key: EntryKey
    name: OrderName
    x: Coordinate
    y: Coordinate


class StarEntry(Marked):
    """A star system; ``x`` to the right and ``y`` down are for drawing. Planets are of system maps."""

    key: EntryKey
    name: OrderName
    x: Coordinate
    y: Coordinate
    sector: EntryKey | None = None
    planet: Annotated[tuple[WorldEntry, ...], Field(max_length=12)] = ()


class LaneEntry(Marked):
    """A jump lane between two places, or galaxies. It has a ``lane_class`` if it is explored, else a ``difficulty``."""

    a: PlaceKey
    b: PlaceKey
    type: LaneType = "interstellar"
    lane_class: LaneClass | None = None
    difficulty: Difficulty | None = None


class EmpireEntry(Frozen):
    """An empire; its squadrons' ids begin with its emblem. ``home`` is where it has its first colony."""

    key: EntryKey
    name: OrderName
    emblem: Annotated[str, Field(pattern=r"^[A-Z]{1,2}$")]
    home: PlaceKey


class TreatyEntry(Frozen):
    """What two empires grant each other at the beginning."""

    between: Annotated[tuple[EntryKey, ...], Field(min_length=2, max_length=2)]
    kind: Literal["passage", "war"]


class ColonyEntry(Marked):
    """A colony; without ``empire`` it is nobody's."""

    key: EntryKey
    name: OrderName
    at: PlaceKey
    empire: EntryKey | None = None
    census: Census = 0
    experience: Annotated[int, Field(ge=0, le=9999)] = 0
    rebellion: bool = False


class DerelictEntry(Marked):
    """An alien derelict."""

    key: EntryKey
    name: OrderName
    at: PlaceKey
    kind: UnitKind = "starship"
    siz: Annotated[int, Field(ge=0, le=99)] = 1


class SeatsOpen(Frozen):
    """How many of the empires may play, the first of them in the file's order."""

    least: Annotated[int, Field(ge=2, le=8)]
    most: Annotated[int, Field(ge=2, le=8)]


class ScenarioFile(Marked):
    """The content of ``scenario.toml``. ``source`` is that of all its parts that name none."""

    title: EntryTitle
    turns: LastTurn
    seats: SeatsOpen | None = None
    unsettled_battles: UnsettledBattles = "all stay"
    rules: LaneRules = LaneRules()
    costs: LaneCosts = LaneCosts()
    classes: LaneClassTable = LaneClassTable()
    chances: SurveyChances = SurveyChances()
    scoring: FrontierScoring = FrontierScoring()
    empire: Annotated[tuple[EmpireEntry, ...], Field(max_length=8)]
    galaxy: Annotated[tuple[GalaxyEntry, ...], Field(max_length=9)] = ()
    sector: Annotated[tuple[SectorEntry, ...], Field(max_length=60)] = ()
    system: Annotated[tuple[StarEntry, ...], Field(max_length=400)]
    lane: Annotated[tuple[LaneEntry, ...], Field(max_length=2_000)]
    colony: Annotated[tuple[ColonyEntry, ...], Field(max_length=400)] = ()
    treaty: Annotated[tuple[TreatyEntry, ...], Field(max_length=60)] = ()
    derelict: Annotated[tuple[DerelictEntry, ...], Field(max_length=100)] = ()


class FleetEntry(Frozen):
    """A fleet at the start."""

    id: FleetId
    name: OrderName
    empire: EntryKey


class SquadronEntry(Frozen):
    """A squadron at the start, and the points that it carries."""

    id: SquadronId
    name: OrderName
    empire: EntryKey
    at: PlaceKey
    fleet: FleetId | None = None
    census: Census = 0


class UnitEntry(Frozen):
    """One unit at the start, in one place: a member of a ``squadron``, ``aboard`` one as cargo, or ``at`` a place by
    itself. ``based_on`` is the carrier of a flight."""

    id: EntryKey
    name: OrderName
    class_id: Annotated[str, Field(min_length=1, max_length=40)]
    empire: EntryKey
    squadron: SquadronId | None = None
    aboard: SquadronId | None = None
    at: PlaceKey | None = None
    based_on: EntryKey | None = None
    crippled: bool = False


class LaterUnitEntry(Frozen):
    """A unit of a squadron that comes later."""

    id: EntryKey
    name: OrderName
    class_id: Annotated[str, Field(min_length=1, max_length=40)]
    based_on: EntryKey | None = None


class ReinforcementEntry(Marked):
    """A squadron that comes in a turn, at a colony of its empire."""

    turn: LastTurn
    empire: EntryKey
    name: OrderName
    at: PlaceKey
    unit: Annotated[tuple[LaterUnitEntry, ...], Field(min_length=1, max_length=30)]


class FrontierForces(Frozen):
    """The content of ``units.toml``."""

    fleet: Annotated[tuple[FleetEntry, ...], Field(max_length=100)] = ()
    squadron: Annotated[tuple[SquadronEntry, ...], Field(max_length=200)]
    unit: Annotated[tuple[UnitEntry, ...], Field(max_length=1_000)]
    reinforcement: Annotated[tuple[ReinforcementEntry, ...], Field(max_length=200)] = ()


class FrontierScenario(Frozen):
    """A scenario without defects, as it is kept. ``classes`` are by id; ``playing`` is how many of the empires play, 0
    for all."""

    file: ScenarioFile
    forces: FrontierForces
    classes: dict[str, LaneUnitClass]
    playing: Count = 0

    @property
    def empires(self) -> tuple[EmpireEntry, ...]:
        """The empires that play."""
        return self.file.empire[: self.playing or None]
