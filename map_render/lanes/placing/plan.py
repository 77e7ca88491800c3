"""The plan of a map of lanes: where its signs, groups, names and pins stand, none of them upon another."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import cos, hypot, sin

from map_render.drawing.cache import kept
from map_render.drawing.scene import Scene
from map_render.drawing.sprites import Sprite
from map_render.drawing.theme import Theme
from map_render.lanes.courses import LaneWay, take_room, tick_words, ways_of
from map_render.lanes.frame import LaneFrame
from map_render.lanes.galaxies import GalaxyFrame, take_frames, with_galaxies
from map_render.lanes.graph import LaneGraph
from map_render.lanes.pieces import LanePieces, UnderWay, lane_pieces
from map_render.lanes.placing.beside import (
    FreeSpot,
    Point,
    anywhere,
    best_beside,
    edge_of,
    turns_at,
    widest_gap,
)
from map_render.lanes.placing.clusters import Cluster, ClusterMaker
from map_render.lanes.placing.names import PlacedWord, place_galaxies, place_names, place_regions
from map_render.lanes.signs import FREE, reach_of
from map_render.theatre.placing.room import CALLOUT, COUNTER, LINE, PLACE, Rect, Room
from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.charts import LaneLine

RING, PIN = 24, 40
"""Half the width of the ring of a group under way, and of a pin, drawn."""
_LOOSE = (132, 108, 86)
"""How long what is drawn of an unexplored lane may be."""
_LEAVING = 120
"""How much is drawn of a lane that leads out of a part of the map."""
_ARROW = 74
"""How far before and behind a group its arrow reaches."""
FEW = 16
"""Systems on a map that are all named on a card, too."""
_LEAST_WAY, _MOST_WAY = 0.22, 0.78
"""Between which parts of a lane a group is drawn, so that it stands on no system."""


@dataclass(frozen=True)
class PlacedCluster:
    """Counters where they stand, and the line from there to where they are, if they stand away from it."""

    cluster: Cluster
    spot: FreeSpot
    ink: str
    leader: tuple[Point, Point] | None = None


@dataclass(frozen=True)
class PlacedWay:
    """A group under way: its ring, from where to where its arrow leads (None: that is not known), and its ink."""

    ring: Point
    heads: tuple[Point, Point] | None
    ink: str
    of: UnderWay


@dataclass
class LanePlan:
    """Everything on a map with its place. ``frames`` are lines around galaxies, ``loose`` unexplored lanes, from their
    dots to their ends."""

    scene: Scene
    graph: LaneGraph
    frame: LaneFrame
    pieces: LanePieces
    frames: tuple[GalaxyFrame, ...] = ()
    loose: list[tuple[Point, Point]] = field(default_factory=list[tuple[Point, Point]])
    leaving: list[tuple[Point, Point, LaneLine]] = field(default_factory=list[tuple[Point, Point, LaneLine]])
    ways: list[PlacedWay] = field(default_factory=list[PlacedWay])
    courses: list[LaneWay] = field(default_factory=list[LaneWay])
    ticks: list[tuple[Sprite, int, int]] = field(default_factory=list[tuple[Sprite, int, int]])
    clusters: dict[str, PlacedCluster] = field(default_factory=dict[str, PlacedCluster])
    words: list[PlacedWord] = field(default_factory=list[PlacedWord])
    pins: list[tuple[int, Point]] = field(default_factory=list[tuple[int, Point]])


def plan_lanes(
    scene: Scene, theme: Theme, graph: LaneGraph, frame: LaneFrame, *, names: bool = True, pins: dict[HexId, int]
) -> LanePlan:
    """The plan of a scene's map. ``pins`` are the numbers of places; without ``names``, where there are more than a few
    systems, only those of somebody's are named."""
    graph, frame, frames = with_galaxies(graph, frame)
    plan = LanePlan(scene, graph, frame, lane_pieces(scene, theme, graph), frames)
    placer = _Placer(plan, theme, brief=not names)
    placer.ground()
    plan.courses = ways_of(scene, graph, frame, placer.reach)
    take_room(plan.courses, placer.room)
    placer.under_way()
    placer.stands()
    placer.pins(pins)
    placer.loose()
    is_named = names or len(graph.dots) <= FEW
    sites = plan.pieces.sites if is_named else tuple(one for one in plan.pieces.sites if one.look)
    plan.words = place_names(sites, plan.graph, frame, placer.room, placer.turns)
    if names:
        plan.words += place_regions(scene, frame, placer.room, frames) if not graph.leaving else []
        plan.words += place_galaxies(frames, frame, placer.room)
        plan.ticks = tick_words(plan.courses, frame, placer.room)
    return plan


