"""What the playground keeps: users, guilds, roles, members, channels, messages, commands, interactions.

Each record is a flat dataclass of JSON values, stored whole under (kind, key). Ids are strings of digits.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, ClassVar, Self

from bot.playground.world.permissions import Overwrite


class ChannelType(IntEnum):
    TEXT = 0
    DM = 1
    VOICE = 2
    CATEGORY = 4
    NEWS = 5
    NEWS_THREAD = 10
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12


THREADS = frozenset({ChannelType.NEWS_THREAD, ChannelType.PUBLIC_THREAD, ChannelType.PRIVATE_THREAD})

EPHEMERAL = 1 << 6
LOADING = 1 << 7
SUPPRESS_EMBEDS = 1 << 2
SUPPRESS_NOTIFICATIONS = 1 << 12
HAS_THREAD = 1 << 5
COMPONENTS_V2 = 1 << 15


class StoredRecord:
    """Base of all records; `kind` and `key` together name one."""

    __slots__ = ()
    kind: ClassVar[str]

    @property
    def key(self) -> str:
        raise NotImplementedError

    def dump(self) -> str:
        return json.dumps({name: getattr(self, name) for name in self.__slots__}, separators=(",", ":"))

    @classmethod
    def load(cls, text: str) -> Self:
        return cls(**json.loads(text))


@dataclass(slots=True)
class User(StoredRecord):
    kind: ClassVar[str] = "user"
    id: str
    name: str
    display: str
    bot: bool = False
    avatar_color: str = "#5865f2"
    note: str = ""
    dms_open: bool = True
    locale: str = "en-US"

    @property
    def key(self) -> str:
        return self.id


@dataclass(slots=True)
class Guild(StoredRecord):
    kind: ClassVar[str] = "guild"
    id: str
    name: str
    owner_id: str
    system_channel_id: str | None = None

    @property
    def key(self) -> str:
        return self.id


@dataclass(slots=True)
class Role(StoredRecord):
    kind: ClassVar[str] = "role"
    id: str
    guild_id: str
    name: str
    permissions: int
    position: int
    color: int = 0
    hoist: bool = False
    mentionable: bool = False
    bot_id: str | None = None

    @property
    def key(self) -> str:
        return self.id

    @property
    def rank(self) -> tuple[int, int]:
        """Order in the hierarchy: position, and among equals the older role is higher."""
        return self.position, -int(self.id)


@dataclass(slots=True)
class Member(StoredRecord):
    kind: ClassVar[str] = "member"
    guild_id: str
    user_id: str
    joined_at: str
    nick: str | None = None
    roles: list[str] = field(default_factory=list[str])

    @property
    def key(self) -> str:
        return f"{self.guild_id}:{self.user_id}"


@dataclass(slots=True)
class Channel(StoredRecord):
    """A guild channel, a category, a thread or a DM; fields that its type does not use keep their defaults."""

    kind: ClassVar[str] = "channel"
    id: str
    type: int
    guild_id: str | None = None
    name: str = ""
    topic: str | None = None
    parent_id: str | None = None
    position: int = 0
    nsfw: bool = False
    rate_limit_per_user: int = 0
    default_auto_archive_duration: int | None = None
    overwrites: list[Overwrite] = field(default_factory=list[Overwrite])
    last_message_id: str | None = None
    last_pin_timestamp: str | None = None
    owner_id: str | None = None
    archived: bool = False
    locked: bool = False
    invitable: bool = True
    auto_archive_duration: int = 4320
    archive_timestamp: str | None = None
    create_timestamp: str | None = None
    thread_members: dict[str, str] = field(default_factory=dict[str, str])
    message_count: int = 0
    total_message_sent: int = 0
    recipients: list[str] = field(default_factory=list[str])

    @property
    def key(self) -> str:
        return self.id

    @property
    def is_thread(self) -> bool:
        return self.type in THREADS

    @property
    def is_dm(self) -> bool:
        return self.type == ChannelType.DM


@dataclass(slots=True)
class Message(StoredRecord):
    """A message.

    `reader_id` is the only user who sees an ephemeral one; `interaction` is the metadata of the interaction it answers.
    """

    kind: ClassVar[str] = "message"
    id: str
    channel_id: str
    author_id: str
    timestamp: str
    type: int = 0
    content: str = ""
    embeds: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    components: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    attachments: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    flags: int = 0
    tts: bool = False
    edited_timestamp: str | None = None
    mentions: list[str] = field(default_factory=list[str])
    mention_roles: list[str] = field(default_factory=list[str])
    mention_everyone: bool = False
    pinned_at: str | None = None
    nonce: str | int | None = None
    enforced_nonce: bool = False
    reference: dict[str, Any] | None = None
    webhook_id: str | None = None
    interaction: dict[str, Any] | None = None
    reader_id: str | None = None
    thread_id: str | None = None

    @property
    def key(self) -> str:
        return self.id

    @property
    def ephemeral(self) -> bool:
        return bool(self.flags & EPHEMERAL)


@dataclass(slots=True)
class Command(StoredRecord):
    """One application command as the bot registered it; `guild_id` None means global."""

    kind: ClassVar[str] = "command"
    id: str
    name: str
    guild_id: str | None
    version: str
    data: dict[str, Any]

    @property
    def key(self) -> str:
        return self.id


@dataclass(slots=True)
class Interaction(StoredRecord):
    """An interaction that was delivered; `response` is the type of the first answer, `original_id` its message."""

    kind: ClassVar[str] = "interaction"
    id: str
    token: str
    type: int
    user_id: str
    channel_id: str
    guild_id: str | None
    created: float
    context: int
    command_line: str | None = None
    command_name: str | None = None
    message_id: str | None = None
    response: int | None = None
    original_id: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    modal: dict[str, Any] | None = None
    modal_open: bool = False
    failed: bool = False

    @property
    def key(self) -> str:
        return self.id


@dataclass(slots=True)
class ReadMark(StoredRecord):
    """How far a user has read a channel."""

    kind: ClassVar[str] = "read"
    user_id: str
    channel_id: str
    message_id: str = "0"

    @property
    def key(self) -> str:
        return f"{self.user_id}:{self.channel_id}"


@dataclass(slots=True)
class Blob(StoredRecord):
    """An uploaded file's description; the store keeps its bytes under the same id."""

    kind: ClassVar[str] = "blob"
    id: str
    filename: str
    content_type: str
    size: int
    width: int | None = None
    height: int | None = None

    @property
    def key(self) -> str:
        return self.id


@dataclass(slots=True)
class AppEmoji(StoredRecord):
    """An emoji of the application, made by the user ``user_id``; the store keeps its picture under the same id."""

    kind: ClassVar[str] = "emoji"
    id: str
    name: str
    user_id: str
    animated: bool = False

    @property
    def key(self) -> str:
        return self.id


RECORDS: dict[str, type[StoredRecord]] = {
    record.kind: record
    for record in (User, Guild, Role, Member, Channel, Message, Command, Interaction, ReadMark, Blob, AppEmoji)
}
