"""Units and task forces: the records of what a campaign moves.

Nothing here decides anything. Ids of task forces and units are private to their owner and must never reach the other
side.
"""

from dataclasses import field
from enum import IntEnum
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import Frozen, HexId, Side
from rules_engine.core.basics.rational import Rational
from rules_engine.core.basics.record import Record, Stamped
from rules_engine.core.basics.rules import rule
from rules_engine.core.catalogues.ship_records import Boxes
from rules_engine.rulebooks.pq17.records.damage import RepairRecord
from rules_engine.rulebooks.pq17.records.standing_orders import StandingClauses
from rules_engine.rulebooks.pq17.tables.operations import Speed
from rules_engine.rulebooks.pq17.tables.supply import Goods

MOST_NAME = 24
"""Characters of the name that a side gives a task force."""
STAY = "stay"
"""In a route or plot: the movement point is expended without leaving the hex. PQ-17 5.3.4."""
PORT = "port"
"""In a route or plot: the movement point is expended to enter or to leave port. PQ-17 5.5.2, 5.5.3."""
LAY = "lay"
"""In a route or plot: the movement point is expended in place, and mines are laid. PQ-17 12.5.3.1, 12.5.3.2."""
IN_PLACE = (STAY, PORT, LAY)
"""The steps that do not leave the hex."""
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
        """The level as players write it: ``U``, ``ID0`` …"""
        return {-2: "Unidentified", -1: "U"}.get(int(self), f"ID{int(self)}")

    @property
    def grade(self) -> int:
        """How far maps draw it as identified: 0 up to U, 1 at ID0, 2 at ID1, ..."""
        return max(0, int(self) + 1)


MarkName = Literal[
    "searched", "attempted_attack", "was_attacked", "paid_combat", "declared_shadowing", "moved", "entered", "laying"
]


class Marks(Frozen):
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
    """Entered its present hex this impulse (5.3.5.1)."""
    laying: bool = False
    """Plotted to lay mines in this impulse (12.5.3.1)."""

    @cached_property
    def followed_by(self) -> "dict[MarkName, Marks]":
        """What these marks were made into by one more."""
        return {}

    def marked(self, mark: MarkName) -> "Marks":
        """These marks and this one; the same marks are one value, since all units come by them in every impulse."""
        if getattr(self, mark):
            return self
        if mark not in self.followed_by:
            self.followed_by[mark] = self.with_values(**{mark: True})
        return self.followed_by[mark]


UNMARKED = Marks()


class Unit(Stamped):
    """One ship or base: its remaining boxes, and what it carries. Box counts are of undestroyed boxes."""

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
    sensor_track: list[int] = field(default_factory=list[int])
    damcon_track: list[int] = field(default_factory=list[int])
    self_repairs_left: Boxes = 0

    fuel: Annotated[Rational, Field(ge=0)] = Fraction(0)
    """Engine fuel: at most one point for each undestroyed warp or AWR box (9.1)."""
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
    stores: dict[Goods, Boxes] = field(default_factory=dict[Goods, Boxes])
    """Consumables in their own places on the record sheet, except probes (10.3.3.5)."""
    cargo_goods: dict[Goods, Boxes] = field(default_factory=dict[Goods, Boxes])
    """Consumables carried as cargo (10.3.3.4)."""
    module_boxes: Boxes = 0
    """Cargo boxes taken up by modules that it carries (1.8.12.5)."""
    carried_by: str = ""
    """The tug that carries this pod, or the tender whose links hold this fast patrol ship (10.3.7.2.2, .5)."""

    practical_speed: int | None = None
    """Warp practical speed where the owner has entered one other than the default (ruling SPD-2)."""
    can_power_fire_control: bool = True
    can_power_sensors: bool = True
    boxes_off: Boxes = 0
    """Warp and AWR boxes turned off for the battles of this impulse, for which no combat fuel was paid (8.3.5.3.1)."""
    crawl_turns: Boxes = 0
    """Consecutive turns at a crawl, the present one included (ruling SPD-7)."""
    tags: list[str] = field(default_factory=list[str])
    marks: Marks = UNMARKED
    repairs: RepairRecord = RepairRecord()

    @property
    @rule("9.1")
    def power_boxes(self) -> int:
        """Undestroyed warp and AWR boxes: its fuel capacity. PQ-17 9.1."""
        return self.warp + self.awr

    @property
    def damcon_rating(self) -> int:
        """The best of its DAMCON boxes; 0 without any."""
        return max(self.damcon_track, default=0)

    @property
    def repair_points(self) -> int:
        """All repair points aboard, wherever they are stored."""
        return self.rp_repair + self.rp_cargo + self.rp_damcon

    @property
    def sensor_rating(self) -> int:
        """The highest undestroyed box of the sensor track; 0 when none is left."""
        return max(self.sensor_track, default=0)


