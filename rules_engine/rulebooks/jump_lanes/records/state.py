"""The state of a campaign of jump lanes: its map, empires, units and what is fought out now.

Nothing here decides anything; methods only look things up, always in a fixed order, and keep what they look up by.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, ClassVar

from pydantic import Field

from rules_engine.core.basics.base import Count, Side
from rules_engine.core.basics.record import Record
from rules_engine.core.grids.lanes import Lane, LaneMap, System
from rules_engine.core.knowledge.views import TrackBook
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.jump_lanes.records.battles import Battle, ScoreLine
from rules_engine.rulebooks.jump_lanes.records.orders import Stance
from rules_engine.rulebooks.jump_lanes.records.places import (
    Colony,
    Derelict,
    Galaxy,
    JumpLane,
    LaneId,
    LanePlanet,
    LaneSystem,
    PlaceId,
    Sector,
    system_of,
)
from rules_engine.rulebooks.jump_lanes.records.settings import (
    FrontierScoring,
    LaneClassTable,
    LaneCosts,
    LaneRules,
    SurveyChances,
)
from rules_engine.rulebooks.jump_lanes.records.units import LaneFleet, Squadron, Unit


class LaneEmpire(Record):
    """An empire. ``places`` are the places that it knows, ``sights`` the ends of unexplored lanes that it knows, by
    their marks; ``stances`` what it grants others, who have nothing of it where it says nothing.

    ``squadrons_made`` is the highest number that a squadron of it ever had, ``tracks`` the numbers under which it knows
    others' groups. ``landed`` is the census that it was credited with, by place, ``bases`` where starbases of it were
    set up; ``out`` that it is out of play. JL-R19, JL-R42
    """

    id: Side
    name: str
    emblem: str
    home: PlaceId = ""
    score: Count = 0
    places: list[PlaceId] = field(default_factory=list[PlaceId])
    sights: list[str] = field(default_factory=list[str])
    stances: dict[Side, Stance] = field(default_factory=dict[Side, Stance])
    squadrons_made: Count = 0
    fleets_made: Count = 0
    tracks: TrackBook = field(default_factory=TrackBook)
    landed: dict[PlaceId, int] = field(default_factory=dict[PlaceId, int])
    bases: list[PlaceId] = field(default_factory=list[PlaceId])
    out: bool = False


class LaneReinforcement(Record):
    """A squadron that comes in a turn, at a place of its empire."""

    turn: Count
    empire: Side
    at: PlaceId
    name: str
    units: list[Unit] = field(default_factory=list[Unit])


@dataclass
class UnitIndex:
    """Where units are, by what holds them: members and cargo of squadrons, and what stands by itself at places."""

    members: dict[str, list[str]]
    aboard: dict[str, list[str]]
    standing: dict[PlaceId, list[str]]

    @classmethod
    def of(cls, units: dict[str, Unit]) -> "UnitIndex":
        """Look through all units."""
        made = cls({}, {}, {})
        for key in sorted(units):
            unit = units[key]
            if unit.squadron:
                made.members.setdefault(unit.squadron, []).append(key)
            elif unit.aboard:
                made.aboard.setdefault(unit.aboard, []).append(key)
            else:
                made.standing.setdefault(unit.at, []).append(key)
        return made


class HasUnitIndex:
    """Holds the index of a state's units and its map as a graph, which are no fields of it."""

    __slots__ = ("chart_found", "lanes_found", "units_found")
    chart_found: LaneMap | None
    lanes_found: dict[PlaceId, list[LaneId]] | None
    units_found: UnitIndex | None


