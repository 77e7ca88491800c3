"""The picture of a crop, drawn by its plan."""

from typing import NamedTuple

from PIL import Image, ImageDraw

from map_render.crop import bands
from map_render.crop.frame import SMALLEST_HEX, WIDTH, hex_size, make_frame
from map_render.crop.ground import crop_ground, ground_of, ring
from map_render.crop.placing.blocks import UNDER, PlacedSign
from map_render.crop.placing.counters import BURST
from map_render.crop.placing.lettering import TextLine, write
from map_render.crop.placing.plan import CropPlan
from map_render.crop.placing.planning import plan_of
from map_render.crop.placing.posts import LEAD, PIN, SIZE, Signpost
from map_render.crop.signs import NEWS, arrow, contact_look, plate_look
from map_render.crop.stands import places_of, stands_of
from map_render.drawing import text
from map_render.drawing.contacts import contact
from map_render.drawing.palette import CALLOUT, MARGIN, RIM
from map_render.drawing.plates import PlateLook, pin, plate
from map_render.drawing.sprites import Stroke, burst, icon, label, stamp, stroke
from map_render.drawing.theme import Theme
from map_render.map.scene import Scene
from map_render.map.taken import Box
from rules_engine.core.basics.base import HexId
from rules_engine.core.knowledge.glance import News

HEIGHT = 1000
"""Pixels that a crop with its bands is high."""

CARD_HEIGHT = 752
"""The same without bands, as cards hold it."""


def focus_of(scene: Scene, place: int | None, area: tuple[HexId, ...]) -> tuple[HexId, ...]:
    """The hexes that a crop is about: those of a numbered place, counted from 1, or an area.

    Raises:
        ValueError: unless exactly one of both is given, and for a number that the board has not; (UnknownHex) for an
            area with hexes that are not on the map.
    """
    if (place is None) == (not area):
        raise ValueError("a crop is of a numbered place or of an area")
    grid = scene.board.grid
    if place is None:
        for name in area:
            grid.center(name)
        return tuple(sorted(set(area)))
    if not 1 <= place <= len(scene.board.news):
        raise ValueError(f"there is no place number {place}")
    found = tuple(name for name in scene.board.news[place - 1].hexes if name in grid)
    if not found:
        raise ValueError(f"place number {place} is not on the map")
    return found


def is_too_wide(scene: Scene, focus: tuple[HexId, ...]) -> bool:
    """Whether some hexes lie so far apart that counters would be too small on a crop."""
    return hex_size(scene.board.grid, focus, WIDTH, HEIGHT - bands.HEADER) < SMALLEST_HEX


class _Subject(NamedTuple):
    """What a crop is about."""

    scene: Scene
    focus: tuple[HexId, ...]
    theme: Theme
    news: News | None

    def plan(self, height: int) -> CropPlan:
        """Where everything stands on a picture of that height."""
        scene, theme = self.scene, self.theme
        there = (stands_of(scene, theme), places_of(scene, theme))
        frame = make_frame(scene.board.grid, self.focus, WIDTH, height)
        return plan_of(scene, frame, there, theme, self.title, news=self.news is not None)

    @property
    def title(self) -> str:
        """What it is called."""
        return self.news.title if self.news else area_title(self.scene, self.focus, self.theme)


def draw_crop(
    scene: Scene, focus: tuple[HexId, ...], theme: Theme, news: News | None, *, bare: bool = False
) -> Image.Image:
    """The picture around some hexes, in palette numbers: about a numbered place, or (None) about an area.

    ``bare`` leaves out header and facts.
    """
    subject = _Subject(scene, focus, theme, news)
    if bare:
        return _map(scene, subject.plan(CARD_HEIGHT), theme)
    facts = bands.facts_of(said_of(news))
    plan = subject.plan(HEIGHT - bands.HEADER - facts.height)
    if plan.unplaced:
        facts = bands.facts_of(said_of(news), (f"Also at {'; '.join(plan.unplaced)}",))
        plan = subject.plan(HEIGHT - bands.HEADER - facts.height)
    picture = Image.new("L", (WIDTH, HEIGHT), MARGIN)
    picture.paste(_map(scene, plan, theme), (0, bands.HEADER))
    bands.draw_header(picture, scene.board.news.index(news) + 1 if news else 0, subject.title, subtitle_of(scene))
    bands.draw_inset(picture, scene, plan.frame)
    bands.draw_facts(picture, HEIGHT - facts.height, facts)
    return picture


