"""Maps and battle cards: a view in, an image out. It knows views, and nothing of states, secrets or Discord."""

from map_render.battle import (
    describe_battle,
    render_battle,
    render_battle_details,
    render_outcome,
    render_own_units,
)
from map_render.desk import render_times, times_alt
from map_render.drawing.image import ALT_LIMIT, MapImage
from map_render.drawing.theme import DEFAULT, Theme, ThemeError, parse_theme
from map_render.printing import on_white, pages
from map_render.render import (
    render_card_crop,
    render_card_map,
    render_crop,
    render_omniscient,
    render_public,
    render_side,
    warm,
)
from map_render.signs import SignLook, render_sign
from map_render.tactical.film import FilmPart, render_tactical_film
from map_render.tactical.picture import render_tactical
from map_render.tactical_words import tactical_table
from map_render.words import alt_text, describe

__all__ = [
    "ALT_LIMIT",
    "DEFAULT",
    "FilmPart",
    "MapImage",
    "SignLook",
    "Theme",
    "ThemeError",
    "alt_text",
    "describe",
    "describe_battle",
    "on_white",
    "pages",
    "parse_theme",
    "render_battle",
    "render_battle_details",
    "render_card_crop",
    "render_card_map",
    "render_crop",
    "render_omniscient",
    "render_outcome",
    "render_own_units",
    "render_public",
    "render_side",
    "render_sign",
    "render_tactical",
    "render_tactical_film",
    "render_times",
    "tactical_table",
    "times_alt",
    "warm",
]
