"""An unbounded sheet of hexes as the map of a board: every hex that can be written is a place of it.

How its hexes are numbered and lie is said in :mod:`~rules_engine.core.grids.space`.
"""

import re
from collections.abc import Collection
from functools import cached_property
from typing import ClassVar, Self

from rules_engine.core.basics.base import Frozen, HexId
from rules_engine.core.basics.counted import counted
from rules_engine.core.grids.places import MapPlaces, UnknownPlace
from rules_engine.core.grids.space import (
    STEPS,
    Lattice,
    NoHex,
    column_row,
    elements_of,
    hex_at,
    hexes_between,
    lattice_of,
)

_TYPED = re.compile(r"(?:hex|#)?\s*(-?\d{1,4})\s*[.,;:/]\s*(-?\d{1,4})")
_RUN_TOGETHER = re.compile(r"(?:hex|#)?\s*(\d{1,2})\s*[-–—]?\s*(\d{2})")
_WORD = re.compile(r"-?\d{1,4}\.-?\d{1,4}|\d{4}")
HOW_WRITTEN = "is no hex: column and row, as in 0412, or with a point between them, as in -3.12"


class Space(Frozen):
    """An unbounded sheet. ``hexes`` are those in which something stands that its reader knows of: a picture shows
    these, and completions offer them."""

    hexes: tuple[HexId, ...]

    step: ClassVar[str] = "hex"
    spot: ClassVar[str] = "hex"
    near: ClassVar[int] = 3
    is_numbered: ClassVar[bool] = True

    def __contains__(self, place: object) -> bool:
        return isinstance(place, str) and _spot(place) is not None

    def ids(self) -> tuple[HexId, ...]:
        """The hexes in which something stands, by column and row."""
        return self._ordered

    def parse(self, text: str) -> HexId:
        """The hex that a person means by ``0412``, ``412``, ``04-12``, ``-3.12`` or ``104, 7``.

        Raises:
            UnknownPlace: for what is no hex, with those that begin alike.
        """
        plain = text.strip().lower()
        found = _RUN_TOGETHER.fullmatch(plain) or _TYPED.fullmatch(plain)
        if found is None:
            alike = tuple(one for one in self._ordered if plain and one.startswith(plain[:2]))
            raise UnknownPlace(text.strip(), HOW_WRITTEN, alike[:3])
        column, row = map(int, found.groups())
        return hex_at(Lattice(column, row - (column + 1) // 2))

    def called(self, place: HexId) -> str:
        """What a hex is called: its number."""
        return place

    def named_in(self, text: str) -> HexId:
        """The first hex that a text names by its number and in which something stands; "" if it names none."""
        return next((word for word in _WORD.findall(text) if word in self._known), "")

    def neighbours(self, place: HexId) -> tuple[HexId, ...]:
        """The six around it, clockwise from the top. Raises UnknownPlace."""
        here = self._lattice(place)
        return tuple(hex_at(here.plus(step)) for step in STEPS.values())

    def distance(self, one: HexId, other: HexId) -> int:
        """Hexes from one to the other. Raises UnknownPlace."""
        self._lattice(one)
        self._lattice(other)
        return hexes_between(one, other)

    def within(self, place: HexId, most: int) -> tuple[HexId, ...]:
        """Every hex at most so many away, by column and row. Raises UnknownPlace."""
        here = self._lattice(place)
        ways = (Lattice(c, d) for c in range(-most, most + 1) for d in range(-most, most + 1))
        return tuple(map(hex_at, sorted((here.plus(way) for way in ways if way.length <= most), key=column_row)))

    def away(self, start: HexId, end: HexId) -> str:
        """How far it is, and by which of the six directions: ``12 hexes (8B+4A)``; "" for the hex itself. Raises
        UnknownPlace."""
        far = self.distance(start, end)
        return f"{counted(far, self.step)} ({way_said(start, end)})" if far else ""

    def part(self, shown: Collection[HexId], common: MapPlaces) -> Self:
        """The sheet, with nothing known to stand in other hexes than these and those of ``common``."""
        both = {*shown, *common.ids()}
        return type(self)(hexes=tuple(one for one in self.hexes if one in both))

    @cached_property
    def _ordered(self) -> tuple[HexId, ...]:
        return tuple(sorted({*self.hexes}, key=lambda one: column_row(lattice_of(one))))

    @cached_property
    def _known(self) -> frozenset[HexId]:
        return frozenset(self.hexes)

    def _lattice(self, place: HexId) -> Lattice:
        spot = _spot(place)
        if spot is None:
            raise UnknownPlace(place, HOW_WRITTEN, ())
        return spot


def way_said(start: HexId, end: HexId) -> str:
    """The way from one hex to another as vectors are written, the longer part first: ``8B+4A``; "" for no way."""
    gap = lattice_of(end).plus(lattice_of(start), -1)
    return "+".join(f"{hexes}{way}" for way, hexes in elements_of(gap))


def _spot(place: HexId) -> Lattice | None:
    """Where a hex lies by its number as it is written; None for a text that is not."""
    try:
        found = lattice_of(place)
    except NoHex:
        return None
    return found if hex_at(found) == place else None
