"""What captains report of a battle that the tracker cannot know."""

from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import Frozen
from rules_engine.rulebooks.vector.records.ships import Points

ReportKind = Literal[
    "lost", "destroyed", "disengaged", "left the map", "tractor", "released", "weasel launched", "weasel voided"
]
FATES: tuple[ReportKind, ...] = ("destroyed", "disengaged", "left the map")
"""What is reported of a unit that is in the battle no more."""

System = Literal["warp", "impulse", "power", "reserve", "shield"]


class UnitReport(Frozen):
    """One thing that happened to ``unit``; it was said of its captain's unit ``by``.

    ``lost``: ``amount`` of a ``system``, of a shield the ``number``. ``tractor``: ``unit`` holds ``other``, with so
    much ``power`` against its ``resistance``.
    """

    by: str
    unit: str
    what: ReportKind
    system: System | None = None
    number: Annotated[int, Field(ge=0, le=6)] = 0
    amount: Points = 0
    other: str = ""
    power: Points = 0
    resistance: Points = 0

    @property
    def is_private(self) -> bool:
        """Whether it shows to nobody else, and only lessens what its captain has: it needs nobody's word. VM-R38"""
        return self.what == "lost"
