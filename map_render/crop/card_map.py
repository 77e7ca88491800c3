"""The bare map that a card holds: no header, callouts or legend, since the card says all that in words.

A card shows it about 307 px wide, a quarter of its size. Counters where something is new are half as large again as the
others; of each owner in a hex there is one, and what finds no room near its hex is a small sign exactly there.
"""

from dataclasses import dataclass, field
from math import hypot
from typing import NamedTuple

from map_render.crop.box import Box
from map_render.crop.frame import CropFrame, whole_frame
from map_render.crop.placing.blocks import joined_plates, joined_shapes
from map_render.crop.placing.lettering import Spot, TextLine, find
from map_render.crop.placing.plan import Label
from map_render.crop.placing.room import CropRoom, around, brought_in, grown, hull, moved
from map_render.crop.placing.ways import Leg, legs_of, soft_boxes, ways_of
from map_render.crop.signs import plate_look
from map_render.crop.stands import LONGEST_NAME, CropSign, HexStand, PlaceSign, places_of, stands_of
from map_render.drawing.plates import bar_height, plate_width
from map_render.drawing.scene import Scene
from map_render.drawing.theme import Theme
from rules_engine.core.basics.base import HexId

CARD_WIDTH = 1228
"""Pixels that the picture is wide: four to one on the card of a phone."""

RIM = 52
"""Pixels around the sheet, where rows and columns are numbered."""

NEW, USUAL = (60, 76), (44, 56)
"""(height of a plate, width of a shape) in pixels where something is new, and elsewhere."""

PIN = 29
"""The radius of a pin."""

DOT = 11
"""Half the height of the sign of what finds no room."""

NAME = 34
"""The type size of a place's name."""

BURST = 30
"""Half the height of a battle's sign."""

_GAP = 4
_FARTHEST = 6  # steps of half a hex that counters may stand away from theirs
_ROOMY = 24  # pixels from a hex's centre to its corner below which only capitals have their names
_TURNS = ((0, 0), (0, -1), (0, 1), (1, 0), (-1, 0), (1, -1), (-1, -1), (1, 1), (-1, 1))


class Spotted(NamedTuple):
    """A counter on a card's map: its box, and its height (plates) or width (shapes)."""

    sign: CropSign
    box: Box
    size: int


@dataclass
class CardPlan:
    """Where everything on a card's map stands. ``dots`` are the signs of what found no room near its hex."""

    frame: CropFrame
    room: CropRoom
    theme: Theme
    spotted: list[Spotted] = field(default_factory=list[Spotted])
    dots: list[tuple[CropSign, int, int]] = field(default_factory=list[tuple[CropSign, int, int]])
    pins: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    bursts: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    legs: list[Leg] = field(default_factory=list[Leg])
    labels: list[Label] = field(default_factory=list[Label])
    marks: list[tuple[PlaceSign, int, int, int]] = field(default_factory=list[tuple[PlaceSign, int, int, int]])


