"""Records of special conditions, random events and raids: what was rolled, who knows of it, and its effects."""

from dataclasses import field

from rules_engine.core.basics.base import Count, HexId, Side
from rules_engine.core.basics.record import Record
from rules_engine.rulebooks.pq17.tables.special_conditions import ConditionName, EventName


class RolledCondition(Record):
    """One result of the special conditions table. PQ-17 1.5.1, SOP.1.a, SOP.1.c."""

    side: Side
    """The side that rolled it, whose secret it is (ruling SPC-4)."""
    name: ConditionName
    """What it counts as: ``none`` for a result that may not come up again (ruling SPC-3)."""
    period: Count
    star: bool = False
    revealed: bool = False
    """Whether the other side has been told of it."""


class Execution(Record):
    """A condition being carried out in a period, as its owner plotted it. PQ-17 SOP.1.f, ruling SPC-9."""

    side: Side
    name: ConditionName
    period: Count
    target: str = ""
    """The name of the base it goes against, where there is a choice (Port Strike)."""
    fought: bool = False
    """Whether the first attack, the one that counts, has been made."""
    revealed: bool = False


class RolledEvent(Record):
    """One result of the random events table. It lapses with its period. PQ-17 1.5.2, SOP.1.b, SOP.1.d, SPC-1."""

    side: Side
    name: EventName
    period: Count
    spent: bool = False
    offered: list[str] = field(default_factory=list[str])
    """The contacts, with levels, that its owner has been asked about; a new one is asked about again."""
    every_time: bool = False
    """Whether its owner wants to be asked every time it could be used."""


class SearchTally(Record):
    """The sum of levels rolled by a side's searches of one enemy base this period. PQ-17 rulings SPC-10, RND-8."""

    side: Side
    base: str
    """The id of the base's task force."""
    gained: Count = 0


class PortCount(Record):
    """How often a side has scored for reconnaissance of one base. PQ-17 C.random.port-reconnaissance, RND-8."""

    side: Side
    base: str
    times: Count = 0


class Shipload(Record):
    """A freighter of a Coalition convoy, with what it must deliver. PQ-17 C.special.coalition-convoy, ruling SPC-8."""

    unit: str
    period: Count
    left: Count
    """Full cargo boxes that are neither delivered nor destroyed yet."""
    delivered: Count = 0
    destroyed: Count = 0


class BaseProject(Record):
    """A base to be set up by GEARBOX or WUNDERLAND. PQ-17 C.special.gearbox, C.special.wunderland, ruling SPC-12."""

    side: Side
    name: ConditionName
    due: Count
    """The period at whose end it must stand, and its ships must have left."""
    ships: list[str] = field(default_factory=list[str])
    gone: list[str] = field(default_factory=list[str])
    """Those of its ships that have left the map as they must."""
    scored: bool = False


class Flotilla(Record):
    """Flotilla 5 while it waits off the map. PQ-17 C.special.flotilla-5."""

    period: Count
    ask_on: Count
    """The turn on which its owner is asked next where to place it."""


class RaidForce(Record):
    """The local forces of the present raid. They are discarded after its battle. PQ-17 C.raid.note5, ruling RAID-12."""

    hex: HexId
    task_forces: list[str] = field(default_factory=list[str])
    units: list[str] = field(default_factory=list[str])


class Spy(Record):
    """A base from which Agent Cobweb reports. PQ-17 C.special.agent-cobweb, ruling SPC-14."""

    hex: HexId
    searched: list[str] = field(default_factory=list[str])
    """Alliance units that have been searched from there this impulse."""


class Specials(Record):
    """All of a campaign's special conditions and random events."""

    conditions: list[RolledCondition] = field(default_factory=list[RolledCondition])
    executions: list[Execution] = field(default_factory=list[Execution])
    events: list[RolledEvent] = field(default_factory=list[RolledEvent])
    tallies: list[SearchTally] = field(default_factory=list[SearchTally])
    port_counts: list[PortCount] = field(default_factory=list[PortCount])
    shiploads: list[Shipload] = field(default_factory=list[Shipload])
    projects: list[BaseProject] = field(default_factory=list[BaseProject])
    flotilla: Flotilla | None = None
    spies: list[Spy] = field(default_factory=list[Spy])
    conversions: list[str] = field(default_factory=list[str])
    """Freighters to be made into suicide freighters, or back, this turn."""
    conversions_offered: dict[Side, list[str]] = field(default_factory=dict[Side, list[str]])
    """Docked freighters, with their loads, that a side has been asked about."""
    early: list[Side] = field(default_factory=list[Side])
    """Sides that had this period's reinforcements at its beginning (ruling SPC-15)."""
    scored: list[ConditionName] = field(default_factory=list[ConditionName])
    """Conditions that have brought points which are not revealed yet."""
    broken_out: list[str] = field(default_factory=list[str])
    """Units that left the map by the breakout and have not come back."""
    bastion_scored: bool = False
    """CLEAN SWEEP's points for the Bastion at ID3 are scored once."""
    kiel_scored: Count = 0
    """The last period in which GALE FORCE's reconnaissance of Kiel scored."""
    mines_scored: Count = 0
    """Strength points that the Coalition has scored for this period's minelaying."""
    raids: list[RaidForce] = field(default_factory=list[RaidForce])
    """Raids whose battles are still to be fought in this combat step."""