class Posture(Frozen):
    """A task force's posture; the fields' defaults are the default posture. PQ-17 5.2.2, 5.2.3."""

    cloak: bool = False
    warp: bool = True
    active: bool = True
    logistics: bool = False


class TowGroup(Record):
    """One ship towing others of its task force. PQ-17 5.4.4."""

    tower: str
    towed: list[str]
    engines_off: list[str] = field(default_factory=list[str])
    """Its ships whose warp boxes are all off, however many they are. PQ-17 5.4.7.3.2."""
    boxes_off: dict[str, Boxes] = field(default_factory=dict[str, Boxes])
    """For its other ships, how many of their warp boxes are off."""

    @rule("5.4.7.2", "5.4.7.3.2")
    def active_warp(self, unit: Unit) -> int:
        """The warp boxes by which one of its ships adds to the pseudo-speed. PQ-17 5.4.7.2, 5.4.7.3.2."""
        return 0 if unit.id in self.engines_off else max(0, unit.warp - self.boxes_off.get(unit.id, 0))


class BaseRecord(Record):
    """What makes a task force a base cluster. PQ-17 1.6.7.2, 1.8.10, 1.8.11."""

    name: str
    known: bool = True
    conditions: Annotated[int, Field(ge=1, le=4)] | None = None
    supply: Boxes = 0
    """Supply points that it receives every turn (10.2.7.2)."""
    key: str = ""
    """The key of the scenario's base that it is; empty for one that was built."""
    fittings: dict[str, Boxes] = field(default_factory=dict[str, Boxes])
    """Its pods and modules, by class; their boxes are included in the base unit's counts."""
    positions: dict[str, str] = field(default_factory=dict[str, str])
    """Where bases that joined it lie on a tactical map, by unit (1.8.12.10)."""
    mine_packages: Boxes = 0
    """Tactical minefield packages, for the battle sheet (ruling SCN-36)."""


def force_name(text: str) -> str:
    """A task force's name, cut to what its owner could give it."""
    return text[:MOST_NAME].rstrip()


class TaskForce(Record):
    """Units that move, search and fight as one. PQ-17 1.6.1, 1.6.3.

    Of one that is in the state, only the state's operations change ``side``, ``hex``, ``units``, ``in_port`` and
    ``shadowing``.
    """

    id: str
    name: str = ""
    side: Side
    hex: HexId
    units: list[str]
    base: BaseRecord | None = None
    posture: Posture = Posture()
    plotted: Speed = Speed.STATION
    """The speed plotted for the turn; kept while it shadows at another force's speed (7.5.3)."""
    speed: Speed = Speed.STATION
    """Its present speed."""
    next_speed: Speed | None = None
    """Its speed from the next impulse on, chosen after combat (8.5.7.2.5)."""
    in_port: str = ""
    """The friendly base cluster it is in port with."""
    shadowing: str = ""
    """The enemy task force it shadows."""
    id_level: IdLevel = IdLevel.N
    """How well the enemy knows it."""
    tows: list[TowGroup] = field(default_factory=list[TowGroup])
    route: list[str] = field(default_factory=list[str])
    """Steps still to be plotted, one for each movement point: hex numbers, ``stay``, ``port``, ``exit`` (MOV-8)."""
    loop: list[str] = field(default_factory=list[str])
    """A patrol: the route that starts again each time it is completed."""
    doctrine: StandingClauses | None = None
    """Its own standing orders; clauses left out come from its side's."""
    meeting: StandingClauses | None = None
    """Its orders for the present contact, while that lasts."""
    met: list[str] = field(default_factory=list[str])
    """The contact numbers in its hex that its owner has been asked about."""
    plot: str = ""
    """The step plotted for this impulse and not yet made; empty if it has no movement point."""
    flown: list[HexId] = field(default_factory=list[HexId])
    """For maps: the path moved since operations last began, from the hex it started in; empty if it stayed."""

    @property
    @rule("1.6.7.1")
    def is_base(self) -> bool:
        """Whether it is a base cluster. PQ-17 1.6.7.1."""
        return self.base is not None

    @property
    def label(self) -> str:
        """The name its owner knows it by."""
        return f"{self.id} {self.name}".strip()


class SettledHex(Record):
    """A settled hex: a searcher that never moves. PQ-17 1.3.4, 1.7, rulings SET-1, SET-2, RAID-1."""

    hex: HexId
    side: Side
    name: str
    searched: list[str] = field(default_factory=list[str])
    """Enemy task forces it has searched this impulse, by their units, as marks are kept."""
    id_level: IdLevel = IdLevel.U
    raided_on: int = 0
    """The turn of the last raid that was resolved here (8.6.2.7)."""
    empire: str = ""
    """The empire that settled it, as named by the raid tables; empty where no raid table applies."""
    shadowed_by: list[str] = field(default_factory=list[str])
    """Units of enemy task forces that shadow it (8.6.2.2)."""
