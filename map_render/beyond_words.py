"""In words what lies beyond a part of a map, as its signposts say it to those who see them."""

from collections.abc import Collection, Iterable, Iterator

from map_render.drawing.scene import Scene
from map_render.glance_words import words_of
from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.places import MapPlaces

_FAR = 8
"""Hexes beyond which contacts are left to the whole map."""
_FARTHEST = 14
"""Hexes beyond which nothing is told."""
_LONGEST_WORD = 60


def beyond(scene: Scene, shown: Collection[HexId], start: Collection[HexId]) -> tuple[str, ...]:
    """What of a whole map lies beyond the hexes of it that are shown, each with its distance and direction from the
    nearest hex of ``start``: other numbered places, then others' live counters, near before far."""
    places, inside = scene.board.places, set(shown)
    both = (_places(scene, inside), _contacts(scene, inside))
    return tuple(said for some in both for said in _told(places, some, start))


def _places(scene: Scene, inside: set[HexId]) -> Iterator[tuple[HexId, str, int]]:
    for number, news in scene.numbered:
        if inside.isdisjoint(news.hexes) and news.hexes[0] in scene.board.places:
            yield news.hexes[0], f"place {number}, {words_of(news.title, _LONGEST_WORD)}", _FARTHEST


def _contacts(scene: Scene, inside: set[HexId]) -> Iterator[tuple[HexId, str, int]]:
    told = {name for _, news in scene.numbered for name in news.hexes}
    for piece in scene.board.counters:
        if piece.live and piece.owner and not scene.is_own(piece) and piece.hex not in inside | told:
            whose = words_of(scene.board.name_of(piece.owner), _LONGEST_WORD)
            yield piece.hex, f"{words_of(piece.label, _LONGEST_WORD)} ({whose})", _FAR


def _told(places: MapPlaces, things: Iterable[tuple[HexId, str, int]], start: Collection[HexId]) -> list[str]:
    found: list[tuple[int, str, HexId, HexId]] = []
    for name, said, most in things:
        if name in places:
            ways = ((places.distance(name, one), one) for one in start)
            known = [(far, one) for far, one in ways if far is not None and far <= most]
            if known:
                far, nearest = min(known)
                found.append((far, said, nearest, name))
    return [f"{said}, {places.away(nearest, name)}" for _, said, nearest, name in sorted(found)]
