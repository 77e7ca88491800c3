"""What moves on a tactical picture: trails, vector arrows, the way that units coast, plots, and lines between units."""

from collections.abc import Sequence
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from PIL import Image

from map_render.drawing import text
from map_render.drawing.palette import FULL
from map_render.drawing.sprites import Stroke, arrow, label, stamp, strokes
from map_render.tactical.ground import dot_sprite
from map_render.tactical.looks import ghost_sprite
from map_render.tactical.plan import TacticalPlan, UnitPlace, place_of
from map_render.tactical.sheet import Point
from map_render.theatre.placing.room import Rect, span_in
from rules_engine.core.knowledge.tactical_scene import TacticalPlot

_EVENT = 9
_OVER = 20
"""Pixels that lines are drawn beyond the field: bands cover them."""


class DrawnPlan(NamedTuple):
    """A picture, and the plan that it is drawn by."""

    picture: Image.Image
    plan: TacticalPlan


class TacticalLine(NamedTuple):
    """How a line is drawn. ``cased`` is whether paper runs along it."""

    thick: float
    ink: str
    fade: int = FULL
    dashed: bool = False
    cased: bool = True


def draw_trail(on: DrawnPlan, place: UnitPlace) -> None:
    """Where a unit came from in the last turn: dots from hex to hex."""
    spots = [on.plan.sheet.at(name) for name in place.unit.trail]
    dot = dot_sprite(4, place.look.ink, 9)
    for point in _dotted(spots, 17):
        if Rect(point[0] - 4, point[1] - 4, point[0] + 4, point[1] + 4).within(on.plan.field):
            stamp(on.picture, dot, *point)


def _dotted(spots: Sequence[Point], apart: int) -> list[Point]:
    """Points along a way, so far apart."""
    found: list[Point] = []
    left = 0.0
    for (x, y), (to_x, to_y) in pairwise(spots):
        far = hypot(to_x - x, to_y - y)
        along = left
        while along < far:
            found.append((round(x + (to_x - x) * along / far), round(y + (to_y - y) * along / far)))
            along += apart
        left = along - far
    return found


def draw_drift(on: DrawnPlan, place: UnitPlace) -> None:
    """The thick arrow to where a unit coasts next, and dashes to where it coasts from there."""
    drifts = place.unit.drifts
    if not drifts or not place.unit.speed:
        return
    spots = [on.plan.sheet.at(drift.hex) for drift in drifts]
    for start, end in pairwise(spots):
        _line(on, (start, end), TacticalLine(4, place.look.ink, 11, dashed=True))
    start, end = place.hex_at if place.is_aside else place.at, spots[0]
    far = hypot(end[0] - start[0], end[1] - start[1])
    if not far:
        return
    ux, uy = (end[0] - start[0]) / far, (end[1] - start[1]) / far
    head = on.plan.sizes.arrow * 1.5
    begin = 0 if place.is_aside else place.r + 3
    if begin > far - head:
        # The arrow would hide under its own ring: its head alone tells where it drifts.
        reach = begin + head
        tip = (round(start[0] + ux * reach), round(start[1] + uy * reach))
    else:
        tip = (round(end[0] - ux * head * 0.6), round(end[1] - uy * head * 0.6))
        first = (round(start[0] + ux * begin), round(start[1] + uy * begin))
        _line(on, (first, tip), TacticalLine(on.plan.sizes.arrow, place.look.ink))
    stamp(on.picture, arrow(round(ux * 100), round(uy * 100), round(head), place.look.ink), *tip)


def draw_leader(on: DrawnPlan, place: UnitPlace) -> None:
    """From a unit that stands aside to its hex."""
    if place.is_aside:
        _line(on, (place.at, place.hex_at), TacticalLine(4, place.look.ink, 9))
        stamp(on.picture, dot_sprite(8, place.look.ink, FULL), *place.hex_at)


def draw_label_leaders(on: DrawnPlan) -> None:
    """From labels that stand far from their units to these."""
    inks = {place.unit.code: place.look.ink for place in on.plan.units}
    for one in on.plan.labels:
        if one.leader:
            _line(on, one.leader, TacticalLine(3, inks[one.code], 10))


def draw_ghosts(on: DrawnPlan) -> None:
    """Where units will be, hollow, with the numbers of the impulses."""
    for ghost in on.plan.ghosts:
        unit = ghost.unit
        stamp(on.picture, ghost_sprite(ghost.look, unit.form, unit.facing, on.plan.sizes.ghost), *ghost.at)
    for ghost in on.plan.ghosts:
        if ghost.number is not None:
            x, y = ghost.number.middle
            sprite = label(str(ghost.drift.impulse), 29, "quiet", heavy=True)
            stamp(on.picture, sprite, x, y - text.capital_middle(29))


def draw_between(on: DrawnPlan) -> None:
    """The line between the two nearest foes, and those of the numbered sentences."""
    if on.plan.range_ends is not None:
        dot = dot_sprite(4, "text", 12)
        for point in _dotted(on.plan.range_ends, 18):
            stamp(on.picture, dot, *point)
    for one in on.plan.pins:
        if one.ends:
            _line(on, (one.ends[0], one.ends[1]), TacticalLine(5, "news"))


# --- an own plot ------------------------------------------------------------------------------------------------------


def draw_plot(on: DrawnPlan, plot: TacticalPlot) -> None:
    """The course that is plotted for a unit: a line with a light core, a dot for each event, and a hull at its end."""
    place = place_of(on.plan, plot.code)
    if place is None or not plot.hexes:
        return
    spots = [on.plan.sheet.at(name) for name in plot.hexes]
    for thick, ink in ((13, place.look.ink), (5, "text")):
        for way in pairwise(spots):
            _line(on, way, TacticalLine(thick, ink, cased=ink != "text"))
    for name, _ in plot.events:
        stamp(on.picture, dot_sprite(_EVENT, "text", FULL), *on.plan.sheet.at(name))
    if spots[-1] != spots[0]:
        stamp(on.picture, ghost_sprite(place.look, place.unit.form, plot.facing, on.plan.sizes.ghost + 4), *spots[-1])


def _line(on: DrawnPlan, way: tuple[Point, Point], look: TacticalLine) -> None:
    """A straight line, as far as it lies in the field."""
    span = span_in(*way, on.plan.field.grown(_OVER))
    if span is None or way[0] == way[1]:
        return
    (x, y), (to_x, to_y) = way
    start, end = ((round(x + (to_x - x) * share), round(y + (to_y - y) * share)) for share in span)
    line = Stroke(end[0] - start[0], end[1] - start[1], look.thick, look.dashed)
    for sprite in strokes(((0, 0, line),), look.ink, look.fade)[0 if look.cased else 1 :]:
        stamp(on.picture, sprite, *start)
