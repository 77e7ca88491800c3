"""Unit classes: what a kind of ship is, in the record that all books have in common, and what this one adds.

No figure of the tactical game is in the book or here: every class says where its figures come from.
"""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from rules_engine.core.basics.rules import rule
from rules_engine.core.catalogues.ship_records import Boxes, ShipRecord
from rules_engine.rulebooks.cutler.records.tables import (
    COMMAND_RATING,
    DOCKS_OF_A_TENDER,
    OWN_POWER,
    STACKED,
    TOP_SPEED,
    BaseType,
    HullFamily,
    Mark,
    UnitKind,
)

Noted = Literal[
    "mines", "mrs", "two_mrs", "swac", "shuttle_in_fighter_box", "shuttle_in_ready_box", "fighter_in_shuttle_box"
]
"""What a class is noted to carry although others may not. 4.2.4.2.2, 4.2.4.3, 4.2.4.4, 4.2.4.5, 4.2.4.6"""


class UnitClass(ShipRecord):
    """A class of unit. ``hull_type`` is the hull on which it is built; ``base_type`` is given for bases alone.

    ``marks`` say what else it is, where no other field tells: a scout, a PF tender, a survey cruiser … A scout PF is
    one with special sensors.

    ``docking_bays`` are the repair boxes of each docking bay; where only the number of bays is known, ``docks`` gives
    it, and its repair boxes are split evenly. ``empire`` is who builds it: a race, or ``any``. ``refits`` are
    the classes that it may be made into, with the CPV that each costs.

    ``mine_room`` are the CPV worth of mines in its mine boxes, ``drones`` those in its racks and their reloads, of
    which at most ``special_drones`` are of special types; ``ready_racks`` are shuttle boxes with a ready rack;
    ``reload_boxes`` arm its fighters (None: all for whom it has boxes); what it is historically ``noted`` for goes
    beyond what others may carry. ``transporters`` land troops as shuttles do. ``freighter_size`` is given for
    freighters and Q-ships alone. A ``hybrid`` is never built: prizes are made into it (5.1). ``pf_docks`` are places on
    which PFs dock (None: six of a PF tender, none of others).
    """

    hull_type: HullFamily
    kind: UnitKind = "ship"
    base_type: Annotated[BaseType | None, Field(examples=[None])] = None
    marks: Annotated[tuple[Mark, ...], Field(examples=[["scout"]])] = ()
    docks: Annotated[int, Field(ge=0)] = 0
    docking_bays: Annotated[tuple[int, ...], Field(examples=[()])] = ()
    freighter_size: Annotated[Literal["small", "large"] | None, Field(examples=[None])] = None
    refits: dict[str, Boxes] = Field(default_factory=dict[str, Boxes], examples=[{}])
    mine_room: Boxes = 0
    drones: Boxes = 0
    special_drones: Boxes = 0
    ready_racks: Boxes = 0
    hybrid: bool = False
    transporters: Boxes = 0
    reload_boxes: Annotated[Boxes | None, Field(examples=[None])] = None
    pf_docks: Annotated[Boxes | None, Field(examples=[None])] = None
    noted: Annotated[tuple[Noted, ...], Field(examples=[()])] = ()

    @model_validator(mode="after")
    def _is_whole(self) -> "UnitClass":
        if (self.kind == "base") != (self.base_type is not None):
            raise ValueError("a base, and nothing else, has a base_type")
        if self.kind == "ground_base" and (self.warp or self.impulse or self.repair):
            raise ValueError("a ground base has neither engines nor repair boxes")
        if self.is_pf_tender and self.kind not in ("ship", "auxiliary"):
            raise ValueError("a PF tender is a ship or an auxiliary")
        if self.pf_docks and self.kind not in (*STACKED, "base"):
            raise ValueError("pf_docks are on ships and bases")
        if self.is_survey_ship and self.kind not in ("ship", "freighter"):
            raise ValueError("a survey ship is a ship or a freighter")
        if (self.kind in ("freighter", "q_ship")) != (self.freighter_size is not None):
            raise ValueError("a freighter or a Q-ship, and nothing else, has a freighter_size, small or large")
        if self.kind == "monitor" and self.command_rating is None:
            raise ValueError("a monitor's command_rating must be given")
        if self.cloak and not self.top_speed:
            raise ValueError("a unit that never moves has no cloak")
        if len(set(self.marks)) < len(self.marks):
            raise ValueError("a mark is given twice")
        if self.bpv_economic.denominator > 1:
            raise ValueError("bpv_economic is a price in CPV, which are whole")
        if any(boxes < 1 for boxes in self.docking_bays) or sum(self.docking_bays) > self.repair:
            raise ValueError(f"docking_bays share out its repair boxes, of which there are {self.repair}")
        if self.mine_room and "minesweeper" not in self.marks and "mines" not in self.noted:
            raise ValueError("only a minesweeper, or a class noted for mines, has room for them")
        if self.ready_racks > self.shuttles or self.special_drones > self.drones:
            raise ValueError("ready_racks are among its shuttles, special_drones among its drones")
        return self

    @property
    @rule("4.2.4.2.2")
    def shuttle_room(self) -> int:
        """Its boxes for shuttles: those with a ready rack are none, unless it is noted for it; those of ground bases
        are for shuttles that stay on the surface. 4.2.4.2.2, 4.2.4.8"""
        if self.kind == "ground_base":
            return 0
        return self.shuttles - (0 if "shuttle_in_ready_box" in self.noted else self.ready_racks)

    @property
    @rule("2.4", "4.4.1")
    def top_speed(self) -> int:
        """Hexes a turn of an undamaged unit of the class: those of its kind; of an FRD with impulse engines one, of
        other bases none. 2.4, 4.4.1, CU-N144"""
        return OWN_POWER if self.base_type == "FRD" and self.impulse else TOP_SPEED[self.kind]

    @property
    def is_pf_tender(self) -> bool:
        """Whether it carries PFs and looks after them. 7.2, 8.3.3"""
        return "pft" in self.marks

    @property
    @rule("2.4.1.7", "2.6.1")
    def pf_room(self) -> int:
        """How many PFs dock on it. 2.4.1.7, 2.6.1, CU-R23, CU-N171"""
        if self.pf_docks is not None:
            return self.pf_docks
        return DOCKS_OF_A_TENDER if self.is_pf_tender else 0

    @property
    def is_survey_ship(self) -> bool:
        """Whether it can survey. 9.1"""
        return "survey" in self.marks

    @property
    @rule("8.3.2", "4.2.2", "5.2.1.1")
    def is_scout(self) -> bool:
        """Whether it is a scout: a ship with special sensors, or by its mark. 8.3.2, 4.2.2, 5.2.1.1, CU-R126"""
        return "scout" in self.marks or (self.kind in STACKED and self.special_sensors > 0)

    @property
    @rule("4.4.2")
    def is_tug(self) -> bool:
        """Whether it is a tug, by its hull or its mark. 4.4.2, CU-R126"""
        return self.hull_type == "TUG" or "tug" in self.marks

    @property
    @rule("4.2.2", "5.2.1.1", "7.1")
    def is_tug_or_ltt(self) -> bool:
        """Whether it is a tug, or a light tactical transport, which the text names beside it. 4.2.2, 5.2.1.1, 7.1,
        CU-R126, CU-N76"""
        return self.is_tug or "ltt" in self.marks

    @property
    @rule("4.4.2")
    def is_large_freighter(self) -> bool:
        """Whether it is a large freighter; Q-ships only look like one. 4.4.2"""
        return self.kind == "freighter" and self.freighter_size == "large"

    @property
    @rule("4.2.1.1")
    def bays(self) -> tuple[int, ...]:
        """The repair boxes of each docking bay. 4.2.1.1, CU-R82"""
        if self.docking_bays or not self.repair:
            return self.docking_bays
        count = min(max(self.docks, 1), self.repair)
        return tuple(self.repair // count + (bay < self.repair % count) for bay in range(count))

    @property
    @rule("4.2.1.1")
    def has_docking_module(self) -> bool:
        """Whether it is a starbase with docking bays, which are on its docking module. 4.2.1.1"""
        return self.base_type == "SB" and bool(self.bays)

    @property
    @rule("4.1.1")
    def cpv(self) -> int:
        """Its price: its economic BPV. 4.1.1"""
        return int(self.bpv_economic)

    @property
    @rule("2.5")
    def rating(self) -> int:
        """Its command rating: that of its hull, if the record gives none. 2.5, CU-R29"""
        return COMMAND_RATING[self.hull_type] if self.command_rating is None else self.command_rating
