"""What one user sees, as the seat API tells it: channels, messages, modals, the whole state."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bot.playground.seats import invoke
from bot.playground.world import payloads
from bot.playground.world.components import walk
from bot.playground.world.json_values import JsonObject
from bot.playground.world.modals import fields
from bot.playground.world.model import LOADING, Channel, ChannelType, Guild, Interaction, Message, ReadMark, Role, User
from bot.playground.world.permissions import Permission
from bot.playground.world.world import World

_KINDS = {
    ChannelType.TEXT: "text",
    ChannelType.DM: "dm",
    ChannelType.VOICE: "voice",
    ChannelType.CATEGORY: "category",
    ChannelType.NEWS: "announcement",
    ChannelType.NEWS_THREAD: "thread",
    ChannelType.PUBLIC_THREAD: "thread",
    ChannelType.PRIVATE_THREAD: "private_thread",
}
_MENTION = re.compile(r"<(@!?|@&|#)(\d+)>")

#: The most unread messages that are counted.
_COUNT_LIMIT = 999


def seat(user: User) -> JsonObject:
    return {
        "id": user.id,
        "name": user.name,
        "display": user.display,
        "avatar_color": user.avatar_color,
        "note": user.note,
        "dms_open": user.dms_open,
    }


def person(world: World, user_id: str, guild_id: str | None = None) -> JsonObject:
    user = world.users[user_id]
    return {
        "id": user.id,
        "name": user.name,
        "display": world.display(user_id, guild_id),
        "bot": user.bot,
        "avatar_color": user.avatar_color,
    }


def role(record: Role) -> JsonObject:
    return {
        "id": record.id,
        "name": record.name,
        "color": record.color,
        "position": record.position,
        "mentionable": record.mentionable,
        "permissions": str(record.permissions),
    }


def can_send(world: World, user_id: str, channel: Channel) -> bool:
    """Whether the user may write there now."""
    if channel.type == ChannelType.CATEGORY:
        return False
    if channel.is_dm:
        return all(
            world.users[other].dms_open or world.users[other].bot for other in channel.recipients if other != user_id
        )
    bits = world.permissions(user_id, channel)
    if channel.is_thread:
        if channel.locked and not bits & Permission.MANAGE_THREADS:
            return False
        return bool(bits & Permission.SEND_MESSAGES_IN_THREADS)
    return bool(bits & Permission.SEND_MESSAGES)


def can_use_commands(world: World, user_id: str, channel: Channel) -> bool:
    if channel.is_dm:
        return world.bot_id in channel.recipients
    if channel.archived or not can_send(world, user_id, channel):
        return False
    return bool(world.permissions(user_id, channel) & Permission.USE_APPLICATION_COMMANDS)


def shown(world: World, user_id: str, channel: Channel) -> bool:
    """Whether a channel is in the user's list: it is visible, a category with a visible channel, or a DM in use."""
    if channel.is_dm:
        used = channel.last_message_id is not None or channel.owner_id == user_id
        return user_id in channel.recipients and used
    if world.can_view(user_id, channel):
        return True
    if channel.type != ChannelType.CATEGORY:
        return False
    return any(
        other.parent_id == channel.id and world.can_view(user_id, other)
        for other in world.by_guild[channel.guild_id or ""].values()
    )


def channel(world: World, user_id: str, record: Channel) -> JsonObject:
    unread, mentions = unread_counts(world, user_id, record)
    body: JsonObject = {
        "id": record.id,
        "kind": _KINDS[ChannelType(record.type)],
        "type": int(record.type),
        "guild_id": record.guild_id,
        "name": record.name,
        "topic": record.topic,
        "parent_id": record.parent_id,
        "position": record.position,
        "archived": record.archived,
        "locked": record.locked,
        "joined": user_id in record.thread_members,
        "can_send": can_send(world, user_id, record),
        "can_attach": bool(world.permissions(user_id, record) & Permission.ATTACH_FILES),
        "can_use_commands": can_use_commands(world, user_id, record),
        "unread": unread,
        "mentions": mentions,
        "last_message_id": record.last_message_id,
    }
    if record.is_dm:
        others = [other for other in record.recipients if other != user_id] or [user_id]
        body["user"] = person(world, others[0])
        body["name"] = body["user"]["display"]
    return body


def unread_counts(world: World, user_id: str, record: Channel) -> tuple[int, int]:
    """Messages after the read mark that others posted, and how many of them mention the user."""
    mark = world.reads.get(f"{user_id}:{record.id}") or ReadMark(user_id, record.id)
    after = int(mark.message_id)
    unread = mentions = 0
    messages = world.messages.get(record.id, {})
    for message in reversed(messages.values()):
        if int(message.id) <= after or unread >= _COUNT_LIMIT:
            break
        if message.author_id != user_id and message.reader_id in (None, user_id):
            unread += 1
            mentions += mentions_user(world, user_id, message, record)
    return unread, mentions


def mentions_user(world: World, user_id: str, message: Message, record: Channel) -> bool:
    if user_id in message.mentions or message.mention_everyone:
        return True
    member = world.member(record.guild_id, user_id)
    return member is not None and any(held in message.mention_roles for held in member.roles)


