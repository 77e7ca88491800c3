"""The state of a PQ-17 campaign: its map, its forces (``forces.py``), the present impulse, and the victory points.

Nothing here decides anything. Chapters are functions over these records; methods only look things up, always in a
fixed order. Ids of task forces and units are private to their owner and must never reach the other side, which knows
them by the numbers of its :class:`TrackBook`.
"""

from dataclasses import field
from fractions import Fraction
from operator import attrgetter
from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import Frozen, HexId, Side, SideLabel
from rules_engine.core.basics.rational import Rational
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.views import TrackBook
from rules_engine.rulebooks.pq17.records.battles import Battle, ShadowLink
from rules_engine.rulebooks.pq17.records.construction import BuiltBase
from rules_engine.rulebooks.pq17.records.forces import MarkName, SettledHex, TaskForce, Unit
from rules_engine.rulebooks.pq17.records.logistics import LogisticsPlan, SupplyRoutine
from rules_engine.rulebooks.pq17.records.minefields import Mines
from rules_engine.rulebooks.pq17.records.progress import Progress
from rules_engine.rulebooks.pq17.records.roster import ForceIndex, natural_order, refile
from rules_engine.rulebooks.pq17.records.special_conditions import Specials
from rules_engine.rulebooks.pq17.records.standing_orders import StandingOrders
from rules_engine.rulebooks.pq17.tables.operations import TURNS_A_PERIOD, VpLineName
from rules_engine.rulebooks.pq17.tables.order_of_battle import OrderOfBattle, ReadyMade
from rules_engine.rulebooks.pq17.tables.schedule import Schedule
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass

ALLIANCE = "alliance"
COALITION = "coalition"
LOADS = ("pod", "module")
"""The kinds of unit that ships carry: a pod on a tug, a module in cargo boxes. PQ-17 1.8.12.5, 10.3.7.2.2."""


class MapHex(Frozen):
    """The contents of a hex."""

    terrain: Literal["space", "nebula", "planet"] = "space"
    invented: bool = False


class VpLine(Frozen):
    """One line of victory points. In the running total, Alliance points are positive. PQ-17 T5.note2."""

    line: VpLineName
    amount: Rational
    turn: int
    impulse: int
    text: str
    public: bool = True
    seen_by: tuple[Side, ...] = ()


UnsettledEnd = Annotated[
    Literal["attackers leave", "defenders leave"], Field(exclude_if=lambda how: how == "attackers leave")
]


class ScenarioSettings(Frozen):
    """What the scenario settles for the whole campaign."""

    title: str
    turns: Annotated[int, Field(ge=1)]
    victory_points: Rational
    """The Alliance wins with a total at or above this."""
    local_conditions: tuple[int, int, int, int] = (11, 59, 78, 100)
    """The highest D100 result of Good, Moderate, Poor and Terrible. PQ-17 C.local-conditions."""
    flag_empires: tuple[str, ...] = ()
    """Empires whose task forces search under the flag rule, if all their ships are that empire's.

    PQ-17 6.3.4.10.1, C.flag.kzinti.
    """
    shadowed_is_cumulative: bool = False
    """Ruling REC-10: whether a result S means "everything up to S"."""
    minefield_hexes: tuple[HexId, ...] = ()
    """Hexes without base, planet or settlement that may hold minefields all the same (12.1.9)."""
    battle_notes: str = ""
    """Optional tactical rules agreed by the players, printed on battle sheets (1.9.9)."""
    special_tables: Literal["", "pq17"] = ""
    """The name of the set of special conditions and random events to roll for (1.5.3)."""
    raid_table: Literal["", "pq17"] = ""
    """The name of the raid tables in use; empty: settled hexes cannot be raided (8.6.1)."""
    ghost_turns: Annotated[int, Field(ge=1)] = TURNS_A_PERIOD
    """How many turns after its last sighting a lost contact stays on maps and in lists."""
    repair_costs: dict[str, int] = Field(default_factory=dict[str, int])
    """Cost of Repair by type of box, without the operational factor (11.4.9.3, ruling REP-1)."""
    repair_source: str = "invented"
    unsettled_battles: UnsettledEnd = "attackers leave"
    """Who leaves a battle on whose account nobody agrees in time. PQ-203"""

    campaign: OrderOfBattle = OrderOfBattle()
    """Nations, forces, convoys and deployment; empty of nations where the scenario is not a campaign."""
    schedule: Schedule = Schedule()
    """Reinforcements and transfers by period. PQ-17 C.schedule.1 to C.schedule.20."""

    @rule("6.3.3", "C.local-conditions")
    def conditions_of(self, rolled: int) -> int:
        """The local conditions, 1 to 4, of a D100. PQ-17 6.3.3, C.local-conditions."""
        return next(level for level, most in enumerate(self.local_conditions, start=1) if rolled <= most)


