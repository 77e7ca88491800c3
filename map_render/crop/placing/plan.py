"""The plan of a crop: where everything on it stands, before anything is drawn."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from map_render.crop.box import Box
from map_render.crop.frame import CropFrame
from map_render.crop.placing.blocks import Block, PlacedSign
from map_render.crop.placing.lettering import Lines
from map_render.crop.placing.posts import Signpost
from map_render.crop.placing.room import CropRoom
from map_render.crop.placing.ways import Leg, Tick
from map_render.crop.stands import PlaceSign, ranges
from map_render.drawing.theme import Theme
from rules_engine.core.basics.base import HexId


@dataclass
class Label:
    """Lines of text in their box."""

    lines: Lines
    box: Box
    align: str = "middle"


@dataclass
class Mark:
    """The sign of a place: its icon around a point."""

    place: PlaceSign
    x: int
    y: int
    r: int


@dataclass
class CropPlan:
    """Where everything on a crop stands. ``unplaced`` has the codes of what found no place, hex by hex."""

    frame: CropFrame
    theme: Theme
    room: CropRoom
    blocks: dict[HexId, Block] = field(default_factory=dict[HexId, Block])
    rings: list[HexId] = field(default_factory=list[HexId])
    bursts: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    legs: list[Leg] = field(default_factory=list[Leg])
    ticks: list[Tick] = field(default_factory=list[Tick])
    ghosts: list[tuple[Box, str, str]] = field(default_factory=list[tuple[Box, str, str]])
    labels: list[Label] = field(default_factory=list[Label])
    marks: list[Mark] = field(default_factory=list[Mark])
    posts: list[Signpost] = field(default_factory=list[Signpost])
    unplaced: dict[HexId, list[str]] = field(default_factory=dict[HexId, list[str]])
    noteless: list[tuple[HexId, PlacedSign]] = field(default_factory=list[tuple[HexId, PlacedSign]])

    def cells(self) -> Iterator[PlacedSign]:
        """Every sign in its place."""
        for name in sorted(self.blocks):
            yield from self.blocks[name].cells

    def leave(self, name: HexId, *codes: str) -> None:
        """Note that something in a hex found no place: it is said in words."""
        self.unplaced.setdefault(name, []).extend(codes)

    def rest(self) -> str:
        """What found no place, in words; empty if everything did."""
        said = [f"{name}: {' '.join(ranges(codes))}" for name, codes in self.unplaced.items()]
        return f"Also at {'; '.join(said)}" if said else ""
