"""What a scenario's files hold: ``scenario.toml`` (captains, their ships, terrain, what decides); ``ships.toml`` or
``ships.csv`` has the classes."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from rules_engine.core.basics.base import Count, Frozen
from rules_engine.core.grids.space import NoHex, Way, column_row, hex_at, lattice_of
from rules_engine.core.scenarios.entries import EntryKey, EntryName, EntryTitle, Marked
from rules_engine.rulebooks.vector.records.aims import Aim, DuelRules, FarEdge, Near
from rules_engine.rulebooks.vector.records.ships import VectorShipClass
from rules_engine.rulebooks.vector.records.tactical import TacticalOptions
from rules_engine.rulebooks.vector.records.vectors import Vector

SCENARIO = "scenario.toml"

FEWEST, MOST = 2, 6
"""Captains in a duel."""
MOST_SHIPS = 4
"""Ships of a captain."""
MOST_UNITS = 9
"""Ships of a captain, with what is aboard them."""


MOST_SPEED = 200
"""Hexes a turn with which a ship may begin."""
FARTHEST = 999
"""Columns and rows of what stands or begins somewhere go so far from 0."""


def _is_hex(text: str) -> str:
    try:
        spot = lattice_of(text)
    except NoHex as error:
        raise ValueError(str(error)) from None
    if any(abs(one) > FARTHEST for one in column_row(spot)):
        raise ValueError(f"{text} is too far off: columns and rows from -{FARTHEST} to {FARTHEST}")
    return hex_at(spot)


def _is_vector(text: str) -> str:
    vector = Vector(says=text)
    if vector.speed > MOST_SPEED:
        raise ValueError(f"speed {vector.speed} is too fast: {MOST_SPEED} or less")
    return vector.says


SheetHex = Annotated[str, Field(max_length=12), AfterValidator(_is_hex)]
WrittenVector = Annotated[str, Field(max_length=40), AfterValidator(_is_vector)]
ShipCode = Annotated[str, Field(pattern=r"^[A-Z]{1,2}[1-9]$")]
Turn = Annotated[int, Field(ge=1, le=100)]


class ZoneEntry(Frozen):
    """Where a captain may set up, see ``SetUpZone``."""

    at: SheetHex | None = None
    within: Near
    speed: Annotated[int, Field(ge=0, le=60)]


class TacticalCaptainEntry(Frozen):
    """A captain; the codes of its ships begin with its emblem."""

    key: EntryKey
    name: EntryName
    emblem: Annotated[str, Field(pattern=r"^[A-Z]{1,2}$")]
    aim: Aim
    zone: ZoneEntry | None = None


class TacticalShipEntry(Marked):
    """A unit at the start, or, with ``arrives``, at the beginning of that turn; or ``aboard`` a ship, from which it may
    be launched. ``at`` is left out for what is aboard."""

    id: ShipCode
    name: EntryName
    class_id: Annotated[str, Field(min_length=1, max_length=40)]
    captain: EntryKey
    at: SheetHex | None = None
    aboard: ShipCode | None = None
    facing: Way = "A"
    vector: WrittenVector = "0"
    arrives: Annotated[int, Field(ge=0, le=100)] = 0


class TacticalTerrainEntry(Marked):
    """What stands still. ``line`` joins its two hexes by a straight row of hexes; ``round`` is all within so many hexes
    of the first. ``number`` is a buoy's place in the course."""

    id: EntryKey
    kind: Literal["planet", "asteroids", "dust", "web", "buoy", "line"]
    name: EntryName = ""
    hexes: Annotated[tuple[SheetHex, ...], Field(min_length=1, max_length=200)]
    round: Annotated[int, Field(ge=0, le=6)] = 0
    number: Annotated[int, Field(ge=0, le=99)] = 0


class DuelSeats(Frozen):
    """How many of the captains may play, the first of them in the file's order."""

    least: Annotated[int, Field(ge=FEWEST, le=MOST)]
    most: Annotated[int, Field(ge=FEWEST, le=MOST)]


class DuelFile(Marked):
    """The content of ``scenario.toml``. ``under`` says in a few words what it is about."""

    title: EntryTitle
    under: EntryTitle
    turns: Turn
    seats: DuelSeats | None = None
    options: TacticalOptions = TacticalOptions()
    rules: DuelRules = DuelRules()
    edge: FarEdge | None = None
    captain: Annotated[tuple[TacticalCaptainEntry, ...], Field(max_length=MOST)]
    ship: Annotated[tuple[TacticalShipEntry, ...], Field(max_length=MOST * MOST_UNITS)]
    terrain: Annotated[tuple[TacticalTerrainEntry, ...], Field(max_length=100)] = ()


class DuelScenario(Frozen):
    """A scenario without defects, as it is kept. ``classes`` are by id; ``playing`` is how many of the captains play, 0
    for all."""

    file: DuelFile
    classes: dict[str, VectorShipClass]
    playing: Count = 0

    @property
    def captains(self) -> tuple[TacticalCaptainEntry, ...]:
        """The captains who play."""
        return self.file.captain[: self.playing or None]
