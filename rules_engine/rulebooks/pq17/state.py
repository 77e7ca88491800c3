"""The state of a PQ-17 campaign: units, task forces, settled hexes, the impulse in hand, and the ledger.

Nothing here decides anything. Chapters are functions over these records; helpers only look things up, always in a
fixed order. Ids of task forces and units are the owner's own and must never reach the other side: it knows them by
the numbers of its :class:`TrackBook`.
"""

from enum import IntEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

from pydantic import AfterValidator, Field

from rules_engine.core.base import HexId, Mutable, Record, Side, SideLabel
from rules_engine.core.hexes import Grid
from rules_engine.core.rational import Rational
from rules_engine.core.views import TrackBook
from rules_engine.rulebooks.pq17.building import BuiltBase
from rules_engine.rulebooks.pq17.campaign import Campaign, ReadyMade
from rules_engine.rulebooks.pq17.cc_records import Progress
from rules_engine.rulebooks.pq17.cc_schedule import Schedule
from rules_engine.rulebooks.pq17.classes import Boxes, ShipClass
from rules_engine.rulebooks.pq17.damage import RepairRecord
from rules_engine.rulebooks.pq17.doctrine import Doctrine, Orders
from rules_engine.rulebooks.pq17.engagements import Battle, ShadowLink
from rules_engine.rulebooks.pq17.logistics import LogisticsPlan, SupplyRoutine
from rules_engine.rulebooks.pq17.minefields import Mines
from rules_engine.rulebooks.pq17.roster import Roster, natural_order, note_change
from rules_engine.rulebooks.pq17.specials import Specials
from rules_engine.rulebooks.pq17.tables import TURNS_A_PERIOD, Speed, VpLineName
from rules_engine.rulebooks.pq17.tables_supply import Goods

ALLIANCE = "alliance"
COALITION = "coalition"
STAY = "stay"
"""In a route or plot: the movement point is expended without leaving the hex. PQ-17 5.3.4."""
PORT = "port"
"""In a route or plot: the movement point is expended to enter or to leave port. PQ-17 5.5.2, 5.5.3."""
LAY = "lay"
"""In a route or plot: the movement point is expended in place, and mines are laid. PQ-17 12.5.3.1, 12.5.3.2."""
IN_PLACE = (STAY, PORT, LAY)
"""Every step that does not leave the hex."""
EXIT = "exit"
"""In a route or plot: the movement point is expended to leave the map. PQ-17 5.3, C.schedule.note3."""


class IdLevel(IntEnum):
    """How well an enemy knows a task force. PQ-17 6.2, ruling IDL-1."""

    N = -2
    U = -1
    ID0 = 0
    ID1 = 1
    ID2 = 2
    ID3 = 3
    ID4 = 4

    @property
    def label(self) -> str:
        """As players write it."""
        return {-2: "Unidentified", -1: "U"}.get(int(self), f"ID{int(self)}")


class Marks(Mutable):
    """What a unit has done this impulse. A task force has a mark when any of its units has it. PQ-17 ruling TF-5."""

    searched: bool = False
    """Attempted reconnaissance (6.3.2.3)."""
    attempted_attack: bool = False
    """Attempted an attack (8.3.2)."""
    was_attacked: bool = False
    """Was successfully attacked (8.3.3)."""
    paid_combat: bool = False
    """Combat fuel is paid for this impulse (8.3.4.3)."""
    declared_shadowing: bool = False
    """Declared shadowing, so that a plotted move not yet made is ignored (5.3.5.4)."""
    moved: bool = False
    """Expended a movement point, in place or not (6.4.1)."""
    entered: bool = False
    """Came into its present hex this impulse (5.3.5.1)."""
    laying: bool = False
    """Plotted to lay mines in this impulse (12.5.3.1)."""


MarkName = Literal[
    "searched", "attempted_attack", "was_attacked", "paid_combat", "declared_shadowing", "moved", "entered", "laying"
]


