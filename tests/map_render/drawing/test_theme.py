"""Themes: read from TOML, checked, readable."""

from pathlib import Path

import pytest

from map_render import DEFAULT, ThemeError, parse_theme
from map_render.drawing.theme import contrast, luminance
from map_render.theatre.frame import make_frame
from rules_engine.core.grids.hexes import Grid

THEMES = Path(__file__).parents[3] / "config" / "themes"


def test_the_file_of_the_default_theme_says_what_is_built_in() -> None:
    assert parse_theme((THEMES / "default.toml").read_text(encoding="utf-8")) == DEFAULT


@pytest.mark.parametrize("file", sorted(THEMES.glob("*.toml")), ids=lambda file: file.stem)
def test_every_shipped_theme_can_be_read(file: Path) -> None:
    assert parse_theme(file.read_text(encoding="utf-8")).name


def test_luminance_and_contrast_as_worked_out_by_hand() -> None:
    # ((128/255 + 0.055) / 1.055) ** 2.4 = (0.556968/1.055...) = 0.21586
    assert luminance("#808080") == pytest.approx(0.21586, abs=1e-4)
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    # Red: 0.2126 + 0.05 over 0.05.
    assert contrast("#ff0000", "#000000") == pytest.approx(5.252)


def test_every_ink_of_the_default_stands_out_from_every_ground() -> None:
    inks = DEFAULT.inks.model_dump()
    for name, value in inks.items():
        for colour in (value,) if isinstance(value, str) else value:
            for ground in (DEFAULT.paper, DEFAULT.margin, DEFAULT.band, DEFAULT.callout):
                assert contrast(colour, ground) >= (4.5 if name in ("text", "quiet", "sides") else 3.0), (name, ground)


def test_all_defects_are_named_at_once_with_their_paths() -> None:
    text = 'colour = "#000000"\n[inks]\ntext = "blue"\nsides = []\n[sizes]\nlongest = 3\n'
    text += '[terrain]\nfog = { ink = "gas" }\n'
    with pytest.raises(ThemeError) as caught:
        parse_theme(text)
    told = "\n".join(caught.value.defects)
    for path in ("colour: ", "inks.text: ", "inks.sides: ", "sizes.longest: ", "terrain.fog.label: "):
        assert path in told
    assert len(caught.value.defects) == 5


def test_inks_that_cannot_be_read_are_refused() -> None:
    with pytest.raises(ThemeError, match=r"inks\.gas on paper has a contrast of 1\.\d, needs 3\.0"):
        parse_theme('[inks]\ngas = "#101830"\n')
    with pytest.raises(ThemeError, match=r"plate on inks\.sides\.0 has a contrast of \d\.\d, needs 4\.5"):
        parse_theme('plate = "#5cb8e0"\n')


@pytest.mark.parametrize(
    "size", ["longest = 799", "longest = 4001", "largest_hex = 19", "largest_hex = 401", "usual = 9"]
)
def test_sizes_out_of_bounds_and_sizes_that_there_are_not_are_refused(size: str) -> None:
    with pytest.raises(ThemeError, match=f"sizes.{size.partition(' ')[0]}"):
        parse_theme(f"[sizes]\n{size}\n")


def test_a_size_is_that_of_the_picture() -> None:
    grid = Grid(columns=3, rows=3)
    for size in (1200, 2400):
        frame = make_frame(grid, parse_theme(f"[sizes]\nlongest = {size}\nlargest_hex = 100\n"), 0, 0)
        assert (frame.width, frame.size) == (size, size // 24)


def test_text_that_is_not_toml_is_refused() -> None:
    with pytest.raises(ThemeError, match="not TOML"):
        parse_theme("inks = {")


def test_aliases_and_unknown_words() -> None:
    assert DEFAULT.terrain_look("Asteroid_Field") == DEFAULT.terrain["asteroids"]
    assert DEFAULT.terrain_look("space") is None
    fallback = DEFAULT.terrain_look("tachyon fog")
    assert fallback is not None
    assert (fallback.label, fallback.texture) == ("tachyon fog", "hatch")
    assert DEFAULT.mark_look("obelisk").label == "obelisk"
    assert DEFAULT.form_look("raider").glyph == "initial"
