"""The picture of a map of lanes, drawn as planned."""

from PIL import Image

from map_render.drawing.cache import kept
from map_render.drawing.palette import PAPER
from map_render.drawing.plates import pin
from map_render.drawing.scene import Scene
from map_render.drawing.sprites import Stroke, arrow, stamp, stroke
from map_render.drawing.theme import Theme
from map_render.lanes import ground
from map_render.lanes.courses import draw_ways
from map_render.lanes.frame import Bands, LaneFrame, share_of, thinned, whole_frame
from map_render.lanes.galaxies import GalaxyFrame, draw_frames
from map_render.lanes.graph import LaneGraph, graph_of
from map_render.lanes.legend import draw_legend, entries_of
from map_render.lanes.pieces import LaneSite
from map_render.lanes.placing.plan import PIN, RING, LanePlan, plan_lanes
from map_render.lanes.signs import FREE, badges_of, news_ring, reach_of, site_sprite, under_way_ring
from map_render.theatre import bands
from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.charts import Chart


def paint_lanes(scene: Scene, theme: Theme, graph: LaneGraph | None = None) -> Image.Image:
    """The picture of a scene's map of lanes with its bands, in palette numbers."""
    chart = chart_of(scene)
    graph = graph or graph_of(chart)
    frame = whole_frame(graph, theme.sizes.longest, Bands(len(scene.numbered)))
    plan = plan_lanes(scene, theme, graph, thinned(frame, share_of(graph)), pins=pins_of(scene, graph))
    picture = draw_plan(plan, frame.height)
    picture.paste(bands.draw_head(bands.head_of(scene), frame, theme), (0, 0))
    if scene.numbered:
        picture.paste(bands.draw_facts(scene.numbered, frame, theme), (0, frame.field[3]))
    picture.paste(draw_legend(entries_of(chart, graph, plan.pieces), frame), (0, frame.legend))
    return picture


def chart_of(scene: Scene) -> Chart:
    """The map of lanes that a scene has.

    Raises:
        TypeError: on a board of hexes.
    """
    if scene.board.chart is None:
        raise TypeError("this board has no lanes")
    return scene.board.chart


def pins_of(scene: Scene, graph: LaneGraph) -> dict[HexId, int]:
    """The numbers of places by the dot or lane at which they are drawn."""
    dot_of = dict(graph.dot_of)
    found: dict[HexId, int] = {}
    for number, news in scene.numbered:
        found.setdefault(dot_of.get(news.hexes[0], news.hexes[0]), number)
    return found


def draw_plan(plan: LanePlan, high: int) -> Image.Image:
    """A picture of everything that a plan has, without bands, that many pixels high."""
    frame = plan.frame
    held = [(site.id, site.look.key, site.look.ink) for site in plan.pieces.sites if site.look]
    owners = tuple(sorted(held, key=lambda one: plan.scene.seat_order(one[1]), reverse=True))
    picture = _ground(plan.graph, frame, (frame.width, high), owners, plan.frames).copy()
    ground.draw_leaving(picture, frame, plan.leaving)
    ground.draw_loose(picture, frame, plan.loose)
    unknown = LaneSite("", "", None, is_unexplored=True)
    for _, end in plan.loose:
        stamp(picture, site_sprite(unknown, frame.unit), *end)
    draw_ways(picture, plan.courses, frame)
    _draw_sites(picture, plan)
    _draw_ways(picture, plan)
    for placed in plan.clusters.values():
        if placed.leader:
            (x, y), (to_x, to_y) = placed.leader
            for sprite in stroke(Stroke(to_x - x, to_y - y, frame.px(5)), placed.ink):
                stamp(picture, sprite, x, y)
    for word in plan.words:
        if word.leader:
            (x, y), (to_x, to_y) = word.leader
            for sprite in stroke(Stroke(to_x - x, to_y - y, frame.px(3)), "quiet"):
                stamp(picture, sprite, x, y)
        stamp(picture, word.sprite, word.x, word.y)
    for sprite, x, y in plan.ticks:
        stamp(picture, sprite, x, y)
    for placed in plan.clusters.values():
        x, y = placed.spot.middle
        for bit in placed.cluster.bits:
            stamp(picture, bit.sprite, x + bit.x, y + bit.y)
    for number, at in plan.pins:
        stamp(picture, pin(number, frame.px(PIN * frame.swell)), *at)
    return picture


@kept(4)
def _ground(
    graph: LaneGraph,
    frame: LaneFrame,
    extent: tuple[int, int],
    owners: tuple[tuple[HexId, str, str], ...],
    frames: tuple[GalaxyFrame, ...],
) -> Image.Image:
    """Whose space is where, and the lanes: it is the same for many turns. Do not change what is returned."""
    picture = Image.new("L", extent, PAPER)
    draw_frames(picture, frame, frames)
    owner_of = {dot: owner for dot, owner, _ in owners}
    inks = {owner: ink for _, owner, ink in owners}
    for owner, ink in inks.items():
        held = [frame.spots[one] for one, whose in owner_of.items() if whose == owner]
        lanes = [
            (frame.spots[line.a], frame.spots[line.b])
            for line in graph.lines
            if owner_of.get(line.a) == owner == owner_of.get(line.b)
        ]
        ground.space(picture, frame, held, lanes, ink)
    ground.draw_lines(picture, frame, graph.lines)
    return picture


def _draw_sites(picture: Image.Image, plan: LanePlan) -> None:
    frame = plan.frame
    shared = {one.hex for one in plan.pieces.stands if one.contested or one.battle}
    for site in plan.pieces.sites:
        at = frame.spots[site.id]
        if site.id in shared:
            stamp(picture, news_ring(frame.px(max(reach_of(site), FREE) + 10), frame.px(10)), *at)
        stamp(picture, site_sprite(site, frame.unit), *at)
        for sprite, x, y in badges_of(site, frame.unit):
            stamp(picture, sprite, at[0] + x, at[1] + y)


def _draw_ways(picture: Image.Image, plan: LanePlan) -> None:
    frame = plan.frame
    for way in plan.ways:
        x, y = way.ring
        if way.heads is not None:
            (from_x, from_y), (to_x, to_y) = way.heads
            for sprite in stroke(Stroke(x - from_x, y - from_y, frame.px(13)), way.ink):
                stamp(picture, sprite, from_x, from_y)
            stamp(picture, arrow(to_x - from_x, to_y - from_y, frame.px(27), way.ink), to_x, to_y)
        stamp(picture, under_way_ring(frame.px(RING), way.ink), x, y)
