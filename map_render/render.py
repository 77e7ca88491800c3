"""Maps of views: one function for each kind of view, so that the type checker refuses the wrong one.

All are pure functions and may run in any number of threads at once.
"""

from PIL import Image

from map_render.crop.card_picture import draw_card_map
from map_render.crop.picture import CropSubject, draw_crop, focus_of, is_too_wide
from map_render.crop.said import crop_words
from map_render.drawing.image import MapImage, coloured, encode
from map_render.drawing.palette import MARGIN
from map_render.drawing.theme import DEFAULT, Theme
from map_render.map import bands
from map_render.map.chart import chart, ground_of
from map_render.map.layout import make_layout
from map_render.map.pieces import draw_pieces
from map_render.map.scene import AnyView, Scene, scene_of
from map_render.theatre.picture import paint_theatre
from map_render.words import alt_text
from rules_engine.core.basics.base import HexId
from rules_engine.core.knowledge.glance import MOST_NEWS
from rules_engine.core.knowledge.views import OmniscientView, PublicView, SideView

Crop = tuple[HexId, ...] | None
Ranges = tuple[str, ...]


def render_side(view: SideView, *, theme: Theme = DEFAULT, crop: Crop = None, ranges: Ranges = ()) -> MapImage:
    """The map of what one side knows. ``crop`` shows only the rectangle around those hexes, ``ranges`` are the kinds of
    ranges that are drawn (``detection``); kinds that the view does not hold are nothing.

    Raises:
        ValueError: for an empty crop, and (UnknownHex) for a crop with hexes that are not on the map.
    """
    return _render(scene_of(view), theme, crop, alt_text(view), ranges)


def render_public(view: PublicView, *, theme: Theme = DEFAULT, crop: Crop = None) -> MapImage:
    """The map of what anybody may know. ``theme`` and ``crop`` are those of `render_side`."""
    return _render(scene_of(view), theme, crop, alt_text(view))


def render_omniscient(view: OmniscientView, *, theme: Theme = DEFAULT, crop: Crop = None) -> MapImage:
    """The map of everything. ``theme`` and ``crop`` are those of `render_side`."""
    return _render(scene_of(view), theme, crop, alt_text(view))


def render_crop(
    view: AnyView,
    place: int | None = None,
    *,
    area: tuple[HexId, ...] = (),
    theme: Theme = DEFAULT,
    ranges: Ranges = (),
) -> MapImage:
    """A part of the map, large enough for a phone: around the numbered place ``place``, counted from 1 as its pin says,
    or around the hexes of ``area``. An area that is too wide for that is drawn as `render_side` draws a crop.
    ``ranges`` are the kinds of ranges that are drawn (``detection``); kinds that the view does not hold are nothing.

    Raises:
        ValueError: unless exactly one of both is given, and for a number that the board has not; (UnknownHex) for an
            area with hexes that are not on the map.
    """
    scene = scene_of(view)
    focus = focus_of(scene, place, area)
    if place is None and is_too_wide(scene, focus):
        return _render(scene, theme, focus, alt_text(view), ranges)
    return _crop(CropSubject(scene, focus, theme, place or 0, ranges), bare=False)


def render_card_crop(
    view: AnyView, place: int | None = None, *, area: tuple[HexId, ...] = (), theme: Theme = DEFAULT
) -> MapImage:
    """The same as `render_crop` without header and facts, as a card holds it; what finds no room is left out."""
    scene = scene_of(view)
    return _crop(CropSubject(scene, focus_of(scene, place, area), theme, place or 0), bare=True)


def render_card_map(
    view: AnyView, *, pins: tuple[HexId, ...] | None = None, courses: bool = False, theme: Theme = DEFAULT
) -> MapImage:
    """The whole map as a card holds it, about 307 px wide: no header, callouts or legend, since the card says that in
    words. Pins with 1, 2, 3 stand on the first hexes of the numbered places, or on those of ``pins`` in their order;
    with ``courses`` it shows where our forces are to go."""
    scene = scene_of(view)
    there = tuple(news.hexes[0] for news in scene.board.news) if pins is None else pins[:MOST_NEWS]
    image = coloured(draw_card_map(scene, theme, there, courses=courses), theme)
    return MapImage(encode(image), image.width, image.height, alt_text(view))


def _crop(subject: CropSubject, *, bare: bool) -> MapImage:
    image = coloured(draw_crop(subject, bare=bare), subject.theme)
    name = f"map-{subject.number or 'area'}.png"
    return MapImage(encode(image), image.width, image.height, crop_words(subject), name)


def warm(view: SideView | PublicView | OmniscientView, *, theme: Theme = DEFAULT) -> None:
    """Draw a view, so that what its next rendering can use again is cached: the chart, the counters, the lettering.

    Takes about as long as two renderings; meant for a thread that nobody waits for.
    """
    paint(scene_of(view), theme, None)


def _render(scene: Scene, theme: Theme, crop: Crop, alt: str, ranges: Ranges = ()) -> MapImage:
    image = paint(scene, theme, crop, ranges)
    return MapImage(png=encode(image), width=image.width, height=image.height, alt=alt)


def paint(scene: Scene, theme: Theme, crop: Crop, ranges: Ranges = ()) -> Image.Image:
    """The finished picture of a scene, not yet encoded: the theatre, or a part of the map."""
    if crop is None:
        return coloured(paint_theatre(scene, theme, ranges), theme)
    board = scene.board
    layout = make_layout(board.grid, crop, theme)
    under = chart(board.grid, ground_of(board.hexes), crop, theme)
    legend = bands.legend(scene, layout, theme)
    picture = Image.new("L", (layout.width, layout.bottom + legend.height), MARGIN)
    picture.paste(under, (0, 0))
    draw_pieces(picture, scene, layout, theme)
    picture.paste(bands.heading(scene, layout, theme), (0, 0))
    if legend.height:
        picture.paste(legend, (0, layout.bottom))
    return coloured(picture, theme)
