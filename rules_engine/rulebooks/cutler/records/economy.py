"""What is under way in a race's docking bays, and what its bases spent this turn."""

from typing import Annotated

from pydantic import Field

from rules_engine.core.basics.base import Frozen, HexId, Side
from rules_engine.core.basics.record import Record
from rules_engine.rulebooks.cutler.records.accessories.catalogue import CrewQuality
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.conditions.officers import OFFICER_WORDS, Officer


class RepairPoints(Frozen):
    """The points of repair of a box of each kind, half a CPV each; the chart is the tactical game's. 4.3, CU-R88"""

    warp: Annotated[int, Field(ge=1)] = 10
    impulse: Annotated[int, Field(ge=1)] = 5
    cargo: Annotated[int, Field(ge=1)] = 1
    source: Annotated[str, Field(min_length=1)] = "invented"

    def of(self, kind: str) -> int:
        """The points of a box of that kind."""
        return {"warp": self.warp, "impulse": self.impulse, "cargo": self.cargo}[kind]


class DockWork(Record):
    """What is under way in a docking bay: a new ship, which is ``named`` and no unit yet, or the refit of a ``ship``.

    ``cost`` and ``paid`` are in CPV. It is done when all is paid. ``post`` is the planet of a new police ship, by key.
    A ship that gets a new ``crew``, or for which somebody ``trains``, an officer or an ace by key, stays of its class;
    ``manned`` and ``officers`` say who goes with a new one.
    """

    base: str
    bay: int
    race: Side
    into: UnitClass
    named: str
    ship: str = ""
    post: str = ""
    cost: int
    paid: int = 0
    crew: CrewQuality | None = None
    trains: str = ""
    person: str = ""
    manned: CrewQuality = "normal"
    officers: tuple[Officer, ...] = ()

    @property
    def is_for_people(self) -> bool:
        """Whether a ship stays of its class, and gets a crew, an officer or an ace."""
        return self.crew is not None or bool(self.trains)

    @property
    def people(self) -> str:
        """Who goes with a new ship beside its normal crew, in words: "" for nobody."""
        said = (
            [f"{'an' if self.manned == 'outstanding' else 'a'} {self.manned} crew"] if self.manned != "normal" else []
        )
        said += [f"a legendary {OFFICER_WORDS[one]}" for one in self.officers]
        return f" with {' and '.join(said)}" if said else ""

    @property
    def key(self) -> str:
        """Its bay, which holds one ship at a time."""
        return bay_key(self.base, self.bay)

    @property
    def title(self) -> str:
        """What it is, for its owner."""
        if self.crew:
            return f"{self.crew} crew for {self.named}"
        if self.trains:
            return f"{self.person} for {self.named}"
        if self.ship:
            return f"refit of {self.named} into {self.into.name}"
        return f"{self.named} ({self.into.name}){self.people}"


class Spent(Record):
    """CPV that went through a base's repair boxes in this turn's economics phase, and into what."""

    base: str
    race: Side
    item: str
    cpv: int


class BaseSite(Record):
    """A base, or the upgrade of one, that is paid for from the Base Pool and built by a tug in its hex.

    ``set_aside`` are the CPV not channelled yet, of ``cost``; ``upgrades`` is the base that is made into another;
    ``builder`` the unit that built last ("": none has come yet).
    """

    key: str
    race: Side
    hex: HexId
    into: UnitClass
    named: str
    cost: int
    set_aside: int
    upgrades: str = ""
    builder: str = ""

    @property
    def title(self) -> str:
        """What it is, for its owner."""
        return f"upgrade of {self.named} to {self.into.name}" if self.upgrades else f"{self.named} ({self.into.name})"


def bay_key(base: str, bay: int) -> str:
    """The key of a base's docking bay."""
    return f"{base}/{bay}"
