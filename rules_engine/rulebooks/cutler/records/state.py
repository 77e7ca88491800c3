"""The state of a campaign, named as in the rulebook."""

from collections.abc import Iterable
from dataclasses import field
from typing import ClassVar, Literal

from rules_engine.core.basics.base import HexId, Side, SideLabel
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.cutler.records.accessories.catalogue import (
    STANDARD,
    Accessory,
)
from rules_engine.rulebooks.cutler.records.accessories.mines import MinesLaid
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.combat.battles import Battle, Wave
from rules_engine.rulebooks.cutler.records.combat.terrain import HexTerrain
from rules_engine.rulebooks.cutler.records.combat.work import WorkOfImpulse
from rules_engine.rulebooks.cutler.records.economy import BaseSite, DockWork, RepairPoints, Spent
from rules_engine.rulebooks.cutler.records.ground import GroundBaseCost
from rules_engine.rulebooks.cutler.records.parts.coordination import Coordination, InForces
from rules_engine.rulebooks.cutler.records.parts.empires import Empire, Fleet
from rules_engine.rulebooks.cutler.records.parts.missions import Mission
from rules_engine.rulebooks.cutler.records.parts.moons import held_by
from rules_engine.rulebooks.cutler.records.parts.planets import Planet
from rules_engine.rulebooks.cutler.records.parts.sorties import Sortie
from rules_engine.rulebooks.cutler.records.parts.standing import StandingRecord
from rules_engine.rulebooks.cutler.records.parts.units import Moment, Unit, new_unit
from rules_engine.rulebooks.cutler.records.setup import GAS_GIANT_SIZES, Setup, StarSystem
from rules_engine.rulebooks.cutler.records.shipping.convoys import PlottedConvoy
from rules_engine.rulebooks.cutler.records.tables import (
    Terrain,
)


class Fight(InForces):
    """What goes on in one hex of the combat phase, which is a strand of play: all that it leaves for the rest of the
    state to be carried out when all hexes have ended.

    ``pairs`` fought each other, in order; ``in_battle`` were in a battle; ``prizes`` are captured units that have no
    fleet yet; ``driven_off`` disengaged; ``known`` are the names of foreign ships that each race has learnt here.
    ``ground`` is who is at which terrain feature; ``flights`` are fighters apart from their carriers, as units;
    ``parted`` are races that have ended their coordination; ``work`` is what goes on between and after its battles.
    """

    waves: list[Wave] = field(default_factory=list[Wave])
    paired: list[str] = field(default_factory=list[str])
    passed: list[Side] = field(default_factory=list[Side])
    battle: Battle | None = None
    pairs: list[tuple[Side, Side]] = field(default_factory=list[tuple[Side, Side]])
    in_battle: list[Side] = field(default_factory=list[Side])
    prizes: list[str] = field(default_factory=list[str])
    driven_off: list[str] = field(default_factory=list[str])
    known: dict[Side, dict[str, Side]] = field(default_factory=dict[Side, dict[str, Side]])
    ground: HexTerrain = field(default_factory=HexTerrain)
    flights: dict[str, Unit] = field(default_factory=dict[str, Unit])
    parted: list[Side] = field(default_factory=list[Side])
    work: WorkOfImpulse = field(default_factory=WorkOfImpulse)


