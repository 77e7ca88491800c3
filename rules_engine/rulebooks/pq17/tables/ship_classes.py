"""Ship classes: the figures of a unit's printed record that the campaign needs.

No figure of the tactical game is presented as fact. Every class carries its ``source``; ``"invented"`` marks those
made up for play without the books. PQ-17 rulings DAT-1, SPD-2, TAB-2.
"""

from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.rational import Rational
from rules_engine.core.basics.rules import rule
from rules_engine.core.catalogues.ship_records import Boxes, ShipRecord
from rules_engine.rulebooks.pq17.tables.operations import (
    FUEL_PER_HEX,
    FUEL_PER_USE,
    FuelUse,
    Speed,
    WarshipCategory,
    warship_category,
)

Category = Literal["BB", "DN", "CA", "CL", "DD", "FF", "PF", "TUG", "POD"]
BaseType = Literal["SB", "BATS", "BS", "MB", "SAMS", "FRD", "platform"]
SpecialKind = Literal["", "CV", "PFT", "scout", "drone", "minesweeper", "troop"]

FASTEST = 30
"""No ship's practical speed exceeds this, whatever its engines."""


DroneLevel = Literal["general", "limited", "restricted"]
PowerWord = Literal["fire control", "special sensors"]
"""What a ship may lack the power for. PQ-17 5.2.3.3, 6.3.4.2; rulings PST-5, BAS-6."""


class Refit(Frozen):
    """A refit that a ship of the class may be given."""

    name: str
    year: int
    bpv: Rational
    boxes_added: dict[str, int] = Field(default_factory=dict[str, int])
    boxes_changed: dict[str, str] = Field(default_factory=dict[str, str])
    shields_changed: tuple[int, ...] = ()


class DroneSpaces(Frozen):
    """Drone storage by availability, without damage. PQ-17 10.2.6.1."""

    general: Boxes = 0
    limited: Boxes = 0
    restricted: Boxes = 0

    @property
    def total(self) -> int:
        """The spaces of all availabilities."""
        return self.general + self.limited + self.restricted


