"""What a scenario settles where the book's text is silent: scoring, supply, zones of control and economy.

Every part says where its figures come from; ``invented`` ones are shown as such.
"""

from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.scenarios.entries import Marked

Points = Annotated[int, Field(ge=0, le=10_000)]
Reach = Annotated[int, Field(ge=0, le=99)]
"""A number of hexes."""
Turn = Annotated[int, Field(ge=1, le=100)]


Option = Literal["ask_every_phase", "equal_may_use_command"]
"""What a scenario may play otherwise: captains are asked for their moves in each phase (BP-R58); as many as the others
in a hex may leave by Command Rating, too (BP-R13)."""


class Scoring(Marked):
    """Points that a Team scores in a turn, and the ``lead`` that ends a campaign before its last turn, 0 for none.

    ``province`` is for each that an uncrippled unit in supply holds alone.
    """

    province: Points
    convoy_in: Points
    convoy_caught: Points
    monster_driven_off: Points
    crippled: Points
    destroyed: Points
    lead: Points = 0


class Supply(Marked):
    """The longest way from a source of supply, in hexes. BP-R32"""

    reach: Reach = 6


class Zones(Marked):
    """How far a unit's Zone of Control reaches: normally, restricted, and for reaction at a working base.
    BP-R33, BP-R34"""

    reach: Reach = 1
    restricted: Reach = 0
    at_bases: Reach = 2


class TeamIncome(Marked):
    """Economic points that a Team receives in a turn for each province and each star system that it owns."""

    province: Points = 0
    system: Points = 0


Allowance = Annotated[int, Field(ge=0, le=12)]
"""A column of the table of proportional movement, or 0. T8.93"""
