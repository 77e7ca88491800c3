"""Every card, post and answer of an evening looks as it was reviewed, and a card fits one phone's screen."""

from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont
from playwright.async_api import Browser

from tests.screens import __main__ as command
from tests.screens.evenings import EVENINGS, played
from tests.screens.kept import AT_MOST, NOTICED, PICTURES, before, browser_kept, major, opened, packed, share
from tests.screens.phone import WIDTH

HOW = "what differs shows `python -m tests.screens`; if it is meant, look at it, and `--keep` keeps it"
SCREEN = 860
"""How high a phone's screen is, in pixels of its 412 across: no card is higher."""
FIXED = {"pq17", "vector"}
"""The evenings that are not left to sweeps; each keeps a browser waiting for a quarter of a minute or more."""


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize(
    "book", [pytest.param(one, marks=() if one in FIXED else pytest.mark.thorough) for one in EVENINGS]
)
async def test_every_card_looks_as_it_was_reviewed(book: str, browser: Browser, tmp_path: Path) -> None:
    if major(browser.version) != browser_kept():
        pytest.skip(f"the pictures are Chromium {browser_kept()}'s, and this is {browser.version}")
    pictures = await played(book, tmp_path, browser)
    kept = {file.stem for file in PICTURES.glob(f"{book}-*.png")}
    assert kept == set(pictures), HOW
    changed: dict[str, float] = {}
    for name, png in pictures.items():
        old = before(name)
        assert old is not None
        differs = share(opened(old), opened(png))
        if differs > AT_MOST:
            changed[name] = differs
    assert changed == {}, HOW


def test_a_card_fits_a_phones_screen() -> None:
    high = {file.stem: opened(file.read_bytes()).height for file in PICTURES.glob("*.png")}
    assert {name: size for name, size in high.items() if size > SCREEN} == {}


def card(words: str, size: int = 15) -> Image.Image:
    """Some words as small as on a card, on its ground."""
    picture = Image.new("RGB", (WIDTH, 400), "#313338")
    ImageDraw.Draw(picture).text((60, 200), words, "#949ba4", ImageFont.load_default(size))
    return picture


def test_one_digit_of_small_print_is_noticed_and_what_packing_changes_is_not() -> None:
    small = card("A1: speed 3; route stay 0404 0405", 12)
    assert share(small, card("A1: speed 2; route stay 0404 0405", 12)) > AT_MOST
    assert share(small, card("A1: speed 3; route stay 0404 0406", 12)) > AT_MOST
    kept = before(min(file.stem for file in PICTURES.glob("*.png")))
    assert kept is not None
    assert share(opened(kept), opened(packed(kept))) == 0


def test_a_card_that_grew_by_a_row_of_pixels_is_noticed() -> None:
    one = card("Ready")
    taller = Image.new("RGB", (WIDTH, 401), "#313338")
    taller.paste(one, (0, 0))
    assert share(one, taller) > AT_MOST
    faint = Image.eval(one, lambda value: min(255, value + NOTICED))
    assert share(one, faint) == 0


def test_the_command_shows_side_by_side_what_differs(tmp_path: Path) -> None:
    one, other = card("Ready"), card("Ready")
    other.paste((255, 255, 255), (5, 7, 9, 9))
    shown = command.side_by_side(one, other)
    right = 2 * (WIDTH + command.GAP)
    assert shown.size == (3 * WIDTH + 2 * command.GAP, 400)
    assert shown.getpixel((right + 6, 8)) == command.RED
    assert shown.getpixel((WIDTH + command.GAP + 6, 8)) == (255, 255, 255)
    new = tmp_path / "new.png"
    one.save(new)
    assert "is not kept yet" in command.said("no such card", new.read_bytes(), tmp_path / "shown")
    assert (tmp_path / "shown" / "no such card.png").exists()
