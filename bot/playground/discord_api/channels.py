"""REST: channels, permission overwrites and threads."""

from __future__ import annotations

from typing import Any

from bot.playground.discord_api.rest import ApiRequest, Endpoints
from bot.playground.world import guilds, payloads
from bot.playground.world.errors import BodyErrors, refuse
from bot.playground.world.model import Channel, ChannelType, Guild
from bot.playground.world.permissions import ALL, Overwrite, Permission
from bot.playground.world.world import Event

ENDPOINTS = Endpoints()


def _home(request: ApiRequest, channel: Channel) -> Guild:
    if channel.guild_id is None:
        raise refuse("not_in_dm")
    return request.world.guilds[channel.guild_id]


def check_overwrites(
    request: ApiRequest, guild: Guild, overwrites: list[Overwrite], *, before: list[Overwrite] | None = None
) -> None:
    """The bot may only allow or deny what it may do itself; only administrators may grant MANAGE_ROLES in a channel."""
    world = request.world
    own = world.guild_permissions(request.bot_id, guild.id)
    if own == ALL:
        return
    old = {entry["id"]: (entry["allow"], entry["deny"]) for entry in before or []}
    for entry in overwrites:
        allow, deny = old.get(entry["id"], (0, 0))
        changed = (entry["allow"] ^ allow) | (entry["deny"] ^ deny)
        if changed & ~own or changed & Permission.MANAGE_ROLES:
            raise refuse("missing_permissions")


@ENDPOINTS.add("GET", "/channels/{channel_id}")
def get_channel(request: ApiRequest) -> Any:
    return payloads.channel(request.world, request.channel())


@ENDPOINTS.add("PATCH", "/channels/{channel_id}")
def patch_channel(request: ApiRequest) -> Any:
    world = request.world
    channel = request.channel()
    guild = _home(request, channel)
    fields = request.fields
    bits = world.permissions(request.bot_id, channel)
    if channel.is_thread:
        _check_thread_edit(request, channel, bits, fields)
        guilds.update_thread(world, channel, fields)
    else:
        if not bits & Permission.MANAGE_CHANNELS:
            raise refuse("missing_permissions")
        if "permission_overwrites" in fields:
            if not bits & Permission.MANAGE_ROLES:
                raise refuse("missing_permissions")
            check_overwrites(
                request, guild, guilds.read_overwrites(fields["permission_overwrites"]), before=channel.overwrites
            )
        guilds.update_channel(world, guild, channel, fields)
    return payloads.channel(world, channel)


def _check_thread_edit(request: ApiRequest, thread: Channel, bits: int, fields: dict[str, Any]) -> None:
    """The creator may change name, archiving and invitations of its own thread; all else needs MANAGE_THREADS."""
    if bits & Permission.MANAGE_THREADS:
        if thread.archived and fields.get("archived") is not False:
            raise refuse("archived_thread")
        return
    own = thread.owner_id == request.bot_id
    opening = fields.get("archived") is False and set(fields) <= {"archived"}
    allowed: set[str] = {"name", "archived", "auto_archive_duration", "invitable"} if own else set()
    if not set(fields) <= allowed and not (opening and not thread.locked):
        raise refuse("missing_permissions")
    if thread.archived and fields.get("archived") is not False:
        raise refuse("archived_thread")
    if thread.locked:
        raise refuse("thread_locked")


@ENDPOINTS.add("DELETE", "/channels/{channel_id}")
def delete_channel(request: ApiRequest) -> Any:
    world = request.world
    channel = request.channel()
    body = payloads.channel(world, channel)
    if channel.is_dm:
        return body  # closing a DM hides it from the bot's list and changes nothing else
    needed = Permission.MANAGE_THREADS if channel.is_thread else Permission.MANAGE_CHANNELS
    if not world.permissions(request.bot_id, channel) & needed:
        raise refuse("missing_permissions")
    guilds.delete_channel(world, channel)
    return body


