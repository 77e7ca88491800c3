"""A playground in this process, with and without a real discord.py client connected."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.discord_address import point_client_at
from bot.playground import PlaygroundConfig, PlaygroundServer, serve
from tests.bot.playground.rest import Rest
from tests.bot.playground.scene import Scene, make_scene
from tests.patience import PATIENCE


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


@pytest.fixture
async def scene(stack: AsyncExitStack) -> Scene:
    """A scene without the bot connected."""
    server = await stack.enter_async_context(await serve(PlaygroundConfig(first_answer_within=PATIENCE)))
    point_client_at(server.url)
    return await make_scene(server, stack)


@pytest.fixture
async def live(scene: Scene) -> Scene:
    """A scene with the bot connected and its commands synced."""
    await scene.start_bot()
    return scene


@pytest.fixture
def reopen(tmp_path: Path, stack: AsyncExitStack) -> Callable[[], Awaitable[PlaygroundServer]]:
    """Starts a playground on the same file each time."""

    async def start() -> PlaygroundServer:
        server = await serve(PlaygroundConfig(state=tmp_path / "state.db"))
        point_client_at(server.url)
        return server

    return start


@pytest.fixture
async def rest(scene: Scene) -> AsyncIterator[Rest]:
    client = Rest(scene.server.url)
    yield client
    await client.close()
