"""The drawing of where a battle's forces start: the first force left, the second right, the distance between them.

Nothing in it is to scale but what the distance says: it shows who is placed in which step, and on which side of what.
"""

from collections.abc import Sequence
from math import cos, hypot, pi, sin, sqrt

from PIL import Image, ImageChops, ImageDraw

from map_render.battle.page import Brush, Page
from map_render.battle.placing import (
    CENTRE,
    DISTANCE,
    FEATURE,
    HIGH,
    LARGE,
    LEFT,
    MIDDLE_X,
    MORE,
    PIN,
    RIGHT,
    ShipPlace,
    distance_box,
    far_x,
    feature_box,
    label_box,
    pin_point,
    reach_of,
    said_feature,
    said_more,
    set_out,
)
from map_render.battle.signs import Look, arrow, chip, chip_width, pin, ship
from map_render.drawing import text
from map_render.drawing.cache import kept
from map_render.drawing.palette import index
from map_render.drawing.shapes import OVER
from rules_engine.core.basics.base import Side
from rules_engine.core.knowledge.battle_scene import BattleStart

_HEX = 60


def draw_field(page: Page, start: BattleStart, looks: dict[Side, Look], inks: tuple[str, str], top: int) -> int:
    """Draw the start from ``top`` downwards; ``inks`` are those of both forces. Returns where it ends."""
    box = (LEFT, top, RIGHT, top + HIGH)
    middle = top + HIGH / 2
    around = start.ground == "around"
    places = set_out(start, looks, top)
    reach = far_x(start) - MIDDLE_X
    if around:
        page.ground(box, index(inks[0], 2), 20)
    else:
        _grounds(page, box, inks, reach, middle)
    _hexes(page, top)
    if not around:
        _arc(page, box, inks[0], reach, middle)
    _feature(page, start, box, middle)
    if around:
        _spokes(page, start, places, middle)
    else:
        _measure(page, start, middle)
    for place in places:
        _put(page, place)
    page.lay(box, lambda brush: brush.frame(box, 20, 4), "quiet", 9)
    return top + HIGH


# --- the ground -------------------------------------------------------------------------------------------------------


def _grounds(
    page: Page, box: tuple[float, float, float, float], inks: tuple[str, str], reach: float, middle: float
) -> None:
    page.ground(box, index(inks[1], 2), 20)

    def within(brush: Brush) -> None:
        brush.disc(MIDDLE_X, middle, reach)

    page.lay(box, lambda brush: brush.box(box, 20), inks[0], 2, within=within)


def _hexes(page: Page, top: int) -> None:
    """A faint grid that says: hexes."""
    page.stamp_mask(_hex_mask(), LEFT, top, "quiet", 4)


@kept(1)
def _hex_mask() -> Image.Image:
    """Coverage of the grid within the drawing's frame. Do not change what is returned."""
    wide, high = round(RIGHT - LEFT), HIGH
    lines, room = Image.new("L", (wide * OVER, high * OVER), 0), Image.new("L", (wide * OVER, high * OVER), 0)
    brush = Brush(ImageDraw.Draw(lines), 0, 0)
    Brush(ImageDraw.Draw(room), 0, 0).box((3, 3, wide - 3, high - 3), 18)
    across, down = _HEX * 0.75, _HEX * sqrt(3) / 2
    for column in range(-1, round(wide / across) + 2):
        for row in range(-1, round(high / down) + 2):
            x, y = 6 + column * across, row * down + (down / 2 if column % 2 else 0)
            brush.line([(x + _HEX / 2 * cos(pi * n / 3), y + _HEX / 2 * sin(pi * n / 3)) for n in range(4)], 1.4)
    return ImageChops.multiply(lines.reduce(OVER), room.reduce(OVER))


def _arc(page: Page, box: tuple[float, float, float, float], ink: str, reach: float, middle: float) -> None:
    """How near the second force may come, in dashes of the first one's colour."""

    def paint(brush: Brush) -> None:
        for dash in range(-30, 30):
            at = dash * 3.2
            brush.arc(MIDDLE_X, middle, reach, 6, (at, at + 1.8))

    page.lay(box, paint, ink, within=lambda brush: brush.box(box, 20))


