"""Records of a campaign in progress: who is off the map and why, transfers, command points, convoys, what was seen.

What the scenario says lies in :mod:`campaign` and :mod:`cc_schedule`; this is what became of it. Units off the map stay
in ``State.units`` and are in no task force; ``Progress.away`` says of each why.
"""

from typing import Literal

from pydantic import Field

from rules_engine.core.basics.base import Count, Frozen, HexId, Mutable, Side
from rules_engine.core.basics.rational import Rational

ArrivalKind = Literal["reinforcement", "return", "special", "convoy", "resupply", "cargo", "force"]
"""``convoy``: bought with civilian points; ``resupply``: the free base convoy; ``cargo``: bought units that carry
supplies as part of it; ``force``: a force that comes on as a whole, such as mercenaries."""

PLACED: tuple[ArrivalKind, ...] = ("convoy", "resupply", "cargo", "force")
"""What is placed in its edge hex before plotting; all others come on with a movement point. PQ-17 ruling MOV-7."""


class Arrival(Mutable):
    """A body of units off the map that may come on."""

    key: str
    kind: ArrivalKind
    nation: str
    name: str
    units: list[str]
    entry: list[HexId]
    """The hexes where it may come on."""
    opens: Count = 1
    """The first turn on which it may."""
    hex: HexId = ""
    """Where its owner has it come on; empty while it is held back."""
    turn: Count = 0
    """On which turn; 0 while it is held back."""
    speed: str = ""
    """At which speed it comes on; the usual one when empty."""
    destination: str = ""
    """The base, by task force, that it makes for without command points. PQ-17 C.schedule.note3."""


class Away(Mutable):
    """Why a unit is off the map."""

    state: Literal["waiting", "transferred", "left"]
    key: str = ""
    """The arrival it waits in, or the transfer it left for."""
    turn: Count = 0
    hex: HexId = ""


class Permit(Mutable):
    """That a unit may leave the map, where, and what for."""

    kind: Literal["transfer", "convoy", "resupply", "cargo", "special"]
    hexes: list[HexId]
    key: str = ""
    """The transfer that it leaves for, or what a special condition calls it."""


class Departure(Frozen):
    """A unit that left the map over its edge."""

    unit: str
    kind: Literal["transfer", "convoy", "resupply", "cargo", "special"]
    key: str
    hex: HexId
    turn: int
    fit: bool
    """Undamaged and with half of its fuel or more. PQ-17 C.schedule.note4, ruling SCN-15."""


class Freighter(Mutable):
    """A ship of a convoy: when it came, and what is left of what it came with."""

    kind: Literal["convoy", "resupply"]
    convoy: str
    """The convoy's key in the scenario, or the force's."""
    nation: str
    period: Count
    original: Count = 0
    """Supply points of its original load still aboard; only those of bought convoys are counted."""
    scored: bool = False
    """Whether its failure to return was scored; a late exit takes nothing back. PQ-17 ruling SCN-18."""


class Direct(Mutable):
    """A unit that needs no command points while every move brings it nearer to its goal. PQ-17 ruling CP-12."""

    hex: HexId
    kind: Literal["arrival", "transfer"]


ErrandStage = Literal["", "out", "unload", "wait", "stores", "back", "done"]


class Errand(Mutable):
    """What a ship does by itself, with those it sails with, until its owner plans otherwise."""

    port: str = ""
    """The base, by task force, that it makes for first; empty for a transfer."""
    unload: bool = False
    """Whether it unloads there: a convoy."""
    leave: HexId = ""
    """Where it leaves the map in the end; empty for one that stays in port."""
    stage: ErrandStage = ""
    """How far it has come, as its owner was last told."""


class CommandAccount(Mutable):
    """One nation's command points."""

    bank: Count = 0
    spent: Count = 0
    """In the present period."""
    out: list[str] = Field(default_factory=list[str])
    """Dreadnoughts and cruisers (for a nation by range: any units) that were out of port in this period."""
    entries: Count = 0
    """Hexes entered beyond range 1, where the nation pays for them."""
    uncovered: list[str] = Field(default_factory=list[str])
    """Ships that no points are left for: they go home. PQ-17 ruling CP-5."""


class PeriodTally(Mutable):
    """What is counted over one period and scored at its end."""

    delivered: Count = 0
    """Supply points delivered to the Kzintis. PQ-17 C.vp.7."""
    destroyed: Count = 0
    """Supply points destroyed by Klingons. PQ-17 C.vp.8."""
    patrol_missed: bool = False
    """Patrol White was not in place at the end of some impulse. PQ-17 C.vp.15."""
    patrol_excused: bool = False
    """Some event of the period excuses that. PQ-17 C.vp.note10."""


class Progress(Mutable):
    """A campaign as it stands, apart from what is on the map."""

    arrivals: list[Arrival] = Field(default_factory=list[Arrival])
    away: dict[str, Away] = Field(default_factory=dict[str, Away])
    permits: dict[str, Permit] = Field(default_factory=dict[str, Permit])
    departures: list[Departure] = Field(default_factory=list[Departure])
    freighters: dict[str, Freighter] = Field(default_factory=dict[str, Freighter])
    cargo_units: dict[str, Count] = Field(default_factory=dict[str, Count])
    """Bought units that may carry supplies as the base convoy does: the last period in which each came on."""
    errands: dict[str, Errand] = Field(default_factory=dict[str, Errand])
    """By ship, what it does by itself."""
    direct: dict[str, Direct] = Field(default_factory=dict[str, Direct])
    command: dict[str, CommandAccount] = Field(default_factory=dict[str, CommandAccount])
    """By nation."""
    patrol: list[str] = Field(default_factory=list[str])
    """The two cruisers that hold Patrol White's exemption. PQ-17 ruling CP-6."""
    tally: PeriodTally = Field(default_factory=PeriodTally)
    released: bool = False
    """Whether the bound ships may leave their base. PQ-17 C.oob.klingon.restriction."""
    reaction: Literal["held", "called", "entered"] = "held"
    """The reaction force. PQ-17 C.oob.kzinti.reaction-force, ruling SCN-6."""
    entered: dict[str, Count] = Field(default_factory=dict[str, Count])
    """Units of forces that came on later: the period in which they did. PQ-17 C.cp.kzinti.exemptions."""
    returned: list[str] = Field(default_factory=list[str])
    """Transferred units that have come back."""
    told: dict[Side, int] = Field(default_factory=dict[Side, int])
    """The last period whose report a side has had."""
    points: dict[str, Rational] = Field(default_factory=dict[str, Rational])
    """Emergency points used this period, by nation."""
