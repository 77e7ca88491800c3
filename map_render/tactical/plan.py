"""A plan of a tactical picture: where everything stands that it shows, worked out before anything is drawn."""

from dataclasses import dataclass, field
from math import hypot
from typing import NamedTuple

from map_render.tactical.labels import TacticalLabel
from map_render.tactical.looks import TacticalLook
from map_render.tactical.sheet import Point, TacticalSheet
from map_render.theatre.placing.room import Rect, Room
from rules_engine.core.basics.base import Side
from rules_engine.core.knowledge.tactical_scene import Drift, TacticalScene, TacticalUnit

BUOY = 36
GHOST_NUMBER, GROUND_NAME, EVENT = 29, 34, 30
_SHRUNK = 0.8


class TacticalSizes(NamedTuple):
    """How large units are drawn, by how many there are: the radius of a ring, the height of a chip, the letters of a
    vector (0: none are written), half a ghost's length, the thickness of an arrow, how many ghosts each has, how many
    posts stand at the rim for units beyond it, and the radii of compass and pins."""

    r: int
    chip: int
    vector: int
    ghost: int
    arrow: int
    ghosts: int
    posts: int = 24
    compass: int = 92
    pin: int = 30

    @property
    def range(self) -> int:
        """The letters of the range."""
        return max(32, self.vector)


def smaller(sizes: TacticalSizes) -> TacticalSizes:
    """The next smaller sizes, for what finds no room."""
    r, chip, vector, ghost, arrow = (max(4, round(one * _SHRUNK)) for one in sizes[:5])
    return sizes._replace(r=r, chip=chip, vector=vector if sizes.vector else 0, ghost=ghost, arrow=arrow)


def sizes_for(units: int) -> TacticalSizes:
    """Smaller the more there are; never too small to be read 400 pixels wide."""
    if units <= 6:
        return TacticalSizes(62, 58, 44, 34, 13, 2)
    if units <= 12:
        return TacticalSizes(50, 52, 38, 28, 11, 2)
    return TacticalSizes(38, 48, 32, 22, 9, 1)


class UnitPlace(NamedTuple):
    """A unit on the picture: the middle of its hex, where it is drawn, and how large."""

    unit: TacticalUnit
    look: TacticalLook
    hex_at: Point
    at: Point
    r: int

    @property
    def is_aside(self) -> bool:
        """Whether it stands so far beside its hex that a line leads there."""
        return hypot(self.at[0] - self.hex_at[0], self.at[1] - self.hex_at[1]) > 0.4 * self.r


class GhostPlace(NamedTuple):
    """Where a unit will be: and the box of the impulse's number (None: no room)."""

    unit: TacticalUnit
    look: TacticalLook
    drift: Drift
    at: Point
    number: Rect | None = None


class PinPlace(NamedTuple):
    """The number of a sentence, and the ends of the line through it (none: it stands alone)."""

    number: int
    at: Point
    ends: tuple[Point, ...] = ()


class RimPost(NamedTuple):
    """What lies beyond the field, at its rim: a unit's chip or the name of terrain, how far it is from the rim, and
    where the arrow beside it stands and points to."""

    code: str
    says: str
    chip: Rect
    words: Rect
    arrow: Point
    towards: Point


@dataclass
class TacticalPlan:
    """Where everything stands."""

    scene: TacticalScene
    sheet: TacticalSheet
    sizes: TacticalSizes
    looks: dict[Side, TacticalLook]
    units: list[UnitPlace] = field(default_factory=list[UnitPlace])
    ghosts: list[GhostPlace] = field(default_factory=list[GhostPlace])
    labels: list[TacticalLabel] = field(default_factory=list[TacticalLabel])
    pins: list[PinPlace] = field(default_factory=list[PinPlace])
    events: list[tuple[Rect, str]] = field(default_factory=list[tuple[Rect, str]])
    names: list[tuple[Rect, str]] = field(default_factory=list[tuple[Rect, str]])
    posts: list[RimPost] = field(default_factory=list[RimPost])
    range_box: Rect | None = None
    range_ends: tuple[Point, Point] | None = None
    compass: Point | None = None
    room: Room = field(default_factory=Room)

    @property
    def field(self) -> Rect:
        """The part of the picture that shows the sheet."""
        return self.sheet.field


def place_of(plan: TacticalPlan, code: str) -> UnitPlace | None:
    """A unit's place; None for one that is not in the picture."""
    return next((one for one in plan.units if one.unit.code == code), None)


def said_range(plan: TacticalPlan) -> str:
    """What stands on the line."""
    return f"range {plan.scene.pairs[0].hexes}"
