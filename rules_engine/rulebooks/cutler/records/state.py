"""The state of a campaign, named as in the rulebook."""

from collections.abc import Iterable
from dataclasses import field
from typing import Literal

from rules_engine.core.basics.base import Frozen, HexId, Side, SideLabel
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.cutler.records.accessories.catalogue import (
    STANDARD,
    Accessory,
    Lots,
    complement,
    lose_boxes,
)
from rules_engine.rulebooks.cutler.records.accessories.flown import boosters_in, fighters_in, flown, without
from rules_engine.rulebooks.cutler.records.accessories.mines import MinesLaid, MinesToLay
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.combat.battles import Battle, Wave
from rules_engine.rulebooks.cutler.records.combat.terrain import HexTerrain
from rules_engine.rulebooks.cutler.records.combat.work import WorkOfImpulse
from rules_engine.rulebooks.cutler.records.conditions.officers import Officer
from rules_engine.rulebooks.cutler.records.economy import BaseSite, DockWork, RepairPoints, Spent
from rules_engine.rulebooks.cutler.records.ground import GroundBaseCost
from rules_engine.rulebooks.cutler.records.parts.coordination import Coordination, InForces
from rules_engine.rulebooks.cutler.records.parts.empires import Empire, Fleet
from rules_engine.rulebooks.cutler.records.parts.missions import Mission
from rules_engine.rulebooks.cutler.records.parts.moons import held_by
from rules_engine.rulebooks.cutler.records.parts.planets import Planet
from rules_engine.rulebooks.cutler.records.parts.sorties import Sortie
from rules_engine.rulebooks.cutler.records.parts.troops import Squads, remaining
from rules_engine.rulebooks.cutler.records.setup import GAS_GIANT_SIZES, Setup, StarSystem
from rules_engine.rulebooks.cutler.records.shipping.convoys import PlottedConvoy, sails_in_convoys
from rules_engine.rulebooks.cutler.records.tables import (
    CAMPAIGN_UNITS,
    TOP_SPEED,
    Terrain,
    UnitKind,
)


class Moment(Frozen):
    """An impulse of a turn."""

    turn: int
    impulse: int