class ShipClass(ShipRecord):
    """A class of ship, base, pod or module.

    Movement costs and values are exact fractions; box counts are those of the undamaged record sheet.
    """

    # identity
    msc_table: str
    sfb_ref: str = ""
    year_in_service: int = 0

    # kind
    unit_kind: Literal["ship", "base", "pod", "module", "shuttle", "minefield carrier"] = "ship"
    service: Literal["military", "civilian"] = "military"
    table8_category: Category | None = None
    is_tug: bool = False
    pod_slots: Boxes = 0
    is_freighter: bool = False
    is_warship: bool = True

    # variants
    is_command: bool = False
    special_kind: SpecialKind = ""
    hull_group: str = ""
    is_minelayer: bool = False
    is_minesweeper: bool = False
    is_suicide_capable: bool = False

    # price
    refits: tuple[Refit, ...] = ()

    # power
    awr: Boxes = 0
    battery: Boxes = 0
    wps: Annotated[int, Field(ge=0, le=FASTEST)] | None = None
    wps_cloaked: Annotated[int, Field(ge=0, le=FASTEST)] = 0

    # detection
    sensor_track: tuple[int, ...] = (6,)
    can_active: str = ""

    # logistics
    orion_cargo: Boxes = 0
    docking_points: Boxes = 0
    mech_links: Boxes = 0
    probes: Boxes = 0
    mine_capacity: Boxes = 0
    mine_deploy_large: Boxes = 0

    # stores
    drone_spaces: DroneSpaces = DroneSpaces()
    reload_spaces: Boxes = 0
    tbombs: Boxes = 0
    deck_crews: Boxes = 0
    ppts: Boxes = 0
    uims: Boxes = 0
    drogues: Boxes = 0
    fighter_pods: Boxes = 0
    """Chaff packs and pods of its fighters."""
    warp_boosters: Boxes = 0

    # protection
    shields: tuple[int, ...] = ()
    hull: Boxes = 0
    excess_damage: Boxes = 0
    het_bonus: Boxes = 0
    boxes: dict[str, int] = Field(default_factory=dict[str, int])
    """All other boxes of the record sheet by type, where the source gives them: ``{"phaser-1": 6}``."""
    cripple_thresholds: str = ""

    # bases and their parts
    base_type: BaseType | None = None
    core_pods: Boxes = 0
    module_slots: Boxes = 0
    cargo_size: Boxes = 0
    """Cargo boxes that a module takes up when carried (1.8.12.5)."""
    builds: str = ""
    """For a core pod: the class of the base that is built of such pods (1.8.12.2)."""
    repair_pods: tuple[int, ...] = ()
    """A base's repair boxes by docking position; if not given, they are distributed evenly (11.4.9.2.1)."""
    repair_modules: tuple[int, ...] = ()
    """A base's repair boxes in modules: the first lies between docking positions 1 and 2, and so on (11.4.9.2.2)."""

    @property
    @rule("10.2.6.1")
    def drone_storage(self) -> int:
        """All its drone spaces, racks and reloads, without damage. PQ-17 10.2.6.1."""
        return self.drone_spaces.total + self.reload_spaces

    @rule("10.2.6.1")
    def drone_share(self, level: DroneLevel) -> Fraction:
        """The share of its storage at one availability; reloads are divided like the racks they reload.

        PQ-17 10.2.6.1.
        """
        racks = self.drone_spaces
        if racks.total == 0:
            return Fraction(level == "general")
        return Fraction(getattr(racks, level), racks.total)

    @cached_property
    @rule("1.6.7.1")
    def is_base(self) -> bool:
        """Whether it is a base: it never moves, and forms task forces with other bases only. PQ-17 1.6.7.1."""
        return self.unit_kind == "base"

    @cached_property
    @rule("T8", "1.4.3", "1.4.2")
    def category(self) -> Category:
        """Its category by movement cost, unless the record says otherwise. PQ-17 T8, 1.4.3."""
        if self.table8_category is not None:
            return self.table8_category
        if self.unit_kind == "pod":
            return "POD"
        if self.is_tug:
            return "TUG"
        return self.category_by_cost

    @cached_property
    @rule("T8")
    def category_by_cost(self) -> WarshipCategory:
        """The warship category of its movement cost, whatever it is. PQ-17 T8."""
        return warship_category(self.move_cost)

    @cached_property
    def box_count(self) -> int:
        """How many boxes its record has that damage takes: those that units count, both tracks, shields, hull and all
        others."""
        counted = self.warp + self.awr + self.impulse + self.battery + self.special_sensors + self.tractors
        counted += self.cargo + self.orion_cargo + self.repair + len(self.sensor_track) + len(self.damcon_track)
        return counted + self.hull + sum(self.shields) + sum(self.boxes.values())

    @cached_property
    def label(self) -> str:
        """What players call its kind in a list: ``CA``, ``scout DD``, ``freighter``, ``BATS``, ``module``. Only ships
        and pods have a category that says what they are."""
        if self.base_type is not None:
            return self.base_type
        if self.is_freighter:
            return "freighter"
        if self.unit_kind not in ("ship", "pod"):
            return self.unit_kind
        return f"{self.special_kind} {self.category}".strip()

    @cached_property
    def powered_things(self) -> tuple[PowerWord, ...]:
        """What it has that may be without power. PQ-17 rulings PST-5, BAS-6."""
        fire_control: list[PowerWord] = ["fire control"] if max(self.sensor_track, default=0) > 0 else []
        return (*fire_control, "special sensors") if self.special_sensors else tuple(fire_control)

    def practical_speed(self, warp_boxes: int) -> int:
        """Warp practical speed with this many warp boxes left, whole, rounded down. PQ-17 ruling SPD-2."""
        speeds = self._speeds_by_boxes
        return speeds[warp_boxes] if warp_boxes < len(speeds) else speeds[-1]

    @cached_property
    def _speeds_by_boxes(self) -> tuple[int, ...]:
        """Its warp practical speeds by the number of warp boxes, up to the number from which on none is faster."""
        if not self.move_cost:
            return (0,)
        most = FASTEST if self.wps is None else self.wps
        above, below = self.move_cost.as_integer_ratio()
        return tuple(min(most, boxes * below // above) for boxes in range(ceil(most * self.move_cost) + 1))

    @cached_property
    @rule("T1")
    def fuel_per_hex(self) -> dict[Speed, Fraction]:
        """The fuel points that one movement point costs a ship of the class, by speed. PQ-17 T1."""
        return {speed: multiple * self.move_cost for speed, multiple in FUEL_PER_HEX.items()}

    @cached_property
    @rule("T1")
    def fuel_per_use(self) -> dict[FuelUse, Fraction]:
        """The fuel points that one use costs a ship of the class. PQ-17 T1."""
        return {use: multiple * self.move_cost for use, multiple in FUEL_PER_USE.items()}
