"""The sheet of a turn, and what stays of it in the state: routes that go on, trade runs, and what is done with cargo.

A sheet is ``{line: {field: value}}``. A line's key is a fleet's or a squadron's id, or an empire's for what is between
the two. A fleet's line says where all its squadrons go; a squadron's what is done with its cargo, tugs and science,
and, if it is in no fleet, where it goes. What a line leaves out stays as it is.
"""

from dataclasses import field
from typing import Annotated, Literal

from pydantic import Field, RootModel

from rules_engine.core.basics.base import Count, Frozen
from rules_engine.core.basics.record import Record
from rules_engine.rulebooks.jump_lanes.records.places import GoalId, PlaceId

LONGEST_ROUTE = 400
"""Characters of a route."""
LONGEST_CARGO = 400
"""Characters of what is to be done with cargo."""

CargoAction = Literal["load", "unload", "jettison"]
Stance = Literal["none", "passage", "war"]
"""What an empire grants another: nothing, passage (which holds if both grant it), or war. JL-R19"""


class RouteLegOrder(Frozen):
    """One lane of a route and the place that it leads to; of an intergalactic lane ``to`` is a system or, with a star
    before it, a sector. 13.1.4"""

    lane: str
    to: GoalId


class CargoOrder(Frozen):
    """What a squadron does with cargo when it stands ``at`` a place.

    ``what`` is ``census``, ``experience`` or a unit's id; ``amount`` counts the first two, None for all there is and
    as much as fits. ``other`` is the squadron, or the carrier, that gives or takes it; empty for the colony. With
    ``again`` it is done at each visit, as on a trade run. 13.3.3
    """

    action: CargoAction
    what: str
    amount: Annotated[int, Field(ge=1, le=9999)] | None = None
    at: PlaceId = ""
    other: str = ""
    again: bool = False


class GroupOrders(Record):
    """What a fleet or squadron is ordered. ``legs`` is the whole route and ``gone`` how many of it are behind it; a
    trade run begins again at leg ``again_from``. ``fresh`` is that the route was given by the sheet which
    is judged, ``stopped_at`` where others stopped it in the movement before, with a route ahead (JL-R44). ``explore``,
    a lane, and ``invade`` hold for the turn."""

    legs: list[RouteLegOrder] = field(default_factory=list[RouteLegOrder])
    gone: Count = 0
    again_from: Annotated[int, Field(ge=0)] | None = None
    fresh: bool = False
    stopped_at: PlaceId = ""
    cargo: list[CargoOrder] = field(default_factory=list[CargoOrder])
    explore: str = ""
    invade: bool = False


class GroupLineOrders(Frozen):
    """A line of the sheet. ``go`` is one known place, ``route`` a way in words. ``load``, ``unload`` and ``jettison``
    say in words what is done with cargo, where, and with how much; ``take`` and ``land`` are chosen from what is there
    now. ``tow`` are the units in tow; ``fleet``, ``join`` and ``detach`` say who moves together. ``stance`` stands on
    the lines of other empires."""

    go: str | None = None
    route: Annotated[str, Field(max_length=LONGEST_ROUTE)] | None = None
    take: tuple[str, ...] | None = None
    land: tuple[str, ...] | None = None
    load: Annotated[str, Field(max_length=LONGEST_CARGO)] | None = None
    unload: Annotated[str, Field(max_length=LONGEST_CARGO)] | None = None
    jettison: Annotated[str, Field(max_length=LONGEST_CARGO)] | None = None
    explore: str | None = None
    tow: tuple[str, ...] | None = None
    fleet: str | None = None
    join: str | None = None
    detach: tuple[str, ...] | None = None
    invade: bool | None = None
    stance: Stance | None = None


class LaneSheet(RootModel[dict[str, GroupLineOrders]]):
    """An empire's sheet for a turn, by line."""

    def of(self, key: str) -> GroupLineOrders:
        """What the line of a fleet, squadron or empire says; nothing where there is none."""
        return self.root.get(key, GroupLineOrders())
