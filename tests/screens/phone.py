"""A phone: the playground's page in a headless Chromium, 412 pixels wide, that photographs one message at a time.

What moves from run to run is made to stand: the clock and the zone, receipts, and how long ago or ahead a moment is.
The page is lettered in the project's own letters, and hears no events, so that nothing is drawn again meanwhile.
"""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Browser, FloatRect, Page, async_playwright

from tests.e2e.people import Json, Person
from tests.patience import PATIENCE
from tests.screens import letters

WIDTH, HEIGHT = 412, 2600
"""Pixels of the phone; it is so high that no card is ever scrolled."""
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-quic",
    "--disable-sync",
    "--disable-lcd-text",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
)

_STILL = r"""
(words) => {
  for (const time of document.querySelectorAll("time")) {
    const relative = time.dataset.relative !== undefined;
    delete time.dataset.relative;
    if (relative) time.textContent = "in 2 days";
    else time.textContent = /\d{4}|[A-Za-z]/.test(time.textContent) ? "6 March 2026 at 20:15" : "20:15";
  }
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    let text = node.nodeValue;
    for (const [pattern, instead] of words) text = text.replace(new RegExp(pattern, "gu"), instead);
    if (text !== node.nodeValue) node.nodeValue = text;
  }
}
"""
_INSTEAD = [
    [r"\b[0-9a-f]{64}\b", "0" * 64],
    [r"\b[0-9a-f]{12,40}\b", "0" * 12],
    [r"\b\d{17,20}\b", "1" * 18],
    [letters.EMOJI, letters.MARK],
]
"""Patterns of what is written otherwise in every run, and of emojis, which each machine takes from a font of its own;
and what stands there instead."""


def program() -> str | None:
    """The machine's own Chromium; None if it has none."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


def _style() -> str:
    return "\n".join(
        (
            letters.style(),
            f":root {{ --font: {letters.FAMILY} !important; --mono: {letters.FAMILY} !important; }}",
            "* { caret-color: transparent !important; animation: none !important; transition: none !important; }",
            ".edited, .tools, #latest, #toasts, .message .face, .message header { display: none !important; }",
            # Nothing of what is below it shows where a message ends between two pixels.
            "body:has(.message.photographed) * { visibility: hidden; } "
            "body .message.photographed, body .message.photographed * { visibility: visible; }",
            # Who wrote it and when stands above only some messages, as they happen to follow each other.
            ".message.photographed { position: fixed; inset: 0 auto auto 0; z-index: 1000; margin: 0; padding: 8px "
            "12px 8px 10px; width: 412px; background: #313338; } .message.photographed .content { grid-column: 2; } "
            ".message.photographed .content > * { margin-top: 4px !important; }",
        )
    )


class Phone:
    """One window, in which anybody's seat can be opened."""

    def __init__(self, page: Page, url: str) -> None:
        self._page, self._url = page, url

    async def photograph(self, who: Person, message: Json) -> bytes:
        """A message as somebody sees it now, as PNG."""
        page = self._page
        await page.goto("about:blank")  # else nothing but the place within the page would change
        await page.goto(f"{self._url}/#/{who.seat.user_id}/{message['channel_id']}/{message['id']}")
        # Before the timeline has all that it fetches, the page may still draw the message once more.
        article = page.locator(f"#timeline[aria-busy='false'] [data-message='{message['id']}']")
        await article.wait_for()
        await page.add_style_tag(content=_style())
        await page.evaluate("() => Promise.all([...document.fonts].map((face) => face.load()))")
        await article.evaluate(
            "async (node) => { for (const image of node.querySelectorAll('img')) { image.loading = 'eager'; "
            "await image.decode(); } }"
        )
        await page.evaluate(_STILL, _INSTEAD)
        await article.evaluate("(node) => { node.blur(); node.classList.add('photographed'); }")
        await letters.check_letters(article)
        high = await article.evaluate("(node) => Math.ceil(node.getBoundingClientRect().height)")
        clip: FloatRect = {"x": 0, "y": 0, "width": WIDTH, "height": high}
        return await page.screenshot(animations="disabled", caret="hide", scale="css", clip=clip)


@asynccontextmanager
async def open_browser() -> AsyncIterator[Browser]:
    """The machine's own Chromium, without the machine's fonts; nothing is downloaded.

    Raises:
        LookupError: when there is none.
    """
    path = program()
    if path is None:
        raise LookupError(f"none of {', '.join(PROGRAMS)} is on this machine")
    async with async_playwright() as playwright:
        environment = letters.browser_environment()
        browser = await playwright.chromium.launch(executable_path=path, args=_FLAGS, env=environment)
        yield browser
        await browser.close()


@asynccontextmanager
async def open_phone(browser: Browser, url: str) -> AsyncIterator[Phone]:
    """A phone on which a playground is open."""
    context = await browser.new_context(
        viewport={"width": WIDTH, "height": HEIGHT},
        device_scale_factor=1,
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
        locale="en-GB",
        timezone_id="UTC",
        color_scheme="dark",
        bypass_csp=True,  # the style of these pictures is none of the page's own
    )
    context.set_default_timeout(PATIENCE * 1000)
    page = await context.new_page()
    await page.route_web_socket("**", lambda _: None)  # it opens, and no event ever comes through it
    yield Phone(page, url)
    await context.close()
