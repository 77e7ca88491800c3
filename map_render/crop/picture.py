"""The picture of a crop, drawn by its plan."""

from dataclasses import dataclass
from functools import cached_property

from PIL import Image, ImageDraw

from map_render.crop import bands
from map_render.crop.box import Box
from map_render.crop.frame import BEYOND, FOR_CODES, SMALLEST_HEX, WIDTH, hex_size, make_frame
from map_render.crop.ground import crop_ground, draw_range, ground_of, ring
from map_render.crop.placing.blocks import UNDER, PlacedSign
from map_render.crop.placing.counters import BURST
from map_render.crop.placing.lettering import TextLine, write
from map_render.crop.placing.plan import CropPlan
from map_render.crop.placing.planning import plan_of
from map_render.crop.placing.posts import LEAD, PIN, SIZE, Signpost
from map_render.crop.signs import NEWS, contact_look, place_sprite, plate_look
from map_render.crop.stands import HexStand, PlaceSign, outlined, places_of, stands_of
from map_render.drawing import text
from map_render.drawing.contacts import contact
from map_render.drawing.palette import CALLOUT, MARGIN, RIM
from map_render.drawing.plates import PlateLook, pin, plate
from map_render.drawing.scene import Scene
from map_render.drawing.sprites import Stroke, arrow, burst, label, stamp, stroke
from map_render.drawing.theme import Theme
from rules_engine.core.basics.base import HexId
from rules_engine.core.knowledge.glance import News

HEIGHT = 1000
"""Pixels that a crop with its bands is high."""

_TRIES = 4

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


@dataclass(frozen=True)
class CropSubject:
    """What a crop is about: some hexes of a scene, and the number that their pin bears (0: none, they are an area).
    ``ranges`` are the kinds of ranges that are drawn."""

    scene: Scene
    focus: tuple[HexId, ...]
    theme: Theme
    number: int = 0
    ranges: tuple[str, ...] = ()

    @cached_property
    def stands(self) -> dict[HexId, HexStand]:
        """What stands in each hex of the map."""
        return stands_of(self.scene, self.theme)

    @cached_property
    def places(self) -> dict[HexId, PlaceSign]:
        """The places of the map."""
        return places_of(self.scene, self.theme)

    @property
    def news(self) -> News | None:
        """What is new there."""
        return self.scene.board.news[self.number - 1] if self.number else None

    @property
    def title(self) -> str:
        """What it is called; an area after a place in it, or by its hexes."""
        if self.news:
            return self.news.title
        named = next((self.places[one] for one in self.focus if one in self.places and self.places[one].name), None)
        if named:
            return f"{named.name} {named.hex}"
        return f"Hex {self.focus[0]}" if len(self.focus) == 1 else f"Hexes {min(self.focus)} to {max(self.focus)}"

    @property
    def facts(self) -> tuple[str, ...]:
        """What happened and what one may do, without the place's own name before a colon: it stands above."""
        if self.news is None:
            return ()
        head, _, tail = self.news.fact.partition(": ")
        fact = tail[:1].upper() + tail[1:] if tail and head in self.news.title else self.news.fact
        return tuple(one for one in (fact, self.news.choice) if one)

    def plan(self, height: int) -> CropPlan:
        """Where everything stands on a picture of that height."""
        coded = any(self.stands[name].shapes for name in self.focus if name in self.stands)
        frame = make_frame(self.scene.board.grid, self.focus, WIDTH, height, FOR_CODES if coded else BEYOND)
        there = (self.stands, self.places)
        return plan_of(self.scene, frame, there, self.theme, self.title, news=self.news is not None)


def draw_crop(subject: CropSubject, *, bare: bool = False) -> Image.Image:
    """The picture of a subject, in palette numbers. ``bare`` leaves out header and facts."""
    if bare:
        return _map(subject, subject.plan(CARD_HEIGHT))
    facts = bands.facts_of(subject.facts)
    plan, height = subject.plan(HEIGHT - bands.HEADER - facts.height), facts.height
    for _ in range(_TRIES):  # what found no place takes room below, which the map must give
        facts = bands.facts_of(subject.facts, (plan.rest(),))
        if facts.height <= height:
            break
        height = facts.height
        plan = subject.plan(HEIGHT - bands.HEADER - height)
    picture = Image.new("L", (WIDTH, HEIGHT), MARGIN)
    picture.paste(_map(subject, plan), (0, bands.HEADER))
    bands.draw_header(picture, subject.number, subject.title, subtitle_of(subject.scene))
    bands.draw_inset(picture, subject.scene, plan.frame)
    bands.draw_facts(picture, HEIGHT - height, height, facts)
    return picture


def subtitle_of(scene: Scene) -> str:
    """Turn, step and whose picture it is."""
    board, header = scene.board, scene.board.header
    step = header.steps[header.step].lower() if header.step is not None and header.step < len(header.steps) else ""
    turn = header.turn or f"Turn {board.when.turn}"
    whose = {"side": board.name_of(scene.own), "public": "public", "everything": "everything"}[scene.audience]
    step = f"impulse {step}" if step.isdigit() else {"plan": "planning"}.get(step, step)
    return " · ".join(part for part in (turn, step, whose) if part)


# --- the map ----------------------------------------------------------------------------------------------------------


def _map(subject: CropSubject, plan: CropPlan) -> Image.Image:
    frame, scene, theme = plan.frame, subject.scene, subject.theme
    ground = ground_of(scene, outlined(subject.places))
    extent = (frame.bounds.right, frame.bounds.bottom, frame.beside)
    picture = crop_ground(scene.board.grid, ground, frame.focus, extent, theme).copy()
    for kind in subject.ranges:
        reached = frozenset(name for one in scene.board.ranges if one.kind == kind for name in one.hexes)
        draw_range(picture, frame, reached, scene.look_of(scene.own).ink)
    sprite = ring(frame.corners, max(6, frame.px(0.065)), NEWS)
    for name in plan.rings:
        stamp(picture, sprite, *frame.centres[name])
    _draw_ways(picture, plan)
    for mark in plan.marks:
        stamp(picture, place_sprite(mark.place, mark.r), mark.x, mark.y)
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
