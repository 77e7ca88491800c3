"""Maps of views: one function for each kind of view, so that the type checker refuses the wrong one.

All are pure functions and may run in any number of threads at once.
"""

from PIL import Image

from map_render.beyond_words import beyond
from map_render.crop.card_picture import draw_card_map
from map_render.crop.picture import CropSubject, draw_crop, focus_of, is_too_wide
from map_render.crop.said import crop_words
from map_render.drawing.image import MapImage, coloured, encode
from map_render.drawing.scene import AnyView, Scene, part_of, scene_of
from map_render.drawing.theme import DEFAULT, Theme
from map_render.lanes.crop import LaneSubject, draw_lane_card, draw_lane_crop, focus_on, is_wide
from map_render.lanes.picture import paint_lanes
from map_render.lanes.said import lane_crop_words
from map_render.tactical.crop import (
    TacticalSubject,
    draw_tactical_card,
    draw_tactical_crop,
    is_wide_tactical,
    tactical_crop_words,
    tactical_subject,
)
from map_render.tactical.picture import paint_tactical
from map_render.theatre.frame import shown_hexes
from map_render.theatre.picture import paint_theatre
from map_render.words import alt_of, alt_text
from rules_engine.core.basics.base import HexId
from rules_engine.core.knowledge.glance import MOST_NEWS
from rules_engine.core.knowledge.views import OmniscientView, PartiesView, PublicView, SideView

Area = tuple[HexId, ...]
Ranges = tuple[str, ...]

_AREA = "map-area.png"


def render_side(view: SideView, *, theme: Theme = DEFAULT, ranges: Ranges = ()) -> MapImage:
    """The map of what one side knows. ``ranges`` are the kinds of ranges that are drawn (``detection``); kinds that the
    view does not hold are nothing."""
    return _theatre(view, theme, ranges)


def render_public(view: PublicView | PartiesView, *, theme: Theme = DEFAULT) -> MapImage:
    """The map of what anybody may know, or of a battle as all its parties know it."""
    return _theatre(view, theme)


def render_omniscient(view: OmniscientView, *, theme: Theme = DEFAULT) -> MapImage:
    """The map of everything."""
    return _theatre(view, theme)


def render_crop(
    view: AnyView,
    place: int | None = None,
    *,
    area: tuple[HexId, ...] = (),
    theme: Theme = DEFAULT,
    ranges: Ranges = (),
) -> MapImage:
    """A part of the map, large enough for a phone: around the numbered place ``place``, counted from 1 as its pin says,
    or around the hexes of ``area``. Around an area that is too wide for that, the part of the map is drawn as the whole
    of it is. ``ranges`` are the kinds of ranges that are drawn (``detection``); kinds that the view does not hold are
    nothing.

    Raises:
        ValueError: unless exactly one of both is given, and for a number that the board has not; (UnknownHex) for an
            area with hexes that are not on the map.
    """
    scene = scene_of(view)
    if scene.board.tactical is not None:
        return _tactical_crop(tactical_subject(scene, place, area, theme), bare=False)
    if scene.board.chart is not None:
        return _lane_crop(LaneSubject(scene, focus_on(scene, place, area), theme, place or 0), bare=False)
    focus = focus_of(scene, place, area)
    if place is None and is_too_wide(scene, focus):
        return _part(scene, theme, focus, ranges)
    return _crop(CropSubject(scene, focus, theme, place or 0, ranges), bare=False)


def render_card_crop(
    view: AnyView, place: int | None = None, *, area: tuple[HexId, ...] = (), theme: Theme = DEFAULT
) -> MapImage:
    """The same as `render_crop` without header and facts, as a card holds it; what finds no room is left out."""
    scene = scene_of(view)
    if scene.board.tactical is not None:
        return _tactical_crop(tactical_subject(scene, place, area, theme), bare=True)
    if scene.board.chart is not None:
        return _lane_crop(LaneSubject(scene, focus_on(scene, place, area), theme, place or 0), bare=True)
    return _crop(CropSubject(scene, focus_of(scene, place, area), theme, place or 0), bare=True)


