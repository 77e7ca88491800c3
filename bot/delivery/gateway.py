"""What is asked of Discord beside what leaves: its gateway, as the watch over it sees it, and what people wrote."""

import aiohttp
import discord
from discord.gateway import DiscordWebSocket

from bot.records.places import Channel, Overwrite, Server

MOST_AT_ONCE = 100
"""Members that one question may name."""

NO_SESSION = "0" * 32
"""No session has this name: to resume it is refused, and a fresh one is begun."""


class ServerGateway:
    """Asks servers for members: by their ids that takes no privileged intent, and leaves no trace in a server's log."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def members(self, guild_id: int, user_ids: list[int]) -> dict[int, frozenset[int]] | None:
        """The roles of those of these users who are on a server, as an event tells them; None for a server that is not
        there.

        Raises:
            TimeoutError: when no event comes, or there is no connection.
        """
        guild = self._client.get_guild(guild_id)
        if guild is None or guild.unavailable:
            return None
        found: dict[int, frozenset[int]] = {}
        try:
            for first in range(0, len(user_ids), MOST_AT_ONCE):
                asked = user_ids[first : first + MOST_AT_ONCE]
                for member in await guild.query_members(user_ids=asked, limit=MOST_AT_ONCE, cache=False):
                    found[member.id] = frozenset(role.id for role in member.roles)
        except (RuntimeError, OSError, aiohttp.ClientError, discord.ConnectionClosed) as error:
            raise TimeoutError from error
        return found

    def owner(self, guild_id: int) -> int | None:
        """Whose server it is; None for one that is not there."""
        guild = self._client.get_guild(guild_id)
        return None if guild is None else guild.owner_id

    def servers(self) -> list[int]:
        """The servers that the bot is on, those included that Discord cannot serve now."""
        return [guild.id for guild in self._client.guilds]

    def bot_id(self) -> int:
        """The bot's own user; 0 before it is logged in."""
        return 0 if self._client.user is None else self._client.user.id

    def standing(self, guild_id: int) -> Server | None:
        """A server as events have described it; None for one that is not there."""
        guild = self._client.get_guild(guild_id)
        if guild is None or guild.unavailable:
            return None
        return Server(
            roles=frozenset(role.id for role in guild.roles),
            channels={channel.id: _described(channel) for channel in guild.channels},
            awake=frozenset(thread.id for thread in guild.threads if not thread.archived),
        )

    async def begin_anew(self) -> None:
        """Open a fresh session; nothing where there is no connection, for then one is being opened."""
        connection: DiscordWebSocket | None = getattr(self._client, "ws", None)  # not yet there at first
        if connection is not None and connection.open:
            connection.session_id, connection.sequence = NO_SESSION, 0
            await connection.close(4000)


def _described(channel: discord.abc.GuildChannel) -> Channel:
    overwrites = frozenset(
        Overwrite(
            target.id,
            isinstance(target, discord.Role) or (isinstance(target, discord.Object) and target.type is discord.Role),
            *(bits.value for bits in overwrite.pair()),
        )
        for target, overwrite in channel.overwrites.items()
    )
    is_category = isinstance(channel, discord.CategoryChannel)
    return Channel(channel.id, channel.name, "", is_category, overwrites, channel.category_id)


class ChannelHistory:
    """Reads what was written in channels."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    @property
    def bot_id(self) -> int | None:
        """The bot's own user; None before it is logged in."""
        return None if self._client.user is None else self._client.user.id

    async def written(self, channel_id: int, *, before: int | None, most: int) -> list[discord.Message]:
        """The last messages of a channel, anybody's, up to the one ``before`` (None: to its end), oldest first."""
        channel = self._client.get_partial_messageable(channel_id)
        until = None if before is None else discord.Object(before)
        return [one async for one in channel.history(limit=most, before=until)][::-1]
