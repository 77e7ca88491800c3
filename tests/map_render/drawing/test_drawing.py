"""What is drawn by a theme: its colours of sides, palette, shapes, plates, terrain and lettering."""

from collections.abc import Iterable
from importlib.resources import files
from itertools import combinations, product
from math import hypot
from pathlib import Path
from random import Random
from typing import get_args

import pytest
from PIL import Image, ImageChops

from map_render import DEFAULT, ThemeError, parse_theme
from map_render.drawing import plates, shapes, sprites, terrain, text
from map_render.drawing.contacts import ContactLook, contact, reach_of
from map_render.drawing.palette import (
    BAND,
    CALLOUT,
    FAINTEST,
    GRID,
    INKS,
    MARGIN,
    PLATE,
    RIM,
    colours,
    covered,
    index,
    side_ink,
)
from map_render.drawing.theme import MOST_SIDES, Glyph, Icon, Texture, Theme, contrast, luminance, rgb
from map_render.theatre.frame import make_frame
from rules_engine.core.grids.hexes import Grid
from tests.expected.kept import cases
from tests.map_render.looks.eyes import EYES, Matrix, Triple, from_light, to_light

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
    for name, value in DEFAULT.inks.model_dump().items():
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


@cases("size", "")
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


# --- the seven colours of sides: read on every ground, in grey, and by eyes that miss one kind of colour --------------
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


# --- the palette: 256 colours from the paper to each ink --------------------------------------------------------------
def test_the_palette_runs_from_paper_to_each_ink() -> None:
    table = colours(DEFAULT)

    def at(place: int) -> str:
        return "#" + table[3 * place : 3 * place + 3].hex()

    assert len(table) == 768
    assert at(0) == DEFAULT.paper
    assert at(MARGIN) == DEFAULT.margin
    assert at(BAND) == DEFAULT.band
    assert (at(GRID), at(CALLOUT), at(RIM), at(PLATE)) == (DEFAULT.grid, DEFAULT.callout, DEFAULT.rim, DEFAULT.plate)
    assert [at(index(f"side{seat}")) for seat in range(7)] == list(DEFAULT.inks.sides)
    assert side_ink(8) == "side1"
    used = {index(ink, strength) for ink in INKS for strength in range(1, 16)}
    assert len(used) == len(INKS) * 15
    assert not used & {0, GRID, CALLOUT, RIM, PLATE, MARGIN, BAND}


# --- shapes: every icon and glyph that a theme may name is drawn, masks grow, and sprites are stamped -----------------
def test_every_icon_and_glyph_a_theme_may_use_is_drawn() -> None:
    assert set(shapes.ICONS) == set(get_args(Icon))
    assert set(shapes.GLYPHS) == set(get_args(Glyph)) - {"none", "initial"}


@pytest.mark.parametrize("by", [0, 1, 3, 4, 7])
def test_a_mask_is_grown_on_all_sides_and_round_at_its_corners(by: int) -> None:
    chance = Random(by)
    mask = Image.new("L", (61, 44), 0)
    covered: list[tuple[int, int]] = []
    for n in range(12):
        at = (5 * n + 2 if by == 0 else chance.randint(10, 50)), chance.randint(10, 33)
        mask.putpixel(at, (FAINTEST - 1, FAINTEST, 255)[n % 3])
        covered = [one for one in covered if one != at] + [at] * (n % 3 > 0)
    grown = shapes.widened(mask, by)
    inked = {at for at in product(range(61), range(44)) if grown.getpixel(at) == 255}
    assert set(grown.tobytes()) == {0, 255}
    assert all(min(hypot(x - to_x, y - to_y) for to_x, to_y in covered) <= by + 0.5 for x, y in inked)
    for x, y in covered:
        assert {(x + by, y), (x - by, y), (x, y + by), (x, y - by)} <= inked


@pytest.mark.parametrize("at", [(5, 6), (-9, 3), (20, 28), (-60, 0), (500, 500)])
@pytest.mark.parametrize("mode", ["L", "1"])
def test_a_stamp_covers_what_its_mask_covers_and_is_cut_off_at_the_edge(at: tuple[int, int], mode: str) -> None:
    noise = Random(4)
    sprite = sprites.Sprite(Image.frombytes("L", (17, 13), noise.randbytes(221)), Image.new("L", (17, 13), 0), -3, -4)
    sprite.mask.paste(255, (2, 1, 14, 9))
    sprite = sprite._replace(mask=sprite.mask.convert(mode))
    stamped, pasted = Image.new("L", (30, 30), 7), Image.new("L", (30, 30), 7)
    sprites.stamp(stamped, sprite, *at)
    pasted.paste(sprite.image, (at[0] - 3, at[1] - 4), sprite.mask)
    assert stamped.tobytes() == pasted.tobytes()