def said_of(news: News | None) -> tuple[str, ...]:
    """The facts below a numbered place, without the place's own name before a colon: it stands above."""
    if news is None:
        return ()
    head, _, tail = news.fact.partition(": ")
    fact = tail[:1].upper() + tail[1:] if tail and head in news.title else news.fact
    return tuple(one for one in (fact, news.choice) if one)


def area_title(scene: Scene, focus: tuple[HexId, ...], theme: Theme) -> str:
    """What an area is called: after a place in it, or by its hexes."""
    places = places_of(scene, theme)
    named = next((places[name] for name in focus if name in places and places[name].name), None)
    if named:
        return f"{named.name} {named.hex}"
    return focus[0] if len(focus) == 1 else f"{min(focus)} to {max(focus)}"


def subtitle_of(scene: Scene) -> str:
    """Turn, step and whose picture it is."""
    board, header = scene.board, scene.board.header
    step = header.steps[header.step].lower() if header.step is not None and header.step < len(header.steps) else ""
    turn = header.turn or f"Turn {board.when.turn}"
    whose = {"side": board.name_of(scene.own), "public": "public", "everything": "everything"}[scene.audience]
    step = f"impulse {step}" if step.isdigit() else {"plan": "planning"}.get(step, step)
    return " · ".join(part for part in (turn, step, whose) if part)


# --- the map ----------------------------------------------------------------------------------------------------------


def _map(scene: Scene, plan: CropPlan, theme: Theme) -> Image.Image:
    frame, places = plan.frame, places_of(scene, theme)
    ground = ground_of(scene, {name: place.look.key if place.look else "" for name, place in places.items()})
    extent = (frame.bounds.right, frame.bounds.bottom)
    picture = crop_ground(scene.board.grid, ground, frame.focus, extent, theme).copy()
    sprite = ring(frame.corners, max(6, frame.px(0.065)), NEWS)
    for name in plan.rings:
        stamp(picture, sprite, *frame.centres[name])
    _draw_ways(picture, plan)
    for mark in plan.marks:
        ink = mark.place.look.ink if mark.place.look else "world"
        stamp(picture, icon(mark.place.icon, ink, mark.r), mark.x, mark.y)
    for box, code, ink in plan.ghosts:
        stamp(picture, plate(PlateLook(code, "", ink, box.bottom - box.top, hollow=True)), *_middle(box))
    for name in sorted(plan.blocks):
        for cell in plan.blocks[name].cells:
            _draw_cell(picture, cell, theme, under=plan.blocks[name].under)
    for x, y in plan.bursts:
        stamp(picture, burst(BURST * 4 // 5, True), x, y)
    for one in plan.labels:
        write(picture, one.lines, one.box, one.align)
    for post in plan.posts:
        _draw_post(picture, post)
    return picture


def _middle(box: Box) -> tuple[int, int]:
    return (box.left + box.right) // 2, (box.top + box.bottom) // 2


def _draw_ways(picture: Image.Image, plan: CropPlan) -> None:
    for part in (0, 1):
        for leg in plan.legs:
            stamp(picture, stroke(leg.stroke, leg.ink, leg.fade)[part], leg.x, leg.y)
        for tick in plan.ticks:
            dx, dy = round(-tick.dy * 18), round(tick.dx * 18)
            bar = Stroke(2 * dx, 2 * dy, 8.0)
            stamp(picture, stroke(bar, tick.ink)[part], tick.x - dx, tick.y - dy)


def _draw_cell(picture: Image.Image, cell: PlacedSign, theme: Theme, *, under: bool) -> None:
    sign, box = cell.sign, cell.box
    x, y = (box.left + box.right) // 2, box.top + cell.size // 2
    if sign.is_plate:
        stamp(picture, plate(plate_look(sign, cell.size, theme)), x, y)
        return
    stamp(picture, contact(contact_look(sign, cell.size, theme)), x, y)
    if under:
        line = TextLine(sign.code, UNDER, heavy=True, fade=12 if sign.is_dim else 15)
        write(picture, (line,), Box(box.left - 60, box.top + cell.size + 2, box.right + 60, box.bottom))


def _draw_post(picture: Image.Image, post: Signpost) -> None:
    box = post.box
    ImageDraw.Draw(picture).rounded_rectangle(box, 12, CALLOUT, RIM, 3)
    x, y = box.left + 30, (box.top + box.bottom) // 2
    stamp(picture, arrow(*post.arrow, 14, post.ink), x, y)
    left = box.left + LEAD
    if post.number:
        stamp(picture, pin(post.number, PIN), left + PIN, y)
        left += 2 * PIN + 8
    sprite = label(post.words, SIZE, casing=0)
    stamp(picture, sprite, left + text.width(post.words, SIZE) // 2, y - text.capital_middle(SIZE))