def render_card_map(
    view: AnyView, *, pins: tuple[HexId, ...] | None = None, courses: bool = False, theme: Theme = DEFAULT
) -> MapImage:
    """The whole map as a card holds it, about 307 px wide: no header, callouts or legend, since the card says that in
    words. Pins with 1, 2, 3 stand on the first hexes of the numbered places, or on those of ``pins`` in their order;
    with ``courses`` it shows where our forces are to go."""
    scene = scene_of(view)
    there = tuple(news.hexes[0] for news in scene.board.news) if pins is None else pins[:MOST_NEWS]
    if scene.tactical is not None:
        drawn = draw_tactical_card(scene.tactical, theme, scene.afar)
    elif scene.board.chart is not None:
        drawn = draw_lane_card(scene, theme, there)
    else:
        drawn = draw_card_map(scene, theme, there, courses=courses)
    image = coloured(drawn, theme)
    return MapImage(encode(image), image.width, image.height, alt_text(view))


def _crop(subject: CropSubject, *, bare: bool) -> MapImage:
    image = coloured(draw_crop(subject, bare=bare), subject.theme)
    name = f"map-{subject.number}.png" if subject.number else _AREA
    return MapImage(encode(image), image.width, image.height, crop_words(subject), name)


def _lane_crop(subject: LaneSubject, *, bare: bool) -> MapImage:
    """A part of a map of lanes; what is too wide for a crop is drawn as the whole map is."""
    wide = is_wide(subject) and not bare
    drawn = paint_lanes(subject.shown, subject.theme, subject.graph) if wide else draw_lane_crop(subject, bare=bare)
    image = coloured(drawn, subject.theme)
    name = f"map-{subject.number}.png" if subject.number else _AREA
    return MapImage(encode(image), image.width, image.height, lane_crop_words(subject), name)


def _tactical_crop(subject: TacticalSubject, *, bare: bool) -> MapImage:
    """A part of a battle flown by vectors; what is too wide for a crop is drawn as the whole of it is."""
    wide = is_wide_tactical(subject) and not bare
    if wide:
        drawn = paint_tactical(subject.scene, subject.theme, subject.focus)
    else:
        drawn = draw_tactical_crop(subject, bare=bare)
    image = coloured(drawn, subject.theme)
    name = f"map-{subject.number}.png" if subject.number else _AREA
    return MapImage(encode(image), image.width, image.height, tactical_crop_words(subject), name)


def warm(view: SideView | PublicView | OmniscientView, *, theme: Theme = DEFAULT) -> None:
    """Draw a view, so that what its next rendering can use again is cached: the ground, the counters, the lettering.

    Takes about as long as two renderings; meant for a thread that nobody waits for.
    """
    paint(scene_of(view), theme)


def _theatre(view: AnyView, theme: Theme, ranges: Ranges = ()) -> MapImage:
    image = paint(scene_of(view), theme, ranges)
    return MapImage(png=encode(image), width=image.width, height=image.height, alt=alt_text(view))


def _part(scene: Scene, theme: Theme, area: Area, ranges: Ranges) -> MapImage:
    image = coloured(paint_theatre(scene, theme, ranges, area), theme)
    shown = shown_hexes(scene.board.grid, area)
    words = alt_of(part_of(scene, shown), beyond(scene, shown, shown))
    return MapImage(encode(image), image.width, image.height, words, _AREA)


def paint(scene: Scene, theme: Theme, ranges: Ranges = ()) -> Image.Image:
    """The finished picture of a scene's whole map, not yet encoded."""
    if scene.tactical is not None:
        return coloured(paint_tactical(scene.tactical, theme, scene.afar), theme)
    if scene.board.chart is not None:
        return coloured(paint_lanes(scene, theme), theme)
    return coloured(paint_theatre(scene, theme, ranges), theme)
