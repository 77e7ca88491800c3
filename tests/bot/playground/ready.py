"""Clients for tests, which are ready once their servers are there, however slowly these come."""

from __future__ import annotations

import asyncio

import discord


class ReadyClient(discord.Client):
    """A client that needs no intent but `guilds`. `ready` is set when it is connected and every server is there.

    discord.py itself goes on when no further server has come for a moment; here that moment is short, because it is
    waited for behind the last server, too.
    """

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), guild_ready_timeout=0.05)
        self.ready = asyncio.Event()

    async def on_ready(self) -> None:
        self._look()

    async def on_guild_available(self, guild: discord.Guild) -> None:
        self._look()

    def _look(self) -> None:
        if self.is_ready() and not any(guild.unavailable for guild in self.guilds):
            self.ready.set()
