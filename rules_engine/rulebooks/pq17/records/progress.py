"""Records of a campaign in progress: units off the map, transfers, command points, convoys, what was seen.

What the scenario says is in ``tables.order_of_battle`` and ``tables.schedule``; this is what has happened since. Units
off the map stay in ``State.units`` and are in no task force; ``Progress.away`` says why each is away.
"""

from dataclasses import field
from typing import Literal

from rules_engine.core.basics.base import Count, Frozen, HexId, Side
from rules_engine.core.basics.rational import Rational
from rules_engine.core.basics.record import Record

ArrivalKind = Literal["reinforcement", "return", "special", "convoy", "resupply", "cargo", "force"]
"""``convoy``: bought with civilian points; ``resupply``: the free base convoy; ``cargo``: bought units that carry
supplies as part of it; ``force``: a force that comes on as a whole, such as mercenaries."""

PLACED: tuple[ArrivalKind, ...] = ("convoy", "resupply", "cargo", "force")
"""Kinds placed in their edge hex before plotting; all others enter with a movement point. PQ-17 ruling MOV-7."""


class Arrival(Record):
    """A group of units off the map that may enter it together."""

    key: str
    kind: ArrivalKind
    nation: str
    name: str
    units: list[str]
    entry: list[HexId]
    """The hexes where it may enter."""
    opens: Count = 1
    """The first turn on which it may."""
    hex: HexId = ""
    """The hex where it is to enter; empty while it is held back."""
    turn: Count = 0
    """The turn on which it is to enter; 0 while it is held back."""
    speed: str = ""
    """The speed at which it enters; empty for the usual one."""
    destination: str = ""
    """The id of the base it goes to without needing command points. PQ-17 C.schedule.note3."""


class Away(Record):
    """Why a unit is off the map."""

    state: Literal["waiting", "transferred", "left"]
    key: str = ""
    """The key of the arrival it waits in, or of the transfer it left for."""
    turn: Count = 0
    hex: HexId = ""


class Permit(Record):
    """Permission for a unit to leave the map: where, and for what."""

    kind: Literal["transfer", "convoy", "resupply", "cargo", "special"]
    hexes: list[HexId]
    key: str = ""
    """The transfer it leaves for, or a special condition's name for the reason."""


class Departure(Frozen):
    """A unit that left the map over its edge."""

    unit: str
    kind: Literal["transfer", "convoy", "resupply", "cargo", "special"]
    key: str
    hex: HexId
    turn: int
    fit: bool
    """Whether it was undamaged and had at least half of its fuel. PQ-17 C.schedule.note4, ruling SCN-15."""


class Freighter(Record):
    """A ship of a convoy: when it arrived, and what is left of its load."""

    kind: Literal["convoy", "resupply"]
    convoy: str
    """The key of its convoy or force in the scenario."""
    nation: str
    period: Count
    original: Count = 0
    """Supply points of its original load still aboard; counted only for bought convoys."""
    scored: bool = False
    """Whether its failure to leave was scored; a late exit does not undo that. PQ-17 ruling SCN-18."""


class Direct(Record):
    """A unit that needs no command points as long as every move brings it nearer to its goal. PQ-17 ruling CP-12."""

    hex: HexId
    kind: Literal["arrival", "transfer"]


ErrandStage = Literal["", "out", "unload", "wait", "stores", "back", "done"]


class Errand(Record):
    """What a ship does by itself, together with its task force, until its owner plans otherwise."""

    port: str = ""
    """The id of the base it goes to first; empty for a transfer."""
    unload: bool = False
    """Whether it unloads there, as a convoy does."""
    leave: HexId = ""
    """Where it leaves the map at the end; empty if it stays in port."""
    stage: ErrandStage = ""
    """The stage it has reached, as its owner was last told."""


class CommandAccount(Record):
    """One nation's command points."""

    bank: Count = 0
    spent: Count = 0
    """Points spent in the present period."""
    out: list[str] = field(default_factory=list[str])
    """Dreadnoughts and cruisers (for a nation by range: any units) that were out of port in this period."""
    entries: Count = 0
    """Hexes entered beyond range 1, where the nation pays for them."""
    uncovered: list[str] = field(default_factory=list[str])
    """Ships that there are no points left for; they must go home. PQ-17 ruling CP-5."""


class PeriodTally(Record):
    """What is counted over one period and scored at its end."""

    delivered: Count = 0
    """Supply points delivered to the Kzintis. PQ-17 C.vp.7."""
    destroyed: Count = 0
    """Supply points destroyed by Klingons. PQ-17 C.vp.8."""
    patrol_missed: bool = False
    """Patrol White was not in place at the end of some impulse. PQ-17 C.vp.15."""
    patrol_excused: bool = False
    """An event of the period excuses that. PQ-17 C.vp.note10."""


class Progress(Record):
    """A campaign's progress off the map."""

    arrivals: list[Arrival] = field(default_factory=list[Arrival])
    away: dict[str, Away] = field(default_factory=dict[str, Away])
    permits: dict[str, Permit] = field(default_factory=dict[str, Permit])
    departures: list[Departure] = field(default_factory=list[Departure])
    freighters: dict[str, Freighter] = field(default_factory=dict[str, Freighter])
    cargo_units: dict[str, Count] = field(default_factory=dict[str, Count])
    """Bought units that may carry supplies as the base convoy does, with the last period in which each came on."""
    errands: dict[str, Errand] = field(default_factory=dict[str, Errand])
    """Errands by ship."""
    direct: dict[str, Direct] = field(default_factory=dict[str, Direct])
    command: dict[str, CommandAccount] = field(default_factory=dict[str, CommandAccount])
    """By nation."""
    patrol: list[str] = field(default_factory=list[str])
    """The two cruisers that hold Patrol White's exemption. PQ-17 ruling CP-6."""
    tally: PeriodTally = field(default_factory=PeriodTally)
    released: bool = False
    """Whether the bound ships may leave their base. PQ-17 C.oob.klingon.restriction."""
    reaction: Literal["held", "called", "entered"] = "held"
    """The reaction force. PQ-17 C.oob.kzinti.reaction-force, ruling SCN-6."""
    entered: dict[str, Count] = field(default_factory=dict[str, Count])
    """Units of forces that came on later, with the period in which they did. PQ-17 C.cp.kzinti.exemptions."""
    returned: list[str] = field(default_factory=list[str])
    """Transferred units that have come back."""
    told: dict[Side, int] = field(default_factory=dict[Side, int])
    """By side: the last period it was sent the report of."""
    points: dict[str, Rational] = field(default_factory=dict[str, Rational])
    """Emergency points used this period, by nation."""
