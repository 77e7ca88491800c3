"""Changes to guilds: members, roles, channels and threads, used by the REST API and by the seats' set-up."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from bot.playground.world import payloads
from bot.playground.world.errors import BodyErrors, refuse
from bot.playground.world.json_values import JsonObject
from bot.playground.world.model import Channel, ChannelType, Guild, Member, Role
from bot.playground.world.permissions import ALL, EVERYONE_DEFAULT, Overwrite
from bot.playground.world.world import Event, World, snowflake_time

MAX_CHANNELS, MAX_IN_CATEGORY, MAX_ROLES = 500, 50, 250


def create_guild(world: World, name: str, owner_id: str) -> Guild:
    """A guild with @everyone, its owner and a text channel `general`."""
    guild = Guild(world.new_id(), name, owner_id)
    world.touch(guild)
    world.touch(Role(guild.id, guild.id, "@everyone", EVERYONE_DEFAULT, 0))
    world.touch(Member(guild.id, owner_id, world.clock.iso()))
    general = create_channel(world, guild, {"name": "general", "type": int(ChannelType.TEXT)})
    guild.system_channel_id = general.id
    world.touch(guild)
    return guild


def add_member(
    world: World, guild: Guild, user_id: str, *, nick: str | None = None, roles: list[str] | None = None
) -> Member:
    member = Member(guild.id, user_id, world.clock.iso(), nick, list(roles or ()))
    world.touch(member)
    if user_id == world.bot_id:
        world.emit(Event("GUILD_CREATE", guild.id))
    world.emit(Event("GUILD_MEMBER_ADD", guild.id, detail=payloads.member(world, member)))
    return member


def invite_bot(world: World, guild: Guild, bits: int) -> Role:
    """Add the bot with a managed role of its own, or change what that role may do."""
    role = next((entry for entry in world.roles[guild.id].values() if entry.bot_id == world.bot_id), None)
    if role is None:
        role = create_role(world, guild, {"name": world.bot.display, "permissions": bits}, bot_id=world.bot_id)
    else:
        role.permissions = bits
        world.touch(role)
        world.emit(Event("GUILD_ROLE_UPDATE", guild.id, detail={"role": payloads.role(role)}))
    if world.bot_id not in world.members[guild.id]:
        add_member(world, guild, world.bot_id, roles=[role.id])
    return role


def remove_member(world: World, guild: Guild, member: Member) -> None:
    user = payloads.user(world.users[member.user_id])
    for channel in world.by_guild[guild.id].values():
        if channel.is_thread and channel.thread_members.pop(member.user_id, None):
            world.touch(channel)
    if member.user_id == world.bot_id:
        world.emit(Event("GUILD_DELETE", guild.id))
    world.emit(Event("GUILD_MEMBER_REMOVE", guild.id, detail={"user": user}))
    world.remove(member)
    if member.user_id == world.bot_id:
        for role in [entry for entry in world.roles[guild.id].values() if entry.bot_id == world.bot_id]:
            delete_role(world, guild, role)


def update_member(world: World, guild: Guild, member: Member) -> None:
    world.touch(member)
    world.emit(Event("GUILD_MEMBER_UPDATE", guild.id, detail=payloads.member(world, member)))


def create_role(world: World, guild: Guild, fields: JsonObject, *, bot_id: str | None = None) -> Role:
    """A new role just above @everyone."""
    if len(world.roles[guild.id]) >= MAX_ROLES:
        raise refuse("max_roles")
    role = Role(world.new_id(), guild.id, "new role", world.roles[guild.id][guild.id].permissions, 1, bot_id=bot_id)
    apply_role(role, fields)
    for other in world.roles[guild.id].values():
        if other.position >= 1:
            other.position += 1
            world.touch(other)
    world.touch(role)
    world.emit(Event("GUILD_ROLE_CREATE", guild.id, detail={"role": payloads.role(role)}))
    return role


def apply_role(role: Role, fields: JsonObject) -> None:
    errors = BodyErrors()
    errors.text("name", fields.get("name"), 0, 100, required=False)
    errors.check()
    if fields.get("name"):
        role.name = fields["name"]
    if fields.get("permissions") is not None:
        role.permissions = int(fields["permissions"]) & ALL
    colors: JsonObject = fields.get("colors") or {}
    color = colors.get("primary_color", fields.get("color"))
    if color is not None:
        role.color = int(color)
    for name in ("hoist", "mentionable"):
        if fields.get(name) is not None:
            setattr(role, name, bool(fields[name]))


def update_role(world: World, guild: Guild, role: Role, fields: JsonObject) -> None:
    apply_role(role, fields)
    world.touch(role)
    world.emit(Event("GUILD_ROLE_UPDATE", guild.id, detail={"role": payloads.role(role)}))


def delete_role(world: World, guild: Guild, role: Role) -> None:
    world.remove(role)
    for member in world.members[guild.id].values():
        if role.id in member.roles:
            member.roles.remove(role.id)
            world.touch(member)
    for channel in world.by_guild[guild.id].values():
        if any(entry["id"] == role.id for entry in channel.overwrites):
            channel.overwrites = [entry for entry in channel.overwrites if entry["id"] != role.id]
            world.touch(channel)
            world.emit(Event("CHANNEL_UPDATE", guild.id, channel))
    world.emit(Event("GUILD_ROLE_DELETE", guild.id, detail={"role_id": role.id}))


#: How clients name the two kinds of overwrite; absent means a role.
_OVERWRITE_TYPES: dict[Any, int] = {0: 0, 1: 1, "0": 0, "1": 1, "role": 0, "member": 1}


def read_overwrites(given: Any) -> list[Overwrite]:
    """Permission overwrites from a body; masks are decimal strings or integers."""
    done: list[Overwrite] = []
    entries: list[JsonObject] = given or []
    for entry in entries:
        kind = entry.get("type")
        done.append(
            Overwrite(
                id=str(entry["id"]),
                type=_OVERWRITE_TYPES.get(kind, 0),
                allow=int(entry.get("allow") or 0),
                deny=int(entry.get("deny") or 0),
            )
        )
    return done


def text_name(name: str) -> str:
    """A text channel's name as Discord keeps it: lower case, dashes for blanks."""
    return "-".join(name.lower().split())


