"""Sorties: fighters on their way to a neighbouring hex and back, within one impulse. 2.9"""

from collections.abc import Mapping
from typing import Literal

from pydantic import ConfigDict, Field, RootModel

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.record import Record
from rules_engine.rulebooks.cutler.records.accessories.catalogue import Lots
from rules_engine.rulebooks.cutler.records.accessories.flown import boosters_in, fighters_in
from rules_engine.rulebooks.cutler.records.lines import PartialLine

SORTIE_LIMIT = 24
"""The most fighters of a race, or of a coordinated force, that sortie into one hex. 2.9.9"""


class Sortie(Record):
    """The fighters that one race has sent from one hex into another: those that are left, with their warp booster
    packs, are what it ``holds``. They ``land`` in the hex to which they went, or return to their ``origin``."""

    key: str
    race: Side
    origin: HexId
    target: HexId
    holds: Lots
    land: bool = False

    @property
    def fighters(self) -> int:
        """How many are left."""
        return fighters_in(self.holds)

    @property
    def booster_sets(self) -> int:
        """How many of them have booster packs."""
        return boosters_in(self.holds)


class SortieLine(PartialLine):
    """The sortie of one carrier's fighters; blank is none. Or, on the line of its coordination, whether a race stays in
    its force. 2.9, 2.10"""

    target: str | None = None
    fighters: int | None = Field(default=None, ge=1, strict=True)
    then: Literal["return", "land"] = "return"
    stay: bool = True


class SortieSheet(RootModel[dict[str, SortieLine]]):
    """A line for each carrier, by its id."""

    model_config = ConfigDict(frozen=True)

    @property
    def stays(self) -> bool:
        """Whether the race stays in its coordinated force."""
        return self.root["coordination"].stay if "coordination" in self.root else True

    @property
    def lines(self) -> Mapping[str, SortieLine]:
        """The lines of carriers that are ordered to do something."""
        return {key: line for key, line in self.root.items() if line.target is not None}


class InterceptLine(PartialLine):
    """The opposing sortie that is met, and with how many fighters; all if left blank."""

    against: str | None = None
    fighters: int | None = Field(default=None, ge=1, strict=True)


class InterceptSheet(RootModel[dict[Literal["sortie"], InterceptLine]]):
    """Whether one intercepts. 2.9.7.1"""

    @property
    def line(self) -> InterceptLine:
        """What was ordered; nothing if nothing was."""
        return self.root.get("sortie", InterceptLine())


class SortieAttackLine(PartialLine):
    """How many fighters attack one race, and whether they attack all of its coordinated force, if it is in one."""

    fighters: int = Field(default=0, ge=0, strict=True)
    force: bool = True


class SortieAttackSheet(RootModel[dict[str, SortieAttackLine]]):
    """A line for each race that can be attacked. 2.9.7.2"""
