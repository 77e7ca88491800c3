"""What lasts through a turn and may end in several ways: a cloak, and a reaction. Both are values, replaced whole.

Only :mod:`ch50_cloaks.wearing` and :mod:`ch60_reaction.waiting` make others of them; all else reads. BP-R60, BP-R61
"""

from typing import Annotated, Literal

from pydantic import Field

from rules_engine.core.basics.base import Frozen, HexId

CloakOrder = Literal["all turn", "until it reacts"]
"""How long a cloak is worn. V8.51, V8.63"""
Shown = Literal["", "storm", "caught", "convoy"]
"""Why a cloaked unit was turned up: an ion storm, a reaction that caught it or that it took part in, a convoy that it
fights; empty if it was not. T8.730"""


class Cloak(Frozen):
    """A cloak of a turn. ``worn`` is that the unit is under it still; its cost counts all turn in any case."""

    order: CloakOrder
    worn: bool = True
    shown: Shown = ""


class Reaction(Frozen):
    """A unit's Reactionary Movement in a turn. ``station`` is where it lies in wait, ``held`` the points that it holds,
    ``target`` the unit that it is after, and ``entered`` the hexes that it came to by reaction. V8.61 to V8.63"""

    station: HexId
    held: Annotated[int, Field(ge=0)] = 0
    target: str = ""
    entered: tuple[HexId, ...] = ()
