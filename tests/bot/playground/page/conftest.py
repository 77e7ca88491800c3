"""A playground with its bot in this process, and a headless Chromium in which its page is used."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, ConsoleMessage, Page, async_playwright, expect

from bot.discord_address import point_client_at
from bot.playground import PlaygroundConfig, PlaygroundServer, serve
from tests.bot.playground.page.scene import PageBot, PageScene
from tests.patience import PATIENCE
from tests.screens.letters import browser_environment

#: Milliseconds that the page may take for anything a test waits for.
MILLISECONDS = PATIENCE * 1_000

#: The browser asks nobody but the playground: not even for its own updates.
_FLAGS = ("--disable-background-networking", "--disable-component-update", "--disable-quic", "--disable-sync")

expect.set_options(timeout=MILLISECONDS)

# A browser lives in one event loop, so the tests that share it, and what they need, share that loop.
on_the_shared_loop = pytest_asyncio.fixture(loop_scope="session")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """The machine's own Chromium, started once, with letters that every machine has; nothing is downloaded."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("no Chromium on this machine (apt-get install chromium)")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=_FLAGS, env=browser_environment())
        yield browser
        await browser.close()


@on_the_shared_loop
async def server() -> AsyncIterator[PlaygroundServer]:
    async with await serve(PlaygroundConfig(first_answer_within=PATIENCE)) as server:
        yield server


@on_the_shared_loop
async def scene(server: PlaygroundServer) -> AsyncIterator[PageScene]:
    """The server for the page, its bot connected."""
    point_client_at(server.url)
    bot = PageBot()
    scene = PageScene(server, bot)
    running = asyncio.create_task(bot.start("playground-token"))
    await asyncio.wait_for(bot.ready.wait(), PATIENCE)
    yield scene
    await bot.close()
    await asyncio.wait({running}, timeout=PATIENCE)


@asynccontextmanager
async def window(browser: Browser, **kind: Any) -> AsyncIterator[Page]:
    """A fresh window with storage of its own; at its end no script may have failed and no load been refused."""
    faults: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        # What the playground refuses is told here too, and the tests look at what the page makes of it.
        if message.type in ("error", "warning") and not message.text.startswith("Failed to load resource: the server"):
            faults.append(message.text)

    context = await browser.new_context(reduced_motion="reduce", **kind)
    context.set_default_timeout(MILLISECONDS)
    context.on("weberror", lambda error: faults.append(str(error.error)))
    context.on("console", heard)
    yield await context.new_page()
    await context.close()
    assert faults == []


@on_the_shared_loop
async def tab(browser: Browser) -> AsyncIterator[Page]:
    """A window on a desktop."""
    async with window(browser, viewport={"width": 1280, "height": 800}) as tab:
        yield tab


@on_the_shared_loop
async def phone(browser: Browser) -> AsyncIterator[Page]:
    """A window on a phone."""
    size = {"width": 390, "height": 844}
    async with window(browser, viewport=size, device_scale_factor=2, is_mobile=True, has_touch=True) as tab:
        yield tab
