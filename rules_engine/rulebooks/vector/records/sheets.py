"""What a captain sends for a piece of a turn: a line for each own unit, in words.

``plotting`` reads its plots, ``accounts`` its reports.
"""

from typing import Annotated

from pydantic import Field, RootModel

from rules_engine.core.basics.base import Frozen
from rules_engine.rulebooks.vector.records.plots import MOST_HET_ENERGY

LONGEST_PART = 200
"""Characters of thrust, of turns, and of reports."""
LONGEST_PLOT = 600
"""Characters of a plot in words."""

_Part = Annotated[str, Field(max_length=LONGEST_PART)]


class PlotLine(Frozen):
    """What one unit does: ``thrust`` (``6 on 1, 4 on 12``), ``turn`` (``right on 4``), all else, or all of it, in
    ``plot``; the energy for its high energy turns in ``het_energy`` (VM-R21); and what happened to it that only people
    know, in ``report``."""

    thrust: _Part | None = None
    turn: _Part | None = None
    plot: Annotated[str, Field(max_length=LONGEST_PLOT)] | None = None
    het_energy: Annotated[int, Field(ge=0, le=MOST_HET_ENERGY)] | None = None
    report: _Part | None = None


class PlotSheet(RootModel[dict[str, PlotLine]]):
    """A side's sheet for a piece, by unit; a unit without a line coasts."""

    def of(self, unit: str) -> PlotLine:
        """What is said of a unit."""
        return self.root.get(unit, PlotLine())