class CutlerState(Record):
    """Everything that matters between two asks.

    While hexes are fought over, ``fights`` holds what goes on in each, and ``shown`` the counters as they stood before.
    ``out`` are the races that are out of play, as everybody was told at the end of a turn; ``last_through`` the races
    that were the last to move through surveyed hexes of neutral space. ``rebels`` are those that missions raise this
    turn, by planet; ``revolts`` the planets that a friendly ship calls to a major revolt. ``systems`` are what else is
    in planets' hexes, ``moons`` those on which troops may be, by key, and ``gas_giants`` the least and greatest size of
    one; ``setup`` is a set-up that is not over yet. ``presence`` is since when each race is in a hex without a break.
    ``works`` are by docking bay, ``minefields`` by race and what they surround. ``navigators`` tells whether somebody
    began with a legendary navigator, which all know, though not who or where. ``fought_at`` is where units have fought
    at a feature in this impulse, see ``HexTerrain``, and ``work`` what is done after its battles. ``standing`` are
    standing orders, by the race or the fleet (as ``hydran/F1``) that has some.
    """

    title: str
    turns: int
    tie_break: Literal["none", "fleet_value"] = "none"
    sides: tuple[SideLabel, ...]
    grid: Grid
    terrain: dict[HexId, Terrain] = field(default_factory=dict[HexId, Terrain])
    unsurveyed: list[HexId] = field(default_factory=list[HexId])
    territory: dict[HexId, Side] = field(default_factory=dict[HexId, Side])
    last_through: dict[HexId, Side] = field(default_factory=dict[HexId, Side])
    presence: dict[HexId, dict[Side, Moment]] = field(default_factory=dict[HexId, dict[Side, Moment]])
    turn: int = 0
    impulse: int = 0
    empires: dict[Side, Empire]
    planets: dict[str, Planet]
    units: dict[str, Unit]
    fleets: dict[str, Fleet] = field(default_factory=dict[str, Fleet])
    convoys: dict[str, PlottedConvoy] = field(default_factory=dict[str, PlottedConvoy])
    missions: list[Mission] = field(default_factory=list[Mission])
    insurrections: dict[str, int] = field(default_factory=dict[str, int])
    rebels: dict[str, int] = field(default_factory=dict[str, int])
    revolts: list[str] = field(default_factory=list[str])
    fights: dict[HexId, Fight] = field(default_factory=dict[HexId, Fight])
    shown: list[tuple[Side, HexId]] = field(default_factory=list[tuple[Side, HexId]])
    coordination: Coordination = field(default_factory=Coordination)
    sorties: list[Sortie] = field(default_factory=list[Sortie])
    out: list[Side] = field(default_factory=list[Side])
    systems: dict[HexId, StarSystem] = field(default_factory=dict[HexId, StarSystem])
    moons: dict[str, Planet] = field(default_factory=dict[str, Planet])
    gas_giants: tuple[int, int] = GAS_GIANT_SIZES
    setup: Setup | None = None
    classes: dict[str, UnitClass] = field(default_factory=dict[str, UnitClass])
    repair_points: RepairPoints = RepairPoints()
    ground_base_cost: GroundBaseCost = GroundBaseCost()
    works: dict[str, DockWork] = field(default_factory=dict[str, DockWork])
    sites: dict[str, BaseSite] = field(default_factory=dict[str, BaseSite])
    spent: list[Spent] = field(default_factory=list[Spent])
    navigators: bool = False
    accessories: dict[str, Accessory] = field(default_factory=lambda: dict(STANDARD))
    minefields: dict[str, MinesLaid] = field(default_factory=dict[str, MinesLaid])
    fought_at: dict[str, str] = field(default_factory=dict[str, str])
    work: WorkOfImpulse = field(default_factory=WorkOfImpulse)
    invented: bool = True
    standing: dict[str, StandingRecord] = field(default_factory=dict[str, StandingRecord])
    LATER: ClassVar[frozenset[str]] = frozenset({"standing"})

    # --- lookups ---------------------------------------------------------------------------------------------------

    def races(self) -> tuple[Side, ...]:
        """All races, in the scenario's order."""
        return tuple(label.key for label in self.sides)

    @property
    def cloaks(self) -> bool:
        """Whether there are classes with cloaks, which all know who know the scenario."""
        return any(kind.cloak for kind in self.classes.values())

    def name_of(self, race: Side) -> str:
        """A race's printed name."""
        return next(label.name for label in self.sides if label.key == race)

    def names_of(self, races: Iterable[Side]) -> str:
        """The printed names of races that act as one: ``Hydran and Lyran``."""
        return " and ".join(map(self.name_of, races))

    def alive(self, race: Side | None = None) -> list[Unit]:
        """Units in play, by id; of one race if named."""
        return [
            unit
            for key in sorted(self.units)
            if not (unit := self.units[key]).destroyed and (race is None or unit.race == race)
        ]

    def units_in(self, hex_id: HexId, race: Side | None = None) -> list[Unit]:
        """Units in a hex, by id; of one race if named."""
        here = {key: unit for key, unit in self.units.items() if unit.hex == hex_id and not unit.destroyed}
        return [here[key] for key in sorted(here) if race is None or here[key].race == race]

    def fighting(self, hex_id: HexId, key: str) -> Unit:
        """A unit that fights in a hex, or fighters that are apart from their carrier there, by id."""
        here = self.fights.get(hex_id)
        return here.flights[key] if here is not None and key in here.flights else self.units[key]

    def races_in(self, hex_id: HexId) -> list[Side]:
        """Races that have a unit of any kind in a hex, in the scenario's order."""
        present = {unit.race for unit in self.units.values() if unit.hex == hex_id and not unit.destroyed}
        return [race for race in self.races() if race in present]

    def meetings(self) -> list[HexId]:
        """The hexes in which more than one race has units of any kind, in ascending order of number."""
        holders: dict[HexId, Side] = {}
        living = [unit for unit in self.units.values() if not unit.destroyed]
        return sorted({unit.hex for unit in living if holders.setdefault(unit.hex, unit.race) != unit.race})

    def fleets_of(self, race: Side) -> list[Fleet]:
        """A race's fleets, by their number."""
        return sorted((fleet for fleet in self.fleets.values() if fleet.race == race), key=lambda one: int(one.key[1:]))

    def fleet(self, race: Side, key: str) -> Fleet | None:
        """A race's fleet of that key."""
        return self.fleets.get(f"{race}/{key}")

    def members(self, fleet: Fleet) -> list[Unit]:
        """A fleet's ships; those that were lost in this phase are none any more."""
        ships = [self.units[key] for key in fleet.units]
        return [unit for unit in ships if not unit.destroyed and unit.race == fleet.race]

    def place_of(self, fleet: Fleet) -> HexId:
        """Where a fleet is. Its ships are always together."""
        return self.units[fleet.units[0]].hex

    def new_fleet(self, race: Side, units: Iterable[str], course: Iterable[HexId] = ()) -> Fleet:
        """Put ships into a fleet of its own, under a number not used before."""
        empire = self.empires[race]
        empire.fleets_named += 1
        fleet = Fleet(key=f"F{empire.fleets_named}", race=race, units=list(units), course=list(course))
        self.fleets[f"{race}/{fleet.key}"] = fleet
        return fleet

    def commission(self, race: Side, name: str, record: UnitClass, hex_id: HexId) -> Unit:
        """A new unit of a race, in a fleet of its own if it moves."""
        empire = self.empires[race]
        while not empire.units_built or f"{race}-{empire.units_built}" in self.units:
            empire.units_built += 1
        unit = self.units[f"{race}-{empire.units_built}"] = new_unit(
            f"{race}-{empire.units_built}", race, name, record, hex_id
        )
        if unit.in_fleets:
            self.new_fleet(race, [unit.id])
        return unit

    @rule("2.10")
    def command_rating(self, race: Side, hex_id: HexId) -> int:
        """The best command rating among a race's units with counters in a hex. 2.10, CU-R29, CU-R33"""
        return max((unit.record.rating for unit in self.units_in(hex_id, race) if unit.has_counter), default=0)

    @rule("2.6.2", "2.7.5")
    def counters(self) -> list[tuple[Side, HexId]]:
        """The generic counters on the map: one for each race and hex with campaign units, a convoy's escorts among
        them. Public. 2.6.2, 2.7.5, CU-N14"""
        if self.fights:
            return self.shown
        placed = {(unit.race, unit.hex) for unit in self.units.values() if unit.has_counter and not unit.destroyed}
        placed = self.coordination.merged(placed, self.command_rating)
        order = self.races()
        return sorted(placed, key=lambda counter: (order.index(counter[0]), counter[1]))

    def planets_of(self, race: Side) -> list[Planet]:
        """Planets in a race's hands."""
        return [self.planets[key] for key in sorted(self.planets) if self.planets[key].owner == race]

    def bodies(self) -> dict[str, Planet]:
        """Planets, then moons, by key: all on which there may be troops and ground bases."""
        return self.planets | self.moons

    def bodies_in_order(self) -> list[Planet]:
        """Planets by key, then moons by key."""
        return [of[key] for of in (self.planets, self.moons) for key in sorted(of)]

    def has_nothing(self, race: Side) -> bool:
        """Whether it has neither a planet nor a unit of any kind, base and police ship included, nor troops on a planet
        that they fight for, nor anything on a moon. CU-N110"""
        fighting = any(body.landed.get(race) for body in self.bodies().values())
        return not (fighting or self.planets_of(race) or held_by(self.moons, race) or self.alive(race))

    def moment(self) -> Moment:
        """Now."""
        return Moment(turn=self.turn, impulse=self.impulse)


CutlerTurn = TurnContext[CutlerState]
