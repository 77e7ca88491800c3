"""In words what a map of lanes shows besides counters and places: its lanes, and who is under way."""

from collections.abc import Iterable

from map_render.drawing.scene import Scene
from map_render.glance_words import words_of
from rules_engine.core.grids.charts import Chart

_LONGEST_WORD = 60


def under_way_lines(scene: Scene) -> tuple[str, ...]:
    """Who is in a lane for more than a turn, from where to where, and when they arrive."""
    labels = {one.id: words_of(one.label, _LONGEST_WORD) for one in scene.board.counters}
    called = scene.board.places.called
    lines: list[str] = []
    for one in scene.board.transits:
        if one.counter in labels:
            arrives = f", arrives {words_of(one.arrives, _LONGEST_WORD)}" if one.arrives else ""
            lines.append(f"{labels[one.counter]} from {called(one.start)} to {called(one.end)}{arrives}")
    return tuple(lines)


def lane_lines(chart: Chart) -> Iterable[str]:
    """Each system with its lanes: where each leads, its class, and what is noted of it."""
    kinds = {one.key: words_of(one.said, _LONGEST_WORD) for one in chart.kinds}
    found: dict[str, list[str]] = {one.id: [] for one in (*chart.systems, *chart.planets)}
    for lane in chart.lanes:
        notes = (kinds[lane.kind], f"into another {lane.crosses}" if lane.crosses else "", lane.note)
        said = ", ".join(words_of(one, _LONGEST_WORD) for one in notes if one)
        found[lane.a].append(f"{chart.called(lane.b)} ({said})")
        found[lane.b].append(f"{chart.called(lane.a)} ({said})")
    for one in chart.between:
        yield f"{one.a}–{one.b}: {words_of(kinds[one.kind], _LONGEST_WORD)}, from any system of one to any of the other"
    for place, lanes in found.items():
        if lanes:
            yield f"{chart.called(place)}: {', '.join(sorted(lanes))}"


def uncharted_lines(scene: Scene) -> tuple[str, ...]:
    """The lanes that are not explored, at the ends that are known; of a part of a map those that begin there."""
    chart = scene.board.chart
    if chart is None:
        return ()
    return tuple(
        f"{words_of(one.id, _LONGEST_WORD)} from {chart.called(one.at)}{f' ({words_of(one.note)})' if one.note else ''}"
        for one in chart.uncharted
        if not scene.shown or one.at in scene.shown
    )


def region_lines(chart: Chart) -> tuple[str, ...]:
    """Sectors and galaxies with the systems in them that are known."""
    return tuple(
        f"{words_of(one.name, _LONGEST_WORD)} ({one.level}): {', '.join(map(chart.called, one.systems))}"
        for one in chart.regions
    )