@kept(8)
def _grounded(
    graph: LaneGraph, frame: LaneFrame, reaches: tuple[tuple[HexId, int], ...]
) -> tuple[Room, dict[HexId, list[float]], list[tuple[Point, Point, LaneLine]]]:
    """What signs and lanes take, in which directions lanes leave each sign, and where those end that leave the map. It
    is the same for many turns. Do not change what is returned."""
    room, spots, reach = Room(), frame.spots, dict(reaches)
    for dot, far in reaches:
        x, y = spots[dot]
        room.take(Rect(x - far, y - far, x + far, y + far), PLACE, dot)
    ways: dict[HexId, list[tuple[Point, Point]]] = {one: [] for one in spots}
    for line in graph.lines:
        start, end = spots[line.a], spots[line.b]
        room.take_line(start, end, frame.px(6), line.id)
        ways[line.a].append((start, end))
        ways[line.b].append((end, start))
    leaving: list[tuple[Point, Point, LaneLine]] = []
    for out in graph.leaving:
        (x, y), far = spots[out.at], hypot(out.dx, out.dy) or 1.0
        long = reach[out.at] + frame.px(_LEAVING)
        end = round(x + out.dx / far * long), round(y + out.dy / far * long)
        room.take_line((x, y), end, frame.px(6), out.id)
        ways[out.at].append(((x, y), end))
        leaving.append(((x, y), end, out.line))
    return room, {one: turns_at(ends) for one, ends in ways.items()}, leaving


