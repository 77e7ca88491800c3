"""The signs of a battle's pictures: chips with codes, emblems, pins, ships in their rings, bars and the burst."""

from collections.abc import Sequence
from math import cos, hypot, pi, sin
from typing import NamedTuple

from map_render.battle.page import Brush, Page
from map_render.drawing import plates, text
from map_render.drawing.palette import side_ink
from map_render.drawing.shapes import FOE_SHAPES, MIDDLE, CounterShape, Pen, draw_shape
from map_render.drawing.sprites import burst, stamp
from rules_engine.core.basics.base import Party, Side
from rules_engine.core.knowledge.battle_scene import BattleForce, BattleScene

CHIP = 46
"""The height of a chip."""


class Look(NamedTuple):
    """How a side is drawn: its ink, its letter, whether it has plates, and its shape where it has none."""

    ink: str
    emblem: str
    plate: bool
    shape: CounterShape


def looks_of(scene: BattleScene) -> dict[Side, Look]:
    """How the parties are drawn. The force with the side that comes first in the campaign's order has the plates; the
    others have the shapes that they have on that side's map."""
    return looks_among(scene.parties, [force.sides for force in scene.forces])


def looks_among(parties: Sequence[Party], forces: Sequence[Sequence[Side]]) -> dict[Side, Look]:
    """The same of parties that fight in these forces."""
    seats = {party.label.key: party.seat for party in parties}
    home = min(forces, key=lambda force: min(seats[side] for side in force))
    first = min(seats[side] for side in home)
    return {
        party.label.key: Look(
            side_ink(party.seat),
            text.plain(party.label.emblem)[:2],
            party.label.key in home,
            FOE_SHAPES[(party.seat - (party.seat > first)) % len(FOE_SHAPES)],
        )
        for party in parties
    }


def first_look(looks: dict[Side, Look], force: BattleForce) -> Look:
    """How a force is drawn where it has one colour: as its first side."""
    return looks[force.sides[0]]


# --- chips, emblems, pins ---------------------------------------------------------------------------------------------


def chip_width(code: str, high: int = CHIP) -> int:
    """How wide a chip with a code is, whichever shape it has."""
    return max(round(high * 1.72), text.width(code, _chip_size(high), heavy=True) + round(high * 0.9))


def _chip_size(high: int) -> int:
    return round(high * 0.62)


def chip(page: Page, code: str, look: Look, at: tuple[float, float], high: int = CHIP) -> None:
    """A code in a chip whose left middle is ``at``: a plate, or a pointed one."""
    (x, y), wide = at, chip_width(code, high)
    inset = 0 if not look.plate else round(high * 0.14)
    left, right = x + inset, x + wide - inset
    top, low = y - high / 2, y + high / 2
    box = (left, top, right, low)
    if look.plate:
        page.clear(_wider(box, 3), lambda brush: brush.box(_wider(box, 3), 8))
        page.lay(box, lambda brush: brush.box((left, top + 2, right, low - 2), 6), look.ink)
        page.words_on(code, (left + right) / 2, y, _chip_size(high), look.ink)
        return
    tip = high * 0.36

    def pointed(brush: Brush, grow: float, fill: int) -> None:
        tall = high / 2 - 2 + grow
        middle = (left + right) / 2
        out, flat = (right - left) / 2 - 1 + grow * 1.2, (right - left) / 2 - 1 - tip + grow * 0.5
        points = [(-out, 0.0), (-flat, -tall), (flat, -tall), (out, 0.0), (flat, tall), (-flat, tall)]
        brush.polygon([(middle + px, y + py) for px, py in points], fill)

    def rim(brush: Brush) -> None:
        pointed(brush, 0, 255)
        pointed(brush, -4.5, 0)

    page.clear(_wider(box, 4), lambda brush: pointed(brush, 3, 255))
    page.lay(_wider(box, 2), rim, look.ink)
    page.words(code, (left + right) / 2, y, _chip_size(high), look.ink, heavy=True, align="middle")


