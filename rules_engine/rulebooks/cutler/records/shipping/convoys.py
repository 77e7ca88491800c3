"""Convoys: freighters and Q-ships under one plot, and the sheet's lines about them. 2.7"""

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from pydantic import Field

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.hexes import Grid
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.lines import PartialLine
from rules_engine.rulebooks.cutler.records.tables import STACKED, UnitKind

FULL_SHIPS: frozenset[UnitKind] = frozenset({*STACKED, "freighter", "q_ship"})
"""Kinds that move and are ships, as PFs and interceptors are not; no freighter is stacked, but all are. 3.3.7.1, 9.2"""

SURVEY_SHIP = 4
"""What it takes to survey, in small survey freighters: a cruiser is worth four, a large freighter two. 9.1, CU-R123"""


@rule("3.1.3", "2.7.3")
def disguise_defects(classes: Mapping[str, UnitClass]) -> list[Refusal]:
    """Q-ships of a catalogue that a glance would tell from freighters: they have the size class of those of their
    size. 3.1.3, 2.7.3, CU-R48"""
    freighters = [kind for kind in classes.values() if kind.kind == "freighter" and not kind.is_survey_ship]
    refusals: list[Refusal] = []
    for key, kind in classes.items():
        usual = {one.size_class for one in freighters if one.freighter_size == kind.freighter_size}
        if kind.kind == "q_ship" and usual and kind.size_class not in usual:
            text = f"a {kind.name} would be told from a {kind.freighter_size} freighter by its size class"
            legal = " or ".join(map(str, sorted(usual)))
            refusals.append(illegal(text, "3.1.3, CU-R48", f"ships.{key}.size_class", legal=legal))
    return refusals


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

    # Its course is fixed when it sails, and followed here alone.

    @rule("2.7.2", "2.8")
    def come_to(self, here: HexId, grid: Grid) -> None:
        """Follow the plot, trimmed by the hex that was entered. Thrown off it, a convoy sails back to the next hex of
        it, and others straight to where they are bound. 2.7.2, 2.8, CU-R39, CU-R43"""
        self.at = here
        if self.course[:1] == [here]:
            self.course = self.course[1:]
        elif self.kind == "convoy" and self.course:
            self.course = [*grid.line(here, self.course[0])[1:], *self.course[1:]]
        else:
            goal = self.course[-1] if self.course else self.embarked
            self.course = list(grid.line(here, goal)[1:])


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
