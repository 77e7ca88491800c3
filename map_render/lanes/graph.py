"""What is drawn of a chart: dots and the lines between them, whether they are systems or the places of one system."""

from collections.abc import Collection
from typing import NamedTuple

from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.charts import GALAXY, Chart, ChartLane, LaneLine

OUTSKIRTS = "outskirts"
"""What the place of a system itself is on the system's own map."""


class Dot(NamedTuple):
    """A place with its name and where the chart has it."""

    id: HexId
    name: str
    x: float
    y: float


class GraphLine(NamedTuple):
    """A lane between two dots: how it is drawn, what it leads out of, and whether anything is noted of it."""

    id: HexId
    a: HexId
    b: HexId
    line: LaneLine
    crosses: str = ""
    noted: bool = False


class Loose(NamedTuple):
    """A lane that is not explored: from a dot into the unknown."""

    id: str
    at: HexId


class Leaving(NamedTuple):
    """A lane that leads from a dot to a system that this map does not show, and in which direction that lies."""

    id: HexId
    at: HexId
    dx: float
    dy: float
    line: LaneLine


class GalaxyDots(NamedTuple):
    """A galaxy and its dots."""

    name: str
    systems: tuple[HexId, ...]


class Span(NamedTuple):
    """A lane between two galaxies, by their names."""

    id: HexId
    a: str
    b: str
    line: LaneLine


class LaneGraph(NamedTuple):
    """Dots and lines. ``dot_of`` says at which dot a place of the chart is drawn; ``within`` names the system whose own
    map it is (empty: it is a map of systems)."""

    dots: tuple[Dot, ...]
    lines: tuple[GraphLine, ...]
    loose: tuple[Loose, ...]
    dot_of: tuple[tuple[HexId, HexId], ...]
    within: HexId = ""
    leaving: tuple[Leaving, ...] = ()
    galaxies: tuple[GalaxyDots, ...] = ()
    spans: tuple[Span, ...] = ()


def part_of_graph(whole: Chart, systems: Collection[HexId]) -> LaneGraph:
    """The map of some systems, with the lanes that lead out of it."""
    places = {one.id: one for one in whole.systems}
    leaving: list[Leaving] = []
    for lane in whole.lanes:
        ends = whole.ends_of(lane.id)
        inside = [one for one in ends if one in systems]
        if len(ends) > 1 and len(inside) == 1:
            here, there = places[inside[0]], places[next(one for one in ends if one not in systems)]
            line = _line(whole, lane, here.id, there.id).line
            leaving.append(Leaving(lane.id, here.id, float(there.x - here.x), float(there.y - here.y), line))
    return graph_of(whole.around(systems))._replace(leaving=tuple(leaving))


def graph_of(chart: Chart) -> LaneGraph:
    """The map of all systems."""
    dots = tuple(Dot(one.id, one.name, float(one.x), float(one.y)) for one in chart.systems)
    lines: list[GraphLine] = []
    for lane in chart.lanes:
        ends = chart.ends_of(lane.id)
        if len(ends) > 1:
            lines.append(_line(chart, lane, ends[0], ends[1]))
    loose = tuple(Loose(one.id, chart.system_of(one.at)) for one in chart.uncharted)
    where = tuple((one.id, one.system) for one in chart.planets) + tuple((one.id, one.id) for one in chart.systems)
    galaxies = tuple(GalaxyDots(one.name, one.systems) for one in chart.regions if one.level == GALAXY)
    spans = tuple(Span(one.id, one.a, one.b, _line_of(chart, one.kind)) for one in chart.between)
    return LaneGraph(dots, tuple(lines), loose, where, galaxies=galaxies, spans=spans)


def inner_graph(chart: Chart, system: HexId) -> LaneGraph:
    """The map of a system: its planets, and its outskirts beside them."""
    planets = [Dot(one.id, one.name, float(one.x), float(one.y)) for one in chart.planets if one.system == system]
    # The outskirts lie around all planets, where no place of the map can lie; so they stand above them.
    across = [one.x for one in planets] or [0.0]
    top, bottom = min((one.y for one in planets), default=0.0), max((one.y for one in planets), default=0.0)
    wide = max(across) - min(across)
    above = max(bottom - top, wide) / max(1, len(planets)) or 1.0
    rim = Dot(system, OUTSKIRTS, (max(across) + min(across)) / 2, top - above)
    known = {one.id for one in (rim, *planets)}
    lines = [_line(chart, one, one.a, one.b) for one in chart.lanes if one.a in known and one.b in known]
    loose = tuple(Loose(one.id, one.at) for one in chart.uncharted if one.at in known)
    return LaneGraph((rim, *planets), tuple(lines), loose, tuple((one, one) for one in sorted(known)), system)


def _line(chart: Chart, lane: ChartLane, start: HexId, end: HexId) -> GraphLine:
    return GraphLine(lane.id, start, end, _line_of(chart, lane.kind), lane.crosses, bool(lane.note))


def _line_of(chart: Chart, key: str) -> LaneLine:
    kind = chart.kind_of(key)
    return kind.line if kind else "single"