# --- plates, contacts and pins: sizes that hold on phones, and what each says without words ---------------------------
HIGH = 84


def body(sprite: sprites.Sprite, *numbers: int) -> tuple[int, int, int, int]:
    """The box around the pixels of these numbers, as seen from the anchor."""
    image = Image.new("L", sprite.image.size, 0)
    found = dict.fromkeys(numbers, 255)
    image.putdata([found.get(number, 0) for number in sprite.image.tobytes()])
    left, top, right, bottom = image.getbbox() or (0, 0, 0, 0)
    return left + sprite.dx, top + sprite.dy, right + sprite.dx, bottom + sprite.dy


def count(sprite: sprites.Sprite, numbers: Iterable[int]) -> int:
    wanted = set(numbers)
    return sum(number in wanted for number in sprite.image.tobytes())


@pytest.mark.parametrize("code", ["A1", "A12", "E27", "WWW9"])
@pytest.mark.parametrize("ships", ["", "1", "12"])
@pytest.mark.parametrize("high", [40, 84, 220])
def test_a_plate_is_as_high_and_as_wide_as_is_said(code: str, ships: str, high: int) -> None:
    look = plates.PlateLook(code, ships, "side0", high)
    left, top, right, bottom = body(plates.plate(look), index("side0"))
    assert bottom - top == high
    assert right - left == plates.plate_width(look)
    assert abs(left + right) <= 1
    assert abs(top + bottom) <= 1


