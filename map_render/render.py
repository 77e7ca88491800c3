"""Maps of views: one function for each kind of view, so that the type checker refuses the wrong one.

All are pure functions and may run in any number of threads at once.
"""

from PIL import Image

from map_render.drawing.image import MapImage, coloured, encode
from map_render.drawing.palette import MARGIN
from map_render.drawing.theme import DEFAULT, Theme
from map_render.map import bands
from map_render.map.chart import chart, ground_of
from map_render.map.layout import make_layout
from map_render.map.pieces import draw_pieces
from map_render.map.scene import Scene, scene_of
from map_render.theatre.picture import paint_theatre
from map_render.words import alt_text
from rules_engine.core.basics.base import HexId
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