def create_channel(world: World, guild: Guild, fields: JsonObject) -> Channel:
    """A text or voice channel or a category; with a category and no overwrites of its own it takes the category's."""
    errors = BodyErrors()
    errors.text("name", fields.get("name"), 1, 100)
    errors.text("topic", fields.get("topic"), 0, 1024, required=False)
    kind: int = fields.get("type") or 0
    if kind not in (ChannelType.TEXT, ChannelType.VOICE, ChannelType.CATEGORY, ChannelType.NEWS):
        errors.choices("type", "(0, 2, 4, 5)")
    parent_id = None if fields.get("parent_id") is None else str(fields["parent_id"])
    _check_parent(world, guild, errors, parent_id)
    errors.check()
    siblings = [entry for entry in world.by_guild[guild.id].values() if not entry.is_thread]
    if len(siblings) >= MAX_CHANNELS:
        raise refuse("max_channels")
    overwrites = read_overwrites(fields.get("permission_overwrites"))
    if parent_id is not None and not overwrites:
        overwrites = [Overwrite(**entry) for entry in world.channels[parent_id].overwrites]
    channel = Channel(
        id=world.new_id(),
        type=kind,
        guild_id=guild.id,
        name=text_name(fields["name"]) if kind in (ChannelType.TEXT, ChannelType.NEWS) else fields["name"],
        topic=fields.get("topic"),
        parent_id=parent_id,
        position=max((entry.position for entry in siblings), default=-1) + 1
        if fields.get("position") is None
        else int(fields["position"]),
        nsfw=bool(fields.get("nsfw")),
        rate_limit_per_user=fields.get("rate_limit_per_user") or 0,
        default_auto_archive_duration=fields.get("default_auto_archive_duration"),
        overwrites=overwrites,
    )
    world.touch(channel)
    world.emit(Event("CHANNEL_CREATE", guild.id, channel))
    return channel


def _check_parent(world: World, guild: Guild, errors: BodyErrors, parent_id: str | None) -> None:
    if parent_id is None:
        return
    parent = world.by_guild[guild.id].get(parent_id)
    if parent is None:
        errors.add("parent_id", "CHANNEL_PARENT_INVALID", "Category does not exist")
    elif parent.type != ChannelType.CATEGORY:
        errors.add("parent_id", "CHANNEL_PARENT_INVALID_TYPE", "Not a category")
    elif (
        sum(entry.parent_id == parent_id for entry in world.by_guild[guild.id].values() if not entry.is_thread)
        >= MAX_IN_CATEGORY
    ):
        errors.add(
            "parent_id",
            "CHANNEL_PARENT_MAX_CHANNELS",
            f"Maximum number of channels in category reached ({MAX_IN_CATEGORY})",
        )


def update_channel(world: World, guild: Guild, channel: Channel, fields: JsonObject) -> None:
    """Change a channel or category by the keys given."""
    errors = BodyErrors()
    errors.text("name", fields.get("name"), 1, 100, required=False)
    errors.text("topic", fields.get("topic"), 0, 1024, required=False)
    if fields.get("rate_limit_per_user") is not None:
        errors.integer("rate_limit_per_user", fields["rate_limit_per_user"], 0, 21600)
    parent_id = None if fields.get("parent_id") is None else str(fields["parent_id"])
    if parent_id != channel.parent_id:
        _check_parent(world, guild, errors, parent_id)
    errors.check()
    if fields.get("name"):
        plain = channel.type not in (ChannelType.TEXT, ChannelType.NEWS)
        channel.name = fields["name"] if plain else text_name(fields["name"])
    if "topic" in fields:
        channel.topic = fields["topic"]
    if "parent_id" in fields:
        channel.parent_id = parent_id
    for name in ("position", "nsfw", "rate_limit_per_user", "default_auto_archive_duration"):
        if fields.get(name) is not None:
            setattr(channel, name, fields[name])
    if "permission_overwrites" in fields:
        channel.overwrites = read_overwrites(fields["permission_overwrites"])
    world.touch(channel)
    world.emit(Event("CHANNEL_UPDATE", guild.id, channel))


