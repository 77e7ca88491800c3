"""REST: channels, permission overwrites and threads."""

from __future__ import annotations

from typing import Any

from bot.playground.discord_api.rest import Call, Routes
from bot.playground.world import guilds, payloads
from bot.playground.world.errors import Form, refuse
from bot.playground.world.model import Channel, ChannelType, Guild
from bot.playground.world.permissions import ALL, Overwrite, Permission
from bot.playground.world.world import Event

ROUTES = Routes()


def _home(call: Call, channel: Channel) -> Guild:
    if channel.guild_id is None:
        raise refuse("not_in_dm")
    return call.world.guilds[channel.guild_id]


def check_overwrites(
    call: Call, guild: Guild, overwrites: list[Overwrite], *, before: list[Overwrite] | None = None
) -> None:
    """The bot may only allow or deny what it may do itself; only administrators hand out MANAGE_ROLES in a channel."""
    world = call.world
    own = world.guild_permissions(call.bot_id, guild.id)
    if own == ALL:
        return
    old = {entry["id"]: (entry["allow"], entry["deny"]) for entry in before or []}
    for entry in overwrites:
        allow, deny = old.get(entry["id"], (0, 0))
        changed = (entry["allow"] ^ allow) | (entry["deny"] ^ deny)
        if changed & ~own or changed & Permission.MANAGE_ROLES:
            raise refuse("missing_permissions")


@ROUTES.add("GET", "/channels/{channel_id}")
def get_channel(call: Call) -> Any:
    return payloads.channel(call.world, call.channel())


@ROUTES.add("PATCH", "/channels/{channel_id}")
def patch_channel(call: Call) -> Any:
    world = call.world
    channel = call.channel()
    guild = _home(call, channel)
    fields = call.fields
    bits = world.permissions(call.bot_id, channel)
    if channel.is_thread:
        _check_thread_edit(call, channel, bits, fields)
        guilds.update_thread(world, channel, fields)
    else:
        if not bits & Permission.MANAGE_CHANNELS:
            raise refuse("missing_permissions")
        if "permission_overwrites" in fields:
            if not bits & Permission.MANAGE_ROLES:
                raise refuse("missing_permissions")
            check_overwrites(
                call, guild, guilds.read_overwrites(fields["permission_overwrites"]), before=channel.overwrites
            )
        guilds.update_channel(world, guild, channel, fields)
    return payloads.channel(world, channel)


def _check_thread_edit(call: Call, thread: Channel, bits: int, fields: dict[str, Any]) -> None:
    """The creator may rename, archive and re-time its own thread; locking, and anything else, needs MANAGE_THREADS."""
    if bits & Permission.MANAGE_THREADS:
        if thread.archived and fields.get("archived") is None:
            raise refuse("archived_thread")
        return
    own = thread.owner_id == call.bot_id
    opening = fields.get("archived") is False and set(fields) <= {"archived"}
    allowed = {"name", "archived", "auto_archive_duration", "invitable"} if own else set()
    if not set(fields) <= allowed and not (opening and not thread.locked):
        raise refuse("missing_permissions")
    if thread.archived and fields.get("archived") is None:
        raise refuse("archived_thread")
    if thread.locked:
        raise refuse("thread_locked")


@ROUTES.add("DELETE", "/channels/{channel_id}")
def delete_channel(call: Call) -> Any:
    world = call.world
    channel = call.channel()
    body = payloads.channel(world, channel)
    if channel.is_dm:
        return body  # closing a DM hides it from the bot's list and changes nothing else
    needed = Permission.MANAGE_THREADS if channel.is_thread else Permission.MANAGE_CHANNELS
    if not world.permissions(call.bot_id, channel) & needed:
        raise refuse("missing_permissions")
    guilds.delete_channel(world, channel)
    return body


@ROUTES.add("PUT", "/channels/{channel_id}/permissions/{overwrite_id}")
def put_overwrite(call: Call) -> Any:
    world = call.world
    channel = call.channel(Permission.MANAGE_ROLES)
    guild = _home(call, channel)
    target = call.params["overwrite_id"]
    (entry,) = guilds.read_overwrites([{**call.fields, "id": target}])
    known = world.roles[guild.id] if entry["type"] == 0 else world.members[guild.id]
    if target not in known:
        raise refuse("unknown_overwrite")
    check_overwrites(call, guild, [entry], before=channel.overwrites)
    channel.overwrites = [old for old in channel.overwrites if old["id"] != target] + [entry]
    world.touch(channel)
    world.emit(Event("CHANNEL_UPDATE", guild.id, channel))


@ROUTES.add("DELETE", "/channels/{channel_id}/permissions/{overwrite_id}")
def delete_overwrite(call: Call) -> Any:
    world = call.world
    channel = call.channel(Permission.MANAGE_ROLES)
    guild = _home(call, channel)
    target = call.params["overwrite_id"]
    if not any(entry["id"] == target for entry in channel.overwrites):
        raise refuse("unknown_overwrite")
    check_overwrites(call, guild, [Overwrite(id=target, type=0, allow=0, deny=0)], before=channel.overwrites)
    channel.overwrites = [entry for entry in channel.overwrites if entry["id"] != target]
    world.touch(channel)
    world.emit(Event("CHANNEL_UPDATE", guild.id, channel))


# --- threads -------------------------------------------------------------------------------------------------------


