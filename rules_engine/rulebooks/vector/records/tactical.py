"""A battle flown by vectors, whoever it belongs to: its units, terrain, tractors and options, and where its time
stands.

The tracker knows nothing else: a duel of its own has one, and so may any battle of another rulebook.
"""

from dataclasses import field
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from rules_engine.core.basics.base import Count, Frozen, HexId, Side
from rules_engine.core.basics.record import Record
from rules_engine.rulebooks.vector.records.plots import IMPULSES
from rules_engine.rulebooks.vector.records.ships import VectorShip

TerrainKind = Literal["planet", "asteroids", "dust", "web", "buoy", "line"]


class TacticalOptions(Frozen):
    """What a table has chosen. ``pieces`` into which a turn is plotted (VM-R36); ``friction`` (CJD1.61);
    ``tractor_literal`` (VM-R29); ``thrust_pause``: impulses without acceleration after an emergency deceleration
    (VM-R20); ``tumble_pause``: impulses that tumbling lasts, and ``tumble_step`` from one 60 degrees of it to the next
    (VM-N06)."""

    pieces: Literal[1, 2, 4, 32] = 2
    friction: bool = False
    tractor_literal: bool = False
    thrust_pause: Annotated[int, Field(ge=0, le=32)] = 16
    tumble_pause: Annotated[int, Field(ge=1, le=99)] = 16
    tumble_step: Annotated[int, Field(ge=1, le=32)] = 4

    @property
    def ends(self) -> tuple[int, ...]:
        """The last impulses of a turn's pieces."""
        return tuple(range(IMPULSES // self.pieces, IMPULSES + 1, IMPULSES // self.pieces))


class TacticalTerrain(Frozen):
    """Something that stands still. ``number`` is its place in a course of buoys; ``column`` is that of a line which has
    no end, as the edge of a map. VM-R62"""

    id: str
    kind: TerrainKind
    name: str = ""
    hexes: tuple[HexId, ...]
    number: Annotated[int, Field(ge=0, le=99)] = 0
    column: int | None = None


class TractorLink(Record):
    """Two units held together by a tractor. ``power`` is what each applies; ``controller`` decides how both move, and
    ``by_die`` that it was rolled for and alternates each turn. CJD1.55, CJD1.551"""

    one: str
    other: str
    power: dict[str, int] = field(default_factory=dict[str, int])
    controller: str = ""
    by_die: bool = False

    @property
    def held(self) -> str:
        """The unit that does not decide."""
        return self.other if self.controller == self.one else self.one


class TowLink(Record):
    """Units in tow. The first of the ``tugs`` decides how all move; ``stand`` are those of the ``towed`` that cannot
    move by themselves, as bases. VM-N68"""

    tugs: list[str] = field(default_factory=list[str])
    towed: list[str] = field(default_factory=list[str])
    stand: list[str] = field(default_factory=list[str])

    @property
    def lead(self) -> str:
        """The tug that decides."""
        return self.tugs[0]

    @property
    def followers(self) -> list[str]:
        """All others: tugs that pull with it, and what is in tow."""
        return [*self.tugs[1:], *self.towed]


class Tactical(Record):
    """A battle. ``turn`` is 0 before the first, ``impulse`` the last that was flown in it. ``sides`` in the order of
    their seats; ``allies`` are forces of several sides, ``fixed`` the units that do not move, as bases. A unit is in
    one tractor at most (VM-N10). ``tows`` are those of the battle's own rulebook, ``towable`` the units that its ships
    may take in tow, and ``left_in_tow`` says of units that are out which tug they left with (VM-N68)."""

    options: TacticalOptions = TacticalOptions()
    turn: Count = 0
    impulse: Annotated[int, Field(ge=0, le=32)] = 0
    sides: list[Side] = field(default_factory=list[Side])
    units: dict[str, VectorShip] = field(default_factory=dict[str, VectorShip])
    terrain: list[TacticalTerrain] = field(default_factory=list[TacticalTerrain])
    tractors: list[TractorLink] = field(default_factory=list[TractorLink])
    allies: list[list[Side]] = field(default_factory=list[list[Side]])
    fixed: list[str] = field(default_factory=list[str])
    tows: list[TowLink] = field(default_factory=list[TowLink])
    towable: list[str] = field(default_factory=list[str])
    left_in_tow: dict[str, str] = field(default_factory=dict[str, str])

    LATER: ClassVar[frozenset[str]] = frozenset({"fixed", "tows", "towable", "left_in_tow"})

    @property
    def clock(self) -> int:
        """The impulse that was flown last, counted from the battle's beginning."""
        return self.clock_of(self.impulse)

    def clock_of(self, impulse: int) -> int:
        """An impulse of this turn, counted from the battle's beginning."""
        return IMPULSES * max(0, self.turn - 1) + impulse

    @property
    def piece_end(self) -> int:
        """The last impulse of the piece that comes next: the last of all when the turn is over."""
        return next((end for end in self.options.ends if end > self.impulse), IMPULSES)

    def present(self) -> list[VectorShip]:
        """The units that are in play now, by id."""
        return [self.units[one] for one in sorted(self.units) if self.is_present(self.units[one])]

    def is_present(self, unit: VectorShip) -> bool:
        """Whether a unit is in play now."""
        return not unit.out and not unit.aboard and unit.waits_for <= self.turn

    def friends(self, one: Side, other: Side) -> bool:
        """Whether two sides are one, or allies."""
        return one == other or any(one in force and other in force for force in self.allies)

    def link_of(self, unit: str) -> TractorLink | None:
        """The tractor that a unit is in, holding or held."""
        return next((link for link in self.tractors if unit in (link.one, link.other)), None)

    def tow_of(self, unit: str) -> TowLink | None:
        """The tow that a unit is part of, as a tug or in tow."""
        return next((tow for tow in self.tows if unit in tow.tugs or unit in tow.towed), None)
