"""What is under way in a race's docking bays, and what its bases spent this turn."""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.record import Record
from rules_engine.rulebooks.cutler.records.classes import UnitClass


class DockWork(Record):
    """A ship in a docking bay: one under construction, which is ``named`` and no unit yet.

    ``cost`` and ``paid`` are in CPV. It is done when all is paid.
    """

    base: str
    bay: int
    race: Side
    into: UnitClass
    named: str = ""
    cost: int
    paid: int = 0

    @property
    def key(self) -> str:
        """Its bay, which holds one ship at a time."""
        return bay_key(self.base, self.bay)

    @property
    def title(self) -> str:
        """What it is, for its owner."""
        return f"{self.named} ({self.into.name})"


class Spent(Record):
    """CPV that went through a base's repair boxes in this turn's economics phase, and into what."""

    base: str
    race: Side
    item: str
    cpv: int


def bay_key(base: str, bay: int) -> str:
    """The key of a base's docking bay."""
    return f"{base}/{bay}"
