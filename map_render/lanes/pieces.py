"""What stands on a map of lanes: whose each system is, who is there, and who is under way."""

from collections.abc import Iterable
from typing import NamedTuple

from map_render.drawing import text
from map_render.drawing.scene import OwnerLook, Scene
from map_render.drawing.theme import Icon, Theme
from map_render.lanes.galaxies import end_of
from map_render.lanes.graph import LaneGraph, Span
from map_render.theatre.pieces import Stand, is_old, is_plate
from rules_engine.core.basics.base import HexId, Owner
from rules_engine.core.knowledge.glance import LaneTransit
from rules_engine.core.knowledge.views import Counter, HexNote

_SILENT = ("colony", "settled", "capital", "unexplored", "planet", "system")
"""Marks that the sign of a system tells by itself."""
MOST_BADGES = 2
"""Small signs beside that of a system."""


class LaneSite(NamedTuple):
    """A dot as it is drawn: whose it is (None: nobody's), what is written in it, and what else is there."""

    id: HexId
    name: str
    look: OwnerLook | None
    figure: str = ""
    is_capital: bool = False
    is_unexplored: bool = False
    badges: tuple[Icon, ...] = ()


class UnderWay(NamedTuple):
    """Counters in a lane: between which dots, how much of the way lies behind them in percent, and what is said of it.
    ``heads`` is whether it is known which way they go."""

    lane: HexId
    start: HexId
    end: HexId
    done: int
    said: str
    heads: bool
    stand: Stand


class LanePieces(NamedTuple):
    """All pieces of a map."""

    sites: tuple[LaneSite, ...]
    stands: tuple[Stand, ...]
    under_way: tuple[UnderWay, ...]


def lane_pieces(scene: Scene, theme: Theme, graph: LaneGraph) -> LanePieces:
    """What a scene shows on that map."""
    dot_of = dict(graph.dot_of)
    notes: dict[HexId, list[HexNote]] = {}
    for note in scene.board.hexes:
        if note.hex in dot_of:
            notes.setdefault(dot_of[note.hex], []).append(note)
    sites = tuple(_site(scene, theme, dot.id, dot.name, notes.get(dot.id, [])) for dot in graph.dots)
    there: dict[HexId, list[Counter]] = {}
    battles: set[HexId] = set()
    lanes = {one.id for one in graph.lines}
    for one in scene.board.counters:
        at = dot_of.get(one.hex) or (one.hex if one.hex in lanes else "")
        if not at:
            continue
        if theme.form_look(one.form).glyph == "battle":
            battles.add(at)
        else:
            there.setdefault(at, []).append(one)
    stands = {at: _stand(scene, at, there.get(at, ()), at in battles) for at in sorted({*there, *battles})}
    return LanePieces(
        sites,
        tuple(one for at, one in stands.items() if at not in lanes),
        tuple(_under_way(scene, graph, {at: one for at, one in stands.items() if at in lanes})),
    )


def _site(scene: Scene, theme: Theme, at: HexId, name: str, notes: list[HexNote]) -> LaneSite:
    owner = next((note.owner for note in notes if note.owner), "")
    figure = next((text.plain(note.figure[:4]) for note in notes if note.figure), "")
    marks = [theme.word(mark) for note in notes for mark in note.marks]
    badges: dict[Icon, None] = dict.fromkeys(theme.mark_look(mark).icon for mark in marks if mark not in _SILENT)
    return LaneSite(
        at,
        text.plain(name[:80], "?"),
        scene.look_of(owner) if owner else None,
        figure,
        "capital" in marks,
        "unexplored" in marks,
        tuple(badges)[:MOST_BADGES],
    )


def _stand(scene: Scene, at: HexId, here: Iterable[Counter], battle: bool) -> Stand:
    ours = [one for one in here if is_plate(scene, one)]
    groups: dict[Owner, list[Counter]] = {}
    for one in sorted(here, key=lambda one: (is_old(scene, one), -(one.grade or 0), not one.changed, one.id)):
        if not is_plate(scene, one):
            groups.setdefault(one.owner, []).append(one)
    others = tuple((owner, tuple(groups[owner])) for owner in sorted(groups, key=scene.seat_order))
    return Stand(at, tuple(sorted(ours, key=lambda one: (-(one.ships or 0), one.id))), others, battle)


def _under_way(scene: Scene, graph: LaneGraph, stands: dict[HexId, Stand]) -> Iterable[UnderWay]:
    """Who is in each lane: those that go the same way as far are drawn as one."""
    told = {one.counter: one for one in scene.board.transits}
    ends = {one.id: (one.a, one.b) for one in graph.lines}
    dot_of = dict(graph.dot_of)
    beyond = {one.id: _galaxy_ends(one, graph, dot_of) for one in graph.spans if one.id in stands}
    for at, stand in stands.items():
        found: dict[tuple[HexId, HexId, int, str, bool], list[Counter]] = {}
        for one in stand.counters:
            way = _way_of(told.get(one.id), ends[at], beyond.get(at, dot_of))
            found.setdefault(way, []).append(one)
        for (start, end, done, said, heads), some in found.items():
            yield UnderWay(at, start, end, done, said, heads, _stand(scene, at, some, stand.battle))
        if not found:
            yield UnderWay(at, *ends[at], 50, "", heads=False, stand=stand)


def _galaxy_ends(span: Span, graph: LaneGraph, dot_of: dict[HexId, HexId]) -> dict[HexId, HexId]:
    """The end of a lane between galaxies for each place in these."""
    galaxy_of = {dot: one.name for one in graph.galaxies if one.name in (span.a, span.b) for dot in one.systems}
    return {place: end_of(span.id, galaxy_of[dot]) for place, dot in dot_of.items() if dot in galaxy_of}


def _way_of(
    told: LaneTransit | None, ends: tuple[HexId, HexId], dot_of: dict[HexId, HexId]
) -> tuple[HexId, HexId, int, str, bool]:
    if told is None:
        return (*ends, 50, "", False)
    start = dot_of.get(told.start, ends[0])
    end = dot_of.get(told.end, ends[1] if start == ends[0] else ends[0])  # it may be known by its sector alone
    if {start, end} != {*ends}:
        return (*ends, 50, text.plain(told.arrives[:12]), False)
    return start, end, 40 if told.done is None else told.done, text.plain(told.arrives[:12]), True
