"""Units that fly by vectors: their class, and what a battle keeps of each. The unit record of the rulings (CJD)."""

from dataclasses import field
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from rules_engine.core.basics.base import Count, Frozen, HexId, Side
from rules_engine.core.basics.rational import Rational
from rules_engine.core.basics.record import Record
from rules_engine.core.catalogues.catalogue import UnitClassBase
from rules_engine.core.grids.space import Way
from rules_engine.rulebooks.vector.records.vectors import Vector

TurnMode = Literal["drone", "shuttle", "AA", "A", "B", "C", "D", "E", "F", "G", "H"]
UnitForm = Literal["ship", "shuttle", "PF", "drone", "plasma", "weasel"]
"""What a unit is on the map."""

Points = Annotated[int, Field(ge=0, le=999)]


class FlightFigures(Frozen):
    """What movement goes by. ``move_cost`` is power for one point of warp movement; ``warp`` the power of its warp
    engines, ``impulse`` of its impulse engines, ``total_power`` all of it; ``reserve`` points of movement that it may
    add from reserve in a turn. ``rated_speed`` is that of what is launched, and none of what flies by engines of its
    own. ``breakdown`` is the lowest D6 that breaks down in a high energy turn (7: none). Shields 1 to 6, clockwise from
    the bow."""

    size_class: Annotated[int, Field(ge=1, le=7)] = 3
    form: UnitForm = "ship"
    move_cost: Annotated[Rational, Field(gt=0, le=10)] = Fraction(1)
    turn_mode: TurnMode = "C"
    nimble: bool = False
    rated_speed: Points = 0
    warp: Points = 0
    impulse: Points = 0
    total_power: Points = 0
    reserve: Points = 0
    breakdown: Annotated[int, Field(ge=2, le=7)] = 5
    shields: Annotated[tuple[Points, ...], Field(min_length=6, max_length=6)] = (0, 0, 0, 0, 0, 0)


UnitEnd = Literal["destroyed", "disengaged", "left the map", "caught"]
"""What becomes of a unit that is in play no more, with all that it carries."""


class VectorShipClass(FlightFigures, UnitClassBase):
    """A class of unit in a scenario's catalogue."""


class VectorShip(Record):
    """A unit in a battle. ``figures`` are its class's with what damage has left of them.

    ``moved`` counts the hexes of the running count in each of the vector's elements, ``last_way`` is the element that
    moved last (empty at the start of a count), ``count_from`` the impulse after which the count began. Impulses of
    ``accelerated_on``, ``turned_on`` and ``no_thrust_until`` are counted from the battle's beginning: impulse 3 of turn
    2 is 35 (0: never). ``warp_left`` and ``impulse_left`` are points allocated and not used, ``warp_used`` those of the
    turn, which are limited. ``slip_ready``: it has moved a straight hex since it last slipped. ``hets`` counts high
    energy turns. ``half_left`` is what a launched unit may still add this turn of half its rated speed. ``out``: it is
    not in play any more, and why; ``landed_on`` is the unit on which it has landed. ``waits_for`` is the turn at whose
    beginning it arrives (0: it is there), ``aboard`` the unit that carries it until it is launched. ``tumbles_until``
    is the impulse on which tumbling ends, ``tumbles_to`` the side it turns to. ``friction_from`` is the element that
    warp friction takes from where both are equal. ``strained``: it tows, and its engines give half (VM-N68). CJD1"""

    id: str
    side: Side
    name: str
    class_id: str = ""
    figures: FlightFigures = FlightFigures()
    at: HexId
    facing: Way = "A"
    vector: Vector = Vector()
    moved: dict[str, int] = field(default_factory=dict[str, int])
    last_way: str = ""
    count_from: Annotated[int, Field(ge=0, le=32)] = 0
    path: str = ""
    accelerated_on: Count = 0
    turned_on: Count = 0
    no_thrust_until: Count = 0
    warp_left: Count = 0
    warp_used: Count = 0
    impulse_left: Count = 0
    impulse_used: Count = 0
    reserve_left: Count = 0
    slip_ready: bool = False
    hets: Count = 0
    tumbling: bool = False
    tumbles_until: Count = 0
    tumbles_to: Literal["", "left", "right"] = ""
    weasel: str = ""
    launched_from: str = ""
    half_left: Count = 0
    out: Literal["", "landed"] | UnitEnd = ""
    waits_for: Count = 0
    aboard: str = ""
    friction_from: str = ""
    strained: bool = False
    trail: list[HexId] = field(default_factory=list[HexId])
    landed_on: str = ""

    LATER: ClassVar[frozenset[str]] = frozenset({"landed_on"})
