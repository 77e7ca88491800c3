"""REST: messages and pins."""

from __future__ import annotations

from typing import Any

from bot.playground.discord_api.rest import Call, Routes
from bot.playground.world import payloads
from bot.playground.world.bodies import read_draft
from bot.playground.world.errors import Form, refuse
from bot.playground.world.messages import Origin
from bot.playground.world.model import EPHEMERAL, Channel, ChannelType, Message
from bot.playground.world.permissions import Permission

ROUTES = Routes()


def visible_messages(call: Call, channel: Channel) -> list[Message]:
    """What the bot can fetch from a channel: ephemeral messages are not there for it."""
    found = call.world.messages.get(channel.id, {})
    return [message for message in found.values() if message.reader_id is None]


def fetchable(call: Call, channel: Channel) -> Message:
    message = call.world.message(channel.id, call.params["message_id"])
    if message.reader_id is not None:
        raise refuse("unknown_message")
    return message


def check_sendable(call: Call, channel: Channel, *, files: bool = False) -> None:
    """The bot must be able to post here: permission by kind of channel, an open DM, no locked thread."""
    world = call.world
    if channel.type == ChannelType.CATEGORY:
        raise refuse("no_text_channel")
    if channel.is_dm:
        check_dm(call, channel)
        return
    bits = world.permissions(call.bot_id, channel)
    needed = Permission.SEND_MESSAGES_IN_THREADS if channel.is_thread else Permission.SEND_MESSAGES
    if not bits & needed or (files and not bits & Permission.ATTACH_FILES):
        raise refuse("missing_permissions")
    if channel.is_thread and channel.locked and not bits & Permission.MANAGE_THREADS:
        raise refuse("thread_locked")


def check_dm(call: Call, channel: Channel) -> None:
    world = call.world
    others = [world.users[user_id] for user_id in channel.recipients if user_id != call.bot_id]
    for user in others:
        if user.bot or not user.dms_open:
            raise refuse("closed_dm")
        if not any(user.id in world.members[guild.id] for guild in world.guilds_of(call.bot_id)):
            raise refuse("no_common_guild")


