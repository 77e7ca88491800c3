"""Lettering: which letters are drawn, and that none is cut off."""

from importlib.resources import files

import pytest
from PIL import ImageChops

from map_render.drawing import text
from map_render.drawing.palette import covered


@pytest.mark.parametrize(
    ("written", "drawn"),
    [
        ("Łódź, Århus, Ñandú", "Łódź, Århus, Ñandú"),
        ("Cafe\u0301", "Café"),
        ("×4 · −5 – 3…", "×4 · −5 – 3…"),
        ("a→b", "a>b"),
        ("ﬁn\u202etwo\u00a0three\n four", "fintwo three four"),
        ("中文", ""),
        ("\u00ad", ""),
    ],
)
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
