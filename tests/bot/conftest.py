"""A server with the toy rulebook for every test of the commands."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.worlds.simulated_server import SimulatedServer, simulated_server, use_toy


@pytest.fixture
async def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SimulatedServer]:
    """A server with a bot that runs."""
    use_toy(monkeypatch)
    async with simulated_server(tmp_path) as made:
        yield made
