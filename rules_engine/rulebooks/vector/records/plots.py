"""What a captain plots for one unit and one piece of a turn.

Made by ``plotting`` from menus, text and files, judged there, and flown by ``tracker``. What is not said coasts. VM-R36
"""

from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import Frozen
from rules_engine.core.grids.space import Way

IMPULSES = 32
"""Impulses of a turn."""

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
    is launched, or on which unit it lands.
    """

    action: PlotAction
    impulse: Impulse | None = None
    when: PlotCondition | None = None
    amount: Annotated[int, Field(ge=0, le=999)] = 0
    by_impulse: bool = False
    hand: Literal["left", "right", "towards", "away"] | None = None
    facing: Way | None = None
    subject: str = ""


class UnitPlot(Frozen):
    """A unit's plot for a piece. ``path`` is the element to move first (``A``), or an order of moves for the count that
    is running when the piece begins (``BCBCCC``); empty for the usual path (VM-R37). ``warp`` and ``impulse`` are the
    points of movement allocated at the turn's beginning (None: all that the engines give). ``friction`` is the element
    that warp friction takes from, where both are equal."""

    events: tuple[PlotEvent, ...] = ()
    path: str = ""
    warp: Annotated[int, Field(ge=0, le=999)] | None = None
    impulse: Annotated[int, Field(ge=0, le=1)] | None = None
    friction: Way | None = None
