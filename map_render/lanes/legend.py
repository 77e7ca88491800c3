"""The legend of a map of lanes: classes of lanes that are on it, and what nobody could guess."""

from typing import NamedTuple

from PIL import Image

from map_render.drawing import text
from map_render.drawing.palette import MARGIN
from map_render.drawing.sprites import label, stamp
from map_render.lanes.frame import DRAWN, LaneFrame
from map_render.lanes.graph import LaneGraph
from map_render.lanes.ground import lane_sprite, loose_sprite
from map_render.lanes.pieces import LanePieces, LaneSite
from map_render.lanes.signs import site_sprite
from rules_engine.core.grids.charts import Chart, LaneLine

SIZE = 38
_SLOT, _GAP, _EDGE, _SQUARE = 108, 46, 46, 64


class LegendLane(NamedTuple):
    """An entry: a line, or (empty) a sign of its own, and its words."""

    line: LaneLine | None
    words: str
    site: LaneSite | None = None


def entries_of(chart: Chart, graph: LaneGraph, pieces: LanePieces) -> tuple[LegendLane, ...]:
    """What the legend of a map explains."""
    drawn = {one.line for one in graph.lines}
    found = [LegendLane(one.line, one.said) for one in chart.kinds if one.line in drawn]
    if graph.loose:
        found.append(LegendLane(None, "not explored"))
    own = next((one for one in pieces.sites if one.look and one.look.shape == "plate" and one.figure), None)
    if own:
        found.append(LegendLane(None, "census", own._replace(is_capital=False)))
    return tuple(found)


def draw_legend(entries: tuple[LegendLane, ...], frame: LaneFrame) -> Image.Image:
    """The legend as a strip below everything; what does not fit is left out."""
    strip = Image.new("L", (frame.width, frame.height - frame.legend), MARGIN)
    size, middle, x = frame.px(SIZE), frame.px(44), _EDGE
    for one in entries:
        slot = _SQUARE if one.site else _SLOT
        words = text.plain(one.words[:40], "?")
        wide = slot + round(text.width(words, size) / frame.unit)
        if x + wide > DRAWN - _EDGE:
            continue
        if one.site:
            stamp(strip, site_sprite(one.site, 0.72 * frame.unit), frame.px(x + 24), middle)
        else:
            long = frame.px(_SLOT - 22)
            sprite = lane_sprite(long, 0, frame.unit, one.line) if one.line else loose_sprite(long, 0, frame.unit)
            stamp(strip, sprite, frame.px(x), middle)
        sprite = label(words, size, "quiet", casing=0)
        stamp(strip, sprite, frame.px(x + slot) - sprite.dx, middle - text.capital_middle(size))
        x += wide + _GAP
    return strip