class Unit(Mutable):
    """One ship or base: what is left of it, and what it carries. Box counts are undestroyed boxes."""

    id: str
    name: str
    class_id: str
    side: Side
    source: str = "invented"
    nation: str = ""
    """The campaign's nation that it was bought for; empty without one."""
    options: str = ""
    """What was bought with it besides refits, in words: drones and commander's options."""

    fate: Literal["in play", "destroyed", "captured", "built in"] = "in play"
    """``captured`` units have left their builder; ``side`` is then the captor's (ruling CMB-13). Pods and modules that
    are ``built in`` have become part of a base (1.8.12)."""
    captured_from: Side = ""
    crippled: bool = False

    warp: Boxes = 0
    awr: Boxes = 0
    impulse: Boxes = 0
    battery: Boxes = 0
    special_sensors: Boxes = 0
    cargo: Boxes = 0
    orion_cargo: Boxes = 0
    repair: Boxes = 0
    tractors: Boxes = 0
    sensor_track: list[int] = Field(default_factory=list[int])
    damcon_track: list[int] = Field(default_factory=list[int])
    self_repairs_left: Boxes = 0

    fuel: Annotated[Rational, Field(ge=0)] = Fraction(0)
    """Engine fuel: at most one point an undestroyed warp or AWR box (9.1)."""
    fuel_cargo: Annotated[Rational, Field(ge=0)] = Fraction(0)
    """Fuel carried as cargo (9.2); it cannot be burnt before it is transferred (ruling FUE-2)."""
    supply: Boxes = 0
    rp_repair: Boxes = 0
    """Repair points in repair boxes (11.2.4.1)."""
    rp_cargo: Boxes = 0
    """Repair points carried as cargo (11.2.3)."""
    rp_damcon: Boxes = 0
    """Repair points in the DAMCON track, for its own repairs alone (11.2.5.3, ruling REP-6)."""
    probes: Boxes = 0
    stores: dict[Goods, Boxes] = Field(default_factory=dict[Goods, Boxes])
    """Consumables in their own places on the record sheet, but for probes (10.3.3.5)."""
    cargo_goods: dict[Goods, Boxes] = Field(default_factory=dict[Goods, Boxes])
    """Consumables carried as cargo (10.3.3.4)."""
    module_boxes: Boxes = 0
    """Cargo boxes taken up by modules that it carries (1.8.12.5)."""
    carried_by: str = ""
    """The tug that carries this pod, or the tender on whose links this fast patrol ship hangs (10.3.7.2.2, .5)."""

    practical_speed: int | None = None
    """Warp practical speed where the owner entered another than the default (ruling SPD-2)."""
    can_power_fire_control: bool = True
    can_power_sensors: bool = True
    boxes_off: Boxes = 0
    """Warp and AWR boxes turned off for the battle in hand (8.3.5.3.1)."""
    crawl_turns: Boxes = 0
    """Consecutive turns at a crawl, the present one included (ruling SPD-7)."""
    tags: list[str] = Field(default_factory=list[str])
    marks: Marks = Field(default_factory=Marks)
    repairs: RepairRecord = Field(default_factory=RepairRecord)

    @property
    def power_boxes(self) -> int:
        """Undestroyed warp and AWR boxes: its fuel capacity. PQ-17 9.1."""
        return self.warp + self.awr

    @property
    def repair_points(self) -> int:
        """All repair points aboard, wherever they lie."""
        return self.rp_repair + self.rp_cargo + self.rp_damcon

    @property
    def sensor_rating(self) -> int:
        """The highest undestroyed box of the sensor track; 0 when none is left."""
        return max(self.sensor_track, default=0)


class Posture(Mutable):
    """A task force's posture, at its defaults. PQ-17 5.2.2, 5.2.3."""

    cloak: bool = False
    warp: bool = True
    active: bool = True
    logistics: bool = False


class TowGroup(Mutable):
    """One ship towing others of its task force. PQ-17 5.4.4."""

    tower: str
    towed: list[str]
    engines_off: list[str] = Field(default_factory=list[str])


class BaseRecord(Mutable):
    """What makes a task force a base cluster. PQ-17 1.6.7.2, 1.8.10, 1.8.11."""

    name: str
    known: bool = True
    conditions: Annotated[int, Field(ge=1, le=4)] | None = None
    supply: Boxes = 0
    """Supply points that it receives every turn (10.2.7.2)."""
    key: str = ""
    """The scenario's own base that it is; empty for one that was built."""
    fittings: dict[str, Boxes] = Field(default_factory=dict[str, Boxes])
    """Its pods and modules, by class; their boxes are counted in the base unit's own."""
    positions: dict[str, str] = Field(default_factory=dict[str, str])
    """Where bases that joined it lie on a tactical map, by unit (1.8.12.10)."""
    mine_packages: Boxes = 0
    """Tactical minefield packages, for the battle sheet (ruling SCN-36)."""


