"""Where units stand on a picture: each in its hex, or, where several would lie upon each other, beside it."""

from collections.abc import Iterator, Sequence
from math import hypot

from map_render.tactical.sheet import Point
from map_render.theatre.placing.room import COUNTER, Rect, Room

_ROUNDS = 40
_STEP = 16


class NoRoom(Exception):
    """All of it finds no place in the field: it must be drawn smaller."""


def spread_out(wanted: Sequence[tuple[Point, int]], field: Rect, gap: int) -> list[Point]:
    """Places for discs of these radii, each as near to where it is wanted as the others let it, and all in the field.

    Those that lie upon each other push each other aside; whatever is still in another's way then takes the nearest free
    place.

    Raises:
        NoRoom: where they are too large.
    """
    places = [(float(x), float(y)) for (x, y), _ in wanted]
    radii = [r for _, r in wanted]
    for _ in range(_ROUNDS):
        if not _push_apart(places, radii, gap):
            break
        places = [_inside(place, radii[n], field) for n, place in enumerate(places)]
    room, found = Room(), list[Point]()
    for (x, y), r in zip(places, radii, strict=True):
        ways = outwards((round(x), round(y)), _STEP)
        free = (at for at in ways if (box := around(at, r)).within(field) and room.is_free(box))
        spot = next(free, None)
        if spot is None:
            raise NoRoom
        room.take(around(spot, r + gap // 2), COUNTER)
        found.append(spot)
    return found


def _push_apart(places: list[tuple[float, float]], radii: Sequence[int], gap: int) -> bool:
    """Move those that lie upon each other by half of it each; whether any did."""
    moved = False
    for one in range(len(places)):
        for other in range(one + 1, len(places)):
            (x, y), (to_x, to_y) = places[one], places[other]
            dx, dy = to_x - x, to_y - y
            far, apart = hypot(dx, dy), radii[one] + radii[other] + gap
            # Boxes are what is taken in the end, so those that are aslant to each other stand a little farther apart.
            apart = min(apart * 1.2, apart * (far / max(abs(dx), abs(dy)))) if far > 1 else apart
            if far >= apart:
                continue
            moved = True
            # Those of one and the same place part to the sides, the first to the left.
            ux, uy = (dx / far, dy / far) if far > 1 else (1.0, 0.13 * (other - one))
            push = (apart - far) / 2 + 0.5
            places[one] = (x - ux * push, y - uy * push)
            places[other] = (to_x + ux * push, to_y + uy * push)
    return moved


def _inside(place: tuple[float, float], r: int, field: Rect) -> tuple[float, float]:
    left, top, right, bottom = field
    return min(max(place[0], left + r), right - r), min(max(place[1], top + r), bottom - r)


def around(spot: Point, r: int) -> Rect:
    """The box of a disc."""
    return Rect(spot[0] - r, spot[1] - r, spot[0] + r, spot[1] + r)


def outwards(start: Point, step: int) -> Iterator[Point]:
    """Points around one in square rings, nearest first; all that a picture can have."""
    x, y = start
    yield start
    for ring in range(1, 2400 // step):
        far = ring * step
        for n in range(-ring, ring):
            along = n * step
            yield x + along, y - far
            yield x + far, y + along
            yield x - along, y + far
            yield x - far, y - along
