"""Where counters stand: an enemy is never covered, and what finds no room in its hex stands beside it."""

from collections.abc import Iterable, Sequence
from itertools import product
from math import fsum, inf
from typing import NamedTuple

from map_render.drawing.cache import kept
from map_render.theatre.frame import Frame, Point
from map_render.theatre.groups import Grouping, Part
from map_render.theatre.pieces import Old, Stand
from map_render.theatre.placing.bodies import PlacedPart, bodies_meet
from map_render.theatre.placing.room import CALLOUT, COUNTER, LINE, NAME, PLACE, Bits, Rect, Room, TakenRect
from rules_engine.core.basics.base import HexId

Leader = tuple[Point, Point]
"""A line from a box to its hex."""


class PlacedGroup(NamedTuple):
    """The bodies of one hex, where they stand, and how far from its middle. What stands beside its hex in a box, its
    first body, has a ``leader`` from there to the hex unless others' counters are all around."""

    hex: HexId
    bodies: tuple[PlacedPart, ...]
    aside: tuple[int, int]
    of: Stand | Old
    boxed: bool = False
    leader: Leader | None = None

    def is_in_hex(self, frame: Frame) -> bool:
        """Whether each counter's middle lies in its hex."""
        return all(frame.holds(self.hex, (body.x, body.y)) for body in self.bodies if body.part.ids)

    def meets(self, other: "PlacedGroup") -> bool:
        """Whether any bodies of the two lie on each other."""
        return any(one.meets(another) for one in self.bodies for another in other.bodies)


