"""Stores on both databases; what needs PostgreSQL skips where there is none."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.database import Store, open_store
from tests.databases import POSTGRESQL, SQLITE, prepared_url


@pytest.fixture(params=[SQLITE, POSTGRESQL])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database in which nothing is kept, of each kind in turn."""
    return prepared_url(tmp_path, request.param)


@pytest.fixture
async def store(address: str) -> AsyncIterator[Store]:
    """An open store, of each kind in turn."""
    opened = await open_store(address)
    yield opened
    await opened.close()