class LanesState(Record, HasUnitIndex):
    """A campaign. ``turn`` is 0 before the first. ``invented`` names the parts of the scenario whose figures are made
    up. ``battles`` are those that are fought now, by key; ``moving`` is that groups are on their way, and some have
    paid for all of a jump that they are still in; ``moved`` the last turn whose movement has begun and is paid for;
    ``derelicts_made`` is how many derelicts there ever were. ``arrivals_leave`` is that who came last
    leaves a battle that nobody settles. ``stood_off`` is who stood against whom where a battle ended by rule, by place:
    they do not fight again while nothing there has changed. JL-N19"""

    title: str
    turns: Annotated[int, Field(ge=1, le=100)]
    rules: LaneRules = LaneRules()
    costs: LaneCosts = LaneCosts()
    classes: LaneClassTable = LaneClassTable()
    chances: SurveyChances = SurveyChances()
    scoring: FrontierScoring = FrontierScoring()
    turn: Annotated[int, Field(ge=0, le=100)] = 0
    empires: dict[Side, LaneEmpire] = field(default_factory=dict[Side, LaneEmpire])
    galaxies: dict[str, Galaxy] = field(default_factory=dict[str, Galaxy])
    sectors: dict[str, Sector] = field(default_factory=dict[str, Sector])
    systems: dict[str, LaneSystem] = field(default_factory=dict[str, LaneSystem])
    planets: dict[PlaceId, LanePlanet] = field(default_factory=dict[PlaceId, LanePlanet])
    lanes: dict[LaneId, JumpLane] = field(default_factory=dict[LaneId, JumpLane])
    colonies: dict[str, Colony] = field(default_factory=dict[str, Colony])
    derelicts: dict[str, Derelict] = field(default_factory=dict[str, Derelict])
    fleets: dict[str, LaneFleet] = field(default_factory=dict[str, LaneFleet])
    squadrons: dict[str, Squadron] = field(default_factory=dict[str, Squadron])
    units: dict[str, Unit] = field(default_factory=dict[str, Unit])
    reinforcements: list[LaneReinforcement] = field(default_factory=list[LaneReinforcement])
    battles: dict[str, Battle] = field(default_factory=dict[str, Battle])
    moving: bool = False
    moved: Count = 0
    ledger: list[ScoreLine] = field(default_factory=list[ScoreLine])
    derelicts_made: Count = 0
    invented: tuple[str, ...] = ()
    arrivals_leave: bool = False
    stood_off: dict[PlaceId, str] = field(default_factory=dict[PlaceId, str])

    LATER: ClassVar[frozenset[str]] = frozenset({"arrivals_leave", "stood_off"})

    def __post_init__(self) -> None:
        self.index()

    def index(self) -> None:
        """Forget what was looked up."""
        self.units_found = None
        self.chart_found = None
        self.lanes_found = None

    # --- units

    @property
    def found(self) -> UnitIndex:
        """Where the units are."""
        if self.units_found is None:
            self.units_found = UnitIndex.of(self.units)
        return self.units_found

    def members(self, squadron: str) -> list[Unit]:
        """The units of a squadron, also those in tow, without its cargo."""
        return [self.units[key] for key in self.found.members.get(squadron, [])]

    def carried(self, squadron: str) -> list[Unit]:
        """The units aboard a squadron as cargo."""
        return [self.units[key] for key in self.found.aboard.get(squadron, [])]

    def standing(self, place: PlaceId) -> list[Unit]:
        """The units that stand by themselves at a place."""
        return [self.units[key] for key in self.found.standing.get(place, [])]

    def put(self, unit: Unit, *, squadron: str = "", aboard: str = "", at: PlaceId = "") -> None:
        """Put a unit into a squadron, aboard one as cargo in this turn, or at a place; it is new or comes from
        elsewhere."""
        self.units[unit.id] = unit
        unit.squadron, unit.aboard, unit.at = squadron, aboard, at
        unit.embarked = self.turn if aboard else 0
        unit.based_on, unit.towed, unit.tows = "", False, False
        self.units_found = None

    def take_out(self, unit: Unit) -> None:
        """Take a unit out of play; who tows it or is based on it is looked after by who calls this."""
        del self.units[unit.id]
        self.units_found = None

    # --- squadrons, fleets

    def squadrons_of(self, empire: Side) -> list[Squadron]:
        """An empire's squadrons, by number."""
        return sorted(
            (one for one in self.squadrons.values() if one.empire == empire), key=lambda one: by_number(one.id)
        )

    def fleets_of(self, empire: Side) -> list[LaneFleet]:
        """An empire's fleets, by number."""
        return sorted((one for one in self.fleets.values() if one.empire == empire), key=lambda one: by_number(one.id))

    def group(self, key: str) -> list[Squadron]:
        """The squadrons that move together as one: those of a fleet, or one squadron."""
        if key in self.squadrons:
            return [self.squadrons[key]]
        return sorted((one for one in self.squadrons.values() if one.fleet == key), key=lambda one: by_number(one.id))

    def group_of(self, squadron: Squadron) -> str:
        """The group with which a squadron moves: its fleet, or itself."""
        return squadron.fleet or squadron.id

    def groups_of(self, empire: Side) -> list[str]:
        """The groups of an empire: its fleets, then its squadrons that are in none."""
        fleets = [one.id for one in self.fleets_of(empire)]
        return [*fleets, *(one.id for one in self.squadrons_of(empire) if not one.fleet)]

    def squadrons_at(self, place: PlaceId) -> list[Squadron]:
        """The squadrons at a place, by empire and number."""
        here = (one for one in self.squadrons.values() if one.at == place)
        return sorted(here, key=lambda one: (one.empire, by_number(one.id)))

    # --- places and lanes

    @property
    def chart(self) -> LaneMap:
        """All places and lanes as a graph; a lane's ``kind`` is its id. Intergalactic lanes are not on it."""
        if self.chart_found is None:
            places = [System(id=one.id, name=one.name, x=one.x, y=one.y) for one in self.systems.values()]
            places += [System(id=one.id, name=one.id, x=one.x, y=one.y) for one in self.planets.values()]
            joined = (one for one in self.lanes.values() if one.type != "intergalactic")
            lanes = [Lane(a=one.a, b=one.b, length=Fraction(1), kind=one.id) for one in joined]
            self.chart_found = LaneMap(systems=tuple(places), lanes=tuple(lanes))
        return self.chart_found

    def lanes_at(self, end: PlaceId) -> list[JumpLane]:
        """The lanes that end at a place, or of a galaxy those to others, explored or not, in their order."""
        if self.lanes_found is None:
            found: dict[PlaceId, list[LaneId]] = {}
            for key, one in self.lanes.items():
                for place in (one.a, one.b):
                    found.setdefault(place, []).append(key)
            self.lanes_found = found
        return [self.lanes[key] for key in self.lanes_found.get(end, [])]

    def place_name(self, place: PlaceId) -> str:
        """What a place is called: ``Sol``, ``Earth``."""
        planet = self.planets.get(place)
        return planet.name if planet is not None else self.systems[place].name

    def sector_of(self, place: PlaceId) -> str:
        """The sector in which a place is; empty where there are none."""
        return self.systems[system_of(place)].sector

    def galaxy_of(self, place: PlaceId) -> str:
        """The galaxy in which a place is; empty where there is but one."""
        sector = self.sectors.get(self.sector_of(place))
        return "" if sector is None else sector.galaxy

    def colonies_at(self, place: PlaceId) -> list[Colony]:
        """The colonies at a place."""
        return [one for _, one in sorted(self.colonies.items()) if one.at == place]

    # --- empires

    def stance(self, empire: Side, other: Side) -> Stance:
        """What an empire grants another."""
        return self.empires[empire].stances.get(other, "none")

    def others(self, empire: Side) -> list[Side]:
        """All other empires."""
        return [key for key in self.empires if key != empire]


LanesTurn = TurnContext[LanesState]


def by_number(key: str) -> tuple[int, str]:
    """What squadrons and fleets are sorted by: the number in the id."""
    return int("".join(char for char in key if char.isdigit()) or 0), key


def names_of(units: Iterable[Unit]) -> str:
    """The names of units in their order."""
    return ", ".join(unit.name for unit in units)
