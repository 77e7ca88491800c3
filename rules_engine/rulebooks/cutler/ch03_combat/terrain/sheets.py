"""The sheets of terrain battles. 3.5"""

from typing import Literal

from pydantic import Field as Bounded
from pydantic import RootModel

from rules_engine.rulebooks.cutler.records.lines import PartialLine


class PostLine(PartialLine):
    """Where a unit is sent: a feature, or ``approach``; blank as it is filled in. So many of its ``fighters`` go to a
    place of their own."""

    place: str | None = None
    fighters: int = Bounded(default=0, ge=0, strict=True)
    fighters_to: str | None = None


class PostSheet(RootModel[dict[str, PostLine]]):
    """Where the units of a side are sent, by id. 3.5.4.2, 3.5.5.3"""


class DepthLine(PartialLine):
    """Whether a battle at a location is fought at its edge or deep within. 3.5.9"""

    depth: Literal["deep", "edge"] = "edge"


class DepthSheet(RootModel[dict[Literal["battle"], DepthLine]]):
    """The defender's choice at a location. 3.5.9"""

    @property
    def depth(self) -> Literal["deep", "edge"]:
        """The choice; at the edge if none was made."""
        return self.root.get("battle", DepthLine()).depth


class JoinLine(PartialLine):
    """The pursuers that go on to the feature; None: all that can."""

    ships: tuple[str, ...] | None = None


class JoinSheet(RootModel[dict[Literal["join"], JoinLine]]):
    """Which pursuers take part in the battle at the feature. 3.5.5.1"""

    @property
    def ships(self) -> tuple[str, ...] | None:
        """Their ids; None: all that can."""
        return self.root.get("join", JoinLine()).ships


class BattleOrderLine(PartialLine):
    """The place of a feature in the order of battles, from 1 on."""

    place: int | None = Bounded(default=None, ge=1)


class BattleOrderSheet(RootModel[dict[str, BattleOrderLine]]):
    """The attacker's order of battles, by feature. 3.5.7"""

    def ordered(self, keys: list[str]) -> list[str]:
        """Features by their places; what has none keeps its place on the list."""
        places = {key: self.root.get(key, BattleOrderLine()).place or number for number, key in enumerate(keys, 1)}
        return sorted(keys, key=lambda key: (places[key], keys.index(key)))
