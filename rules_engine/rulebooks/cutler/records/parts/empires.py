"""What a race alone knows of itself, and how it groups its ships."""

from collections.abc import Iterable
from dataclasses import field
from typing import Annotated, Literal

from pydantic import Field as Bounded

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.record import Record
from rules_engine.core.knowledge.views import TrackBook

KeptValue = int | str | list[str]
"""What a field of a standing budget fills in."""


class Fleet(Record):
    """A race's own grouping of ships that move together, with the course stored for them, one hex a move.

    ``raze`` and ``land`` are the planets that its ships raze, and on which they land ``parties`` boarding parties (all,
    if None) and ``crews`` crew units (none, if None), and leave ``shuttles``, when they end an impulse there; ``cloak``
    is whether they go under cloak. ``escort`` is the convoy with which they go, by key. 5.2.2, 5.3, 2.6.2.1, 2.7.5,
    CU-N30
    """

    key: str
    race: Side
    units: list[str]
    course: list[HexId] = field(default_factory=list[HexId])
    scans: list[HexId] = field(default_factory=list[HexId])
    raze: str = ""
    land: str = ""
    parties: int | None = None
    crews: int | None = None
    shuttles: int = 0
    cloak: bool = False
    escort: str = ""

    # The course is begun, followed and ended here alone.

    def begin_course(self, hexes: Iterable[HexId]) -> None:
        """Follow these hexes from here on; without any it holds."""
        self.course = [*hexes]

    def come_to_next(self) -> None:
        """Note that it has come to the next hex of its course."""
        self.course = self.course[1:]

    def end_course(self) -> None:
        """Hold from here on."""
        self.course = []


Cards = Literal["ask", "bypass", "combat"]
Asking = Literal["contact", "each"]
Lurking = Literal["ask", "stay"]


class Empire(Record):
    """One race's secrets other than its ships.

    ``alerts`` are the reasons to ask it at the next plotting; ``near`` are the foreign counters last seen close to its
    fleets; where orders wait, it is ``spared`` an ask for which only its standing orders leave no reason, and
    ``unwatched`` are the counters close to any of its fleets, whether or not that looks at them; ``known_ships`` the
    foreign ships whose names it has learnt, with their owners at that time; ``lodged`` the impulse-1 plots it had to
    submit ahead of time, by ship ("" = stays); ``station_scans`` the hexes that its units which never move scan, by
    unit; ``surveys`` the hexes that it surveys in this turn; ``mines_found`` how often missions of this turn looked for
    mines with success, by race and hex; ``budget`` are the lines of its standing budget, by what they are about: the
    fields that they fill in. It always has ``economy``; empty, there is none.
    CU-N150
    """

    race: Side
    reserve: int = 0
    base_pool: int = 0
    counter_pool: int = 0
    notices: int = 0
    fleets_named: int = 0
    cards: Cards = "ask"
    asking: Asking = "contact"
    lurking: Lurking = "ask"
    alerts: list[str] = field(default_factory=list[str])
    near: list[str] = field(default_factory=list[str])
    spared: Annotated[bool, Bounded(exclude_if=lambda spared: not spared)] = False
    unwatched: Annotated[list[str], Bounded(exclude_if=lambda near: not near)] = field(default_factory=list[str])
    known_ships: dict[str, Side] = field(default_factory=dict[str, Side])
    lodged: dict[str, HexId] = field(default_factory=dict[str, HexId])
    station_scans: dict[str, list[HexId]] = field(default_factory=dict[str, list[HexId]])
    surveys: list[HexId] = field(default_factory=list[HexId])
    mines_found: dict[str, int] = field(default_factory=dict[str, int])
    tracks: TrackBook = field(default_factory=lambda: TrackBook(prefix="C"))
    last_income: int = 0
    units_built: int = 0
    sites_named: int = 0
    base_hexes: list[HexId] = field(default_factory=list[HexId])
    convoys_named: int = 0
    budget: Annotated[dict[str, dict[str, KeptValue]], Bounded(exclude_if=lambda lines: not lines)] = field(
        default_factory=dict[str, dict[str, KeptValue]]
    )