@ROUTES.add("POST", "/channels/{channel_id}/threads", status=201)
def create_thread(call: Call) -> Any:
    world = call.world
    parent = call.channel()
    kind = call.fields.get("type", int(ChannelType.PRIVATE_THREAD))
    allowed = {ChannelType.TEXT: (11, 12), ChannelType.NEWS: (10,)}.get(ChannelType(parent.type), ())
    if not allowed:
        raise refuse("wrong_channel_type")
    if kind not in allowed:
        form = Form()
        form.choices("type", str(allowed))
        form.check()
    private = kind == ChannelType.PRIVATE_THREAD
    needed = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
    if not world.permissions(call.bot_id, parent) & needed:
        raise refuse("missing_permissions")
    thread = guilds.create_thread(world, parent, call.bot_id, call.fields, kind)
    if not private:
        reference = {"type": 0, "channel_id": thread.id, "guild_id": parent.guild_id}
        call.services.messages.system(parent, call.bot_id, 18, thread.name, reference)
    return payloads.channel(world, thread)


@ROUTES.add("POST", "/channels/{channel_id}/messages/{message_id}/threads", status=201)
def create_thread_from_message(call: Call) -> Any:
    world = call.world
    parent = call.channel(Permission.CREATE_PUBLIC_THREADS)
    if parent.type not in (ChannelType.TEXT, ChannelType.NEWS):
        raise refuse("wrong_channel_type")
    message = world.message(parent.id, call.params["message_id"])
    if message.reader_id is not None:
        raise refuse("unknown_message")
    if message.thread_id is not None:
        raise refuse("thread_exists")
    kind = ChannelType.NEWS_THREAD if parent.type == ChannelType.NEWS else ChannelType.PUBLIC_THREAD
    thread = guilds.create_thread(world, parent, call.bot_id, call.fields, kind, thread_id=message.id)
    call.services.messages.mark_thread(message, parent, thread)
    return payloads.channel(world, thread)


def _thread(call: Call) -> Channel:
    channel = call.channel()
    if not channel.is_thread:
        raise refuse("wrong_channel_type")
    return channel


def _open_thread(call: Call) -> Channel:
    thread = _thread(call)
    if thread.archived:
        raise refuse("archived_thread")
    return thread


@ROUTES.add("PUT", "/channels/{channel_id}/thread-members/@me")
def join(call: Call) -> Any:
    guilds.join_thread(call.world, _open_thread(call), call.bot_id)


@ROUTES.add("DELETE", "/channels/{channel_id}/thread-members/@me")
def leave(call: Call) -> Any:
    guilds.leave_thread(call.world, _open_thread(call), call.bot_id)


@ROUTES.add("PUT", "/channels/{channel_id}/thread-members/{user_id}")
def add(call: Call) -> Any:
    """Adding needs the right to write in the thread, and the person must be able to see the parent channel."""
    world = call.world
    thread = _open_thread(call)
    if not world.permissions(call.bot_id, thread) & Permission.SEND_MESSAGES_IN_THREADS:
        raise refuse("missing_permissions")
    user_id = call.params["user_id"]
    if user_id not in world.users:
        raise refuse("unknown_user")
    if user_id not in world.members[thread.guild_id or ""]:
        raise refuse("unknown_member")
    if not world.can_view(user_id, world.channel(thread.parent_id or "")):
        raise refuse("missing_access")
    guilds.join_thread(world, thread, user_id)


@ROUTES.add("DELETE", "/channels/{channel_id}/thread-members/{user_id}")
def remove(call: Call) -> Any:
    world = call.world
    thread = _open_thread(call)
    own_private = thread.type == ChannelType.PRIVATE_THREAD and thread.owner_id == call.bot_id
    if not own_private and not world.permissions(call.bot_id, thread) & Permission.MANAGE_THREADS:
        raise refuse("missing_permissions")
    if call.params["user_id"] not in thread.thread_members:
        raise refuse("unknown_member")
    guilds.leave_thread(world, thread, call.params["user_id"])


@ROUTES.add("GET", "/channels/{channel_id}/thread-members")
def list_thread_members(call: Call) -> Any:
    thread = _thread(call)
    return [payloads.thread_member(thread, user_id) for user_id in thread.thread_members]


@ROUTES.add("GET", "/channels/{channel_id}/thread-members/{user_id}")
def get_thread_member(call: Call) -> Any:
    thread = _thread(call)
    if call.params["user_id"] not in thread.thread_members:
        raise refuse("unknown_member")
    return payloads.thread_member(thread, call.params["user_id"])


def _archived(call: Call, kinds: tuple[int, ...]) -> Any:
    world = call.world
    parent = call.channel(Permission.READ_MESSAGE_HISTORY)
    if ChannelType.PRIVATE_THREAD in kinds and not world.permissions(call.bot_id, parent) & Permission.MANAGE_THREADS:
        raise refuse("missing_permissions")
    found = [entry for entry in world.threads(parent.id) if entry.archived and entry.type in kinds]
    if before := call.query.get("before"):
        found = [entry for entry in found if (entry.archive_timestamp or "") < before]
    found.sort(key=lambda entry: entry.archive_timestamp or "", reverse=True)
    return thread_list(call, found, limit=int(call.query.get("limit", 50)))


def thread_list(call: Call, found: list[Channel], *, limit: int = 10_000) -> dict[str, Any]:
    world = call.world
    page = found[:limit]
    own = [payloads.thread_member(entry, call.bot_id) for entry in page if call.bot_id in entry.thread_members]
    return {
        "threads": [payloads.channel(world, entry) for entry in page],
        "members": own,
        "has_more": len(found) > limit,
    }


@ROUTES.add("GET", "/channels/{channel_id}/threads/archived/public")
def archived_public(call: Call) -> Any:
    return _archived(call, (ChannelType.NEWS_THREAD, ChannelType.PUBLIC_THREAD))


@ROUTES.add("GET", "/channels/{channel_id}/threads/archived/private")
def archived_private(call: Call) -> Any:
    return _archived(call, (ChannelType.PRIVATE_THREAD,))
