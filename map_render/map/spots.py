"""Spots: where the counters of one hex stand. No spot lies on another, so that each side in the hex is seen."""

from collections.abc import Sequence
from math import cos, pi, sin
from typing import NamedTuple

from map_render.drawing.cache import kept
from rules_engine.core.knowledge.views import Counter

MOST_IN_A_HEX = 3
"""The most counters for which there is a layout with their names; of more, those of one side are drawn as one."""

MOST_PLATES = 4
"""The same where only plates stand: they may overlap, because they are of one side and carry their names."""


class CounterSpot(NamedTuple):
    """Where a counter stands in a hex: offset and half height, how many lines fit below its label, and their width. All
    lengths are in hex sizes. ``close`` says that others stand close to it, ``named`` that its label finds room."""

    x: float
    y: float
    r: float
    lines: int = 0
    room: float = 0.84
    close: bool = False
    named: bool = True


class HexLayout(NamedTuple):
    """Where the plates and the other shapes of one hex stand, and where there is room for the hex's own signs."""

    plates: tuple[CounterSpot, ...] = ()
    others: tuple[CounterSpot, ...] = ()
    marks: tuple[tuple[float, float], ...] = ()


_WITH_NAMES = {
    (1, 0): HexLayout(
        plates=(CounterSpot(0, -0.06, 0.5, lines=2, room=1.6),),
        marks=((-0.52, -0.56), (0.52, -0.56)),
    ),
    (2, 0): HexLayout(
        plates=(CounterSpot(0, -0.34, 0.39, lines=1, room=1.6), CounterSpot(0, 0.45, 0.39, lines=1, room=1.6)),
        marks=((-0.69, 0.05), (0.69, 0.05)),
    ),
    (3, 0): HexLayout(
        plates=(
            CounterSpot(-0.12, -0.31, 0.4),
            CounterSpot(0, 0.12, 0.4),
            CounterSpot(0.12, 0.55, 0.4),
        ),
        marks=((0.64, -0.3), (-0.6, 0.5)),
    ),
    (4, 0): HexLayout(
        plates=(
            CounterSpot(-0.18, -0.36, 0.33),
            CounterSpot(-0.06, -0.02, 0.33),
            CounterSpot(0.06, 0.32, 0.33),
            CounterSpot(0.18, 0.66, 0.33),
        ),
        marks=((0.6, -0.36), (-0.56, 0.5)),
    ),
    (0, 1): HexLayout(
        others=(CounterSpot(0, -0.06, 0.5, lines=2, room=1.6),),
        marks=((-0.62, 0.58), (0.62, 0.58)),
    ),
    (0, 2): HexLayout(
        others=(CounterSpot(-0.42, -0.18, 0.39, lines=1), CounterSpot(0.42, 0.06, 0.39, lines=1)),
        marks=((-0.62, 0.5), (-0.3, 0.68)),
    ),
    (0, 3): HexLayout(
        others=(
            CounterSpot(-0.44, -0.34, 0.33),
            CounterSpot(0.44, -0.34, 0.33),
            CounterSpot(0, 0.32, 0.33),
        ),
        marks=((-0.6, 0.46), (0.62, 0.46)),
    ),
    (1, 1): HexLayout(
        plates=(CounterSpot(-0.42, -0.29, 0.42, lines=2, room=1.18),),
        others=(CounterSpot(0.46, 0.02, 0.42, lines=1),),
        marks=((-0.6, 0.44), (-0.3, 0.6)),
    ),
    (2, 1): HexLayout(
        plates=(CounterSpot(-0.4, -0.33, 0.37), CounterSpot(-0.4, 0.19, 0.37)),
        others=(CounterSpot(0.48, -0.04, 0.37),),
        marks=((0.02, 0.66), (-0.3, 0.66)),
    ),
    (1, 2): HexLayout(
        plates=(CounterSpot(-0.4, -0.32, 0.38),),
        others=(CounterSpot(0.46, -0.32, 0.34), CounterSpot(-0.06, 0.36, 0.34)),
        marks=((-0.64, 0.22), (-0.64, 0.5)),
    ),
}
"""Layouts by (plates, other shapes), with room for names."""


def _ring(count: int, out: float) -> list[tuple[float, float]]:
    """Places around the middle of a hex, the leftmost first, then clockwise."""
    return [(-out * cos(2 * pi * n / count), -out * sin(2 * pi * n / count)) for n in range(count)]


def _packed(count: int) -> tuple[float, list[tuple[float, float]]]:
    """(half height, places) of any number of counters: the middle and rings of places around it, the leftmost first."""
    rings = 1
    while 3 * rings * (rings + 1) + 1 < count:
        rings += 1
    r = 0.92 / (2 * rings + 1)
    places: list[tuple[float, float]] = [(0.0, 0.0)]
    for ring in range(1, rings + 1):
        corners = _ring(6, 2 * r * ring)
        for (x, y), (to_x, to_y) in zip(corners, [*corners[1:], corners[0]], strict=True):
            places += [(x + (to_x - x) * n / ring, y + (to_y - y) * n / ring) for n in range(ring)]
    return r, sorted(places[:count])


@kept(64)
def crowded(count: int, plates: int) -> HexLayout:
    """The layout of more than three counters that are of as many sides. A plate stands at the left."""
    marks = ((-0.11, 0.76), (0.13, 0.76))
    if count == 4 and plates:
        r, places = 0.32, [(-0.48, 0.0), (0.12, -0.47), (0.12, 0.47), (0.62, 0.0)]
        marks = ((-0.54, 0.44), (-0.36, 0.62))
    elif count == 4:
        r, places = 0.32, [(-0.46, -0.42), (0.46, -0.42), (-0.42, 0.38), (0.42, 0.38)]
        marks = ((-0.11, 0.74), (0.13, 0.74))
    elif count == 5 and plates:
        r, places = 0.31, [(-0.6, 0.0), (0.0, -0.47), (0.0, 0.47), (0.6, -0.31), (0.6, 0.31)]
        marks = ((-0.05, 0.0), (0.19, 0.0))
    elif count == 5:
        r, places = 0.33, [(-0.52, -0.42), (0.5, -0.42), (0.0, 0.0), (-0.5, 0.42), (0.5, 0.42)]
        marks = ((-0.11, 0.62), (0.13, 0.62))
    elif count <= 7:
        r, places = 0.3, [*_ring(6, 0.62), (0.0, 0.0)]
        marks = ((-0.11, 0.0), (0.13, 0.0)) if count == 6 else ((-0.11, 0.82), (0.12, 0.82))
    elif count <= 10:
        r = 0.235
        places = [(-0.76, 0.0), (-0.245, 0.0), (0.245, 0.0), (0.735, 0.0)]
        places += [(x, y) for y in (-0.44, 0.44) for x in (-0.49, 0.0, 0.49)]
    else:
        r, places = _packed(count)
    spots = [CounterSpot(x, y, r, close=True, named=count == 4) for x, y in places[:count]]
    return HexLayout(tuple(spots[:plates]), tuple(spots[plates:]), marks)


def layout_of(plates: int, others: int) -> HexLayout:
    """The layout of a hex in which so many plates and other shapes are drawn."""
    return _WITH_NAMES.get((plates, others)) or crowded(plates + others, plates)


def spots_of(plates: Sequence[Counter], others: Sequence[Counter]) -> list[tuple[Counter, CounterSpot]]:
    """The counters that are drawn in a hex, each with its spot. Plates are in the order of drawing."""
    found = layout_of(len(plates), len(others))
    return [*zip(plates, found.plates, strict=True), *zip(others, found.others, strict=True)]