@ENDPOINTS.add("PUT", "/channels/{channel_id}/permissions/{overwrite_id}")
def put_overwrite(request: ApiRequest) -> Any:
    world = request.world
    channel = request.channel(Permission.MANAGE_ROLES)
    guild = _home(request, channel)
    target = request.params["overwrite_id"]
    (entry,) = guilds.read_overwrites([{**request.fields, "id": target}])
    known = world.roles[guild.id] if entry["type"] == 0 else world.members[guild.id]
    if target not in known:
        raise refuse("unknown_overwrite")
    check_overwrites(request, guild, [entry], before=channel.overwrites)
    channel.overwrites = [old for old in channel.overwrites if old["id"] != target] + [entry]
    world.touch(channel)
    world.emit(Event("CHANNEL_UPDATE", guild.id, channel))


@ENDPOINTS.add("DELETE", "/channels/{channel_id}/permissions/{overwrite_id}")
def delete_overwrite(request: ApiRequest) -> Any:
    world = request.world
    channel = request.channel(Permission.MANAGE_ROLES)
    guild = _home(request, channel)
    target = request.params["overwrite_id"]
    if not any(entry["id"] == target for entry in channel.overwrites):
        raise refuse("unknown_overwrite")
    check_overwrites(request, guild, [Overwrite(id=target, type=0, allow=0, deny=0)], before=channel.overwrites)
    channel.overwrites = [entry for entry in channel.overwrites if entry["id"] != target]
    world.touch(channel)
    world.emit(Event("CHANNEL_UPDATE", guild.id, channel))


# --- threads -------------------------------------------------------------------------------------------------------


@ENDPOINTS.add("POST", "/channels/{channel_id}/threads", status=201)
def create_thread(request: ApiRequest) -> Any:
    world = request.world
    parent = request.channel()
    kind = request.fields.get("type", int(ChannelType.PRIVATE_THREAD))
    allowed = {ChannelType.TEXT: (11, 12), ChannelType.NEWS: (10,)}.get(ChannelType(parent.type), ())
    if not allowed:
        raise refuse("wrong_channel_type")
    if kind not in allowed:
        errors = BodyErrors()
        errors.choices("type", str(allowed))
        errors.check()
    private = kind == ChannelType.PRIVATE_THREAD
    needed = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
    if not world.permissions(request.bot_id, parent) & needed:
        raise refuse("missing_permissions")
    thread = guilds.create_thread(world, parent, request.bot_id, request.fields, kind)
    if not private:
        reference = {"type": 0, "channel_id": thread.id, "guild_id": parent.guild_id}
        request.services.messages.system(parent, request.bot_id, 18, thread.name, reference)
    return payloads.channel(world, thread)


@ENDPOINTS.add("POST", "/channels/{channel_id}/messages/{message_id}/threads", status=201)
def create_thread_from_message(request: ApiRequest) -> Any:
    world = request.world
    parent = request.channel(Permission.CREATE_PUBLIC_THREADS)
    if parent.type not in (ChannelType.TEXT, ChannelType.NEWS):
        raise refuse("wrong_channel_type")
    message = world.message(parent.id, request.params["message_id"])
    if message.reader_id is not None:
        raise refuse("unknown_message")
    if message.thread_id is not None:
        raise refuse("thread_exists")
    kind = ChannelType.NEWS_THREAD if parent.type == ChannelType.NEWS else ChannelType.PUBLIC_THREAD
    thread = guilds.create_thread(world, parent, request.bot_id, request.fields, kind, thread_id=message.id)
    request.services.messages.mark_thread(message, parent, thread)
    return payloads.channel(world, thread)


def _thread(request: ApiRequest) -> Channel:
    channel = request.channel()
    if not channel.is_thread:
        raise refuse("wrong_channel_type")
    return channel


def _open_thread(request: ApiRequest) -> Channel:
    thread = _thread(request)
    if thread.archived:
        raise refuse("archived_thread")
    return thread


@ENDPOINTS.add("PUT", "/channels/{channel_id}/thread-members/@me")
def join(request: ApiRequest) -> Any:
    guilds.join_thread(request.world, _open_thread(request), request.bot_id)


@ENDPOINTS.add("DELETE", "/channels/{channel_id}/thread-members/@me")
def leave(request: ApiRequest) -> Any:
    guilds.leave_thread(request.world, _open_thread(request), request.bot_id)


