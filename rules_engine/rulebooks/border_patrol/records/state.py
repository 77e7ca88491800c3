"""The state of a campaign of Border Patrol: its map, Teams, forces and what else is abroad.

Nothing here decides anything; methods only look things up, always in a fixed order.
"""

from dataclasses import field
from typing import Annotated

from pydantic import Field

from rules_engine.core.basics.base import Count, HexId, Side
from rules_engine.core.basics.record import Record
from rules_engine.core.grids.hexes import Grid
from rules_engine.rulebooks.border_patrol.records.forces import MovementPhase, UnitStack
from rules_engine.rulebooks.border_patrol.records.others import BorderConvoy, Habits
from rules_engine.rulebooks.border_patrol.records.places import (
    HeldSystem,
    IonStorm,
    ListeningPost,
    MapProvince,
    Terrain,
)
from rules_engine.rulebooks.border_patrol.records.settings import Scoring, Supply, TeamIncome, Turn, Zones
from rules_engine.rulebooks.border_patrol.records.units import Unit


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
    """One of the two Teams, with its score and its economic points."""

    id: Side
    name: str
    emblem: str
    score: Count = 0
    treasury: Count = 0


class BorderState(Record):
    """A campaign. ``turn`` is 0 before the first. ``invented`` names the parts of the scenario whose figures are made
    up, in the words of its files."""

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
    invented: tuple[str, ...] = ()

    def province_at(self, hex_id: HexId) -> MapProvince | None:
        """The province of a hex; None where it is in none."""
        return next((one for one in self.provinces.values() if hex_id in one.hexes), None)

    def units_in(self, hex_id: HexId) -> list[Unit]:
        """The units in a hex, by id."""
        return [self.units[key] for key in sorted(self.units) if self.units[key].hex == hex_id]
