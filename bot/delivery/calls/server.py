"""Calls about a server and the application: roles, channels, threads, emojis. They carry names alone."""

from base64 import b64encode
from collections.abc import Iterable
from typing import Any

import discord
from discord.http import HTTPClient

from bot.delivery.calls.call import called
from bot.delivery.signs.table import Emoji
from bot.records.places import Channel, Overwrite

ARCHIVE_MINUTES = 10_080
"""A thread archives itself after a week of silence; a post wakes it."""

SHORTER_MINUTES = 4_320
"""Another time that Discord allows for that."""

UNKNOWN_CHANNEL = 10003
"""Discord's code: there is no such channel or thread."""

UNKNOWN_PERSON = (10007, 10013)
"""Discord's codes: there is no such member, no such user."""


class ServerCalls:
    """What is made and changed on servers by one client. Errors are discord.py's own."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    @property
    def _http(self) -> HTTPClient:
        """Looked up at each use: a client may be given another one after it was made."""
        return self._client.http

    # --- signs ---------------------------------------------------------------------------------------------------

    async def emojis(self) -> list[Emoji]:
        """The emojis of the application."""
        found = await self._http.get_application_emojis(self._application_id)
        return [Emoji.of(data) for data in found["items"]]

    async def create_emoji(self, name: str, png: bytes) -> Emoji:
        """An emoji of the application. Not found again if it is there already: look before."""
        image = f"data:image/png;base64,{b64encode(png).decode()}"
        create = self._http.create_application_emoji
        return Emoji.of(await called("create_emoji", create, self._application_id, name, image))

    async def delete_emoji(self, emoji_id: int) -> None:
        """Take an emoji away from the application."""
        await called("delete_emoji", self._http.delete_application_emoji, self._application_id, emoji_id)

    @property
    def _application_id(self) -> int:
        if self._client.application_id is None:
            raise RuntimeError("signs only once the client is logged in")
        return self._client.application_id

    # --- roles and channels --------------------------------------------------------------------------------------

    async def roles(self, guild_id: int) -> dict[int, str]:
        """The server's roles that a bot may hand out, by id."""
        return {int(role["id"]): role["name"] for role in await self._http.get_roles(guild_id) if not role["managed"]}

    async def create_role(self, guild_id: int, name: str) -> int:
        """A role without permissions. Mentionable, so that the bot needs no right to ping everybody."""
        role = await called(
            "create_role", self._http.create_role, guild_id, name=name, permissions="0", mentionable=True, hoist=False
        )
        return int(role["id"])

    async def rename_role(self, guild_id: int, role_id: int, name: str) -> None:
        """Call a role otherwise."""
        await called("rename_role", self._http.edit_role, guild_id, role_id, name=name)

    async def grant(self, guild_id: int, user_id: int, role_id: int) -> None:
        """Give a role; giving it twice is the same."""
        await called("grant", self._http.add_role, guild_id, user_id, role_id)

    async def revoke(self, guild_id: int, user_id: int, role_id: int) -> None:
        """Take a role; taking it twice is the same."""
        await called("revoke", self._http.remove_role, guild_id, user_id, role_id)

    async def member_roles(self, guild_id: int, user_id: int) -> frozenset[int] | None:
        """The roles that somebody has on a server; None for who is not on it."""
        try:
            member = await self._http.get_member(guild_id, user_id)
        except discord.NotFound as error:
            if error.code not in UNKNOWN_PERSON:
                raise
            return None
        return frozenset(int(role) for role in member["roles"])

    async def channels(self, guild_id: int) -> list[Channel]:
        """The server's channels and categories."""
        return [Channel.of(data) for data in await self._http.get_all_guild_channels(guild_id)]

    async def channel(self, channel_id: int) -> Channel:
        """One channel, as it is now."""
        return Channel.of(await self._http.get_channel(channel_id))

    async def create_channel(
        self, guild_id: int, name: str, *, overwrites: Iterable[Overwrite], topic: str = "", parent: int | None = None
    ) -> Channel:
        """A text channel, or a category if it has no parent, closed or open as ``overwrites`` say from the start."""
        kind = discord.ChannelType.category if parent is None else discord.ChannelType.text
        options: dict[str, Any] = {"topic": topic, "parent_id": parent} if parent is not None else {}
        data = await called(
            "create_channel",
            self._http.create_channel,
            guild_id,
            kind.value,  # type: ignore[arg-type]
            name=name,
            permission_overwrites=[overwrite.as_json() for overwrite in overwrites],
            **options,
        )
        return Channel.of(data)

    async def rename_channel(self, channel_id: int, name: str, topic: str) -> None:
        """Call a channel otherwise. Discord takes two such calls in ten minutes, and lets a third wait."""
        await called("rename_channel", self._http.edit_channel, channel_id, name=name, topic=topic)

    async def move_channel(self, channel_id: int, category_id: int) -> None:
        """Put a channel into a category, with the overwrites that it has."""
        await called("move_channel", self._http.edit_channel, channel_id, parent_id=category_id)

    async def set_overwrites(self, channel_id: int, overwrites: Iterable[Overwrite]) -> None:
        """Replace all overwrites of a channel."""
        await called(
            "set_overwrites",
            self._http.edit_channel,
            channel_id,
            permission_overwrites=[one.as_json() for one in overwrites],
        )

    # --- threads -------------------------------------------------------------------------------------------------

    async def create_private_thread(self, channel_id: int, name: str) -> int:
        """A thread that only its members see; they cannot invite others."""
        data = await called(
            "create_thread",
            self._http.start_thread_without_message,
            channel_id,
            name=name,
            auto_archive_duration=ARCHIVE_MINUTES,
            type=discord.ChannelType.private_thread.value,  # type: ignore[arg-type]
            invitable=False,
        )
        return int(data["id"])

    async def private_threads(self, guild_id: int, channel_id: int) -> dict[str, int]:
        """The private threads of a channel by name, active and archived."""
        active = (await self._http.get_active_threads(guild_id))["threads"]
        archived = (await self._http.get_private_archived_threads(channel_id))["threads"]
        return {data["name"]: int(data["id"]) for data in (*archived, *active) if int(data["parent_id"]) == channel_id}

    async def add_to_thread(self, thread_id: int, user_id: int) -> None:
        """Let a user see a private thread; adding twice is the same."""
        await called("add_to_thread", self._http.add_user_to_thread, thread_id, user_id)

    async def remove_from_thread(self, thread_id: int, user_id: int) -> None:
        """Let a user see a private thread no longer; removing twice is the same."""
        await called("remove_from_thread", self._http.remove_user_from_thread, thread_id, user_id)

    async def archive(self, thread_id: int, *, archived: bool = True) -> None:
        """Archive and lock a thread, or open it again."""
        await called("archive", self._http.edit_channel, thread_id, archived=archived, locked=archived)

    async def stir(self, thread_id: int) -> None:
        """Open a thread that sleeps, and have one that is awake sleep a week from now on, without a word in it.

        Discord counts silence anew when the time after which it puts a thread away becomes another one.
        """
        edit = self._http.edit_channel
        await called("stir", edit, thread_id, archived=False, locked=False, auto_archive_duration=SHORTER_MINUTES)
        await called("stir", edit, thread_id, auto_archive_duration=ARCHIVE_MINUTES)

    async def is_in_thread(self, thread_id: int, user_id: int) -> bool:
        """Whether a user is a member of a thread, archived or not."""
        try:
            await self._http.get_thread_member(thread_id, user_id)
        except discord.NotFound as error:
            if error.code == UNKNOWN_CHANNEL:
                raise
            return False
        return True