class Unit(Record):
    """One unit. ``id`` is internal and is never shown to another race; names are its race's own.

    ``record`` are its class's figures, those of the undamaged unit. ``retreat_hex`` is where it must go at its next
    opportunity after disengaging; ``nebula_exit`` is the result of an earlier exit roll: a hex it may enter without
    rolling, or ``"random"``. ``maintained`` is the turn of its last maintenance (0: before the first turn), ``missed``
    how often it missed one since; a poor crew that lost yet another level has its penalties doubled. ``held_turn`` is
    the turn for which it must stay where it surveys. ``cargo_cpv`` and ``repair_cpv`` are the CPV in its cargo boxes
    and, unspent, in its repair boxes; ``unload`` is the standing order to empty its cargo boxes into bases, ``sailed``
    that it moved, fled, pursued or flanked in this impulse, so that it is docked no more; ``module_lost`` that every
    internal on its docking module was destroyed in it. ``squads`` are those of its boarding parties that are of other
    kinds, ``officers`` the legendary ones aboard. ``holds`` are the accessories in its own boxes, ``stowed`` those that
    lie inert in its cargo boxes, ``passengers`` the officers and pilots whom it only transports, and ``lays`` the mines
    that it is to lay. ``cloaked`` is whether it is under cloak, ``was_cloaked`` whether it was in this turn;
    ``engaged``, that it chose to show itself in this impulse, and ``found_by`` are the races that found it. ``towing``
    are the units that it has in tow. ``orbit`` is the feature that a base orbits, "" for the planet of its hex, if any;
    ``escaped_to`` the feature to which it escaped in this impulse.
    """

    id: str
    race: Side
    name: str
    record: UnitClass
    officers: tuple[Officer, ...] = ()
    cloaked: bool = False
    was_cloaked: bool = False
    engaged: bool = False
    found_by: list[Side] = field(default_factory=list[Side])
    towing: list[str] = field(default_factory=list[str])
    warp_ok: int
    impulse_ok: int
    special_sensors_ok: int = 0
    cargo_lost: int = 0
    cargo_cpv: int = 0
    boarding_parties: int = 0
    squads: Squads = field(default_factory=Squads)
    crew_units: int = 0
    repair_cpv: int = 0
    unload: bool = False
    sailed: bool = False
    module_lost: bool = False
    crew_quality: Literal["outstanding", "normal", "poor"] = "normal"
    penalties_doubled: bool = False
    maintained: int = 0
    missed: int = 0
    held_turn: int = 0
    hex: HexId
    entered_from: HexId = ""
    entered_at: Moment | None = None
    last_opportunity: Moment | None = None
    hexes_moved: int = 0
    dust_paid: bool = False
    nebula_exit: str = ""
    disengaged_from: list[Side] = field(default_factory=list[Side])
    escaped_from: list[Side] = field(default_factory=list[Side])
    escaped_to: str = ""
    retreat_hex: HexId = ""
    captured_from: Side = ""
    destroyed: bool = False
    holds: Lots = field(default_factory=Lots)
    stowed: Lots = field(default_factory=Lots)
    passengers: Lots = field(default_factory=Lots)
    lays: MinesToLay | None = None
    orbit: str = ""

    @property
    def kind(self) -> UnitKind:
        """What it is: a ship, a base, a PF …"""
        return self.record.kind

    @property
    @rule("2.6.1")
    def is_cu(self) -> bool:
        """Whether it is shown by a counter. 2.6.1"""
        return self.kind in CAMPAIGN_UNITS

    @property
    @rule("2.6.2.1")
    def has_counter(self) -> bool:
        """Whether it is noted on the map: no cloaked unit is. 2.6.2.1"""
        return self.is_cu and not self.cloaked

    @property
    def is_mobile(self) -> bool:
        """Whether units of its kind move on the campaign map at all."""
        return TOP_SPEED[self.kind] > 0

    @property
    @rule("4.2.4.3")
    def fighters(self) -> int:
        """The fighters in its boxes; of fighters outside a carrier their number. 4.2.4.3"""
        return fighters_in(self.holds)

    @property
    @rule("4.2.4.7")
    def booster_sets(self) -> int:
        """Its sets of warp booster packs for fighters. 4.2.4.7"""
        return boosters_in(self.holds)

    @rule("4.2.4.8")
    def lose_parties(self, lost: int) -> None:
        """Lose so many boarding parties, or land them: ordinary ones first, as far as it has them. 4.2.4.8, CU-N126"""
        gone = min(lost, self.boarding_parties)
        self.squads = remaining(self.squads, self.boarding_parties, gone)
        self.boarding_parties -= gone

    def lose_fighters(self, fighters: int, boosters: int) -> None:
        """Lose so many of each, as far as it has them."""
        self.holds = without(self.holds, flown(self.holds, fighters, boosters))

    @property
    def in_fleets(self) -> bool:
        """Whether it is plotted in fleets, impulse by impulse; freighters and Q-ships sail in convoys instead."""
        return self.is_mobile and not sails_in_convoys(self.record)

    @rule("5.1")
    def taken_by(self, captor: Side) -> None:
        """Give it to its captor. Its boarding parties, crew, officers, passengers and fighters are lost, and so are the
        orders that it had; a ship that comes back to the race that built it is no prize any more.

        5.1, CU-N33, CU-N72, CU-N93
        """
        builder = self.captured_from or self.race
        self.captured_from = "" if captor == builder else builder
        self.race = captor
        self.lose_parties(self.boarding_parties)
        self.crew_units, self.crew_quality, self.penalties_doubled = 0, "normal", False
        self.lose_fighters(self.fighters, self.booster_sets)
        self.lays, self.unload, self.held_turn = None, False, 0
        self.officers, self.found_by, self.towing, self.passengers = (), [], [], Lots()
        self.cloaked = self.engaged = False

    @property
    @rule("4.4.2")
    def builds_bases(self) -> bool:
        """Whether it is a tug or a large freighter, and has cargo boxes left. 4.4.2, CU-R90"""
        return (self.record.is_tug or self.record.is_large_freighter) and self.is_mobile and self.whole_cargo_boxes > 0

    @property
    @rule("4.4.3")
    def whole_cargo_boxes(self) -> int:
        """Its cargo boxes that are not destroyed, whatever lies in them: so many CPV a turn it channels to a base.
        4.4.3, CU-R90"""
        return self.record.cargo - self.cargo_lost

    @property
    @rule("4.1.8", "4.2.4.1.2")
    def cargo_boxes(self) -> int:
        """Its cargo boxes that are left for CPV: what is stowed fills others. 4.1.8, 4.2.4.1.2"""
        return self.whole_cargo_boxes - sum(lot.boxes for lot in self.stowed.values())

    @rule("4.1.8")
    def lose_all_cpv(self) -> None:
        """Lose what is in its boxes, as a unit that is destroyed does. 4.1.8"""
        self.cargo_cpv = self.repair_cpv = 0

    @rule("4.1.8")
    def perish(self) -> None:
        """Destroy it with all that is aboard: CPV, accessories, people. 4.1.8, CU-N43, CU-N72"""
        self.destroyed, self.lays = True, None
        self.lose_all_cpv()
        self.holds, self.stowed, self.passengers = Lots(), Lots(), Lots()
        self.lose_parties(self.boarding_parties)
        self.crew_units, self.officers = 0, ()

    @rule("4.1.8")
    def lose_cargo_boxes(self, lost: int) -> None:
        """Destroy so many of its cargo boxes: empty ones first, then those with CPV, then those with accessories, and
        what is in them. 4.1.8, CU-N43, CU-N65"""
        self.cargo_lost = min(self.record.cargo, self.cargo_lost + lost)
        lose_boxes(self.stowed, -self.cargo_boxes)
        self.cargo_cpv = min(self.cargo_cpv, self.cargo_boxes)

    @property
    def title(self) -> str:
        """Its name and class, for its owner."""
        return f"{self.name} ({self.record.name})"

    @property
    def crew(self) -> str:
        """The quality of its crew, in words."""
        return f"{self.crew_quality}, penalties doubled" if self.penalties_doubled else self.crew_quality

    @property
    @rule("7.3")
    def condition(self) -> str:
        """What its crew and missed maintenance do to it, in words; "" if nothing. 7.3"""
        said = [f"crew {self.crew}"] if self.crew_quality != "normal" or self.missed else []
        return ", ".join([*said, "+1 to breakdown rolls"] if self.missed else said)


def new_unit(key: str, race: Side, name: str, record: UnitClass, hex_id: HexId) -> Unit:
    """An undamaged unit with a normal crew."""
    return Unit(
        id=key,
        race=race,
        name=name,
        record=record,
        warp_ok=record.warp,
        impulse_ok=record.impulse,
        special_sensors_ok=record.special_sensors,
        boarding_parties=record.boarding_parties,
        crew_units=record.crew_units,
        hex=hex_id,
        holds=complement(record),
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
    at a feature in this impulse, see ``HexTerrain``, and ``work`` what is done after its battles.
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
