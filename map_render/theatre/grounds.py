"""Places: bases and settled hexes are ground with a sign on it, planets a disc with their owner's letter."""

from PIL import ImageChops

from map_render.drawing import shapes, text
from map_render.drawing.cache import kept
from map_render.drawing.palette import FULL, covered, index, mapped, ramp
from map_render.drawing.planets import planet
from map_render.drawing.scene import OwnerLook
from map_render.drawing.shapes import Pen
from map_render.drawing.sprites import Sprite, SpriteMaker, label
from map_render.drawing.theme import Icon
from map_render.theatre.courses import Drawn
from map_render.theatre.frame import Frame, Point
from map_render.theatre.pieces import Site
from map_render.theatre.placing.room import NAME, PLACE, Rect, Room
from rules_engine.core.basics.base import HexId

_PLANET = {"minor": 31, "major": 38, "capital": 44}


def reach_of(place: Site, frame: Frame) -> int:
    """Pixels from the middle of a place's sign to its edge."""
    if place.planet:
        r = min(frame.px(_PLANET[place.planet]), round(0.5 * frame.size))
        return round(r * (1.6 if place.planet == "capital" else 1.1))
    return round(0.86 * _base_r(frame))


def _base_r(frame: Frame) -> int:
    return min(round(0.94 * frame.size), frame.px(66))


def sign_of(place: Site, frame: Frame, own: bool) -> Sprite:
    """A place's sign, anchored at its middle."""
    look = place.look
    ink = look.ink if look else "quiet"
    if place.planet:
        r = min(frame.px(_PLANET[place.planet]), round(0.5 * frame.size))
        return planet(place.planet, ink, look.emblem if look and look.key else "", r)
    return _base(place.icon, ink, frame, own)


@kept(128)
def _base(icon: Icon, ink: str, frame: Frame, own: bool) -> Sprite:
    r = _base_r(frame)
    share = r / frame.size
    corners = tuple((round(x * share), round(y * share)) for x, y in frame.corners)
    half = max(max(abs(x), abs(y)) for x, y in corners) + 5
    area, inner, sign = Pen(half, 1.0), Pen(half, 1.0), Pen(half, 0.38 * r)
    area.polygon(corners)
    thick = max(2.5, 0.1 * r)
    inner.polygon([(x * (1 - thick / (0.87 * r)), y * (1 - thick / (0.87 * r))) for x, y in corners])
    shapes.ICONS[icon](sign)
    rim = shapes.cut(area.mask(), inner.mask())
    if not own:
        rim = ImageChops.multiply(rim, shapes.dashes(half))
    maker = SpriteMaker((2 * half, 2 * half))
    maker.case(area.mask())
    maker.image.paste(index(ink, 4), mask=maker.mask)
    for mask in (rim, sign.mask()):
        maker.image.paste(mapped(mask, ramp(ink, FULL, 4)), mask=covered(mask))
    return maker.sprite(-half, -half)


def sign_box(place: Site, frame: Frame) -> Rect:
    """The box around a place's sign."""
    x, y = frame.centres[place.hex]
    reach = reach_of(place, frame) if place.planet else round(0.5 * _base_r(frame))
    return Rect(x - reach, y - reach, x + reach, y + reach)


def name_reach(place: Site, frame: Frame) -> int:
    """Pixels from the middle of a place's sign to where its name may begin."""
    return reach_of(place, frame) if place.planet else round(0.9 * _base_r(frame))


def take_places(places: tuple[Site, ...], frame: Frame, room: Room) -> None:
    """Note where the signs of places are."""
    for place in places:
        room.take(sign_box(place, frame), PLACE, place.hex)


# --- owners' names ----------------------------------------------------------------------------------------------------


def _neighbours(frame: Frame) -> list[Point]:
    """From the middle of a hex to those of its six neighbours."""
    ends = zip(frame.corners, (*frame.corners[1:], frame.corners[0]), strict=True)
    return [(x + to_x, y + to_y) for (x, y), (to_x, to_y) in ends]


@kept(64)
def _owner_spots(hexes: tuple[HexId, ...], wide: int, frame: Frame) -> tuple[Point, ...]:
    """Where the middle of an owner's name may lie in its space, the best first."""
    mine = [frame.centres[name] for name in hexes if name in frame.centres]
    its = set(mine)
    around = _neighbours(frame)
    inner = [at for at in mine if all((at[0] + x, at[1] + y) in its for x, y in around)]
    mine = inner or mine
    left, right = min(x for x, _ in mine) - frame.size, max(x for x, _ in mine) + frame.size
    spots: list[tuple[float, Point]] = []
    middle_x = (left + right) / 2
    half = frame.size // 2
    for x, y in mine:
        tries = ((x, y), (x + half, y + half), (x - half, y + half))
        fitting = [at for at in tries if left <= at[0] - wide // 2 and at[0] + wide // 2 <= right]
        spots += [(abs(at[0] - middle_x), at) for at in fitting]
    return tuple(at for _, at in sorted(spots, key=lambda spot: (spot[1][1], spot[0])))


def owner_name_at(look: OwnerLook, hexes: list[str], frame: Frame, room: Room) -> Drawn | None:
    """The name of an owner once in large letters in its space, where nothing is."""
    words = look.name.upper()[:14]
    size = frame.px(64)
    wide, high = text.width(words, size, heavy=True), round(0.74 * size)
    if len(hexes) < 8:
        return None
    for x, y in _owner_spots(tuple(hexes), wide, frame):
        box = Rect(x - wide // 2 - 6, y - high // 2 - 6, x + wide // 2 + 6, y + high // 2 + 6)
        if box.within(frame.field) and room.is_free(box):
            room.take(box, NAME)
            return Drawn(label(words, size, look.ink, heavy=True, casing=frame.px(8)), x, y - text.capital_middle(size))
    return None
