"""The demo campaign of ``plotroom play``, on a machine that is too busy for Discord's three seconds."""

import asyncio
from pathlib import Path

import discord
import pytest
from discord import app_commands

from bot.cli import playing
from bot.discord_address import point_client_at
from bot.playground import PlaygroundServer
from tests.bot.playground.ready import ReadyClient
from tests.bot.playground.scene import running
from tests.patience import PATIENCE


class SlowBot(ReadyClient):
    """A bot that knows of no campaign, and does not get round to saying how many can play."""

    def __init__(self) -> None:
        super().__init__()
        self.tree = app_commands.CommandTree(self)
        self.asked = asyncio.Event()

    async def setup_hook(self) -> None:
        group = app_commands.Group(name="campaign", description="Campaigns")

        @group.command(name="list", description="Lists them")
        async def listed(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("No campaign yet.")

        @group.command(description="Founds one")
        async def create(interaction: discord.Interaction, scenario: str, seats: int) -> None:
            raise AssertionError("nothing is founded")

        @create.autocomplete("seats")
        async def numbers(interaction: discord.Interaction, _: int) -> list[app_commands.Choice[int]]:
            self.asked.set()
            return await asyncio.Future()

        self.tree.add_command(group)
        await self.tree.sync()


async def founding(server: PlaygroundServer, bot: SlowBot) -> "asyncio.Task[None]":
    """The demo being founded, as far as where it asks how many can play."""
    task = asyncio.create_task(playing._ready(server, playing.Demo("cutler/ring", 8)))
    await asyncio.wait_for(bot.asked.wait(), PATIENCE)
    return task


async def test_a_late_completion_is_told_as_no_answer_and_not_as_a_scenario_without_a_choice(tmp_path: Path) -> None:
    async with playing.playground(0, tmp_path) as server:
        point_client_at(server.url)
        bot = SlowBot()
        async with running(bot):
            ready = await founding(server, bot)
            server.clock.advance(playing.PATIENCE / 2)
            async with server.seat(playing.SPECTATOR) as seat:
                await seat.state()  # time for an answer to come
            assert not ready.done(), "it is waited for longer than Discord would"
            server.clock.advance(playing.PATIENCE / 2)
            with pytest.raises(playing.CannotPlay, match="not founded: the bot did not answer in time"):
                await ready
            assert server.interactions.first_answer_within == 3.0, "people who play are answered as on Discord"
