"""Records of chapters 10 and 11 that outlive a step: docked groups, and plotted transfers.

Units are named by id. Repair orders have a module of their own.
"""

from dataclasses import field
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.rational import Rational
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.records.construction import BuildOrder
from rules_engine.rulebooks.pq17.records.damage import RepairOrder
from rules_engine.rulebooks.pq17.tables.supply import Goods

SheetWish = Literal["useful", "always", "never"]
RefuelWish = Literal["half", "full", "never"]


class DockedGroup(Record):
    """A host and the ships docked to it for a whole turn, for supply and repair alike. PQ-17 10.3.7.2, 11.4.9.2.7."""

    host: str
    """A base, a tug, or one ship of a pair."""
    docked: list[str]
    """The docked ships, in the order of docking positions."""
    links: bool = False
    """Whether these are a tender's own fast patrol ships on its links (10.3.7.2.5)."""

    def members(self) -> list[str]:
        """All members, the host first."""
        return [self.host, *self.docked]


class GoodsTransfer(Record):
    """One plotted line: goods passed from one unit to another of its group, or converted into others on board.

    ``target`` equals ``source`` where a unit uses its own supply (10.3.10.1).
    """

    source: str
    target: str
    goods: Goods
    amount: Annotated[Rational, Field(gt=0)]
    into: Goods | None = None
    """What supply becomes on arrival; None: decided at the end of the turn (10.3.7.5)."""


class GoodsDelivery(Record):
    """One plotted line as it is carried out in the Tactical Logistics Step. PQ-17 SOP.2.c.ii."""

    source: str
    target: str
    goods: Goods
    into: Goods | None = None
    plotted: Rational
    amount: Rational = Fraction(0)
    """The amount taken from the source, after interruptions."""
    impulse: int = 0
    """The impulse in which it was interrupted, or 0."""
    stored: dict[Goods, Rational] = field(default_factory=dict[Goods, Rational])
    """The goods it became aboard the target."""
    lost: Rational = Fraction(0)
    """What could not be stored there, in supply points (10.3.3)."""


class SupplyRoutine(Record):
    """A side's settings for its logistics."""

    sheet: SheetWish = "useful"
    """When it wants the logistics sheet: when something could be done, every turn, or never (the routine is followed
    then)."""
    refuel: RefuelWish = "half"
    """How full supply ships keep their own engines from their cargo (10.3.10.1)."""
    lines: Annotated[dict[str, str], Field(exclude_if=lambda lines: not lines)] = field(default_factory=dict[str, str])
    """Docking and transfers that stand for later turns, by the line of the logistics sheet, as they are written there.
    PQ-17 10.3.7.1, ruling PQ-196."""


class LogisticsPlan(Record):
    """One side's logistics plan for the turn. PQ-17 SOP.2.a.iv, 10.3.7.1."""

    groups: list[DockedGroup] = field(default_factory=list[DockedGroup])
    transfers: list[GoodsTransfer] = field(default_factory=list[GoodsTransfer])
    repairs: list[RepairOrder] = field(default_factory=list[RepairOrder])
    """Repairs, in the order in which they are carried out. PQ-17 SOP.2.a.iv.3."""
    builds: list[BuildOrder] = field(default_factory=list[BuildOrder])
    """Bases to be built, extended or put to work. PQ-17 1.8.12.7."""
    units: list[str] = field(default_factory=list[str])
    """All units that could have been docked, whether or not they were."""
    in_port: dict[str, str] = field(default_factory=dict[str, str])
    """Unit id to the base cluster it is in port with, for units docked in port (the cluster's own units too)."""
    interrupted: dict[str, int] = field(default_factory=dict[str, int])
    """Unit id to the first impulse in which its logistics were interrupted (ruling SUP-3)."""
    done: list[GoodsDelivery] = field(default_factory=list[GoodsDelivery])
    """The transfers as carried out, kept until the next plan."""
    ask_at_end: bool = False
    """Whether the side decides at the end of the turn what supply becomes (10.3.7.5)."""
    may_lose: bool = False
    """Whether it has agreed to lose what cannot be stored (10.3.3, ruling SUP-5)."""

    @rule("10.3.7.2.5")
    def group_of(self, unit_id: str, *, links: bool = False) -> DockedGroup | None:
        """The group a unit is in; a tender's links are a separate group. PQ-17 10.3.7.2.5."""
        return next((one for one in self.groups if one.links == links and unit_id in one.members()), None)

    def impulse_of(self, *unit_ids: str) -> int:
        """The first impulse in which any of these units was interrupted, or 0."""
        return min((self.interrupted[one] for one in unit_ids if one in self.interrupted), default=0)