@ENDPOINTS.add("PUT", "/channels/{channel_id}/thread-members/{user_id}")
def add(request: ApiRequest) -> Any:
    """Adding needs the right to write in the thread, and the person must be able to see the parent channel."""
    world = request.world
    thread = _open_thread(request)
    if not world.permissions(request.bot_id, thread) & Permission.SEND_MESSAGES_IN_THREADS:
        raise refuse("missing_permissions")
    user_id = request.params["user_id"]
    if user_id not in world.users:
        raise refuse("unknown_user")
    if user_id not in world.members[thread.guild_id or ""]:
        raise refuse("unknown_member")
    if not world.can_view(user_id, world.channel(thread.parent_id or "")):
        raise refuse("missing_access")
    guilds.join_thread(world, thread, user_id)


@ENDPOINTS.add("DELETE", "/channels/{channel_id}/thread-members/{user_id}")
def remove(request: ApiRequest) -> Any:
    world = request.world
    thread = _open_thread(request)
    own_private = thread.type == ChannelType.PRIVATE_THREAD and thread.owner_id == request.bot_id
    if not own_private and not world.permissions(request.bot_id, thread) & Permission.MANAGE_THREADS:
        raise refuse("missing_permissions")
    if request.params["user_id"] not in thread.thread_members:
        raise refuse("unknown_member")
    guilds.leave_thread(world, thread, request.params["user_id"])


@ENDPOINTS.add("GET", "/channels/{channel_id}/thread-members")
def list_thread_members(request: ApiRequest) -> Any:
    """Who is in a thread, by id; who asks for the people themselves, or for a page, gets a page."""
    thread, world = _thread(request), request.world
    errors = BodyErrors()
    limit = request.whole_number("limit", errors, usual=100, most=100)
    errors.check()
    people = request.query.get("with_member") in ("1", "true", "True")
    after = int(request.query.get("after", 0))
    found = sorted((one for one in thread.thread_members if int(one) > after), key=int)
    if people or "limit" in request.query:
        found = found[:limit]
    if not people:
        return [payloads.thread_member(thread, one) for one in found]
    members = world.members[thread.guild_id or ""]
    return [
        {**payloads.thread_member(thread, one), "member": payloads.member(world, members[one])}
        for one in found
        if one in members
    ]


@ENDPOINTS.add("GET", "/channels/{channel_id}/thread-members/{user_id}")
def get_thread_member(request: ApiRequest) -> Any:
    thread = _thread(request)
    if request.params["user_id"] not in thread.thread_members:
        raise refuse("unknown_member")
    return payloads.thread_member(thread, request.params["user_id"])


def _archived(request: ApiRequest, kinds: tuple[int, ...]) -> Any:
    world = request.world
    parent = request.channel(Permission.READ_MESSAGE_HISTORY)
    if (
        ChannelType.PRIVATE_THREAD in kinds
        and not world.permissions(request.bot_id, parent) & Permission.MANAGE_THREADS
    ):
        raise refuse("missing_permissions")
    found = [entry for entry in world.threads(parent.id) if entry.archived and entry.type in kinds]
    if before := request.query.get("before"):
        found = [entry for entry in found if (entry.archive_timestamp or "") < before]
    found.sort(key=lambda entry: entry.archive_timestamp or "", reverse=True)
    return thread_list(request, found, limit=int(request.query.get("limit", 50)))


def thread_list(request: ApiRequest, found: list[Channel], *, limit: int = 10_000) -> dict[str, Any]:
    world = request.world
    page = found[:limit]
    own = [payloads.thread_member(entry, request.bot_id) for entry in page if request.bot_id in entry.thread_members]
    return {
        "threads": [payloads.channel(world, entry) for entry in page],
        "members": own,
        "has_more": len(found) > limit,
    }


@ENDPOINTS.add("GET", "/channels/{channel_id}/threads/archived/public")
def archived_public(request: ApiRequest) -> Any:
    return _archived(request, (ChannelType.NEWS_THREAD, ChannelType.PUBLIC_THREAD))


@ENDPOINTS.add("GET", "/channels/{channel_id}/threads/archived/private")
def archived_private(request: ApiRequest) -> Any:
    return _archived(request, (ChannelType.PRIVATE_THREAD,))
