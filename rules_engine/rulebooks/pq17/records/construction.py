"""Records of base construction: what is ordered, and what came of it. PQ-17 1.8.12."""

from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import Count, HexId, Mutable, Side


class BuildOrder(Mutable):
    """What one task force is to build this turn. PQ-17 1.8.12.7."""

    task_force: str
    units: list[str]
    """Its units when that was plotted: who has left, or is lost, builds no more."""
    what: Literal["build", "extend", "activate"]
    subject: str
    """The class of the new base; else the base unit that is extended or put to work."""
    parts: list[str] = Field(default_factory=list[str])
    """Pods and modules that go into it besides the core pods (1.8.12.4)."""
    near: str = ""
    """The base cluster that a new base joins (1.8.12.10)."""
    conditions: Annotated[int, Field(ge=1, le=4)] | None = None
    """The local conditions that its builder chooses (1.8.12.9)."""
    place: str = ""
    """Where it lies on a tactical map, for later battles (1.8.12.10)."""
    disturbed: Count = 0
    """The impulse in which reconnaissance or combat interrupted it; 0 for none (1.8.12.8)."""


class BuiltPart(Mutable):
    """A pod or module of a built base as it was when it went in."""

    class_id: str
    crippled: bool = False


class BuiltBase(Mutable):
    """A base that was built in the campaign; special conditions score it when it begins to work (ruling SPC-12)."""

    side: Side
    unit: str
    hex: HexId
    turn: Count
    """The turn in which it was put in place."""
    active_since: Count = 0
    """The turn in which it began to work; 0 while it does not."""
    builders: list[str] = Field(default_factory=list[str])
    """The ships of the task force that built it."""
    parts: list[BuiltPart] = Field(default_factory=list[BuiltPart])
