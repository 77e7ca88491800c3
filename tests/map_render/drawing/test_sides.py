"""The seven colours of sides: read on every ground, in grey, and by eyes that miss one kind of colour."""

from itertools import combinations
from pathlib import Path

import pytest

from map_render import parse_theme
from map_render.drawing.theme import MOST_SIDES, Theme, contrast, luminance, rgb
from tests.map_render.looks.eyes import EYES, Matrix, Triple, from_light, to_light

THEMES = Path(__file__).parents[3] / "config" / "themes"
SHIPPED = {path.stem: parse_theme(path.read_text(encoding="utf-8")) for path in sorted(THEMES.glob("*.toml"))}
APART = 15.0
"""The least difference of two sides, as CIE 1976 measures it; what is next to each other differs from 2.3 on."""
_TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.072175), (0.0193339, 0.119192, 0.9503041))
_WHITE = (0.95047, 1.0, 1.08883)


def times(matrix: Matrix, of: Triple) -> Triple:
    one, two, three = (sum(a * b for a, b in zip(row, of, strict=True)) for row in matrix)
    return one, two, three


def seen(colour: str, eyes: Matrix) -> Triple:
    """A colour as such eyes see it, in CIE L*a*b*."""
    red, green, blue = (to_light(part / 255) for part in rgb(colour))
    light = times(eyes, (red, green, blue))
    xyz = times(_TO_XYZ, (min(1.0, max(0.0, light[0])), min(1.0, max(0.0, light[1])), min(1.0, max(0.0, light[2]))))
    x, y, z = (
        part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116
        for part in (value / white for value, white in zip(xyz, _WHITE, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: Triple, other: Triple) -> float:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5


def as_grey(colour: str) -> str:
    """The grey of the same brightness."""
    return "#" + f"{round(from_light(luminance(colour)) * 255):02x}" * 3


@pytest.fixture(params=sorted(SHIPPED), name="theme")
def shipped(request: pytest.FixtureRequest) -> Theme:
    return SHIPPED[request.param]


def test_seven_sides_are_read_on_every_ground_also_in_grey(theme: Theme) -> None:
    assert len(set(theme.inks.sides)) == MOST_SIDES
    for colour in theme.inks.sides:
        for ground in (theme.paper, theme.callout, theme.plate):
            assert contrast(colour, ground) >= 4.5, (colour, ground)
            assert contrast(as_grey(colour), as_grey(ground)) >= 4.4, (colour, ground)  # greys are rounded
        for ground in (theme.margin, theme.band):
            assert contrast(colour, ground) >= 4.0, (colour, ground)


@pytest.mark.parametrize("eyes", sorted(EYES))
def test_sides_and_news_are_told_apart_by_all_eyes(theme: Theme, eyes: str) -> None:
    named = {f"side {seat}": colour for seat, colour in enumerate(theme.inks.sides)} | {"news": theme.inks.news}
    close = [
        (one, other)
        for one, other in combinations(named, 2)
        if difference(seen(named[one], EYES[eyes]), seen(named[other], EYES[eyes])) < APART
    ]
    # The first three and the colour of news came first; for eyes that see no blue, pink and blue, and on paper pink and
    # the colour of news, are near each other. Shapes and letters tell sides apart without any colour.
    assert [pair for pair in close if not set(pair) <= {"side 0", "side 1", "side 2", "news"}] == []
    assert len(close) <= 2


def test_a_colour_that_is_news_is_no_side_s(theme: Theme) -> None:
    assert theme.inks.news not in theme.inks.sides
