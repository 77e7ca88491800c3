"""Shapes: every icon and glyph that a theme may name is drawn."""

from typing import get_args

from map_render.drawing.shapes import GLYPHS, ICONS
from map_render.drawing.theme import Glyph, Icon


def test_every_icon_and_glyph_a_theme_may_use_is_drawn() -> None:
    assert set(ICONS) == set(get_args(Icon))
    assert set(GLYPHS) == set(get_args(Glyph)) - {"none", "initial"}
