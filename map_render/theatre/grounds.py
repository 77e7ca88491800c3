"""Places: bases and settled hexes are ground with a sign on it, planets a disc with their owner's letter."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

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
from map_render.theatre.placing.room import COUNTER, EVERYTHING, LINE, NAME, PLACE, Rect, Room
from rules_engine.core.basics.base import HexId

LONGEST_NAME = 10
"""Letters to which a name is cut where it finds no room."""
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
    r = _base_r(frame)
    share = r / frame.size
    corners = tuple((round(x * share), round(y * share)) for x, y in frame.corners)
    return _base(place.icon, ink, corners, r, own=own)


@kept(128)
def _base(icon: Icon, ink: str, corners: tuple[Point, ...], r: int, *, own: bool) -> Sprite:
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


# --- names ------------------------------------------------------------------------------------------------------------


def place_names(places: Iterable[Site], frame: Frame, room: Room, *, farther: bool) -> dict[HexId, Drawn]:
    """The names of places by hex, each where it lies on nothing: below its hex, above it, or beside it, ``farther``
    also a little farther below; the most important first. What finds no room is cut to ten letters, then left out."""
    found: dict[HexId, Drawn] = {}
    for place in sorted(places, key=lambda one: (one.rank, one.hex)):
        drawn = _name(place, frame, room, farther=farther)
        if drawn:
            found[place.hex] = drawn
    return found


def _name(place: Site, frame: Frame, room: Room, *, farther: bool) -> Drawn | None:
    named = _with_owner(place, frame, room)
    if not named:
        return None
    size, edge = frame.px(46 if place.rank == 0 else 38), frame.px(8)
    high = round(0.74 * size)
    whole = f"{named} {place.figure}".strip()
    short = place.name if len(place.name) <= LONGEST_NAME else place.name[: LONGEST_NAME - 1].rstrip() + "…"
    tries = (
        (whole, EVERYTHING),
        (named, EVERYTHING),
        (whole, EVERYTHING & ~LINE),
        (short, EVERYTHING),
        (short, EVERYTHING & ~LINE),
    )
    under: dict[str, list[_Spot]] = {}
    for words, kinds in dict.fromkeys(tries):
        if len(words) > 26:
            continue
        if words not in under:
            across, down = text.width(words, size, heavy=True) // 2 + edge, high // 2 + edge
            spots = _spots(place, words, size, frame, farther=farther)
            looked = _looked_at(place, spots, (across, down), frame, room)
        else:
            looked = under[words]
        seen: list[_Spot] = []
        for spot in looked:
            if not spot.beneath & (LINE if kinds == EVERYTHING else PLACE):
                room.take(spot.box, NAME, place.hex)
                x, y = spot.middle
                return Drawn(label(words, size, heavy=True, casing=frame.px(7)), x, y - text.capital_middle(size))
            seen.append(spot)
        under[words] = seen
    return None


class _Spot(NamedTuple):
    """Where a name may stand: its middle, its box, and whether a line or the sign of its own place is beneath, as
    bits."""

    middle: Point
    box: Rect
    beneath: int


def _looked_at(place: Site, spots: list[Point], half: Point, frame: Frame, room: Room) -> Iterator[_Spot]:
    """Those of some spots for a name of half that width and height where nothing else lies beneath."""
    across, down = half
    first, top, last, bottom = frame.field
    xs, ys = [x for x, _ in spots], [y for _, y in spots]
    # All are near each other, so what is there is looked up once.
    near = list(room.at(Rect(min(xs) - across, min(ys) - down, max(xs) + across, max(ys) + down)))
    for x, y in spots:
        left, high, right, low = x - across, y - down, x + across, y + down
        if left < first or high < top or right > last or low > bottom:
            continue
        beneath = 0
        for (one_left, one_top, one_right, one_bottom), kind, of in near:
            if one_left < right and left < one_right and one_top < low and high < one_bottom:
                if kind != LINE and (kind != PLACE or of != place.hex):
                    break
                beneath |= kind
        else:
            yield _Spot((x, y), Rect(left, high, right, low), beneath)


def _with_owner(place: Site, frame: Frame, room: Room) -> str:
    """The name of a place; with its owner's letter, if a counter stands on the middle of the sign that tells whose it
    is."""
    if place.look is None or place.look.shape == "plate":
        return place.name
    box = _sign_box(place, frame)
    covered = not room.is_free(box.grown((box.left - box.right) // 3), COUNTER)
    return f"{place.name} ({place.look.emblem})".strip() if covered else place.name


def _sign_box(place: Site, frame: Frame) -> Rect:
    x, y = frame.centres[place.hex]
    reach = reach_of(place, frame) if place.planet else round(0.5 * _base_r(frame))
    return Rect(x - reach, y - reach, x + reach, y + reach)


def _spots(place: Site, words: str, size: int, frame: Frame, *, farther: bool) -> list[Point]:
    """Where the middle of a name's capitals may lie."""
    x, y = frame.centres[place.hex]
    reach = reach_of(place, frame) if place.planet else round(0.9 * _base_r(frame))
    far = reach + round(0.6 * size)
    half = text.width(words, size, heavy=True) // 2
    aside = reach + half + round(0.25 * size)
    slide = round(0.8 * frame.size)
    return [
        (x, y + far), (x, y - far), (x + slide, y + far), (x - slide, y + far), (x + aside, y), (x - aside, y),
        (x + slide, y - far), (x - slide, y - far), (x, y + far + size), (x, y - far - size),
        (x + 2 * slide, y + far), (x - 2 * slide, y + far), (x + aside, y + size // 2), (x - aside, y + size // 2),
        *((x + side * slide, y + far + size // 2) for side in (0, -1, 1, -2, 2) if farther),
    ]  # fmt: skip


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


def take_places(places: tuple[Site, ...], frame: Frame, room: Room) -> None:
    """Note where the signs of places are."""
    for place in places:
        room.take(_sign_box(place, frame), PLACE, place.hex)