def card_plan(scene: Scene, theme: Theme, pins: tuple[HexId, ...], *, courses: bool) -> CardPlan:
    """The plan of a card's map with a pin at each of some hexes, in their order; with ``courses`` also where our forces
    are to go."""
    frame = whole_frame(scene.board.grid, CARD_WIDTH, RIM)
    plan = CardPlan(frame, CropRoom(grown(frame.bounds, -RIM * 2 // 3)), theme)
    stands, places = stands_of(scene, theme), places_of(scene, theme)
    hot = _hot(scene, stands, pins)
    for name in sorted(stands, key=lambda one: (one not in pins, one not in hot, not stands[one].is_contested, one)):
        _place_stand(plan, stands[name], NEW if name in hot else USUAL)
    for name in sorted(stands):
        if stands[name].battle:
            _place_burst(plan, name)
    for number, name in enumerate(pins, 1):
        if name in frame.centres:
            _place_pin(plan, number, name)
    if courses:
        _place_courses(plan, scene)
    for name in sorted(places, key=lambda one: (one not in hot, not places[one].is_great, one)):
        _place_mark(plan, places[name], hot)
    return plan


def _hot(scene: Scene, stands: dict[HexId, HexStand], pins: tuple[HexId, ...]) -> set[HexId]:
    """The hexes where something is new, and where none of ours is there, those next to them where some are."""
    grid = scene.board.grid
    found: set[HexId] = set()
    for there in (*((name,) for name in pins), *(news.hexes for news in scene.board.news)):
        here = [name for name in there if name in grid]
        found |= set(here)
        if not any(name in stands and stands[name].plates for name in here):
            beside = {one for name in here for one in grid.neighbours(name)}
            found |= {one for one in beside if one in stands and stands[one].plates}
    return found


def _place_stand(plan: CardPlan, stand: HexStand, size: tuple[int, int]) -> None:
    """One counter of each owner in or beside their hex: all of them, or those that are there now, or smaller."""
    signs = [*_one_plate(stand), *joined_shapes(stand.shapes)]
    fresh = [one for one in signs if one.is_plate or not one.is_dim]
    at = plan.frame.centres[stand.hex]
    for some, scale in ((signs, size), (fresh, size), (fresh, USUAL)):
        placed = _where_free(plan, _grouped(plan, some, scale), at) if some else None
        if placed is not None:
            plan.spotted += placed
            plan.room.take(*(one.box for one in placed))
            _as_dots(plan, [one for one in signs if one not in some], at)
            return
    _as_dots(plan, signs, at)


def _one_plate(stand: HexStand) -> list[CropSign]:
    """Our plates as one: the first one's code with all ships there, or with how many more it stands for."""
    joined = joined_plates(stand.plates)
    return [one if one.piece.ships is None else one._replace(code=stand.plates[0].code) for one in joined]


def _where_free(plan: CardPlan, group: list[Spotted], at: tuple[int, int]) -> list[Spotted] | None:
    """A group at its hex, or as near to it as there is room."""
    step = max(14, plan.frame.px(0.5))
    for far in range(_FARTHEST + 1):
        for turn_x, turn_y in _TURNS[:1] if not far else _TURNS[1:]:
            boxes = [moved(one.box, at[0] + turn_x * step * far, at[1] + turn_y * step * far) for one in group]
            in_x, in_y = brought_in(hull(boxes), plan.room.bounds)
            boxes = [moved(box, in_x, in_y) for box in boxes]
            if hypot(in_x, in_y) <= _FARTHEST * step and plan.room.are_free(boxes, _GAP):
                return [one._replace(box=box) for one, box in zip(group, boxes, strict=True)]
    return None


def _grouped(plan: CardPlan, signs: list[CropSign], size: tuple[int, int]) -> list[Spotted]:
    """Signs around the origin: our plate on the left, others' shapes in one or two rows on its right."""
    high, across = size
    plates = [one for one in signs if one.is_plate]
    shapes = [one for one in signs if not one.is_plate]
    group: list[Spotted] = []
    x = 0
    for sign in plates:
        wide = plate_width(plate_look(sign, high, plan.theme))
        below = 0 if sign.is_whole else bar_height(high)
        group.append(Spotted(sign, Box(x, -high // 2, x + wide, high - high // 2 + below), high))
        x += wide + _GAP
    rows = 1 if len(shapes) < 3 else 2  # as many as are as high as a plate
    for n, sign in enumerate(shapes):
        left, top = x + n // rows * (across + _GAP), (n % rows) * (across + _GAP)
        top -= (rows * (across + _GAP) - _GAP) // 2
        group.append(Spotted(sign, Box(left, top, left + across, top + across), across))
    box = hull(one.box for one in group)
    return [one._replace(box=moved(one.box, -(box.left + box.right) // 2, 0)) for one in group]


def _as_dots(plan: CardPlan, signs: list[CropSign], at: tuple[int, int]) -> None:
    """Small signs side by side exactly in their hex."""
    for n, sign in enumerate(signs):
        plan.dots.append((sign, at[0] + round((n - (len(signs) - 1) / 2) * 2.4 * DOT), at[1]))


def _place_pin(plan: CardPlan, number: int, name: HexId) -> None:
    """A pin at a corner of what stands in its hex, or as near as there is room; at worst it covers ground alone."""
    x, y = plan.frame.centres[name]
    here = [one.box for one in plan.spotted if one.sign.piece.hex == name]
    wide = 2 * PIN + 6
    spots = [(x, y)]
    if here:
        box = hull(here)
        spots = [
            (box.right + PIN, box.top),
            (box.left - PIN, box.top),
            ((box.left + box.right) // 2, box.top - PIN - 4),
            ((box.left + box.right) // 2, box.bottom + PIN + 4),
            (box.right + PIN + 4, (box.top + box.bottom) // 2),
            (box.left - PIN - 4, (box.top + box.bottom) // 2),
            (box.right + PIN, box.bottom),
            (box.left - PIN, box.bottom),
        ]
    _, _, right, bottom = plan.frame.bounds
    elsewhere = sorted(
        ((at_x, at_y) for at_x in range(PIN, right, PIN // 2) for at_y in range(PIN, bottom, PIN // 2)),
        key=lambda at: (hypot(at[0] - x, at[1] - y), at),
    )
    anywhere = plan.room.within(plan.frame.bounds)
    for at_x, at_y in (*spots, *elsewhere):
        if anywhere.is_free(around(at_x, at_y, wide, wide)):
            plan.pins.append((number, at_x, at_y))
            plan.room.take(around(at_x, at_y, wide, wide))
            return
    plan.pins.append((number, x, y))


def _place_burst(plan: CardPlan, name: HexId) -> None:
    x, y = plan.frame.centres[name]
    here = [one.box for one in plan.spotted if one.sign.piece.hex == name]
    box = hull(here) if here else Box(x, y, x, y)
    middle = (box.left + box.right) // 2
    wide = 2 * BURST + 6
    for at_x, at_y in (
        *(() if here else ((x, y),)),
        (middle, box.top - BURST - 4),
        (middle, box.bottom + BURST + 4),
        (box.right + BURST + 4, (box.top + box.bottom) // 2),
        (box.left - BURST - 4, (box.top + box.bottom) // 2),
    ):
        if plan.room.is_free(around(at_x, at_y, wide, wide)):
            plan.bursts.append((at_x, at_y))
            plan.room.take(around(at_x, at_y, wide, wide))
            return


def _place_courses(plan: CardPlan, scene: Scene) -> None:
    starts = {
        piece.id: ((one.box.left + one.box.right) // 2, (one.box.top + one.box.bottom) // 2)
        for one in plan.spotted
        for piece in one.sign.pieces
    }
    obstacles = list(plan.room.taken)
    for way in ways_of(scene, plan.frame, starts, scale=0.5):
        if way.course.kind == "plotted":
            legs = legs_of(way, obstacles, plan.frame.bounds, scale=0.5)
            plan.legs += legs
            plan.room.soft.add(*soft_boxes(legs))


def _place_mark(plan: CardPlan, place: PlaceSign, hot: set[HexId]) -> None:
    """A place's sign in its hex where nothing else stands, and the name of what is more than a settled hex."""
    frame = plan.frame
    x, y = frame.centres[place.hex]
    r = max(8, frame.px(0.36))
    here = around(x, y, 2 * r, 2 * r)
    if plan.room.is_free(here):
        plan.marks.append((place, x, y, r))
        plan.room.take(here)
    great = place.is_great if frame.size >= _ROOMY else place.planet == "capital"
    if not place.name or not (great or (place.hex in hot and frame.size >= _ROOMY)):
        return
    name = place.name if len(place.name) <= LONGEST_NAME else f"{place.name[: LONGEST_NAME - 1]}…"
    inside = plan.room.within(grown(frame.bounds, -RIM))
    found = find(inside, [(TextLine(name, NAME, heavy=True),)], _name_spots(plan, place))
    if found is not None:
        plan.labels.append(Label(*found))
        plan.room.take(found[1])


def _name_spots(plan: CardPlan, place: PlaceSign) -> list[Spot]:
    """Where a name may stand: below its hex and what stands there, above, beside, and a little farther off."""
    x, y = plan.frame.centres[place.hex]
    out = plan.frame.px(0.6 if place.planet and place.icon != "base" else 0.9)
    box = hull([around(x, y, 2 * out, 2 * out), *(one.box for one in plan.spotted if one.sign.piece.hex == place.hex)])
    spots: list[Spot] = []
    for more in (4, 24, 48):
        for side in (0.0, 0.5, -0.5):
            spots += [_at_share(x, box.bottom + more, side, 1), _at_share(x, box.top - more, side, -1)]
        spots += [_beside(box.right + more, y, 1), _beside(box.left - more, y, -1)]
    return spots


def _beside(x: int, y: int, way: int) -> Spot:
    """The spot to the right (1) or left (-1) of a point."""
    return lambda wide, tall: around(x + way * (wide // 2), y, wide, tall)


def _at_share(x: int, y: int, side: float, down: int) -> Spot:
    """The spot below (1) or above (-1) a height, moved aside by a share of its width."""
    return lambda wide, tall: around(x + round(side * wide), y + down * (tall // 2), wide, tall)
