"""What a map of hexes and a map of lanes have in common, and what all that is told of places needs of either.

A *place* is where a counter can stand, by the mark under which rulebooks, orders and views speak of it: the number of a
hex, or the id of a system, of a part of one, or of a lane.
"""

from collections.abc import Collection
from typing import ClassVar, Protocol, Self

from rules_engine.core.basics.base import HexId


class UnknownPlace(ValueError):
    """A text that names no place of a map. `text` is as given, `nearest` lists the most likely places, best first."""

    def __init__(self, text: str, reason: str, nearest: tuple[HexId, ...]) -> None:
        self.text = text
        self.nearest = nearest
        hint = f"; nearest: {', '.join(nearest)}" if nearest else ""
        super().__init__(f"{text!r} {reason}{hint}")


class MapPlaces(Protocol):
    """The places of a map, and how far they are from each other."""

    step: ClassVar[str]
    """What distances are counted in: ``hex``, ``jump``."""

    spot: ClassVar[str]
    """What a place is: ``hex``, ``system``."""

    near: ClassVar[int]
    """Places closer to each other than so many steps share the number of a piece of news."""

    is_numbered: ClassVar[bool]
    """Whether places have numbers, which stand beside their names: else a name is all that they have."""

    def __contains__(self, place: object, /) -> bool: ...

    def ids(self) -> tuple[HexId, ...]:
        """Every place."""
        ...

    def parse(self, text: str, /) -> HexId:
        """The place that a person means.

        Raises:
            UnknownPlace: with the nearest ones.
        """
        ...

    def called(self, place: HexId, /) -> str:
        """What a place is called where people read it; one that the map has not stands for itself."""
        ...

    def named_in(self, text: str, /) -> HexId:
        """The first place that a text names; "" if it names none."""
        ...

    def neighbours(self, place: HexId, /) -> tuple[HexId, ...]:
        """The places one step away.

        Raises:
            UnknownPlace: for one that the map has not.
        """
        ...

    def distance(self, one: HexId, other: HexId, /) -> int | None:
        """Steps from one to the other; None where no way is known.

        Raises:
            UnknownPlace: for one that the map has not.
        """
        ...

    def within(self, place: HexId, most: int, /) -> tuple[HexId, ...]:
        """Every place at most so many steps away, itself included, in order.

        Raises:
            UnknownPlace: for one that the map has not.
        """
        ...

    def away(self, start: HexId, end: HexId, /) -> str:
        """How far and which way it is from one place to another, in words; "" for the place itself."""
        ...

    def part(self, shown: Collection[HexId], common: "MapPlaces", /) -> Self:
        """The map as it may be handed on by whoever knows it to whoever knows what is ``common``: of what is known to
        some alone these places and no more."""
        ...
