"""In words how near counters are to each other: in hexes and a direction, or in jumps."""

from collections.abc import Iterable

from map_render.glance_words import words_of
from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.grids.places import MapPlaces
from rules_engine.core.knowledge.views import Counter

Nearest = tuple[int, Counter]
"""How many steps away the nearest of some counters is, and which that is."""
_LONGEST_WORD = 60
_UNKNOWN = 9999


def nearest_of(places: MapPlaces, piece: Counter, others: Iterable[Counter]) -> Nearest | None:
    """The nearest of some counters; of equally near ones the first listed; None if there is a way to none."""
    if piece.hex not in places:
        return None
    ranked = [(places.distance(other.hex, piece.hex), other) for other in others if other.hex in places]
    known = [(far, other) for far, other in ranked if far is not None]
    return min(known, key=lambda pair: pair[0], default=None)


def by_nearness(places: MapPlaces, own: list[Counter], others: list[Counter]) -> list[tuple[Counter, Nearest | None]]:
    """Held contacts before lost ones, near before far, otherwise in the view's own order; each with the nearest of
    ours."""
    found = [(piece, nearest_of(places, piece, own)) for piece in others]
    return sorted(found, key=lambda one: (not one[0].live, one[1][0] if one[1] else _UNKNOWN))


def nearness(places: MapPlaces, here: HexId, nearest: Nearest) -> str:
    """How near a place is to the nearest of ours: ``3 NE of A1``, ``2 jumps from G4``, ``in the hex of A1``."""
    far, ours = nearest
    label = words_of(ours.label, _LONGEST_WORD)
    if here == ours.hex or not far:
        return f"in the {places.spot} of {label}"
    if isinstance(places, Grid):
        return f"{far} {places.compass(ours.hex, here)} of {label}"
    return f"{places.away(ours.hex, here)} from {label}"


def nearest_lines(places: MapPlaces, own: list[Counter], others: list[Counter]) -> Iterable[str]:
    """For each of ours who is nearest, and where."""
    for piece in own:
        held = [other for other in others if other.live]
        found = nearest_of(places, piece, held) or nearest_of(places, piece, others)
        if found is not None:
            _, other = found
            where = places.away(piece.hex, other.hex) or f"in the same {places.spot}"
            here, there = places.called(piece.hex), places.called(other.hex)
            label, its = words_of(piece.label, _LONGEST_WORD), words_of(other.label, _LONGEST_WORD)
            yield f"{label} at {here}: {its} at {there}, {where}"
