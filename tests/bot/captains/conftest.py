"""A server on which Cutler's introduction is played, with two commanders of one race."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.client import PlotroomBot
from bot.settings import HostSettings
from tests.bot.worlds.simulated_server import SimulatedServer, said, simulated_server

ECONOMY = "Turn 1: economy"
SEATS = {"ann": "klingon", "abe": "klingon", "zoe": "klingon", "leo": "hydran", "mia": "lyran"}


class CaptainsServer(SimulatedServer):
    """Ann, abe and zoe command the Klingons, leo the Hydrans, mia the Lyrans; rita referees."""

    def new_bot(self) -> PlotroomBot:
        return PlotroomBot(self.store, HostSettings(), now=self.now, clock_wait=self._clock_wait)

    async def begin(self, title: str = "Border") -> str:
        """A campaign under way."""
        campaign = await self.found(title, scenario="cutler/intro")
        for who, side in SEATS.items():
            text = said(await self.slash(self.people[who], "campaign join", side=side, campaign=campaign))
            assert "You command" in text
        assert "has begun" in said(await self.slash(self.rita, "campaign start", campaign=campaign))
        return campaign

    async def hand(self, who: Any, ships: str, to: Any = None) -> str:
        """Hand ships on; gives what the bot says."""
        to_whom = {} if to is None else {"to": to.user}
        return said(await self.slash(who, "ships hand", ships=ships, **to_whom))

    async def write(self, who: Any, title: str, text: str) -> Any:
        """Type orders."""
        box = await self.press(who, title, "Write them")
        (control,) = [one["component"]["custom_id"] for one in box.modal["components"]]
        return await who.user.submit_modal(box, {control: text})


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[CaptainsServer]:
    """The server, with a bot that runs."""
    async with simulated_server(tmp_path, CaptainsServer) as made:
        yield made