def test_a_code_is_written_in_letters_of_nine_pixels_at_four_hundred() -> None:
    sprite = plates.plate(plates.PlateLook("A34", "", "side0", HIGH))
    assert PLATE in [sprite.image.getpixel((sprite.image.width // 2, y)) for y in range(sprite.image.height)]
    letters = body(sprite, PLATE)
    assert letters[3] - letters[1] >= 40  # capitals of a type of 57


def test_a_bar_is_as_long_as_what_is_left_and_a_whole_force_has_none() -> None:
    whole, bare = (plates.plate(plates.PlateLook("A3", "2", "side0", HIGH, left)) for left in (100, None))
    assert whole.image.tobytes() == bare.image.tobytes()
    for left in (0, 25, 80):
        look = plates.PlateLook("A3", "2", "side0", HIGH, left)
        sprite = plates.plate(look)
        low = HIGH // 2 + plates.bar_height(HIGH) - 2 - sprite.dy
        row = [sprite.image.getpixel((x, low)) for x in range(sprite.image.width)]
        assert abs(row.count(index("side0")) - plates.plate_width(look) * left / 100) <= 1


def test_a_docked_force_has_an_anchor_and_a_hollow_one_no_ground() -> None:
    plain, docked = (plates.plate(plates.PlateLook("A3", "2", "side0", HIGH, docked=port)) for port in (False, True))
    assert docked.dy < plain.dy
    hollow = plates.plate(plates.PlateLook("A3", "", "side0", HIGH, hollow=True))
    full = plates.plate(plates.PlateLook("A3", "", "side0", HIGH))
    assert count(hollow, [index("side0")]) < count(full, [index("side0")]) / 2
    assert count(hollow, [PLATE]) == 0


@pytest.mark.parametrize("shape", shapes.FOE_SHAPES)
def test_a_contact_is_filled_from_below_as_far_as_it_is_known(shape: str) -> None:
    inks = [
        count(contact(ContactLook(shape, "side1", 50, "K", grade)), [index("side1")])  # type: ignore[arg-type]
        for grade in range(5)
    ]
    assert inks[0] == inks[1] < inks[2] < inks[3] < inks[4]
    half = contact(ContactLook(shape, "side1", 50, "", 3))  # type: ignore[arg-type]
    middle = half.image.height // 2
    upper = half.image.crop((0, 0, half.image.width, middle - 8)).tobytes().count(index("side1"))
    lower = half.image.crop((0, middle + 8, half.image.width, 2 * middle)).tobytes().count(index("side1"))
    assert lower > 1.5 * upper


def test_a_diamond_is_fifteen_to_eighteen_pixels_at_four_hundred() -> None:
    left, top, right, bottom = body(contact(ContactLook("diamond", "side1", 50, "", 4)), index("side1"))
    assert 92 <= right - left <= 108
    assert 92 <= bottom - top <= 108


@pytest.mark.parametrize("shape", shapes.FOE_SHAPES)
def test_what_is_new_has_an_outline_of_its_own_shape(shape: str) -> None:
    old, new = (contact(ContactLook(shape, "side1", 50, "K", 2, new=new)) for new in (False, True))  # type: ignore[arg-type]
    assert count(old, [index("news")]) == 0
    assert count(new, [index("news")]) > 200
    half = new.image.width // 2
    left, top, right, bottom = new.mask.getbbox() or (0, 0, 0, 0)
    assert max(half - left, half - top, right - half, bottom - half) <= reach_of(
        ContactLook(shape, "side1", 50, new=True)  # type: ignore[arg-type]
    ) + (20 if shape == "triangle" else 8)


def test_what_was_not_seen_this_turn_is_dashed_and_paler() -> None:
    seen = contact(ContactLook("diamond", "side1", 50, "?", 0))
    old = contact(ContactLook("diamond", "side1", 50, "?", 0, old=True, fade=10))
    assert count(old, [index("side1")]) == 0
    assert count(old, [index("side1", 10)]) < count(seen, [index("side1")]) * 0.85


def test_no_two_shapes_of_foes_are_alike() -> None:
    looks = [contact(ContactLook(shape, "side1", 50, "", 4)).image.tobytes() for shape in shapes.FOE_SHAPES]
    for place, one in enumerate(looks):
        for other in looks[place + 1 :]:
            assert sum(a != b for a, b in zip(one, other, strict=True)) > 800
    assert len({side_ink(seat) for seat in range(7)}) == 7


def test_pins_are_fifteen_pixels_across_at_four_hundred() -> None:
    left, top, right, bottom = body(plates.pin(1, 44), index("news"))
    assert 87 <= right - left <= 89
    assert 87 <= bottom - top <= 89
    assert len({plates.pin(number, 44).image.tobytes() for number in (1, 2, 3)}) == 3


# --- terrain: every texture that a theme may name is drawn ------------------------------------------------------------
def test_every_texture_a_theme_may_use_is_drawn() -> None:
    assert set(terrain.TEXTURES) == set(get_args(Texture))


# --- lettering: which letters are drawn, and that none is cut off -----------------------------------------------------
@cases("written, drawn")
def test_letters_with_their_accents_are_drawn_and_others_spelt_or_left_out(written: str, drawn: str) -> None:
    assert text.plain(written) == drawn


def test_what_cannot_be_drawn_has_something_instead() -> None:
    assert text.plain("中文", "E4") == "E4"


@pytest.mark.parametrize("heavy", [False, True])
def test_every_letter_that_is_said_to_be_drawn_is_in_the_fonts(heavy: bool) -> None:
    nothing, _ = text.masks("\U0010ffff", 40, heavy)
    missing = nothing.tobytes()
    letters = [char for char in map(chr, range(0x21, 0x2300)) if text.plain(f"A{char}") == f"A{char}"]
    assert len(letters) > 280
    assert [char for char in letters if text.masks(char, 40, heavy)[0].tobytes() == missing] == []


@pytest.mark.parametrize("heavy", [False, True])
@pytest.mark.parametrize("casing", [0, 4])
def test_no_letter_reaches_out_of_its_line(heavy: bool, casing: int) -> None:
    for size in (9, 24, 57, 112):
        for words in ("ÅŮĤĺ", "gjpqyÇŞ|", "Wij"):
            letters, outline = text.masks(words, size, heavy, casing)
            left, top, right, bottom = outline.getbbox() or (0, 0, 0, 0)
            assert left >= 0
            assert right <= outline.width
            assert bottom <= outline.height
            assert ImageChops.subtract(covered(letters), outline).getbbox() is None
            assert top >= 0
            if casing:
                assert top > 0
                assert bottom < outline.height


def test_bold_letters_have_more_ink_than_regular_ones() -> None:
    bold, regular = (sum(text.masks("Scene Flow 1217", 40, heavy)[0].tobytes()) for heavy in (True, False))
    assert bold > 1.3 * regular


def test_capitals_are_as_high_and_as_low_as_is_said() -> None:
    letters, _ = text.masks("H", 100, heavy=True)
    _, top, _, bottom = letters.getbbox() or (0, 0, 0, 0)
    assert abs((top + bottom) / 2 - text.capital_middle(100)) <= 1
    assert abs((bottom - top) - 100 * text.CAPITAL) <= 2


def test_the_fonts_are_small_and_come_with_their_licence() -> None:
    folder = files("map_render.drawing") / "fonts"
    assert all(len((folder / f"OpenSans-{name}.ttf").read_bytes()) < 50_000 for name in ("Regular", "Bold"))
    assert "Apache License" in (folder / "LICENSE.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("heavy", [False, True])
@pytest.mark.parametrize("words", ["AVATAR To Yz", "Ärgernis 1217", "×4 · −5 – 3…", "T30/fi", ""])
def test_a_text_is_as_wide_as_the_font_says(words: str, heavy: bool) -> None:
    for size in (22, 46, 84):
        assert text.width(words, size, heavy) == int(text.font(size, heavy).getlength(words) + 0.999)
