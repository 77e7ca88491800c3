"""Two bots on one database, of each kind in turn."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.database import open_store
from tests.bot.worlds.beside import store_beside
from tests.bot.worlds.simulated_server import use_toy
from tests.bot.worlds.two_bots import Bot
from tests.databases import POSTGRESQL, SQLITE, prepared_url


@pytest.fixture(params=[SQLITE, POSTGRESQL])
async def two(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Bot, Bot]]:
    """Two bots that know nothing of each other."""
    use_toy(monkeypatch)
    address = prepared_url(tmp_path, request.param)
    first = await open_store(address)
    second = await store_beside(address)
    yield Bot(first), Bot(second)
    await second.close()
    await first.close()