def message(world: World, user_id: str, record: Message) -> JsonObject:
    """Discord's message object, and more keys that the page needs (see SEAT_API.md)."""
    body = payloads.message(world, record)
    home = world.channels.get(record.channel_id)
    guild_id = None if home is None else home.guild_id
    asked = record.interaction
    while asked is not None and asked.get("trigger"):
        asked = asked["trigger"]
    in_embeds = payloads.referenced_files(record.embeds)
    body |= {
        "attachments": [entry for entry in record.attachments if entry["id"] not in in_embeds],
        "words": "\n".join(filter(None, [record.content, *_blocks(record)])),
        "ephemeral": record.ephemeral,
        "loading": bool(record.flags & LOADING),
        "author_display": world.display(record.author_id, guild_id),
        "author_color": world.users[record.author_id].avatar_color,
        "command_line": None,
        "command_user": None,
        "mentions_me": home is not None and mentions_user(world, user_id, record, home),
    }
    if asked is not None and asked.get("line"):
        body["command_line"] = f"/{asked['line']}"
        body["command_user"] = {"id": asked["user_id"], "display": world.display(asked["user_id"], guild_id)}
    body |= _names(world, guild_id, record)
    return body


def _texts(record: Message) -> Iterable[str]:
    yield record.content
    for embed in record.embeds:
        yield embed.get("title") or ""
        yield embed.get("description") or ""
        for entry in embed.get("fields") or ():
            yield entry["name"]
            yield entry["value"]
    yield from _blocks(record)


def _blocks(record: Message) -> Iterable[str]:
    """The words in a message's components, from above to below."""
    return (entry["content"] for entry in walk(record.components) if entry["type"] == 10)


def _names(world: World, guild_id: str | None, record: Message) -> JsonObject:
    users: dict[str, str] = {}
    roles: dict[str, str] = {}
    channels: dict[str, str] = {}
    for text in _texts(record):
        for mark, entity in _MENTION.findall(text):
            if mark == "#" and entity in world.channels:
                channels[entity] = world.channels[entity].name
            elif mark == "@&" and entity in world.roles.get(guild_id or "", {}):
                roles[entity] = world.roles[guild_id or ""][entity].name
            elif mark.startswith("@") and entity in world.users:
                users[entity] = world.display(entity, guild_id)
    return {"user_names": users, "role_names": roles, "channel_names": channels}


def modal(interaction: Interaction) -> JsonObject:
    body = interaction.modal or {}
    return {
        "interaction_id": interaction.id,
        "channel_id": interaction.channel_id,
        "guild_id": interaction.guild_id,
        "custom_id": body["custom_id"],
        "title": body["title"],
        "fields": fields(body["components"]),
        "components": body["components"],
    }


def in_order(channels: list[Channel]) -> list[Channel]:
    """Channels as a client lists them: those without category, then each category's; threads below their parent."""
    by_parent: dict[str | None, list[Channel]] = {}
    for record in channels:
        by_parent.setdefault(record.parent_id, []).append(record)
    for siblings in by_parent.values():
        siblings.sort(key=lambda record: (record.type == ChannelType.CATEGORY, record.position, int(record.id)))
    done: list[Channel] = []

    def add(record: Channel) -> None:
        done.append(record)
        for child in by_parent.get(record.id, ()):
            add(child)

    known = {record.id for record in channels}
    for parent_id, siblings in list(by_parent.items()):
        if parent_id is not None and parent_id not in known:
            by_parent.setdefault(None, []).extend(siblings)
    for record in by_parent.get(None, ()):
        add(record)
    return done


def guild(world: World, user_id: str, record: Guild) -> JsonObject:
    channels = [entry for entry in world.by_guild[record.id].values() if shown(world, user_id, entry)]
    members = sorted(
        world.members[record.id].values(), key=lambda entry: world.display(entry.user_id, record.id).lower()
    )
    return {
        "id": record.id,
        "name": record.name,
        "owner_id": record.owner_id,
        "permissions": str(world.guild_permissions(user_id, record.id)),
        "roles": [
            role(entry) for entry in sorted(world.roles[record.id].values(), key=lambda entry: entry.rank, reverse=True)
        ],
        "members": [{**person(world, entry.user_id, record.id), "roles": list(entry.roles)} for entry in members],
        "channels": [channel(world, user_id, entry) for entry in in_order(channels)],
        "commands": [slash_command.view() for slash_command in invoke.usable(world, user_id, record.id)],
    }


def state(
    world: World, user_id: str, *, application_name: str, online: bool, modals: list[Interaction], seq: int
) -> JsonObject:
    dms = [entry for entry in world.channels.values() if entry.is_dm and shown(world, user_id, entry)]
    dms.sort(key=lambda entry: int(entry.last_message_id or entry.id), reverse=True)
    return {
        "me": seat(world.users[user_id]),
        "application": {
            "id": world.application_id,
            "name": application_name,
            "user_id": world.bot_id,
            "online": online,
        },
        "guilds": [guild(world, user_id, entry) for entry in world.guilds_of(user_id)],
        "dms": [channel(world, user_id, entry) for entry in dms],
        "dm_commands": [slash_command.view() for slash_command in invoke.usable(world, user_id, None)],
        "modals": [modal(entry) for entry in modals],
        "seq": seq,
    }
