"""What a captain plots for one unit and one piece of a turn.

Made by ``plotting`` from menus, text and files, judged there, and flown by ``tracker``. What is not said coasts. VM-R36
"""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import Frozen
from rules_engine.core.grids.space import Way

IMPULSES = 32
"""Impulses of a turn."""
MOST_HET_ENERGY = 99
"""The most energy that may be entered for a high energy turn."""

PlotAction = Literal["accelerate", "reverse", "turn", "het", "stop", "slip", "reserve", "launch", "land", "weasel"]
"""``stop`` is an emergency deceleration, ``het`` a high energy turn, ``slip`` a sideslip, ``reserve`` power from
reserve."""

Impulse = Annotated[int, Field(ge=1, le=IMPULSES)]


class PlotCondition(Frozen):
    """When an action is taken that names no impulse: once, on the first impulse of ``first`` to ``last`` on which the
    unit named (empty: the nearest that is not of the same side) stands within so many hexes before the movement
    step."""

    unit: str = ""
    within: Annotated[int, Field(ge=0, le=999)]
    first: Impulse = 1
    last: Impulse = IMPULSES


class PlotEvent(Frozen):
    """One action, on an ``impulse`` or ``when`` a condition holds; declared before the movement step. VM-R09

    ``amount``: hexes of acceleration (``accelerate``, ``reverse``, and added speed of what is launched), or points
    (``reserve``). ``by_impulse``: this action is paid with the point of impulse power. ``hand`` is the side of a turn
    of 60 degrees or of a slip, ``towards`` one that brings the unit of the condition nearer to the bow, ``away`` to the
    stern. ``facing``: where a high energy turn ends, or where added speed of what is launched points. ``subject``: what
    is launched, or on which unit it lands. ``energy`` is what a high energy turn takes, where that is said. VM-R21
    """

    action: PlotAction
    impulse: Impulse | None = None
    when: PlotCondition | None = None
    amount: Annotated[int, Field(ge=0, le=999)] = 0
    by_impulse: bool = False
    hand: Literal["left", "right", "towards", "away"] | None = None
    facing: Way | None = None
    subject: str = ""
    energy: Annotated[int, Field(ge=0, le=MOST_HET_ENERGY)] | None = None


class UnitPlot(Frozen):
    """A unit's plot for a piece. ``typed`` is the order in which its events were said, by their places, where that
    matters and is another (empty: theirs). ``path`` is the element to move first (``A``), or an order of moves for the
    count that is running when the piece begins (``BCBCCC``); empty for the usual path (VM-R37). ``warp`` and
    ``impulse`` are the points of movement allocated at the turn's beginning (None: all that the engines give).
    ``friction`` is the element that warp friction takes from, where both are equal."""

    events: tuple[PlotEvent, ...] = ()
    typed: tuple[int, ...] = ()
    path: str = ""
    warp: Annotated[int, Field(ge=0, le=999)] | None = None
    impulse: Annotated[int, Field(ge=0, le=1)] | None = None
    friction: Way | None = None

    @property
    def as_typed(self) -> tuple[PlotEvent, ...]:
        """Its events in the order in which they were said."""
        return tuple(self.events[place] for place in self.typed) or self.events

    def after(self, first: Sequence[PlotEvent]) -> "UnitPlot":
        """This plot with more events before its own."""
        typed = (*range(len(first)), *(place + len(first) for place in self.typed)) if self.typed else ()
        return self.with_values(events=(*first, *self.events), typed=typed)
