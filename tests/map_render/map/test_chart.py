"""The chart: every texture that a theme may name is drawn."""

from typing import get_args

from map_render.drawing.theme import Texture
from map_render.map.chart import TEXTURES


def test_every_texture_a_theme_may_use_is_drawn() -> None:
    assert set(TEXTURES) == set(get_args(Texture))
