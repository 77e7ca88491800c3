"""A part of a map of lanes, large enough for a phone: the neighbourhood of a place, or the map of one system."""

from dataclasses import dataclass
from functools import cached_property

from PIL import Image, ImageDraw

from map_render.crop import bands as crop_bands
from map_render.crop.box import Box
from map_render.crop.frame import WIDTH
from map_render.crop.picture import HEIGHT, subtitle_of
from map_render.drawing.palette import MARGIN, PAPER, RIM, index
from map_render.drawing.scene import Scene, part_of
from map_render.drawing.theme import Theme
from map_render.lanes.frame import Bands, fixed_frame, whole_frame
from map_render.lanes.graph import LaneGraph, graph_of, inner_graph, part_of_graph
from map_render.lanes.picture import chart_of, draw_plan
from map_render.lanes.placing.plan import plan_lanes
from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.charts import Chart

UNIT = 0.86
"""How large all is drawn on a crop, in sizes of a map that is 2,400 pixels wide."""
MOST_SYSTEMS = 9
"""Systems that a crop shows; an area with more is drawn as a part of the map."""
FARTHEST = 2
"""Jumps from its place that a crop reaches at most."""
CARD_UNIT, CARD_SWELL = 0.36, 1.3
"""The same on a card, and how much larger than that counters and names are."""
CARD_HEIGHT = 752
_INSET = Box(646, 12, 774, 100)


@dataclass(frozen=True)
class LaneSubject:
    """What a crop is about: some places of a scene, and the number of their pin (0: they are an area)."""

    scene: Scene
    focus: tuple[HexId, ...]
    theme: Theme
    number: int = 0

    @cached_property
    def chart(self) -> Chart:
        """The whole map."""
        return chart_of(self.scene)

    @cached_property
    def inside(self) -> HexId:
        """The system whose own map it is; "" for a neighbourhood."""
        planets = {one.id: one.system for one in self.chart.planets}
        if self.number or not all(one in planets for one in self.focus):
            return ""
        systems = {planets[one] for one in self.focus}
        return systems.pop() if len(systems) == 1 else ""

    @cached_property
    def systems(self) -> frozenset[HexId]:
        """The systems that it shows: those it is about, and as many jumps around them as there is room for."""
        beyond = {one.id: (one.a, one.b) for one in self.chart.between}
        galaxies = {end for place in self.focus for end in beyond.get(place, ())}
        whole = (end for one in self.chart.regions if one.name in galaxies for end in one.systems)
        start = frozenset((*whole, *(end for place in self.focus for end in self.chart.ends_of(place))))
        found = start
        for far in range(1, FARTHEST + 1):
            near = frozenset(
                end for one in start for place in self.chart.within(one, far) for end in self.chart.ends_of(place)
            )
            if len(near) > MOST_SYSTEMS:
                break
            found = near
        return found

    @cached_property
    def graph(self) -> LaneGraph:
        """What of the map it shows."""
        if self.inside:
            return inner_graph(self.chart, self.inside)
        return part_of_graph(self.chart, self.systems)

    @cached_property
    def shown(self) -> Scene:
        """The scene with nothing in it but that."""
        if self.inside:
            places = (self.inside, *(one.id for one in self.chart.planets if one.system == self.inside))
        else:
            places = self.chart.around(self.systems).ids()
        return part_of(self.scene, places)

    @property
    def title(self) -> str:
        """What it is called."""
        if self.number:
            return self.scene.board.news[self.number - 1].title
        if self.inside:
            return f"Inside {self.chart.called(self.inside)}"
        whole = next((one for one in self.chart.regions if set(one.systems) == {*self.focus}), None)
        if whole is not None:
            return whole.name
        return f"Around {self.chart.called(self.focus[0])}"

    @property
    def facts(self) -> tuple[str, ...]:
        """What happened and what one may do, without the place's own name before a colon: it stands above."""
        if not self.number:
            return ()
        news = self.scene.board.news[self.number - 1]
        head, _, tail = news.fact.partition(": ")
        fact = tail[:1].upper() + tail[1:] if tail and head in news.title else news.fact
        return tuple(one for one in (fact, news.choice) if one)


