"""A server on which four sides go to their islands, and what happens on each is a strand of its own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.client import PlotroomBot
from bot.settings import HostSettings
from bot.store.tables import DeadlineRow, PromptRow
from rules_engine import rulebooks
from tests.bot.worlds.simulated_server import SimulatedServer, said, simulated_server

CONFIG = Path(__file__).resolve().parents[2] / "islandsconfig"
EAST, WEST = "T1/meet/0101", "T1/meet/0102"
COMMANDERS = {"ash": "ann", "birch": "leo", "cedar": "zoe", "dogwood": "mia"}


class IslandsServer(SimulatedServer):
    """The same server with this rulebook. Ann commands ash, leo birch, zoe cedar, mia dogwood; rita referees."""

    def new_bot(self) -> PlotroomBot:
        settings = HostSettings(_env_file=None, config_dir=CONFIG)  # type: ignore[call-arg]  pydantic-settings takes it
        return PlotroomBot(self.store, settings, now=self.now, clock_wait=self._clock_wait)

    async def found(self, title: str = "Islands", **options: Any) -> str:
        """Rita founds a campaign; gives its id."""
        return await super().found(title, scenario="islands/four", **options)

    async def begin(self, title: str = "Islands", *, early: bool = True) -> str:
        """A campaign under way, in which all are asked where they go."""
        campaign = await self.found(title)
        if not early:
            await self.slash(self.rita, "campaign settings", campaign=campaign, early=False)
        for side, who in COMMANDERS.items():
            await self.slash(self.people[who], "campaign join", side=side, campaign=campaign)
        assert "has begun" in said(await self.slash(self.rita, "campaign start", campaign=campaign))
        return campaign

    def commander(self, side: str) -> Any:
        """Who commands it."""
        return self.people[COMMANDERS[side]]

    async def name(self, side: str, title: str, value: str) -> None:
        """Press that answer on the sheet of that title."""
        await self.press(self.commander(side), title, value)

    async def go(self, **places: str) -> None:
        """All go to their islands, and play goes on."""
        for side, place in places.items():
            await self.name(side, "Go", place)
            await self.press(self.commander(side), "Go", "Ready")

    async def part(self, *, early: bool = True) -> str:
        """Ash and birch meet in the east, cedar and dogwood in the west: two strands are open."""
        campaign = await self.begin(early=early)
        places = {"ash": "0101", "birch": "0101", "cedar": "0102", "dogwood": "0102"}
        if early:
            await self.go(**places)
        else:
            for side, place in places.items():
                await self.name(side, "Go", place)
            await self.later(24 * 3600 + 60)
        return campaign

    async def claim(self, value: int, *sides: str) -> None:
        """They make their claims and are ready."""
        for side in sides:
            await self.name(side, "Claim", str(value))
            await self.press(self.commander(side), "Claim", "Ready")

    async def clocks(self) -> dict[str, Any]:
        """When each open strand closes."""
        strands = await self.rows(DeadlineRow.strand, DeadlineRow.opened_seq > 0)
        return {one: (await self.rows(DeadlineRow.falls_at, DeadlineRow.strand == one))[0] for one in sorted(strands)}

    async def open_in(self, strand: str) -> list[str]:
        """The sides with an open prompt in a strand."""
        return sorted(await self.rows(PromptRow.side, PromptRow.strand == strand, PromptRow.status == "open"))

    async def asks_titled(self, title: str) -> list[str]:
        """The ids of the open asks of that title."""
        return await self.rows(PromptRow.ask_id, PromptRow.title == title, PromptRow.status == "open")

    def heard(self, side: str) -> list[tuple[str, str]]:
        """All that stands in a commander's direct messages, with the moment of each message."""
        return [(str(one.created_at), one.content) for one in self.dms(self.commander(side))]


@asynccontextmanager
async def islands_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[IslandsServer]:
    """A server with a bot that runs."""
    monkeypatch.setattr(rulebooks, "_PACKAGES", {"islands": "tests.bot.worlds.islands"})
    async with simulated_server(tmp_path, IslandsServer) as made:
        assert isinstance(made, IslandsServer)
        yield made
