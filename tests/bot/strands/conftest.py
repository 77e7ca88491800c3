"""A server on which play parts."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.worlds.islands_server import IslandsServer, islands_server


@pytest.fixture
async def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[IslandsServer]:
    """A server with a bot that runs."""
    async with islands_server(tmp_path, monkeypatch) as made:
        yield made
