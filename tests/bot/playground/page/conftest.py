"""A playground with its bot in this process, and a headless Chromium in which its page is used."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator

import pytest

from bot.discord_address import point_client_at
from bot.playground import PlaygroundConfig, PlaygroundServer, serve
from tests.bot.playground.page.devtools import Chromium, Tab
from tests.bot.playground.page.scene import PageBot, PageScene


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("no Chromium on this machine (apt-get install chromium)")
    browser = Chromium(program, tmp_path_factory.mktemp("chromium"))
    yield browser
    browser.close()


@pytest.fixture
async def server() -> AsyncIterator[PlaygroundServer]:
    async with await serve(PlaygroundConfig()) as server:
        yield server


@pytest.fixture
async def scene(server: PlaygroundServer) -> AsyncIterator[PageScene]:
    """The server for the page, its bot connected."""
    point_client_at(server.url)
    scene = PageScene(server)
    bot = PageBot()
    running = asyncio.create_task(bot.start("playground-token"))
    await asyncio.wait_for(bot.up.wait(), 10)
    yield scene
    await bot.close()
    await asyncio.wait({running}, timeout=5)


@pytest.fixture
async def tab(chromium: Chromium) -> AsyncIterator[Tab]:
    """A fresh window on a desktop; at its end no script may have failed and no load may have been refused."""
    async with Tab(chromium) as tab:
        await tab.size(1280, 800)
        yield tab
        assert tab.faults == []
