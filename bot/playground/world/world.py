"""The state of the playground: every record in memory, with indexes, written through to the store.

Changes are made by functions of this package that call `touch` or `remove` and `emit`; `commit` writes them
to the file and only then tells the listeners (the gateway and the seats).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from bot.playground.world import permissions
from bot.playground.world.clock import Clock
from bot.playground.world.errors import refuse
from bot.playground.world.model import (
    AppEmoji,
    Blob,
    Channel,
    ChannelType,
    Command,
    Guild,
    Interaction,
    Member,
    Message,
    ReadMark,
    Role,
    StoredRecord,
    User,
)
from bot.playground.world.permissions import Permission
from bot.playground.world.store import Store

_EPOCH_MS = 1_420_070_400_000


def snowflake_time(snowflake: str) -> float:
    """When an id was given, in seconds since 1970."""
    return ((int(snowflake) >> 22) + _EPOCH_MS) / 1000


@dataclass(slots=True)
class Event:
    """Something that happened; `name` is the gateway's name for it. `detail` depends on the name."""

    name: str
    guild_id: str | None = None
    channel: Channel | None = None
    message: Message | None = None
    detail: dict[str, Any] = field(default_factory=dict[str, Any])


class World:
    """Everything that exists, and who may see it."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.store = store
        self.clock = clock
        self.users: dict[str, User] = {}
        self.guilds: dict[str, Guild] = {}
        self.roles: dict[str, dict[str, Role]] = {}
        self.members: dict[str, dict[str, Member]] = {}
        self.channels: dict[str, Channel] = {}
        self.by_guild: dict[str, dict[str, Channel]] = {}
        self.messages: dict[str, dict[str, Message]] = {}
        self.commands: dict[str, Command] = {}
        self.interactions: dict[str, Interaction] = {}
        self.reads: dict[str, ReadMark] = {}
        self.blobs: dict[str, Blob] = {}
        self.emojis: dict[str, AppEmoji] = {}
        self.bot_id = store.meta("bot_id") or ""
        self.application_id = store.meta("application_id") or ""
        self.verify_key = store.meta("verify_key") or ""
        self._last_id = int(store.meta("last_id") or 0)
        self._listeners: list[Callable[[Event], None]] = []
        self._events: list[Event] = []
        for record in store.records():
            self._index(record)

    # --- identity and writing ------------------------------------------------------------------------------------

    def new_id(self) -> str:
        """A snowflake: milliseconds of the playground's clock, always above every earlier one, also after a restart."""
        self._last_id = max(self._last_id + 1, (int(self.clock.now() * 1000) - _EPOCH_MS) << 22)
        return str(self._last_id)

    def touch(self, record: StoredRecord) -> None:
        """Note that a record is new or changed."""
        self._index(record)
        self.store.put(record)

    def remove(self, record: StoredRecord) -> None:
        match record:
            case Role():
                self.roles[record.guild_id].pop(record.id, None)
            case Member():
                self.members[record.guild_id].pop(record.user_id, None)
            case Channel():
                self.channels.pop(record.id, None)
                self.messages.pop(record.id, None)
                if record.guild_id is not None:
                    self.by_guild[record.guild_id].pop(record.id, None)
            case Message():
                self.messages.get(record.channel_id, {}).pop(record.id, None)
            case Command():
                self.commands.pop(record.id, None)
            case Interaction():
                self.interactions.pop(record.id, None)
            case AppEmoji():
                self.emojis.pop(record.id, None)
            case _:
                raise TypeError(f"{record.kind} records are never removed")
        self.store.drop(record)

    def emit(self, event: Event) -> None:
        """Queue an event for the listeners; they hear it after the next commit."""
        self._events.append(event)

    def listen(self, listener: Callable[[Event], None]) -> None:
        self._listeners.append(listener)

    def commit(self) -> None:
        """Make all changes durable, then tell the listeners."""
        if self.store.dirty:
            self.store.set_meta("last_id", str(self._last_id))
            self.store.set_meta("clock_offset", repr(self.clock.offset))
            self.store.commit()
        while self._events:
            events, self._events = self._events, []
            for event in events:
                for listener in self._listeners:
                    listener(event)

    def _index(self, record: StoredRecord) -> None:
        match record:
            case User():
                self.users[record.id] = record
            case Guild():
                self.guilds[record.id] = record
                self.roles.setdefault(record.id, {})
                self.members.setdefault(record.id, {})
                self.by_guild.setdefault(record.id, {})
            case Role():
                self.roles.setdefault(record.guild_id, {})[record.id] = record
            case Member():
                self.members.setdefault(record.guild_id, {})[record.user_id] = record
            case Channel():
                self.channels[record.id] = record
                if record.guild_id is not None:
                    self.by_guild.setdefault(record.guild_id, {})[record.id] = record
            case Message():
                self.messages.setdefault(record.channel_id, {})[record.id] = record
            case Command():
                self.commands[record.id] = record
            case Interaction():
                self.interactions[record.id] = record
            case ReadMark():
                self.reads[record.key] = record
            case Blob():
                self.blobs[record.id] = record
            case AppEmoji():
                self.emojis[record.id] = record
            case _:
                raise TypeError(record.kind)

    # --- looking up ----------------------------------------------------------------------------------------------

    @property
    def bot(self) -> User:
        return self.users[self.bot_id]

    def channel(self, channel_id: str) -> Channel:
        """The channel of that id, or Discord's 10003."""
        channel = self.channels.get(channel_id)
        if channel is None:
            raise refuse("unknown_channel")
        return channel

    def message(self, channel_id: str, message_id: str) -> Message:
        message = self.messages.get(channel_id, {}).get(message_id)
        if message is None:
            raise refuse("unknown_message")
        return message

    def member(self, guild_id: str | None, user_id: str) -> Member | None:
        return None if guild_id is None else self.members.get(guild_id, {}).get(user_id)

    def members_called(self, guild_id: str, beginning: str) -> list[Member]:
        """The members whose name or nickname begins so, in whatever case."""
        wanted = beginning.lower()
        return [
            member
            for member in self.members[guild_id].values()
            if any(name.lower().startswith(wanted) for name in (self.users[member.user_id].name, member.nick or ""))
        ]

    def display(self, user_id: str, guild_id: str | None) -> str:
        """What others call a user there: nickname or display name."""
        member = self.member(guild_id, user_id)
        if member is not None and member.nick:
            return member.nick
        user = self.users.get(user_id)
        return "deleted user" if user is None else user.display

    def guilds_of(self, user_id: str) -> list[Guild]:
        return [guild for guild in self.guilds.values() if user_id in self.members[guild.id]]

    def dm_between(self, one: str, other: str) -> Channel | None:
        pair = {one, other}
        for channel in self.channels.values():
            if channel.type == ChannelType.DM and set(channel.recipients) == pair:
                return channel
        return None

    def threads(self, parent_id: str) -> list[Channel]:
        parent = self.channels[parent_id]
        siblings = self.by_guild.get(parent.guild_id or "", {})
        return [channel for channel in siblings.values() if channel.is_thread and channel.parent_id == parent_id]

    # --- permissions ---------------------------------------------------------------------------------------------

    def guild_permissions(self, user_id: str, guild_id: str) -> int:
        """What a user may do in the guild as a whole; 0 for someone who is no member."""
        member = self.member(guild_id, user_id)
        if member is None:
            return 0
        roles = self.roles[guild_id]
        return permissions.base(
            roles[guild_id].permissions,
            (roles[role].permissions for role in member.roles if role in roles),
            owner=self.guilds[guild_id].owner_id == user_id,
        )

    def permissions(self, user_id: str, channel: Channel) -> int:
        """What a user may do in a channel; 0 where the user sees nothing."""
        if channel.is_dm:
            return permissions.DM if user_id in channel.recipients else 0
        guild_id = channel.guild_id
        assert guild_id is not None
        member = self.member(guild_id, user_id)
        if member is None:
            return 0
        parent = channel
        if channel.is_thread:
            found = self.channels.get(channel.parent_id or "")
            if found is None:
                return 0
            parent = found
        bits = permissions.in_channel(
            self.guild_permissions(user_id, guild_id),
            parent.overwrites,
            guild_id=guild_id,
            member_id=user_id,
            role_ids=member.roles,
        )
        hidden = (
            channel.type == ChannelType.PRIVATE_THREAD
            and user_id not in channel.thread_members
            and not bits & Permission.MANAGE_THREADS
        )
        return 0 if hidden else permissions.implied(bits, thread=channel.is_thread)

    def can_view(self, user_id: str, channel: Channel) -> bool:
        return bool(self.permissions(user_id, channel) & Permission.VIEW_CHANNEL)

    def can_see(self, user_id: str, message: Message, channel: Channel) -> bool:
        """Whether a user may see one message: the channel's visibility, and an ephemeral one's single reader."""
        if message.reader_id is not None:
            return message.reader_id == user_id
        return self.can_view(user_id, channel)

    def top_rank(self, user_id: str, guild_id: str) -> tuple[int, int]:
        """The highest role's place in the hierarchy; the owner stands above all."""
        if self.guilds[guild_id].owner_id == user_id:
            return (1_000_000, 0)
        member = self.member(guild_id, user_id)
        roles = self.roles[guild_id]
        held: Iterable[str] = member.roles if member is not None else ()
        return max((roles[role].rank for role in held if role in roles), default=(-1, 0))
