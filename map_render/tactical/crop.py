"""A part of a battle flown by vectors, large enough for a phone: around a ship, a hex, or a numbered place; and the
whole of it as a card holds it."""

from dataclasses import dataclass
from functools import cached_property

from PIL import Image

from map_render.crop import bands as crop_bands
from map_render.crop.frame import WIDTH
from map_render.crop.picture import CARD_HEIGHT, HEIGHT
from map_render.drawing.image import ALT_LIMIT
from map_render.drawing.palette import MARGIN
from map_render.drawing.scene import Scene
from map_render.drawing.theme import Theme
from map_render.sections import Section, fitted
from map_render.tactical.picture import draw_tactical
from map_render.tactical.plan import TacticalSizes
from map_render.tactical.planning import plan_tactical
from map_render.tactical.sheet import Shown, TacticalSheet, fitted_sheet, sheet_for
from map_render.tactical_words import (
    flies_words,
    long_line,
    opening_words,
    plot_line,
    short_line,
    waits_words,
)
from map_render.theatre.placing.room import Rect
from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.space import hexes_between
from rules_engine.core.grids.unbounded import Space, way_said
from rules_engine.core.knowledge.glance import News
from rules_engine.core.knowledge.tactical_scene import TacticalScene, TacticalUnit

REACH = 6
"""Hexes around its place that a crop shows, at the least."""
_SMALLEST = 26
_SIZES = (
    (5, TacticalSizes(r=52, chip=60, vector=44, ghost=34, arrow=13, ghosts=2, posts=6, compass=62, pin=26)),
    (10, TacticalSizes(r=42, chip=50, vector=36, ghost=28, arrow=11, ghosts=2, posts=4, compass=62, pin=26)),
    (999, TacticalSizes(r=34, chip=42, vector=30, ghost=22, arrow=9, ghosts=1, posts=3, compass=54, pin=24)),
)
"""By how many units there are at most on a crop."""
_CARDS = (
    (6, TacticalSizes(r=40, chip=50, vector=36, ghost=26, arrow=11, ghosts=1, posts=4, compass=62, pin=28)),
    (999, TacticalSizes(r=30, chip=40, vector=0, ghost=20, arrow=9, ghosts=1, posts=3, compass=54, pin=26)),
)
"""The same on a card, which is read still smaller: of many units the codes alone."""


@dataclass(frozen=True)
class TacticalSubject:
    """What a crop is about: some hexes of a scene, and the number of their pin with what is new there (0 and None: they
    are an area)."""

    scene: TacticalScene
    focus: tuple[HexId, ...]
    theme: Theme
    number: int = 0
    news: News | None = None

    @cached_property
    def units(self) -> tuple[TacticalUnit, ...]:
        """The units in these hexes."""
        return tuple(one for one in self.scene.units if one.hex in self.focus)

    @property
    def title(self) -> str:
        """What it is called."""
        if self.news is not None:
            return self.news.title
        if len(self.units) == 1:
            return f"{self.units[0].code}, {self.units[0].name}".strip(", ")
        return f"Hex {self.focus[0]}" if len(self.focus) == 1 else f"{self.focus[0]} to {self.focus[-1]}"

    @property
    def facts(self) -> tuple[str, ...]:
        """What happened; of a single unit how it flies, and what it waits for."""
        if self.news is not None:
            return tuple(one for one in (self.news.fact, self.news.choice) if one)
        if len(self.units) != 1:
            return ()
        return tuple(one for one in (flies_words(self.units[0]), waits_words(self.units[0])) if one)

    def sheet(self, field: Rect) -> TacticalSheet | None:
        """The part of the sheet that it shows; None if that is too wide for a crop."""
        around = {one for name in self.focus for one in Space(hexes=()).within(name, REACH)}
        found = fitted_sheet([Shown(one, 0) for one in sorted(around)], field)
        return found if found is not None and found.row >= _SMALLEST else None


