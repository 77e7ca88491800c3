"""The state of a campaign of Border Patrol: its map, Teams, forces and what else is abroad.

Nothing here decides anything; methods only look things up, always in a fixed order.
"""

from dataclasses import field
from typing import Annotated, ClassVar

from pydantic import Field

from rules_engine.core.basics.base import Count, HexId, Side
from rules_engine.core.basics.record import Record
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.views import TrackBook
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.border_patrol.records.battles import Battle, Tallied
from rules_engine.rulebooks.border_patrol.records.forces import MovementPhase, UnitStack
from rules_engine.rulebooks.border_patrol.records.others import BorderConvoy, Habits, SupplyConvoy
from rules_engine.rulebooks.border_patrol.records.places import (
    HeldSystem,
    IonStorm,
    ListeningPost,
    MapProvince,
    Terrain,
)
from rules_engine.rulebooks.border_patrol.records.settings import Option, Scoring, Supply, TeamIncome, Turn, Zones
from rules_engine.rulebooks.border_patrol.records.units import PodCarried, PodLying, Unit


class Race(Record):
    """A race that serves a Team."""

    id: str
    name: str
    team: Side


class Captain(Record):
    """A captain's seat: whoever has it commands the stacks that bear its id. BP-N13"""

    id: str
    name: str
    team: Side


class BorderTeam(Record):
    """One of the two Teams, with its score and its economic points. ``stacks_made`` is the highest number that a stack
    of it ever had, ``tracks`` the numbers under which it knows others' stacks that were turned up."""

    id: Side
    name: str
    emblem: str
    score: Count = 0
    treasury: Count = 0
    stacks_made: Count = 0
    tracks: TrackBook = field(default_factory=TrackBook)


class BorderState(Record):
    """A campaign. ``turn`` is 0 before the first. ``invented`` names the parts of the scenario whose figures are made
    up, in the words of its files. ``pods_lying`` are those that no tug carries. ``came`` is from where somebody came
    openly in this turn to each hex in which a Team stands, by the counter that others see there (``R-0503``).
    ``battles`` are those that are fought now, by hex; ``tallied`` what was scored in this turn.
    ``arrivals_leave`` is that who moved leaves a battle that nobody settles. BP-N36"""

    LATER: ClassVar[frozenset[str]] = frozenset({"came", "pods_lying", "supply_convoys", "options", "arrivals_leave"})

    title: str
    grid: Grid
    turns: Turn
    scoring: Scoring
    supply: Supply
    zones: Zones
    economy: TeamIncome
    turn: Annotated[int, Field(ge=0, le=100)] = 0
    phase: MovementPhase | None = None
    terrain: dict[HexId, Terrain] = field(default_factory=dict[HexId, Terrain])
    teams: dict[Side, BorderTeam] = field(default_factory=dict[Side, BorderTeam])
    races: dict[str, Race] = field(default_factory=dict[str, Race])
    captains: dict[str, Captain] = field(default_factory=dict[str, Captain])
    provinces: dict[str, MapProvince] = field(default_factory=dict[str, MapProvince])
    systems: dict[str, HeldSystem] = field(default_factory=dict[str, HeldSystem])
    storms: dict[str, IonStorm] = field(default_factory=dict[str, IonStorm])
    posts: dict[str, ListeningPost] = field(default_factory=dict[str, ListeningPost])
    units: dict[str, Unit] = field(default_factory=dict[str, Unit])
    stacks: dict[str, UnitStack] = field(default_factory=dict[str, UnitStack])
    convoys: dict[str, BorderConvoy] = field(default_factory=dict[str, BorderConvoy])
    habits: dict[str, Habits] = field(default_factory=dict[str, Habits])
    options: list[Option] = field(default_factory=list[Option])
    supply_convoys: dict[Side, SupplyConvoy] = field(default_factory=dict[Side, SupplyConvoy])
    pods_lying: dict[str, PodLying] = field(default_factory=dict[str, PodLying])
    came: dict[str, HexId] = field(default_factory=dict[str, HexId])
    invented: tuple[str, ...] = ()
    battles: dict[HexId, Battle] = field(default_factory=dict[HexId, Battle])
    tallied: list[Tallied] = field(default_factory=list[Tallied])
    arrivals_leave: bool = False

    def province_at(self, hex_id: HexId) -> MapProvince | None:
        """The province of a hex; None where it is in none."""
        return next((one for one in self.provinces.values() if hex_id in one.hexes), None)

    def units_in(self, hex_id: HexId) -> list[Unit]:
        """The units in a hex, by id."""
        return [self.units[key] for key in sorted(self.units) if self.units[key].hex == hex_id]

    def stacks_of(self, team: Side) -> list[UnitStack]:
        """A Team's stacks, by number."""
        return sorted((one for one in self.stacks.values() if one.team == team), key=lambda one: number_of(one.id))

    def pods_at(self, team: Side, hex_id: HexId) -> list[PodLying]:
        """The pods of a Team that lie in a hex, by number."""
        found = (one for one in self.pods_lying.values() if (one.team, one.hex) == (team, hex_id))
        return sorted(found, key=lambda one: number_of(one.id))

    def set_down(self, team: Side, hex_id: HexId, pod: PodCarried) -> None:
        """Let a pod lie in a hex."""
        key = f"P{max((number_of(one)[0] for one in self.pods_lying), default=0) + 1}"
        self.pods_lying[key] = PodLying(id=key, team=team, hex=hex_id, name=pod.name, weight=pod.weight)

    def members(self, stack: UnitStack) -> list[Unit]:
        """The units of a stack."""
        return [self.units[key] for key in stack.units]

    def stack_of(self, unit: str) -> UnitStack | None:
        """The stack in which a unit is; None of bases, monsters and alien ships."""
        return next((one for _, one in sorted(self.stacks.items()) if unit in one.units), None)

    def towed_by(self, unit: Unit) -> list[Unit]:
        """What a unit has in tow."""
        return [self.units[key] for key in unit.towing]

    def convoy_of(self, stack: str) -> BorderConvoy | None:
        """The convoy that a stack is, as long as it goes its way."""
        return next(
            (one for _, one in sorted(self.convoys.items()) if one.stack == stack and one.fate in UNDER_WAY), None
        )

    def other(self, team: Side) -> Side:
        """The opposing Team."""
        return next(key for key in self.teams if key != team)

    @property
    def now(self) -> MovementPhase:
        """The movement phase.

        Raises:
            LookupError: when there is none.
        """
        if self.phase is None:
            raise LookupError("no movement phase is under way")
        return self.phase


UNDER_WAY = ("waiting", "under way")
"""Fates of convoys that nobody commands."""
BorderTurn = TurnContext[BorderState]


def number_of(stack: str) -> tuple[int, str]:
    """What stacks are sorted by: the number in the id."""
    return int("".join(char for char in stack if char.isdigit())), stack
