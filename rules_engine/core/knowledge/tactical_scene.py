"""What a picture of a battle flown on an unbounded sheet of hexes shows, and the words beside it.

Made by a rulebook from what its readers may know: all who see the same get the same scene. Only ``plots`` are one
side's alone, and stand in a scene that was made for it.
"""

from typing import Literal

from pydantic import Field

from rules_engine.core.basics.base import Frozen, HexId, Party, Side
from rules_engine.core.grids.space import Way

TacticalForm = Literal["ship", "shuttle", "PF", "drone", "plasma", "weasel"]
TacticalGround = Literal["planet", "asteroids", "dust", "web", "buoy", "line"]


class Drift(Frozen):
    """Where a unit is after an impulse if it coasts. ``turn`` counts on where the impulse belongs to a later one."""

    impulse: int = Field(ge=1)
    hex: HexId
    turn: int = 0


class TacticalUnit(Frozen):
    """A unit, under its neutral ``code``.

    ``vector`` is written as rules and orders do (``6A+6B``), ``speed`` its hexes a turn. ``trail`` are the hexes of the
    last turn, oldest first, the present one last; ``drifts`` where it coasts to. ``whole`` is the percent of it that
    damage has left, ``shields`` the percent of each from the bow clockwise (None, none: not known). ``turns_on`` and
    ``thrusts_on`` are the first impulses on which it may turn and accelerate, as its readers may work them out (0: at
    once; more than 32: so far into the next turn; None: not known). ``remarks`` are a few words each: ``tumbling``,
    ``in tow of H1``, ``wild weasel out``.
    """

    code: str
    side: Side
    name: str
    kind: str = ""
    form: TacticalForm = "ship"
    hex: HexId
    facing: Way
    vector: str
    speed: int = Field(ge=0)
    trail: tuple[HexId, ...] = ()
    drifts: tuple[Drift, ...] = ()
    whole: int | None = Field(default=None, ge=0, le=100)
    shields: tuple[int, ...] = ()
    turns_on: int | None = None
    thrusts_on: int | None = None
    remarks: tuple[str, ...] = ()


class TacticalTerrainSign(Frozen):
    """Terrain, by its kind; ``number`` is a buoy's place in the course. A line that bounds the sheet is the whole of a
    ``column``, without an end; its ``hexes`` are those that a picture shows where there is room."""

    kind: TacticalGround
    hexes: tuple[HexId, ...]
    name: str = ""
    number: int = 0
    column: int | None = None


class TacticalPair(Frozen):
    """Two units: how far apart they are in hexes, and in which directions the second lies from the first."""

    one: str
    other: str
    hexes: int
    ways: tuple[Way, ...] = ()


class TacticalPlot(Frozen):
    """The course that an own unit will fly by what is plotted for it: hexes from where it is, what it does on which
    impulse (``8: turn right``), and its facing and vector at the end."""

    code: str
    hexes: tuple[HexId, ...]
    events: tuple[tuple[HexId, str], ...] = ()
    facing: Way = "A"
    vector: str = "0"


class TacticalNews(Frozen):
    """A sentence of what matters most, the units that it is about, and the one or two hexes (of where they will be,
    say) between which its number stands on the picture; with none it stands beside the first unit."""

    says: str
    codes: tuple[str, ...] = ()
    hexes: tuple[HexId, ...] = Field(default=(), max_length=2)


class TacticalScene(Frozen):
    """One moment of a battle: after ``impulse`` of ``turn`` (0: before its first).

    ``title`` names the battle, ``under`` says in a few words what it is about. ``pairs`` are all pairs of units of
    different sides, the closest first; ``news`` at most three sentences, numbered on the picture.
    """

    title: str
    under: str = ""
    turn: int = Field(ge=0)
    turns: int = 0
    impulse: int = Field(default=0, ge=0, le=32)
    parties: tuple[Party, ...]
    units: tuple[TacticalUnit, ...]
    terrain: tuple[TacticalTerrainSign, ...] = ()
    pairs: tuple[TacticalPair, ...] = ()
    plots: tuple[TacticalPlot, ...] = ()
    news: tuple[TacticalNews, ...] = Field(default=(), max_length=3)
