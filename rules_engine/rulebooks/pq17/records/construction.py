"""Records of base construction: orders, and the bases built. PQ-17 1.8.12."""

from dataclasses import field
from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import Count, HexId, Side
from rules_engine.core.basics.record import Record


class BuildOrder(Record):
    """The order for one task force to build something this turn. PQ-17 1.8.12.7."""

    task_force: str
    units: list[str]
    """Its units when that was plotted; units that have left or are lost no longer build."""
    what: Literal["build", "extend", "activate"]
    subject: str
    """The class of the new base, or the id of the base unit to extend or activate."""
    parts: list[str] = field(default_factory=list[str])
    """Pods and modules that go into it besides the core pods (1.8.12.4)."""
    near: str = ""
    """The base cluster that a new base joins (1.8.12.10)."""
    conditions: Annotated[int, Field(ge=1, le=4)] | None = None
    """The local conditions that its builder chooses (1.8.12.9)."""
    place: str = ""
    """Where it lies on a tactical map, for later battles (1.8.12.10)."""
    disturbed: Count = 0
    """The impulse in which reconnaissance or combat interrupted it; 0: not interrupted (1.8.12.8)."""


class BuiltPart(Record):
    """A pod or module of a built base as it was when it went in."""

    class_id: str
    crippled: bool = False


class BuiltBase(Record):
    """A base that was built in the campaign; special conditions score it when it becomes active (ruling SPC-12)."""

    side: Side
    unit: str
    hex: HexId
    turn: Count
    """The turn in which it was put in place."""
    active_since: Count = 0
    """The turn in which it became active; 0 while it is inactive."""
    builders: list[str] = field(default_factory=list[str])
    """The ships of the task force that built it."""
    parts: list[BuiltPart] = field(default_factory=list[BuiltPart])
