"""REST: messages and pins."""

from __future__ import annotations

from typing import Any

from bot.playground.discord_api.rest import ApiRequest, Endpoints
from bot.playground.world import payloads
from bot.playground.world.bodies import MessageBody, read_message_body
from bot.playground.world.errors import BodyErrors, refuse
from bot.playground.world.messages import MessageOrigin
from bot.playground.world.model import EPHEMERAL, Channel, ChannelType, Message
from bot.playground.world.permissions import Permission

ENDPOINTS = Endpoints()


def visible_messages(request: ApiRequest, channel: Channel) -> list[Message]:
    """The messages that the bot can fetch from a channel: all but the ephemeral ones."""
    found = request.world.messages.get(channel.id, {})
    return [message for message in found.values() if message.reader_id is None]


def fetchable(request: ApiRequest, channel: Channel) -> Message:
    message = request.world.message(channel.id, request.params["message_id"])
    if message.reader_id is not None:
        raise refuse("unknown_message")
    return message


def check_sendable(request: ApiRequest, channel: Channel, *, files: bool = False) -> None:
    """Refuse unless the bot may post here: it needs the permission, an open DM, a thread that is not locked."""
    world = request.world
    if channel.type == ChannelType.CATEGORY:
        raise refuse("no_text_channel")
    if channel.is_dm:
        check_dm(request, channel)
        return
    bits = world.permissions(request.bot_id, channel)
    needed = Permission.SEND_MESSAGES_IN_THREADS if channel.is_thread else Permission.SEND_MESSAGES
    if not bits & needed or (files and not bits & Permission.ATTACH_FILES):
        raise refuse("missing_permissions")
    if channel.is_thread and channel.locked and not bits & Permission.MANAGE_THREADS:
        raise refuse("thread_locked")


def check_dm(request: ApiRequest, channel: Channel) -> None:
    world = request.world
    others = [world.users[user_id] for user_id in channel.recipients if user_id != request.bot_id]
    for user in others:
        if user.bot or not user.dms_open:
            raise refuse("closed_dm")
        if not any(user.id in world.members[guild.id] for guild in world.guilds_of(request.bot_id)):
            raise refuse("no_common_guild")


