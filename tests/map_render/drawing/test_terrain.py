"""Terrain: every texture that a theme may name is drawn."""

from typing import get_args

from map_render.drawing.terrain import TEXTURES
from map_render.drawing.theme import Texture


def test_every_texture_a_theme_may_use_is_drawn() -> None:
    assert set(TEXTURES) == set(get_args(Texture))
