"""The frame of a map of lanes: where its bands lie, where its dots do, and how large everything is drawn."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from map_render.drawing.cache import kept
from map_render.lanes.graph import LaneGraph
from map_render.lanes.spread import Spots, height_for, spread
from map_render.theatre.placing.room import Rect

DRAWN = 2400
"""The width in pixels for which all sizes are given; a narrower map is the same at 400 pixels."""
_HEADER, _FACTS, _FACT, _LEGEND = 198, 44, 93, 86
_SIDE, _ROOF = 190, 150
"""Room beside, and above and below, the outermost dots: for names, and for groups that stand above."""
_RIM_IN_FIELD = (128, 124)
"""The same of a part of the map, which has little room."""
_LOWEST, _HIGHEST = 0.42, 0.73
"""How high the dots may lie in all, in widths."""
_ROOMY, _SMALLEST = 62, 0.55
_APART, _FARTHEST, _FARTHEST_IN_FIELD = 165, 420, 640


class Bands(NamedTuple):
    """What stands around the map: how many facts, and whether a header and a legend."""

    facts: int = 0
    header: bool = True
    legend: bool = True


@dataclass(frozen=True, eq=False, slots=True)
class LaneFrame:
    """The frame of one map. ``field`` is (left, top, right, bottom) of the part that shows it, ``legend`` where the
    facts end, and ``spots`` where each dot lies. Counters and names are larger than all else by ``swell``."""

    unit: float
    width: int
    field: tuple[int, int, int, int]
    legend: int
    height: int
    spots: Spots
    swell: float = 1.0

    def px(self, drawn: float) -> int:
        """Pixels for a length of a map that is 2,400 wide."""
        return max(1, round(drawn * self.unit))

    @property
    def plate(self) -> int:
        """The height of own counters."""
        return self.px(84 * self.swell)

    @property
    def contact(self) -> int:
        """Half the height of contacts, from the middle to a point."""
        return self.px(46 * self.swell)


@kept(32)
def whole_frame(graph: LaneGraph, width: int, bands: Bands) -> LaneFrame:
    """The frame of a map of that width, as high as its dots need."""
    unit = width / DRAWN
    side, roof = round(_SIDE * unit), round(_ROOF * unit)
    inner = height_for(graph, width - 2 * side, round(_LOWEST * width), round(_HIGHEST * width))
    top = round(_HEADER * unit) if bands.header else 0
    bottom = top + inner + 2 * roof
    below = bottom + (round((_FACTS + bands.facts * _FACT) * unit) if bands.facts else 0)
    height = below + (round(_LEGEND * unit) if bands.legend else 0)
    field = (0, top, width, bottom)
    spots = _spots(graph, unit * share_of(graph), field, _FARTHEST, (_SIDE, _ROOF))
    return LaneFrame(unit, width, field, below, height, spots)


def share_of(graph: LaneGraph) -> float:
    """How large all that stands on a whole map is drawn: smaller where there are more systems than it has room for."""
    return max(_SMALLEST, min(1.0, (_ROOMY / max(1, len(graph.dots))) ** 0.5))


@kept(32)
def thinned(frame: LaneFrame, share: float) -> LaneFrame:
    """The same with all that stands on the map smaller, so that many systems find room."""
    return replace(frame, unit=frame.unit * share)


@kept(32)
def fixed_frame(graph: LaneGraph, unit: float, extent: tuple[int, int], swell: float = 1.0) -> LaneFrame:
    """The frame of a map of that width and height without bands; all is drawn by that unit."""
    wide, high = extent
    spots = _spots(graph, unit, (0, 0, wide, high), _FARTHEST_IN_FIELD, _RIM_IN_FIELD)
    return LaneFrame(unit, wide, (0, 0, wide, high), high, high, spots, swell)


def _spots(
    graph: LaneGraph, unit: float, field: tuple[int, int, int, int], farthest: int, rim: tuple[int, int]
) -> Spots:
    side, roof = round(rim[0] * unit), round(rim[1] * unit)
    left, top, right, bottom = field
    box = Rect(left + side, top + roof, right - side, bottom - roof)
    area = max(1, (box.right - box.left) * (box.bottom - box.top))
    # Many dots in little room stand closer, so that all of it is used and none is pushed against the rim.
    apart = min(round(_APART * unit), round(0.68 * (area / max(1, len(graph.dots))) ** 0.5))
    return spread(graph, box, max(8, apart), round(farthest * unit))