@ENDPOINTS.add("GET", "/channels/{channel_id}/messages")
def list_messages(request: ApiRequest) -> Any:
    channel = request.channel()
    if not request.world.permissions(request.bot_id, channel) & Permission.READ_MESSAGE_HISTORY:
        return []
    errors = BodyErrors()
    limit = request.whole_number("limit", errors, usual=50, most=100)
    errors.check()
    messages = visible_messages(request, channel)
    if "after" in request.query:
        after = int(request.query["after"])
        page = [entry for entry in messages if int(entry.id) > after][:limit]
    elif "around" in request.query:
        around = int(request.query["around"])
        older = [entry for entry in messages if int(entry.id) <= around][-(limit // 2 + 1) :]
        newer = [entry for entry in messages if int(entry.id) > around][: limit // 2]
        page = older + newer
    else:
        before = int(request.query.get("before", 2**63))
        page = [entry for entry in messages if int(entry.id) < before][-limit:]
    return [payloads.message(request.world, entry) for entry in reversed(page)]


@ENDPOINTS.add("GET", "/channels/{channel_id}/messages/pins")
def list_pins(request: ApiRequest) -> Any:
    channel = request.channel(Permission.READ_MESSAGE_HISTORY)
    limit = max(1, min(50, int(request.query.get("limit", 50))))
    pinned = [entry for entry in visible_messages(request, channel) if entry.pinned_at is not None]
    if before := request.query.get("before"):
        pinned = [entry for entry in pinned if (entry.pinned_at or "") < before]
    pinned.sort(key=lambda entry: entry.pinned_at or "", reverse=True)
    items = [
        {"pinned_at": entry.pinned_at, "message": payloads.message(request.world, entry)} for entry in pinned[:limit]
    ]
    return {"items": items, "has_more": len(pinned) > limit}


@ENDPOINTS.add("POST", "/channels/{channel_id}/messages")
def create_message(request: ApiRequest) -> Any:
    channel = request.channel()
    body = read_message_body(request.body, limit=request.services.config.attachment_limit)
    body.flags &= ~EPHEMERAL
    check_sendable(request, channel, files=bool(body.uploads))
    messages = request.services.messages
    message = messages.with_nonce(channel, request.bot_id, body)
    if message is None:
        bits = request.world.permissions(request.bot_id, channel)
        if body.embeds and not bits & Permission.EMBED_LINKS:
            body.embeds = []
        if body.reference is not None and not bits & Permission.READ_MESSAGE_HISTORY:
            raise refuse("missing_permissions")
        message = messages.create(channel, body, MessageOrigin(request.bot_id))
    return payloads.message(request.world, message)


@ENDPOINTS.add("GET", "/channels/{channel_id}/messages/{message_id}")
def get_message(request: ApiRequest) -> Any:
    channel = request.channel(Permission.READ_MESSAGE_HISTORY)
    return payloads.message(request.world, fetchable(request, channel))


@ENDPOINTS.add("PATCH", "/channels/{channel_id}/messages/{message_id}")
def edit_message(request: ApiRequest) -> Any:
    channel = request.channel()
    message = fetchable(request, channel)
    if message.author_id != request.bot_id:
        raise refuse("not_author")
    if message.type not in (0, 19, 20):
        raise refuse("system_message")
    if channel.is_thread and channel.archived:
        raise refuse("archived_thread")
    body = read_message_body(
        request.body, limit=request.services.config.attachment_limit, base_flags=message.flags, edit=True
    )
    check_left_over(message, body)
    request.services.messages.edit(message, channel, body)
    return payloads.message(request.world, message)


def check_left_over(message: Message, body: MessageBody) -> None:
    """Refuse an edit after which the message would be empty."""
    left = {
        "content": message.content,
        "embeds": message.embeds,
        "components": message.components,
        "attachments": message.attachments,
    }
    for name in left:
        if name in body.given:
            left[name] = getattr(body, name)
    if not any(left.values()) and not body.uploads:
        raise refuse("empty_message")


@ENDPOINTS.add("DELETE", "/channels/{channel_id}/messages/{message_id}")
def delete_message(request: ApiRequest) -> Any:
    channel = request.channel()
    message = fetchable(request, channel)
    if message.author_id != request.bot_id:
        if channel.is_dm:
            raise refuse("not_in_dm")
        if not request.world.permissions(request.bot_id, channel) & Permission.MANAGE_MESSAGES:
            raise refuse("missing_permissions")
    if channel.is_thread and channel.archived:
        raise refuse("archived_thread")
    request.services.messages.delete(message, channel)


@ENDPOINTS.add("PUT", "/channels/{channel_id}/messages/pins/{message_id}")
def pin_message(request: ApiRequest) -> Any:
    channel = request.channel(Permission.PIN_MESSAGES)
    message = fetchable(request, channel)
    if message.type not in (0, 19, 20):
        raise refuse("system_message")
    if channel.is_thread and channel.archived:
        raise refuse("archived_thread")
    if message.pinned_at is not None:
        return
    if sum(entry.pinned_at is not None for entry in visible_messages(request, channel)) >= 250:
        raise refuse("max_pins")
    request.services.messages.pin(message, channel, pinned=True)
    reference = {"type": 0, "channel_id": channel.id, "message_id": message.id}
    if channel.guild_id is not None:
        reference["guild_id"] = channel.guild_id
    request.services.messages.system(channel, request.bot_id, 6, reference=reference)


@ENDPOINTS.add("DELETE", "/channels/{channel_id}/messages/pins/{message_id}")
def unpin_message(request: ApiRequest) -> Any:
    channel = request.channel(Permission.PIN_MESSAGES)
    message = fetchable(request, channel)
    if message.pinned_at is not None:
        request.services.messages.pin(message, channel, pinned=False)


@ENDPOINTS.add("POST", "/channels/{channel_id}/messages/bulk-delete")
def bulk_delete(request: ApiRequest) -> Any:
    channel = request.channel(Permission.MANAGE_MESSAGES)
    listed: list[Any] = request.fields.get("messages") or []
    ids = [str(item) for item in listed]
    if not 2 <= len(ids) <= 100:
        errors = BodyErrors()
        errors.bad_length("messages", 2, 100)
        errors.check()
    known = {message.id: message for message in visible_messages(request, channel)}
    found = [known[message_id] for message_id in ids if message_id in known]
    if found:
        request.services.messages.delete_at_once(found, channel)


@ENDPOINTS.add("POST", "/channels/{channel_id}/typing")
def typing(request: ApiRequest) -> Any:
    check_sendable(request, request.channel())