class HasForces:
    """Holds the index of a state's task forces, which is no field of it and made when it is first needed."""

    __slots__ = ("forces_found",)
    forces_found: ForceIndex | None
    task_forces: dict[str, TaskForce]

    @property
    def forces(self) -> ForceIndex:
        """Where the task forces are."""
        if self.forces_found is None:
            self.forces_found = ForceIndex(self.task_forces.values())
        return self.forces_found


class State(Record, HasForces):
    """A campaign as it stands."""

    settings: ScenarioSettings
    sides: tuple[SideLabel, ...]
    grid: Grid
    hexes: dict[HexId, MapHex] = field(default_factory=dict[HexId, MapHex])
    """Hexes that differ from empty space."""
    classes: dict[str, ShipClass]
    units: dict[str, Unit]
    task_forces: dict[str, TaskForce]
    settled: dict[HexId, SettledHex] = field(default_factory=dict[HexId, SettledHex])
    tracks: dict[Side, TrackBook] = field(default_factory=dict[Side, TrackBook])
    """By viewer: the numbers under which it holds the other side's task forces, by task force id."""
    doctrine: dict[Side, StandingOrders] = field(default_factory=dict[Side, StandingOrders])
    ledger: list[VpLine] = field(default_factory=list[VpLine])
    pools: dict[Side, dict[str, dict[str, Rational]]] = field(
        default_factory=dict[Side, dict[str, dict[str, Rational]]]
    )
    """Unspent points by side, force and category. PQ-17 C.purchase.4."""
    ready_made: dict[Side, ReadyMade] = field(default_factory=dict[Side, ReadyMade])
    """The shipped orders of battle; emptied once the campaign has begun."""
    progress: Progress = field(default_factory=Progress)
    """What is not on the map: arrivals, transfers, command points, convoys."""

    turn: int = 0
    """The last turn begun; 0 before the first."""
    impulse: int = 0
    """1 to 3 in the operations step, 0 outside it."""
    half: Literal["", "A", "B"] = ""
    initiative: Side = ALLIANCE
    """Who won the last initiative roll. PQ-17 ruling INI-1."""
    conditions: dict[HexId, int] = field(default_factory=dict[HexId, int])
    """Local conditions already rolled this impulse. PQ-17 6.3.3."""
    shadow_links: list[ShadowLink] = field(default_factory=list[ShadowLink])
    """Who shadows whom, by units, as the last combat step left it. PQ-17 7.5."""
    special: Specials = field(default_factory=Specials)
    """Special conditions and random events. PQ-17 1.5."""
    battles: list[Battle] = field(default_factory=list[Battle])
    """Battles formed in this combat step and not yet over. PQ-17 8.4.6."""
    built: list[BuiltBase] = field(default_factory=list[BuiltBase])
    """Bases that were built, in the order in which they were built. PQ-17 1.8.12."""
    logistics: dict[Side, LogisticsPlan] = field(default_factory=dict[Side, LogisticsPlan])
    """Each side's logistics plan of this turn. PQ-17 SOP.2.a.iv."""
    supply_routine: dict[Side, SupplyRoutine] = field(default_factory=dict[Side, SupplyRoutine])
    """Each side's settings for its logistics; the defaults where it set none."""
    mines: Mines = field(default_factory=Mines)
    """Operational minefields. PQ-17 12."""

    def __post_init__(self) -> None:
        self.index()

    def index(self) -> None:
        """Find out anew where the task forces are."""
        self.forces_found = None

    def with_units(self, units: dict[str, Unit]) -> "State":
        """The state with these units, to try something on; its task forces are the same."""
        other = self.changed(units=units)
        other.forces_found = self.forces
        return other

    # --- sides ----------------------------------------------------------------------------------------------------

    def enemy_of(self, side: Side) -> Side:
        """The other side."""
        one, other = self.sides
        return other.key if one.key == side else one.key

    @property
    def non_initiative(self) -> Side:
        """The side without the initiative."""
        return self.enemy_of(self.initiative)

    # --- units and task forces --------------------------------------------------------------------------------------

    def class_of(self, unit: Unit) -> ShipClass:
        """The unit's class."""
        return self.classes[unit.class_id]

    def units_of(self, tf: TaskForce) -> list[Unit]:
        """The units of a task force, by id."""
        return list(map(self.units.__getitem__, sorted(tf.units)))

    @rule("1.8.12.5")
    def is_load(self, tf: TaskForce, unit: Unit) -> bool:
        """Whether a ship of the task force carries it: a pod by its tug, or a module as cargo. Then it is no ship: it
        neither moves, pays, searches nor is hit by itself. PQ-17 1.8.12.5, ruling FUE-5."""
        return bool(unit.carried_by) and unit.carried_by in tf.units and self.class_of(unit).unit_kind in LOADS

    def separate_units(self, tf: TaskForce) -> list[Unit]:
        """The ships and bases of a task force, by id, and pods that no ship carries: all its units but its loads."""
        return [unit for unit in self.units_of(tf) if not (unit.carried_by and self.is_load(tf, unit))]

    def tf_of(self, unit_id: str) -> TaskForce | None:
        """The task force a unit is in; None for one that is destroyed."""
        return self.forces.by_unit.get(unit_id)

    def all_task_forces(self, side: Side | None = None) -> list[TaskForce]:
        """All task forces (of ``side``), by natural order of their ids."""
        return list(self.forces.all if side is None else self.forces.by_side.get(side, ()))

    def task_forces_in(self, hex_id: HexId, side: Side | None = None) -> list[TaskForce]:
        """The task forces (of ``side``) in a hex, base clusters included."""
        return [tf for tf in self.forces.by_hex.get(hex_id, ()) if side is None or tf.side == side]

    def put_force(self, tf: TaskForce) -> None:
        """Put a task force on the map, in the place of one that had its id."""
        forces = self.forces
        if tf.id in self.task_forces:
            forces.remove(self.task_forces[tf.id])
        self.task_forces[tf.id] = tf
        forces.add(tf)

    def remove_force(self, tf_id: str) -> None:
        """Take a task force off the map."""
        self.forces.remove(self.task_forces[tf_id])
        del self.task_forces[tf_id]

    def set_units(self, tf: TaskForce, units: list[str]) -> None:
        """Give a task force other units."""
        self.forces.remove_units(tf)
        tf.units = units
        self.forces.add_units(tf)

    def set_hex(self, tf: TaskForce, hex_id: HexId) -> None:
        """Put a task force into another hex."""
        refile(self.forces.by_hex, tf, tf.hex, hex_id)
        tf.hex = hex_id

    def set_port(self, tf: TaskForce, base_id: str) -> None:
        """Put a task force in port with a base cluster, or ("") out of port."""
        refile(self.forces.by_port, tf, tf.in_port, base_id)
        tf.in_port = base_id

    def set_target(self, tf: TaskForce, target_id: str) -> None:
        """Let a task force shadow another, or ("") none."""
        refile(self.forces.by_target, tf, tf.shadowing, target_id)
        tf.shadowing = target_id

    def set_side(self, tf: TaskForce, side: Side) -> None:
        """Give a task force to the other side."""
        refile(self.forces.by_side, tf, tf.side, side)
        tf.side = side

    # --- bases ------------------------------------------------------------------------------------------------------

    def bases_in(self, hex_id: HexId, side: Side | None = None) -> list[TaskForce]:
        """The base clusters (of ``side``) in a hex."""
        return [tf for tf in self.task_forces_in(hex_id, side) if tf.is_base]

    def docked_at(self, base: TaskForce) -> list[TaskForce]:
        """The task forces in port with a base cluster."""
        return [tf for tf in self.forces.by_port.get(base.id, ()) if tf.side == base.side]

    @rule("1.8.2", "1.6.7.2", "1.6.7.3")
    def port_group(self, tf: TaskForce) -> list[TaskForce]:
        """The base cluster first and all in port with it, if ``tf`` is one of them; else ``tf`` alone. 1.8.2."""
        base = tf if tf.is_base else self.task_forces.get(tf.in_port)
        return [tf] if base is None else [base, *self.docked_at(base)]

    def shadowers_of(self, tf_id: str) -> list[TaskForce]:
        """The task forces that shadow ``tf_id``."""
        return list(self.forces.by_target.get(tf_id, ()))

    # --- marks ------------------------------------------------------------------------------------------------------

    def has_mark(self, tf: TaskForce, mark: MarkName) -> bool:
        """Whether any unit of the task force has the mark. PQ-17 ruling TF-5."""
        return any(map(attrgetter(f"marks.{mark}"), map(self.units.__getitem__, tf.units)))

    def set_mark(self, tf: TaskForce, mark: MarkName) -> None:
        """Mark every unit of the task force. PQ-17 ruling TF-5."""
        for unit in self.units_of(tf):
            unit.marks = unit.marks.marked(mark)

    # --- hexes ------------------------------------------------------------------------------------------------------

    def terrain(self, hex_id: HexId) -> str:
        """What lies in a hex: ``space`` unless the map says otherwise."""
        return self.hexes[hex_id].terrain if hex_id in self.hexes else "space"

    @rule("1.7.8")
    def settled_by(self, hex_id: HexId, side: Side) -> SettledHex | None:
        """The settled hex of ``side`` there, if it is one."""
        settled = self.settled.get(hex_id)
        return settled if settled is not None and settled.side == side else None

    # --- victory points ---------------------------------------------------------------------------------------------

    @rule("2.1")
    def total(self) -> Fraction:
        """The running total. PQ-17 2.1."""
        return sum((entry.amount for entry in self.ledger), Fraction(0))


tf_order = natural_order