def focus_on(scene: Scene, place: int | None, area: tuple[HexId, ...]) -> tuple[HexId, ...]:
    """The places that a crop is about: those of a numbered place, counted from 1, or an area.

    Raises:
        ValueError: unless exactly one of both is given, and for a number that the board has not; (UnknownPlace) for an
            area with places that are not on the map.
    """
    if (place is None) == (not area):
        raise ValueError("a crop is of a numbered place or of an area")
    chart = chart_of(scene)
    if place is None:
        for name in area:
            chart.neighbours(name)
        return tuple(dict.fromkeys(area))
    if not 1 <= place <= len(scene.board.news):
        raise ValueError(f"there is no place number {place}")
    found = tuple(name for name in scene.board.news[place - 1].hexes if name in chart)
    if not found:
        raise ValueError(f"place number {place} is not on the map")
    return found


def is_wide(subject: LaneSubject) -> bool:
    """Whether an area has more systems than a crop can show."""
    return not subject.inside and len(subject.systems) > MOST_SYSTEMS


def draw_lane_crop(subject: LaneSubject, *, bare: bool = False) -> Image.Image:
    """The picture of a subject, in palette numbers. ``bare`` leaves out header and facts."""
    if bare:
        return _map(subject, CARD_HEIGHT)
    facts = crop_bands.facts_of(subject.facts)
    picture = Image.new("L", (WIDTH, HEIGHT), MARGIN)
    picture.paste(_map(subject, HEIGHT - crop_bands.HEADER - facts.height), (0, crop_bands.HEADER))
    crop_bands.draw_header(picture, subject.number, subject.title, subtitle_of(subject.scene))
    if not subject.inside:
        _draw_inset(picture, subject)
    crop_bands.draw_facts(picture, HEIGHT - facts.height, facts.height, facts)
    return picture


def _map(subject: LaneSubject, high: int) -> Image.Image:
    frame = fixed_frame(subject.graph, UNIT, (WIDTH, high))
    plan = plan_lanes(subject.shown, subject.theme, subject.graph, frame, pins={})
    return draw_plan(plan, high)


def draw_lane_card(scene: Scene, theme: Theme, pins: tuple[HexId, ...]) -> Image.Image:
    """The whole map as a card holds it, in palette numbers: without bands and, where they are many, without
    names of nobody's systems."""
    graph = graph_of(chart_of(scene))
    high = whole_frame(graph, WIDTH, Bands(header=False, legend=False)).height
    frame = fixed_frame(graph, CARD_UNIT, (WIDTH, high), CARD_SWELL)
    dot_of = dict(graph.dot_of)
    numbers: dict[HexId, int] = {}
    for number, place in enumerate(pins, 1):
        numbers.setdefault(dot_of.get(place, place), number)
    plan = plan_lanes(scene, theme, graph, frame, names=False, pins=numbers)
    return draw_plan(plan, frame.height)


def _draw_inset(picture: Image.Image, subject: LaneSubject) -> None:
    """The whole map, small: each system as a dot in its owner's ink, and a frame where the crop is."""
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle(_INSET, 6, PAPER, RIM, 3)
    chart, scene = subject.chart, subject.scene
    owners = {note.hex: note.owner for note in scene.board.hexes if note.owner}
    xs, ys = [float(one.x) for one in chart.systems], [float(one.y) for one in chart.systems]
    wide, high = max(max(xs) - min(xs), 1e-6), max(max(ys) - min(ys), 1e-6)
    scale = min((_INSET.right - _INSET.left - 28) / wide, (_INSET.bottom - _INSET.top - 28) / high)
    mid_x, mid_y = (_INSET.left + _INSET.right) / 2, (_INSET.top + _INSET.bottom) / 2
    inside: list[tuple[int, int]] = []
    for one in chart.systems:
        x = round(mid_x + (float(one.x) - (max(xs) + min(xs)) / 2) * scale)
        y = round(mid_y + (float(one.y) - (max(ys) + min(ys)) / 2) * scale)
        owner = owners.get(one.id, "")
        half = 3 if owner else 2
        ink = index(scene.look_of(owner).ink) if owner else index("quiet", 9)
        draw.rectangle((x - half, y - half, x + half, y + half), ink)
        if one.id in subject.systems:
            inside.append((x, y))
    left, top = min(x for x, _ in inside) - 6, min(y for _, y in inside) - 6
    right, bottom = max(x for x, _ in inside) + 6, max(y for _, y in inside) + 6
    draw.rectangle((left, top, right, bottom), outline=index("news"), width=4)
