"""Convoys: freighters and Q-ships under one plot, and the sheet's lines about them. 2.7"""

from dataclasses import field
from typing import Literal

from pydantic import Field

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.record import Record
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.lines import PartialLine
from rules_engine.rulebooks.cutler.records.tables import STACKED, UnitKind

FULL_SHIPS: frozenset[UnitKind] = frozenset({*STACKED, "freighter", "q_ship"})
"""Kinds that move and are ships, as PFs and interceptors are not; no freighter is stacked, but all are. 3.3.7.1, 9.2"""

SURVEY_SHIP = 4
"""What it takes to survey, in small survey freighters: a cruiser is worth four, a large freighter two. 9.1, CU-R123"""


def sails_in_convoys(record: UnitClass) -> bool:
    """Whether its moves are plotted in advance: those of freighters and Q-ships, but not of survey freighters. 2.7,
    CU-R34, CU-R35"""
    return record.kind in ("freighter", "q_ship") and not record.is_survey_ship


class PlottedConvoy(Record):
    """Units under one plot that cannot be changed any more: a ``convoy``, a Q-ship on its ``return``, or a new
    ``police`` ship on its way.

    ``course`` are the hexes that it has yet to enter, its destination last; ``at`` where it was when that was written;
    ``embarked`` the last point of embarkation. ``back`` are the Q-ships that turn back first if there are too many.
    2.7, 2.7.2, 2.7.3, 2.8
    """

    key: str
    race: Side
    kind: Literal["convoy", "return", "police"] = "convoy"
    units: list[str]
    at: HexId
    embarked: HexId
    course: list[HexId]
    back: list[str] = field(default_factory=list[str])


class DepartureLine(PartialLine):
    """Freighters that wait in a hex: who sails, where to, over which hexes, and whether they unload on arrival. Without
    a destination nobody sails. 2.7, 4.1.6.1"""

    ships: tuple[str, ...] | None = None
    to: str | None = Field(default=None, max_length=20)
    course: str | None = Field(default=None, max_length=300)
    unload: bool | None = None


class ConvoyLine(PartialLine):
    """A convoy under way: which Q-ships turn back first if there are too many. Its plot is changed by nobody, so that
    another course is refused. 2.7.2, 2.7.3"""

    back: tuple[str, ...] | None = None
    to: str | None = Field(default=None, max_length=20)
    course: str | None = Field(default=None, max_length=300)
