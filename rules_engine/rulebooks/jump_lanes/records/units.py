"""Units, squadrons and fleets, and groups that are in a lane."""

from dataclasses import field
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import Count, Frozen, Side
from rules_engine.core.basics.rational import Rational
from rules_engine.core.basics.record import Record
from rules_engine.core.catalogues.catalogue import UnitClassBase
from rules_engine.rulebooks.jump_lanes.records.orders import GroupOrders
from rules_engine.rulebooks.jump_lanes.records.places import GoalId, LaneId, PlaceId

UnitKind = Literal[
    "flight",
    "satellite",
    "starship",
    "starbase",
    "troop",
    "aircraft",
    "seacraft",
    "installation",
    "facility",
    "officer",
]
SPACE_KINDS: tuple[UnitKind, ...] = ("flight", "satellite", "starship", "starbase")
"""Space combat units. 13.3.2.2"""
GROUND_KINDS: tuple[UnitKind, ...] = ("troop", "aircraft", "seacraft", "installation")
"""Ground combat units. 13.3.2.3"""

Rating = Annotated[int, Field(ge=0, le=999)]


class LaneClassFigures(Frozen):
    """What a class of unit has and its units share."""

    kind: UnitKind = "starship"
    siz: Annotated[int, Field(ge=0, le=99)] = 1
    engines: Rating = 0
    ftl: Rating = 0
    intergalactic: Rating = 0
    mobility: Rating = 0
    cargo: Rating = 0
    towing: Rating = 0
    science: Rating = 0
    basing: Rating = 0
    worth: Annotated[int, Field(ge=0, le=9999)] = 0


class LaneUnitClass(LaneClassFigures, UnitClassBase):
    """A class of unit in a scenario's catalogue. ``cargo``, ``towing``, ``science`` and ``basing`` are ratings;
    ``worth`` says which cargo is lost first, and what a unit lost counts."""


class Unit(Record):
    """One unit.

    It is in one place alone: a member of a ``squadron``; ``aboard`` a squadron as cargo, since turn ``embarked``; or
    by itself ``at`` a place, as bases, garrisons and officers are. :meth:`LanesState.put` moves it between these.
    ``based_on`` is the carrier of a flight, a unit of the same squadron. ``towed`` is that tugs of its squadron have
    it in tow, ``tows`` that it is one of these tugs. ``cargo`` to ``basing`` are ratings, undamaged. 13.3, 13.4
    """

    id: str
    empire: Side
    name: str
    class_id: str = ""
    kind: UnitKind = "starship"
    siz: Count = 1
    engines: Count = 0
    ftl: Count = 0
    intergalactic: Count = 0
    mobility: Count = 0
    cargo: Count = 0
    towing: Count = 0
    science: Count = 0
    basing: Count = 0
    worth: Count = 0
    experience: Count = 0
    crippled: bool = False
    out_of_supply: bool = False
    squadron: str = ""
    aboard: str = ""
    at: PlaceId = ""
    embarked: Count = 0
    based_on: str = ""
    towed: bool = False
    tows: bool = False


LotKind = Literal["census", "experience"]
"""Cargo that is counted and no unit."""


class HoldLot(Record):
    """Census or experience points in a squadron's holds, since turn ``embarked``. 13.3.2.1, 13.3.2.3"""

    kind: LotKind
    amount: Count
    embarked: Count = 0


class JumpTransit(Record):
    """An extended jump. ``origin`` is the place that was left, ``goal`` where it leads: of an intergalactic jump a
    system or, with a star before it, a sector in which the place of arrival is drawn. 13.1.4, 13.1.6"""

    lane: LaneId
    origin: PlaceId
    goal: GoalId
    cost: Rational
    paid: Rational = Fraction(0)
    turns_left: Count = 0


class Squadron(Record):
    """Units that move together and pool their holds and tugs. ``at`` is empty while it is in ``transit``; ``fleet`` is
    the fleet whose route it follows, ``came_from`` the place that it left in this turn, ``came_by`` the lanes that it
    crossed since, and ``jumped`` the extended jump out of which it came, as that stood when the turn's movement began.
    13.1.5, 13.3.1, 13.4.1, JL-R45"""

    id: str
    empire: Side
    name: str
    at: PlaceId = ""
    fleet: str = ""
    came_from: PlaceId = ""
    came_by: list[LaneId] = field(default_factory=list[LaneId])
    jumped: JumpTransit | None = None
    transit: JumpTransit | None = None
    hold: list[HoldLot] = field(default_factory=list[HoldLot])
    orders: GroupOrders = field(default_factory=GroupOrders)


class LaneFleet(Record):
    """Squadrons of one empire that move together, by the fleet's own orders."""

    id: str
    empire: Side
    name: str
    orders: GroupOrders = field(default_factory=GroupOrders)
