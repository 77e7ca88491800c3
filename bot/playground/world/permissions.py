"""Discord's permission bits and how it evaluates them.

Order: the owner and administrators may do everything; otherwise the union of the roles, then in a channel the overwrite
of @everyone, the union of the roles' overwrites, the member's own overwrite; without VIEW_CHANNEL nothing is left.
A thread takes its parent's permissions, with SEND_MESSAGES_IN_THREADS in the place of SEND_MESSAGES.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntFlag
from typing import TypedDict


class Overwrite(TypedDict):
    """`type` 0 is a role, 1 a member."""

    id: str
    type: int
    allow: int
    deny: int


class Permission(IntFlag):
    CREATE_INSTANT_INVITE = 1 << 0
    KICK_MEMBERS = 1 << 1
    BAN_MEMBERS = 1 << 2
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_AUDIT_LOG = 1 << 7
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    SEND_TTS_MESSAGES = 1 << 12
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    CONNECT = 1 << 20
    SPEAK = 1 << 21
    CHANGE_NICKNAME = 1 << 26
    MANAGE_NICKNAMES = 1 << 27
    MANAGE_ROLES = 1 << 28
    MANAGE_WEBHOOKS = 1 << 29
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    MODERATE_MEMBERS = 1 << 40
    PIN_MESSAGES = 1 << 51


#: Every bit that Discord defines up to BYPASS_SLOWMODE, named above or not.
ALL = (1 << 53) - 1

#: What @everyone may do in a new guild.
EVERYONE_DEFAULT = int(
    Permission.CREATE_INSTANT_INVITE
    | Permission.ADD_REACTIONS
    | Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.MENTION_EVERYONE
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.CONNECT
    | Permission.SPEAK
    | Permission.CHANGE_NICKNAME
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.CREATE_PRIVATE_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
)

#: What a bot and a person may do in a DM.
DM = int(
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.ADD_REACTIONS
    | Permission.MENTION_EVERYONE
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.PIN_MESSAGES
)

_NEEDS_SENDING = int(
    Permission.SEND_TTS_MESSAGES | Permission.MENTION_EVERYONE | Permission.EMBED_LINKS | Permission.ATTACH_FILES
)


def base(everyone: int, roles: Iterable[int], *, owner: bool) -> int:
    """Permissions in the whole guild: ALL for the owner and for administrators."""
    if owner:
        return ALL
    bits = everyone
    for role in roles:
        bits |= role
    return ALL if bits & Permission.ADMINISTRATOR else bits


def in_channel(
    bits: int, overwrites: Iterable[Overwrite], *, guild_id: str, member_id: str, role_ids: Iterable[str]
) -> int:
    """Permissions in a channel, from the guild-wide ones and the channel's overwrites."""
    if bits == ALL:
        return ALL
    by_id = {entry["id"]: entry for entry in overwrites}
    if everyone := by_id.get(guild_id):
        bits = bits & ~everyone["deny"] | everyone["allow"]
    allow = deny = 0
    for role_id in role_ids:
        if role_id != guild_id and (entry := by_id.get(role_id)):
            allow |= entry["allow"]
            deny |= entry["deny"]
    bits = bits & ~deny | allow
    if own := by_id.get(member_id):
        bits = bits & ~own["deny"] | own["allow"]
    return bits


def implied(bits: int, *, thread: bool) -> int:
    """Without VIEW_CHANNEL nothing is allowed; without the right to send, nothing that needs sending."""
    if not bits & Permission.VIEW_CHANNEL:
        return 0
    sending = Permission.SEND_MESSAGES_IN_THREADS if thread else Permission.SEND_MESSAGES
    return bits if bits & sending else bits & ~_NEEDS_SENDING
