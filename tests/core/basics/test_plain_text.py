"""One rule for the characters of every text that somebody sends."""

import pytest

from rules_engine.core.basics.plain_text import unfit_character, without_unfit
from tests.expected.kept import cases


@cases("text")
def test_what_people_write_is_taken_as_it_is(text: str) -> None:
    assert unfit_character(text) is None
    assert without_unfit(text) == text


@pytest.mark.parametrize(
    ("letter", "named"),
    [
        ("\0", "U+0000"),
        ("\x07", "U+0007"),
        ("\x0b", "U+000B"),
        ("\x1b", "U+001B"),
        ("\x7f", "U+007F"),
        ("\x85", "U+0085"),
        ("\xad", "U+00AD (soft hyphen)"),
        ("\u061c", "U+061C (arabic letter mark)"),
        ("\u200b", "U+200B (zero width space)"),
        ("\u200e", "U+200E (left-to-right mark)"),
        ("\u200f", "U+200F (right-to-left mark)"),
        ("\u2028", "U+2028 (line separator)"),
        ("\u2029", "U+2029 (paragraph separator)"),
        ("\u202e", "U+202E (right-to-left override)"),
        ("\u2066", "U+2066 (left-to-right isolate)"),
        ("\ufeff", "U+FEFF (zero width no-break space)"),
        ("\ud800", "U+D800"),
        ("\udfff", "U+DFFF"),
        ("\ufffe", "U+FFFE"),
        ("\U0001ffff", "U+1FFFF"),
        ("\ufdd0", "U+FDD0"),
    ],
)
def test_what_no_file_or_screen_keeps_is_named_with_its_place(letter: str, named: str) -> None:
    assert unfit_character(f"abc{letter}def") == f"{named}, character 4"
    assert without_unfit(f"abc{letter}def") == "abcdef"