class TaskForce(Mutable):
    """Units that move, search and fight as one. PQ-17 1.6.1, 1.6.3."""

    id: str
    name: str = ""
    side: Side
    hex: HexId
    units: list[str]
    base: BaseRecord | None = None
    posture: Posture = Field(default_factory=Posture)
    plotted: Speed = Speed.STATION
    """What was plotted for the turn; kept while shadowing at another's speed (7.5.3)."""
    speed: Speed = Speed.STATION
    """What it goes at now."""
    next_speed: Speed | None = None
    """What it goes at from the next impulse on, chosen after combat (8.5.7.2.5)."""
    in_port: str = ""
    """The friendly base cluster it is in port with."""
    shadowing: str = ""
    """The enemy task force it shadows."""
    id_level: IdLevel = IdLevel.N
    """How well the enemy knows it."""
    tows: list[TowGroup] = Field(default_factory=list[TowGroup])
    route: list[str] = Field(default_factory=list[str])
    """Steps still to be plotted, one a movement point: hex numbers, ``stay``, ``port``, ``exit`` (MOV-8)."""
    loop: list[str] = Field(default_factory=list[str])
    """A patrol: the route that begins again whenever it is flown out."""
    doctrine: Orders | None = None
    """Standing orders of its own; what they leave out is its side's."""
    meeting: Orders | None = None
    """Its orders for the contact in hand, while that lasts."""
    met: list[str] = Field(default_factory=list[str])
    """The contact numbers in its hex that its owner has been asked about."""
    plot: str = ""
    """The step plotted for this impulse and not yet made; empty without a movement point."""
    flown: list[HexId] = Field(default_factory=list[HexId])
    """The way flown since operations last began, the hex it set out from first; empty while it stays. For maps."""

    if not TYPE_CHECKING:  # seen by a type checker, it would allow any attribute to be set

        def __setattr__(self, name: str, value: Any) -> None:
            super().__setattr__(name, value)
            note_change(name)

    @property
    def is_base(self) -> bool:
        """Whether it is a base cluster. PQ-17 1.6.7.1."""
        return self.base is not None

    @property
    def label(self) -> str:
        """As its owner calls it."""
        return f"{self.id} {self.name}".strip()


class SettledHex(Mutable):
    """A settled hex: a searcher that never moves. PQ-17 1.3.4, 1.7, rulings SET-1, SET-2, RAID-1."""

    hex: HexId
    side: Side
    name: str
    searched: list[str] = Field(default_factory=list[str])
    """Enemy task forces (by unit, as marks are) it has searched this impulse."""
    id_level: IdLevel = IdLevel.U
    raided_on: int = 0
    """The turn of the last raid that was resolved here (8.6.2.7)."""
    empire: str = ""
    """Who has settled it, as the raid tables name empires; empty where no raid table is for it."""
    shadowed_by: list[str] = Field(default_factory=list[str])
    """Units of enemy task forces that shadow it (8.6.2.2)."""


class MapHex(Record):
    """What lies in a hex."""

    terrain: Literal["space", "nebula", "planet"] = "space"
    invented: bool = False


class VpLine(Record):
    """One entry of the ledger. The running total counts Alliance points up. PQ-17 T5.note2."""

    line: VpLineName
    amount: Rational
    turn: int
    impulse: int
    text: str
    public: bool = True
    seen_by: tuple[Side, ...] = ()


