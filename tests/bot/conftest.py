"""A server with the toy rulebook for every test of the commands."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PIL import Image

from map_render import render
from tests.bot.worlds.simulated_server import SimulatedServer, simulated_server, use_toy


@pytest.fixture(autouse=True)
def nothing_drawn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Maps of one pixel, with their names and their words: drawing is most of the time of whatever posts a map.

    A test that looks at pictures says so by the mark ``pictures``.
    """
    if request.node.get_closest_marker("pictures") is None:
        for painter in ("paint_theatre", "draw_crop", "draw_card_map"):
            monkeypatch.setattr(render, painter, lambda *_, **__: Image.new("L", (1, 1)))


@pytest.fixture
async def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SimulatedServer]:
    """A server with a bot that runs."""
    use_toy(monkeypatch)
    async with simulated_server(tmp_path) as made:
        yield made


@pytest.fixture
async def game(here: SimulatedServer) -> SimulatedServer:
    """The same server, with a campaign under way."""
    here.campaign = await here.begin()
    return here
