"""The state of a duel by vectors: the battle that is flown, its captains, and what they have reached.

Nothing here decides anything; methods only look things up, always in a fixed order.
"""

import re
from dataclasses import field
from typing import Annotated

from pydantic import Field

from rules_engine.core.basics.base import Count, Side
from rules_engine.core.basics.record import Record
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.vector.records.aims import Aim, DuelRules, FarEdge, SetUpZone
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.tactical import Tactical

_CODE = re.compile(r"([A-Z]*)(\d*)")

FLIES = ("ship", "PF")
"""What catches, is caught, races and gathers: no weapons, shuttles or decoys. VM-N20"""


class VectorCaptain(Record):
    """A captain. ``zone`` is where it may set up; without one it begins where the scenario says.

    ``caught`` are the ships that it has caught, ``away`` its own that are away; ``passed`` how many buoys each of its
    ships has passed. ``done_on`` is the impulse on which it reached its aim, counted from the battle's beginning (0:
    not yet), ``out`` that it is out of play.
    """

    id: Side
    name: str
    emblem: str
    aim: Aim
    zone: SetUpZone | None = None
    caught: list[str] = field(default_factory=list[str])
    away: list[str] = field(default_factory=list[str])
    passed: dict[str, int] = field(default_factory=dict[str, int])
    done_on: Count = 0
    out: bool = False


class VectorState(Record):
    """A duel. ``revealed``: the set-up is over, and what is there is there for all. ``invented`` names the parts of the
    scenario whose figures are made up."""

    title: str
    under: str = ""
    turns: Annotated[int, Field(ge=1, le=100)]
    rules: DuelRules = DuelRules()
    edge: FarEdge | None = None
    battle: Tactical = field(default_factory=Tactical)
    captains: dict[Side, VectorCaptain] = field(default_factory=dict[Side, VectorCaptain])
    revealed: bool = False
    invented: tuple[str, ...] = ()

    def fleet(self, side: Side) -> list[VectorShip]:
        """A captain's ships, those that are out or yet to come as well, but for what is aboard others, by number."""
        own = (one for one in self.battle.units.values() if one.side == side and one.figures.form in FLIES)
        return sorted((one for one in own if not one.aboard), key=lambda one: by_code(one.id))

    def flying(self, side: Side) -> list[VectorShip]:
        """A captain's ships that are in play now, by number."""
        here = {one.id for one in self.battle.present()}
        return [one for one in self.fleet(side) if one.id in here]

    def with_aim(self, aim: Aim) -> list[VectorCaptain]:
        """The captains who want the same, in the order of their seats."""
        return [one for one in self.captains.values() if one.aim == aim]

    @property
    def buoys(self) -> int:
        """How many buoys the course has."""
        return sum(one.kind == "buoy" for one in self.battle.terrain)


VectorTurn = TurnContext[VectorState]


def by_code(code: str) -> tuple[str, int, str]:
    """What units are sorted by: the letters of their code, then its number, then what follows it."""
    letters, digits = _CODE.findall(code)[0]
    return letters, int(digits or 0), code