class Stander:
    """All counters of a theatre, placed one group after the other."""

    def __init__(self, frame: Frame, room: Room) -> None:
        self.frame, self.room = frame, room
        self.placed: list[PlacedGroup] = []
        self._near: dict[tuple[int, int], list[PlacedPart]] = {}
        self._cell = 4 * frame.plate
        self._together: dict[tuple[int, int], list[PlacedPart]] = {}
        self._lines, self._own_lines = Bits(frame.px(12)), dict[str, Bits]()
        for taken in room.all:
            if taken.kind == LINE:
                self._lines.take(taken.box)
                self._own_lines.setdefault(taken.of, Bits(frame.px(12))).take(taken.box)

    def place(
        self, of: Stand | Old, ways: Sequence[Grouping], *, upward: bool, far: float, weight: float = 1.0
    ) -> PlacedGroup:
        """Put a group of counters where it lies on no other and, if possible, on no place and no course.

        ``ways`` are ways to draw it, the best first; ``upward`` tries half a hex higher first; ``weight`` says how
        much it should stay near its hex. Where all within ``far`` hexes is full, it stands farther away. Places for a
        contested hex are tried finer.
        """
        ids, best = _ids_of(of), None
        # What lies on other counters is weighed only if all other places are full, too.
        for most, reach in product((_COVERED, _ANYTHING), (far, 3 * far, 9 * far)):
            for way in ways:
                ids = ids - {of.hex} if way.boxed else ids  # a box leaves what is in its own hex in sight
                rise = self._rise(of, way) if upward else 0
                best = self._try(of, way, ids=ids, how=(reach, rise, weight), best=best, most=most)
            if best is not None and best[0] < _COVERED:
                break
        if best is None:
            raise ValueError("a group needs a way to be drawn")
        self.add(best[1])
        return best[1]

    def place_in_hex(self, of: Stand, ways: Sequence[Grouping], weight: float) -> bool:
        """Put the counters of a contested hex where they lie on no other and each has its middle in the hex, if any of
        the ``ways`` has room there; False if none has."""
        best: tuple[float, PlacedGroup] | None = None
        for way in ways:
            best = self._try(of, way, ids=_ids_of(of), how=(IN_HEX, 0, weight), best=best, most=_COVERED)
        if best is None:
            return False
        self.add(best[1])
        return True

    def keep_free(self, hex_id: HexId) -> None:
        """Let nothing stand on the middle of a hex, to which a leader will run."""
        (x, y), half = self.frame.centres[hex_id], self.frame.px(24)
        self.room.take(Rect(x - half, y - half, x + half, y + half), CALLOUT, hex_id)

    def _rise(self, of: Stand | Old, way: Grouping) -> int:
        """How much higher than the middle of its hex a group stands, so that a place stays in sight; 0 for others'
        where they would stand in the next hex and seem to be there."""
        rise = max(part.y + part.box.bottom for part in way.parts) + round(0.3 * self.frame.size)
        ours = isinstance(of, Stand) and of.ours
        return rise if ours or rise <= IN_HEX * self.frame.size else 0

    def places_in_hex(self, of: Stand, ways: Sequence[Grouping], weight: float) -> list[PlacedGroup]:
        """Where a group may stand in its hex and on no counter, the best place first."""
        ids = frozenset(one.id for one in of.counters) | {of.hex}
        centre = self.frame.centres[of.hex]
        found: list[tuple[float, int, PlacedGroup]] = []
        for way in ways:
            for away, dx, dy in _offsets(self.frame.size, IN_HEX, _COARSE):
                at = centre[0] + dx, centre[1] + dy
                if not self._is_in_hex(of.hex, way, at):
                    continue
                cost = self._cost(of.hex, way, at, ids, on_place=0.4, cost=weight * away + way.cost, most=_COVERED)
                if cost < _COVERED:
                    found.append((cost, len(found), PlacedGroup(of.hex, _bodies(of.hex, way, at), (dx, dy), of)))
        return [placed for _, _, placed in sorted(found, key=lambda one: one[:2])]

    def _try(
        self,
        of: Stand | Old,
        way: Grouping,
        *,
        ids: frozenset[str],
        how: tuple[float, int, float],
        best: tuple[float, PlacedGroup] | None,
        most: float,
    ) -> tuple[float, PlacedGroup] | None:
        """The better of ``best`` and the best place for a group that costs less than ``most``. ``how``: how far it may
        be, how much higher it would stand, and what a hex of distance costs."""
        centre = self.frame.centres[of.hex]
        far, rise, weight = how
        stays = isinstance(of, Stand) and (of.contested or of.battle)
        for away, dx, down in _offsets(self.frame.size, far, _FINE if stays else _COARSE):
            cost, dy = weight * away + way.cost, down - rise
            least = min(best[0], most) if best else most
            if cost >= least:
                break
            at = centre[0] + dx, centre[1] + dy
            if stays and not way.boxed and not self._is_in_hex(of.hex, way, at):
                continue
            cost = self._cost(of.hex, way, at, ids, on_place=0.0 if rise else 0.4, cost=cost, most=least)
            leader: Leader | None = None
            if way.boxed and cost < least:
                dear, leader = self._leader(of.hex, way.parts[0].box.moved(*at))
                cost += dear
            if cost < least:
                best = cost, PlacedGroup(of.hex, _bodies(of.hex, way, at), (dx, dy + rise), of, way.boxed, leader)
        return best

    def _leader(self, hex_id: HexId, box: Rect) -> tuple[float, Leader | None]:
        """What it costs to join a box to its hex, and by which line: from the box to the middle of the hex or another
        point in it, through no counter; None if there is none."""
        px, (x, y) = self.frame.px, self.frame.centres[hex_id]
        (left, top, right, bottom), out = box.grown(-px(24)), round(0.6 * self.frame.size)
        ends = [(x, y), *((round(x + ux * out), round(y + uy * out)) for ux, uy in _WAYS[:8])]
        joined = [(end, (min(max(end[0], left), right), min(max(end[1], top), bottom))) for end in ends]
        for place, (end, start) in enumerate(joined):
            dot = Rect(end[0] - px(20), end[1] - px(20), end[0] + px(20), end[1] + px(20))
            if not dot.meets(box) and self.room.is_clear(start, end, px(12), COUNTER, but=frozenset()):
                return _ASIDE * place, (start, end)
        return _COVERED, None

    def add(self, placed: PlacedGroup) -> None:
        """Put a group where it is placed."""
        self.placed.append(placed)
        self._together.clear()
        if placed.leader:
            self.room.take_line(*placed.leader, self.frame.px(9), placed.hex, CALLOUT)
        for body in placed.bodies:
            self.room.take(body.box, COUNTER, placed.hex)
            x, y = body.box.middle
            self._near.setdefault((x // self._cell, y // self._cell), []).append(body)

    def _is_in_hex(self, hex_id: HexId, way: Grouping, at: Point) -> bool:
        """Whether each counter of a group that stands there has its middle in a hex."""
        return all(self.frame.holds(hex_id, (at[0] + part.x, at[1] + part.y)) for part in way.parts if part.ids)

    def _cost(
        self, hex_id: HexId, way: Grouping, at: Point, ids: frozenset[str], *, on_place: float, cost: float, most: float
    ) -> float:
        """What it costs to stand there, on top of ``cost``; anything above ``most`` is as good as that."""
        for part in way.parts:
            if cost >= most:
                return cost
            body = _body(part, *at, hex_id)
            box = body.box
            if not box.within(self.frame.field):
                return 50 * _COVERED
            left, top, right, bottom = box
            for other in self._around(box):
                low, high, far, deep = other.box
                if low < right and left < far and high < bottom and top < deep and body.meets(other):
                    cost += 5 * _COVERED if body.part.foe or other.part.foe else 2 * _COVERED
            if cost >= most:
                return cost
            seen = set(self.room.at(box, PLACE | NAME | CALLOUT))
            if seen:
                cost += fsum([_COSTS[taken.kind] for taken in seen if taken.of not in ids])  # in whatever order
            crossed = self._lines.count(box)
            if crossed:
                mine = next((self._own_lines[name] for name in body.part.ids if name in self._own_lines), None)
                cost += _CROSSED * (self._lines.count(box, mine) if mine else crossed)
            if on_place and seen and _is_on_place(body, seen):
                cost += on_place
        return cost

    def _around(self, box: Rect) -> list[PlacedPart]:
        """The counters that might lie on a box."""
        x, y = box.middle
        column, row = at = x // self._cell, y // self._cell
        found = self._together.get(at)
        if found is None:
            cells = product((column - 1, column, column + 1), (row - 1, row, row + 1))
            found = [body for cell in cells for body in self._near.get(cell, ())]
            self._together[at] = found
        return found


def covered_by(standing: Sequence[PlacedGroup], boxes: Iterable[Rect], room: Room) -> tuple[Rect, ...]:
    """Those of the boxes of row and column numbers on whose digits a part of a counter lies."""
    near = [box for box in boxes if not room.is_free(box, COUNTER)]
    bodies = [body for placed in standing for body in placed.bodies] if near else []
    return tuple(box for box in near if any(_lies_on(body, box) for body in bodies))


def _lies_on(body: PlacedPart, number: Rect) -> bool:
    air = (number.bottom - number.top) // 7  # digits are lower than their box, and have some air beside them
    digits = Rect(number.left + _EDGE, number.top + air, number.right - _EDGE, number.bottom - air)
    return bodies_meet(body.part.shape, body.box.grown(-_EDGE), "plate", digits)


_EDGE = 3
"""How much of a counter's box is only its casing, and of a number's box only air."""
_COSTS = {PLACE: 1.3, NAME: 3.0, CALLOUT: 120.0}
"""What it costs to stand on a place, on a row number or on a part of the leader of a box, in hexes."""
_ASIDE = 0.2
"""What it costs where a leader to the middle of the hex is cut off, and to each of the other points that are tried."""
_COVERED = 100.0
"""Less than it costs to stand on another counter, and more than anything else does."""
_ANYTHING = inf
"""More than anything costs."""
_FINE, _COARSE = 0.21, 0.42
"""How far apart the places are that are tried, in hexes."""
IN_HEX = 0.87
"""How far from the middle of a hex its nearest side is, in hex sizes."""
_CROSSED = 0.07
"""What each cell of a course beneath a counter costs, in hexes."""


def box_inset(box: Rect) -> int:
    """How much of a counter's edge may lie on the place of its own hex."""
    return (box.bottom - box.top) // 4


def _body(part: Part, x: int, y: int, hex_id: HexId) -> PlacedPart:
    """A part of a group whose middle is there."""
    x, y = x + part.x, y + part.y
    return PlacedPart(part, x, y, hex_id, part.box.moved(x, y))


def _bodies(hex_id: HexId, way: Grouping, at: Point) -> tuple[PlacedPart, ...]:
    """The parts of a group whose middle is there."""
    return tuple([_body(part, *at, hex_id) for part in way.parts])


def _is_on_place(body: PlacedPart, beneath: set[TakenRect]) -> bool:
    """Whether a counter stands on the place of its own hex, with more than its edge."""
    inner = body.box.grown(-box_inset(body.box))
    return any(one.of == body.hex and one.kind == PLACE and one.box.meets(inner) for one in beneath)


def _ids_of(of: Stand | Old) -> frozenset[str]:
    """The counters of a group, and its hex."""
    return frozenset(one.id for one in (of.counters if isinstance(of, Stand) else of.members)) | {of.hex}


@kept(32)
def _offsets(size: int, far: float, step: float) -> tuple[tuple[float, int, int], ...]:
    """(how far in hexes, x, y) of where a group may stand, from its hex: the middle, then rings around it."""
    found = [(0.0, 0, 0)]
    for ring in range(1, round(far / step) + 1):
        out = step * ring
        ways = _WAYS[: 8 if out < 1 else 16]
        found += [(out, round(ux * out * size), round(uy * out * size)) for ux, uy in ways]
    return tuple(found)


_WAYS = (
    (0.0, -1.0), (0.0, 1.0), (1.0, 0.0), (-1.0, 0.0), (0.7, -0.7), (-0.7, -0.7), (0.7, 0.7), (-0.7, 0.7),
    (0.92, -0.38), (-0.92, -0.38), (0.92, 0.38), (-0.92, 0.38),
    (0.38, -0.92), (-0.38, -0.92), (0.38, 0.92), (-0.38, 0.92),
)  # fmt: skip