def delete_channel(world: World, channel: Channel) -> None:
    """Delete a channel with its threads, or a category (its channels stay, without one)."""
    if channel.is_thread:
        _drop(world, channel, "THREAD_DELETE")
        return
    for other in list(world.by_guild[channel.guild_id or ""].values()):
        if other.parent_id != channel.id:
            continue
        if other.is_thread:
            _drop(world, other, "THREAD_DELETE")
        else:
            other.parent_id = None
            world.touch(other)
            world.emit(Event("CHANNEL_UPDATE", channel.guild_id, other))
    _drop(world, channel, "CHANNEL_DELETE")


def _drop(world: World, channel: Channel, name: str) -> None:
    for message in list(world.messages.get(channel.id, {}).values()):
        world.store.drop(message)
    world.remove(channel)
    world.emit(Event(name, channel.guild_id, channel))


# --- threads -------------------------------------------------------------------------------------------------------

ARCHIVE_AFTER = (60, 1440, 4320, 10080)


def create_thread(
    world: World, parent: Channel, owner_id: str, fields: JsonObject, kind: int, *, thread_id: str | None = None
) -> Channel:
    """A thread below a text channel; its creator is its first member."""
    errors = BodyErrors()
    errors.text("name", fields.get("name"), 1, 100)
    duration = fields.get("auto_archive_duration") or parent.default_auto_archive_duration or 4320
    if duration not in ARCHIVE_AFTER:
        errors.choices("auto_archive_duration", str(ARCHIVE_AFTER))
    errors.check()
    now = world.clock.iso()
    thread = Channel(
        id=thread_id or world.new_id(),
        type=kind,
        guild_id=parent.guild_id,
        name=fields["name"],
        parent_id=parent.id,
        owner_id=owner_id,
        rate_limit_per_user=fields.get("rate_limit_per_user") or 0,
        auto_archive_duration=duration,
        archive_timestamp=now,
        create_timestamp=now,
        invitable=fields.get("invitable", True) is not False,
        thread_members={owner_id: now},
    )
    world.touch(thread)
    world.emit(Event("THREAD_CREATE", thread.guild_id, thread, detail={"newly_created": True}))
    return thread


def update_thread(world: World, thread: Channel, fields: JsonObject) -> None:
    errors = BodyErrors()
    errors.text("name", fields.get("name"), 1, 100, required=False)
    duration = fields.get("auto_archive_duration")
    if duration is not None and duration not in ARCHIVE_AFTER:
        errors.choices("auto_archive_duration", str(ARCHIVE_AFTER))
    errors.check()
    if fields.get("archived") is not None and bool(fields["archived"]) != thread.archived:
        thread.archived = bool(fields["archived"])
        thread.archive_timestamp = world.clock.iso()
    if duration is not None and duration != thread.auto_archive_duration:  # Discord counts silence from here on
        thread.archive_timestamp = world.clock.iso()
    for name in ("name", "locked", "invitable", "auto_archive_duration", "rate_limit_per_user"):
        if fields.get(name) is not None:
            setattr(thread, name, fields[name])
    world.touch(thread)
    world.emit(Event("THREAD_UPDATE", thread.guild_id, thread))


def archive_idle(world: World) -> None:
    """Archive the threads in which nothing has happened for their `auto_archive_duration`."""
    now = world.clock.now()
    for thread in [channel for channel in world.channels.values() if channel.is_thread and not channel.archived]:
        opened = datetime.fromisoformat(thread.archive_timestamp or thread.create_timestamp or world.clock.iso())
        last = max(opened.timestamp(), snowflake_time(thread.last_message_id or thread.id))
        if now - last >= thread.auto_archive_duration * 60:
            thread.archived = True
            thread.archive_timestamp = world.clock.iso()
            world.touch(thread)
            world.emit(Event("THREAD_UPDATE", thread.guild_id, thread))


def join_thread(world: World, thread: Channel, user_id: str) -> None:
    if user_id in thread.thread_members:
        return
    thread.thread_members[user_id] = world.clock.iso()
    world.touch(thread)
    detail = {
        "member_count": min(len(thread.thread_members), 50),
        "added_members": [
            {
                **payloads.thread_member(thread, user_id),
                "member": payloads.member(world, world.members[thread.guild_id or ""][user_id]),
                "presence": None,
            }
        ],
        "removed_member_ids": [],
    }
    if user_id == world.bot_id:
        world.emit(Event("THREAD_CREATE", thread.guild_id, thread))
    world.emit(Event("THREAD_MEMBERS_UPDATE", thread.guild_id, thread, detail=detail))


def leave_thread(world: World, thread: Channel, user_id: str) -> None:
    if thread.thread_members.pop(user_id, None) is None:
        return
    world.touch(thread)
    detail = {"member_count": min(len(thread.thread_members), 50), "added_members": [], "removed_member_ids": [user_id]}
    world.emit(Event("THREAD_MEMBERS_UPDATE", thread.guild_id, thread, detail=detail))