class Settings(Record):
    """What the scenario decides."""

    title: str
    turns: Annotated[int, Field(ge=1)]
    victory_points: Rational
    """The Alliance wins with a total at or above this."""
    local_conditions: tuple[int, int, int, int] = (11, 59, 78, 100)
    """The highest D100 result of Good, Moderate, Poor and Terrible. PQ-17 C.local-conditions."""
    flag_empires: tuple[str, ...] = ()
    """Empires whose all-own task forces search under the flag rule. PQ-17 6.3.4.10.1, C.flag.kzinti."""
    shadowed_is_cumulative: bool = False
    """Ruling REC-10: whether S reads as "everything up to S"."""
    minefield_hexes: tuple[HexId, ...] = ()
    """Further hexes that may hold minefields, besides those with bases, planets or settlements (12.1.9)."""
    battle_notes: str = ""
    """Optional tactical rules agreed upon, printed on battle sheets (1.9.9)."""
    special_tables: Literal["", "pq17"] = ""
    """Whose special conditions and random events are rolled for (1.5.3)."""
    raid_table: Literal["", "pq17"] = ""
    """Whose raid tables are used; without one settled hexes cannot be raided (8.6.1)."""
    ghost_turns: Annotated[int, Field(ge=1)] = TURNS_A_PERIOD
    """How many turns after its last sighting a force that was lost stays on maps and in lists."""
    repair_costs: dict[str, int] = Field(default_factory=dict[str, int])
    """Cost of Repair by type of box, without the operational factor (11.4.9.3, ruling REP-1)."""
    repair_source: str = "invented"

    campaign: Campaign = Campaign()
    """Nations, forces, convoys and deployment; without a nation where the scenario is no campaign."""
    schedule: Schedule = Schedule()
    """Reinforcements and transfers by period. PQ-17 C.schedule.1 to C.schedule.20."""

    def conditions_of(self, rolled: int) -> int:
        """The local conditions, 1 to 4, of a D100. PQ-17 6.3.3."""
        return next(level for level, most in enumerate(self.local_conditions, start=1) if rolled <= most)


