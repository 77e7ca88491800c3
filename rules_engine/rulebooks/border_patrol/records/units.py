"""Units: ships, tugs, bases and what else may stand in a strategic hex."""

from collections.abc import Iterable
from dataclasses import field
from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import Count, Frozen, HexId, Owner, Side
from rules_engine.core.basics.rational import Rational
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.border_patrol.records.standing import Cloak, Reaction
from rules_engine.rulebooks.border_patrol.tables.ranks import default_command_rating

UnitKind = Literal[
    "ship", "tug", "freighter", "armed freighter", "Q-ship", "base", "fighter", "PF", "monster", "alien ship"
]
OrionStatus = Literal["none", "leased", "independent", "normal"]
"""How an Orion unit operates; ``none`` of all other units. BP-R11"""
CrewQuality = Literal["outstanding", "normal", "poor"]

CARRIED: tuple[UnitKind, ...] = ("fighter", "PF")
"""Kinds that move only aboard others. V8.18, BP-R09"""
NEUTRALS: tuple[UnitKind, ...] = ("monster", "alien ship")
"""Kinds that belong to no Team, never consent, and must be reacted to. V8.22, V8.25, V8.62"""

Cost = Annotated[Rational, Field(ge=0, le=100)]
SizeClass = Annotated[int, Field(ge=1, le=7)]


class PodCarried(Frozen):
    """A pod on a tug."""

    name: str
    weight: Annotated[int, Field(ge=1)] = 1


class PodLying(Record):
    """A pod that was set down in a hex, and waits there for a tug of its Team. BP-N29"""

    id: str
    team: Side
    hex: HexId
    name: str
    weight: Count = 1


class Unit(Record):
    """One unit. ``team`` is empty for whoever belongs to none; a leased Orion's is the lessee.

    ``movement_cost`` is tactical, 0 of what never moves by itself. ``cloak_cost`` and ``dcr_original`` are 0 where a
    unit has no cloaking device or no Damage Control Rating, ``command_rating`` None where its class decides.
    ``cloak`` is the cloak that it was ordered for this turn, ``reaction`` its Reactionary Movement. Both are changed by
    the functions of their chapters alone. ``carried`` are points of a reaction that the turn before left it, and
    ``left_station`` is that it moved in reaction in this turn.

    ``emergency_used`` counts the turns of Emergency Movement since the last overhaul; ``emergency`` is that it is used
    in this turn, ``emergency_by_roll`` that the chief engineer's roll allowed it, ``emergency_barred`` that such a roll
    failed. ``overhaul_at`` is the place of this turn's overhaul, ``overhaul_broken`` that it will not be finished.
    ``tractors_original`` and ``special_sensors_original`` are those of the undamaged unit. ``pod_weights`` and
    ``most_pods`` are what a tug may carry at most.

    ``moved_in`` is the number of hexes moved in each movement phase of this turn, ``allowed_in`` the allowance that
    held in each.
    """

    id: str
    team: Owner = ""
    race: str = ""
    name: str
    ship_class: str = ""
    kind: UnitKind = "ship"
    hex: HexId
    size_class: SizeClass
    movement_cost: Cost
    bpv: Count = 0
    warp_original: Count
    warp_ok: Count
    warp_dropped: bool = False
    sublight: bool = False
    crippled: bool = False
    in_supply: bool = True
    command_rating: Count | None = None
    flagship: bool = False
    crew_quality: CrewQuality = "normal"
    chief_engineer: Count = 0
    helmsman: Count = 0
    orion: OrionStatus = "none"
    cloak_cost: Count = 0
    cloak: Cloak | None = None
    special_sensors_original: Count = 0
    special_sensors_ok: Count = 0
    sensors_damaged: bool = False
    tractors_original: Count = 0
    tractors_ok: Count = 0
    pod_weights: Count = 0
    most_pods: Count = 0
    pods: list[PodCarried] = field(default_factory=list[PodCarried])
    pseudo_pods: Count = 0
    towing: list[str] = field(default_factory=list[str])
    towed_by: str = ""
    dcr_original: Count = 0
    dcr: Count = 0
    emergency_used: Count = 0
    emergency: bool = False
    emergency_by_roll: bool = False
    emergency_barred: bool = False
    overhaul_at: str = ""
    overhaul_broken: bool = False
    overhauls: Count = 0
    reaction: Reaction | None = None
    carried: Count = 0
    left_station: bool = False
    moved_in: dict[int, int] = field(default_factory=dict[int, int])
    allowed_in: dict[int, int] = field(default_factory=dict[int, int])

    @property
    @rule("V8.24")
    def command(self) -> int:
        """Its Command Rating. V8.24, BP-R15"""
        return default_command_rating(self.ship_class) if self.command_rating is None else self.command_rating

    @property
    @rule("V8.14", "V8.18")
    def has_warp(self) -> bool:
        """Whether it travels by its own warp engines: it is not sublight, dropped none, and one box of them works.
        V8.14, V8.18, BP-R06, BP-R09"""
        unmoving = self.kind == "base" or self.kind in CARRIED or self.movement_cost == 0
        return self.warp_ok > 0 and not (self.sublight or self.warp_dropped or unmoving)

    @property
    def cloaks(self) -> bool:
        """Whether it was ordered under cloak for this turn: the cloak counts all through it."""
        return self.cloak is not None

    @property
    def cloaked(self) -> bool:
        """Whether it is under cloak now."""
        return self.cloak is not None and self.cloak.worn

    @property
    def turned_up(self) -> str:
        """Why it stands open on the map though it is under cloak; empty if it does not."""
        return "" if self.cloak is None else self.cloak.shown

    @property
    def reacting(self) -> bool:
        """Whether it uses Reactionary Movement."""
        return self.reaction is not None

    @property
    def target(self) -> str:
        """The unit that it is after in reaction; empty if it is after none."""
        return "" if self.reaction is None else self.reaction.target

    @property
    def accrued(self) -> int:
        """The points that it holds for its reaction."""
        return 0 if self.reaction is None else self.reaction.held

    @property
    @rule("V8.83")
    def pod_weight(self) -> int:
        """The weight of its pods together; pseudo-pods weigh nothing. V8.83, BP-R27"""
        return sum(pod.weight for pod in self.pods)

    @property
    @rule("V8.81", "V8.82")
    def is_burdened(self) -> bool:
        """Whether it is a tug with pods or units in tow; pseudo-pods are no burden. V8.81, V8.82"""
        return self.kind == "tug" and bool(self.pods or self.towing)


@rule("V8.24")
def best_command(units: Iterable[Unit]) -> int:
    """The highest Command Rating among units; 0 where there are none. V8.24"""
    return max((unit.command for unit in units), default=0)
