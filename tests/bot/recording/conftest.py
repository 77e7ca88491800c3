"""Two bots on one database, of each kind in turn."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.database import open_store
from tests.bot.worlds import beside, simulated_server, two_bots
from tests.databases import POSTGRESQL, SQLITE, prepared_url


@pytest.fixture(params=[SQLITE, POSTGRESQL])
async def two(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[two_bots.Bot, two_bots.Bot]]:
    """Two bots that know nothing of each other."""
    simulated_server.use_toy(monkeypatch)
    address = prepared_url(tmp_path, request.param)
    first = await open_store(address)
    second = await beside.store_beside(address)
    yield two_bots.Bot(first), two_bots.Bot(second)
    await second.close()
    await first.close()