class _Placer:
    """Puts one thing after another where there is room."""

    def __init__(self, plan: LanePlan, theme: Theme, *, brief: bool) -> None:
        self.plan, self.frame, self.room = plan, plan.frame, Room()
        self.maker = ClusterMaker(plan.scene, theme, plan.frame, brief=brief)
        self.turns: dict[HexId, list[float]] = {}
        self.reach = {one.id: self.frame.px(reach_of(one)) for one in plan.pieces.sites}

    def ground(self) -> None:
        """Signs and lanes."""
        room, turns, self.plan.leaving = _grounded(self.plan.graph, self.frame, tuple(self.reach.items()))
        self.room = room.copied()
        take_frames(self.plan.frames, self.frame, self.room)
        self.turns = {one: list(leaving) for one, leaving in turns.items()}

    def loose(self) -> None:
        """Of lanes that are not explored as much as is known: that they begin at a system."""
        spots, px = self.frame.spots, self.frame.px
        for loose in self.plan.graph.loose:
            end = self._loose_end(loose.at)
            self.plan.loose.append((spots[loose.at], end))
            self.turns[loose.at] += turns_at([(spots[loose.at], end)])
            reach = px(FREE + 12)
            self.room.take_line(spots[loose.at], end, px(6), loose.id)
            self.room.take(Rect(end[0] - reach, end[1] - reach, end[0] + reach, end[1] + reach), PLACE, loose.id)

    def _loose_end(self, at: HexId) -> Point:
        """Where the drawing of an unexplored lane ends: into the widest gap between the lanes that are known. Where it
        leads nobody knows, so nothing but what is known has a part in it."""
        (x, y), px = self.frame.spots[at], self.frame.px
        reach = px(FREE + 14)
        turns = widest_gap(tuple(self.turns[at]))
        for far in map(px, _LOOSE):
            for turn in turns[:12]:
                to = round(x + cos(turn) * (far + self.reach[at])), round(y + sin(turn) * (far + self.reach[at]))
                box = Rect(to[0] - reach, to[1] - reach, to[0] + reach, to[1] + reach)
                if not box.within(self.frame.field) or not self.room.is_free(box):
                    continue
                if self.room.is_clear((x, y), to, px(4), PLACE, but=frozenset({at})):
                    return to
        far = px(_LOOSE[-1]) + self.reach[at]
        left, top, right, bottom = self.frame.field
        to_x, to_y = round(x + cos(turns[0]) * far), round(y + sin(turns[0]) * far)
        return min(max(to_x, left + reach), right - reach), min(max(to_y, top + reach), bottom - reach)

    def under_way(self) -> None:
        """Groups in lanes: a ring where they are, and their counters beside the lane."""
        for number, one in enumerate(self.plan.pieces.under_way):
            (x, y), (to_x, to_y) = self.frame.spots[one.start], self.frame.spots[one.end]
            share = min(max(one.done / 100, _LEAST_WAY), _MOST_WAY)
            ring = self._free_on_lane((x, y), (to_x, to_y), share)
            ink = self._ink(one)
            heads = self._arrow(one, ring) if one.heads else None
            self.plan.ways.append(PlacedWay(ring, heads, ink, one))
            r = self.frame.px(RING + 6)
            self.room.take(Rect(ring[0] - r, ring[1] - r, ring[0] + r, ring[1] + r), PLACE, f"{one.lane}#{number}")
            self._put(f"{one.lane}#{number}", self.maker.ways(one.stand, one.said), ring, r, ink)

    def _arrow(self, one: UnderWay, ring: Point) -> tuple[Point, Point]:
        """From where to where the arrow of a group leads: along its lane, and onto neither sign at its ends."""
        ends: list[Point] = []
        for dot in (one.start, one.end):
            x, y = self.frame.spots[dot]
            far = hypot(x - ring[0], y - ring[1]) or 1.0
            long = max(0.0, min(self.frame.px(_ARROW), far - self.reach.get(dot, 0) - self.frame.px(22)))
            ends.append((round(ring[0] + (x - ring[0]) / far * long), round(ring[1] + (y - ring[1]) / far * long)))
        x, y = ends[1]
        half = self.frame.px(28)
        self.room.take(Rect(x - half, y - half, x + half, y + half), PLACE, f"{one.lane} ahead")
        return ends[0], ends[1]

    def _free_on_lane(self, start: Point, end: Point, share: float) -> Point:
        """A point of a lane near where a group is, on which no other group stands."""
        r = self.frame.px(RING + 6)
        for aside in (0.0, 0.14, -0.14, 0.28, -0.28):
            part = min(max(share + aside, _LEAST_WAY), _MOST_WAY)
            x, y = round(start[0] + (end[0] - start[0]) * part), round(start[1] + (end[1] - start[1]) * part)
            if self.room.is_free(Rect(x - r, y - r, x + r, y + r), PLACE | COUNTER):
                return x, y
        return round(start[0] + (end[0] - start[0]) * share), round(start[1] + (end[1] - start[1]) * share)

    def _ink(self, one: UnderWay) -> str:
        owners = [some[0].owner for some in (one.stand.ours, *(group for _, group in one.stand.others)) if some]
        return self.plan.scene.look_of(owners[0]).ink if owners else "text"

    def stands(self) -> None:
        """Groups at systems: above them, or else beside."""
        order = sorted(self.plan.pieces.stands, key=lambda one: (not one.contested, not one.ours, one.hex))
        for stand in order:
            owner = stand.ours[0].owner if stand.ours else stand.others[0][0] if stand.others else ""
            ink = self.plan.scene.look_of(owner).ink
            self._put(stand.hex, self.maker.ways(stand), self.frame.spots[stand.hex], self.reach[stand.hex], ink)

    def _put(self, key: str, ways: Sequence[Cluster], at: Point, reach: int, ink: str) -> None:
        """A cluster beside where it is, drawn as it finds room nearest by; where all is full, wherever room is."""
        if not ways:
            return
        gap = reach + self.frame.px(10)
        found: list[tuple[float, Cluster, FreeSpot]] = []
        for number, one in enumerate(ways):
            spot = best_beside(self.frame, self.room, at, gap, one.box)
            if spot is not None:
                found.append((spot.out + 0.8 * number, one, spot))
                if spot.out == 0:
                    break
        cluster = min(found, key=lambda one: one[0])[1] if found else ways[-1]
        spot = min(found, key=lambda one: one[0])[2] if found else self._squeezed(cluster, at, gap)
        self.room.take(spot.box, COUNTER, key)
        leader = None
        if spot.out or "#" in key:
            leader = self._leader(spot.box, at, reach)
            self.room.take_line(*leader, self.frame.px(5), key)
        self.plan.clusters[key] = PlacedCluster(cluster, spot, ink, leader)

    def _squeezed(self, cluster: Cluster, at: Point, gap: int) -> FreeSpot:
        """A place for a cluster where all is full near by."""
        spot = anywhere(self.frame, self.room, at, gap, cluster.box, kinds=PLACE | COUNTER | CALLOUT)
        spot = spot or anywhere(self.frame, self.room, at, gap, cluster.box, kinds=COUNTER)
        if spot is not None:
            return spot
        above = at[1] - gap - (cluster.box.bottom - cluster.box.top) // 2
        inside = _moved_in(cluster.box.moved(at[0], above), self.frame)
        (x, y), (off_x, off_y) = inside.middle, cluster.box.middle
        return FreeSpot((x - off_x, y - off_y), inside, 9)

    def _leader(self, box: Rect, at: Point, reach: int) -> tuple[Point, Point]:
        """The line from a cluster to where it is, up to the sign that stands there."""
        start = edge_of(box, at)
        far = hypot(start[0] - at[0], start[1] - at[1]) or 1.0
        share = min(1.0, 0.8 * reach / far)
        return start, (round(at[0] + (start[0] - at[0]) * share), round(at[1] + (start[1] - at[1]) * share))

    def pins(self, numbers: dict[HexId, int]) -> None:
        """Pins beside the counters of their places, or beside the systems."""
        r = self.frame.px(PIN * self.frame.swell + 6)
        box = Rect(-r, -r, r, r)
        for place, number in numbers.items():
            key = next((one for one in self.plan.clusters if one.partition("#")[0] == place), "")
            if key:
                body = self.plan.clusters[key].spot.box
                spot = self._beside_box(body, box)
            else:
                at = self.frame.spots.get(place)
                spot = at and best_beside(self.frame, self.room, at, self.reach[place], box, towards=0.0, outs=range(4))
            if not spot:
                continue
            self.room.take(spot.box, CALLOUT, f"pin {number}")
            self.plan.pins.append((number, spot.middle))

    def _beside_box(self, body: Rect, box: Rect) -> FreeSpot | None:
        """Where a pin stands at a cluster: at its right or left end, above or below."""
        r, gap = box.right, self.frame.px(2)
        x, y = body.middle
        right, left = body.right + r + gap, body.left - r - gap
        tries = (
            (right, body.top), (left, body.top), (right, y), (left, y), (x, body.top - r - gap),
            (right, body.bottom), (left, body.bottom), (x, body.bottom + r + gap),
        )  # fmt: skip
        spots = [FreeSpot(at, box.moved(*at), 0) for at in tries]
        inside = [one for one in spots if one.box.within(self.frame.field)]
        for kinds in (PLACE | COUNTER | CALLOUT | LINE, PLACE | COUNTER | CALLOUT):
            for one in inside:
                if self.room.is_free(one.box, kinds):
                    return one
        half = (body.bottom - body.top) // 2
        near = anywhere(self.frame, self.room, body.middle, half, box, kinds=PLACE | COUNTER | CALLOUT)
        return near or (inside[0] if inside else None)


def _moved_in(box: Rect, frame: LaneFrame) -> Rect:
    """A box moved into the field."""
    left, top, right, bottom = frame.field
    x = max(left - box.left, 0) + min(right - box.right, 0)
    y = max(top - box.top, 0) + min(bottom - box.bottom, 0)
    return box.moved(x, y)
