"""A server on which people take seats first and draw their races in turn 1."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from simcord.results import InteractionResult

from bot.client import PlotroomBot
from bot.settings import HostSettings
from bot.store.tables import CampaignRow
from rules_engine import rulebooks
from tests.bot.worlds.simulated_server import SimulatedServer, said, simulated_server

CONFIG = Path(__file__).resolve().parents[2] / "racesconfig"
TITLE = "Races"
COMMANDERS = {"seat-1": "ann", "seat-2": "leo", "seat-3": "zoe"}


class RacesServer(SimulatedServer):
    """The same server with this rulebook. Ann sits on seat 1, leo on 2, zoe on 3; sam watches, rita referees."""

    def new_bot(self) -> PlotroomBot:
        settings = HostSettings(_env_file=None, config_dir=CONFIG)  # type: ignore[call-arg]  pydantic-settings takes it
        return PlotroomBot(self.store, settings, now=self.now, clock_wait=self._clock_wait)

    async def create(self, **options: Any) -> InteractionResult:
        """Rita tries to found a campaign; gives what she is told."""
        return await self.slash(self.rita, "campaign create", **{"title": TITLE, "scenario": "races/open", **options})

    async def begin(self, title: str = TITLE, *, scenario: str = "races/open") -> str:
        """A campaign of three seats under way: all are asked which race they would like."""
        campaign = await self.found(title, scenario=scenario, seats=3)
        for side, who in COMMANDERS.items():
            await self.slash(self.people[who], "campaign join", side=side.replace("-", " "), campaign=campaign)
        await self.slash(self.sam, "campaign join", side="spectator", campaign=campaign)
        assert "has begun" in said(await self.slash(self.rita, "campaign start", campaign=campaign))
        return campaign

    async def wish(self, *, then: bool = True) -> None:
        """Ann would be Hydran, leo Lyran, zoe Gorn; and (``then``) all are ready, so that they draw."""
        for who, race in (("ann", "Hydran"), ("leo", "Lyran"), ("zoe", "Gorn")):
            await self.fill(self.people[who], "Race", "0.0", f0=[race])
            if then:
                await self.press(self.people[who], "Race", "Ready")

    async def kept_names(self) -> list[str]:
        """How the sides are called in the database."""
        async with self.store.read() as tx:
            sides = (await tx.connection.execute(sa.select(CampaignRow.sides))).scalar_one()
        return [side["name"] for side in sides]

    async def shown_names(self) -> dict[str, tuple[str, str]]:
        """How the sides' roles and channels are called on Discord, by side."""
        found: dict[str, tuple[str, str]] = {}
        for side in COMMANDERS:
            role = await self.role(side)
            found[side] = (role.name.partition(" [")[0], (await self.stored(f"side:{side}")).name)
        return found

    async def role(self, side: str) -> Any:
        """A side's role."""
        return self.env.backend.guilds[self.guild.id].roles[await self._id(f"role:{side}")]

    async def stored(self, key: str) -> Any:
        """A place's channel, as Discord keeps it."""
        return self.env.backend.get_channel(await self._id(key))

    async def _id(self, key: str) -> int:
        (campaign,) = await self.rows(CampaignRow.id)
        async with self.store.read() as tx:
            found = await tx.places.find(campaign, key)
        assert found is not None, key
        return found

    def renamings(self) -> list[str]:
        """The calls so far that gave a role or a channel another name."""
        return [
            request.path
            for request in self.env.http_requests
            if request.method == "PATCH" and isinstance(request.json, dict) and "name" in request.json
        ]


@asynccontextmanager
async def races_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RacesServer]:
    """A server with a bot that runs."""
    monkeypatch.setattr(rulebooks, "_PACKAGES", {"races": "tests.bot.worlds.races"})
    async with simulated_server(tmp_path, RacesServer) as made:
        assert isinstance(made, RacesServer)
        yield made