@ROUTES.add("GET", "/channels/{channel_id}/messages")
def list_messages(call: Call) -> Any:
    channel = call.channel()
    if not call.world.permissions(call.bot_id, channel) & Permission.READ_MESSAGE_HISTORY:
        return []
    form = Form()
    try:
        limit = int(call.query.get("limit", 50))
    except ValueError:
        limit = 0
    form.integer("limit", limit, 1, 100)
    form.check()
    messages = visible_messages(call, channel)
    if "after" in call.query:
        after = int(call.query["after"])
        page = [entry for entry in messages if int(entry.id) > after][:limit]
    elif "around" in call.query:
        around = int(call.query["around"])
        older = [entry for entry in messages if int(entry.id) <= around][-(limit // 2 + 1) :]
        newer = [entry for entry in messages if int(entry.id) > around][: limit // 2]
        page = older + newer
    else:
        before = int(call.query.get("before", 2**63))
        page = [entry for entry in messages if int(entry.id) < before][-limit:]
    return [payloads.message(call.world, entry) for entry in reversed(page)]


@ROUTES.add("GET", "/channels/{channel_id}/messages/pins")
def list_pins(call: Call) -> Any:
    channel = call.channel(Permission.READ_MESSAGE_HISTORY)
    limit = max(1, min(50, int(call.query.get("limit", 50))))
    pinned = [entry for entry in visible_messages(call, channel) if entry.pinned_at is not None]
    if before := call.query.get("before"):
        pinned = [entry for entry in pinned if (entry.pinned_at or "") < before]
    pinned.sort(key=lambda entry: entry.pinned_at or "", reverse=True)
    items = [{"pinned_at": entry.pinned_at, "message": payloads.message(call.world, entry)} for entry in pinned[:limit]]
    return {"items": items, "has_more": len(pinned) > limit}


@ROUTES.add("POST", "/channels/{channel_id}/messages")
def create_message(call: Call) -> Any:
    channel = call.channel()
    draft = read_draft(call.body, limit=call.services.config.attachment_limit)
    draft.flags &= ~EPHEMERAL
    check_sendable(call, channel, files=bool(draft.uploads))
    messages = call.services.messages
    message = messages.with_nonce(channel, call.bot_id, draft)
    if message is None:
        bits = call.world.permissions(call.bot_id, channel)
        if draft.embeds and not bits & Permission.EMBED_LINKS:
            draft.embeds = []
        if draft.reference is not None and not bits & Permission.READ_MESSAGE_HISTORY:
            raise refuse("missing_permissions")
        message = messages.create(channel, draft, Origin(call.bot_id))
    return payloads.message(call.world, message)


@ROUTES.add("GET", "/channels/{channel_id}/messages/{message_id}")
def get_message(call: Call) -> Any:
    channel = call.channel(Permission.READ_MESSAGE_HISTORY)
    return payloads.message(call.world, fetchable(call, channel))


@ROUTES.add("PATCH", "/channels/{channel_id}/messages/{message_id}")
def edit_message(call: Call) -> Any:
    channel = call.channel()
    message = fetchable(call, channel)
    if message.author_id != call.bot_id:
        raise refuse("not_author")
    if message.type not in (0, 19, 20):
        raise refuse("system_message")
    if channel.is_thread and channel.archived:
        raise refuse("archived_thread")
    draft = read_draft(call.body, limit=call.services.config.attachment_limit, base_flags=message.flags, edit=True)
    check_left_over(message, draft)
    call.services.messages.edit(message, channel, draft)
    return payloads.message(call.world, message)


def check_left_over(message: Message, draft: Any) -> None:
    """An edit may not leave a message with nothing in it."""
    left = {
        "content": message.content,
        "embeds": message.embeds,
        "components": message.components,
        "attachments": message.attachments,
    }
    for name in left:
        if name in draft.given:
            left[name] = getattr(draft, name)
    if not any(left.values()) and not draft.uploads:
        raise refuse("empty_message")


@ROUTES.add("DELETE", "/channels/{channel_id}/messages/{message_id}")
def delete_message(call: Call) -> Any:
    channel = call.channel()
    message = fetchable(call, channel)
    if message.author_id != call.bot_id:
        if channel.is_dm:
            raise refuse("not_in_dm")
        if not call.world.permissions(call.bot_id, channel) & Permission.MANAGE_MESSAGES:
            raise refuse("missing_permissions")
    if channel.is_thread and channel.archived:
        raise refuse("archived_thread")
    call.services.messages.delete(message, channel)


@ROUTES.add("PUT", "/channels/{channel_id}/messages/pins/{message_id}")
def pin_message(call: Call) -> Any:
    channel = call.channel(Permission.PIN_MESSAGES)
    message = fetchable(call, channel)
    if message.type not in (0, 19, 20):
        raise refuse("system_message")
    if channel.is_thread and channel.archived:
        raise refuse("archived_thread")
    if message.pinned_at is not None:
        return
    if sum(entry.pinned_at is not None for entry in visible_messages(call, channel)) >= 250:
        raise refuse("max_pins")
    call.services.messages.pin(message, channel, pinned=True)
    reference = {"type": 0, "channel_id": channel.id, "message_id": message.id}
    if channel.guild_id is not None:
        reference["guild_id"] = channel.guild_id
    call.services.messages.system(channel, call.bot_id, 6, reference=reference)


@ROUTES.add("DELETE", "/channels/{channel_id}/messages/pins/{message_id}")
def unpin_message(call: Call) -> Any:
    channel = call.channel(Permission.PIN_MESSAGES)
    message = fetchable(call, channel)
    if message.pinned_at is not None:
        call.services.messages.pin(message, channel, pinned=False)


@ROUTES.add("POST", "/channels/{channel_id}/messages/bulk-delete")
def bulk_delete(call: Call) -> Any:
    channel = call.channel(Permission.MANAGE_MESSAGES)
    ids = [str(item) for item in call.fields.get("messages") or []]
    if not 2 <= len(ids) <= 100:
        form = Form()
        form.bad_length("messages", 2, 100)
        form.check()
    known = {message.id: message for message in visible_messages(call, channel)}
    for message_id in ids:
        if message_id in known:
            call.services.messages.delete(known[message_id], channel)


@ROUTES.add("POST", "/channels/{channel_id}/typing")
def typing(call: Call) -> Any:
    check_sendable(call, call.channel())
