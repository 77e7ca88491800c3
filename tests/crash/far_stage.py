"""The stage with the playground in a process of its own, which may be killed like the bot."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import aiohttp

from bot.playground import PlaygroundConfig, serve
from bot.playground.world.world import World
from tests.checkout import ROOT
from tests.databases import DEFAULT, database_url
from tests.e2e.people import Person
from tests.e2e.stage import PersonsSeat, Stage
from tests.patience import PATIENCE
from tests.ports import kept_port


class FarStage(Stage):
    """A stage whose playground is another process. What stands on it is known from its file, once all is over."""

    playground: asyncio.subprocess.Process
    config: PlaygroundConfig
    _coming_back: asyncio.Lock

    async def start_playground(self) -> None:
        """Start the playground's process on its file."""
        config = self.config
        words = ("--port", str(config.port), "--state", str(config.state), "--token", config.token)
        words += ("--first-answer-within", str(config.first_answer_within))
        with (self.folder / "playground.log").open("ab") as log:
            self.playground = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bot.playground", *words, cwd=ROOT, stdout=log, stderr=log
            )

    async def kill_playground(self) -> None:
        """End the playground as a power cut would, and start it again."""
        self.playground.kill()
        await self.playground.wait()
        await self.start_playground()

    async def people_back(self) -> None:
        """Have everybody see the playground again, as a page does that was loaded anew."""
        async with self._coming_back, asyncio.timeout(PATIENCE):
            for person in self.people.values():
                while person.seat.lost:
                    with contextlib.suppress(aiohttp.ClientError, OSError):
                        await person.seat.close()
                        await person.seat.connect()
                        continue
                    await asyncio.sleep(0.1)

    async def _discords_time_passes(self, seconds: float) -> None:
        """Of the other process nobody knows whether it was killed before or after it was told: the bot's time is what
        matters."""

    @asynccontextmanager
    async def world_at_the_end(self) -> AsyncIterator[World]:
        """What stands on the playground, whose process is ended."""
        self.playground.terminate()
        await self.playground.wait()
        async with await serve(self.config) as server:
            yield server.world


@asynccontextmanager
async def open_far_stage(
    folder: Path, *, seed: bytes, names: Sequence[str], database: str = DEFAULT
) -> AsyncIterator[FarStage]:
    """A stage with these people on it and the playground beside it; the bot is not started yet."""
    async with AsyncExitStack() as stack:
        port = stack.enter_context(kept_port())
        config = PlaygroundConfig(state=folder / "playground.db", port=port, first_answer_within=PATIENCE)
        async with await serve(config) as server:
            users = {name: server.setup.create_user({"name": name, "display": name.title()}) for name in names}
            owner = server.setup.create_user({"name": "olga", "display": "Olga"})
            guild = server.setup.create_guild({"name": "Harbour", "owner_id": owner["id"]})
            for user in users.values():
                server.setup.add_member(guild["id"], {"user_id": user["id"]})
            server.world.commit()
        stage = FarStage(server, folder, seed, guild, {}, database_url(folder, database))
        stage.config, stage._coming_back = config, asyncio.Lock()
        await stage.start_playground()
        try:
            for name, user in users.items():
                seat = PersonsSeat(server.url, user["id"], channel=guild["general_channel_id"])
                stage.people[name] = Person(name, seat)
                stack.push_async_callback(seat.close)
            await stage.people_back()
            yield stage
        finally:
            if stage.process is not None and stage.process.returncode is None:
                await stage.kill_bot()
            stage.time.close()
            if stage.playground.returncode is None:
                stage.playground.kill()
                await stage.playground.wait()