def tactical_subject(scene: Scene, place: int | None, area: tuple[HexId, ...], theme: Theme) -> TacticalSubject:
    """What a crop of a board is about: a numbered place, counted from 1, or an area.

    Raises:
        ValueError: unless exactly one of both is given, and for a number that the board has not; (UnknownPlace) for
            what is no hex; (TypeError) on a board without a tactical scene.
    """
    board, tactical = scene.board, scene.tactical
    if tactical is None:
        raise TypeError("this board has no tactical scene")
    if (place is None) == (not area):
        raise ValueError("a crop is of a numbered place or of an area")
    if place is None:
        for name in area:
            board.places.neighbours(name)
        return TacticalSubject(tactical, tuple(dict.fromkeys(area)), theme)
    if not 1 <= place <= len(board.news):
        raise ValueError(f"there is no place number {place}")
    news = board.news[place - 1]
    return TacticalSubject(tactical, news.hexes, theme, place, news)


def tactical_crop_words(subject: TacticalSubject) -> str:
    """A crop in words: what it is about, and how far each unit is from there, the nearest first."""
    scene, here = subject.scene, subject.focus[0]
    ways = sorted((hexes_between(here, one.hex), one.code, one) for one in scene.units if one not in subject.units)
    near = tuple(f"{short_line(one)}, {far} away: {way_said(here, one.hex) or 'same hex'}" for far, _, one in ways)
    sections = [Section("There", tuple(map(long_line, subject.units))), Section("Around", near)]
    sections.append(Section("Plots", tuple(map(plot_line, scene.plots))))
    opening = f"{subject.title}. {'. '.join(subject.facts)}. {opening_words(scene)}.".replace(". .", ".")
    return fitted(opening, [one for one in sections if one.items], ALT_LIMIT)


def is_wide_tactical(subject: TacticalSubject) -> bool:
    """Whether an area is too wide for a crop."""
    return subject.sheet(Rect(0, 0, WIDTH, CARD_HEIGHT)) is None


def draw_tactical_crop(subject: TacticalSubject, *, bare: bool = False) -> Image.Image:
    """The picture of a subject, in palette numbers. ``bare`` leaves out header and facts."""
    facts = crop_bands.facts_of(subject.facts)
    top, high = (0, CARD_HEIGHT) if bare else (crop_bands.HEADER, HEIGHT)
    low = high if bare else HEIGHT - facts.height
    field = Rect(0, top, WIDTH, low)
    sheet = subject.sheet(field)
    count = sum(sheet is None or sheet.has(one.hex) for one in subject.scene.units)
    sizes = next(sizes for most, sizes in _SIZES if count <= most)
    plan = plan_tactical(subject.scene, lambda r: sheet or sheet_for(subject.scene, field, r), sizes, subject.focus)
    picture = draw_tactical(plan, subject.theme, (WIDTH, high))
    if not bare:
        crop_bands.draw_header(picture, subject.number, subject.title, when_said(subject.scene))
        picture.paste(MARGIN, (0, low, WIDTH, high))
        crop_bands.draw_facts(picture, low, facts.height, facts)
    return picture


def draw_tactical_card(scene: TacticalScene, theme: Theme, afar: tuple[HexId, ...] = ()) -> Image.Image:
    """The whole of a scene as a card holds it, in palette numbers: without bands."""
    field = Rect(0, 0, WIDTH, CARD_HEIGHT)
    sizes = next(sizes for most, sizes in _CARDS if len(scene.units) <= most)
    plan = plan_tactical(scene, lambda r: sheet_for(scene, field, r), sizes, afar)
    return draw_tactical(plan, theme, (WIDTH, CARD_HEIGHT))


def when_said(scene: TacticalScene) -> str:
    """When it is, in a few words."""
    if not scene.turn:
        return "set-up"
    return f"turn {scene.turn}, impulse {scene.impulse}" if scene.impulse else f"turn {scene.turn} begins"