def _wider(box: tuple[float, float, float, float], by: float) -> tuple[float, float, float, float]:
    return (box[0] - by, box[1] - by, box[2] + by, box[3] + by)


def emblem(page: Page, look: Look, x: float, y: float) -> None:
    """The letter of a side on its shape, around (x, y)."""
    if look.plate:
        box = (x - 30, y - 30, x + 30, y + 30)
        page.lay(box, lambda brush: brush.box(box, 10), look.ink)
        page.words_on(look.emblem, x, y, 44 if len(look.emblem) == 1 else 34, look.ink)
        return
    r = 34
    pen = Pen(40, r)
    draw_shape(pen, look.shape)
    page.stamp_mask(pen.mask(), round(x) - 40, round(y) - 40, look.ink)
    size = 30 if len(look.emblem) == 1 else 24
    page.words_on(look.emblem, x, y + MIDDLE.get(look.shape, 0.0) * r, size, look.ink)


def pin(page: Page, number: int, x: float, y: float, r: int = 22) -> None:
    """A numbered pin around (x, y)."""
    stamp(page.picture, plates.pin(number, r), round(x), round(y))


def battle_burst(page: Page, x: int, y: int) -> None:
    """The sign of a battle that is to be fought."""
    stamp(page.picture, burst(46, ringed=True), x, y)


def bar(page: Page, box: tuple[float, float, float, float], share: float, ink: str) -> None:
    """A bar in quarters, full as far as ``share``, 0 to 1, goes; the rest is a faint trough."""
    left, top, right, low = box
    page.lay(box, lambda brush: brush.box(box, 4), "quiet", 4)
    end = left + (right - left) * min(1.0, max(0.0, share))
    if end > left:
        page.lay(box, lambda brush: brush.box((left, top, end, low), 4), ink)
    for quarter in (1, 2, 3):
        x = left + (right - left) * quarter / 4
        page.clear(box, lambda brush, x=x: brush.box((x - 1.5, top, x + 1.5, low)))


# --- ships ------------------------------------------------------------------------------------------------------------

_DART = ((1.0, 0.0), (-0.75, -0.72), (-0.3, 0.0), (-0.75, 0.72))
_KITE = ((1.05, 0.0), (-0.8, -0.74), (-0.45, 0.0), (-0.8, 0.74))
_HOLE = ((0.36, 0.0), (0.0, -0.27), (-0.28, 0.0), (0.0, 0.27))


def ship(page: Page, look: Look, at: tuple[float, float], r: float, turn: float = 0.0) -> None:
    """A ship within its ring of six shields, facing ``turn`` degrees clockwise from the right."""
    (x, y), thick = at, r * 0.15
    box = (x - r - 4, y - r - 4, x + r + 4, y + r + 4)

    def turned(points: tuple[tuple[float, float], ...]) -> list[tuple[float, float]]:
        c, s, size = cos(turn * pi / 180), sin(turn * pi / 180), r * 0.64
        return [(x + (px * c - py * s) * size, y + (px * s + py * c) * size) for px, py in points]

    def ring(brush: Brush) -> None:
        for side in range(6):
            middle = turn + 60 * side
            brush.arc(x, y, r - thick / 2, thick, (middle - 25, middle + 25))
        brush.polygon(turned(_DART if look.plate else _KITE))
        if not look.plate:
            brush.polygon(turned(_HOLE), 0)

    page.clear(box, lambda brush: brush.disc(x, y, r + 3))
    page.lay(box, ring, look.ink)


def arrow(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """A line with a head at its end."""
    length = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    neck = (end[0] - ux * 24, end[1] - uy * 24)
    head = [end, (neck[0] - uy * 14, neck[1] + ux * 14), (neck[0] + uy * 14, neck[1] - ux * 14)]
    xs, ys = [start[0], *(point[0] for point in head)], [start[1], *(point[1] for point in head)]
    box = (min(xs) - 4, min(ys) - 4, max(xs) + 4, max(ys) + 4)

    def paint(brush: Brush) -> None:
        brush.line([start, neck], 4)
        brush.polygon(head)

    page.lay(box, paint, "text")
