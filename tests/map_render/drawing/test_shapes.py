"""Shapes: every icon and glyph that a theme may name is drawn, masks grow, and sprites are stamped."""

from itertools import product
from math import hypot
from random import Random
from typing import get_args

import pytest
from PIL import Image

from map_render.drawing.palette import FAINTEST
from map_render.drawing.shapes import GLYPHS, ICONS, widened
from map_render.drawing.sprites import Sprite, stamp
from map_render.drawing.theme import Glyph, Icon


def test_every_icon_and_glyph_a_theme_may_use_is_drawn() -> None:
    assert set(ICONS) == set(get_args(Icon))
    assert set(GLYPHS) == set(get_args(Glyph)) - {"none", "initial"}


@pytest.mark.parametrize("by", [0, 1, 3, 4, 7])
def test_a_mask_is_grown_on_all_sides_and_round_at_its_corners(by: int) -> None:
    chance = Random(by)
    mask = Image.new("L", (61, 44), 0)
    covered: list[tuple[int, int]] = []
    for n in range(12):
        at = (5 * n + 2 if by == 0 else chance.randint(10, 50)), chance.randint(10, 33)
        mask.putpixel(at, (FAINTEST - 1, FAINTEST, 255)[n % 3])
        covered = [one for one in covered if one != at] + [at] * (n % 3 > 0)
    grown = widened(mask, by)
    inked = {at for at in product(range(61), range(44)) if grown.getpixel(at) == 255}
    assert set(grown.tobytes()) == {0, 255}
    assert all(min(hypot(x - to_x, y - to_y) for to_x, to_y in covered) <= by + 0.5 for x, y in inked)
    for x, y in covered:
        assert {(x + by, y), (x - by, y), (x, y + by), (x, y - by)} <= inked


@pytest.mark.parametrize("at", [(5, 6), (-9, 3), (20, 28), (-60, 0), (500, 500)])
@pytest.mark.parametrize("mode", ["L", "1"])
def test_a_stamp_covers_what_its_mask_covers_and_is_cut_off_at_the_edge(at: tuple[int, int], mode: str) -> None:
    noise = Random(4)
    sprite = Sprite(Image.frombytes("L", (17, 13), noise.randbytes(221)), Image.new("L", (17, 13), 0), -3, -4)
    sprite.mask.paste(255, (2, 1, 14, 9))
    sprite = sprite._replace(mask=sprite.mask.convert(mode))
    stamped, pasted = Image.new("L", (30, 30), 7), Image.new("L", (30, 30), 7)
    stamp(stamped, sprite, *at)
    pasted.paste(sprite.image, (at[0] - 3, at[1] - 4), sprite.mask)
    assert stamped.tobytes() == pasted.tobytes()