class State(Mutable):
    """A campaign as it stands."""

    settings: Settings
    sides: tuple[SideLabel, ...]
    grid: Grid
    hexes: dict[HexId, MapHex] = Field(default_factory=dict[HexId, MapHex])
    """Only hexes that differ from empty space."""
    classes: dict[str, ShipClass]
    units: dict[str, Unit]
    task_forces: Annotated[dict[str, TaskForce], AfterValidator(Roster)]
    settled: dict[HexId, SettledHex] = Field(default_factory=dict[HexId, SettledHex])
    tracks: dict[Side, TrackBook] = Field(default_factory=dict[Side, TrackBook])
    """By viewer: the numbers under which it holds the other side's task forces, by task force id."""
    doctrine: dict[Side, Doctrine] = Field(default_factory=dict[Side, Doctrine])
    ledger: list[VpLine] = Field(default_factory=list[VpLine])
    pools: dict[Side, dict[str, dict[str, Rational]]] = Field(
        default_factory=dict[Side, dict[str, dict[str, Rational]]]
    )
    """Unspent points by side, force and category. PQ-17 C.purchase.4."""
    ready_made: dict[Side, ReadyMade] = Field(default_factory=dict[Side, ReadyMade])
    """The shipped orders of battle; emptied once the campaign has begun."""
    progress: Progress = Field(default_factory=Progress)
    """What of a campaign is not on the map: arrivals, transfers, command points, convoys."""

    turn: int = 0
    """The last turn begun; 0 before the first."""
    impulse: int = 0
    """1 to 3 in the operations step, 0 outside it."""
    half: Literal["", "A", "B"] = ""
    initiative: Side = ALLIANCE
    """Who won the last initiative roll. PQ-17 ruling INI-1."""
    conditions: dict[HexId, int] = Field(default_factory=dict[HexId, int])
    """Local conditions already rolled this impulse. PQ-17 6.3.3."""
    shadow_links: list[ShadowLink] = Field(default_factory=list[ShadowLink])
    """Who shadows whom, by units, as the last combat step left it. PQ-17 7.5."""
    special: Specials = Field(default_factory=Specials)
    """Special conditions and random events. PQ-17 1.5."""
    battles: list[Battle] = Field(default_factory=list[Battle])
    """Battles formed in this combat step and not yet over. PQ-17 8.4.6."""
    built: list[BuiltBase] = Field(default_factory=list[BuiltBase])
    """Bases that were built, in the order of their building. PQ-17 1.8.12."""
    logistics: dict[Side, LogisticsPlan] = Field(default_factory=dict[Side, LogisticsPlan])
    """Each side's logistics plan of this turn. PQ-17 SOP.2.a.iv."""
    supply_routine: dict[Side, SupplyRoutine] = Field(default_factory=dict[Side, SupplyRoutine])
    """Each side's standing wishes about its stores; the usual ones where nothing is said."""
    mines: Mines = Field(default_factory=Mines)
    """Operational minefields. PQ-17 12."""

    # --- sides ----------------------------------------------------------------------------------------------------

    def enemy_of(self, side: Side) -> Side:
        """The other side."""
        one, other = self.sides
        return other.key if one.key == side else one.key

    @property
    def non_initiative(self) -> Side:
        """Who does not have the initiative."""
        return self.enemy_of(self.initiative)

    # --- units and task forces --------------------------------------------------------------------------------------

    def class_of(self, unit: Unit) -> ShipClass:
        """The unit's class."""
        return self.classes[unit.class_id]

    def units_of(self, tf: TaskForce) -> list[Unit]:
        """The units of a task force, by id."""
        return [self.units[unit_id] for unit_id in sorted(tf.units)]

    @property
    def roster(self) -> Roster[TaskForce]:
        """``task_forces``, with what can be looked up in it."""
        return cast("Roster[TaskForce]", self.task_forces)

    def tf_of(self, unit_id: str) -> TaskForce | None:
        """The task force a unit is in; None for one that is destroyed."""
        return self.roster.holder_of(unit_id)

    def all_task_forces(self, side: Side | None = None) -> list[TaskForce]:
        """All task forces (of ``side``), by natural order of their ids."""
        return self.roster.ordered() if side is None else self.roster.having("side", side)

    def task_forces_in(self, hex_id: HexId, side: Side | None = None) -> list[TaskForce]:
        """The task forces (of ``side``) in a hex, base clusters included."""
        return [tf for tf in self.roster.having("hex", hex_id) if side is None or tf.side == side]

    def hexes_of(self, side: Side) -> list[HexId]:
        """The hexes where ``side`` has task forces, ascending."""
        return sorted({tf.hex for tf in self.task_forces.values() if tf.side == side})

    # --- bases ------------------------------------------------------------------------------------------------------

    def bases_in(self, hex_id: HexId, side: Side | None = None) -> list[TaskForce]:
        """The base clusters (of ``side``) in a hex."""
        return [tf for tf in self.task_forces_in(hex_id, side) if tf.is_base]

    def docked_at(self, base: TaskForce) -> list[TaskForce]:
        """The task forces in port with a base cluster."""
        return [tf for tf in self.roster.having("in_port", base.id) if tf.side == base.side]

    def port_group(self, tf: TaskForce) -> list[TaskForce]:
        """The base cluster first and all in port with it, where ``tf`` is one of them; else ``tf`` alone. 1.8.2."""
        base = tf if tf.is_base else self.task_forces.get(tf.in_port)
        return [tf] if base is None else [base, *self.docked_at(base)]

    # --- shadowing --------------------------------------------------------------------------------------------------

    def shadowers_of(self, tf_id: str) -> list[TaskForce]:
        """The task forces that shadow ``tf_id``."""
        return self.roster.having("shadowing", tf_id)

    # --- marks ------------------------------------------------------------------------------------------------------

    def has_mark(self, tf: TaskForce, mark: MarkName) -> bool:
        """Whether any unit of the task force has the mark. PQ-17 ruling TF-5."""
        return any(bool(getattr(unit.marks, mark)) for unit in self.units_of(tf))

    def set_mark(self, tf: TaskForce, mark: MarkName) -> None:
        """Mark every unit of the task force. PQ-17 ruling TF-5."""
        for unit in self.units_of(tf):
            setattr(unit.marks, mark, True)

    # --- hexes ------------------------------------------------------------------------------------------------------

    def terrain(self, hex_id: HexId) -> str:
        """What lies in a hex: ``space`` unless the map says otherwise."""
        return self.hexes[hex_id].terrain if hex_id in self.hexes else "space"

    def settled_by(self, hex_id: HexId, side: Side) -> SettledHex | None:
        """The settled hex of ``side`` there, if it is one."""
        settled = self.settled.get(hex_id)
        return settled if settled is not None and settled.side == side else None

    # --- the ledger -------------------------------------------------------------------------------------------------

    def total(self) -> Fraction:
        """The running total. PQ-17 2.1."""
        return sum((entry.amount for entry in self.ledger), Fraction(0))


tf_order = natural_order
