"""A server on which Cutler's introduction is played, with a commander for each race."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.client import PlotroomBot
from bot.settings import HostSettings
from tests.bot.worlds.simulated_server import SimulatedServer, said, simulated_server

SHEET = "Turn 1: economy"
SEATS = {"ann": "hydran", "leo": "lyran", "mia": "klingon"}


class CrownsServer(SimulatedServer):
    """Ann commands the Hydrans, leo the Lyrans, mia the Klingons; rita referees, sam watches."""

    def new_bot(self) -> PlotroomBot:
        return PlotroomBot(self.store, HostSettings(), now=self.now, clock_wait=self._clock_wait)

    async def begin(self, title: str = "Crowns") -> str:
        """A campaign under way."""
        campaign = await self.found(title, scenario="cutler/intro")
        for who, side in SEATS.items():
            await self.slash(self.people[who], "campaign join", side=side, campaign=campaign)
        await self.slash(self.sam, "campaign join", side="spectator", campaign=campaign)
        assert "has begun" in said(await self.slash(self.rita, "campaign start", campaign=campaign))
        return campaign

    async def everybody_is_ready(self) -> None:
        """All are ready with whatever is open, until something else is."""
        for who in SEATS:
            await self.slash(self.people[who], "orders ready")

    async def box(self, who: Any, shown: Any, label: str, text: str) -> Any:
        """Press a button that opens a box, and send it with this text."""
        opened = await who.click(shown, label=label)
        (control,) = [one["component"]["custom_id"] for one in opened.modal["components"]]
        return await who.submit_modal(opened, {control: text})


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[CrownsServer]:
    """The server, with a bot that runs."""
    async with simulated_server(tmp_path, CrownsServer) as made:
        yield made