def _feature(page: Page, start: BattleStart, box: tuple[float, float, float, float], middle: float) -> None:
    """A point that is defended, or the edge of something large, with its name."""
    left, top, _, low = box
    if start.ground == "point":

        def disc(brush: Brush) -> None:
            brush.disc(left + 96, middle, 66)
            brush.disc(left + 96, middle, 60, 0)

        page.clear(box, lambda brush: brush.disc(left + 96, middle, 66))
        page.lay(box, lambda brush: brush.disc(left + 96, middle, 62), "quiet", 4)
        page.lay(box, disc, "text")
    elif start.ground == "edge":

        def inside(brush: Brush) -> None:
            brush.disc(left - 420, middle, 560)

        def rim(brush: Brush) -> None:
            brush.arc(left - 420, middle, 557, 6, (-40, 40))

        rounded = (left + 2, top + 2, box[2], low - 2)
        page.lay(box, inside, "quiet", 5, within=lambda brush: brush.box(rounded, 18))
        page.lay(box, rim, "text", within=lambda brush: brush.box(rounded, 18))
    if (room := feature_box(start, top)) is not None:
        page.clear(room, lambda brush: brush.box(room, 8))
        page.words(said_feature(start), room[0] + 8, (room[1] + room[3]) / 2, FEATURE, heavy=True)


# --- the distance -----------------------------------------------------------------------------------------------------


def _measure(page: Page, start: BattleStart, middle: float) -> None:
    """The distance in a box, with an arrow to each side."""
    if start.distance:
        from_x, to_x = reach_of(start)
        x = (from_x + to_x) / 2
        arrow(page, (x, middle), (from_x, middle))
        arrow(page, (x, middle), (to_x, middle))
        _write_distance(page, start, middle)


def _write_distance(page: Page, start: BattleStart, middle: float) -> None:
    left, top, right, low = distance_box(start)
    box = (left, top + middle, right, low + middle)
    x, y = (left + right) / 2, (top + low) / 2 + middle
    page.clear(box, lambda brush: brush.box(box, 16))
    page.lay(box, lambda brush: brush.frame(box, 16, 4), "text")
    said = text.plain(start.distance)[:12]
    size = text.shrunk(said, 58, 30, DISTANCE[0] - 20)
    page.words(text.elide(said, size, DISTANCE[0] - 16, heavy=True), x, y - 13, size, heavy=True, align="middle")
    page.words(text.elide(text.plain(start.unit), 26, DISTANCE[0] - 20), x, y + 26, 26, align="middle")


def _spokes(page: Page, start: BattleStart, places: Sequence[ShipPlace], middle: float) -> None:
    """An arrow from each of the others to the middle, and the distance above."""
    crowd = LARGE + 14 if sum(place.x == CENTRE for place in places) == 1 else 170
    for place in (one for one in places if one.x != CENTRE):
        far = hypot(place.x - CENTRE, place.y - middle)
        ux, uy = (place.x - CENTRE) / far, (place.y - middle) / far
        near, reach = crowd, far - place.r - 8
        if reach > near + 30:
            begin = (CENTRE + ux * near, middle + uy * near)
            arrow(page, (CENTRE + ux * reach, middle + uy * reach), begin)
    if start.distance:
        _write_distance(page, start, middle)


# --- ships with their names -------------------------------------------------------------------------------------------


def _put(page: Page, place: ShipPlace) -> None:
    ship(page, place.look, (place.x, place.y), place.r, place.turn)
    box = label_box(place)
    if box is not None:
        left, y = box[0], (box[1] + box[3]) / 2
        chip(page, place.code, place.look, (left, y))
        if place.more:
            page.words(said_more(place), left + chip_width(place.code) + 6, y, MORE, place.look.ink, heavy=True)
    if place.step:
        pin(page, place.step, *pin_point(place), PIN)
