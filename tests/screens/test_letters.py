"""No kept screen depends on the fonts of a machine: each of its letters comes with the project, or is the mark."""

import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator

from tests.checkout import ROOT
from tests.screens import letters
from tests.screens.letters import LettersError, check_letters, marked, unlettered

SOURCE = ("bot", "config", "map_render", "rules_engine")


@asynccontextmanager
async def screen(browser: Browser, html: str, style: str = "") -> AsyncIterator[Locator]:
    """An article in our own letters."""
    page = await browser.new_page()
    letter = f"{letters.style()} :root {{ font: 16px {letters.FAMILY}; }}"
    await page.set_content(f"<style>{letter} {style}</style><article>{html}</article>")
    await page.evaluate("() => Promise.all([...document.fonts].map((face) => face.load()))")
    yield page.locator("article")
    await page.close()


async def fonts_of(article: Locator) -> set[str]:
    """The names of the fonts in which an article's first element is drawn, as the browser tells them."""
    devtools = await article.page.context.new_cdp_session(article.page)
    await devtools.send("DOM.enable")
    await devtools.send("CSS.enable")
    root = (await devtools.send("DOM.getDocument"))["root"]["nodeId"]
    query = {"nodeId": root, "selector": "article > *"}
    node = await devtools.send("DOM.querySelector", query)
    return {font["familyName"] for font in (await devtools.send("CSS.getPlatformFontsForNode", node))["fonts"]}


def test_all_that_the_product_writes_is_lettered_or_marked() -> None:
    where: dict[str, Path] = {}
    for folder in SOURCE:
        for file in (ROOT / folder).rglob("*"):
            if file.suffix in {".py", ".js", ".css", ".html", ".toml"}:
                where |= dict.fromkeys(set(file.read_text(encoding="utf-8")), file)
    del where["\ufe0f"]  # it is marked with the sign before it
    missing = {char: where[char] for char in unlettered(marked("".join(where)))}
    assert missing == {}, "add it to SIGNS in tests/screens/letters.py, or to what is marked"


def test_a_text_is_marked_where_an_emoji_was_and_nowhere_else() -> None:
    assert marked("⏸️ ▶️ ↩️ ⏰ 🛰️ 🤝 ⚠ ⛔ ✉️ Ready ✓") == "¤ ¤ ¤ ¤ ¤ ¤ ¤ ¤ ¤ Ready ✓"
    assert marked(f"{letters.SIGNS} A1 → 0405") == f"{letters.SIGNS} A1 → 0405"


def test_a_character_is_lettered_when_a_font_draws_it() -> None:
    assert unlettered("Ärgernis at 0405: 3 × 4 – “…” ¤ · ①\n\t") == []
    assert unlettered("Жук, 中, ❶ and ⚓ ⚓") == ["Ж", "к", "у", "⚓", "中"]
    assert unlettered(letters.SIGNS) == []


def test_the_fonts_are_small_and_come_with_their_licence() -> None:
    folder = letters.FONTCONFIG.parent
    assert all(file.stat().st_size < 10_000 for file in folder.glob("*.ttf"))
    assert "Bitstream Vera Fonts Copyright" in (folder / "LICENSE.txt").read_text(encoding="utf-8")


@pytest.mark.asyncio(loop_scope="session")
async def test_a_screen_in_our_letters_passes(browser: Browser) -> None:
    html = f"<h2>Turn 2 → 3</h2><p>{letters.SIGNS} <b>{letters.SIGNS}</b> <i>0405 ¤</i> <code>A1</code></p>"
    async with screen(browser, html, f"code {{ font-family: {letters.FAMILY}; }}") as article:
        await check_letters(article)


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize(
    ("html", "style", "said"),
    [
        ("<p>Squadron Ж in 0405</p>", "", "draws Ж (U+0416) in ['Squadron Ж in 0405']"),
        ("<p>Ready <b>⚓</b></p>", "", "draws ⚓ (U+2693) in ['Ready ⚓']"),
        ("<p>Ready</p>", "p::before { content: '⏳'; }", "draws ⏳ (U+23F3)"),
        ("<p>Speed <code>9</code></p>", "", "['code: monospace']"),
        ("<p>Speed <span>9</span></p>", "span { font-family: Arial; }", "['span: Arial']"),
        ("<p>Speed</p>", "p::after { content: ': 9'; font-family: serif; }", "['p: serif']"),
    ],
    ids=["letter", "sign", "sign of a style", "font of the browser", "font of the page", "font beside an element"],
)
async def test_a_screen_with_letters_of_a_machine_is_not_photographed(
    html: str, style: str, said: str, browser: Browser
) -> None:
    async with screen(browser, html, style) as article:
        with pytest.raises(LettersError, match=re.escape(said)):
            await check_letters(article)


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere browsers do not ask fontconfig")
async def test_the_browser_finds_no_font_of_the_machine(browser: Browser) -> None:
    for family in ("serif, monospace", "'Noto Sans', 'DejaVu Serif', 'Liberation Sans', sans-serif"):
        async with screen(browser, "<p>Speed 9</p>", f"p {{ font-family: {family}; }}") as article:
            assert await fonts_of(article) <= {"Open Sans", "DejaVu Sans"}
